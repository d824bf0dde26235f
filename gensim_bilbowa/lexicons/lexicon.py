"""Scored translation pairs: a lexicon, and its files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, overload

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.files.delimited import write_delimited
from gensim_bilbowa.files.staging import staged
from gensim_bilbowa.lexicons.entries import LexiconEntry
from gensim_bilbowa.lexicons.tbx import write_tbx

__all__ = ["FORMATS", "Lexicon", "file_format"]

FORMATS = ("tsv", "csv", "tbx")


def file_format(path: str | os.PathLike[str], format: str | None = None) -> str:
    """Return the format that a lexicon has in a file: the one named, or that of the suffix.

    Raises
    ------
    ConfigError
        If it is none of `FORMATS`.
    """
    kind = Path(path).suffix.removeprefix(".").lower() if format is None else format
    if kind not in FORMATS:
        raise ConfigError(
            f"the format of a lexicon is one of {', '.join(FORMATS)}; got {kind!r} for "
            f"{os.fspath(path)}"
        )
    return kind


class Lexicon(Sequence[LexiconEntry]):
    """Translation pairs in the order of the source vocabulary, the best target first.

    Parameters
    ----------
    languages : (str, str)
        Codes of source and target.
    entries : sequence of LexiconEntry
    method : str
        How the scores were computed.

    Examples
    --------
    >>> lexicon = Lexicon(("en", "de"), [LexiconEntry("dog", "Hund", 0.9, 1, 7, 8)], "csls")
    >>> lexicon.to_dict()
    {'dog': ['Hund']}
    """

    def __init__(
        self, languages: tuple[str, str], entries: Sequence[LexiconEntry], method: str
    ) -> None:
        self.languages = languages
        self.entries = list(entries)
        self.method = method

    def __len__(self) -> int:
        return len(self.entries)

    @overload
    def __getitem__(self, index: int) -> LexiconEntry: ...
    @overload
    def __getitem__(self, index: slice) -> Lexicon: ...
    def __getitem__(self, index: int | slice) -> LexiconEntry | Lexicon:
        if isinstance(index, slice):
            return Lexicon(self.languages, self.entries[index], self.method)
        return self.entries[index]

    def __iter__(self) -> Iterator[LexiconEntry]:
        return iter(self.entries)

    def __repr__(self) -> str:
        source, target = self.languages
        return f"Lexicon<{source}-{target}: {len(self):,} pairs by {self.method}>"

    def to_dict(self) -> dict[str, list[str]]:
        """Return the targets of each source word, best first."""
        translations: dict[str, list[str]] = {}
        for entry in self.entries:
            translations.setdefault(entry.source, []).append(entry.target)
        return translations

    def rows(self) -> Iterator[list[str]]:
        """Yield a header and the entries as cells, two columns for each example."""
        examples = max((len(entry.examples) for entry in self.entries), default=0)
        source, target = self.languages
        header = [source, target, "score", "rank", f"{source}_count", f"{target}_count"]
        for number in range(1, examples + 1):
            header += [f"{source}_example_{number}", f"{target}_example_{number}"]
        yield header
        for entry in self.entries:
            numbers = (entry.rank, entry.source_count, entry.target_count)
            cells = [entry.source, entry.target, f"{entry.score:.4f}", *map(str, numbers)]
            for number in range(examples):
                cells += entry.examples[number] if number < len(entry.examples) else ("", "")
            yield cells

    def write_table(self, stream: IO[str], kind: str) -> None:
        """Write the lexicon as a table, "csv" or "tsv", to an open text stream.

        Raises
        ------
        FormatError
            If a word or an example has a character that the stream's encoding cannot hold.
        """
        write_delimited(stream, self.rows(), kind)

    def save(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Write the lexicon to a file, which is replaced when all is written.

        Parameters
        ----------
        path : str or path-like
        format : {"tsv", "csv", "tbx"}, optional
            Default: the suffix of `path`. Tables have a header and are UTF-8, a cell with a
            separator or quote in it is quoted; "tbx" is TermBase eXchange (ISO 30042:2019, dialect
            TBX-Basic, style dca), a concept for each source word.

        Raises
        ------
        FormatError
            If a word or an example has a character that the format cannot hold, or for "tbx" the
            lexicon is empty. A file that was there before stays as it was.
        """
        kind = file_format(path, format)
        with staged(path) as (place,):
            if kind == "tbx":
                write_tbx(self.entries, self.languages, self.method, place)
                return
            with place.open("w", encoding="utf-8", newline="") as stream:
                self.write_table(stream, kind)
