"""Opening what a command is given: a trained model, or vectors by themselves."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from zipfile import is_zipfile

import click

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.errors import CorpusError, CorpusFileError, FormatError
from gensim_bilbowa.formats.safe import HEAD_BYTES, is_safetensors
from gensim_bilbowa.training import checkpoints_in

__all__ = ["is_vectors", "open_model", "open_vectors", "standard_input", "two_languages"]


def open_vectors(path: Path) -> CrossLingualVectors:
    """Load the vectors of a model, or what ``CrossLingualVectors.save`` wrote."""
    if is_vectors(path):
        return CrossLingualVectors.load(path)
    space = open_model(path).wv
    if not space:
        raise FormatError(f"{path} has no vocabulary yet: it was saved before it was trained")
    return space


def open_model(path: Path) -> BilBOWA:
    """Load a model, its arrays mapped into memory."""
    try:
        return BilBOWA.load(path, mmap="r")
    except FormatError as error:
        if is_zipfile(path):
            raise
        raise FormatError(
            f"{error}; a model is wanted, or vectors that `bilbowa convert` or `bilbowa align` "
            "wrote, which joins files of word vectors"
        ) from error


def is_vectors(path: Path) -> bool:
    """Whether this holds vectors alone, not a model; content decides, and the name if it cannot."""
    if path.is_dir():
        return not checkpoints_in(path)
    if path.suffix.lower() == ".safetensors":
        return True
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return is_safetensors(stream.read(HEAD_BYTES))


def two_languages(
    space: CrossLingualVectors, source: str | None, target: str | None
) -> tuple[str, str]:
    """Return --from and --to, or the first language and the only other one."""
    vectors = space[source or next(iter(space))]
    others = sorted(set(space) - {vectors.language})
    if target is None and len(others) > 1:
        raise click.UsageError(f"several other languages: --to is wanted, one of {others}")
    return str(vectors.language), str(vectors.other_language(target).language)


def standard_input(errors: str = "strict") -> Iterator[str]:
    """Yield the lines of standard input as :func:`read_lines` does, each one when it comes."""
    if sys.stdin is None:
        raise CorpusFileError("standard input is closed; it should have lines of text")
    for number, line in enumerate(sys.stdin.buffer, start=1):
        text = line.removeprefix(BOM_UTF8) if number == 1 else line
        try:
            yield text.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", errors)
        except UnicodeDecodeError as error:
            byte = error.start + 1 + len(line) - len(text)
            raise CorpusError(
                f"standard input, line {number}, byte {byte}: not UTF-8; convert it, or pass "
                "--errors replace"
            ) from error
