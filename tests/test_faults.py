"""Errors and interrupts at any point end a run, with no thread left."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors
from gensim.models.callbacks import CallbackAny2Vec
from processes import running
from samples import SMALL

from gensim_bilbowa import BilBOWA, kernels
from gensim_bilbowa.errors import AlreadyTrainingError, ConfigError
from gensim_bilbowa.training import progress


@pytest.fixture(autouse=True)
def _no_thread_is_left():
    yield
    assert not [t for t in threading.enumerate() if t.name.startswith("bilbowa")]


class Failing:
    """Sentences that end in an error on one of the readings."""

    def __init__(self, sentences, reading, error):
        self.sentences, self.reading, self.error = sentences, reading, error
        self.readings = 0

    def __iter__(self):
        self.readings += 1
        yield from self.sentences[:100]
        if self.readings == self.reading:
            raise self.error
        yield from self.sentences[100:]


@pytest.mark.parametrize("reading", [1, 2])
@pytest.mark.parametrize("kind", ["text", "pairs"])
def test_error_of_a_corpus_reaches_the_caller(pairs, reading, kind):
    error = RuntimeError("the disk is gone")
    texts = {"en": [p[0] for p in pairs], "de": [p[1] for p in pairs]}
    if kind == "text":
        texts["en"] = Failing(texts["en"], reading, error)
        parallel = pairs
    else:
        texts = None
        parallel = {("en", "de"): Failing(pairs, reading, error)}
    with pytest.raises(RuntimeError, match="the disk is gone") as caught:
        BilBOWA(texts, parallel=parallel, **SMALL)
    assert caught.value is error


def test_error_of_a_text_says_where_it_was_raised(pairs):
    text = Failing([p[0] for p in pairs], 1, RuntimeError("gone"))
    with pytest.raises(RuntimeError) as caught:
        BilBOWA({"en": text, "de": [p[1] for p in pairs]}, parallel=pairs, **SMALL)
    assert caught.value.__notes__ == ["raised while reading 'en' text, after sentence 100"]


def test_error_of_pairs_says_where_it_was_raised(pairs):
    with pytest.raises(RuntimeError) as caught:
        BilBOWA(parallel={("en", "de"): Failing(pairs, 2, RuntimeError("gone"))}, **SMALL)
    assert caught.value.__notes__ == ["raised while reading parallel text en-de, after pair 100"]


@pytest.mark.parametrize("name", ["train_text", "train_pairs"])
@pytest.mark.parametrize("workers", [1, 3])
def test_error_of_a_worker_reaches_the_caller(pairs, monkeypatch, name, workers):
    calls = []

    def broken(*args, **mode):
        calls.append(1)
        if len(calls) > 3:
            raise MemoryError("no room")
        return original(*args, **mode)

    original = getattr(kernels, name)
    monkeypatch.setattr(kernels, name, broken)
    with pytest.raises(MemoryError, match="no room"):
        BilBOWA(parallel={("en", "de"): pairs},
                **{**SMALL, "workers": workers, "batch_words": 100})  # fmt: skip


class AtEpoch(CallbackAny2Vec):
    """Does something at the beginning of an epoch."""

    def __init__(self, number, action):
        self.number, self.action, self.begun = number, action, 0

    def on_epoch_begin(self, model):
        self.begun += 1
        if self.begun == self.number:
            self.action(model)


@pytest.mark.parametrize("name", ["train_text", "train_pairs"])
@pytest.mark.parametrize("workers", [1, 3])
def test_error_of_a_worker_in_the_second_epoch_leaves_the_first(pairs, monkeypatch, name, workers):
    def broken(*args, **mode):
        raise ZeroDivisionError("no")

    callback = AtEpoch(2, lambda model: monkeypatch.setattr(kernels, name, broken))
    model = BilBOWA(**{**SMALL, "workers": workers})
    model.build_vocab(parallel={("en", "de"): pairs})
    with pytest.raises(ZeroDivisionError):
        model.train(parallel={("en", "de"): pairs}, callbacks=[callback])
    assert model.epochs_trained == len(model.loss_history) == 1
    assert np.isfinite(model.wv_en.vectors).all()
    monkeypatch.undo()
    model.train(parallel={("en", "de"): pairs}, epochs=1)
    assert model.epochs_trained == 2


def test_text_is_not_read_again_in_later_epochs(pairs):
    text = Failing(pairs, 3, RuntimeError("a third reading"))
    BilBOWA(parallel={("en", "de"): text}, **{**SMALL, "epochs": 4})
    assert text.readings == 2  # for the vocabulary, and for training


def test_text_that_changes_between_readings_is_warned_of_with_both_numbers(pairs, caplog):
    class Shrinking:
        left = 300

        def __iter__(self):
            now, self.left = self.left, self.left - 100
            return iter(pairs[:now])

    model = BilBOWA(parallel={("en", "de"): Shrinking()}, **SMALL)
    assert "en: 300 sentences were read for the vocabulary, but 200 to train on" in caplog.text
    assert model.loss_history[-1]["alpha"] == pytest.approx(model.min_alpha)


def test_text_that_stays_is_not_warned_of(pairs, caplog):
    text = [p[0] for p in pairs][:100]
    BilBOWA({"en": text}, parallel={("en", "de"): pairs}, **SMALL)
    assert "one reading to the next" not in caplog.text


@pytest.mark.parametrize(
    "action",
    [
        lambda model: model.train(parallel={("en", "de"): [(["e1"], ["d1"])]}),
        lambda model: model.build_vocab(parallel={("en", "de"): [(["e1"], ["d1"])]}, update=True),
        lambda model: model["en"].train([["e1", "e2"]], total_examples=1, epochs=1),
    ],
    ids=["train", "build_vocab", "a language alone"],
)
def test_callback_that_trains_is_refused(pairs, action):
    with pytest.raises(AlreadyTrainingError):
        BilBOWA(parallel={("en", "de"): pairs}, callbacks=[AtEpoch(2, action)], **SMALL)


def test_clock_that_stands_still_or_goes_back_gives_finite_rates(pairs, monkeypatch):
    ticks = itertools.cycle([5.0, 5.0, 2.0])
    monkeypatch.setattr(progress, "perf_counter", lambda: next(ticks))
    model = BilBOWA(parallel={("en", "de"): pairs}, **SMALL)
    assert all(entry["seconds"] > 0 for entry in model.loss_history)


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("name", ["vectors", "syn1neg"])
def test_array_that_is_not_finite_is_refused_before_it_spreads(small_model, pairs, name, value):
    language = small_model["en"]
    array = language.wv.vectors if name == "vectors" else language.syn1neg
    array[[3, 5], 1] = value
    others = small_model.wv_de.vectors.copy()
    with pytest.raises(ConfigError, match=rf"{name} of 'en': 'e3' is not finite \(2 such rows"):
        small_model.train(parallel={("en", "de"): pairs})
    np.testing.assert_array_equal(small_model.wv_de.vectors, others)
    array[[3, 5], 1] = 0
    small_model.train(parallel={("en", "de"): pairs}, epochs=1)


def test_vectors_that_are_not_finite_are_neither_saved_nor_asked(small_model, tmp_path):
    small_model.save(tmp_path / "m")
    before = (tmp_path / "m").read_bytes()
    small_model.wv_en.vectors[3, 1] = np.nan
    small_model.wv_en.norms = None
    for use in (
        lambda: small_model.save(tmp_path / "m"),
        lambda: small_model.wv_en.most_similar("e1"),
        lambda: small_model.wv_de.most_similar_cross("d1"),
        lambda: small_model.lexicon("en", "de"),
    ):
        with pytest.raises(ConfigError, match="the vector of 'e3' is not finite"):
            use()
    assert (tmp_path / "m").read_bytes() == before


@pytest.mark.parametrize(
    "where", ["on_train_begin", "on_epoch_begin", "on_progress", "on_epoch_end", "on_train_end"]
)
@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_error_of_a_callback_reaches_the_caller(pairs, where, error):
    callback = CallbackAny2Vec()

    def fail(*_):
        raise error("no")

    setattr(callback, where, fail)
    with pytest.raises(error):
        BilBOWA(parallel={("en", "de"): pairs}, **{**SMALL, "workers": 2}, callbacks=[callback])


def test_model_is_usable_after_an_error(small_model, pairs, tmp_path):
    class Fail(CallbackAny2Vec):
        def on_epoch_end(self, model):
            if len(model.loss_history) == 5:
                raise RuntimeError("stop")

    before = small_model.epochs_trained
    with pytest.raises(RuntimeError):
        small_model.train(parallel={("en", "de"): pairs}, epochs=9, callbacks=[Fail()])
    assert small_model.epochs_trained == before + 2
    assert np.isfinite(small_model.wv_en.vectors).all()
    norms = np.linalg.norm(small_model.wv_en.vectors, axis=1)
    small_model.wv_en.fill_norms()
    np.testing.assert_allclose(small_model.wv_en.norms, norms, rtol=1e-5)
    small_model.save(tmp_path / "model")
    small_model.train(parallel={("en", "de"): pairs})


class Asking(CallbackAny2Vec):
    """Asks in a thread, from the last epoch's end until the training has ended and `over` is set.

    The question stops for that in gensim's ``fill_norms``, before or after the norms are put in
    place.
    """

    def __init__(self, monkeypatch, before):
        self.reached, self.over = threading.Event(), threading.Event()
        self.answers = []
        self.thread = threading.Thread(target=self.ask, daemon=True)
        fill = KeyedVectors.fill_norms

        def stopping(wv, force=False):
            if threading.current_thread() is not self.thread or self.over.is_set():
                fill(wv, force)
                return
            norms = np.linalg.norm(wv.vectors, axis=1) if before else fill(wv, force)
            self.reached.set()
            self.over.wait()
            wv.norms = norms if before else wv.norms

        monkeypatch.setattr(KeyedVectors, "fill_norms", stopping)

    def ask(self):
        self.answers.append(self.model.wv_en.get_vector("e0", norm=True))

    def on_epoch_end(self, model):
        if model.epochs_trained == SMALL["epochs"]:
            self.model = model
            model.wv_en.vectors[...] *= 2  # as a job at work changes them
            self.thread.start()
            self.reached.wait()
            model.wv_en.vectors[...] *= 2


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("subwords", [False, True])
def test_question_beneath_which_training_ends_is_answered(pairs, monkeypatch, before, subwords):
    asking = Asking(monkeypatch, before)
    options = {**SMALL, "subwords": subwords, "bucket": 100}
    model = BilBOWA(parallel={("en", "de"): pairs}, **options, callbacks=[asking])
    asking.over.set()
    asking.thread.join()
    (answer,) = asking.answers
    np.testing.assert_allclose(answer, model.wv_en.get_vector("e0", norm=True), rtol=1e-5)
    np.testing.assert_allclose(
        model.wv_en.norms, np.linalg.norm(model.wv_en.vectors, axis=1), rtol=1e-6
    )


_ENDLESS = """
    import sys, threading, time
    sys.path.insert(0, {support!r})
    from samples import SMALL, made_up_pairs
    from gensim_bilbowa import BilBOWA

    pairs = made_up_pairs()
    texts = {{"en": [p[0] for p in pairs], "de": [p[1] for p in pairs]}}
    if {phase!r} == "one long line":
        texts["en"] = [[w for p in pairs for w in p[0]] * 2000]

    class Slow(list):
        def __iter__(self):
            print("reading", flush=True)
            for _ in range(10**9):
                yield from list.__iter__(self)

    if {phase!r} == "vocabulary":
        texts["en"] = Slow(texts["en"])

    class Tell:
        def on_train_begin(self, model): pass
        on_epoch_end = on_train_end = on_train_begin
        def on_epoch_begin(self, model):
            print("training", flush=True)

    try:
        options = {{**SMALL, "epochs": 10**6, "workers": 3, "vector_size": 200}}
        if {phase!r} == "one long line":
            options["window"] = 10_000  # which alone would take hours
        BilBOWA(texts, parallel=pairs, callbacks=[Tell()], **options)
    except KeyboardInterrupt:
        left = [t.name for t in threading.enumerate() if t is not threading.main_thread()]
        print("interrupted, threads left:", left, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
@pytest.mark.parametrize(
    "phase",
    ["training", *(pytest.param(phase, marks=pytest.mark.slow)
                   for phase in ("vocabulary", "one long line"))],
)  # fmt: skip
def test_ctrl_c_ends_the_run(phase):
    support = str(Path(__file__).parent / "support")
    code = textwrap.dedent(_ENDLESS.format(support=support, phase=phase))
    command = [sys.executable, "-P", "-c", code]
    with running(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline()
        time.sleep(0.3)  # into the midst of it
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate()
    assert output.splitlines()[-1] == "interrupted, threads left: []"
    assert process.returncode == 0
