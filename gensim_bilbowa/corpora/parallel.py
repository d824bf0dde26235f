"""Parallel text: sentences of two languages that translate each other, line by line."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from gensim_bilbowa.corpora.columns import ColumnPairs
from gensim_bilbowa.corpora.compiled_reading import TextFile
from gensim_bilbowa.corpora.files import LineCorpus, Split
from gensim_bilbowa.corpora.filters import FilteredPairs
from gensim_bilbowa.corpora.kept import KeptPairs
from gensim_bilbowa.corpora.kinds import pairs_of, reader_of
from gensim_bilbowa.corpora.many import FileReport, ManyPairs, files_of, sides_of
from gensim_bilbowa.corpora.pairing import (
    Phrased,
    Side,
    Splits,
    check_lengths,
    joined_units,
    pair_tokens,
    pairs_checked,
    placed_units,
    row_units,
    splits_of,
)
from gensim_bilbowa.corpora.sentences import Corpus, Pair, require_restartable, way_of, with_place
from gensim_bilbowa.corpora.sides import Sides
from gensim_bilbowa.corpora.tables import Columns, TablePairs
from gensim_bilbowa.corpora.units import TextUnit, UnitPairs
from gensim_bilbowa.errors import ConfigError, CorpusError
from gensim_bilbowa.parameters import two_languages
from gensim_bilbowa.tokenization.tokenizer import Tokenizer

__all__ = ["ParallelSentences"]


class ParallelSentences:
    r"""Sentence-aligned text of two languages.

    Parameters
    ----------
    source : path, or iterable of token lists, or iterable of pairs
        With `target`: the first language's side. Without: a table (lines with a tab or ``|||``
        between the sides, CSV, or JSON lines, told by how the file begins), a translation file
        (TMX, XLIFF, Qt's TS, PO or MO, also packed, told by its content), a folder, a pattern
        (``po/*.po``), a list of paths or a zip archive of such files, or an iterable of
        ``(tokens, tokens)`` pairs. For tables in memory see :meth:`from_columns`.
    target : path or iterable of token lists, optional
        The second language's side, in step with `source`: sentence i translates sentence i. A
        blank line on either side skips that pair.
    languages : (str, str)
        The languages of `source` and `target`, or of the two columns.
    columns : (int, int), (str, str) or str, optional
        Which columns of a table to read, counted from 0 or by the names in its first row; of JSON
        lines two keys, or one with a text for each language. Default: those that a header names by
        language (``en``, ``English``) or as source and target, else the first two.
    skip_bad : bool
        Leave out lines of a table that cannot be read, and of many files those that are damaged
        from the damage on, and count them in :attr:`dropped`.
    errors : {"strict", "replace", "ignore"}
        What to do about bytes in files that are not UTF-8.
    tokenizer : callable, or dict from language to callable, optional
        From a text to its tokens; pairs may then be of strings. Default: lines of files are split
        at white space, and the text of translation files by
        :class:`~gensim_bilbowa.Tokenizer`.

    Raises
    ------
    ParallelDataError
        While iterating, if the sides differ in length or a line cannot be read.

    Notes
    -----
    Files may be plain or packed by gzip, bzip2, xz, zstandard or lz4, as their first bytes tell; or
    be any URL that smart_open takes. Lines end at ``\n`` alone. An iterable must be restartable.

    Examples
    --------
    >>> pairs = ParallelSentences(
    ...     [("the house".split(), "das haus".split())], languages=("en", "de"))
    >>> list(pairs)
    [(['the', 'house'], ['das', 'haus'])]
    """

    def __init__(
        self,
        source: Corpus | Iterable[Pair] | Sequence[str | os.PathLike[str]],
        target: Corpus | None = None,
        *,
        languages: Sequence[str],
        columns: Columns | None = None,
        skip_bad: bool = False,
        errors: str = "strict",
        tokenizer: Split | Mapping[str, Split] | None = None,
    ) -> None:
        self.languages = codes = two_languages(languages)
        self.errors = errors
        self.where = where = f"parallel text {codes[0]}-{codes[1]}"
        self._pairs: Any = None
        self._kept: KeptPairs | None = None
        self._parts: list[ParallelSentences] = []
        self._splits = splits_of(tokenizer, self.languages, where)
        if target is None and (sides := sides_of(source, self.languages)):
            source, target = sides
        paths = files_of(source, tell=True) if target is None else None
        if target is not None:
            self._pairs = Sides((source, target), self.languages, where, errors, self._splits)
        elif paths is not None:
            for path in paths:
                table = (skip_bad or columns is not None) and reader_of(path) is None
                part = ParallelSentences(
                    path, languages=codes, columns=columns if table else None,
                    skip_bad=skip_bad and table, errors=errors, tokenizer=tokenizer,
                )  # fmt: skip
                part._kept = None  # all of them are kept together
                self._parts.append(part)
            alike = len({part._splits for part in self._parts}) == 1 and not any(
                isinstance(part._pairs, Sides) for part in self._parts
            )
            self._splits = self._parts[0]._splits if alike else (None, None)
            files = [part._pairs for part in self._parts] if alike else self._parts
            self._pairs = ManyPairs(paths, files, where, skip_bad)
        elif isinstance(source, str | os.PathLike):
            paths = [os.fspath(source)]
            self._pairs = pairs_of(
                paths[0], self.languages, errors, columns=columns, skip_bad=skip_bad,
                tokenized=None in self._splits,
            )  # fmt: skip
        elif isinstance(source, Iterable):
            self._pairs = source
        else:
            raise CorpusError(
                f"{where}: paths, iterables of token lists or an iterable of pairs are wanted, "
                f"got {type(source).__name__}"
            )
        tables = [part for part in self.parts if isinstance(part._pairs, TablePairs)]
        if not tables and (columns is not None or (skip_bad and not self._parts)):
            raise ConfigError(
                f"{where}: columns and skip_bad are for a table that is a file, skip_bad for many "
                "files, too"
            )
        if isinstance(self._pairs, UnitPairs):
            a, b = self._splits
            self._splits = (a or self._pairs.split(codes[0]), b or self._pairs.split(codes[1]))
        if paths is not None:
            self._kept = self._keeping(paths)
        a, b = self._splits
        own = (way_of(self._given[0], a), way_of(self._given[-1], b))
        self.ways: tuple[Any, Any] = self._parts[0].ways if self._parts else own

    def _keeping(self, paths: Sequence[str]) -> KeptPairs:
        """Return what keeps the pairs of files, by pieces of their texts if a tokenizer allows."""
        a, b = self._splits
        if type(a) is Tokenizer and type(b) is Tokenizer and not (a.unspaced or b.unspaced):
            return KeptPairs(paths, self._pairs.__iter__, (a, b))
        return KeptPairs(paths, self._read)

    @property
    def _given(self) -> tuple[Any, ...]:
        """Both sides, or what has the pairs."""
        return self._pairs.sides if isinstance(self._pairs, Sides) else (self._pairs,)

    @classmethod
    def from_columns(
        cls,
        table: Any,
        columns: Sequence[Hashable] | str,
        *,
        languages: Sequence[str],
        tokenizer: Split | Mapping[str, Split] | None = None,
    ) -> ParallelSentences:
        """Return the pairs in a table.

        Rows with a missing value or a blank text are left out and counted, see :attr:`dropped`.

        Parameters
        ----------
        table : DataFrame, Table, Dataset, or iterable of mappings
            Of pandas, polars, pyarrow or Hugging Face's datasets, or anything that yields a mapping
            for each row. It is read in blocks of rows, anew for each pass; nothing is copied.
        columns : (name, name), or str
            The columns with the texts of the two languages, or one column whose cells map
            languages to texts, as Hugging Face's ``translation``.
        languages : (str, str)
        tokenizer : callable, or dict from language to callable, optional
            From a text to its tokens. Default: split at white space.

        Raises
        ------
        ConfigError
            If there is no such column; the message names those that there are.
        TokenError
            If the table can be read only once.
        CorpusError
            While iterating, for a cell that is no text; the message names its row and column.

        Examples
        --------
        >>> rows = [{"id": 1, "english": "the house", "german": "das haus"},
        ...         {"id": 2, "english": "a dog", "german": None}]
        >>> pairs = ParallelSentences.from_columns(
        ...     rows, ("english", "german"), languages=("en", "de"))
        >>> list(pairs)
        [(['the', 'house'], ['das', 'haus'])]
        >>> pairs.dropped
        {'with a missing value': 1}
        """
        one, other = languages if len(languages) == 2 else ("", "")
        source: Any = ColumnPairs(table, columns, (one, other))
        return cls(source, languages=languages, tokenizer=tokenizer)

    def __repr__(self) -> str:
        inner = ", ".join(
            repr(part) if isinstance(part, UnitPairs | LineCorpus) else f"<{type(part).__name__}>"
            for part in self._given
        )
        return f"ParallelSentences({inner}, languages={self.languages})"

    def require_restartable(self) -> None:
        """Refuse sides or pairs that can be iterated only once."""
        for part in self._given:
            require_restartable(part.source if isinstance(part, UnitPairs) else part, self.where)

    @property
    def files(self) -> list[TextFile] | None:
        """The files that compiled code can read in place of these pairs; None if they are none."""
        if type(self) is not ParallelSentences:
            return None  # a derived class may change the pairs as they are read
        if isinstance(self._pairs, TablePairs) and self._splits == (str.split, str.split):
            columns, table = self._pairs.plain, LineCorpus(self._pairs.source, errors=self.errors)
            return None if columns is None else [TextFile(table, columns)]
        return self._pairs.files if isinstance(self._pairs, Sides) else None

    @property
    def dropped(self) -> dict[str, int]:
        """Pairs that the latest whole pass left out, by reason.

        Of translation files, tables and :meth:`filtered` pairs; of other sources nothing is left
        out here.
        """
        counted = isinstance(self._pairs, UnitPairs | FilteredPairs | ManyPairs)
        return dict(self._pairs.dropped) if counted else {}

    @property
    def parts(self) -> list[ParallelSentences]:
        """The pairs of each file, of a folder, pattern, list or archive; else these alone."""
        return list(self._parts) or [self]

    @property
    def reports(self) -> list[FileReport]:
        """What each file gave in the latest whole pass, of a folder, pattern, list or archive."""
        return list(self._pairs.reports) if isinstance(self._pairs, ManyPairs) else []

    def check_lengths(self, source: int, target: int) -> None:
        """Raise ParallelDataError if the sides have not the same number of sentences."""
        names = self._pairs.names if isinstance(self._pairs, Sides) else self.languages
        check_lengths((source, target), names, self.where)

    def side(self, language: str) -> Iterable[list[str]]:
        """Return the sentences of one language, in step with those of the other.

        It can be iterated as often as the pairs.
        """
        if language not in self.languages:
            raise ConfigError(f"{self.where}: no side is {language!r}")
        index = self.languages.index(language)
        return Side(self, index, self.ways[index])

    def with_phrases(self, phrases: Mapping[str, Any]) -> ParallelSentences:
        """Return these pairs with frequent phrases as single tokens, ``new_york`` for example.

        Parameters
        ----------
        phrases : dict from str to gensim.models.phrases.Phrases or FrozenPhrases
            For one language or both.

        Examples
        --------
        >>> from gensim.models.phrases import Phrases
        >>> pairs = ParallelSentences([(["new", "york"], ["new", "york"])] * 9 + [(["a"], ["b"])],
        ...                           languages=("en", "de"))
        >>> phrases = {code: Phrases(pairs.side(code), min_count=1, threshold=0.1)
        ...            for code in pairs.languages}
        >>> next(iter(pairs.with_phrases(phrases)))
        (['new_york'], ['new_york'])
        """
        if foreign := [code for code in phrases if code not in self.languages]:
            raise ConfigError(f"{self.where}: no side is {foreign[0]!r}")
        joiners = tuple(phrases.get(code) for code in self.languages)
        return self._turned_into(Phrased(self, joiners))

    def filtered(
        self,
        *,
        max_ratio: float | None = None,
        min_words: int = 1,
        max_words: int | None = None,
        drop_duplicates: bool = False,
        drop_identical: bool = False,
    ) -> ParallelSentences:
        """Return these pairs without those of which little can be learnt.

        What is left out is counted by reason, in the log and in :attr:`dropped`.

        Parameters
        ----------
        max_ratio : float, optional
            Words of the longer side by those of the shorter ("unequal in length"). A text without
            spaces is one word, unless a tokenizer splits it.
        min_words, max_words : int, optional
            Of each side ("too short", "too long"). Default: from 1, without a limit.
        drop_duplicates : bool
            Leave out pairs that were there before ("duplicate"). They are known by hashes of 64
            bits, which takes some 100 bytes of memory a pair while a pass runs; that of a hundred
            million pairs one is taken for another has a chance of 1 in 3,700.
        drop_identical : bool
            Leave out pairs whose sides are the same ("identical"): text that was not translated.

        Raises
        ------
        ConfigError
            If a limit cannot be.
        TokenError
            If these pairs can be read only once.
        ParallelDataError
            While iterating, if nothing is left.

        Examples
        --------
        >>> pairs = ParallelSentences(
        ...     [(["a", "dog"], ["ein", "hund"]), (["ok"], ["ok"]), (["so"], "das ist so".split())],
        ...     languages=("en", "de")).filtered(max_ratio=2, drop_identical=True)
        >>> list(pairs)
        [(['a', 'dog'], ['ein', 'hund'])]
        >>> pairs.dropped
        {'identical': 1, 'unequal in length': 1}
        """
        kept = FilteredPairs(
            self, max_ratio=max_ratio, min_words=min_words, max_words=max_words,
            drop_duplicates=drop_duplicates, drop_identical=drop_identical,
        )  # fmt: skip
        return self._turned_into(kept)

    def _turned_into(self, pairs: Iterable[Pair]) -> ParallelSentences:
        turned = ParallelSentences(pairs, languages=self.languages)
        turned.ways = self.ways
        return turned

    def __iter__(self) -> Iterator[Pair]:
        rows = self._read() if self._kept is None else self._kept
        return with_place(rows, self.where, "pair")

    def _read(self) -> Iterator[Pair]:
        apart = isinstance(self._pairs, Sides)
        rows = self._pairs if apart else pairs_checked(self._pairs, self.where)
        return pair_tokens(rows, self._splits, self._wheres)

    @property
    def _wheres(self) -> tuple[str, str]:
        one, other = (f"{self.where}, {code} side" for code in self.languages)
        return one, other

    def units(self) -> Iterator[TextUnit]:
        """Yield the pairs as texts, before any tokenizer, each with its file and place.

        They are as many as the pairs, in the same order, and what is left out is counted as by a
        pass over these. Texts of files are as they stand there; tokens are joined by spaces.

        Returns
        -------
        iterator of TextUnit
            ``(source, target, file, id)``. The file is "" for pairs that come from none, or have
            their phrases joined. The id is the one that a translation file gives
            a unit, else its line or number: "line 12", "unit 3", "pair 3".

        Examples
        --------
        >>> pairs = ParallelSentences(
        ...     [("The house!", "Das Haus!")], languages=("en", "de"), tokenizer=Tokenizer("und"))
        >>> next(pairs.units())
        TextUnit(source='The house!', target='Das Haus!', file='', id='pair 1')
        """
        return (unit for unit, _ in self.units_and_splits())

    def units_and_splits(self) -> Iterator[tuple[TextUnit, Splits]]:
        """Yield :meth:`units`, each with what splits its two texts into the tokens of the pair."""
        return with_place(self._units(), self.where, "pair")

    def _units(self) -> Iterator[tuple[TextUnit, Splits]]:
        if type(self).__iter__ is not ParallelSentences.__iter__:
            return joined_units(self)  # a derived class may change the pairs as they are read
        if isinstance(self._pairs, UnitPairs | ManyPairs | FilteredPairs):
            a, b = self._splits
            return placed_units(self._pairs, (a or str.split, b or str.split))
        if isinstance(self._pairs, Sides):
            return self._pairs.units(self._splits, self._wheres)
        return row_units(pairs_checked(self._pairs, self.where), self._splits, self._wheres)
