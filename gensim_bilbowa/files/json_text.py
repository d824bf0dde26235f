"""JSON of files that are not trusted: no more is made of it than its size calls for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

__all__ = ["parse_json"]

# An empty list takes twenty times the memory of its two signs. Files of ours have far fewer, also
# those with the aligned words of a hundred languages.
_MOST_CONTAINERS = 1 << 16
_CHARACTERS_OF_EACH = 32
# A bracket within a string is none.
_CONTAINER = re.compile(r'"(?:[^"\\]++|\\.)*+"?+|([\[{])', re.DOTALL)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; raise ValueError if it has a key twice."""
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise ValueError(f"{key!r:.80} stands twice in one object")
        made[key] = value
    return made


def parse_json(
    text: str | bytes,
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = _unique_keys,
    parse_constant: Callable[[str], Any] | None = None,
) -> Any:
    """Parse JSON, as :func:`json.loads` does; bytes are UTF-8.

    Raises
    ------
    ValueError
        Also for more lists and objects than 65,536 and one for each 32 characters, for values that
        are nested too deep, and for an object that has a key twice, unless another hook is given.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8-sig", "surrogatepass")
    most = _MOST_CONTAINERS + len(text) // _CHARACTERS_OF_EACH
    if text.count("[") + text.count("{") > most and _containers(text) > most:
        raise ValueError(f"more than {most:,} lists and objects")
    try:
        return json.loads(text, object_pairs_hook=object_pairs_hook, parse_constant=parse_constant)
    except RecursionError as error:
        raise ValueError("values within values, too deep to read") from error


def _containers(text: str) -> int:
    return sum(found.lastindex or 0 for found in _CONTAINER.finditer(text))
