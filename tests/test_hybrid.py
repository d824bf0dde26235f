"""Questions by all that is known: `most_similar_cross` by vectors, counts and spelling."""

from __future__ import annotations

import numpy as np
import pytest
from samples import SMALL, made_up_pairs
from scipy import sparse
from scores import drawn, formula

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.errors import ConfigError, UnknownWordError
from gensim_bilbowa.evidence import AlignedCounts, Evidence, Spelling
from gensim_bilbowa.lexicons import extract_lexicon
from gensim_bilbowa.vectors import retrieval


def counts_of(n, m, seed=0):
    """Counts of about a third of the pairs of words."""
    rng = np.random.default_rng(seed)
    dense = np.round(rng.random((n, m)) * 9, 1) * (rng.random((n, m)) < 0.3)
    return sparse.csr_array(dense.astype(np.float32))


def counted(*, en=20, de=30, seed=0):
    known = AlignedCounts()
    known.add("en", "de", counts_of(en, de, seed))
    return CrossLingualVectors(drawn(seed, en=en, de=de), known)


def brute_hybrid(vectors, one, other, k=10):
    """CSLS and the evidence, of which the counts are those of the space."""
    here, there = vectors[one], vectors[other]
    scores = formula(here.vectors, there.vectors, "csls", k).astype(np.float32)
    alike = Spelling.compare(here.index_to_key, there.index_to_key)
    Evidence.of(here.aligned(other), alike).add_to(scores, slice(None))
    return scores


@pytest.mark.parametrize("direction", [("en", "de"), ("de", "en")])
@pytest.mark.parametrize("k", [1, 10])
def test_hybrid_adds_the_evidence_to_csls(direction, k):
    vectors = counted()
    one, other = direction
    expected = brute_hybrid(vectors, one, other, k)
    csls = formula(vectors[one].vectors, vectors[other].vectors, "csls", k)
    assert abs(expected - csls).max() > 0.5
    for i, word in enumerate(vectors[one].index_to_key):
        for asked in (word, i, np.int64(i)):
            found = vectors[one].most_similar_cross(asked, None, method="hybrid", k=k)
            np.testing.assert_allclose(found, expected[i], atol=1e-5)


@pytest.mark.parametrize("made", [counted, lambda: drawn(en=20, de=30)], ids=["counts", "none"])
def test_hybrid_scores_are_those_of_the_lexicon(made):
    vectors = made()
    lexicon = extract_lexicon(vectors, "en", "de", topn=30, mutual=False, refine=False)
    found = {
        (word, other): score
        for word in vectors["en"].index_to_key
        for other, score in vectors["en"].most_similar_cross(word, 30, method="hybrid")
    }
    assert {(e.source, e.target): e.score for e in lexicon} == pytest.approx(found, abs=1e-5)
    assert len(found) == 20 * 30


def test_without_counts_spelling_alone_is_added():
    en = drawn(en=15, de=16)["en"]
    hybrid, csls = (en.most_similar_cross("en12", None, method=m) for m in ("hybrid", "csls"))
    expected = np.zeros(16)
    expected[12] = 0.7 / 4  # "12>", of four trigrams each
    np.testing.assert_allclose(hybrid - csls, expected, atol=1e-6)


@pytest.mark.parametrize(("topn", "restrict"), [(0, None), (4, None), (50, None), (4, 7), (9, 0)])
@pytest.mark.parametrize("made", [counted, lambda: drawn(en=20, de=30)], ids=["counts", "none"])
def test_hybrid_of_a_batch_is_that_of_single_words(monkeypatch, made, topn, restrict):
    monkeypatch.setattr(retrieval, "_BLOCK_BYTES", 4 * 30 * 3)
    en = made()["en"]
    words = ["en7", 3, "en0", "en7", *np.array([19, 2])]
    options = {"method": "hybrid", "restrict_vocab": restrict, "k": 3}
    batch = en.most_similar_cross_batch(words, topn, **options)
    assert len(batch) == len(words)
    for word, found in zip(words, batch, strict=True):
        single = en.most_similar_cross(word, topn, **options)
        assert [w for w, _ in found] == [w for w, _ in single]
        np.testing.assert_allclose([s for _, s in found], [s for _, s in single], rtol=1e-4)
    assert en.most_similar_cross_batch(np.array([7, 3]), topn, **options) == batch[:2]
    assert en.most_similar_cross_batch([], topn, **options) == []


def test_hybrid_asks_for_words_of_the_vocabulary():
    en = counted()["en"]
    for ask in (
        lambda: en.most_similar_cross(en["en1"], method="hybrid"),
        lambda: en.most_similar_cross_batch(en.vectors[:2], method="hybrid"),
        lambda: en.most_similar_cross_batch(["en1", en["en1"]], method="hybrid"),
    ):
        with pytest.raises(ConfigError, match="'hybrid' asks for words, not for vectors"):
            ask()

    def ask_for_many(word, **how):
        return en.most_similar_cross_batch(["en1", word], **how)

    for ask in (en.most_similar_cross, ask_for_many):
        with pytest.raises(UnknownWordError, match="'de3' is not in the 'en' vocabulary"):
            ask("de3", method="hybrid")
        with pytest.raises(ConfigError, match="k must be"):
            ask("en3", method="hybrid", k=0)
        with pytest.raises(ConfigError, match="or 'hybrid', not 'dot'"):
            ask("en3", method="dot")


def test_hybrid_of_words_that_ngrams_alone_make_is_refused():
    model = BilBOWA(
        parallel={("en", "de"): made_up_pairs(50)}, **SMALL, subwords=True, min_n=2, bucket=50
    )
    assert model.wv_en.most_similar_cross("e1", 1, method="hybrid")
    assert model.wv_en["e999"].any()
    with pytest.raises(UnknownWordError, match="'e999' is not in the 'en' vocabulary"):
        model.wv_en.most_similar_cross("e999", method="hybrid")


def test_evidence_is_kept_until_more_is_known(monkeypatch):
    vectors = counted()
    en, de = vectors["en"], vectors["de"]
    made = []
    original = Evidence.of

    def of(*given):
        made.append(None)
        return original(*given)

    def assert_made(times):
        made.clear()
        for _ in range(2):
            en.most_similar_cross("en1", method="hybrid")
            en.most_similar_cross_batch(["en1"], method="hybrid")
        assert len(made) == times
        expected = brute_hybrid(vectors, "en", "de")[1]
        found = en.most_similar_cross("en1", None, method="hybrid")
        np.testing.assert_allclose(found, expected, atol=1e-5)

    monkeypatch.setattr(Evidence, "of", of)
    assert_made(1)
    assert_made(0)
    vectors.aligned.add("de", "en", counts_of(30, 20, seed=1))
    assert_made(1)
    en.vectors[...] = en.vectors[::-1].copy()  # of which it does not depend
    en.fill_norms(force=True)
    assert_made(0)
    de.add_vectors(["new"], np.ones((1, 6), np.float32))
    assert_made(1)
    vectors.aligned.forget("en")
    assert_made(1)
    for seed in (1, 2):  # other counts, changed as often
        vectors.aligned = AlignedCounts()
        vectors.aligned.add("en", "de", counts_of(20, 31, seed))
        assert_made(1)


def test_hybrid_of_several_languages_takes_the_counts_of_each():
    known = AlignedCounts()
    known.add("en", "de", counts_of(5, 9))
    known.add("fr", "en", counts_of(9, 5, seed=3))
    vectors = CrossLingualVectors(drawn(en=5, de=9, fr=9), known)
    for one, other in (("en", "de"), ("en", "fr"), ("fr", "en"), ("de", "fr"), ("de", "en")):
        expected = brute_hybrid(vectors, one, other)
        found = vectors[one].most_similar_cross(1, None, other, "hybrid")
        np.testing.assert_allclose(found, expected[1], atol=1e-5)


def test_a_trained_model_translates_by_what_it_has_counted():
    model = BilBOWA(parallel={("en", "de"): made_up_pairs()}, **{**SMALL, "epochs": 1})
    assert model.wv_en.aligned().nnz
    asked = [f"e{i}" for i in range(20)]
    found = model.wv_en.most_similar_cross_batch(asked, 1, method="hybrid")
    assert sum(f"d{word[1:]}" == row[0][0] for word, row in zip(asked, found, strict=True)) >= 19
    expected = brute_hybrid(model.wv, "en", "de")[0]
    scores = model.wv_en.most_similar_cross(0, None, method="hybrid")
    np.testing.assert_allclose(scores, expected, atol=1e-5)
