from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from gensim.models.callbacks import CallbackAny2Vec
from hypothesis import given, settings
from hypothesis import strategies as st
from resuming import MODES, OPTIONS, PAIRS, Died, Dying, assert_same, three_languages

from gensim_bilbowa import BilBOWA, kernels
from gensim_bilbowa.callbacks import Checkpoint
from gensim_bilbowa.errors import ConfigError, CorpusError, FormatError
from gensim_bilbowa.files.filesystem import LOCK
from gensim_bilbowa.training import checkpoints


def die_and_resume(folder, epochs, make, train):
    """Begin a training, end it in the midst of an epoch, and go on from the file."""
    with pytest.raises(Died):
        train(make(), callbacks=[Dying(folder, epochs, 9)])
    model = BilBOWA.load(folder)
    assert (model.epochs_trained, model._run.position.epoch) == (epochs, epochs)
    assert model._run.position.tally["jobs"] > 3
    return model, train(model, resume=True)


@pytest.mark.parametrize("epochs", [0, 1])
@pytest.mark.parametrize("mode", MODES)
def test_resumed_training_equals_one_that_was_not_ended(tmp_path, mode, epochs):
    def make():
        model = BilBOWA(**{**OPTIONS, **MODES[mode]})
        model.build_vocab(parallel=PAIRS)
        return model

    def train(model, **options):
        return model.train(parallel=PAIRS, **options)

    whole = make()
    words = train(whole)
    model, resumed_words = die_and_resume(tmp_path / "c", epochs, make, train)
    assert resumed_words == words
    assert_same(model, whole)
    train(model)
    train(whole)
    assert_same(model, whole)


def test_three_languages_with_their_own_text_are_resumed(tmp_path):
    texts, pairs = three_languages()

    def make():
        model = BilBOWA(**OPTIONS)
        model.build_vocab(texts, parallel=pairs)
        return model

    def train(model, **options):
        return model.train(texts, parallel=pairs, **options)

    whole = make()
    train(whole)
    model, _ = die_and_resume(tmp_path / "c", 1, make, train)
    assert_same(model, whole)


def test_frozen_languages_and_arguments_of_train_are_those_of_the_run(tmp_path):
    start = BilBOWA(parallel=PAIRS, **OPTIONS)
    start.save(tmp_path / "m")
    options = {"epochs": 3, "start_alpha": 0.03, "end_alpha": 0.01, "freeze": ["en"],
               "total_words": 9000, "word_count": 1000}  # fmt: skip

    def train(model, resume=False, **more):
        more |= {"resume": True} if resume else options
        return model.train(parallel=PAIRS, **more)

    whole = BilBOWA.load(tmp_path / "m")
    train(whole)
    with pytest.raises(Died):
        train(BilBOWA.load(tmp_path / "m"), callbacks=[Dying(tmp_path / "c", 1, 9)])
    model = BilBOWA.load(tmp_path / "c")
    train(model, resume=True)
    assert_same(model, whole)
    np.testing.assert_array_equal(model.wv_en.vectors, start.wv_en.vectors)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 150)), min_size=1, max_size=3))
@settings(max_examples=8)
def test_training_that_is_ended_anywhere_and_again_comes_to_the_same(places):
    whole = BilBOWA(parallel=PAIRS, **OPTIONS)
    with tempfile.TemporaryDirectory() as folder:
        with suppress(Died):
            BilBOWA(parallel=PAIRS, **OPTIONS, callbacks=[Dying(folder, *places[0])])
        for place in places[1:]:
            with suppress(Died):
                BilBOWA.load(folder).train(
                    parallel=PAIRS, resume=True, callbacks=[Dying(folder, *place)]
                )
        model = BilBOWA.load(folder)
        model.train(parallel=PAIRS, resume=True)
    assert_same(model, whole)


@pytest.mark.slow
def test_checkpoints_at_every_job_change_nothing(tmp_path):
    checkpoint = Checkpoint(tmp_path / "c", every_minutes=0)
    model = BilBOWA(parallel=PAIRS, **OPTIONS, callbacks=[checkpoint])
    assert_same(model, BilBOWA(parallel=PAIRS, **OPTIONS))
    assert int(checkpoint.paths[-1].name[-12:-6]) > 50


def test_any_save_between_epochs_can_be_resumed(tmp_path):
    class Saver(CallbackAny2Vec):
        def on_epoch_end(self, model):
            model.save(tmp_path / f"{model.epochs_trained}")

    whole = BilBOWA(parallel=PAIRS, **OPTIONS, callbacks=[Saver()])
    model = BilBOWA.load(tmp_path / "1")
    model.train(parallel=PAIRS, resume=True)
    assert_same(model, whole)


def test_training_whose_epochs_are_all_done_comes_to_its_end(tmp_path):
    whole = BilBOWA(parallel=PAIRS, **OPTIONS,
                    callbacks=[Checkpoint(tmp_path / "c", every_epochs=1)])  # fmt: skip
    model = BilBOWA.load(tmp_path / "c")
    assert model.epochs_trained == 2
    model.train(parallel=PAIRS, resume=True)
    assert_same(model, whole)
    assert not model.unfinished


def test_workers_may_differ_and_all_words_are_trained_once(tmp_path):
    whole = BilBOWA(parallel=PAIRS, **OPTIONS)
    with pytest.raises(Died):
        BilBOWA(parallel=PAIRS, **{**OPTIONS, "workers": 3}, callbacks=[Dying(tmp_path, 0, 30)])
    model = BilBOWA.load(tmp_path)
    model.workers = 2
    model.train(parallel=PAIRS, resume=True)
    for name in ("words", "trained_words", "pairs", "alpha"):
        assert [e[name] for e in model.loss_history] == [e[name] for e in whole.loss_history]
    for ours, theirs in zip(model.loss_history, whole.loss_history, strict=True):
        assert ours["monolingual"]["en"] == pytest.approx(theirs["monolingual"]["en"], rel=0.05)


_KILLED = """
    import os, random, signal, sys, time
    sys.path.insert(0, {support!r})
    from samples import SMALL, arrays, made_up_pairs
    from gensim_bilbowa import BilBOWA
    from gensim_bilbowa.callbacks import Checkpoint

    pairs = {{("en", "de"): made_up_pairs()}}
    options = {{**SMALL, "batch_words": 200, "epochs": 2}}

    def run():
        checkpoint = Checkpoint("c", every_minutes=0)
        if checkpoint.paths:
            model = BilBOWA.load("c")
            model.train(parallel=pairs, resume=True, callbacks=[checkpoint])
        else:
            model = BilBOWA(parallel=pairs, callbacks=[checkpoint], **options)
        model.save("m")
        checkpoint.remove()

    random.seed(1)
    killed = 0
    while killed < 6 and not os.path.exists("m"):
        if not (child := os.fork()):
            run()
            os._exit(0)
        time.sleep(random.uniform(0.02, 0.5))
        os.kill(child, signal.SIGKILL)
        killed += os.WIFSIGNALED(os.waitpid(child, 0)[1])
    if not os.path.exists("m"):
        run()
    print(killed)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="forks")
def test_training_that_is_killed_again_and_again_comes_to_the_same(tmp_path):
    support = str(Path(__file__).parent / "support")
    code = textwrap.dedent(_KILLED.format(support=support))
    result = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert int(result.stdout) > 1
    assert_same(BilBOWA.load(tmp_path / "m"), BilBOWA(parallel=PAIRS, **OPTIONS))
    assert not (tmp_path / "c").exists()


# ---- the files


def test_newest_checkpoints_are_kept_and_no_other_file_is_touched(tmp_path):
    (tmp_path / "checkpoint-notes.txt").write_text("mine", encoding="utf-8")
    checkpoint = Checkpoint(tmp_path, every_epochs=1, keep=3)
    BilBOWA(parallel=PAIRS, **{**OPTIONS, "epochs": 5}, callbacks=[checkpoint])
    assert len(checkpoint.paths) == 3
    assert len(list(tmp_path.iterdir())) == 4
    checkpoint.remove()
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint-notes.txt"]


def test_what_killed_saves_left_is_removed(tmp_path):
    left = tmp_path / ".checkpoint-01234567-000009.model.abcdef01.partial"
    left.mkdir()
    (left / "part").write_bytes(b"x")
    if os.name == "nt":
        (left / LOCK).touch()
    (tmp_path / "checkpoint-01234567-000009.model.89abcdef.en.vectors.npy").write_bytes(b"x")
    (tmp_path / ".other.abcdef01.partial").mkdir()
    checkpoint = Checkpoint(tmp_path)
    BilBOWA(parallel=PAIRS, **OPTIONS, callbacks=[checkpoint])
    assert {*tmp_path.iterdir()} == {*checkpoint.paths, tmp_path / ".other.abcdef01.partial"}


def test_arrays_with_files_of_their_own_go_with_their_checkpoint(tmp_path):
    checkpoint = Checkpoint(tmp_path / "c", every_epochs=1, keep=1)
    options = {**OPTIONS, "subwords": ["en"], "min_n": 2, "bucket": 150_000, "epochs": 1}
    BilBOWA(parallel=PAIRS, **options, callbacks=[checkpoint])
    assert len(list(checkpoint.folder.iterdir())) == 2
    checkpoint.remove()
    assert not checkpoint.folder.exists()


@pytest.mark.parametrize("place", ["missing", "file"])
def test_place_that_cannot_be_used_is_said_at_once(tmp_path, place):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OSError, match=place):
        Checkpoint(tmp_path / place / "c")


@pytest.mark.skipif(sys.platform != "linux", reason="a folder that root cannot write to")
def test_place_that_cannot_be_written_to_is_said_at_once():
    with pytest.raises(OSError, match="/proc/self"):
        Checkpoint("/proc/self")


def full_disk(monkeypatch, *calls):
    """Let these of the following saves fail at their end."""
    saves = []
    original = BilBOWA.save

    def save(self, path):
        saves.append(path)
        with monkeypatch.context() as patch:
            if len(saves) in calls:

                def fail(_):
                    raise OSError(errno.ENOSPC, "No space left on device", str(path))

                patch.setattr(os, "fsync", fail)
            original(self, path)

    monkeypatch.setattr(BilBOWA, "save", save)
    return saves


def test_first_checkpoint_that_cannot_be_written_ends_the_training(tmp_path, monkeypatch):
    full_disk(monkeypatch, 1)
    with pytest.raises(OSError, match="No space left"):
        BilBOWA(parallel=PAIRS, **OPTIONS, callbacks=[Checkpoint(tmp_path)])
    assert not [*tmp_path.iterdir()]


def test_later_one_that_cannot_be_written_is_warned_of_and_tried_again(
    tmp_path, monkeypatch, caplog
):
    saves = full_disk(monkeypatch, 2, 3)
    checkpoint = Checkpoint(tmp_path, every_epochs=1, keep=1)
    seen = []

    class Look(CallbackAny2Vec):
        def on_epoch_end(self, model):
            seen.append([path.name[-12:] for path in tmp_path.iterdir()])

    BilBOWA(parallel=PAIRS, **{**OPTIONS, "epochs": 3}, callbacks=[checkpoint, Look()])
    assert seen == [["000001.model"], ["000001.model"], ["000002.model"]]
    assert len(saves) == 4
    assert caplog.text.count("training goes on without: [Errno 28] No space left on device") == 2
    assert caplog.text.count("in place is checkpoint-") == 2


def test_checkpoints_of_another_training_are_not_replaced(tmp_path):
    BilBOWA(parallel=PAIRS, **OPTIONS, callbacks=[Checkpoint(tmp_path)])
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(ConfigError, match="checkpoints of another training"):
        BilBOWA(parallel=PAIRS, **OPTIONS, callbacks=[Checkpoint(tmp_path)])
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_damaged_checkpoint_gives_way_to_the_one_before(tmp_path, caplog):
    with pytest.raises(Died):
        BilBOWA(parallel=PAIRS, **OPTIONS, callbacks=[Dying(tmp_path, 0, 30)])
    first, second = Checkpoint(tmp_path).paths
    second.write_bytes(second.read_bytes()[:-50])
    model = BilBOWA.load(tmp_path)
    assert "the checkpoint before it is taken" in caplog.text
    assert second.name in caplog.text
    model.train(parallel=PAIRS, resume=True, callbacks=[Checkpoint(tmp_path)])
    assert_same(model, BilBOWA(parallel=PAIRS, **OPTIONS))
    first = Checkpoint(tmp_path).paths[0]
    for path in Checkpoint(tmp_path).paths:
        path.write_bytes(b"PK")
    with pytest.raises(FormatError, match=first.name):
        BilBOWA.load(tmp_path)


def test_checkpoint_that_is_removed_before_it_is_read_gives_way_to_a_newer_one(tmp_path):
    name = "checkpoint-0123abcd-{:06}.model"
    for number in (1, 2):
        (tmp_path / name.format(number)).touch()
    asked = []

    def load(path):
        asked.append(path.name)
        if len(asked) > 1:
            return path.name
        for number in (1, 2):  # as a training does that goes on meanwhile
            (tmp_path / name.format(number)).unlink()
            (tmp_path / name.format(number + 2)).touch()
        raise FileNotFoundError(path)

    assert checkpoints.load_newest(tmp_path, load) == name.format(4)
    assert asked == [name.format(2), name.format(4)]


def test_folder_without_checkpoints_is_no_model(tmp_path):
    with pytest.raises(IsADirectoryError, match="without a checkpoint"):
        BilBOWA.load(tmp_path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"every_minutes": None}, "one of every_minutes and every_epochs"),
        ({"every_minutes": -1}, "every_minutes"),
        ({"every_minutes": "10m"}, "every_minutes"),
        ({"every_epochs": 0}, "every_epochs"),
        ({"every_epochs": 0.5}, "every_epochs"),
        ({"keep": 0}, "keep"),
    ],
)
def test_wrong_options_are_refused(tmp_path, options, message):
    with pytest.raises(ConfigError, match=message):
        Checkpoint(tmp_path / "c", **options)
    assert not (tmp_path / "c").exists()


# ---- when


def test_checkpoints_are_due_by_the_clock_within_an_epoch(tmp_path, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(checkpoints, "monotonic", lambda: now[0])
    written = []

    class Clock(Checkpoint):
        def wants_pause(self):
            now[0] += 1
            return super().wants_pause()

        def _save(self, model):
            written.append((now[0], model.epochs_trained))
            super()._save(model)

    BilBOWA(parallel=PAIRS, **OPTIONS, callbacks=[Clock(tmp_path, every_minutes=0.5)])
    times = [time for time, _ in written]
    assert times[0] == 0
    assert all(30 <= gap <= 40 for gap in np.diff(times))
    assert [epoch for _, epoch in written].count(0) > 1


def test_checkpoints_are_due_by_epochs(tmp_path):
    epochs = []

    class Note(Checkpoint):
        def _save(self, model):
            epochs.append(model.epochs_trained)
            super()._save(model)

    checkpoint = Note(tmp_path, every_minutes=None, every_epochs=2)
    BilBOWA(parallel=PAIRS, **{**OPTIONS, "epochs": 5}, callbacks=[checkpoint])
    assert epochs == [0, 2, 4]


# ---- what is resumed


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    folder = tmp_path_factory.mktemp("begun")
    texts, pairs = three_languages()
    with pytest.raises(Died):
        BilBOWA(texts, parallel=pairs, **OPTIONS, callbacks=[Dying(folder, 0, 20)])
    return folder, texts, pairs


def changed(pairs, key, place, sentence):
    changed = list(pairs[key])
    changed[place] = sentence
    return {**pairs, key: changed}


def test_other_text_is_refused_by_language(begun):
    folder, texts, pairs = begun
    other = changed(pairs, ("en", "fr"), 3, (pairs["en", "fr"][3][0], ["fd1", "fd2", "nowhere"]))
    with pytest.raises(
        CorpusError,
        match=r"'fr' text differs .*: (\d+) sentences.* then; now \1 sentences, \d+ words",
    ):
        BilBOWA.load(folder).train(texts, parallel=other, resume=True)


def test_same_words_in_another_order_are_other_text(begun):
    folder, texts, pairs = begun
    texts = {"en": [*texts["en"][1:], texts["en"][0]]}
    with pytest.raises(CorpusError, match=r"'en' text differs .* then; now as many of other"):
        BilBOWA.load(folder).train(texts, parallel=pairs, resume=True)


def test_corpora_in_another_order_are_refused(begun):
    folder, texts, pairs = begun
    with pytest.raises(CorpusError, match="was begun with 'en' text, 'de' text"):
        BilBOWA.load(folder).train(texts, parallel=dict(reversed(pairs.items())), resume=True)


@pytest.mark.parametrize(
    ("attribute", "argument", "message"),
    [
        ({"negative": 7}, {}, "negative is 7, .* begun with 5"),
        ({"xling_weight": 1}, {}, "xling_weight is 1, .* begun with 5.0"),
        ({"seed": 2}, {}, "seed"),
        ({}, {"epochs": 9}, "epochs is 9, .* begun with 2"),
        ({}, {"start_alpha": 0.2}, "alpha is 0.2"),
        ({}, {"freeze": ["en"]}, r"freeze is \['en'\]"),
        ({}, {"total_words": 5}, "total_words is 5, .* begun with None"),
    ],
)
def test_other_parameters_are_refused(begun, attribute, argument, message):
    folder, texts, pairs = begun
    model = BilBOWA.load(folder)
    vars(model).update(attribute)
    with pytest.raises(ConfigError, match=message):
        model.train(texts, parallel=pairs, resume=True, **argument)
    assert model.unfinished


def test_same_arguments_are_accepted(begun):
    folder, texts, pairs = begun
    model = BilBOWA.load(folder)
    model.train(texts, parallel=pairs, resume=True, epochs=2, start_alpha=0.1, freeze=())
    assert model.epochs_trained == 2


def test_progress_goes_on_from_where_it_was(begun):
    folder, texts, pairs = begun
    seen = []

    class Watch(CallbackAny2Vec):
        def on_progress(self, model, progress):
            seen.append(progress)

    model = BilBOWA.load(folder)
    done = model._run.position.words
    model.train(texts, parallel=pairs, resume=True, callbacks=[Watch()])
    assert seen[0].done >= done > 0
    assert seen[-1].done == pytest.approx(seen[-1].total, rel=0.01)


def test_new_training_on_an_unfinished_one_warns(begun, caplog):
    folder, texts, pairs = begun
    model = BilBOWA.load(folder)
    model.train(texts, parallel=pairs, epochs=1)
    assert "a new training begins" in caplog.text
    assert (model.epochs_trained, model.unfinished) == (1, False)


def test_changed_vocabularies_leave_nothing_to_resume(begun):
    folder, texts, pairs = begun
    model = BilBOWA.load(folder)
    model.build_vocab(texts, parallel=pairs, update=True)
    with pytest.raises(ConfigError, match="no unfinished training"):
        model.train(texts, parallel=pairs, resume=True)


def test_model_without_an_unfinished_training_says_so(small_model, pairs, tmp_path):
    assert not small_model.unfinished
    with pytest.raises(ConfigError, match="no unfinished training"):
        small_model.train(parallel=PAIRS, resume=True)
    small_model.save(tmp_path / "m")
    with zipfile.ZipFile(tmp_path / "m") as archive:
        assert "run" not in json.loads(archive.read("model.json"))["model"]


def test_error_of_a_callback_between_epochs_leaves_a_training_to_resume():
    class Fail(CallbackAny2Vec):
        def on_epoch_end(self, model):
            raise Died

    model = BilBOWA(**OPTIONS)
    model.build_vocab(parallel=PAIRS)
    with pytest.raises(Died):
        model.train(parallel=PAIRS, callbacks=[Fail()])
    assert model.unfinished
    model.train(parallel=PAIRS, resume=True)
    assert_same(model, BilBOWA(parallel=PAIRS, **OPTIONS))


def test_training_that_was_ended_within_a_job_needs_a_checkpoint():
    class Interrupt(CallbackAny2Vec):
        def on_progress(self, model, progress):
            raise KeyboardInterrupt

    model = BilBOWA(**OPTIONS, alignment=False)
    model.build_vocab(parallel=PAIRS)
    with pytest.raises(KeyboardInterrupt):
        model.train(parallel=PAIRS, callbacks=[Interrupt()])
    assert not model.unfinished
    with pytest.raises(ConfigError, match="in the midst of a job; load its latest checkpoint"):
        model.train(parallel=PAIRS, resume=True)


def set_in(document, path, value):
    *names, last = path.split("/")
    for name in names:
        document = document[name]
    document[last] = value


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("run", None),
        ("run", {}),
        ("run/name", "../../etc"),
        ("run/plan/epochs", 0),
        ("run/plan/negative", "many"),
        ("run/plan/strange", 1),
        ("run/texts", []),
        ("run/texts", [{}]),
        ("run/position", None),
        ("run/position/epoch", 3),
        ("run/position/epoch", -1),
        ("run/position/words", 0.5),
        ("run/position/tally/jobs", -1),
        ("run/position/tally/units/en", "one"),
        ("run/position/tally/loss/en", float("nan")),
        ("run/position/tally/seconds", None),
        ("run/seconds", float("inf")),
    ],
)
def test_damaged_state_is_refused(begun, tmp_path, path, value):
    checkpoint = Checkpoint(begun[0]).paths[-1]
    with zipfile.ZipFile(checkpoint) as old, zipfile.ZipFile(tmp_path / "m", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "model.json":
                manifest = json.loads(data)
                set_in(manifest["model"], path, value)
                data = json.dumps(manifest)
            new.writestr(name, data)
    with pytest.raises(FormatError, match="not a whole model"):
        BilBOWA.load(tmp_path / "m")


@pytest.mark.parametrize(
    "change", [{"jobs": 10**6}, {"loss": {"en": 1.0}, "units": {"en": 1}}, {"strange": 1}]
)
def test_state_of_another_text_is_refused(begun, change):
    folder, texts, pairs = begun
    model = BilBOWA.load(folder)
    model._run.position.tally.update(change)
    with pytest.raises(FormatError, match="counts of epoch 1"):
        model.train(texts, parallel=pairs, resume=True)


# ---- stopping


@pytest.mark.parametrize("error", [None, SystemExit(143)])
def test_stop_writes_a_last_checkpoint_and_raises(tmp_path, error):
    checkpoint = Checkpoint(tmp_path)

    class Stop(CallbackAny2Vec):
        def on_progress(self, model, progress):
            threading.Thread(target=checkpoint.stop, args=[error]).start()

    with pytest.raises(KeyboardInterrupt if error is None else SystemExit):
        BilBOWA(parallel=PAIRS, **OPTIONS, callbacks=[checkpoint, Stop()])
    assert len(checkpoint.paths) == 2
    model = BilBOWA.load(tmp_path)
    model.train(parallel=PAIRS, resume=True, callbacks=[checkpoint])
    assert_same(model, BilBOWA(parallel=PAIRS, **OPTIONS))


def test_stop_does_not_wait_for_a_long_job(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "_PATIENCE_SECONDS", 0.1)
    checkpoint = Checkpoint(tmp_path)
    original = kernels.train_text

    def slow(*arguments, **mode):
        checkpoint.stop()
        while not arguments[-1][0]:
            time.sleep(0.01)
        return original(*arguments, **mode)

    monkeypatch.setattr(kernels, "train_text", slow)
    with pytest.raises(KeyboardInterrupt):
        BilBOWA(parallel=PAIRS, **OPTIONS, callbacks=[checkpoint])
    assert [path.name[-12:-6] for path in checkpoint.paths] == ["000001"]


def test_stop_raises_at_once_when_nothing_is_trained(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        Checkpoint(tmp_path).stop()


def test_stop_in_the_last_moment_is_raised_at_the_end(tmp_path):
    checkpoint = Checkpoint(tmp_path)

    class Stop(CallbackAny2Vec):
        def on_epoch_end(self, model):
            if model.epochs_trained == 2:
                checkpoint.stop()

    model = BilBOWA(**OPTIONS)
    model.build_vocab(parallel=PAIRS)
    with pytest.raises(KeyboardInterrupt):
        model.train(parallel=PAIRS, callbacks=[checkpoint, Stop()])
    assert_same(model, BilBOWA(parallel=PAIRS, **OPTIONS))
