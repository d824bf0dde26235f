"""Which terms translate each other, and how well, of texts made by hand and beside plain Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pytest
import twin
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import bilbowa_threads
from scipy import sparse
from term_sides import aligned, side_of

from gensim_bilbowa.terminology import links as links_module
from gensim_bilbowa.terminology.candidates import find_candidates
from gensim_bilbowa.terminology.links import find_links

pytestmark = pytest.mark.usefixtures("no_thread_is_left")


def linked(one, other, counts, **options):
    """Links between two sides whose words are aligned so often."""
    return find_links(
        (one.ids, other.ids), (one.text.offsets, other.text.offsets),
        (one.candidates, other.candidates), (one.kinds.outer, other.kinds.outer),
        aligned(one, other, counts), **options,
    )  # fmt: skip


def pairs_of(one, other, links):
    """How often each two terms are linked, in small letters."""
    return Counter(
        (one.plain(one.candidates.spans[ours, 2]), other.plain(other.candidates.spans[theirs, 2]))
        for ours, theirs in zip(links.sources.tolist(), links.targets.tolist(), strict=True)
    )


# ---- by hand


@pytest.fixture
def systems():
    """English and German that has "operating system" for one word, and its parts elsewhere."""
    one = side_of(
        ["The operating system starts.", "Install the operating system.", "The system is new.",
         "Which operating system?", "A system for files.", "The operating costs rise.",
         "Low operating costs"],
        grammar="the is which a for", min_count=2,
    )  # fmt: skip
    other = side_of(
        ["Das Betriebssystem startet.", "Installieren Sie das Betriebssystem.",
         "Das System ist neu.", "Welches Betriebssystem?", "Ein System für Dateien.",
         "Die Betriebskosten steigen.", "Niedrige Betriebskosten"],
        "de", "das sie ist welches ein für die", min_count=2,
    )  # fmt: skip
    counts = {
        "operating betriebssystem": 3, "system betriebssystem": 3, "system system": 2,
        "operating betriebskosten": 2, "costs betriebskosten": 2, "starts startet": 1,
        "install installieren": 1, "new neu": 1, "files dateien": 1, "rise steigen": 1,
    }  # fmt: skip
    return one, other, counts


def test_a_term_of_two_words_goes_to_the_compound_and_not_its_parts(systems):
    found = pairs_of(*systems[:2], linked(*systems))
    assert found == {
        ("operating system", "betriebssystem"): 3, ("system", "system"): 2,
        ("operating costs", "betriebskosten"): 2,
    }  # fmt: skip


def test_words_between_do_not_count():
    french, english = ["La base de données", "Une base de données"], ["The database", "A database"]
    one = side_of(french, "fr", "la de une", min_count=2)
    other = side_of(english, "en", "the a", min_count=2)
    counts = {"base database": 2, "données database": 2}
    links = linked(one, other, counts)
    found = pairs_of(one, other, links)
    assert found == {("base de données", "database"): 2}
    # No word of "base de données" is missed, and little comes from nothing.
    assert (links.weights > 0.9).all()


def test_an_occurrence_is_linked_once_and_so_are_its_parts_but_to_others(systems):
    one, other, counts = systems
    links = linked(one, other, counts)
    for places in (links.sources, links.targets):
        assert len(set(places.tolist())) == len(places)
    linked_terms = [one.plain(one.candidates.spans[place, 2]) for place in links.sources.tolist()]
    # Five times "system" stands in the text, three of them in "operating system".
    assert linked_terms.count("system") == 2
    assert linked_terms.count("operating") == 0


def test_links_are_in_the_order_of_the_text_with_weights_up_to_one(systems):
    links = linked(*systems)
    assert (np.diff(links.pairs) >= 0).all()
    assert [array.dtype for array in vars(links).values()] == [np.int32] * 3 + [np.float32]
    assert links.weights.min() >= links_module._LEAST
    assert links.weights.max() <= 1 + 1e-6
    for places, side in zip((links.sources, links.targets), systems, strict=False):
        sentences = np.searchsorted(side.candidates.span_offsets, places, side="right") - 1
        np.testing.assert_array_equal(sentences, links.pairs)


def test_words_that_are_aligned_to_none_have_no_links(systems):
    assert len(linked(*systems[:2], {}).pairs) == 0


# ---- beside the twin


class Random:
    """Sentence pairs of words by number, some of which are aligned."""

    def __init__(self, seed, n_pairs, sizes=(7, 6)):
        rng = np.random.default_rng(seed)
        self.pairs = [
            tuple(rng.integers(0, size, rng.integers(0, 9)).astype(np.int32) for size in sizes)
            for _ in range(n_pairs)
        ]
        texts = [*zip(*self.pairs, strict=True)]
        self.ids = tuple(np.concatenate(side) for side in texts)
        self.offsets = tuple(np.append(0, np.cumsum([*map(len, side)])) for side in texts)
        self.outer = tuple(rng.random(size) < 0.8 for size in sizes)
        self.candidates = tuple(
            find_candidates(ids, offsets, outer, np.ones(len(outer), bool))
            for ids, offsets, outer in zip(self.ids, self.offsets, self.outer, strict=True)
        )
        counts = rng.random(sizes) * 20 * (rng.random(sizes) < 0.4)
        self.aligned = counts.astype(np.float32)

    def links(self, **options):
        return find_links(
            self.ids, self.offsets, self.candidates, self.outer, sparse.csr_array(self.aligned),
            **options,
        )  # fmt: skip

    def links_of_twin(self):
        """Link, count what terms are linked to, and keep what is worth most of each sentence."""
        spans = [
            [found.spans[a:b].tolist() for a, b in pairwise(at)]
            for found in self.candidates for at in [found.span_offsets.tolist()]
        ]  # fmt: skip
        t = [
            np.divide(self.aligned, sums, where=sums > 0, out=np.zeros_like(self.aligned))
            for sums in (self.aligned.sum(axis=axis, keepdims=True) for axis in (1, 0))
        ]
        shares = [
            np.bincount(ids, minlength=len(outer)) / max(len(ids), 1)
            for ids, outer in zip(self.ids, self.outer, strict=True)
        ]
        null = links_module._NULL
        every = twin.span_links(
            self.pairs, spans, t, shares, self.outer, links_module._POSITION, null / (1 - null),
            links_module._LEAST,
        )  # fmt: skip
        terms = [[span[2] for some in side for span in some] for side in spans]
        together = defaultdict(float)
        for _, source, target, link in every:
            together[terms[0][source], terms[1][target]] += link
        worths = []
        for _, source, target, link in every:
            both = terms[0][source], terms[1][target]
            b, c = (side.counts[term] for side, term in zip(self.candidates, both, strict=True))
            worths.append(link * (together[both] / np.sqrt(b * c)) ** links_module._TRUST)
        # What is worth the same but for the last digits is so, and then the first is kept.
        return twin.best_links(every, [round(worth, 5) for worth in worths])


@pytest.mark.parametrize("seed", range(8))
def test_links_are_those_of_the_twin(seed):
    text = Random(seed, 30)
    found, expected = text.links(), text.links_of_twin()
    assert expected
    places = zip(found.pairs.tolist(), found.sources.tolist(), found.targets.tolist(), strict=True)
    assert [*places] == [link[:3] for link in expected]
    np.testing.assert_allclose(found.weights, [link[3] for link in expected], rtol=1e-4)


# ---- workers, progress, ends


@pytest.fixture
def small_parts(monkeypatch):
    """So that a short text is many jobs."""
    monkeypatch.setattr(links_module, "_PAIRS_AT_ONCE", 3)


def test_links_do_not_depend_on_the_number_of_workers_or_on_the_parts(monkeypatch):
    text = Random(0, 100)
    whole = text.links()
    monkeypatch.setattr(links_module, "_PAIRS_AT_ONCE", 3)
    for workers in (1, 2, 5):
        found = text.links(workers=workers)
        for name, array in vars(whole).items():
            np.testing.assert_array_equal(getattr(found, name), array)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("n_pairs", [1, 50])
def test_progress_rises_to_1(n_pairs, workers):
    seen = []
    Random(0, n_pairs).links(report=seen.append, workers=workers)
    assert seen == sorted(seen)
    assert 0 < seen[0] <= 0.5
    assert seen[-1] == 1


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("at", [0.0, 0.6, 0.99])
def test_ctrl_c_ends_it_at_once(at):
    later = []

    def report(part):
        if part > at:
            later.append(part)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Random(0, 50).links(report=report, workers=3)
    assert len(later) == 1
    assert not bilbowa_threads()


# ---- little, or nothing


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (["Open"], [""]), ([""], ["Öffnen"]), ([""], [""]), (["12"], ["Öffnen"]), ([], []),
        (["Open"], ["12"]), (["12", ""], ["", "13"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("workers", [1, 2])
def test_sides_without_terms_have_no_links(ours, theirs, workers):
    one, other = side_of(ours), side_of(theirs, "de")
    counts = {"12 öffnen": 1} if (ours, theirs) == (["12"], ["Öffnen"]) else {}
    seen = []
    found = linked(one, other, counts, workers=workers, report=seen.append)
    assert [len(array) for array in vars(found).values()] == [0] * 4
    assert seen[-1] == 1


def test_one_pair_of_one_word_is_linked():
    one, other = side_of(["Open"]), side_of(["Öffnen"], "de")
    found = linked(one, other, {"open öffnen": 1})
    assert pairs_of(one, other, found) == {("open", "öffnen"): 1}


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_whatever_the_text_a_span_has_one_link_at_most(seed, n_pairs):
    found = Random(seed, n_pairs).links()
    for places in (found.sources, found.targets):
        assert len(set(places.tolist())) == len(places)


def test_the_counts_of_alignment_stay_as_they_are(systems):
    one, other, counts = systems
    matrix = aligned(one, other, counts)
    before = matrix.copy()
    find_links(
        (one.ids, other.ids), (one.text.offsets, other.text.offsets),
        (one.candidates, other.candidates), (one.kinds.outer, other.kinds.outer), matrix,
    )  # fmt: skip
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(matrix, name), getattr(before, name))
