"""What the pages of the documentation speak of: text files, and models of them.

All text is from the built-in generator, which stands in for what readers have; it is in small
letters, save in translation memories.
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.datasets import LANGUAGES, SyntheticCorpus

__all__ = ["SMALL", "model", "pairs", "sentences", "write", "write_memory"]

SMALL = {"vector_size": 40, "epochs": 8, "workers": 1, "seed": 1}


@cache
def _corpus() -> list[tuple[str, ...]]:
    return [tuple(" ".join(side) for side in row) for row in SyntheticCorpus(3000)]


def sentences(language: str, lines: slice = slice(None)) -> list[str]:
    """Some sentences of a language, tokens separated by spaces."""
    side = LANGUAGES.index(language)
    return [row[side].lower() for row in _corpus()[lines]]


def write(path: str, *languages: str, lines: slice = slice(None)) -> None:
    """Write sentences to a file (packed, if its name says so), languages separated by tabs."""
    rows = zip(*(sentences(language, lines) for language in languages), strict=True)
    text = "".join("\t".join(row) + "\n" for row in rows).encode()
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(gzip.compress(text) if path.endswith(".gz") else text)


def write_memory(path: str, *languages: str) -> None:
    """Write sentences as a translation memory, in the case that people write them in."""
    sides = [LANGUAGES.index(language) for language in languages]
    units = (
        "".join(
            f'<tuv xml:lang="{language}-XX"><seg>{row[side][0].upper()}{row[side][1:]}</seg></tuv>'
            for language, side in zip(languages, sides, strict=True)
        )
        for row in _corpus()
    )
    body = "".join(f"<tu>{unit}</tu>\n" for unit in units)
    memory = f'<tmx version="1.4"><header srclang="{languages[0]}"/><body>\n{body}</body></tmx>\n'
    Path(path).write_text(memory, encoding="utf-8")


def pairs(source: str, target: str) -> list[tuple[list[str], list[str]]]:
    """All sentence pairs of two languages, as token lists."""
    sides: Sequence[list[str]] = [sentences(language) for language in (source, target)]
    return [(a.split(), b.split()) for a, b in zip(*sides, strict=True)]


@cache
def model(*languages: str) -> BilBOWA:
    """A model of two languages or more, paired with the first; pages share it."""
    first, *others = languages
    return BilBOWA(parallel={(first, other): pairs(first, other) for other in others}, **SMALL)
