"""What of all terms that were found is listed, in which order, and what is shown of it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.evidence.spelling import stem
from gensim_bilbowa.terminology.examples import choose_examples
from gensim_bilbowa.terminology.links import Links
from gensim_bilbowa.terminology.scoring import Pairs
from gensim_bilbowa.terminology.side import Groups, TermSide
from gensim_bilbowa.terminology.spellings import spellings
from gensim_bilbowa.terminology.term import Form, Term, TermExample, Translation
from gensim_bilbowa.terminology.termhood import nominality, termhood, unithood
from gensim_bilbowa.terminology.termlist import TermList
from gensim_bilbowa.terminology.text import TermText

__all__ = ["Listing"]

# A translation after the first: its share of the term, how often it is expected to translate it,
# the place of the term among those that it translates, and how far it is a noun if the first is.
_LEAST_SHARE = 0.125
_LEAST_SEEN = 2.0
_MOST_BACK = 2
_LEAST_NOMINAL = 0.3
# What goes on from another translation that is half as frequent, or more, is left out.
_AS_FREQUENT = 0.5
# Letters of a part of a compound.
_LEAST_OF_COMPOUND = 4
# The first one: how often it is expected to translate the term.
_LEAST_ALIGNED = 0.5
# The part of its occurrences that a term of several words ends a phrase with.
_FRAGMENT_ENDS = 0.1
# What else is told of a term's translations.
_MOST_OTHERS = 5
_LEAST_OTHER_SHARE = 0.02


class Listing:
    """Makes the list.

    Parameters
    ----------
    text : TermText
    sides : (TermSide, TermSide)
    groups : (Groups, Groups)
    links : Links
    pairs : Pairs
    """

    def __init__(
        self, text: TermText, sides: tuple[TermSide, TermSide], groups: tuple[Groups, Groups],
        links: Links, pairs: Pairs,
    ) -> None:  # fmt: skip
        self._text = text
        self._sides = sides
        self._groups = groups
        self._links = links
        self._pairs = pairs

    def terms(
        self, *, topn: int, min_score: float | None, examples: int, everything: bool,
        inconsistent: bool,
    ) -> TermList:  # fmt: skip
        """Return the list, see :func:`gensim_bilbowa.terms`."""
        pairs, source = self._pairs, self._groups[0]
        kept = self._chosen(topn, everything)
        first = np.flatnonzero(kept)[np.unique(pairs.sources[kept], return_index=True)[1]]
        hood = termhood(self._sides[0], source, self._alone)
        likely = self._likely(first)
        hood = np.where(hood > 0, hood * likely, hood / likely)
        if min_score is not None:
            kept &= pairs.scores >= min_score
        translated = np.zeros(len(source.heads), bool)
        translated[pairs.sources[kept]] = True
        sure = np.zeros(len(source.heads), bool)
        sure[pairs.sources[first[pairs.aligned[first] >= _LEAST_ALIGNED]]] = True
        reasons = {
            "without a translation": np.diff(self._starts) == 0,
            f"with scores below {min_score}": ~translated,
        }
        if not everything:
            reasons["whose translation is not sure"] = ~sure
            reasons["of several words that end no phrase"] = self._fragments
            reasons["that are words of any text"] = hood <= 0
        left_out = Counter[str]()
        listed = np.ones(len(source.heads), bool)
        for reason, without in reasons.items():
            left_out[reason] = int(np.count_nonzero(listed & without))
            listed &= ~without
        order = np.flatnonzero(listed)
        order = order[np.lexsort((order, -hood[order]))]
        if inconsistent:
            doubt = self._disagreement(kept, first) * np.maximum(hood, 0)
            order = order[np.argsort(-doubt[order], kind="stable")]
        bounds = zip(self._starts[order].tolist(), self._starts[order + 1].tolist(), strict=True)
        rows = [np.flatnonzero(kept[start:end]) + start for start, end in bounds]
        return TermList(
            self._text.languages,
            tuple(self._made(order, rows, hood, examples)),
            {reason: count for reason, count in left_out.items() if count},
        )

    def _chosen(self, topn: int, everything: bool) -> NDArray[np.bool_]:
        """Return which pairs are listed, one of each linked source at least."""
        pairs = self._pairs
        kept = np.ones(len(pairs), bool)
        if not everything:
            kept = (np.arange(len(pairs)) == self._starts[pairs.sources]) | (
                (self._shares >= _LEAST_SHARE)
                & (pairs.aligned >= _LEAST_SEEN)
                & (self._back_rank < _MOST_BACK)
                & self._as_nominal
            )
            kept[self._extended(kept)] = False
        return kept & (_ranks(pairs.sources, kept) < topn)

    @cached_property
    def _fragments(self) -> NDArray[np.bool_]:
        """Which source groups have several words and hardly ever end a phrase."""
        side, heads = self._sides[0], self._groups[0].heads
        counts = side.candidates.counts[heads]
        # As if each had ended one of four more phrases, so that rare ones are none by chance.
        ends = (side.ends_phrases[heads] * counts + 1) / (counts + 4)
        return np.asarray((side.candidates.lengths[heads] > 1) & (ends < _FRAGMENT_ENDS))

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """The first pair of each source group, and the end."""
        return np.searchsorted(self._pairs.sources, np.arange(len(self._groups[0].heads) + 1))

    @cached_property
    def _linked(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The two candidates of each link."""
        one, other = self._sides
        return (
            one.candidates.spans[self._links.sources, 2],
            other.candidates.spans[self._links.targets, 2],
        )

    @cached_property
    def _alone(self) -> NDArray[np.float64]:
        """How often each source group stands by itself, and not in a longer term."""
        side, group = self._sides[0], self._groups[0]
        inside = _inside(side, self._links.sources)
        nested = group.of[side.candidates.spans[inside, 2]]
        return np.asarray(group.counts - np.bincount(nested, minlength=len(group.heads)), float)

    def _extended(self, kept: NDArray[np.bool_]) -> list[int]:
        """Return translations that are another one with more added, as *Menüpunkt* is *Menü*.

        But not where the other one is much rarer, as *Mail* may be beside *E-Mail*.
        """
        side, sources = self._sides[1], self._pairs.sources
        several = np.bincount(sources[kept], minlength=len(self._starts))[sources] > 1
        chosen = np.flatnonzero(kept & several)
        forms = [
            [side.plain(form) for form in each]
            for each in self._groups[1].forms_of(self._pairs.targets[chosen])
        ]
        shares = self._pairs.aligned[chosen].tolist()
        found = []
        bounds = np.flatnonzero(np.diff(sources[chosen], prepend=-1, append=-1)).tolist()
        for start, end in itertools.pairwise(bounds):
            of_term = range(start, end)
            found += [
                int(chosen[one])
                for one in of_term
                if any(
                    goes_on(forms[one][0], text)
                    for other in of_term
                    if other != one and shares[other] >= _AS_FREQUENT * shares[one]
                    for text in forms[other]
                )
            ]
        return found

    @cached_property
    def _back_rank(self) -> NDArray[np.int64]:
        """The place of each pair among those of its target, by how often it was seen."""
        pairs = self._pairs
        order = np.lexsort((-pairs.aligned, pairs.targets))
        ranks = np.empty(len(pairs), np.int64)
        first = np.searchsorted(pairs.targets[order], pairs.targets[order])
        ranks[order] = np.arange(len(pairs)) - first
        return ranks

    @cached_property
    def _nominal(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How far the groups of both languages are nouns."""
        one, other = map(nominality, self._sides, self._groups)
        return one, other

    @cached_property
    def _as_nominal(self) -> NDArray[np.bool_]:
        """Whether each translation is a noun if the first one of its term is."""
        theirs, targets = self._nominal[1], self._pairs.targets
        first = targets[self._starts[self._pairs.sources]]
        return np.asarray(theirs[targets] >= _LEAST_NOMINAL * theirs[first])

    def _likely(self, first: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return how far source groups are terms, by kind: nouns on both sides, and units.

        Parameters
        ----------
        first : ndarray of int64
            The first pair of each linked source group.
        """
        (ours, theirs), other = self._nominal, self._sides[1]
        sources, targets = self._pairs.sources[first], self._pairs.targets[first]
        nouns = ours.copy()
        nouns[sources] = np.minimum(ours[sources], theirs[targets])
        as_one_word = np.zeros(len(ours), bool)
        as_one_word[sources] = other.candidates.lengths[self._groups[1].heads[targets]] == 1
        return nouns * unithood(self._sides[0], self._groups[0], as_one_word)

    @cached_property
    def _shares(self) -> NDArray[np.float64]:
        """The part of the source's occurrences by themselves that each pair explains."""
        alone = np.maximum(self._alone[self._pairs.sources], 1)
        return np.minimum(self._pairs.aligned / alone, 1)

    def _disagreement(
        self, kept: NDArray[np.bool_], first: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return how often a term is translated otherwise than in its first translation.

        What begins as that does, word by word, is taken for a form of it.
        """
        later = kept.copy()
        later[first] = False
        pairs = self._pairs
        first_of = dict(zip(pairs.sources[first].tolist(), first.tolist(), strict=True))
        side, heads = self._sides[1], self._groups[1].heads
        for pair in np.flatnonzero(later).tolist():
            one, other = (
                [stem(word) for word in side.plain(int(heads[pairs.targets[each]])).split()]
                for each in (first_of[int(pairs.sources[pair])], pair)
            )
            later[pair] = one != other
        return np.asarray(
            np.bincount(pairs.sources[later], pairs.aligned[later], len(self._starts) - 1), float
        )

    def _made(
        self, order: NDArray[np.int64], rows: Sequence[NDArray[np.int64]],
        hood: NDArray[np.float64], examples: int,
    ) -> list[Term]:  # fmt: skip
        """Return the terms of some source groups, with the pairs of each."""
        pairs = self._pairs
        shown = np.concatenate([*rows, np.empty(0, np.int64)])
        others = self._others(order, shown)
        told = np.array(list(itertools.chain.from_iterable(others)), np.int64)
        targets = np.concatenate([pairs.targets[shown], pairs.targets[told]])
        ours = self._forms(0, np.unique(order))
        theirs = self._forms(1, np.unique(targets))
        heads = self._heads(shown)
        units = dict(zip(shown.tolist(), self._examples(shown, examples), strict=True))
        made = []
        for source, some, more in zip(order.tolist(), rows, others, strict=True):
            first, *variants = ours[source].values()
            translations = tuple(
                self._translation(pair, theirs[int(pairs.targets[pair])], heads[pair], units[pair])
                for pair in some.tolist()
            )
            made.append(Term(
                first.text, int(self._groups[0].counts[source]), round(float(hood[source]), 4),
                translations,
                tuple(
                    (next(iter(theirs[target].values())).text, round(float(share), 4))
                    for target, share in zip(
                        pairs.targets[more].tolist(), self._shares[more], strict=True
                    )
                ),
                tuple(variants),
            ))  # fmt: skip
        return made

    def _translation(
        self, pair: int, forms: Mapping[int, Form], head: int, units: tuple[TermExample, ...]
    ) -> Translation:
        pairs = self._pairs
        variants = tuple(form for term, form in forms.items() if term != head)
        return Translation(
            forms[head].text, int(self._groups[1].counts[pairs.targets[pair]]),
            round(float(pairs.aligned[pair]), 4), round(float(self._shares[pair]), 4),
            round(float(pairs.scores[pair]), 4), variants, units,
        )  # fmt: skip

    def _heads(self, shown: NDArray[np.int64]) -> dict[int, int]:
        """Return for each of some pairs the target's form that translates the source's head most.

        So a singular stands beside a singular.
        """
        source, target = self._groups
        ours, theirs = self._linked
        of_heads = source.heads[source.of[ours]] == ours
        width = len(target.of)
        keys, places = np.unique(
            source.of[ours[of_heads]] * width + theirs[of_heads], return_inverse=True
        )
        weights = np.bincount(places.ravel(), self._links.weights[of_heads], len(keys))
        sources, targets = self._pairs.sources[shown], self._pairs.targets[shown]
        pairs = zip(sources.tolist(), targets.tolist(), strict=True)
        best = dict(zip(pairs, target.heads[targets].tolist(), strict=True))
        # The least weight first, so that the largest stays; of equals the more frequent form.
        counts = self._sides[1].candidates.counts
        for place in np.lexsort((counts[keys % width], weights)).tolist():
            form = int(keys[place] % width)
            pair = int(keys[place] // width), int(target.of[form])
            if pair in best:
                best[pair] = form
        return dict(zip(shown.tolist(), best.values(), strict=True))

    def _others(self, sources: NDArray[np.int64], shown: NDArray[np.int64]) -> list[list[int]]:
        """Return pairs of source groups that are not shown as translations, the largest first."""
        rest = self._shares >= _LEAST_OTHER_SHARE
        rest[shown] = False
        pairs = np.flatnonzero(rest)
        pairs = pairs[np.lexsort((-self._shares[pairs], self._pairs.sources[pairs]))]
        starts = np.searchsorted(self._pairs.sources[pairs], sources)
        ends = np.searchsorted(self._pairs.sources[pairs], sources, side="right")
        ends = np.minimum(ends, starts + _MOST_OTHERS)
        return [
            pairs[start:end].tolist()
            for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        ]

    def _forms(self, number: int, asked: NDArray[np.int64]) -> dict[int, dict[int, Form]]:
        """Return how the forms of some groups are written, by number, frequent ones first."""
        side, group = self._sides[number], self._groups[number]
        wanted = np.flatnonzero(np.isin(group.of, asked))
        written = spellings(side, wanted.tolist())
        found: dict[int, dict[int, Form]] = {}
        counts = side.candidates.counts
        by_count = wanted[np.lexsort((wanted, -counts[wanted]))]
        for term in by_count.tolist():
            form = Form(written[term], int(counts[term]))
            found.setdefault(int(group.of[term]), {})[term] = form
        return found

    def _examples(self, shown: NDArray[np.int64], number: int) -> list[tuple[TermExample, ...]]:
        """Return units for some pairs."""
        source, target = self._groups
        ours, theirs = self._linked
        width = len(target.heads)
        keys = self._pairs.sources[shown] * width + self._pairs.targets[shown]
        of_links = source.of[ours] * width + target.of[theirs]
        return choose_examples(self._text, self._links, of_links, keys, number)


def goes_on(text: str, other: str) -> bool:
    """Say whether a text is another one with more words, or one word with more before or after it.

    Examples
    --------
    >>> goes_on("menüpunkt", "menü"), goes_on("in das menü", "menü"), goes_on("menüs", "menü")
    (True, True, False)
    """
    if f" {other} " in f" {text} ":
        return text != other
    for rest in {text.removeprefix(other), text.removesuffix(other)} - {text}:
        joined = "-" in (rest[:1], rest[-1:])
        if joined or (min(len(other), len(rest)) >= _LEAST_OF_COMPOUND and " " not in rest):
            return True
    return False


def _ranks(sources: NDArray[np.int64], kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return how many pairs of the same source are kept before each."""
    before: NDArray[np.int64] = np.cumsum(kept) - kept
    first = np.searchsorted(sources, sources)
    return np.asarray(before - before[first]) if len(sources) else before


def _inside(side: TermSide, linked: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the occurrences that are not linked, and are part of longer ones that are."""
    spans, begins = side.candidates.spans, side.begins
    ends = begins + spans[:, 1] - spans[:, 0]
    reach = np.zeros(len(side.ids) + 1, np.int64)
    np.maximum.at(reach, begins[linked], ends[linked])
    # No span goes on in the next sentence.
    reach = np.maximum.accumulate(reach)
    covered = reach[begins] >= ends
    covered[linked] = False
    return np.flatnonzero(covered)
