"""Lists of terms: kept, read, and written to files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, overload

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files.documents import Count
from gensim_bilbowa.terminology.records import read_json
from gensim_bilbowa.terminology.saving import save
from gensim_bilbowa.terminology.tables import write_table
from gensim_bilbowa.terminology.term import Term

__all__ = ["TermList"]


@dataclass(frozen=True, repr=False)
class TermList(Sequence[Term]):
    """Terms of a text, in the order in which they are to be read.

    Attributes
    ----------
    languages : (str, str)
        Codes of source and target.
    terms : tuple of Term
    left_out : dict from str to int
        What is not in the list, by reason.
    report : GlossaryReport or None
        How a glossary agrees with the text, where one was given; it is not saved.
    """

    languages: tuple[str, str]
    terms: tuple[Term, ...]
    left_out: Mapping[str, Count] = field(default_factory=dict)
    report: Any = field(default=None, compare=False, metadata={"saved": False})

    def __len__(self) -> int:
        return len(self.terms)

    @overload
    def __getitem__(self, index: int) -> Term: ...
    @overload
    def __getitem__(self, index: slice) -> TermList: ...
    def __getitem__(self, index: int | slice) -> Term | TermList:
        if isinstance(index, slice):
            return TermList(self.languages, self.terms[index], self.left_out, self.report)
        return self.terms[index]

    def __iter__(self) -> Iterator[Term]:
        return iter(self.terms)

    def __repr__(self) -> str:
        return f"TermList<{'-'.join(self.languages)}: {len(self):,} terms>"

    def save(
        self, path: str | os.PathLike[str], format: str | None = None, *, excel: bool = False
    ) -> None:
        """Write the list to a file, which is replaced when all is written.

        Parameters
        ----------
        path : str or path-like
        format : str, optional
            Default: that of the suffix of `path`.

            "csv", "tsv"
                A table with a header and a row for each translation, in UTF-8. The first columns
                are those of a lexicon's table.
            "xlsx"
                The table as a workbook of Excel, texts as texts; wants the extra ``xlsx``.
            "tbx"
                TermBase eXchange of 2019 (ISO 30042:2019, dialect TBX-Basic, style dca): a concept
                for each term.
            "tbx2008"
                TermBase eXchange of 2008, whose root is ``martif``: what OmegaT and most other
                tools read. Suffix ``.martif``; for a file ``.tbx`` it must be named.
            "omegat"
                A glossary of OmegaT: source, target and comment, with tabs between. Suffixes
                ``.utf8``, ``.txt``.
            "json"
                All that is known, for programs, and for :meth:`load`.
            "html"
                A page to read and check the list.
        excel : bool
            Write "csv" or "tsv" for Excel: with a byte order mark, without which it takes UTF-8
            for another encoding, with lines ended by CR LF, and with an apostrophe before texts
            that a spreadsheet would take for formulas. The apostrophe can be seen in the cell.
            Where a spreadsheet is told to split at other signs than the file has, a formula may
            begin within a text; and numbers and dates in texts are changed by it. A workbook has
            neither fault.

        Raises
        ------
        ConfigError
            If there is no such format, or `excel` is asked for with another one.
        FormatError
            If a text has a character that the format cannot hold, or for the kinds of TBX the list
            is empty. A file that was there before stays as it was.
        ImportError
            If "xlsx" is asked for and XlsxWriter is not installed.
        """
        save(self, path, format, excel=excel)

    def write_table(self, stream: IO[str], kind: str = "tsv") -> None:
        """Write the list as a table, "csv" or "tsv", to an open text stream, a line each row."""
        write_table(self, stream, kind, flat=True)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> TermList:
        """Read a list that was saved as JSON.

        Parameters
        ----------
        path : str or path-like

        Raises
        ------
        FormatError
            If the file is no JSON, or no term list; it says where.

        Examples
        --------
        >>> import tempfile
        >>> from gensim_bilbowa.terminology import Term, Translation
        >>> hund = Translation("Hund", count=8, aligned=6.5, share=0.93, score=1.7)
        >>> dog = Term("dog", count=7, termhood=3.2, translations=(hund,))
        >>> terms = TermList(("en", "de"), (dog,))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     terms.save(f"{folder}/terms.json")
        ...     TermList.load(f"{folder}/terms.json") == terms
        True
        """
        terms = read_json(path, cls)
        for number, term in enumerate(terms):
            if not term.translations:
                raise FormatError(
                    f"{os.fspath(path)}: terms[{number}].translations: one is wanted at least"
                )
        return terms
