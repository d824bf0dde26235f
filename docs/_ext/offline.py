"""A check of the pages that were built: they ask no other machine for anything."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)

# What a browser fetches by itself; links that a reader may follow are not among it.
_FETCHED = {
    "audio": "src", "embed": "src", "iframe": "src", "img": "src", "link": "href",
    "object": "data", "script": "src", "source": "src", "video": "src",
}  # fmt: skip
_FOREIGN = re.compile(r"(https?:)?//")
_STYLE = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""")


class _Assets(HTMLParser):
    """Collects what a page fetches from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.foreign: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        address = dict(attrs).get(_FETCHED.get(tag, ""), "") or ""
        if _FOREIGN.match(address):
            self.foreign.append(address)


def check(app: Sphinx, error: Exception | None) -> None:
    """Warn of each address from which a page or style sheet fetches something."""
    if error is not None:
        return
    for path in sorted(Path(app.outdir).rglob("*")):
        if path.suffix == ".css":
            foreign = _STYLE.findall(path.read_text("utf-8"))
        elif path.suffix == ".html":
            assets = _Assets()
            assets.feed(path.read_text("utf-8"))
            foreign = assets.foreign
        else:
            continue
        for address in foreign:
            logger.warning("%s fetches %s", path.relative_to(app.outdir), address)


def setup(app: Sphinx) -> dict[str, bool]:
    """Check after each build."""
    app.connect("build-finished", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
