"""A glossary beside a text and its list of terms: what is found, what is translated otherwise."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, get_args

from gensim_bilbowa.terminology.glossary import Glossary, GlossaryEntry
from gensim_bilbowa.terminology.known import KnownTerms, forms_of
from gensim_bilbowa.terminology.phrases import Normalizer, PhraseFinder, stands_in, words_of
from gensim_bilbowa.terminology.term import Term
from gensim_bilbowa.terminology.termlist import TermList

__all__ = ["EntryReport", "Finding", "GlossaryReport", "Recall", "report_of"]

Finding: TypeAlias = Literal[
    "found", "contradicted", "translated otherwise", "missed", "unclear", "not in the text"
]

# In fewer segments two terms may stand beside each other by chance.
_LEAST = 2
# A text contradicts an entry whose source it has so often, if the entry's translations stand beside
# it in a smaller part of the segments than the first, and something else in the second or more.
_LEAST_SAID, _LITTLE, _MUCH = 3, 0.1, 0.25
# Of what stands beside a term in place of its translations.
_MOST_INSTEAD = 3


@dataclass(frozen=True)
class Recall:
    """How many entries that a text has are in a list of terms.

    Attributes
    ----------
    entries : int
        Those of which a translation stands beside the source in two segments or more.
    listed : int
        Those whose source is in the list.
    found : int
        Those that are there with such a translation.
    first : int
        Those of which it is the first translation in the list.
    """

    entries: int = 0
    listed: int = 0
    found: int = 0
    first: int = 0

    @property
    def recall(self) -> float:
        """Part of the entries that is found; 0 if there are none."""
        return self.found / self.entries if self.entries else 0.0

    @property
    def precision(self) -> float:
        """Part of those listed whose first translation is right (P@1); 0 if there are none."""
        return self.first / self.listed if self.listed else 0.0

    def __str__(self) -> str:
        return (
            f"{self.found:,} of {self.entries:,} found ({self.recall:.1%}), the first translation "
            f"right of {self.first:,} of {self.listed:,} in the list ({self.precision:.1%})"
        )


@dataclass(frozen=True)
class EntryReport:
    """An entry of a glossary, and what a text and its list of terms have of it.

    Attributes
    ----------
    entry : GlossaryEntry
    finding : str
        "found": the list has the source with a translation of the entry. "contradicted": it has
        not, and in the text something else stands beside the source, and hardly a translation that
        the glossary has for it. "translated otherwise": the list has the source with translations
        that the glossary has not, and none of the entry. "missed": the text has source and
        translation beside each other in two segments or more, the list has no such source.
        "unclear": none of these; most are rare, or another meaning of a source that is found. "not
        in the text": no segment has the source.
    segments : int
        How many have the source.
    beside : tuple of (str, int)
        Each translation of the entry, and in how many of these segments it stands.
    instead : tuple of (str, int)
        Likewise what translates it by the list, but is not in the glossary; or if the list has no
        such term, the word that stands there the most exclusively. Empty if the entry is found.
    """

    entry: GlossaryEntry
    finding: Finding
    segments: int = 0
    beside: tuple[tuple[str, int], ...] = ()
    instead: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        parts = [f"{text} in {count:,}" for text, count in self.beside]
        if self.instead:
            parts.append("but " + ", ".join(f"{text} in {count:,}" for text, count in self.instead))
        says = f"in {self.segments:,} segments, beside it {', '.join(parts)}"
        what = says if self.segments else ", ".join(self.entry.targets)
        return f"{', '.join(self.entry.sources)}: {what} ({self.entry.place})"


@dataclass(frozen=True, repr=False)
class GlossaryReport:
    """The entries of a glossary beside a text and its list of terms.

    Attributes
    ----------
    languages : (str, str)
    entries : tuple of EntryReport
        In the order of the glossary.
    single, several : Recall
        Of entries whose source is one word, and more.
    segments : int
        Of the text.
    left_out : dict from str to int
        What of the glossary is no entry, by reason.
    """

    languages: tuple[str, str]
    entries: tuple[EntryReport, ...]
    single: Recall
    several: Recall
    segments: int
    left_out: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls, terms: TermList, glossary: Glossary, segments: Iterable[tuple[str, str]]
    ) -> GlossaryReport:
        """Compare a glossary with a list of terms and the text that it is of.

        Case, mark-up and typography make no difference; terms stand in text where no word goes on
        from them at either end, in scripts without spaces anywhere.

        Parameters
        ----------
        terms : TermList
        glossary : Glossary
            In the same languages.
        segments : iterable of (str, str)
            Source and target text, as they stand in the files; read once.

        Raises
        ------
        ConfigError
            If the glossary is of other languages than the list.

        Examples
        --------
        >>> from gensim_bilbowa.terminology import GlossaryEntry, Translation
        >>> segments = [("an account", "ein Konto"), ("Account title", "Name des Kontos")] * 3
        >>> glossary = Glossary(("en", "de"), (GlossaryEntry(("account",), ("Konto",)),
        ...                                    GlossaryEntry(("title",), ("Titel",))))
        >>> konto = Translation("Konto", 6, aligned=6, share=1.0, score=3)
        >>> terms = TermList(("en", "de"), (Term("account", 6, 2.0, (konto,)),))
        >>> report = GlossaryReport.of(terms, glossary, segments)
        >>> [(each.finding, each.segments, each.beside) for each in report.entries]
        [('found', 6, (('Konto', 3),)), ('contradicted', 3, (('Titel', 0),))]
        >>> report.entries[1].instead
        (('name', 3),)
        >>> print(report.single)
        1 of 1 found (100.0%), the first translation right of 1 of 1 in the list (100.0%)
        """
        return report_of(terms, KnownTerms(glossary, terms.languages), segments)

    def having(self, finding: Finding) -> list[EntryReport]:
        """Return the entries of which that was found."""
        return [each for each in self.entries if each.finding == finding]

    def lines(self, most: int | None = None) -> Iterator[str]:
        """Yield what there is to say, and what a terminologist has to look at, most frequent first.

        Parameters
        ----------
        most : int, optional
            How many sources are named of each finding; of the rest their number. Default: all.
        """
        yield f"{len(self.entries):,} entries, {self.segments:,} segments"
        for reason, count in self.left_out.items():
            yield f"{count:,} entries left out: {reason}"
        yield f"single words: {self.single}"
        yield f"several words: {self.several}"
        for finding in get_args(Finding):
            found = self.having(finding)
            yield f"{finding}: {len(found):,}"
            if finding in ("found", "not in the text"):
                continue
            together = _by_source(found)
            yield from (f"  {each}" for each in together[:most])
            if rest := len(together[len(together) if most is None else most :]):
                yield f"  and {rest:,} more"

    def __repr__(self) -> str:
        found = len(self.having("found"))
        return f"GlossaryReport<{'-'.join(self.languages)}: {found:,} of {len(self.entries):,}>"


def _by_source(reports: Iterable[EntryReport]) -> list[EntryReport]:
    """Return one report in place of all those of the same sources, most frequent first."""
    groups: dict[tuple[str, ...], list[EntryReport]] = defaultdict(list)
    for report in reports:
        groups[report.entry.sources].append(report)
    together = []
    for first, *others in groups.values():
        beside = {text: count for report in (first, *others) for text, count in report.beside}
        more = f" and {len(others):,} more" if others else ""
        entry = first.entry._replace(place=first.entry.place + more)
        together.append(replace(first, entry=entry, beside=tuple(beside.items())))
    return sorted(together, key=lambda report: -report.segments)


def report_of(
    terms: TermList, known: KnownTerms, segments: Iterable[tuple[str, str]]
) -> GlossaryReport:
    """Compare known terms with a list and the text that it is of, see :meth:`GlossaryReport.of`."""
    glossary = known.glossary
    listed: dict[str, Term] = {}
    for term in terms:
        for form in forms_of(term, known.normalizers[0]):
            listed.setdefault(form, term)
    cases = [
        _Case(entry, *sides, listed, known)
        for entry, sides in zip(glossary, known.entries, strict=True)
    ]
    number, words = _count(cases, segments, known.normalizers)
    said: Counter[str] = Counter()
    for case in cases:
        for source in case.sources:
            said[source] = max(said[source], case.most)
    recalls = {True: Counter[str](), False: Counter[str]()}
    for case in cases:
        recalls[len(case.entry.sources[0].split()) > 1].update(case.counts())
    return GlossaryReport(
        glossary.languages, tuple(case.report(words, said) for case in cases),
        Recall(**recalls[False]), Recall(**recalls[True]), number, glossary.left_out,
    )  # fmt: skip


class _Case:
    """An entry, with what is counted of it."""

    def __init__(
        self, entry: GlossaryEntry, sources: list[str], targets: list[str],
        listed: Mapping[str, Term], known: KnownTerms,
    ) -> None:  # fmt: skip
        self.entry = entry
        self.sources = dict.fromkeys(sources)
        self.targets = dict.fromkeys(targets, 0)
        self._names = dict(zip(targets, entry.targets, strict=True))
        terms = [listed[each] for each in self.sources if each in listed]
        self.listed = bool(terms)
        self.segments = 0
        # Of the list's translations forms, best first, and those that no entry has for the sources.
        self._translations: list[set[str]] = []
        self._firsts: list[int] = []
        self.others: dict[str, tuple[str, ...]] = {}
        self.other_counts: Counter[str] = Counter()
        # Words beside the source, where the list does not say what translates it.
        self.words: Counter[str] | None = None if terms else Counter()
        normalizer = known.normalizers[1]
        right = set().union(*(known.targets[source] for source in self.sources))
        for term in terms:
            self._firsts.append(len(self._translations))
            for each in term.translations:
                forms = forms_of(each, normalizer)
                self._translations.append(forms)
                if not forms & right:
                    self.others[each.text] = tuple(sorted(forms))
            for text, _ in term.others:
                if (form := normalizer(text)) not in right:
                    self.others.setdefault(text, (form,))

    def take(self, text: str, words: Iterable[str]) -> None:
        """Count what a segment that has the source has on the other side."""
        self.segments += 1
        for target in self.targets:
            self.targets[target] += stands_in(target, text)
        for name, forms in self.others.items():
            self.other_counts[name] += any(stands_in(form, text) for form in forms)
        if self.words is not None:
            self.words.update(words)

    def counts(self) -> dict[str, int]:
        """Return what the entry adds to recall, if the text has a translation beside its source."""
        right = {target for target, count in self.targets.items() if count >= _LEAST}
        if not right:
            return {}
        hits = [bool(forms & right) for forms in self._translations]
        return {
            "entries": 1, "listed": self.listed, "found": any(hits),
            "first": any(hits[place] for place in self._firsts),
        }  # fmt: skip

    @property
    def most(self) -> int:
        """In how many segments the most frequent of the entry's translations stands."""
        return max(self.targets.values())

    def report(self, words: Mapping[str, int], said: Mapping[str, int]) -> EntryReport:
        """Return what was found.

        Parameters
        ----------
        words : dict from str to int
            In how many segments each word of the text stands.
        said : dict from str to int
            For each source, in how many segments a translation stands that any entry has for it.
        """
        beside = tuple((self._names[target], count) for target, count in self.targets.items())
        if not self.segments:
            return EntryReport(self.entry, "not in the text", 0, beside)
        if any(forms & self.targets.keys() for forms in self._translations):
            return EntryReport(self.entry, "found", self.segments, beside)
        instead = self._instead(words)
        most = max(said[source] for source in self.sources)
        finding = self._finding(most, instead)
        return EntryReport(self.entry, finding, self.segments, beside, instead)

    def _finding(self, most: int, instead: tuple[tuple[str, int], ...]) -> Finding:
        often = self.segments >= _LEAST_SAID and most < _LITTLE * self.segments
        if often and any(count >= _MUCH * self.segments for _, count in instead):
            return "contradicted"
        if self.listed:
            return "translated otherwise" if instead else "unclear"
        return "missed" if self.most >= _LEAST else "unclear"

    def _instead(self, words: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
        """Return what translates the source in place of the entry's translations."""
        if self.words is None:
            found = self.other_counts.most_common(_MOST_INSTEAD)
            return tuple((text, count) for text, count in found if count)
        if self.most >= max(_LEAST, _LITTLE * self.segments):
            return ()
        own = {word for target in self.targets for word in words_of(target)}
        least = max(_LEAST, _MUCH * self.segments)
        # By Dice's coefficient: words that stand here, and nowhere else.
        _, word, count = max(
            (
                (count / (self.segments + words[word]), word, count)
                for word, count in self.words.items()
                if count >= least and word not in own and not word.isdecimal()
            ),
            default=(0.0, "", 0),
        )
        return ((word, count),) if word else ()


def _count(
    cases: Iterable[_Case], segments: Iterable[tuple[str, str]],
    normalizers: tuple[Normalizer, Normalizer],
) -> tuple[int, Counter[str]]:  # fmt: skip
    """Count what stands beside sources; return how many segments there are, and have each word."""
    of_source: dict[str, list[_Case]] = defaultdict(list)
    for case in cases:
        for source in case.sources:
            of_source[source].append(case)
    finder = PhraseFinder(of_source)
    number = 0
    words: Counter[str] = Counter()
    for source, target in segments:
        number += 1
        text = normalizers[1](target)
        here = words_of(text)
        words.update(here)
        found = finder.found_in(normalizers[0](source))
        for case in dict.fromkeys(case for phrase in found for case in of_source[phrase]):
            case.take(text, here)
    return number, words
