"""Words are pulled towards their translations while the space is trained."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager

import numpy as np
import pytest
from gensim.models import Word2Vec
from gensim.models.callbacks import CallbackAny2Vec
from samples import SMALL, arrays, made_up_pairs
from scipy import sparse

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.corpora import EncodedCorpus
from gensim_bilbowa.datasets import SyntheticCorpus
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.modelling.language import LanguageModel
from gensim_bilbowa.training import Schedule, TextSource
from gensim_bilbowa.training import pulls as pulls_module
from gensim_bilbowa.training.pulls import Pulls

PAIRS = {("en", "de"): made_up_pairs(150, words=20)}
OPTIONS = {**SMALL, "vector_size": 10, "batch_words": 150, "epochs": 2, "align_pulls": 3}
SUBWORDS = {"subwords": True, "min_n": 2, "bucket": 50}
MORE = [(a, [f"f{w}" for w in b]) for a, b in made_up_pairs(80, words=20, seed=2)]
THREE = {**PAIRS, ("en", "fr"): MORE}


def copies(model):
    return {name: array.copy() for name, array in arrays(model).items()}


def assert_same(one, other):
    one, other = (dict(side) if isinstance(side, dict) else arrays(side) for side in (one, other))
    assert one.keys() == other.keys()
    for name, array in one.items():
        assert array.tobytes() == other[name].tobytes(), name


# ---- when


def schedule(epochs, pulls, jobs=10):
    """A schedule of so many jobs in each epoch."""
    corpus = EncodedCorpus(
        np.zeros(10 * jobs, np.int32), np.arange(0, 10 * jobs + 1, 10), 10 * jobs
    )
    made = Schedule(
        [TextSource("en", corpus, 10)], [], epochs=epochs, start_alpha=0.1, end_alpha=0.0, seed=1,
        pulls=pulls,
    )  # fmt: skip
    assert made.jobs(0) == jobs
    return made


@pytest.mark.parametrize(
    ("epochs", "places"),
    [
        (5, [[3, 5, 8, 10]] * 5),
        (20, [[10]] * 20),
        (3, [[2, 3, 5, 6, 8, 9], [1, 2, 4, 5, 7, 8, 10], [1, 3, 4, 6, 7, 9, 10]]),
        (1, [[1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10]]),
    ],
)
def test_twenty_pulls_are_spread_evenly_over_the_epochs(epochs, places):
    # Pull k is due after k / 20 of all jobs, ten in each epoch.
    plan = schedule(epochs, 20)
    assert [plan.pulls(number) for number in range(epochs)] == places


def test_where_there_are_fewer_jobs_than_pulls_several_follow_one_job():
    # k jobs of 20 parts, 3 / 20 each: 6 pulls until the first job's end, 13 until the second's.
    assert schedule(1, 20, jobs=3).pulls(0) == [1] * 6 + [2] * 7 + [3] * 7


def test_without_pulls_there_is_no_place():
    assert [schedule(3, 0).pulls(number) for number in range(3)] == [[], [], []]


@pytest.mark.parametrize("epochs", [1, 2, 3, 7, 20, 33])
@pytest.mark.parametrize("pulls", [1, 3, 20, 41])
@pytest.mark.parametrize("jobs", [1, 2, 17, 100])
def test_all_pulls_take_place_and_the_last_one_at_the_end(epochs, pulls, jobs):
    plan = schedule(epochs, pulls, jobs)
    places = [plan.pulls(number) for number in range(epochs)]
    assert sum(map(len, places)) == pulls
    assert places[-1][-1] == jobs
    assert all(part == sorted(part) for part in places)
    assert all(1 <= place <= jobs for part in places for place in part)


@pytest.fixture
def counted(monkeypatch):
    """Counts the pulls."""
    calls = []
    original = Pulls.pull

    def pull(self, run_all):
        calls.append(None)
        original(self, run_all)

    monkeypatch.setattr(Pulls, "pull", pull)
    return calls


@pytest.mark.parametrize(
    "options", [{"epochs": 1}, {"epochs": 3}, {"epochs": 9}, {"batch_words": 10**6}], ids=str
)
def test_training_pulls_as_often_as_it_is_told(counted, options):
    BilBOWA(parallel=PAIRS, **{**OPTIONS, "align_pulls": 7, **options})
    assert len(counted) == 7


def test_vectors_stay_as_the_last_pull_left_them(monkeypatch):
    left = []
    original = Pulls.pull

    def pull(self, run_all):
        original(self, run_all)
        left.append({code: model.wv.vectors.copy() for code, model in self._languages.items()})

    monkeypatch.setattr(Pulls, "pull", pull)
    model = BilBOWA(parallel=PAIRS, **OPTIONS)
    for code, vectors in left[-1].items():
        np.testing.assert_array_equal(model.wv[code].vectors, vectors)


# ---- how


def run_all(parts):
    for part in parts:
        part(np.zeros(1, np.int32))


def model_of(parallel=PAIRS, **options):
    """A model whose arrays are drawn at random, and weights between its words."""
    model = BilBOWA(**{**OPTIONS, **options})
    model.build_vocab(parallel=parallel)
    rng = np.random.default_rng(5)
    for code in model:
        for owner, name, _ in model[code].matrices():
            array = getattr(owner, name)
            array[...] = rng.normal(size=array.shape)
        model[code].compose()
    weights = {}
    for one in model:
        for other in model:
            if one != other:
                shape = len(model.wv[one]), len(model.wv[other])
                dense = rng.random(shape) * (rng.random(shape) < 0.2)
                dense[rng.random(shape[0]) < 0.3] = 0
                weights[one, other] = sparse.csr_array(dense, dtype=np.float32)
    return model, weights


@contextmanager
def pulls_of(model, weights, rate=0.3, context_rate=0.6, damping=0.7, frozen=()):
    with ExitStack() as layouts:
        languages = {code: model[code] for code in model}
        for language in languages.values():
            layouts.enter_context(language.padded())
        yield Pulls(
            languages, weights, rate=rate, context_rate=context_rate, damping=damping, frozen=frozen
        )


def pull(model, weights, **options):
    with pulls_of(model, weights, **options) as pulls:
        pulls.pull(run_all)


def turn(model, weights, **options):
    with pulls_of(model, weights, **options) as pulls:
        pulls.turn()


def means_and_strengths(code, rows, weights, damping):
    """The means of the words' translations and c / (c + d), on dense matrices in float64."""
    dense = {codes: w.toarray().astype(float) for codes, w in weights.items()}
    dense = {
        codes: np.where(w >= 0.01 * w.max(axis=1, keepdims=True), w, 0)
        for codes, w in dense.items()
    }
    partners = {other: w for (one, other), w in dense.items() if one == code}
    c = sum(w.sum(axis=1) for w in partners.values())
    inverse = 1 / np.where(c > 0, c, 1)
    largest = {other: dense[other, code].max(axis=1) for other in partners}
    d = damping * inverse * sum(w @ largest[other] ** 0.7 for other, w in partners.items())
    means = inverse[:, None] * sum(w @ rows[other] for other, w in partners.items())
    return means, np.where(c > 0, c / np.where(c > 0, c + d, 1), 0)[:, None]


def expected_moves(rows, weights, rate, damping):
    """The equation."""
    moves = {}
    for code, own in rows.items():
        means, strengths = means_and_strengths(code, rows, weights, damping)
        moves[code] = rate * strengths * (means - own)
    return moves


@pytest.mark.parametrize("words_at_once", [3, 2048])
@pytest.mark.parametrize("parallel", [PAIRS, THREE], ids=["two languages", "three languages"])
@pytest.mark.parametrize("size", [10, 16])
def test_a_pull_is_the_equation(monkeypatch, words_at_once, parallel, size):
    monkeypatch.setattr(pulls_module, "_WORDS", words_at_once)
    model, weights = model_of(parallel, vector_size=size)
    before = copies(model)
    pull(model, weights)
    for name, rate in (("vectors", 0.3), ("syn1neg", 0.6)):
        rows = {code: before[code, name].astype(float) for code in model}
        for code, moves in expected_moves(rows, weights, rate, 0.7).items():
            np.testing.assert_allclose(arrays(model)[code, name], rows[code] + moves, atol=1e-5)


@pytest.mark.parametrize(
    ("damping", "share"), [(0.5, 2 / (2 + 0.5 * 8**0.7)), (0.0, 1), (3.0, 2 / (2 + 3 * 8**0.7))]
)
def test_a_word_is_damped_by_what_its_translations_have_of_counts(damping, share):
    # A rare form has 2 of a word that has 8 of another form.
    model, _ = model_of()
    counts = np.zeros((20, 20), np.float32)
    counts[3, 5], counts[4, 5] = 2, 8
    weights = {
        codes: sparse.csr_array(matrix)
        for codes, matrix in {("en", "de"): counts, ("de", "en"): counts.T}.items()
    }
    before = copies(model)
    pull(model, weights, rate=1.0, damping=damping)
    own, there = before["en", "vectors"][3], before["de", "vectors"][5]
    np.testing.assert_allclose(model.wv_en.vectors[3], own + share * (there - own), atol=1e-5)


def test_words_without_translations_keep_every_bit():
    model, weights = model_of()
    before = copies(model)
    pull(model, weights)
    alone = np.asarray(weights["en", "de"].sum(axis=1)) == 0
    assert 0 < alone.sum() < len(alone)
    for name in ("vectors", "syn1neg"):
        assert arrays(model)["en", name][alone].tobytes() == before["en", name][alone].tobytes()


def test_a_language_without_pairs_stays():
    model, weights = model_of(THREE)
    before = copies(model)
    pull(model, {codes: w for codes, w in weights.items() if "fr" not in codes})
    for name in ("vectors", "syn1neg"):
        assert arrays(model)["fr", name].tobytes() == before["fr", name].tobytes()


@pytest.mark.parametrize("subwords", [{}, SUBWORDS], ids=["words", "subwords"])
def test_frozen_languages_keep_every_bit_and_draw_the_others(subwords):
    model, weights = model_of(**subwords)
    before = copies(model)
    pull(model, weights, frozen=["en"])
    for (code, name), array in arrays(model).items():
        assert (array.tobytes() == before[code, name].tobytes()) == (code == "en"), name


def test_words_with_a_lock_factor_of_0_keep_every_bit():
    model, weights = model_of()
    lockf = np.random.default_rng(1).choice([0, 0.5, 1], len(model.wv_en)).astype(np.float32)
    model.wv_en.vectors_lockf = lockf
    model.wv_en.vectors[lockf == 0, 2] = -0.0
    before = copies(model)
    pull(model, weights)
    rows = {code: before[code, "vectors"].astype(float) for code in model}
    moves = expected_moves(rows, weights, 0.3, 0.7)["en"]
    found = model.wv_en.vectors
    np.testing.assert_allclose(found, rows["en"] + lockf[:, None] * moves, atol=1e-5)
    locked = lockf == 0
    assert found[locked].tobytes() == before["en", "vectors"][locked].tobytes()


def test_contexts_are_pulled_at_a_rate_of_their_own():
    model, weights = model_of()
    before = copies(model)
    pull(model, weights, rate=0.0)
    assert arrays(model)["en", "vectors"].tobytes() == before["en", "vectors"].tobytes()
    assert (arrays(model)["en", "syn1neg"] != before["en", "syn1neg"]).any()
    model, weights = model_of()
    pull(model, weights, context_rate=0.0)
    assert (arrays(model)["en", "vectors"] != before["en", "vectors"]).any()
    assert arrays(model)["en", "syn1neg"].tobytes() == before["en", "syn1neg"].tobytes()


def test_without_contexts_vectors_alone_are_pulled():
    model, weights = model_of(hs=1, negative=0)
    before = copies(model)
    pull(model, weights)
    assert (arrays(model)["en", "vectors"] != before["en", "vectors"]).any()
    assert arrays(model)["en", "syn1"].tobytes() == before["en", "syn1"].tobytes()


def ngrams_after(model, before, moves, own_lockf, ngrams_lockf):
    """Own rows and n-grams' rows after moves of all words, word by word."""
    offsets, ids = model.wv_en.parts()
    own = before["en", "own"] + own_lockf[:, None] * moves
    ngrams = before["en", "ngrams"].astype(float)
    sums, words = np.zeros_like(ngrams), np.zeros(len(ngrams))
    for word in range(len(own)):
        for ngram in ids[offsets[word] : offsets[word + 1]]:
            sums[ngram] += moves[word]
            words[ngram] += 1
    ngrams += ngrams_lockf[:, None] * sums / np.where(words > 0, words, 1)[:, None]
    return own, ngrams


@pytest.mark.parametrize("languages", [True, ["en"]], ids=["both languages", "one language"])
@pytest.mark.parametrize("size", [10, 16])
@pytest.mark.parametrize("locks", [False, True])
def test_subwords_move_own_rows_and_ngrams(languages, size, locks):
    model, weights = model_of(**{**SUBWORDS, "subwords": languages}, vector_size=size)
    rng = np.random.default_rng(2)
    lockf, own_lockf, ngrams_lockf = (
        rng.choice([0, 0.5, 1] if locks else [1], n).astype(np.float32)
        for n in (len(model.wv_en), len(model.wv_en), 50)
    )
    model.wv_en.vectors_lockf = lockf
    model.wv_en.vectors_vocab_lockf, model.wv_en.vectors_ngrams_lockf = own_lockf, ngrams_lockf
    before = copies(model)
    pull(model, weights)
    rows = {code: before[code, "vectors"].astype(float) for code in model}
    moves = lockf[:, None] * expected_moves(rows, weights, 0.3, 0.7)["en"]
    own, ngrams = ngrams_after(model, before, moves, own_lockf, ngrams_lockf)
    np.testing.assert_allclose(model.wv_en.vectors_vocab, own, atol=1e-5)
    np.testing.assert_allclose(model.wv_en.vectors_ngrams, ngrams, atol=1e-5)
    locked = (lockf == 0) | (own_lockf == 0)
    assert model.wv_en.vectors_vocab[locked].tobytes() == before["en", "own"][locked].tobytes()
    locked = ngrams_lockf == 0
    assert model.wv_en.vectors_ngrams[locked].tobytes() == before["en", "ngrams"][locked].tobytes()
    offsets, ids = model.wv_en.parts()
    for word in range(len(own)):
        parts = ids[offsets[word] : offsets[word + 1]]
        composed = (own[word] + ngrams[parts].sum(axis=0)) / (1 + len(parts))
        np.testing.assert_allclose(model.wv_en.vectors[word], composed, atol=1e-5)


def test_words_that_all_move_alike_move_so_with_their_ngrams():
    model, _ = model_of(**SUBWORDS)
    before = model.wv_en.vectors.copy()
    moves = np.tile(np.arange(10, dtype=np.float32), (len(before), 1))
    model["en"].move_vectors(np.arange(len(before)), moves.copy())
    np.testing.assert_allclose(model.wv_en.vectors, before + moves, atol=1e-5)


# ---- whole languages turn


def expected_turns(model, weights, damping):
    """Each language's rotation and what its vectors are then, one language after the other."""
    rows = {code: arrays(model)[code, "vectors"].astype(float) for code in model}
    rotations = {}
    for code in model:
        means, strengths = means_and_strengths(code, rows, weights, damping)
        covariance = (strengths * rows[code]).T @ means
        size = len(covariance)
        singular = np.sqrt((np.linalg.svd(covariance, compute_uv=False) ** 2).mean())
        left, _, right = np.linalg.svd(covariance + 0.01 * singular * np.eye(size))
        rotations[code] = left @ right
        rows[code] = rows[code] @ rotations[code]
    return rotations


def assert_turned(model, before, rotations):
    for (code, name), array in arrays(model).items():
        turned = before[code, name] @ rotations.get(code, np.eye(array.shape[1]))
        np.testing.assert_allclose(array, turned, atol=1e-4, err_msg=f"{name} of {code}")


KINDS = {
    "skip-gram": {},
    "hierarchical softmax": {"hs": 1, "negative": 0},
    "both": {"hs": 1},
    "subwords": SUBWORDS,
    "subwords of one language": {**SUBWORDS, "subwords": ["de"]},
    "three languages": {"parallel": THREE},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [10, 16])
def test_a_turn_is_by_the_rotation_that_brings_translations_nearest(monkeypatch, kind, size):
    monkeypatch.setattr(pulls_module, "_WORDS", 3)
    monkeypatch.setattr("gensim_bilbowa.modelling.language._TURNED_AT_ONCE", 7)
    model, weights = model_of(**KINDS[kind], vector_size=size)
    before = copies(model)
    rotations = expected_turns(model, weights, 0.7)
    turn(model, weights)
    assert_turned(model, before, rotations)


@pytest.mark.parametrize("kind", KINDS)
def test_rotations_are_orthogonal_and_the_language_says_the_same_of_itself(monkeypatch, kind):
    rotations = []
    original = LanguageModel.turn

    def noted(self, rotation):
        rotations.append(rotation)
        original(self, rotation)

    monkeypatch.setattr(LanguageModel, "turn", noted)
    model, weights = model_of(**KINDS[kind])
    before = copies(model)
    turn(model, weights)
    assert len(rotations) == len(list(model))
    for rotation in rotations:
        assert rotation.dtype == np.float32
        np.testing.assert_allclose(rotation @ rotation.T, np.eye(10), atol=1e-5)
        assert abs(rotation - np.eye(10)).max() > 0.1
    after = arrays(model)
    for code in model:
        for name in ("vectors", "syn1neg", "syn1"):
            if (code, name) in before:
                now, then = (part[code, "vectors"] @ part[code, name].T for part in (after, before))
                np.testing.assert_allclose(now, then, atol=1e-4)
        assert (after[code, "vectors"] != before[code, "vectors"]).any()


def matched(**options):
    """Languages whose word i is a translation of word i, where it lies, and their weights."""
    model, _ = model_of(vector_size=8, **options)
    rng = np.random.default_rng(3)
    for name in ("vectors", "syn1neg"):
        rows = rng.normal(size=(20, 8))
        for code in model:
            arrays(model)[code, name][...] = rows
    counts = sparse.csr_array(np.diag(np.arange(1, 21)).astype(np.float32))
    return model, {(one, other): counts for one in model for other in model if one != other}


def random_rotation(size, seed=4):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(size, size)))[0]


@pytest.mark.parametrize("parallel", [PAIRS, THREE], ids=["two languages", "three languages"])
@pytest.mark.parametrize(("stay", "most"), [(0.0, 1e-4), (0.01, 0.1)])
def test_a_language_that_was_turned_away_is_turned_back(monkeypatch, parallel, stay, most):
    monkeypatch.setattr(pulls_module, "_STAY", stay)
    model, weights = matched(parallel=parallel)
    before = copies(model)
    rotation = random_rotation(8)
    for name in ("vectors", "syn1neg"):
        array = arrays(model)["en", name]
        array[...] = array @ rotation
    turn(model, weights, frozen=[code for code in model if code != "en"])
    for name, array in arrays(model).items():
        assert abs(array - before[name]).max() < most


def test_what_few_words_say_nothing_of_stays():
    model, _ = matched()
    counts = np.zeros((20, 20), np.float32)
    counts[0, 0] = 4
    weights = dict.fromkeys([("en", "de"), ("de", "en")], sparse.csr_array(counts))
    en, de = model.wv_en.vectors, model.wv_de.vectors
    de[0] = de[1]
    plane = np.linalg.qr(np.stack([en[0], de[0]]).T.astype(float))[0]
    en[5] -= plane @ (plane.T @ en[5])
    before = en.copy()
    turn(model, weights, frozen=["de"])
    np.testing.assert_allclose(en[5], before[5], atol=1e-4)
    along = [rows[0] / np.linalg.norm(rows[0]) for rows in (en, de)]
    np.testing.assert_allclose(*along, atol=0.05)


def test_languages_whose_translations_are_zero_stay():
    model, weights = matched()
    model.wv_de.vectors[...] = 0
    before = copies(model)
    turn(model, weights)
    assert_turned(model, before, {})


@pytest.mark.parametrize("subwords", [{}, SUBWORDS], ids=["words", "subwords"])
def test_frozen_languages_and_those_without_translations_do_not_turn(subwords):
    model, weights = model_of(THREE, **subwords)
    before = copies(model)
    turn(model, {codes: w for codes, w in weights.items() if "fr" not in codes}, frozen=["en"])
    for (code, name), array in arrays(model).items():
        assert (array.tobytes() == before[code, name].tobytes()) == (code != "de"), name


LOCKS = {
    "vectors_lockf": {},
    "vectors_lockf of subwords": SUBWORDS,
    "vectors_vocab_lockf": SUBWORDS,
    "vectors_ngrams_lockf": SUBWORDS,
}


@pytest.mark.parametrize("lock", LOCKS)
@pytest.mark.parametrize("factor", [0.0, 0.5])
def test_languages_with_lock_factors_do_not_turn(lock, factor):
    model, weights = model_of(**LOCKS[lock])
    name = lock.split()[0]
    assert not model["en"].locked
    size = 50 if "ngrams" in name else len(model.wv_en)
    lockf = np.ones(size, np.float32)
    lockf[-1] = factor
    for factors in (lockf, lockf[-1:]):
        setattr(model.wv_en, name, factors)
        assert model["en"].locked
        before = copies(model)
        turn(model, weights)
        for (code, array_name), array in arrays(model).items():
            assert (array.tobytes() == before[code, array_name].tobytes()) == (code == "en")


def test_languages_that_were_trained_before_do_not_turn_and_new_ones_turn_to_them():
    model, weights = model_of()
    model["en"].train_count = 1
    before = copies(model)
    turn(model, weights)
    for (code, name), array in arrays(model).items():
        assert (array.tobytes() == before[code, name].tobytes()) == (code == "en"), name


def test_languages_do_not_turn_at_a_rate_of_0():
    model, weights = model_of()
    before = copies(model)
    turn(model, weights, rate=0.0)
    assert_same(before, arrays(model))


def test_words_of_ngrams_alone_turn_with_the_known_ones():
    model, weights = model_of(**SUBWORDS)
    unknown = model.wv_en["e99"]
    rotation = expected_turns(model, weights, 0.7)["en"]
    turn(model, weights)
    assert unknown.any()
    np.testing.assert_allclose(model.wv_en["e99"], unknown @ rotation, atol=1e-4)


def test_norms_are_those_of_the_turned_vectors():
    model, weights = model_of()
    before = model.wv_en.most_similar("e3")
    turn(model, weights)
    after = model.wv_en.most_similar("e3")
    assert [word for word, _ in after] == [word for word, _ in before]
    assert [score for _, score in after] == pytest.approx([score for _, score in before], abs=1e-5)


@pytest.mark.parametrize(
    ("pulls", "turns"), [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2), (7, 2), (20, 5), (0, 0)]
)
@pytest.mark.parametrize("epochs", [1, 3])
def test_languages_turn_before_each_pull_of_the_first_quarter(monkeypatch, pulls, turns, epochs):
    calls = []
    for name in ("turn", "pull"):
        original = getattr(Pulls, name)

        def noted(self, *arguments, name=name, original=original):
            calls.append(name)
            return original(self, *arguments)

        monkeypatch.setattr(Pulls, name, noted)
    BilBOWA(parallel=PAIRS, **{**OPTIONS, "align_pulls": pulls, "epochs": epochs})
    assert calls == ["turn", "pull"] * turns + ["pull"] * (pulls - turns)


@pytest.mark.parametrize("epochs", [1, 3, 7, 33])
@pytest.mark.parametrize("pulls", [0, 1, 20])
def test_pulls_before_an_epoch_are_those_of_the_epochs_before(epochs, pulls):
    plan = schedule(epochs, pulls)
    assert plan.all_pulls == pulls
    places = [len(plan.pulls(number)) for number in range(epochs)]
    found = [plan.pulls_before(number) for number in range(epochs + 1)]
    assert found == np.append(0, np.cumsum(places)).tolist()


# ---- in training


def trained(parallel=PAIRS, **options):
    return BilBOWA(parallel=parallel, **{**OPTIONS, **options})


MODES = {
    "skip-gram": {},
    "cbow": {"sg": 0},
    "hierarchical softmax": {"hs": 1, "negative": 0},
    "subwords": SUBWORDS,
    "subwords of one language": {**SUBWORDS, "subwords": ["de"]},
    "three languages": {"parallel": THREE},
}


@pytest.mark.parametrize("mode", MODES)
def test_without_alignment_is_to_the_bit_as_without_pulls(mode):
    one, other = trained(**MODES[mode], alignment=False), trained(**MODES[mode], align_pulls=0)
    assert_same(one, other)
    assert len(one.wv.aligned) == 0
    assert set(other.wv.aligned) == set(MODES[mode].get("parallel", PAIRS))


@pytest.mark.parametrize("mode", MODES)
def test_a_seed_decides_the_vectors(mode):
    one = trained(**MODES[mode])
    assert_same(one, trained(**MODES[mode]))
    assert_differ(one, trained(**MODES[mode], seed=2))
    assert_differ(one, trained(**MODES[mode], alignment=False))


def assert_differ(one, other):
    for code in one:
        assert (one.wv[code].vectors != other.wv[code].vectors).any()


@pytest.mark.parametrize(
    "options",
    [{"align_rate": 0.1}, {"align_context_rate": 0.1}, {"align_damping": 9}, {"align_spelling": 0}],
    ids=str,
)
def test_each_parameter_matters(options):
    pairs = [(["music", *a], ["Musik", *b]) for a, b in PAIRS["en", "de"][:3]]
    parallel = {("en", "de"): [*PAIRS["en", "de"], *pairs]}
    assert_differ(trained(parallel), trained(parallel, **options))


def test_rates_of_0_leave_the_vectors_to_the_steps():
    assert_same(trained(align_rate=0, align_context_rate=0), trained(alignment=False))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alignment": "yes"}, "alignment must be True or False"),
        ({"align_pulls": -1}, "align_pulls"),
        ({"align_pulls": 1.5}, "align_pulls"),
        ({"align_rate": 1.1}, "align_rate"),
        ({"align_context_rate": -0.1}, "align_context_rate"),
        ({"align_damping": float("inf")}, "align_damping"),
        ({"align_spelling": None}, "align_spelling"),
    ],
    ids=str,
)
def test_wrong_parameters_are_refused(options, message):
    with pytest.raises(ConfigError, match=message):
        BilBOWA(**options)


def test_words_that_are_aligned_lie_nearer_to_each_other():
    corpus = SyntheticCorpus(300, seed=1)
    parallel = {("en", "de"): corpus.pairs("en", "de")}
    options = {"vector_size": 20, "min_count": 2, "epochs": 3, "workers": 1}
    shares = [
        BilBOWA(parallel=parallel, **options, alignment=alignment)
        .loss_history[-1]["translations"]["en-de"]
        for alignment in (True, False)
    ]  # fmt: skip
    assert shares[0] > shares[1] + 0.1


def test_text_is_aligned_once_however_often_it_is_trained_on():
    model = trained()
    counts = model.wv.aligned["en", "de"]
    model.train(parallel=PAIRS)
    assert model.wv.aligned["en", "de"] is counts


def test_further_text_adds_to_the_counts():
    model = trained()
    counts = model.wv.aligned["en", "de"]
    model.train(parallel={("de", "en"): [pair[::-1] for pair in PAIRS["en", "de"][:100]]})
    assert list(model.wv.aligned) == [("en", "de")]
    assert model.wv.aligned["en", "de"].sum() > counts.sum()


def test_a_vocabulary_that_is_built_anew_has_no_counts():
    model = trained(THREE)
    model.build_vocab({"de": [["other", "words"]] * 5})
    assert set(model.wv.aligned) == {("en", "fr")}


def test_new_words_of_an_update_are_aligned_and_pulled():
    model = trained()
    more = {("en", "de"): [(["new", *a], ["neu", *b]) for a, b in PAIRS["en", "de"]]}
    model.build_vocab(parallel=more, update=True)
    model.train(parallel=more)
    new, neu = model.wv_en.key_to_index["new"], model.wv_de.key_to_index["neu"]
    counts = model.wv.aligned["en", "de"]
    assert counts.shape == (21, 21)
    assert counts[new, neu] > 100


@pytest.mark.parametrize("subwords", [{}, SUBWORDS], ids=["words", "subwords"])
def test_old_words_stay_where_an_update_locks_them(subwords):
    model = trained(**subwords)
    before = copies(model)
    more = {("en", "de"): [(["new", *a], ["neu", *b]) for a, b in PAIRS["en", "de"]]}
    model.build_vocab(parallel=more, update=True, lockf=0.0)
    model.train(parallel=more)
    for name in ("vectors", *(["own"] if subwords else [])):
        assert arrays(model)["en", name][:20].tobytes() == before["en", name].tobytes()


def test_words_that_are_not_text_do_not_hinder_the_alignment():
    model = trained()
    with pytest.warns(UserWarning, match="costly"):
        model.wv_en.add_vector(7, np.ones(10, np.float32))
    model.train(parallel={("en", "de"): PAIRS["en", "de"][:50]})
    assert model.wv.aligned.between("en", "de", (21, 20)).shape == (21, 20)


class Watch(CallbackAny2Vec):
    def __init__(self):
        self.parts = []

    def on_progress(self, model, progress):
        self.parts.append(progress.aligned)


def test_progress_of_the_alignment_comes_before_the_first_epoch():
    watch = Watch()
    trained(parallel=THREE, callbacks=[watch])
    assert watch.parts == sorted(watch.parts)
    assert 0 < watch.parts[0] < 0.1
    assert watch.parts[-1] == 1


# ---- a run that is ended and gone on with


class Died(Exception):
    pass


class EndAt(CallbackAny2Vec):
    """Saves the model after so many jobs of an epoch, and ends the training."""

    def __init__(self, path, epoch, jobs):
        self.path = path
        self.at = epoch, jobs

    def wants_pause(self):
        return True

    def on_pause(self, model):
        position = model._run.position
        jobs = position.tally["jobs"] if position.tally else 0
        if (position.epoch, jobs) == self.at:
            if self.path is not None:
                model.save(self.path)
            raise Died


@pytest.fixture
def places(monkeypatch):
    """After how many jobs there are pulls, by epoch, and how many jobs there are."""
    seen = {}
    original = Schedule.pulls

    def pulls(self, number):
        found = original(self, number)
        seen[number] = found, self.jobs(number)
        return found

    monkeypatch.setattr(Schedule, "pulls", pulls)
    return seen


def start(folder, parallel=PAIRS, **options):
    """A trained model, as it is loaded."""
    if not (folder / "start").exists():
        trained(parallel, **options).save(folder / "start")
    return BilBOWA.load(folder / "start")


def built(folder, parallel=PAIRS, **options):
    model = BilBOWA(**{**OPTIONS, **options})
    model.build_vocab(parallel=parallel)
    return model


def updated(folder):
    model = start(folder)
    model.build_vocab(parallel=WITH_NEW_WORDS, update=True)
    return model


def from_models(folder):
    text = [side for side, _ in PAIRS["en", "de"]]
    en = Word2Vec(text, vector_size=10, min_count=1, epochs=1, workers=1, hashfxn=len)
    model = BilBOWA.from_models({"en": en}, **OPTIONS)
    model.build_vocab({"de": [side for _, side in PAIRS["en", "de"]]})
    return model


WITH_NEW_WORDS = {("en", "de"): [(["new", *a], ["neu", *b]) for a, b in PAIRS["en", "de"]]}

# Where the text is aligned already there is no pause before the first job.
KNOWN = ("trained before", "frozen")

# How a model is made, and what it is trained with.
RUNS = {
    **{
        mode: (
            lambda folder, options=options: built(folder, **options),
            {"parallel": options.get("parallel", PAIRS)},
        )
        for mode, options in MODES.items()
    },
    "trained before": (start, {"parallel": PAIRS}),
    "frozen": (start, {"parallel": PAIRS, "freeze": ["en"]}),
    "new words": (updated, {"parallel": WITH_NEW_WORDS}),
    "from models": (from_models, {"parallel": PAIRS}),
    "from models, frozen": (from_models, {"parallel": PAIRS, "freeze": ["en"]}),
}


@pytest.mark.parametrize("run", RUNS)
def test_a_run_that_is_resumed_is_to_the_bit_one_that_was_not_ended(tmp_path, places, run):
    make, options = RUNS[run]
    whole = make(tmp_path)
    whole.train(**options)
    (((first,), _), ((second, last), jobs)) = places[0], places[1]
    assert 1 < first < places[0][1]
    assert 1 < second < last == jobs
    places_of_end = [(0, first - 1), (0, first), (0, first + 1), (1, second), (1, jobs - 1)]
    for at in [*([] if run in KNOWN else [(0, 0)]), *places_of_end]:
        with pytest.raises(Died):
            make(tmp_path).train(**options, callbacks=[EndAt(tmp_path / "ended", *at)])
        model = BilBOWA.load(tmp_path / "ended")
        model.train(parallel=options["parallel"], resume=True)
        assert_same(model, whole)


def test_a_run_is_resumed_from_memory_after_an_error_of_a_callback(places):
    whole = built(None)
    whole.train(parallel=PAIRS)
    (first,), _ = places[0]
    for at in ((0, 0), (0, first), (0, first + 1)):
        model = built(None)
        with pytest.raises(Died):
            model.train(parallel=PAIRS, callbacks=[EndAt(None, *at)])
        assert model.unfinished
        model.train(parallel=PAIRS, resume=True)
        assert_same(model, whole)


@pytest.mark.parametrize("workers", [1, 3])
def test_a_run_that_ctrl_c_ends_among_the_alignment_can_go_on(workers):
    class Interrupt(CallbackAny2Vec):
        def on_progress(self, model, progress):
            raise KeyboardInterrupt

    model = built(None, workers=workers)
    before = copies(model)
    with pytest.raises(KeyboardInterrupt):
        model.train(parallel=PAIRS, callbacks=[Interrupt()])
    assert_same(model, before)
    assert len(model.wv.aligned) == 0
    model.workers = 1
    model.train(parallel=PAIRS, resume=True)
    assert_same(model, trained())


@pytest.mark.parametrize(
    "options", [{"alignment": False}, {"align_pulls": 4}, {"align_rate": 0.1}], ids=str
)
def test_a_run_is_not_resumed_with_other_pulls(options):
    model = built(None)
    with pytest.raises(Died):
        model.train(parallel=PAIRS, callbacks=[EndAt(None, 0, 1)])
    vars(model).update(options)
    (name,) = options
    with pytest.raises(ConfigError, match=f"resume: {name} is"):
        model.train(parallel=PAIRS, resume=True)
