"""Glossaries: terms that are known with their translations, read from files of people."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, overload

from gensim_bilbowa.corpora.kinds import reader_of, root_of
from gensim_bilbowa.corpora.rows import BadRow
from gensim_bilbowa.corpora.tables import TablePairs
from gensim_bilbowa.corpora.tbx import TBX_ROOTS, TBXTerms
from gensim_bilbowa.corpora.units import Unit, UnitPairs
from gensim_bilbowa.parameters import two_languages
from gensim_bilbowa.terminology.glossary_cells import source_terms, target_terms
from gensim_bilbowa.tokenization.codes import matching, matching_both

__all__ = ["Glossary", "GlossaryEntry"]


class GlossaryEntry(NamedTuple):
    """A concept of a glossary.

    Attributes
    ----------
    sources, targets : tuple of str
        Terms of the two languages, synonyms of each other; one or more.
    place : str
        The file, and the entry's id or line in it.
    """

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    place: str = ""


@dataclass(frozen=True, repr=False)
class Glossary(Sequence[GlossaryEntry]):
    r"""Terms of two languages that people have put together.

    Attributes
    ----------
    languages : (str, str)
        Codes of source and target.
    entries : tuple of GlossaryEntry
    left_out : dict from str to int
        What of the file is no entry, by reason.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "glossary.csv"
    >>> _ = path.write_text('en,de\naccount,"Konto, Buchungskonto"\nledger,\n')
    >>> glossary = Glossary.read(path, ("en", "de"))
    >>> glossary[0].sources, glossary[0].targets
    (('account',), ('Konto', 'Buchungskonto'))
    >>> glossary.left_out
    {'without a translation': 1}
    """

    languages: tuple[str, str]
    entries: tuple[GlossaryEntry, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        languages: Sequence[str],
        *,
        errors: str = "strict",
        skip_bad: bool = False,
    ) -> Glossary:
        """Read a glossary from a file, packed or not.

        Term bases are TBX of both editions (``conceptEntry`` and ``termEntry``); terms that are
        said to be deprecated are left out. Tables are CSV, lines with tabs and JSON lines: a header
        names the languages, or source and target, else the first two columns are read; what begins
        with ``#`` is a comment, as in OmegaT's glossaries. Of gettext catalogs and other
        translation files each unit is an entry, unless it is fuzzy or untranslated.

        In term bases each term has its own element. What is one in a cell of a table or a message,
        :func:`~gensim_bilbowa.terminology.glossary_cells.source_terms` and
        :func:`~gensim_bilbowa.terminology.glossary_cells.target_terms` say.

        Parameters
        ----------
        path : str or path-like
        languages : (str, str)
            Codes of source and target, matched to those of the file: ``de`` is ``de-DE``, too.
        errors : {"strict", "replace", "ignore"}
            What to do about bytes that are no characters.
        skip_bad : bool
            Leave out rows of a table that cannot be read, and count them by reason.

        Raises
        ------
        CorpusError
            If the file is damaged; the message names file and line.
        CorpusNotFoundError, CorpusFileError
            If it is missing, or cannot be read to its end.
        ParallelDataError
            If no entry has both languages; the message names what there is.
        ConfigError
            If the languages are not two.
        """
        pair = two_languages(languages)
        units = _reader(os.fspath(path), pair, errors, skip_bad)
        takes = _concept if isinstance(units, TBXTerms) else _cells

        def choose(unit: Unit) -> GlossaryEntry | str:
            # One variant of a language may have what another lacks.
            filled = [code for code, text in unit.items() if text.strip()]
            sides = matching_both(pair, filled)
            if sides is None:
                if matching_both(pair, tuple(unit)) is None:
                    return "without both languages"
                return "without a translation" if matching(pair[0], filled) else "without a term"
            found = takes(unit[sides[0]], unit[sides[1]])
            if isinstance(found, str):
                return found
            return GlossaryEntry(*found, f"{units.source}, {unit.id}")

        entries = tuple(units.chosen(choose, pair, units.source, "entries of a glossary"))
        return cls(pair, entries, {**units.dropped, **units.mended})

    @overload
    def __getitem__(self, index: int) -> GlossaryEntry: ...
    @overload
    def __getitem__(self, index: slice) -> Glossary: ...
    def __getitem__(self, index: int | slice) -> GlossaryEntry | Glossary:
        if isinstance(index, slice):
            return Glossary(self.languages, self.entries[index], self.left_out)
        return self.entries[index]

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[GlossaryEntry]:
        return iter(self.entries)

    def __repr__(self) -> str:
        return f"Glossary<{'-'.join(self.languages)}: {len(self):,} entries>"


class _Rows(TablePairs):
    """The rows of a glossary, which may be comments, and may have no translation yet."""

    def _refuse_lines(self, lines: list[str]) -> None:
        if not any("\t" in line for line in lines):
            super()._refuse_lines(lines)

    def _of_cells(self, look: Any, cells: Any) -> Unit | BadRow | str:
        if cells[0].lstrip().startswith("#"):
            return "comments"
        if len(cells) <= max(look.columns):
            return "without a translation"
        return super()._of_cells(look, cells)


def _reader(path: str, languages: tuple[str, str], errors: str, skip_bad: bool) -> UnitPairs:
    if root_of(path).lower() in TBX_ROOTS:
        return TBXTerms(path, languages, errors)
    if (kind := reader_of(path)) is not None:
        return kind(path, languages, errors)
    return _Rows(path, languages, errors, skip_bad=skip_bad, tokenized=False)


_Sides = tuple[tuple[str, ...], tuple[str, ...]]


def _concept(source: str, target: str) -> _Sides:
    return tuple(source.split("\n")), tuple(target.split("\n"))


def _cells(source: str, target: str) -> _Sides | str:
    sides = source_terms(source), target_terms(target, source)
    return sides if all(sides) else "without words"
