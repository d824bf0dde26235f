from __future__ import annotations

import numpy as np
import pytest
from gensim.models import KeyedVectors
from samples import SMALL, made_up_pairs
from scipy import sparse

from gensim_bilbowa import BilBOWA, CrossLingualVectors, kernels
from gensim_bilbowa.errors import ConfigError, UnknownLanguageError, UnknownWordError
from gensim_bilbowa.evidence import AlignedCounts, Evidence, Spelling
from gensim_bilbowa.lexicons import extract_lexicon
from gensim_bilbowa.vectors import retrieval


def keyed(words, vectors):
    kv = KeyedVectors(vectors.shape[1])
    kv.add_vectors(words, vectors.astype(np.float32))
    return kv


def space(seed=0, dim=6, **sizes):
    rng = np.random.default_rng(seed)
    return CrossLingualVectors(
        {code: keyed([f"{code}{i}" for i in range(n)], rng.normal(size=(n, dim)))
         for code, n in sizes.items()}
    )  # fmt: skip


def unit(matrix):
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def brute_csls(a, b, k):
    cos = unit(a) @ unit(b).T
    r_a = np.sort(cos, axis=1)[:, -k:].mean(axis=1)
    r_b = np.sort(cos, axis=0)[-k:].mean(axis=0)
    return 2 * cos - r_a[:, None] - r_b


@pytest.mark.parametrize("k", [1, 3, 10, 500])
@pytest.mark.parametrize("seed", range(3))
def test_scores_equal_the_formulas(seed, k):
    vectors = space(seed, en=40, de=60)
    en, de = vectors["en"], vectors["de"]
    cos = unit(en.vectors) @ unit(de.vectors).T
    scaled = brute_csls(en.vectors, de.vectors, k)
    for i in (0, 17, 39):
        np.testing.assert_allclose(en.most_similar_cross(f"en{i}", None), cos[i], atol=1e-6)
        np.testing.assert_allclose(
            en.most_similar_cross(f"en{i}", None, method="csls", k=k), scaled[i], atol=1e-5
        )
        for method, expected in (("cosine", cos[i]), ("csls", scaled[i])):
            got = en.most_similar_cross(f"en{i}", 5, method=method, k=k)
            best = np.argsort(-expected)[:5]
            assert [word for word, _ in got] == [f"de{j}" for j in best]
            np.testing.assert_allclose([score for _, score in got], expected[best], atol=1e-5)


@pytest.mark.parametrize(("topn", "count"), [(0, 0), (1, 1), (7, 7), (100, 7)])
@pytest.mark.parametrize("method", ["cosine", "csls"])
def test_topn_bounds_the_answer(topn, count, method):
    assert len(space(en=5, de=7)["en"].most_similar_cross("en1", topn, method=method)) == count


def test_restrict_vocab_searches_the_first_words():
    en = space(en=5, de=50)["en"]
    got = en.most_similar_cross("en1", 50, restrict_vocab=10)
    assert {word for word, _ in got} == {f"de{i}" for i in range(10)}
    full = dict(en.most_similar_cross("en1", 50))
    assert all(score == pytest.approx(full[word]) for word, score in got)


def test_ties_go_to_the_more_frequent_word():
    vectors = CrossLingualVectors(
        {"en": keyed(["e"], np.ones((1, 2))), "de": keyed(list("abcd"), np.ones((4, 2)))}
    )
    assert [w for w, _ in vectors["en"].most_similar_cross("e", 3)] == ["a", "b", "c"]


@pytest.mark.parametrize("method", ["cosine", "csls"])
def test_zero_vectors_are_similar_to_nothing(method):
    matrix = np.eye(3)
    matrix[1] = 0
    vectors = CrossLingualVectors(
        {"en": keyed(list("abc"), matrix), "de": keyed(list("xyz"), matrix)}
    )
    for word in "abc":
        scores = vectors["en"].most_similar_cross(word, None, method=method)
        assert np.isfinite(scores).all()
    assert vectors["en"].most_similar_cross("b", None).tolist() == [0, 0, 0]
    assert vectors["en"].similarity_cross("a", "x") == 1
    assert vectors["en"].similarity_cross("b", "x") == 0


def test_vectors_and_indices_are_queries_too():
    en = space(en=5, de=9)["en"]
    by_word = en.most_similar_cross("en3")
    assert en.most_similar_cross(3) == by_word
    assert en.most_similar_cross(np.int64(3)) == by_word
    assert [w for w, _ in en.most_similar_cross(en["en3"] * 7)] == [w for w, _ in by_word]
    with pytest.raises(ConfigError, match=r"shape \(6,\) is wanted.*\(4,\)"):
        en.most_similar_cross(np.ones(4))


def test_unknown_word_is_named_with_its_language_and_where_it_exists():
    vectors = space(en=5, de=9, fr=3)
    with pytest.raises(UnknownWordError) as caught:
        vectors["en"].most_similar_cross("de3", lang="de")
    assert (
        str(caught.value) == "'de3' is not in the 'en' vocabulary (5 words); it is a word of 'de'"
    )
    with pytest.raises(KeyError, match=r"'nowhere' is not in the 'de' vocabulary \(9 words\)$"):
        vectors["en"].similarity_cross("en1", "nowhere", lang="de")
    with pytest.raises(KeyError, match="'en' vocabulary"):
        vectors["en"].get_vector("nowhere")


def test_other_language_is_chosen_or_asked_for():
    vectors = space(en=5, de=9, fr=3)
    with pytest.raises(ConfigError, match=r"lang= one of \['de', 'fr'\]"):
        vectors["en"].most_similar_cross("en1")
    assert vectors["en"].most_similar_cross("en1", 1, "fr")[0][0].startswith("fr")
    with pytest.raises(UnknownLanguageError, match="'xx'"):
        vectors["en"].most_similar_cross("en1", lang="xx")
    with pytest.raises(UnknownLanguageError, match="'en'"):
        vectors["en"].most_similar_cross("en1", lang="en")
    with pytest.raises(UnknownLanguageError, match="stand alone"):
        space(en=3)["en"].most_similar_cross("en1")
    with pytest.raises(UnknownLanguageError, match="'xx'"):
        vectors["xx"]


@pytest.mark.parametrize(
    "bad",
    [{"method": "dot"}, {"topn": -1}, {"topn": True}, {"k": 0}, {"beta": 0}, {"beta": np.nan}],
)
def test_bad_options_are_refused(bad):
    with pytest.raises(ConfigError):
        space(en=3, de=3)["en"].most_similar_cross("en1", **bad)


def test_crowding_is_kept_until_vectors_change():
    vectors = space(en=30, de=30)
    first = vectors["de"].crowding("en")
    assert vectors["de"].crowding("en") is first
    vectors["en"].vectors[:] = vectors["en"].vectors[::-1] * 2 + 1
    vectors["en"].fill_norms(force=True)
    again = vectors["de"].crowding("en")
    r = np.sort(unit(vectors["de"].vectors) @ unit(vectors["en"].vectors).T, axis=1)[:, -10:]
    np.testing.assert_allclose(again, r.mean(axis=1), atol=1e-5)


def test_added_vectors_are_found_at_once():
    vectors = space(en=5, de=9)
    en, de = vectors["en"], vectors["de"]
    en.most_similar_cross("en1", method="csls")
    de.add_vectors(["new", "de1"], np.vstack([en["en1"], en["en1"]]), extras={"count": [7, 8]})
    assert en.most_similar_cross("en1", 1, method="csls")[0][0] == "new"
    assert de.get_vecattr("new", "count") == 7
    assert de.get_vecattr("de1", "count") == 0
    assert en.similarity_cross("en1", "de1") < 0.99
    de.add_vectors(["de1"], en["en2"].reshape(1, -1), extras={"count": [9]}, replace=True)
    assert en.most_similar_cross("en2", 1)[0] == ("de1", pytest.approx(1))
    assert de.get_vecattr("de1", "count") == 9
    de["de2"] = en["en3"]
    assert en.most_similar_cross("en3", 1)[0][0] == "de2"
    with pytest.warns(UserWarning, match="costly"):
        de.add_vector("newest", en["en4"])
    assert en.most_similar_cross("en4", 1)[0][0] == "newest"


def test_vectors_that_do_not_fit_are_refused():
    kv = keyed(["a", "b"], np.eye(2))
    with pytest.raises(ConfigError, match="one vector size"):
        CrossLingualVectors({"en": kv, "de": keyed(["x"], np.ones((1, 3)))})
    kv.vectors[1, 0] = np.inf
    with pytest.raises(ConfigError, match=r"'en': the vector of 'b' is not finite"):
        CrossLingualVectors({"en": kv})


def test_vectors_so_long_that_their_length_overflows_are_refused():
    kv = keyed(["a", "b"], np.eye(2))
    kv.vectors[1, 0] = 1e19
    CrossLingualVectors({"en": kv})
    kv.vectors[1, 0] = 1e20
    with pytest.raises(ConfigError, match=r"the vector of 'b' is too long for single precision"):
        CrossLingualVectors({"en": kv})
    vectors = space(en=3, de=3)
    with pytest.raises(ConfigError, match="or is too long"):
        vectors["en"].most_similar_cross(np.full(vectors["en"].vector_size, 1e20))
    vectors["en"].vectors[1] = 1e20
    vectors["en"].norms = None
    for word in ("en0", "en1"):
        with pytest.raises(ConfigError, match=r"the vector of 'en1' .*is too long"):
            vectors["en"].most_similar_cross(word, method="csls")


def test_given_vectors_stay_plain_and_are_shared():
    kv = keyed(["a", "b"], np.eye(2))
    vectors = CrossLingualVectors({"en": kv})
    assert type(kv) is KeyedVectors
    assert vectors["en"].vectors is kv.vectors
    assert list(vectors) == ["en"]
    assert repr(vectors) == "CrossLingualVectors<en: 2 words>"


def test_blocks_do_not_change_neighbours(monkeypatch):
    rng = np.random.default_rng(0)
    a, b = (unit(rng.normal(size=(n, 8))).astype(np.float32) for n in (57, 83))
    whole = retrieval.nearest(a, b, 6)
    monkeypatch.setattr(retrieval, "_BLOCK_BYTES", 4 * 83 * 5)
    blocks = retrieval.nearest(a, b, 6)
    np.testing.assert_array_equal(whole[0], blocks[0])
    np.testing.assert_allclose(whole[1], blocks[1], atol=1e-6)


@pytest.mark.parametrize("tile", [(1, 1), (5, 7), (64, 200), (1024, 16384)])
@pytest.mark.parametrize("k", [1, 10, 60, 1000])
@pytest.mark.parametrize("level", kernels.levels())
def test_neighbourhoods_equal_the_formula_in_tiles_of_any_size(monkeypatch, tile, k, level):
    monkeypatch.setattr(retrieval, "_TILE", tile)
    before = kernels.level()
    kernels.use_level(level)
    rng = np.random.default_rng(0)
    a, b = (unit(rng.normal(size=(n, 8))).astype(np.float32) for n in (57, 301))
    of_a, of_b = retrieval.neighbourhoods(a, b, k)
    kernels.use_level(before)
    cos = a @ b.T
    np.testing.assert_allclose(of_a, np.sort(cos, axis=1)[:, -k:].mean(axis=1), atol=1e-6)
    np.testing.assert_allclose(of_b, np.sort(cos, axis=0)[-k:].mean(axis=0), atol=1e-6)


def brute_inverted_softmax(a, b, beta):
    weights = beta * (unit(a.astype(np.float64)) @ unit(b.astype(np.float64)).T)
    return weights - np.logaddexp.reduce(weights, axis=0)


@pytest.mark.parametrize("beta", [0.5, 30.0, 300.0])
@pytest.mark.parametrize("tile", [(7, 9), (1024, 16384)])
def test_inverted_softmax_equals_the_formula(monkeypatch, beta, tile):
    monkeypatch.setattr(retrieval, "_TILE", tile)
    vectors = space(en=40, de=60)
    en = vectors["en"]
    expected = brute_inverted_softmax(en.vectors, vectors["de"].vectors, beta)
    options = {"method": "inverted_softmax", "beta": beta}
    for i in (0, 39):
        np.testing.assert_allclose(
            en.most_similar_cross(i, None, **options), expected[i], rtol=1e-5, atol=3e-6 * beta
        )
        best = np.argsort(-expected[i])[:3]
        assert [w for w, _ in en.most_similar_cross(i, 3, **options)] == [f"de{j}" for j in best]
    np.testing.assert_allclose(np.exp(expected).sum(axis=0), 1)  # probabilities


METHODS = [{}, {"method": "csls", "k": 3}, {"method": "inverted_softmax", "beta": 10.0}]


@pytest.mark.parametrize("options", METHODS)
@pytest.mark.parametrize(("topn", "restrict"), [(0, None), (4, None), (50, None), (4, 7), (9, 0)])
def test_batch_equals_single_queries(options, topn, restrict):
    en = space(en=20, de=30)["en"]
    words = [f"en{i}" for i in range(20)]
    batch = en.most_similar_cross_batch(words, topn, restrict_vocab=restrict, **options)
    assert len(batch) == 20
    for word, found in zip(words, batch, strict=True):
        single = en.most_similar_cross(word, topn, restrict_vocab=restrict, **options)
        assert [w for w, _ in found] == [w for w, _ in single]
        np.testing.assert_allclose([s for _, s in found], [s for _, s in single], rtol=1e-4)
    vectors = en.most_similar_cross_batch(en.vectors * 3, topn, restrict_vocab=restrict, **options)
    assert [[w for w, _ in row] for row in vectors] == [[w for w, _ in row] for row in batch]


def test_batch_takes_lists_of_words_alone():
    en = space(en=5, de=7)["en"]
    assert en.most_similar_cross_batch([]) == []
    with pytest.raises(ConfigError, match="list of words"):
        en.most_similar_cross_batch("en1")
    with pytest.raises(ConfigError, match="topn must be a number"):
        en.most_similar_cross_batch(["en1"], None)
    with pytest.raises(UnknownWordError, match="'nowhere'"):
        en.most_similar_cross_batch(["en1", "nowhere"])


@pytest.mark.parametrize("method", ["cosine", "csls", "inverted_softmax"])
def test_zero_vectors_give_no_nan_in_a_batch(method):
    matrix = np.eye(4)
    matrix[1] = 0
    words = list("abcd")
    en = CrossLingualVectors({"en": keyed(words, matrix), "de": keyed(words, matrix)})["en"]
    scores = [s for row in en.most_similar_cross_batch(words, 4, method=method) for _, s in row]
    assert len(scores) == 16
    assert np.isfinite(scores).all()


def test_both_languages_crowding_takes_one_comparison(monkeypatch):
    vectors = space(en=30, de=40)
    vectors["en"].crowding("de")
    monkeypatch.setattr(retrieval.kernels, "keep_largest", None)
    vectors["de"].crowding("en")


def test_batched_neighbours_equal_single_queries():
    vectors = space(en=20, de=30)
    en, de = vectors["en"], vectors["de"]
    indices, scores = retrieval.nearest(
        en.unit_vectors(), de.unit_vectors(), 4, scoring=en.scoring(method="csls")
    )
    for i in range(20):
        single = en.most_similar_cross(f"en{i}", 4, method="csls")
        assert [w for w, _ in single] == [f"de{j}" for j in indices[i]]
        np.testing.assert_allclose([s for _, s in single], scores[i], atol=1e-5)


# ---- by all that is known: method "hybrid"


def counts_of(n, m, seed=0):
    """Counts of about a third of the pairs of words."""
    rng = np.random.default_rng(seed)
    dense = np.round(rng.random((n, m)) * 9, 1) * (rng.random((n, m)) < 0.3)
    return sparse.csr_array(dense.astype(np.float32))


def counted(*, en=20, de=30, seed=0):
    known = AlignedCounts()
    known.add("en", "de", counts_of(en, de, seed))
    return CrossLingualVectors(space(seed, en=en, de=de), known)


def brute_hybrid(vectors, one, other, k=10):
    """CSLS and the evidence, of which the counts are those of the space."""
    here, there = vectors[one], vectors[other]
    scores = brute_csls(here.vectors, there.vectors, k).astype(np.float32)
    alike = Spelling.compare(here.index_to_key, there.index_to_key)
    Evidence.of(here.aligned(other), alike).add_to(scores, slice(None))
    return scores


@pytest.mark.parametrize("direction", [("en", "de"), ("de", "en")])
@pytest.mark.parametrize("k", [1, 10])
def test_hybrid_adds_the_evidence_to_csls(direction, k):
    vectors = counted()
    one, other = direction
    expected = brute_hybrid(vectors, one, other, k)
    csls = brute_csls(vectors[one].vectors, vectors[other].vectors, k)
    assert abs(expected - csls).max() > 0.5
    for i, word in enumerate(vectors[one].index_to_key):
        for asked in (word, i, np.int64(i)):
            found = vectors[one].most_similar_cross(asked, None, method="hybrid", k=k)
            np.testing.assert_allclose(found, expected[i], atol=1e-5)


@pytest.mark.parametrize("made", [counted, lambda: space(en=20, de=30)], ids=["counts", "none"])
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
    en = space(en=15, de=16)["en"]
    hybrid, csls = (en.most_similar_cross("en12", None, method=m) for m in ("hybrid", "csls"))
    expected = np.zeros(16)
    expected[12] = 0.7 / 4  # "12>", of four trigrams each
    np.testing.assert_allclose(hybrid - csls, expected, atol=1e-6)


@pytest.mark.parametrize(("topn", "restrict"), [(0, None), (4, None), (50, None), (4, 7), (9, 0)])
@pytest.mark.parametrize("made", [counted, lambda: space(en=20, de=30)], ids=["counts", "none"])
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
    vectors = CrossLingualVectors(space(en=5, de=9, fr=9), known)
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
