"""Lexicons as TermBase eXchange files: ISO 30042:2019, dialect TBX-Basic, style dca."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files.tbx import TBX_BASIC, TBXWriter, tbx_file
from gensim_bilbowa.lexicons.entries import LexiconEntry
from gensim_bilbowa.tokenization.codes import tag

__all__ = ["write_tbx"]


def write_tbx(
    entries: Sequence[LexiconEntry], languages: tuple[str, str], method: str, path: Path
) -> None:
    """Write a concept for each source word: the word, and its translations with their scores.

    Raises
    ------
    FormatError
        If a word or an example has a character that XML cannot hold, or there are no entries, of
        which the format wants one at least.
    """
    if not entries:
        raise FormatError("an empty lexicon cannot be a TBX file: that has a concept at least")
    source, target = map(tag, languages)
    concepts: dict[str, list[LexiconEntry]] = {}
    for entry in entries:
        concepts.setdefault(entry.source, []).append(entry)
    origin = "Word translations computed by gensim_bilbowa, not checked by hand"
    with tbx_file(path, TBX_BASIC, source, origin) as write:
        for number, concept in enumerate(concepts.values(), start=1):
            with write.concept(number):
                _write_concept(write, (source, target), concept, method)


def _write_concept(
    write: TBXWriter, languages: tuple[str, str], entries: list[LexiconEntry], method: str
) -> None:
    source, target = languages
    with write.language(source), write.term(entries[0].source):
        examples = (example for entry in entries for example, _ in entry.examples)
        for example in dict.fromkeys(examples):
            write.text("descrip", example, type="context")
    with write.language(target):
        for entry in entries:
            with write.term(entry.target):
                for _, example in entry.examples:
                    write.text("descrip", example, type="context")
                write.text("note", f"{method} {entry.score:.4f}")
