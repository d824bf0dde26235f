"""Whatever a parameter is given, the model trains or an error of this package says why not."""

from __future__ import annotations

import math
import os
import threading
from contextlib import suppress

import numpy as np
import pytest
from gensim.models.callbacks import CallbackAny2Vec
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.errors import BilBOWAError, ConfigError, OutOfMemoryError, ThreadError
from gensim_bilbowa.parameters import PARAMETERS, check_number, check_parameters
from gensim_bilbowa.teams import simulate

pytestmark = pytest.mark.usefixtures("no_thread_is_left")

PAIRS = made_up_pairs(20, words=12)
BASE = {**SMALL, "vector_size": 8, "epochs": 1, "align_pulls": 2}
SUBWORDS = {"subwords": True, "bucket": 50, "min_n": 2, "max_n": 3}
MODES = {
    "skip-gram": {},
    "own negatives": {"shared_negatives": False, "xling_gradient": "exact"},
    "subwords": SUBWORDS,
    "paper's method": {"alignment": False},
    "CBOW": {"sg": 0},
    "hierarchical softmax": {"hs": 1, "negative": 0},
}
# Two parameters together; EXTREME_PAIRS=10000 looks at more.
EXAMPLES = int(os.environ.get("EXTREME_PAIRS", "150"))
# With more a training takes the time or the memory that was asked for, which a test has not.
MOST = {"epochs": 9, "xling_passes": 99, "align_pulls": 99, "vector_size": 500, "bucket": 10**5}

NO_NUMBERS = ("1", "", None, [1], {}, object(), 1j, b"1", np.ones(2), math.nan, np.float64("nan"))
ENDLESS = (math.inf, -math.inf, 10**400, -(10**400), 10**5000, 1e308, -1e308)
NUMBERS = (-1, 0, 1, 2, 0.5, 5e-324, 1e15, 2**31, 2**63, True, False, np.bool_(True))
OF_NUMPY = (np.int8(1), np.int64(3), np.uint64(2**64 - 1), np.float16(0.5), np.float32(0.1))
OTHERS = {
    "alignment": (True, np.bool_(False), 1, 2, "yes", None, np.ones(2), [True], 10**400),
    "shrink_windows": (0, 1.0, "no", np.zeros(3), {}),
    "shared_negatives": (np.bool_(True), -1, None, math.nan),
    "xling_gradient": ("exact", "", None, 1, ["delta"], np.ones(2)),
    "subwords": (False, "en", ["en"], ["xx"], [["en"]], [None], 1, None, {"de"}, [""], [1, 1]),
    "comment": (None, "", "\0", 1, b""),
    "cache_dir": (None, 1, "", b"", ["a"]),
}


def values(name):
    """What is tried of a parameter: the ends of its range and what is just beyond, and all else."""
    if name in OTHERS:
        return OTHERS[name]
    parameter = PARAMETERS[name]
    ends = [
        end for end in (parameter.low, parameter.high) if end is not None and math.isfinite(end)
    ]
    near = [np.nextafter(end, away) for end in ends for away in (-math.inf, math.inf)]
    near += [int(end) + step for end in ends for step in (-1, 1)] if parameter.kind is int else []
    return (*ends, *near, *NUMBERS, *OF_NUMPY, *ENDLESS, *NO_NUMBERS)


NAMES = [*(name for name, each in PARAMETERS.items() if each.kind in (int, float)), *OTHERS]
EACH = [(name, number) for name in NAMES for number in range(len(values(name)))]


def is_taken(parameters):
    with suppress(ConfigError):
        return bool(check_parameters({"sg": 1, "hs": 0, **parameters}))
    return False


def trains_or_says_why_not(parameters):
    """Train a model; only errors that have a message, of this package, may come of it."""
    if is_taken(parameters):
        parameters = {
            name: min(value, MOST[name]) if name in MOST else value
            for name, value in parameters.items()
        }
    message = "trained"
    try:
        BilBOWA(parallel={("en", "de"): PAIRS}, **parameters)
    except BilBOWAError as error:
        message = str(error)
    assert message


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "mode",
    [pytest.param(mode, marks=() if mode == "skip-gram" else pytest.mark.slow) for mode in MODES],
)
def test_each_value_of_a_parameter_trains_or_is_an_error_that_says_why(mode, name):
    for value in values(name):
        try:
            trains_or_says_why_not(BASE | MODES[mode] | {name: value})
        except Exception as error:
            error.add_note(f"{name}, a {type(value).__name__}")
            raise


TAKEN = [(name, number) for name, number in EACH if is_taken({name: values(name)[number]})]


@settings(max_examples=EXAMPLES)
@given(st.sampled_from(sorted(MODES)), st.lists(st.sampled_from(TAKEN), min_size=2, max_size=3))
def test_values_of_several_parameters_train_or_are_an_error_that_says_why(mode, chosen):
    parameters = BASE | MODES[mode] | {name: values(name)[number] for name, number in chosen}
    trains_or_says_why_not(parameters)


@pytest.mark.slow
@pytest.mark.parametrize(
    "much", [{"epochs": 10**6}, {"xling_passes": 1e5, "batch_words": 2**53}, {"workers": 256}]
)
def test_callback_ends_a_training_that_would_take_days(much):
    class Enough(CallbackAny2Vec):
        def on_progress(self, model, progress):
            if progress.done:
                raise TimeoutError

    with pytest.raises(TimeoutError):
        BilBOWA(parallel={("en", "de"): PAIRS}, callbacks=[Enough()], **{**BASE, **much})


def test_numbers_of_more_digits_than_python_writes_are_told_by_their_bits():
    for value in (10**5000, -(10**5000)):
        with pytest.raises(ConfigError, match=r"epochs must be .*, got a number of 16,610 bits"):
            BilBOWA(epochs=value)


@pytest.mark.parametrize("whole", [True, False])
def test_numbers_without_a_bound_are_those_that_floats_hold(whole):
    largest = 2**53 if whole else math.nextafter(math.inf, 0)
    assert check_number("a", largest, whole) == largest
    for beyond in (2**53 + 1 if whole else math.inf, 10**400):
        with pytest.raises(ConfigError, match=r"a must be a .*number of 0 or more, got"):
            check_number("a", beyond, whole)


def test_work_of_too_many_jobs_is_refused_before_it_is_planned():
    parallel = {("en", "de"): PAIRS}
    with pytest.raises(ConfigError, match=r"would have 20,000,0.. jobs, .*: a larger batch_words"):
        BilBOWA(parallel=parallel, **{**BASE, "xling_passes": 1e6, "batch_words": 1})


def start_no_more_threads(monkeypatch, than):
    """Let the system refuse threads after so many."""
    start, started = threading.Thread.start, []

    def refused(thread):
        if len(started) >= than:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refused)


def test_workers_that_the_system_refuses_are_an_error_with_their_number(monkeypatch):
    start_no_more_threads(monkeypatch, than=2)
    with pytest.raises(ThreadError, match="workers=7: the system does not start so many threads"):
        BilBOWA(parallel={("en", "de"): PAIRS}, **{**BASE, "workers": 7})


def test_readers_that_the_system_refuses_are_an_error_with_their_number(monkeypatch, tmp_path):
    for code, side in zip(("en", "de"), zip(*PAIRS, strict=True), strict=True):
        text = "".join(f"{' '.join(words)}\n" for words in side)
        (tmp_path / code).write_text(text, encoding="utf-8")
    start_no_more_threads(monkeypatch, than=0)
    with pytest.raises(ThreadError, match="workers=5: the system does not start so many threads"):
        BilBOWA(parallel={("en", "de"): (tmp_path / "en", tmp_path / "de")}, workers=5)


def test_ranks_that_the_system_refuses_are_an_error_with_their_number(monkeypatch):
    start_no_more_threads(monkeypatch, than=2)
    with pytest.raises(ThreadError, match="size=3: the system does not start so many threads"):
        simulate(3, lambda team: team.wait())


@pytest.mark.parametrize("message", ["", "Unable to allocate 7 TiB"])
def test_memory_that_a_model_does_not_get_is_an_error_that_says_what_needs_less(
    monkeypatch, message
):
    def refused(*_):
        raise MemoryError(message)

    parallel = {("en", "de"): PAIRS}
    model = BilBOWA(**BASE)
    model.build_vocab(parallel=parallel)
    started = {code: model[code] for code in model}
    monkeypatch.setattr(np, "arange", refused)
    with pytest.raises(OutOfMemoryError, match=f"memory.*{message}.*a smaller vector_size"):
        model.train(parallel=parallel)
    with pytest.raises(OutOfMemoryError) as caught:  # of one step within another it is said once
        BilBOWA.from_models(started, parallel=parallel, **BASE)
    assert str(caught.value).count("there is not enough memory") == 1
