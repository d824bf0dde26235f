"""How well terms translate each other, beside a plain computation; forms of one term as a group."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st
from term_sides import candidate, groups_of, side_of

from gensim_bilbowa import CrossLingualVectors
from gensim_bilbowa.evidence import evidence as evidence_module
from gensim_bilbowa.terminology import scoring
from gensim_bilbowa.terminology.links import Links
from gensim_bilbowa.terminology.scoring import score_pairs
from gensim_bilbowa.terminology.side import Groups

ENGLISH = ["open the files", "open a file system", "file systems", "systems open", "tree"] * 2
GERMAN = ["Dateien öffnen", "ein Dateisystem öffnen", "Dateisysteme", "Baum", "Bäume"] * 2


def vectors_of(seed, dim=6, **words):
    """A space of vectors at random for some words of each language."""
    rng = np.random.default_rng(seed)
    keyed = {code: KeyedVectors(dim) for code in words}
    for code, some in words.items():
        if some:
            keyed[code].add_vectors(some, rng.normal(size=(len(some), dim)).astype(np.float32))
    return CrossLingualVectors(keyed)


def links_of(*rows):
    """Links by pair, source span, target span and weight."""
    columns = [*zip(*rows, strict=True)] or [()] * 4
    return Links(
        *(np.array(column, np.int32) for column in columns[:3]), np.array(columns[3], np.float32)
    )


def scored(sides, groups, links, space, report=lambda part: None):
    return score_pairs(sides, groups, links, (space["en"], space["de"]), report)


# ---- beside a plain computation


def mean_vector(side, term, vectors):
    """The mean of a term's words, at length one; zeros if no word has a vector."""
    at_one = {word: vectors[word] / np.linalg.norm(vectors[word]) for word in vectors.index_to_key}
    words = [side.text.lower_words[word] for word in side.candidates.words_of(term).tolist()]
    mean = np.sum([at_one[word] for word in words if word in at_one], axis=0)
    length = np.linalg.norm(mean)
    return mean / length if length else np.zeros(vectors.vector_size)


def plain_scores(sides, groups, links, space):
    """The scores of groups that are linked, with the sum of weights and the number of links."""
    together = {}
    for ours, theirs, weight in zip(links.sources, links.targets, links.weights, strict=True):
        pair = tuple(
            int(group.of[side.candidates.spans[place, 2]])
            for side, group, place in zip(sides, groups, (ours, theirs), strict=True)
        )
        total, number = together.get(pair, (0.0, 0))
        together[pair] = total + float(weight), number + 1

    def crowd(vector, vectors):
        cosines = sorted((float(vector @ row) for row in vectors.unit_vectors()), reverse=True)
        return np.mean(cosines[: scoring._NEAREST])

    found = {}
    for (source, target), (a, number) in together.items():
        b = sum(total for (s, _), (total, _) in together.items() if s == source)
        c = sum(total for (_, t), (total, _) in together.items() if t == target)
        x, y = (
            mean_vector(side, group.heads[head], space[code])
            for side, group, head, code in zip(
                sides, groups, (source, target), ("en", "de"), strict=True
            )
        )
        csls = 2 * float(x @ y) - crowd(x, space["de"]) - crowd(y, space["en"])
        score = evidence_module._COUNT_WEIGHT * log(1 + a)
        score += evidence_module._SHARE_WEIGHT * a / sqrt(b * c)
        found[source, target] = score + scoring._CSLS_WEIGHT * csls, a, number
    return found


@pytest.mark.parametrize("seed", range(6))
def test_scores_are_those_of_a_plain_computation(monkeypatch, seed):
    monkeypatch.setattr(scoring, "_ROWS_AT_ONCE", 4)
    rng = np.random.default_rng(seed)
    sides = side_of(ENGLISH, "en", "the a"), side_of(GERMAN, "de", "ein")
    groups = groups_of(sides[0], "file files", "system systems"), groups_of(sides[1], "baum bäume")
    rows = []
    for pair in range(len(ENGLISH)):
        spans = [range(*side.candidates.span_offsets[pair : pair + 2].tolist()) for side in sides]
        rows += [
            (pair, *(int(rng.choice(some)) for some in spans), rng.uniform(0.2, 1))
            for _ in range(3)
        ]
    # Some words of the text have no vector, and some with one are not in the text.
    known = {"en": ["the", "open", "files", "file", "system", *"abcdefghij"],
             "de": ["öffnen", "dateisystem", "baum"]}  # fmt: skip
    space = vectors_of(seed, **known)
    links = links_of(*rows)
    found, seen = None, []
    found = scored(sides, groups, links, space, seen.append)
    expected = plain_scores(sides, groups, links, space)
    pairs = [*zip(found.sources.tolist(), found.targets.tolist(), strict=True)]
    assert len(found) == len(pairs) == len(set(pairs))
    assert set(pairs) == set(expected)
    for name, number in (("scores", 0), ("aligned", 1)):
        values = [expected[pair][number] for pair in pairs]
        np.testing.assert_allclose(getattr(found, name), values, rtol=1e-4, atol=1e-5)
    # In the order of the sources, the best target first.
    assert pairs == sorted(pairs, key=lambda pair: (pair[0], -found.scores[pairs.index(pair)]))
    assert seen == sorted(seen)
    assert 0 <= seen[0] <= seen[-1] <= 1


def test_a_score_by_hand():
    # Two terms of one word each, linked with 1 and 0.5: a = b = c = 1.5. Vectors at right angles
    # to each other, each the nearest of one word: CSLS = 0.
    sides = side_of(["tree", "tree"]), side_of(["Baum", "Baum"], "de")
    groups = groups_of(sides[0]), groups_of(sides[1])
    space = CrossLingualVectors({"en": KeyedVectors(2), "de": KeyedVectors(2)})
    space["en"].add_vectors(["tree"], np.eye(2, dtype=np.float32)[:1])
    space["de"].add_vectors(["baum"], np.eye(2, dtype=np.float32)[1:])
    found = scored(sides, groups, links_of((0, 0, 0, 1.0), (1, 1, 1, 0.5)), space)
    assert found.aligned.tolist() == [1.5]
    assert found.scores == pytest.approx([0.2 * log(2.5) + 0.6])


# ---- nothing to score


@pytest.mark.parametrize(
    ("english", "german"), [(["tree"], ["Baum"]), ([], []), (["12"], ["Baum"]), (["tree"], ["12"])]
)
@pytest.mark.parametrize("known", [{"en": ["tree"], "de": ["baum"]}, {"en": ["x"], "de": ["y"]}])
def test_terms_without_links_have_no_scores(english, german, known):
    sides = side_of(english), side_of(german, "de")
    groups = groups_of(sides[0]), groups_of(sides[1])
    found = scored(sides, groups, links_of(), vectors_of(0, **known))
    assert [len(column) for column in vars(found).values()] == [0] * 4


def test_terms_without_vectors_are_scored_by_their_links():
    sides = side_of(["tree"]), side_of(["Baum"], "de")
    groups = groups_of(sides[0]), groups_of(sides[1])
    space = vectors_of(0, en=["other"], de=["anderes"])
    found = scored(sides, groups, links_of((0, 0, 0, 1.0)), space)
    assert found.scores == pytest.approx([0.2 * log(2) + 0.6])


# ---- groups


def test_forms_of_a_term_are_a_group_with_the_most_frequent_at_its_head():
    side = side_of(["file systems", "file systems", "file system", "tree"])
    group = groups_of(side, "systems system")
    one, two = candidate(side, "file systems"), candidate(side, "file system")
    assert group.of[one] == group.of[two]
    assert group.heads[group.of[one]] == one
    assert group.counts[group.of[one]] == 3
    assert group.of[candidate(side, "system")] == group.of[candidate(side, "systems")]
    assert group.of[candidate(side, "system")] != group.of[one]
    assert len(group.heads) == len(side.candidates) - 2


def test_of_forms_as_frequent_the_first_is_the_head():
    side = side_of(["trees", "tree"])
    group = groups_of(side, "tree trees")
    assert group.heads.tolist() == [min(candidate(side, "tree"), candidate(side, "trees"))]


SIDE = side_of(ENGLISH)


@given(st.lists(st.integers(0, 3), min_size=len(SIDE.counts), max_size=len(SIDE.counts)))
def test_groups_are_those_of_plain_python(classes):
    found = SIDE.candidates
    group = Groups.of_classes(found, np.array(classes, np.int32))
    by_classes = {}
    for term in range(len(found)):
        key = tuple(classes[word] for word in found.words_of(term).tolist())
        by_classes.setdefault(key, []).append(term)
    counts = [found.counts[some].tolist() for some in by_classes.values()]
    assert group.counts.tolist() == [sum(some) for some in counts]
    heads = [
        some[numbers.index(max(numbers))]
        for some, numbers in zip(by_classes.values(), counts, strict=True)
    ]
    assert group.heads.tolist() == heads
    forms = group.forms_of(np.arange(len(heads)))
    assert [form[0] for form in forms] == heads
    assert [sorted(form) for form in forms] == [*by_classes.values()]


@pytest.mark.parametrize("texts", [[], ["12"], [""]])
def test_no_candidates_have_no_groups(texts):
    group = groups_of(side_of(texts))
    assert [len(part) for part in vars(group).values()] == [0, 0, 0]
    assert group.forms_of(np.arange(0)) == []
