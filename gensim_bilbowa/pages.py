"""Pages that a browser shows: templates that are filled to one file, which loads no other."""

from __future__ import annotations

import html
import json
import re
from importlib import resources
from typing import Any

__all__ = ["fill"]

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
        Its file. ``{{title}}`` in it is for text, ``{{data}}`` for the content of a script element
        of the type application/json; any other name in such braces is a file beside the template,
        which is taken in as it is.
    title : str
    data : JSON's types, and dataclasses, which become objects
        Only finite numbers: JSON has no others.
    """
    folder = resources.files(package)
    parts = {
        "title": html.escape(title.encode("utf-8", "replace").decode("utf-8")),
        # ASCII alone, so that half characters and odd separators of lines are escaped, too.
        "data": json.dumps(data, default=vars, separators=(",", ":"), allow_nan=False).translate(
            _ESCAPES
        ),
    }

    def part(place: re.Match[str]) -> str:
        name = place[1]
        return parts[name] if name in parts else folder.joinpath(name).read_text(encoding="utf-8")

    return _PLACE.sub(part, folder.joinpath(template).read_text(encoding="utf-8"))
