"""Trainings that several ranks share, in one process: the same code as with MPI."""

from __future__ import annotations

import copy
import logging
import threading

import numpy as np
import pytest
import twin
from gensim.models.callbacks import CallbackAny2Vec
from resuming import MODES, OPTIONS, PAIRS, Died, Dying, assert_same, three_languages
from samples import arrays, made_up_pairs

from gensim_bilbowa import BilBOWA, LineCorpus
from gensim_bilbowa.callbacks import Checkpoint, ProgressBar
from gensim_bilbowa.corpora import collect, encode_inputs
from gensim_bilbowa.errors import AlreadyTrainingError, ConfigError, FormatError, TeamError
from gensim_bilbowa.teams import Team, simulate
from gensim_bilbowa.training import PairSource, Schedule, Settings, TextSource
from gensim_bilbowa.training.steps import make_steps


def train(team, **options):
    return BilBOWA(parallel=PAIRS, team=team, **{**OPTIONS, **options})


# ---- what is learnt


@pytest.mark.parametrize("mode", MODES)
def test_one_rank_learns_what_is_learnt_without_a_team(mode):
    (model,) = simulate(1, lambda team: train(team, **MODES[mode]), bf16=True, merges=7)
    assert_same(model, train(None, **MODES[mode]))


@pytest.mark.parametrize("mode", MODES)
def test_all_ranks_end_with_the_same(mode):
    models = simulate(3, lambda team: train(team, **MODES[mode]))
    for model in models[1:]:
        assert_same(model, models[0])
        assert model.wv.aligned.texts("en", "de") == models[0].wv.aligned.texts("en", "de")
    assert models[0].loss_history[-1]["pairs"] > 0
    for entry, alone in zip(models[0].loss_history, train(None, **MODES[mode]).loss_history,
                            strict=True):  # fmt: skip
        for name in ("words", "trained_words", "pairs", "emptied_pairs", "alpha"):
            assert entry[name] == alone[name]


@pytest.mark.parametrize("bf16", [False, True])
@pytest.mark.parametrize("merges", [None, 5])
def test_ranks_learn_what_the_twin_does(bf16, merges):
    """Copies of a model, trained by turns with the jobs of one schedule."""
    size, options = 3, {**OPTIONS, "alignment": False}
    model = BilBOWA(**options)
    model.build_vocab(parallel=PAIRS)
    copies = [copy.deepcopy(model) for _ in range(size)]
    encoded = encode_inputs(
        collect(None, None, PAIRS), {code: model.wv[code].key_to_index for code in model}, 1 << 30
    )
    batch, seed, epochs = options["batch_words"], model.seed, options["epochs"]
    schedule = Schedule(
        [TextSource(code, corpus, batch) for code, corpus in encoded.texts],
        [PairSource(pairs, model.xling_passes, batch, seed) for pairs in encoded.pairs],
        epochs=epochs, start_alpha=model.alpha, end_alpha=model.min_alpha, seed=seed,
    )  # fmt: skip
    settings = Settings(**{name: getattr(model, name) for name in Settings.__dataclass_fields__})
    common = {name: array.copy() for name, array in arrays(model).items()}
    velocity = {name: np.zeros_like(array) for name, array in common.items()}
    stop = np.zeros(1, np.int32)
    total = sum(map(schedule.jobs, range(epochs)))
    done, times = 0, merges or 20 * size
    # Merges stand at each whole part of the run, and at the end of each epoch.
    due = {-(-k * total // times) for k in range(1, times + 1)} | {schedule.jobs(0), total}
    for epoch in range(epochs):
        for number, job in enumerate(schedule.epoch(epoch)):
            ours = copies[number % size]
            with ours["en"].padded(), ours["de"].padded():
                make_steps({code: ours[code] for code in ours}, schedule, settings)(job, stop)
            done += 1
            if done in due:
                for name in common:
                    ranks = [arrays(each)[name] for each in copies]
                    common[name], velocity[name] = twin.merge(
                        ranks, common[name], velocity[name], bf16
                    )
                    for array in ranks:
                        array[...] = common[name]
    found = simulate(size, lambda team: train(team, alignment=False), bf16=bf16, merges=merges)
    for name, array in arrays(found[0]).items():
        np.testing.assert_array_equal(array, common[name], str(name))


def test_frozen_languages_and_locked_words_keep_every_bit():
    texts, pairs = three_languages()

    def continued(team):
        model = BilBOWA(texts, parallel=pairs, **OPTIONS)
        model["de"].wv.vectors_lockf = np.zeros(1, np.float32)
        before = {name: array.copy() for name, array in arrays(model).items()}
        model.train(texts, parallel=pairs, freeze="en", team=team)
        return before, arrays(model)

    for before, after in simulate(2, continued):
        for name in (("en", "vectors"), ("en", "syn1neg"), ("de", "vectors")):
            assert after[name].tobytes() == before[name].tobytes()
        assert not np.array_equal(after["fr", "vectors"], before["fr", "vectors"])


@pytest.mark.parametrize("owners", [None, True, False])
def test_with_owners_all_ranks_have_all_languages_in_the_end(owners, caplog):
    pairs = {
        ("en", code): [(a, [f"{code}{word}" for word in b]) for a, b in made_up_pairs(seed=seed)]
        for seed, code in enumerate(("de", "fr", "cs", "it"))
    }
    texts = {"en": [a for a, _ in made_up_pairs(200, seed=9)]}
    with caplog.at_level(logging.INFO, logger="gensim_bilbowa"):
        models = simulate(
            2, lambda team: BilBOWA(texts, parallel=pairs, team=team, **OPTIONS), owners=owners
        )
    assert_same(*models)
    said = [record.message for record in caplog.records if "belong to a rank" in record.message]
    assert len(said) == 1
    assert ("to rank 0" in said[0]) == (owners is not False)
    for code in ("de", "fr", "cs", "it"):
        words = [f"e{i}" for i in range(10)]
        right = [
            models[0].wv_en.most_similar_cross(word, lang=code, topn=1)[0][0] == f"{code}d{i}"
            for i, word in enumerate(words)
        ]
        assert sum(right) >= 7


def test_words_of_from_models_and_updates_are_shared_too():
    start = BilBOWA(parallel=PAIRS, **OPTIONS)
    more = {("en", "de"): [(["new", *a], ["neu", *b]) for a, b in made_up_pairs(seed=5)]}

    def updated(team):
        model = BilBOWA.from_models(
            {"en": start["en"], "de": start["de"]}, parallel=PAIRS, team=team, **OPTIONS
        )
        model.build_vocab(parallel=more, update=True, team=team)
        model.train(parallel=more, team=team)
        return model

    models = simulate(2, updated)
    assert "new" in models[1].wv_en
    assert_same(*models)


def test_text_is_read_by_one_rank_where_they_share_a_cache(tmp_path, monkeypatch):
    files = []
    for code, side in (("en", 0), ("de", 1)):
        files.append(tmp_path / code)
        lines = [" ".join(pair[side]) + "\n" for pair in PAIRS["en", "de"]]
        files[-1].write_text("".join(lines), encoding="utf-8")
    read = []
    original = LineCorpus.blocks

    def blocks(self):
        read.append(self.path)
        return original(self)

    monkeypatch.setattr(LineCorpus, "blocks", blocks)
    models = simulate(3, lambda team: BilBOWA(
        parallel={("en", "de"): tuple(files)}, team=team, cache_dir=tmp_path / "c", **OPTIONS
    ))  # fmt: skip
    assert len(read) == 4  # counted and encoded, by rank 0
    assert_same(models[2], simulate(3, train)[0])


def test_one_file_may_be_read_in_several_ways(tmp_path):
    lines = {side: [" ".join(pair[side]) + "\n" for pair in PAIRS["en", "de"]] for side in (0, 1)}
    for code, side in (("en", 0), ("de", 1)):
        (tmp_path / code).write_text("".join(lines[side]), encoding="utf-8")
    texts = {"en": LineCorpus(tmp_path / "en", limit=100)}
    pairs = {("en", "de"): (tmp_path / "en", tmp_path / "de")}
    models = simulate(2, lambda team: BilBOWA(
        texts, parallel=pairs, team=team, cache_dir=tmp_path / "c", **OPTIONS
    ))  # fmt: skip
    assert_same(models[0], simulate(2, lambda team: BilBOWA(
        texts, parallel=pairs, team=team, **OPTIONS
    ))[1])  # fmt: skip


def test_merges_are_at_most_as_many_as_jobs():
    models = simulate(2, lambda team: train(team, epochs=1), merges=10**9)
    more = simulate(2, lambda team: train(team, epochs=1), merges=10**5)
    assert_same(models[0], more[1])


@pytest.mark.parametrize("size", [2, 3, 4])
def test_words_are_aligned_as_alone_whatever_the_number_of_languages(size):
    """Three pairs of languages: dealt to the ranks, some or all of them done together."""
    texts, pairs = three_languages()
    pairs["de", "fr"] = [([f"d{w}" for w in a], b) for a, b in pairs["en", "fr"]]

    def counts(team):
        return BilBOWA(texts, parallel=pairs, team=team, **OPTIONS).wv.aligned

    alone = counts(None)
    for found in simulate(size, counts):
        assert {*found} == {*alone}
        assert len(found) == 3
        for codes in alone:
            assert found.texts(*codes) == alone.texts(*codes)
            assert (found[codes] != alone[codes]).nnz == 0


# ---- going on


def resumed(team, folder):
    model = BilBOWA.load(folder)
    return model, model.train(parallel=PAIRS, resume=True, team=team)


@pytest.mark.parametrize("mode", MODES)
def test_resumed_training_equals_one_that_was_not_ended(tmp_path, mode):
    options = MODES[mode]
    whole = simulate(2, lambda team: train(team, **options))
    with pytest.raises(Died):
        # Only rank 0 calls it.
        simulate(2, lambda team: train(team, callbacks=[Dying(tmp_path / "c", 0, 9)], **options))
    found = simulate(2, lambda team: resumed(team, tmp_path / "c"))
    for model, _ in found:
        assert_same(model, whole[0])


def test_resumed_training_with_owners_equals_one_that_was_not_ended(tmp_path):
    texts, pairs = three_languages()

    def make(team, **options):
        return BilBOWA(texts, parallel=pairs, team=team, **OPTIONS, **options)

    def go_on(team):
        model = BilBOWA.load(tmp_path / "c")
        model.train(texts, parallel=pairs, resume=True, team=team)
        return model

    whole = simulate(2, make, owners=True)
    with pytest.raises(Died):
        simulate(2, lambda team: make(team, callbacks=[Dying(tmp_path / "c", 1, 5)]), owners=True)
    for model in simulate(2, go_on, owners=True):
        assert_same(model, whole[0])


@pytest.mark.parametrize("size", [1, 3])
def test_another_number_of_ranks_goes_on_and_says_so(tmp_path, size, caplog):
    with pytest.raises(Died):
        simulate(2, lambda team: train(team, callbacks=[Dying(tmp_path / "c", 0, 9)]))
    before = BilBOWA.load(tmp_path / "c")
    assert before._run.velocity.keys() == {
        f"{code}/{name}" for code in ("en", "de") for name in ("vectors", "syn1neg")
    }
    (model, words), *_ = simulate(size, lambda team: resumed(team, tmp_path / "c"))
    assert f"begun by 2 ranks and goes on with {size}" in caplog.text
    assert model.epochs_trained == OPTIONS["epochs"]
    assert words == train(None).train(parallel=PAIRS)
    assert [e["words"] for e in model.loss_history] == [
        e["words"] for e in train(None).loss_history
    ]


def test_training_of_one_goes_on_with_more(tmp_path):
    with pytest.raises(Died):
        train(None, callbacks=[Dying(tmp_path / "c", 0, 9)])
    models = [model for model, _ in simulate(2, lambda team: resumed(team, tmp_path / "c"))]
    assert_same(*models)


def test_checkpoint_at_the_end_of_an_epoch_has_what_merges_go_on_from(tmp_path):
    class Ending(CallbackAny2Vec):
        def on_epoch_end(self, model):
            model.save(tmp_path / "m")
            if model.epochs_trained == 1:
                raise Died

    whole = simulate(2, train)
    with pytest.raises(Died):
        simulate(2, lambda team: train(team, callbacks=[Ending()]))
    for model, _ in simulate(2, lambda team: resumed(team, tmp_path / "m")):
        assert_same(model, whole[0])


def test_checkpoint_at_the_beginning_of_an_epoch_has_what_merges_go_on_from(tmp_path):
    class Ending(CallbackAny2Vec):
        def on_epoch_begin(self, model):
            model.save(tmp_path / "m")
            if model.epochs_trained == 1:
                raise Died

    whole = simulate(2, train)
    for _ in range(2):  # the second time from a file that was written there
        with pytest.raises(Died):
            simulate(2, lambda team: (
                resumed_with(team, tmp_path / "m", Ending()) if (tmp_path / "m").exists()
                else train(team, callbacks=[Ending()])
            ))  # fmt: skip
    for model, _ in simulate(2, lambda team: resumed(team, tmp_path / "m")):
        assert_same(model, whole[0])


def resumed_with(team, path, callback):
    model = BilBOWA.load(path)
    team.wait()  # all have read it
    model.train(parallel=PAIRS, resume=True, callbacks=[callback], team=team)


def test_words_may_be_added_to_an_unfinished_training(tmp_path):
    with pytest.raises(Died):
        simulate(2, lambda team: train(team, callbacks=[Dying(tmp_path / "c", 0, 9)]))
    model = BilBOWA.load(tmp_path / "c")
    model.wv_en.add_vectors(["another"], np.ones((1, 20), np.float32))
    model.save(tmp_path / "m")
    assert "another" in BilBOWA.load(tmp_path / "m").wv_en


@pytest.mark.parametrize("codes", [("aligned", "attribute"), ("run", "velocity")])
def test_checkpoints_of_languages_of_any_name_are_whole(tmp_path, codes):
    pairs = {codes: made_up_pairs(200)}

    def make(team, **options):
        return BilBOWA(parallel=pairs, team=team, **OPTIONS, **options)

    def go_on(team):
        model = BilBOWA.load(tmp_path / "c")
        model.train(parallel=pairs, resume=True, team=team)
        return model

    with pytest.raises(Died):
        simulate(2, lambda team: make(team, callbacks=[Dying(tmp_path / "c", 0, 9)]))
    assert_same(simulate(2, go_on)[0], simulate(2, make)[0])


@pytest.mark.parametrize("change", [
    lambda run: run.velocity.update({"en/vectors": np.zeros((40, 19), np.float32)}),
    lambda run: run.velocity.update({"en/vectors": np.full((40, 20), np.nan, np.float32)}),
    lambda run: run.velocity.update({"en/vectors": np.zeros((40, 20))}),
])  # fmt: skip
def test_damaged_velocity_is_refused(tmp_path, change):
    class Ending(CallbackAny2Vec):
        def on_epoch_end(self, model):
            change(model._run)
            model.save(tmp_path / "m")

    simulate(2, lambda team: train(team, callbacks=[Ending()], epochs=1))
    with pytest.raises(FormatError, match="velocity of vectors"):
        BilBOWA.load(tmp_path / "m")


# ---- one of them speaks


def test_callbacks_are_called_on_rank_0_alone():
    class Counting(CallbackAny2Vec):
        def __init__(self):
            self.calls = []
            self.progress = []

        def on_train_begin(self, model):
            self.calls.append("train")

        def on_epoch_end(self, model):
            self.calls.append("epoch")

        def on_progress(self, model, progress):
            self.progress.append(progress)

    callbacks = [Counting() for _ in range(3)]
    simulate(3, lambda team: train(team, callbacks=[callbacks[team.rank]]))
    assert [callback.calls for callback in callbacks] == [["train", "epoch", "epoch"], [], []]
    last = callbacks[0].progress[-1]
    assert last.done == last.total  # of all ranks
    assert all(0 <= progress.done <= progress.total for progress in callbacks[0].progress)


def test_checkpoints_and_bars_are_those_of_rank_0(tmp_path):
    def work(team):
        callbacks = [Checkpoint(tmp_path / "c", every_epochs=1), ProgressBar(disable=True)]
        return train(team, callbacks=callbacks)

    simulate(2, work)
    assert len(list((tmp_path / "c").glob("*.model"))) == 2


def test_what_is_logged_is_logged_once(caplog):
    with caplog.at_level(logging.INFO):
        simulate(4, train)
    said = [record.message for record in caplog.records]
    assert sum("EPOCH 1: training on" in line for line in said) == 1
    assert sum("encoded 300 en-de sentence pairs" in line for line in said) == 1
    assert not logging.getLogger("gensim_bilbowa.training").filters


# ---- faults


def test_error_of_one_rank_ends_all_and_is_raised():
    def work(team):
        if team.rank == 2:
            raise Died("of rank 2")
        return train(team)

    with pytest.raises(Died, match="of rank 2"):
        simulate(3, work)
    assert not [t for t in threading.enumerate() if t.name.startswith("bilbowa")]


def test_rank_that_is_done_is_not_waited_for():
    with pytest.raises(TeamError, match="rank 1 of 2 has ended while others wait for it"):
        simulate(2, lambda team: train(team) if team.rank == 0 else None)


def test_error_of_a_callback_ends_all():
    class Failing(CallbackAny2Vec):
        def on_epoch_end(self, model):
            raise Died

    with pytest.raises(Died):
        simulate(3, lambda team: train(team, callbacks=[Failing()]))
    assert not [t for t in threading.enumerate() if t.name.startswith("bilbowa")]


@pytest.mark.parametrize(("difference", "said"), [
    (lambda team: {"alpha": 0.1 + 0.01 * team.rank}, "the parameter alpha of rank 1"),
    (lambda team: {"seed": 1 + team.rank}, "the parameter seed of rank 1"),
])  # fmt: skip
def test_ranks_with_other_parameters_are_refused(difference, said):
    with pytest.raises(ConfigError, match=said):
        simulate(2, lambda team: train(team, **difference(team)))


@pytest.mark.parametrize(("option", "value"), [("merges", 7), ("bf16", True), ("owners", True)])
def test_ranks_with_other_options_are_refused(option, value):
    def work(team):
        if team.rank:
            setattr(team, "_merges" if option == "merges" else option, value)
        return train(team)

    with pytest.raises(ConfigError, match=f"the option {option} of the team of rank 1"):
        simulate(2, work)


@pytest.mark.parametrize("cached", [0, 1])
def test_threads_and_caches_may_differ_between_ranks(tmp_path, cached):
    def work(team):
        own = {"cache_dir": tmp_path / "c"} if team.rank == cached else {}
        model = train(team, epochs=1, **own)
        model.workers = 1 + team.rank
        model.train(parallel=PAIRS, team=team)
        return model

    one, other = simulate(2, work)
    for name, array in arrays(one).items():
        np.testing.assert_array_equal(array, arrays(other)[name], str(name))


def test_ranks_of_which_one_knows_aligned_words_are_refused():
    def work(team):
        model = BilBOWA(**OPTIONS)
        model.build_vocab(parallel=PAIRS)
        if team.rank:
            model.train(parallel=PAIRS, epochs=1)
        model.train(parallel=PAIRS, team=team)

    with pytest.raises(ConfigError, match="of rank 1 differs from that of rank 0"):
        simulate(2, work)


def test_ranks_with_other_text_are_refused():
    def work(team):
        pairs = made_up_pairs(seed=int(team.rank == 2))
        return BilBOWA(parallel={("en", "de"): pairs}, team=team, **OPTIONS)

    with pytest.raises(ConfigError, match="the 'en' text of rank 2 differs from that of rank 0"):
        simulate(3, work)


def test_ranks_with_other_vectors_are_refused():
    def work(team):
        model = BilBOWA(**OPTIONS)
        model.build_vocab(parallel=PAIRS, team=team)
        model.wv_de.vectors[3] += team.rank
        model.train(parallel=PAIRS, team=team)

    with pytest.raises(ConfigError, match="vectors of 'de' of rank 1 differs"):
        simulate(2, work)


@pytest.mark.parametrize("options", [
    {"merges": 0}, {"merges": 1.5}, {"bf16": "yes"}, {"owners": "de"}
])  # fmt: skip
def test_options_that_cannot_be_are_refused(options):
    with pytest.raises(ConfigError, match=next(iter(options))):
        Team(**options)


@pytest.mark.parametrize("size", [0, 1.5, 257])
def test_a_team_has_a_number_of_ranks(size):
    with pytest.raises(ConfigError, match="size"):
        simulate(size, train)


def test_model_in_training_is_refused_in_a_team_too():
    class Again(CallbackAny2Vec):
        def on_epoch_end(self, model):
            model.train(parallel=PAIRS)

    with pytest.raises(AlreadyTrainingError):
        simulate(2, lambda team: train(team, callbacks=[Again()]))
