"""A page of HTML, taken apart."""

from __future__ import annotations

import json
from html.parser import HTMLParser

__all__ = ["Parsed"]


class Parsed(HTMLParser):
    """Elements of a page with their attributes, and what its first script holds."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.addresses, self.scripts, self.title = [], [], [], ""
        self._inside = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self._inside = tag
        self.addresses += [value for name, value in attrs if name in ("src", "href", "action")]
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        self._inside = None

    def handle_data(self, data):
        if self._inside == "script":
            self.scripts[-1] += data
        if self._inside == "title":
            self.title += data

    @property
    def data(self):
        """What the first script holds, a value of JSON."""
        return json.loads(self.scripts[0])
