"""Parallel text read once, as terms are looked for in it and as they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gensim_bilbowa.corpora import ParallelSentences, TextUnit
from gensim_bilbowa.corpora.packed import PackedUnits
from gensim_bilbowa.corpora.pairing import Splits
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.terminology.written import WrittenSide, WrittenText

__all__ = ["TermText"]

# Units that are split and packed at once, and their characters.
_AT_ONCE = 500
_SIZE_AT_ONCE = 1 << 18


@dataclass(frozen=True, repr=False)
class TermText:
    """Parallel text in memory: words by number, and the texts that they stand in.

    Attributes
    ----------
    languages : (str, str)
    sides : (WrittenText, WrittenText)
        Of equal length; unit i of one translates unit i of the other.
    units : PackedUnits
        The texts as they stand in their files: ``text.units[i]``, and ``text.units.some(numbers)``,
        which is much faster for many.

    Examples
    --------
    >>> from gensim_bilbowa import Tokenizer
    >>> pairs = ParallelSentences([("Open %s files", "%s Dateien")], languages=("en", "de"),
    ...                           tokenizer=Tokenizer(markup=True))
    >>> text = TermText.read([pairs])
    >>> english, german = text.sides
    >>> english.words, english.lower_words, english.breaks.tolist()
    (['Open', 'files'], ['open', 'files'], [True, True])
    >>> text.units[0]
    TextUnit(source='Open %s files', target='%s Dateien', file='', id='pair 1')
    """

    languages: tuple[str, str]
    sides: tuple[WrittenText, WrittenText]
    units: PackedUnits

    def __len__(self) -> int:
        return len(self.units)

    def __repr__(self) -> str:
        return f"TermText<{'-'.join(self.languages)}: {len(self):,} units>"

    @classmethod
    def read(
        cls, texts: Sequence[ParallelSentences], languages: tuple[str, str] | None = None
    ) -> TermText:
        """Read parallel texts once, one after the other.

        Parameters
        ----------
        texts : sequence of ParallelSentences
            Of the same two languages, in either order.
        languages : (str, str), optional
            Source and target. Default: those of the first text, in its order.

        Raises
        ------
        ConfigError
            If there is no text, or one of other languages.
        CorpusError
            As iterating over a text does.
        """
        if not texts:
            raise ConfigError("parallel text is wanted, got none")
        wanted = texts[0].languages if languages is None else languages
        for text in texts:
            if set(text.languages) != set(wanted):
                raise ConfigError(
                    f"parallel text of {wanted[0]!r} and {wanted[1]!r} is wanted, got {text!r}"
                )
        sides = WrittenSide(wanted[0]), WrittenSide(wanted[1])
        packed = PackedUnits()
        for text in texts:
            turned = text.languages != wanted
            for units, splits in _batches(text.units_and_splits()):
                if turned:
                    units = [*map(_turned, units)]
                    splits = splits[::-1]
                packed.add(units)
                sides[0].add([unit.source for unit in units], splits[0])
                sides[1].add([unit.target for unit in units], splits[1])
        one, other = (side.finish() for side in sides)
        return cls(wanted, (one, other), packed)


def _turned(unit: TextUnit) -> TextUnit:
    return unit._replace(source=unit.target, target=unit.source)


def _batches(
    rows: Iterable[tuple[TextUnit, Splits]],
) -> Iterator[tuple[list[TextUnit], Splits]]:
    """Yield units that are split alike some at a time, few where they are long."""
    batch: list[TextUnit] = []
    size = 0
    before: Splits | None = None
    for unit, splits in rows:
        full = len(batch) >= _AT_ONCE or size > _SIZE_AT_ONCE
        if before is not None and (full or (splits is not before and splits != before)):
            yield batch, before
            batch, size = [], 0
        batch.append(unit)
        size += len(unit.source) + len(unit.target)
        before = splits
    if before is not None:
        yield batch, before
