from __future__ import annotations

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st
from samples import made_up_pairs
from scipy import sparse

from gensim_bilbowa import CrossLingualVectors, ParallelSentences, align
from gensim_bilbowa.baselines import IBM1, autoencoder, bicvm, klementiev, mapped
from gensim_bilbowa.baselines.autoencoder import (
    Parameters,
    correlation,
    gradients,
    reconstruction,
)
from gensim_bilbowa.baselines.bicvm import hinge
from gensim_bilbowa.baselines.bitext import read_bitext
from gensim_bilbowa.baselines.descent import AdaGrad, batches
from gensim_bilbowa.baselines.ibm1 import align_words
from gensim_bilbowa.baselines.klementiev import AlignmentRegularizer, alignment_weights
from gensim_bilbowa.baselines.skipgram import skip_grams
from gensim_bilbowa.errors import (
    ConfigError,
    CorpusError,
    TrainingDivergedError,
    UnknownLanguageError,
)

EN_DE = ("en", "de")
PAIRS = ParallelSentences(made_up_pairs(400, words=20), languages=EN_DE)
SIDES = {code: PAIRS.side(code) for code in EN_DE}
DICTIONARY = {f"e{i}": [f"d{i}"] for i in range(20)}

# Each trained system, quick and with settings for a vocabulary of 20 words.
TRAINED = {
    "bicvm": lambda pairs=PAIRS, **kw: bicvm(
        pairs, **{"vector_size": 10, "epochs": 4, "min_count": 1, "sample": 1e-2} | kw),
    "autoencoder": lambda pairs=PAIRS, **kw: autoencoder(
        pairs, **{"vector_size": 10, "epochs": 6, "min_count": 1, "merge": 1, "batch_bags": 16}
        | kw),
    "klementiev": lambda pairs=PAIRS, **kw: klementiev(
        pairs, **{"vector_size": 10, "epochs": 4, "min_count": 1, "sample": 0, "workers": 1} | kw),
}  # fmt: skip


def text_of(*pairs, min_count=0):
    given = [(a.split(), b.split()) for a, b in pairs]
    return read_bitext(ParallelSentences(given, languages=EN_DE), min_count)


def numerical(loss, array, step=1e-6):
    """Central differences of a loss that reads `array`, which is changed and put back."""
    found = np.zeros_like(array)
    for place in np.ndindex(array.shape):
        kept = array[place]
        array[place] = kept + step
        above = loss()
        array[place] = kept - step
        found[place] = (above - loss()) / (2 * step)
        array[place] = kept
    return found


def right_at_one(vectors):
    answers = [vectors["en"].most_similar_cross(f"e{i}", 1)[0][0] for i in range(20)]
    return sum(answer == f"d{i}" for i, answer in enumerate(answers))


# ---- what all trained systems do


@pytest.mark.parametrize("system", TRAINED)
def test_words_lie_next_to_their_translations(system):
    assert right_at_one(TRAINED[system]()) >= 18


@pytest.mark.parametrize("system", TRAINED)
def test_a_seed_decides_the_vectors(system):
    one, same, other = (TRAINED[system](epochs=1, seed=seed)["de"].vectors for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("system", TRAINED)
def test_vectors_come_with_the_counts_of_their_words(system):
    vectors = TRAINED[system](epochs=1, min_count=30)
    assert isinstance(vectors, CrossLingualVectors)
    for code in EN_DE:
        tokens = [word for sentence in PAIRS.side(code) for word in sentence]
        counts = {
            word: vectors[code].get_vecattr(word, "count") for word in vectors[code].index_to_key
        }
        assert counts == {w: n for w in set(tokens) if (n := tokens.count(w)) >= 30}
        assert list(counts.values()) == sorted(counts.values(), reverse=True)
        assert vectors[code].vectors.dtype == np.float32


@pytest.mark.parametrize("system", TRAINED)
@pytest.mark.parametrize(
    "options",
    [{"vector_size": 0}, {"epochs": 0}, {"min_count": -1}, {"seed": -1}, {"epochs": 1.5}],
    ids=str,
)
def test_parameters_are_checked(system, options):
    (name,) = options
    with pytest.raises(ConfigError, match=f"{name} must be a whole number"):
        TRAINED[system](**options)


@pytest.mark.parametrize("system", TRAINED)
def test_text_without_a_usable_pair_is_refused(system):
    with pytest.raises(CorpusError, match="none of its 2 pairs has a known word on both sides"):
        TRAINED[system](ParallelSentences([(["a"], []), ([], ["b"])], languages=EN_DE))


@pytest.mark.parametrize("system", ["bicvm", "autoencoder"])
def test_training_that_diverges_is_refused(system):
    with pytest.raises(TrainingDivergedError, match="in epoch 1: the loss is"):
        TRAINED[system](rate=1e30)


@pytest.mark.parametrize(("system", "message"), [
    ("bicvm", "no other sentence to compare with"), ("autoencoder", "at least two bags"),
])  # fmt: skip
def test_a_single_pair_is_too_few(system, message):
    with pytest.raises(CorpusError, match=message):
        TRAINED[system](ParallelSentences([(["a"], ["b"])], languages=EN_DE))


# ---- bags and batches


def test_bags_count_the_words_of_usable_pairs():
    text = text_of(("a b a", "x"), ("", "y"), ("b", "y x y"))
    assert text.vocabularies == ({"a": 0, "b": 1}, {"y": 0, "x": 1})
    assert [bag.toarray().tolist() for bag in text.bags()] == [[[2, 1], [0, 1]], [[0, 1], [2, 1]]]


@given(st.integers(2, 60), st.integers(2, 20), st.integers(0, 9))
def test_batches_have_each_number_once_and_never_one_alone(n, size, seed):
    found = list(batches(n, size, np.random.default_rng(seed)))
    assert sorted(np.concatenate(found).tolist()) == list(range(n))
    assert min(map(len, found)) >= 2
    assert max(map(len, found)) < 2 * size or len(found) == 1


def test_adagrad_divides_by_the_root_of_all_squares():
    parameters = np.zeros((3, 1), np.float32)
    descent = AdaGrad(parameters, 0.5)
    descent.step(np.array([[3.0], [1.0]], np.float32), np.array([2, 0]))
    descent.step(np.array([[4.0]], np.float32), np.array([2]))
    np.testing.assert_allclose(parameters[:, 0], [-0.5, 0, -0.5 - 0.5 * 4 / 5], rtol=1e-6)


# ---- BiCVM


def hinge_by_hand(a, b, noise, margin):
    def energy(i, j):
        return ((a[i] - b[j]) ** 2).sum()

    return sum(
        max(0, margin + energy(i, i) - energy(i, j)) + max(0, margin + energy(i, i) - energy(j, i))
        for i, j in zip(*np.nonzero(noise), strict=True)
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_hinge_loss_and_its_gradients(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, 5, 3))
    noise = rng.random((5, 5)) < 0.5
    noise[np.diag_indices(5)] = False
    loss, of_a, of_b = hinge(a, b, noise, 1.5)
    assert loss == pytest.approx(hinge_by_hand(a, b, noise, 1.5))
    for array, gradient in ((a, of_a), (b, of_b)):
        expected = numerical(lambda: hinge_by_hand(a, b, noise, 1.5), array)
        np.testing.assert_allclose(gradient, expected, atol=1e-5)


def test_sentences_far_enough_from_noise_are_left_alone():
    a = np.diag([10.0, 20.0])
    loss, of_a, of_b = hinge(a, a.copy(), ~np.eye(2, dtype=bool), 1.0)
    assert loss == 0
    assert not of_a.any()
    assert not of_b.any()


def test_bicvms_regulariser_shortens_vectors():
    long, short = (TRAINED["bicvm"](l2=l2)["en"].vectors for l2 in (0, 5))
    assert np.square(short).sum() < np.square(long).sum()


# ---- the autoencoder


def test_reconstruction_by_hand_and_its_gradients():
    rng = np.random.default_rng(1)
    codes, vectors, bias = rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=5)
    bags = (rng.random((3, 5)) < 0.5).astype(float)

    def loss():
        chances = 1 / (1 + np.exp(-(codes @ vectors.T + bias)))
        return -np.log(np.where(bags > 0, chances, 1 - chances)).sum()

    found, *slopes = reconstruction(codes, vectors, bias, bags)
    assert found == pytest.approx(loss())
    for array, gradient in zip((codes, vectors, bias), slopes, strict=True):
        np.testing.assert_allclose(gradient, numerical(loss, array), atol=1e-6)


def test_reconstruction_stays_finite_where_words_are_certain():
    codes, vectors = np.full((1, 1), 1e3, np.float32), np.array([[1.0], [-1.0]], np.float32)
    found = reconstruction(codes, vectors, np.zeros(2, np.float32), np.eye(2, dtype=np.float32)[:1])
    assert found[0] == pytest.approx(0, abs=1e-6)
    assert all(np.isfinite(gradient).all() for gradient in found[1:])


def test_correlation_is_numpys_and_its_gradients():
    a, b = np.random.default_rng(2).normal(size=(2, 6, 3))
    found, of_a, of_b = correlation(a, b)
    columns = zip(a.T, b.T, strict=True)
    assert found == pytest.approx(sum(np.corrcoef(x, y)[0, 1] for x, y in columns), abs=1e-6)
    for array, gradient in ((a, of_a), (b, of_b)):
        expected = numerical(lambda: correlation(a, b)[0], array)
        np.testing.assert_allclose(gradient, expected, atol=1e-6)


@pytest.mark.parametrize("weight", [0.0, 3.0])
def test_the_autoencoders_gradients(weight):
    rng = np.random.default_rng(3)
    bags = tuple(sparse.csr_array((rng.random((4, n)) < 0.5).astype(float)) for n in (5, 6))
    parameters = Parameters(
        (rng.normal(size=(5, 3)), rng.normal(size=(6, 3))),
        (rng.normal(size=5), rng.normal(size=6)),
        rng.normal(size=3),
    )
    _, found = gradients(parameters, bags, weight)
    for array, gradient in zip(parameters.arrays, found.arrays, strict=True):
        expected = numerical(lambda: gradients(parameters, bags, weight)[0], array)
        np.testing.assert_allclose(gradient, expected, atol=1e-5)


def test_merged_bags_train_as_well():
    assert right_at_one(TRAINED["autoencoder"](merge=2, epochs=20)) >= 18


# ---- IBM model 1

KOEHN = [("the house", "das Haus"), ("the book", "das Buch"), ("a book", "ein Buch")]


@pytest.mark.parametrize(
    ("epochs", "the_das", "the_buch", "house_haus", "book_buch", "a_ein"),
    [
        (1, 0.5, 0.25, 0.5, 0.5, 0.5),
        (2, 0.6364, 0.1818, 0.5714, 0.6364, 0.5714),
        (3, 0.7479, 0.1208, 0.6534, 0.7479, 0.6534),
        (200, 1, 0, 1, 1, 1),
    ],
)
def test_ibm1_is_koehns_table(epochs, the_das, the_buch, house_haus, book_buch, a_ein):
    # Statistical Machine Translation (2010), chapter 4.
    text = text_of(*KOEHN)
    table = align_words(text, epochs, null=False).probabilities
    source, target = text.vocabularies
    asked = ("the", "das"), ("the", "Buch"), ("house", "Haus"), ("book", "Buch"), ("a", "ein")
    found = [table[source[e], target[f]] for e, f in asked]
    published = [the_das, the_buch, house_haus, book_buch, a_ein]
    assert found == pytest.approx(published, abs=5e-5 if epochs < 4 else 0.01)


def test_the_likelihood_before_training_is_koehns():
    # Perplexity 4096 = 2 ** 12 at the start, 202.3 after one pass.
    found = align_words(text_of(*KOEHN), 2, null=False).log_likelihoods
    assert np.exp2(-np.array(found) / np.log(2)) == pytest.approx([4096, 202.3], abs=0.05)


def ibm1_by_hand(pairs, epochs, null):
    table = {}
    for _ in range(epochs):
        counts = {}
        for source, target in pairs:
            words = [*source, None] if null else source
            for f in target:
                total = sum(table.get((e, f), 1) if table else 1 for e in words)
                for e in words:
                    share = (table[e, f] if table else 1) / total
                    counts[e, f] = counts.get((e, f), 0) + share
        sums = {}
        for (e, _f), count in counts.items():
            sums[e] = sums.get(e, 0) + count
        table = {(e, f): count / sums[e] for (e, f), count in counts.items()}
    return table, counts


@pytest.mark.parametrize("null", [True, False])
def test_ibm1_agrees_with_loops_over_words(null):
    pairs = made_up_pairs(30, words=8)
    text = read_bitext(ParallelSentences(pairs, languages=EN_DE), 1)
    found = align_words(text, 3, null=null)
    table, counts = ibm1_by_hand(pairs, 3, null)
    names = [[*text.vocabularies[0], None], list(text.vocabularies[1])]
    for matrix, expected in ((found.probabilities, table), (found.forth, counts)):
        got = matrix.tocoo()
        pairs_found = {
            (names[0][i], names[1][j]): value
            for i, j, value in zip(*got.coords, got.data, strict=True)
        }
        assert pairs_found == pytest.approx(expected, rel=1e-5)


@given(st.lists(st.tuples(*[st.lists(st.sampled_from("abc"), min_size=1, max_size=4)] * 2),
                min_size=1, max_size=5))  # fmt: skip
def test_the_likelihood_never_falls(pairs):
    text = read_bitext(ParallelSentences(pairs, languages=EN_DE), 1)
    found = align_words(text, 6)
    assert (np.diff(found.log_likelihoods) >= -1e-5).all()
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1, rtol=1e-6)
    tokens = sum(len(target) for _, target in pairs)
    assert found.forth.sum() == pytest.approx(tokens, rel=1e-5)


def test_ibm1_ranks_in_either_direction():
    for source, target in (EN_DE, EN_DE[::-1]):
        ranker = IBM1(PAIRS, source=source, min_count=1)
        right = [ranker.rank(word)[word][0][0] == target[0] + word[1:] for word in ranker.source]
        assert sum(right) >= 18
        assert ranker.languages == (source, target)


def test_words_that_never_meet_are_no_candidates():
    ranker = IBM1(ParallelSentences([(a.split(), b.split()) for a, b in KOEHN], languages=EN_DE),
                  min_count=1)  # fmt: skip
    assert {word for word, _ in ranker.rank("a", 9)["a"]} == {"ein", "Buch"}


def test_ibm1_refuses_a_language_that_is_not_there():
    with pytest.raises(UnknownLanguageError, match="no side is 'fr'"):
        IBM1(PAIRS, source="fr")


# ---- Klementiev et al.


def test_a_step_is_the_gradient_over_each_words_weight():
    rng = np.random.default_rng(4)
    weights = np.array([[2.0, 0, 1], [0, 0, 3], [0, 0, 0]])
    r, s = rng.normal(size=(2, 3, 2))
    regularizer = AlignmentRegularizer(sparse.csr_array(weights))
    assert regularizer.loss(r, s) == pytest.approx(
        sum(weights[i, j] * ((r[i] - s[j]) ** 2).sum() / 2 for i in range(3) for j in range(3))
    )
    slopes = [numerical(lambda: regularizer.loss(r, s), array) for array in (r, s)]
    sums = [np.maximum(weights.sum(axis=axis), 1)[:, None] for axis in (1, 0)]
    expected = [
        array - 0.3 * slope / total
        for array, slope, total in zip((r, s), slopes, sums, strict=True)
    ]
    regularizer.descend(r, s, 0.3)
    np.testing.assert_allclose(r, expected[0], atol=1e-6)
    np.testing.assert_allclose(s, expected[1], atol=1e-6)


def test_words_are_aligned_where_both_directions_agree():
    text = text_of(*KOEHN)
    weights = alignment_weights(text, 10).toarray()
    forth, back = align_words(text, 10), align_words(text.turned(), 10)
    i, j = text.vocabularies[0]["the"], text.vocabularies[1]["das"]
    assert weights[i, j] == pytest.approx(np.sqrt(forth.forth[i, j] * back.forth[j, i]))
    assert weights[text.vocabularies[0]["house"], text.vocabularies[1]["ein"]] == 0


def test_klementiev_learns_from_monolingual_text_too():
    more = {"en": [*SIDES["en"], ["e0", "new"] * 3] * 2}
    vectors = TRAINED["klementiev"](sentences=more)
    assert "new" in vectors["en"]
    assert right_at_one(vectors) >= 18


def test_klementiev_refuses_vocabularies_without_aligned_words():
    with pytest.raises(ConfigError, match="no words of the parallel text are aligned"):
        TRAINED["klementiev"](sentences={"en": [["other", "words"]] * 3})


def test_klementiev_refuses_text_of_a_third_language():
    with pytest.raises(ConfigError, match=r"sentences of \('en', 'de'\) are wanted, got \['fr'\]"):
        TRAINED["klementiev"](sentences={"fr": SIDES["en"]})


@pytest.mark.parametrize("step", [0, -1, 1.5])
def test_klementievs_step_is_checked(step):
    with pytest.raises(ConfigError, match="step must be"):
        TRAINED["klementiev"](step=step)


# ---- mapped

QUICK = {"vector_size": 10, "epochs": 5, "min_count": 1, "workers": 1}


@pytest.mark.parametrize("method", ["procrustes", "cca", "translation_matrix"])
def test_mapped_aligns_skip_grams_that_know_nothing_of_each_other(method):
    apart = skip_grams(SIDES, alpha=0.025, **QUICK).wv
    found = mapped(SIDES, DICTIONARY, method=method, **QUICK)
    expected = align(apart, DICTIONARY, method=method)
    for code in EN_DE:
        np.testing.assert_array_equal(found[code].vectors, expected[code].vectors)


def test_skip_grams_of_one_language_do_not_depend_on_the_others():
    # The learning rate falls over all the work; at a rate that does not fall nothing is shared.
    one, other = (
        skip_grams(sides, **QUICK, alpha=0.1, min_alpha=0.1).wv["en"].vectors
        for sides in (SIDES, {"en": SIDES["en"], "fr": SIDES["de"]})
    )
    np.testing.assert_array_equal(one, other)


def test_skip_grams_keep_a_history_of_losses():
    history = skip_grams(SIDES, **QUICK).loss_history
    losses = [entry["monolingual"]["en"] for entry in history]
    assert len(losses) == 5
    assert losses[-1] < losses[0]


def test_mapped_passes_parameters_on():
    with pytest.raises(ConfigError, match="window must be a whole number"):
        mapped(SIDES, DICTIONARY, window=0)
    with pytest.raises(ConfigError, match="method must be"):
        mapped(SIDES, DICTIONARY, method="svd", **QUICK)


def test_mapped_gives_plain_gensim_vectors():
    assert isinstance(mapped(SIDES, DICTIONARY, **QUICK)["de"], KeyedVectors)
