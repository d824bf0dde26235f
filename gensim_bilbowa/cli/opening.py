"""Opening what a command is given: a trained model, or vectors by themselves."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.errors import CorpusError, FormatError

__all__ = ["is_vectors", "open_vectors", "standard_input", "two_languages"]


def open_vectors(path: Path) -> CrossLingualVectors:
    """Load the vectors of a model, or what ``CrossLingualVectors.save`` wrote."""
    if is_vectors(path):
        return CrossLingualVectors.load(path)
    space = BilBOWA.load(path, mmap="r").wv
    if not space:
        raise FormatError(f"{path} has no vocabulary yet: it was saved before it was trained")
    return space


def is_vectors(path: Path) -> bool:
    """Whether this holds vectors alone, not a model."""
    return path.is_dir() or path.suffix == ".safetensors"


def two_languages(
    space: CrossLingualVectors, source: str | None, target: str | None
) -> tuple[str, str]:
    """Return --from and --to, or the first language and the only other one."""
    vectors = space[source or next(iter(space))]
    return str(vectors.language), str(vectors.other_language(target).language)


def standard_input() -> Iterator[str]:
    """Yield the lines of standard input, UTF-8, without their ends."""
    for number, line in enumerate(sys.stdin.buffer, start=1):
        try:
            yield line.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise CorpusError(
                f"standard input, line {number}, byte {error.start + 1}: not UTF-8"
            ) from error
