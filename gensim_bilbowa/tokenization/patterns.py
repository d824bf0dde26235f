"""Patterns of the package regex, which knows Unicode's properties of characters."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from gensim_bilbowa.extras import needing

__all__ = ["compiled", "has_address"]

# Only where one of these is are addresses looked for.
has_address = re.compile(r"@|://|www\.", re.IGNORECASE).search


@lru_cache
def compiled(pattern: str) -> Any:
    """Return a verbose pattern, compiled.

    Raises
    ------
    ImportError
        If the package is missing.
    """
    with needing("text", "a tokenizer needs the package regex"):
        import regex
    return regex.compile(pattern, regex.VERBOSE | regex.VERSION1)
