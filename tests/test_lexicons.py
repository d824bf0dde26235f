from __future__ import annotations

import csv
import math
import re
import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np
import pytest
import twin
from gensim.models import KeyedVectors
from gensim.models.phrases import Phrases
from hypothesis import assume, given
from hypothesis import strategies as st
from samples import SMALL, made_up_pairs
from scipy import sparse

from gensim_bilbowa import BilBOWA, CrossLingualVectors, ParallelSentences
from gensim_bilbowa.datasets import SyntheticCorpus
from gensim_bilbowa.errors import (
    ConfigError,
    CorpusError,
    FormatError,
    ParallelDataError,
    UnknownLanguageError,
)
from gensim_bilbowa.evaluation import word_translation
from gensim_bilbowa.evidence import AlignedCounts, Cooccurrence, Spelling, align, counting
from gensim_bilbowa.evidence.spelling import stems
from gensim_bilbowa.lexicons import (
    Lexicon,
    LexiconEntry,
    best_targets,
    count_pairs,
    extract_lexicon,
    extraction,
)

TBX = {"": "urn:iso:std:iso:30042:ed-2"}
LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def drawn(seed=0, dim=6, counts=True, **words):
    rng = np.random.default_rng(seed)
    vectors = {}
    for code, names in words.items():
        kv = KeyedVectors(dim)
        kv.add_vectors(names, rng.normal(size=(len(names), dim)).astype(np.float32))
        for rank, name in enumerate(names) if counts else ():
            kv.set_vecattr(name, "count", 100 - rank)
        vectors[code] = kv
    return CrossLingualVectors(vectors)


def numbered(n=12, m=15, **kwargs):
    return drawn(en=[f"e{i}" for i in range(n)], de=[f"d{i}" for i in range(m)], **kwargs)


def unit(matrix):
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def csls_table(vectors, k=10):
    cosines = unit(vectors["en"].vectors) @ unit(vectors["de"].vectors).T
    rows = np.sort(cosines, axis=1)[:, -k:].mean(axis=1)
    columns = np.sort(cosines, axis=0)[-k:].mean(axis=0)
    return 2 * cosines - rows[:, None] - columns


def llr_by_hand(word, target, pairs):
    """Dunning's G2 by entropies: 2 (H(row) + H(column) - H(table)), on counts."""
    table = Counter((word in source, target in other) for source, other in pairs)
    n = len(pairs)

    def entropy(counts):
        return -sum(count * math.log(count / n) for count in counts if count)

    rows, columns = Counter(), Counter()
    for (a, b), count in table.items():
        rows[a] += count
        columns[b] += count
    if table[True, True] * n <= rows[True] * columns[True]:
        return 0.0
    return 2 * (entropy(rows.values()) + entropy(columns.values()) - entropy(table.values()))


def llr_table(vectors, pairs):
    return np.array(
        [[llr_by_hand(e, d, pairs) for d in vectors["de"].index_to_key]
         for e in vectors["en"].index_to_key]
    )  # fmt: skip


def likeness_by_hand(word, other):
    """Cosine of the sets of trigrams of two words in ASCII."""
    a, b = ({f"<{w.lower()}>"[i : i + 3] for i in range(len(w))} for w in (word, other))
    return len(a & b) / math.sqrt(len(a) * len(b))


def spelling_table(vectors):
    return np.array(
        [[likeness_by_hand(e, d) for d in vectors["de"].index_to_key]
         for e in vectors["en"].index_to_key]
    )  # fmt: skip


def counts_table(vectors, pairs):
    """How often words are aligned, by the twin: the geometric mean of both ways."""
    en, de = (vectors[code].key_to_index for code in ("en", "de"))
    known = [
        tuple(
            np.array([index[word] for word in side if word in index])
            for side, index in zip(pair, (en, de), strict=True)
        )
        for pair in pairs
    ]
    forth, back, _ = twin.align(
        [pair for pair in known if all(map(len, pair))], (len(en), len(de)), 2, position=2.0,
        null=0.08, least=1e-3, classes=(stems(list(en)), stems(list(de))), class_passes=2,
        boost=np.exp(3 * spelling_table(vectors)),
    )  # fmt: skip
    counts = np.sqrt(forth * back)
    return np.where(counts < 0.05, 0, counts)


def alignment_score(counts):
    sums = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0)
    return 0.2 * np.log1p(counts) + 0.6 * counts / np.sqrt(np.where(sums > 0, sums, 1))


def hybrid_table(vectors, pairs=None, k=10, spelling=0.7):
    table = csls_table(vectors, k) + spelling * spelling_table(vectors)
    return table if pairs is None else table + alignment_score(counts_table(vectors, pairs))


def some_pairs(n=40, seed=1):
    rng = np.random.default_rng(seed)
    pairs = []
    for _ in range(n):
        ids = rng.choice(12, rng.integers(1, 6))
        pairs.append(([f"e{i}" for i in ids], [f"d{i}" for i in rng.permutation(ids)] + ["d14"]))
    return pairs


EN_DE = ("en", "de")


@pytest.fixture(scope="module")
def trained():
    pairs = ParallelSentences(made_up_pairs(), languages=EN_DE)
    return BilBOWA(parallel=pairs, **SMALL), pairs


# ---- evidence


def test_counts_are_of_words_that_are_aligned_whichever_way_they_are_asked_for():
    vectors, pairs = numbered(), some_pairs()
    expected = counts_table(vectors, pairs)
    assert 12 < np.count_nonzero(expected) < 12 * 15
    counts = count_pairs(ParallelSentences(pairs, languages=EN_DE), vectors["en"], vectors["de"])
    tolerance = {"rtol": 1e-3, "atol": 1e-4}
    np.testing.assert_allclose(counts.aligned.toarray(), expected, **tolerance)
    np.testing.assert_allclose(counts.turned().aligned.toarray(), expected.T, **tolerance)
    words, targets = np.array([5, 2, 3]), np.array([14, 1, 2, 3])
    some = counts.among(words, targets)
    np.testing.assert_allclose(
        some.aligned.toarray(), expected[np.ix_(words, targets)], **tolerance
    )
    np.testing.assert_allclose(
        some.turned().aligned.toarray(), expected[np.ix_(words, targets)].T, **tolerance
    )


def test_words_are_aligned_once_and_when_they_are_asked_for(monkeypatch):
    calls = []
    monkeypatch.setattr(counting, "align", lambda *given, **_: calls.append(given))
    vectors = numbered()
    counts = count_pairs({EN_DE: some_pairs()}, vectors["en"], vectors["de"])
    counts.llr(slice(0, 3))
    assert not calls
    assert counts.aligned is counts.aligned is counts.turned().aligned is None
    assert len(calls) == 1


def test_counts_without_text_are_of_no_aligned_words():
    (source, target), some = (sparse.csc_array(np.eye(3, dtype=np.int32)),) * 2, np.arange(2)
    counts = Cooccurrence(source, target)
    for known in (counts, counts.turned(), counts.among(some, some)):
        assert known.aligned is None


# ---- scores


@pytest.mark.parametrize("mutual", [True, False])
@pytest.mark.parametrize("topn", [1, 3, 100])
def test_pairs_and_scores_are_those_of_the_whole_table(topn, mutual):
    vectors = numbered()
    table = csls_table(vectors)
    row_ranks = np.argsort(np.argsort(-table, axis=1), axis=1)
    column_ranks = np.argsort(np.argsort(-table, axis=0), axis=0)
    kept = (row_ranks < topn) & ((column_ranks < topn) | (not mutual))
    expected = {(f"e{i}", f"d{j}"): table[i, j] for i, j in zip(*np.nonzero(kept), strict=True)}
    lexicon = extract_lexicon(
        vectors, "en", "de", method="csls", topn=topn, mutual=mutual, refine=False
    )
    assert {(e.source, e.target) for e in lexicon} == set(expected)
    for entry in lexicon:
        i, j = int(entry.source[1:]), int(entry.target[1:])
        assert entry.score == pytest.approx(expected[entry.source, entry.target], abs=1e-5)
        assert entry.rank == row_ranks[i, j] + 1
        assert (entry.source_count, entry.target_count) == (100 - i, 100 - j)


def test_entries_follow_the_source_vocabulary_and_the_rank():
    lexicon = extract_lexicon(numbered(), "en", "de", topn=4, mutual=False)
    order = [(int(entry.source[1:]), entry.rank) for entry in lexicon]
    assert order == sorted(order)
    assert len(order) == 12 * 4


@pytest.mark.parametrize("method", ["cosine", "csls", "inverted_softmax"])
def test_scores_are_those_of_single_questions(method):
    vectors = numbered()
    for entry in extract_lexicon(
        vectors, "en", "de", method=method, topn=3, mutual=False, refine=False
    ):
        asked = dict(vectors["en"].most_similar_cross(entry.source, 3, method=method))
        assert entry.score == pytest.approx(asked[entry.target], abs=1e-5)


@pytest.mark.parametrize("turned", [False, True])
def test_llr_is_dunnings(turned):
    vectors, pairs = numbered(), some_pairs()
    table = llr_table(vectors, pairs)
    given = ParallelSentences(
        [pair[::-1] for pair in pairs] if turned else pairs,
        languages=EN_DE[::-1] if turned else EN_DE,
    )
    lexicon = extract_lexicon(
        vectors, "en", "de", method="llr", topn=15, mutual=False, parallel=given
    )
    found = {(int(e.source[1:]), int(e.target[1:])): e.score for e in lexicon}
    assert found.keys() == set(zip(*np.nonzero(table > 1e-9), strict=True))
    for place, score in found.items():
        assert score == pytest.approx(table[place], rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("spelling", [0, 0.7, 3])
@pytest.mark.parametrize("counted", [True, False])
def test_hybrid_adds_the_alignment_and_the_spelling_to_csls(counted, spelling):
    vectors, pairs = numbered(), some_pairs() if counted else None
    expected = hybrid_table(vectors, pairs, spelling=spelling)
    assert np.count_nonzero(spelling_table(vectors))
    lexicon = extract_lexicon(
        vectors, "en", "de", topn=15, mutual=False, refine=False, spelling=spelling,
        parallel={EN_DE: pairs} if counted else None,
    )  # fmt: skip
    assert lexicon.method == "hybrid"
    assert len(lexicon) == 12 * 15
    for entry in lexicon:
        place = int(entry.source[1:]), int(entry.target[1:])
        assert entry.score == pytest.approx(expected[place], abs=1e-4)


@pytest.mark.parametrize("turned", [False, True])
def test_hybrid_takes_what_is_known_of_the_text_of_training_and_given_text_in_its_place(turned):
    plain, pairs = numbered(), some_pairs()
    counts = sparse.csr_array(np.round(np.random.default_rng(3).random((12, 15)) * 4))
    known = AlignedCounts()
    known.add(*(("de", "en", counts.T.tocsr()) if turned else ("en", "de", counts)))
    vectors = CrossLingualVectors(plain, known)
    options = {"topn": 15, "mutual": False, "refine": False}
    for text, expected in (
        (None, hybrid_table(plain) + alignment_score(counts.toarray())),
        (pairs, hybrid_table(plain, pairs)),
    ):
        parallel = {"parallel": {EN_DE: text}} if text else {}
        for entry in extract_lexicon(vectors, "en", "de", **options, **parallel):
            place = int(entry.source[1:]), int(entry.target[1:])
            assert entry.score == pytest.approx(expected[place], abs=1e-4)
    back = extract_lexicon(vectors, "de", "en", **options)
    expected = hybrid_table(plain) + alignment_score(counts.toarray())
    for entry in back:
        place = int(entry.target[1:]), int(entry.source[1:])
        assert entry.score == pytest.approx(expected[place], abs=1e-4)


@given(*[st.lists(st.text("abcdé1-", min_size=1, max_size=6), min_size=1, max_size=5)] * 2)
def test_likeness_in_spelling_is_the_cosine_of_trigrams(words, others):
    likeness = Spelling.compare(words, others).likeness(slice(0, len(words))).toarray()
    plain = [[w.replace("é", "e") for w in side] for side in (words, others)]
    expected = [[likeness_by_hand(a, b) for b in plain[1]] for a in plain[0]]
    np.testing.assert_allclose(likeness, expected, atol=1e-6)
    turned = Spelling.compare(words, others).turned().likeness(slice(0, len(others))).toarray()
    np.testing.assert_array_equal(turned, likeness.T)


@pytest.mark.parametrize(
    ("word", "other", "likeness"),
    [("Tür", "TÜR", 1), ("I", "i", 1), ("дом", "dom", 0), ("中", "中", 1), ("ﬁt", "fit", 1)],
)
def test_case_accents_and_width_do_not_matter_to_spelling_but_scripts_do(word, other, likeness):
    found = Spelling.compare([word], [other]).likeness(slice(0, 1)).toarray()
    assert found[0, 0] == pytest.approx(likeness)


def spelt_alike(seed=0, words=80, dim=10, noise=1.5):
    """Languages whose i-th words mean the same, told by vectors badly and by spelling well."""
    rng = np.random.default_rng(seed)
    meaning = rng.normal(size=(words, dim))
    vectors = {}
    for code, ending in (("en", "y"), ("de", "ie")):
        vectors[code] = kv = KeyedVectors(dim)
        kv.add_vectors(
            [
                f"{'abcdefghij'[i // 10] * 2}{'klmnopqrst'[i % 10] * 3}{ending}"
                for i in range(words)
            ],
            (meaning + noise * rng.normal(size=meaning.shape)).astype(np.float32),
        )
    return CrossLingualVectors(vectors)


def test_refinement_is_taken_where_more_words_then_find_each_other(caplog):
    caplog.set_level("INFO", "gensim_bilbowa.vectors.refinement")
    vectors = spelt_alike()
    options = {"method": "csls", "mutual": False}
    taken, always, never = (
        extract_lexicon(vectors, "en", "de", refine=refine, **options)
        for refine in ("auto", True, False)
    )
    assert taken.entries == always.entries != never.entries

    def right(lexicon):
        places = {code: vectors[code].key_to_index for code in vectors}
        return sum(places["en"][e.source] == places["de"][e.target] for e in lexicon)

    assert right(taken) > right(never) + 10
    assert caplog.messages[0].startswith("refinement, round 1")
    assert any(re.match(r"refined: \d+ words were each other's nearest, \d+ are", message)
               for message in caplog.messages)  # fmt: skip


def test_refinement_is_not_taken_where_words_find_each_other_anyway(caplog):
    caplog.set_level("INFO", "gensim_bilbowa.vectors.refinement")
    vectors = spelt_alike(noise=0.01)
    taken, never = (
        extract_lexicon(vectors, "en", "de", refine=refine) for refine in ("auto", False)
    )
    assert taken.entries == never.entries
    assert "not refined: 80 words were each other's nearest, 80 are when refined" in caplog.text


def test_vectors_stay_as_they_are_when_a_lexicon_is_refined():
    vectors = spelt_alike()
    before = {code: kv.vectors.copy() for code, kv in vectors.items()}
    extract_lexicon(vectors, "en", "de", refine=True)
    for code, kv in vectors.items():
        np.testing.assert_array_equal(kv.vectors, before[code])
        assert (
            kv.other_language("de" if code == "en" else "en")
            is vectors["de" if code == "en" else "en"]
        )


def test_words_twice_in_a_sentence_count_once_for_llr():
    vectors, pairs = numbered(), some_pairs()
    doubled = [(source * 2, target * 3) for source, target in pairs]
    one, other = (
        extract_lexicon(vectors, "en", "de", method="llr", parallel={EN_DE: text})
        for text in (pairs, doubled)
    )
    assert one.entries == other.entries


def test_several_parallel_texts_count_together():
    vectors, pairs = numbered(), some_pairs()
    parts = [
        ParallelSentences(pairs[:17], languages=EN_DE),
        ParallelSentences([pair[::-1] for pair in pairs[17:]], languages=EN_DE[::-1]),
        ParallelSentences([(["x"], ["y"])], languages=("en", "fr")),
    ]
    together = extract_lexicon(vectors, "en", "de", parallel=parts, examples=1)
    whole = extract_lexicon(vectors, "en", "de", parallel={EN_DE: pairs}, examples=1)
    assert together.entries == whole.entries


def test_pairs_in_files_count_as_pairs_in_lists(tmp_path):
    vectors, pairs = numbered(), some_pairs()
    for side, code in enumerate(EN_DE):
        (tmp_path / code).write_text(
            "".join(" ".join(p[side]) + "\n" for p in pairs), encoding="utf-8"
        )
    files = {EN_DE: (tmp_path / "en", tmp_path / "de")}
    read = extract_lexicon(vectors, "en", "de", parallel=files, examples=2, workers=2)
    assert read.entries == extract_lexicon(
        vectors, "en", "de", parallel={EN_DE: pairs}, examples=2
    ).entries  # fmt: skip


@given(st.lists(st.tuples(
    st.lists(st.sampled_from([f"e{i}" for i in range(5)]), max_size=4),
    st.lists(st.sampled_from([f"d{i}" for i in range(5)]), max_size=4),
), min_size=1, max_size=12))  # fmt: skip
def test_llr_of_any_text_is_the_same_from_both_sides(pairs):
    assume(any(source and target for source, target in pairs))
    vectors = numbered(5, 5)
    counts = count_pairs({EN_DE: pairs}, vectors["en"], vectors["de"])
    forwards = counts.llr(slice(0, 5)).toarray()
    np.testing.assert_allclose(forwards, llr_table(vectors, pairs), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(counts.turned().llr(slice(0, 5)).toarray(), forwards.T, rtol=1e-6)
    np.testing.assert_array_equal(counts.llr(slice(2, 4)).toarray(), forwards[2:4])


# ---- choices


def test_rare_words_are_left_out_on_both_sides():
    lexicon = extract_lexicon(numbered(), "en", "de", min_count=95, mutual=False)
    assert [entry.source for entry in lexicon] == [f"e{i}" for i in range(6)]
    assert {entry.target for entry in lexicon} <= {f"d{i}" for i in range(6)}


def test_scores_do_not_depend_on_the_words_left_out():
    vectors = numbered()
    some = extract_lexicon(vectors, "en", "de", min_count=92, topn=15, mutual=False)
    table = csls_table(vectors)
    for entry in some:
        place = int(entry.source[1:]), int(entry.target[1:])
        assert entry.score == pytest.approx(table[place], abs=1e-5)


def test_candidates_in_any_order_get_their_own_scores():
    vectors = numbered()
    table = csls_table(vectors)
    words, targets = np.arange(12)[::-1].copy(), np.random.default_rng(3).permutation(15)
    found, scores = best_targets(vectors["en"], vectors["de"], words, targets, 2)
    np.testing.assert_array_equal(found, np.argsort(-table[words], axis=1)[:, :2])
    np.testing.assert_allclose(scores, np.take_along_axis(table[words], found, 1), atol=1e-5)


def test_low_scores_are_left_out():
    vectors = numbered()
    every = extract_lexicon(vectors, "en", "de", topn=5, mutual=False)
    bound = sorted(entry.score for entry in every)[20]
    some = extract_lexicon(vectors, "en", "de", topn=5, mutual=False, min_score=bound)
    assert some.entries == [entry for entry in every if entry.score >= bound]


def test_vectors_without_counts_give_counts_of_zero():
    vectors = numbered(counts=False)
    assert {entry.source_count for entry in extract_lexicon(vectors, "en", "de")} == {0}
    with pytest.raises(ConfigError, match="min_count=2, but the 'en' vectors have no word counts"):
        extract_lexicon(vectors, "en", "de", min_count=2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "dot"}, "method must be .* not 'dot'"),
        ({"method": "llr"}, "'llr' counts words in parallel text: pass parallel="),
        ({"spelling": -1}, "spelling must be a number of 0 or more"),
        ({"refine": "always"}, "refine must be True, False or 'auto', not 'always'"),
        ({"examples": 1}, "pass parallel="),
        ({"examples": -1}, "examples must be a whole number"),
        ({"examples": 0.5}, "examples must be a whole number"),
        ({"topn": 0}, "topn must be a whole number of 1 or more"),
        ({"topn": 1.5}, "topn must be a whole number of 1 or more"),
        ({"min_count": 1.5}, "min_count must be a whole number"),
        ({"min_count": 1000}, "none of the 12 'en' words has a count of 1000"),
        ({"min_score": "high"}, "min_score must be a number"),
        ({"min_score": math.nan}, "min_score must be a number"),
        ({"delimiter": ""}, "delimiter must be"),
        ({"parallel": {("en", "fr"): []}}, r"text of 'en' and 'de' is wanted.*'en', 'fr'"),
        ({"parallel": iter(some_pairs()), "examples": 1}, "more\\s+than once"),
    ],
)
def test_what_cannot_work_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        extract_lexicon(numbered(), "en", "de", **options)


@pytest.mark.parametrize("pairs", [[], [([], ["d1"])], [(["E1"], ["D1"])], [(["d1"], ["e1"])]])
def test_parallel_text_without_usable_pairs_is_refused(pairs):
    for method in ("llr", "hybrid"):
        with pytest.raises(
            CorpusError, match=r"none of its \d pairs has a known word on both sides"
        ):
            extract_lexicon(numbered(), "en", "de", parallel={EN_DE: pairs}, method=method)


def test_parallel_text_with_few_usable_pairs_is_warned_of(caplog):
    pairs = [(["e1"], ["d1"]), *[(["E1"], ["d1"])] * 20]
    extract_lexicon(numbered(), "en", "de", parallel={EN_DE: pairs})
    (record,) = (r for r in caplog.records if r.levelname == "WARNING")
    assert "21 en-de sentence pairs: 1 usable" in record.getMessage()


def test_parallel_text_that_nobody_asks_is_not_read():
    def pairs():
        raise AssertionError("read")
        yield

    vectors = numbered()
    options = {"method": "csls", "refine": False}
    lexicon = extract_lexicon(vectors, "en", "de", parallel={EN_DE: pairs()}, **options)
    assert lexicon.entries == extract_lexicon(vectors, "en", "de", **options).entries


def test_plain_vectors_make_a_lexicon_as_well():
    vectors = numbered()
    plain = {code: vectors[code] for code in vectors}
    assert (
        extract_lexicon(plain, "en", "de").entries == extract_lexicon(vectors, "en", "de").entries
    )


def test_words_added_without_counts_have_none():
    vectors = numbered()
    vectors["en"].add_vectors(["new"], np.ones((1, 6)))
    vectors["en"].expandos["count"] = vectors["en"].expandos["count"][:12]
    lexicon = extract_lexicon(vectors, "en", "de", mutual=False)
    assert [(e.source, e.source_count) for e in lexicon[-2:]] == [("e11", 89), ("new", 0)]
    rest = extract_lexicon(vectors, "en", "de", mutual=False, min_count=1000 - 920)
    assert "new" not in rest.to_dict()


def test_counts_that_happen_to_fall_by_one_are_counts():
    vectors = drawn(en=["a", "b"], de=["x", "y"])
    for word, count in (("a", 2), ("b", 1)):
        vectors["en"].set_vecattr(word, "count", count)
    lexicon = extract_lexicon(vectors, "en", "de", mutual=False)
    assert [entry.source_count for entry in lexicon] == [2, 1]


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("method", ["csls", "hybrid"])
def test_size_of_the_neighbourhood_is_that_of_the_scores(k, method):
    vectors, pairs = numbered(), some_pairs()
    table = hybrid_table(vectors, pairs, k) if method == "hybrid" else csls_table(vectors, k)
    lexicon = extract_lexicon(
        vectors, "en", "de", method=method, k=k, mutual=False, refine=False,
        parallel={EN_DE: pairs},
    )  # fmt: skip
    np.testing.assert_allclose([e.score for e in lexicon], table.max(axis=1), atol=1e-5)


@pytest.mark.parametrize("method", ["llr", "hybrid"])
def test_mutual_pairs_count_from_the_other_side_too(method):
    # Vocabularies of unlike sizes, so that counts taken the wrong way round cannot pass.
    vectors, pairs = numbered(n=15, m=13), some_pairs()
    table = (llr_table if method == "llr" else hybrid_table)(vectors, pairs)
    lexicon = extract_lexicon(
        vectors, "en", "de", method=method, refine=False, parallel={EN_DE: pairs}
    )
    best = [(i, table[i].argmax()) for i in range(15)]
    expected = [
        (f"e{i}", f"d{j}") for i, j in best if table[:, j].argmax() == i and table[i, j] > 0
    ]
    assert [(e.source, e.target) for e in lexicon] == expected
    assert len(expected) > 4


def test_unknown_languages_are_named():
    with pytest.raises(UnknownLanguageError, match="'xx'"):
        extract_lexicon(numbered(), "en", "xx")
    with pytest.raises(UnknownLanguageError, match="'xx'"):
        extract_lexicon(numbered(), "xx", "en")


def test_sides_of_unequal_length_are_an_error(tmp_path):
    (tmp_path / "en").write_text("e1\ne2\n", encoding="utf-8")
    (tmp_path / "de").write_text("d1\n", encoding="utf-8")
    with pytest.raises(ParallelDataError, match=r"2 sentences.*has 1"):
        extract_lexicon(
            numbered(), "en", "de", parallel={EN_DE: (tmp_path / "en", tmp_path / "de")}
        )


# ---- models, evaluation


def test_model_makes_a_lexicon_of_its_words(trained):
    model, pairs = trained
    found = model.lexicon("en", "de", parallel=pairs, min_count=5).to_dict()
    right = [source for source, targets in found.items() if targets == [f"d{source[1:]}"]]
    assert len(right) >= 0.9 * len(found)
    assert len(found) > 15


@pytest.mark.parametrize("method", ["llr", "hybrid"])
def test_translation_scores_are_those_of_the_lexicon(trained, method):
    model, pairs = trained
    gold = {word: {f"d{word[1:]}"} for word in model.wv_en.index_to_key}
    score = word_translation(model.wv_en, gold, method=method, parallel=pairs)
    lexicon = model.lexicon("en", "de", method=method, mutual=False, parallel=pairs).to_dict()
    right = sum(lexicon.get(word) == [f"d{word[1:]}"] for word in gold)
    assert score.precision[1] == right / len(gold)


# ---- examples


def test_examples_have_both_words_and_about_ten_words(trained):
    model, _ = trained
    fillers = [f"d{i}" for i in range(3)]
    pairs = [
        (["e7"] + ["e1"] * 30, ["d7", *fillers]),
        (["e7"] + ["e1"] * 9, ["d7"] * 9),
        (["e7"], ["d8"]),
        (["e7"] * 7, ["d7"] * 7),
    ]
    entries = model.lexicon("en", "de", method="csls", parallel={EN_DE: pairs}, examples=2,
                            mutual=False, topn=40)  # fmt: skip
    (entry,) = (e for e in entries if (e.source, e.target) == ("e7", "d7"))
    assert entry.examples == ((" ".join(pairs[1][0]), " ".join(pairs[1][1])),
                              (" ".join(pairs[3][0]), " ".join(pairs[3][1])))  # fmt: skip
    (other,) = (e for e in entries if (e.source, e.target) == ("e7", "d8"))
    assert other.examples == (("e7", "d8"),)


def test_multi_word_terms_come_from_phrases():
    base = made_up_pairs(200, words=12)
    given = ParallelSentences(
        [(["new", "york", *a], ["neu", "york", *b]) if i % 3 else (a, b)
         for i, (a, b) in enumerate(base)],
        languages=EN_DE,
    )  # fmt: skip
    phrases = {code: Phrases(given.side(code), min_count=20, threshold=0.1) for code in EN_DE}
    joined = given.with_phrases(phrases)
    model = BilBOWA(parallel=joined, **SMALL)
    lexicon = model.lexicon("en", "de", parallel=joined, examples=1, delimiter="_")
    (entry,) = (entry for entry in lexicon if entry.source == "new york")
    assert entry.target == "neu york"
    assert "new york" in entry.examples[0][0]
    assert "_" not in entry.examples[0][1]


def test_phrases_of_one_side_leave_the_other():
    pairs = ParallelSentences([(["a", "b"], ["a", "b"]), ([], ["c"])] * 5, languages=EN_DE)
    phrases = Phrases(pairs.side("en"), min_count=1, threshold=0.01)
    joined = pairs.with_phrases({"en": phrases})
    assert list(joined) == [(["a_b"], ["a", "b"]), ([], ["c"])] * 5
    assert list(joined) == list(joined)
    with pytest.raises(ConfigError, match="no side is 'fr'"):
        pairs.with_phrases({"fr": phrases})
    with pytest.raises(ConfigError, match="no side is 'fr'"):
        pairs.side("fr")


# ---- the object, and its files


def small_lexicon(**changes):
    entries = [
        LexiconEntry(
            "dog", "Hund", 1.5, 1, 9, 8, (("a dog", "ein Hund"), ("dogs <& co>", 'x "y"'))
        ),
        LexiconEntry("dog", "Köter", 0.25, 2, 9, 3),
        LexiconEntry("a\tb", "c\nd", -0.5, 1, 1, 1),
    ]  # fmt: skip
    return Lexicon(EN_DE, [entries[0]._replace(**changes), *entries[1:]], "csls")


def test_lexicon_is_a_sequence():
    lexicon = small_lexicon()
    assert len(lexicon) == 3
    assert lexicon[1].target == "Köter"
    assert isinstance(lexicon[:2], Lexicon)
    assert lexicon[:2].to_dict() == {"dog": ["Hund", "Köter"]}
    assert repr(lexicon) == "Lexicon<en-de: 3 pairs by csls>"


@pytest.mark.parametrize("kind", ["tsv", "csv"])
def test_tables_read_back_as_they_were(tmp_path, kind):
    lexicon = small_lexicon()
    lexicon.save(tmp_path / f"x.{kind}")
    with (tmp_path / f"x.{kind}").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t" if kind == "tsv" else ","))
    assert [(row["en"], row["de"], float(row["score"])) for row in rows] == [
        (entry.source, entry.target, entry.score) for entry in lexicon
    ]
    assert rows[0]["en_example_2"] == "dogs <& co>"
    assert rows[0]["de_example_2"] == 'x "y"'
    assert rows[1]["en_example_1"] == ""
    assert (rows[1]["rank"], rows[1]["en_count"], rows[1]["de_count"]) == ("2", "9", "3")


def test_tbx_has_a_concept_for_each_source_word(tmp_path):
    small_lexicon().save(tmp_path / "x.tbx")
    root = ET.parse(tmp_path / "x.tbx").getroot()
    assert root.tag == f"{{{TBX['']}}}tbx"
    assert (root.get("type"), root.get("style"), root.get(LANG)) == ("TBX-Basic", "dca", "en")
    assert [child.tag.split("}")[1] for child in root] == ["tbxHeader", "text"]
    first, second = root.findall("text/body/conceptEntry", TBX)
    en, de = first.findall("langSec", TBX)
    assert (en.get(LANG), de.get(LANG)) == EN_DE
    assert [term.text for term in first.iterfind(".//term", TBX)] == ["dog", "Hund", "Köter"]
    assert [d.text for d in en.iterfind("termSec/descrip", TBX)] == ["a dog", "dogs <& co>"]
    assert [d.get("type") for d in de.iterfind("termSec/descrip", TBX)] == ["context"] * 2
    assert [n.text for n in de.iterfind("termSec/note", TBX)] == ["csls 1.5000", "csls 0.2500"]
    assert second.find(".//term", TBX).text == "a\tb"
    assert first.get("id") != second.get("id")


def test_tbx_names_languages_as_bcp_47_does(tmp_path):
    entries = small_lexicon().entries
    Lexicon(("sr@latin", "pt_BR"), entries, "csls").save(tmp_path / "x.tbx")
    root = ET.parse(tmp_path / "x.tbx").getroot()
    found = [section.get(LANG) for section in root.iterfind(".//langSec", TBX)]
    assert root.get(LANG) == "sr-Latn"
    assert found == ["sr-Latn", "pt-BR"] * 2


def test_character_that_xml_cannot_hold_is_refused_and_the_old_file_stays(tmp_path):
    path = tmp_path / "x.tbx"
    small_lexicon().save(path)
    before = path.read_bytes()
    with pytest.raises(FormatError, match=r"'ding\\x07': XML cannot hold the character '\\x07'"):
        small_lexicon(target="ding\x07").save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_format_may_be_named_and_must_be_known(tmp_path):
    small_lexicon().save(tmp_path / "x.txt", "tsv")
    assert (tmp_path / "x.txt").read_text("utf-8").startswith("en\tde\tscore\trank")
    for path, kind in (("x.xlsx", None), ("x", None), ("x.tsv", "json")):
        with pytest.raises(ConfigError, match="one of tsv, csv, tbx"):
            small_lexicon().save(tmp_path / path, kind)


def test_empty_lexicon_is_written_with_its_header(tmp_path):
    lexicon = extract_lexicon(numbered(), "en", "de", min_score=100)
    assert len(lexicon) == 0
    lexicon.save(tmp_path / "x.tsv")
    assert (tmp_path / "x.tsv").read_text(
        encoding="utf-8"
    ) == "en\tde\tscore\trank\ten_count\tde_count\n"
    with pytest.raises(FormatError, match="a concept at least"):
        lexicon.save(tmp_path / "x.tbx")


@pytest.mark.parametrize("kind", ["tsv", "csv", "tbx"])
def test_carriage_returns_are_kept(tmp_path, kind):
    path = tmp_path / f"x.{kind}"
    small_lexicon(source="a\rb", examples=(("x\r\ny", "\r"),)).save(path)
    if kind == "tbx":
        texts = [element.text for element in ET.parse(path).iter() if element.text]
        assert {"a\rb", "x\r\ny", "\r"} <= set(texts)
        return
    with path.open(encoding="utf-8", newline="") as stream:
        _, row, *_ = csv.reader(stream, delimiter="\t" if kind == "tsv" else ",")
    assert (row[0], *row[-2:]) == ("a\rb", "x\r\ny", "\r")


@pytest.mark.parametrize("kind", ["tsv", "csv", "tbx"])
def test_half_a_character_is_refused_and_the_old_file_stays(tmp_path, kind):
    path = tmp_path / f"x.{kind}"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(FormatError, match=r"cannot hold the character '\\ud800'"):
        small_lexicon(target="a\ud800").save(path)
    assert path.read_text(encoding="utf-8") == "old"


def test_tbx_says_first_that_it_is_xml_in_utf_8(tmp_path):
    small_lexicon().save(tmp_path / "x.tbx")
    first = (tmp_path / "x.tbx").read_bytes().split(b"\n")[0]
    assert first == b'<?xml version="1.0" encoding="utf-8"?>'


def test_tbx_gathers_the_entries_of_a_word_wherever_they_stand(tmp_path):
    entries = small_lexicon().entries
    Lexicon(("pt_BR", "de"), [entries[1], entries[2], entries[0]], "csls").save(tmp_path / "x.tbx")
    root = ET.parse(tmp_path / "x.tbx").getroot()
    terms = [
        [term.text for term in concept.iterfind(".//term", TBX)]
        for concept in root.iterfind(".//conceptEntry", TBX)
    ]
    assert terms == [["dog", "Köter", "Hund"], ["a\tb", "c\nd"]]
    assert {e.get(LANG) for e in root.iter() if e.get(LANG)} == {"pt-BR", "de"}


def test_example_of_several_translations_stands_once_with_its_word(tmp_path):
    example = ("a dog", "ein Hund")
    entries = [e._replace(examples=(example,)) for e in small_lexicon().entries[:2]]
    Lexicon(EN_DE, entries, "csls").save(tmp_path / "x.tbx")
    en, de = ET.parse(tmp_path / "x.tbx").getroot().iterfind(".//langSec", TBX)
    assert [d.text for d in en.iterfind("termSec/descrip", TBX)] == ["a dog"]
    assert [d.text for d in de.iterfind("termSec/descrip", TBX)] == ["ein Hund"] * 2


def entries_of(lexicon):
    return [(entry.source, entry.target, entry.score) for entry in lexicon]


@pytest.mark.parametrize("turned", [False, True])
def test_text_that_the_model_knows_gives_what_it_gives_without(turned, monkeypatch):
    corpus = SyntheticCorpus(1000, seed=1)
    text = [*corpus.pairs("en", "de"), (["unknown"], ["words"]), ([], ["blank"])]
    model = BilBOWA(parallel={("en", "de"): text}, epochs=2, vector_size=20, workers=1)
    aligned = []

    def noted(*args, **kwargs):
        aligned.append(args)
        return align(*args, **kwargs)

    monkeypatch.setattr(extraction, "align", noted)
    given = {("de", "en"): [pair[::-1] for pair in text]} if turned else {("en", "de"): text}
    again = model.lexicon("en", "de", parallel=given)
    assert entries_of(again) == entries_of(model.lexicon("en", "de"))
    assert len(aligned) == turned  # another order of the languages is not recognized, and the same


def test_other_text_takes_the_place_of_what_the_model_knows():
    corpus = SyntheticCorpus(1000, seed=1)
    text = list(corpus.pairs("en", "de"))
    model = BilBOWA(parallel={("en", "de"): text}, epochs=2, vector_size=20, workers=1)
    few = model.lexicon("en", "de", parallel={("en", "de"): text[:50]})
    assert entries_of(few) != entries_of(model.lexicon("en", "de"))
