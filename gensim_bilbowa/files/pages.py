"""Pages that a browser shows: templates that are filled to one file, which loads no other."""

from __future__ import annotations

import html
import json
import re
from importlib import resources
from typing import Any

__all__ = ["fill"]

# Of every page: what it may load is what it holds.
_HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline';
  img-src data:; base-uri 'none'; form-action 'none'">
<link rel="icon" href="data:,">
<title>{title}</title>"""
_PLACE = re.compile(r"\{\{([a-z][a-z./]*)\}\}")
# What could end the script element that holds the data, or be taken for markup.
_ESCAPES = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&"})


def fill(package: str, template: str, *, title: str, data: Any) -> str:
    """Return the text of a template with its places filled.

    Parameters
    ----------
    package : str
        Where the template lies.
    template : str
        Its file. ``{{head}}`` begins it, and the head of the page, in which its style may follow;
        ``{{title}}`` is for text, ``{{data}}`` for the content of a script element of the type
        application/json; any other name in such braces is a file beside the template, which is
        taken in as it is.
    title : str
    data : JSON's types, and dataclasses, which become objects
        Only finite numbers: JSON has no others.
    """
    folder = resources.files(package)
    shown = html.escape(title.encode("utf-8", "replace").decode("utf-8"))
    parts = {
        "head": _HEAD.format(title=shown),
        "title": shown,
        # ASCII alone, so that half characters and odd separators of lines are escaped, too.
        "data": json.dumps(data, default=vars, separators=(",", ":"), allow_nan=False).translate(
            _ESCAPES
        ),
    }

    def part(place: re.Match[str]) -> str:
        name = place[1]
        return parts[name] if name in parts else folder.joinpath(name).read_text(encoding="utf-8")

    return _PLACE.sub(part, folder.joinpath(template).read_text(encoding="utf-8"))
