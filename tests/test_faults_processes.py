"""Processes that are forked, interrupted, killed or out of memory leave a usable state."""

from __future__ import annotations

import asyncio
import os
import platform
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import joblib
import numpy as np
import pytest
from gensim.models.callbacks import CallbackAny2Vec
from processes import begin, in_a_child, running
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA, CrossLingualVectors, LineCorpus
from gensim_bilbowa.corpora import EncodingCache
from gensim_bilbowa.corpora.compiled_reading import TextFile, count_words
from gensim_bilbowa.corpora.encode import encode_files
from gensim_bilbowa.errors import AlreadyTrainingError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks, kills and limits memory")

PARALLEL = {("en", "de"): made_up_pairs()}


# ---- memory


def used():
    return int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0]) * os.sysconf(
        "SC_PAGE_SIZE"
    )


def test_memory_that_ends_is_an_error_after_which_the_model_works():
    import resource

    few = {("en", "de"): made_up_pairs(3_000, words=1_000)}

    def build():
        # Arrays of over 30 MB, for which the system is asked each time; each language needs two.
        model = BilBOWA(**{**SMALL, "vector_size": 10_000, "epochs": 1})
        for megabytes in (0, 30, 60):
            resource.setrlimit(resource.RLIMIT_AS, (used() + (megabytes << 20), -1))
            try:
                with pytest.raises(MemoryError):
                    model.build_vocab(parallel=few)
            finally:
                resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
            assert model.languages == []
        model.build_vocab(parallel=few)
        return model.languages

    assert in_a_child(build) == "['en', 'de']"


# ---- Ctrl-C


def phases(folder):
    """All that may take long, by name."""
    (folder / "text").write_text("a b c d e f g h\n" * 20_000, encoding="utf-8")
    file = TextFile(LineCorpus(folder / "text"))
    model = BilBOWA(parallel=PARALLEL, **SMALL)
    model.save(folder / "m", sep_limit=0)
    model.wv.save(folder / "space")
    model.wv.save(folder / "x.safetensors")

    def encode(memory=10**9, cache=None):
        encode_files([file], [{"a": 0}], memory, workers=2, cache=cache)

    def encode_and_keep():
        cache = EncodingCache(folder / "cache")
        for entry in cache.folder.glob("*.encoded"):
            entry.unlink()
        encode(cache=cache)

    return {
        "counting": lambda: count_words([file], 2, lambda *_: None),
        "encoding": encode,
        "encoding to disk": lambda: encode(memory=0),
        "keeping": encode_and_keep,
        "training": lambda: BilBOWA(parallel=PARALLEL, **{**SMALL, "workers": 2}),
        "updating": lambda: model.build_vocab(parallel=PARALLEL, update=True),
        "saving a model": lambda: model.save(folder / "m", sep_limit=0),
        "saving vectors": lambda: model.wv.save(folder / "x.safetensors"),
        "loading": lambda: BilBOWA.load(folder / "m"),
        "loading vectors": lambda: CrossLingualVectors.load(folder / "space"),
        "asking": lambda: model.wv_en.most_similar_cross("e1", method="csls"),
        "extracting": lambda: model.lexicon("en", "de"),
        "refining": model.refine,
    }


def run_phases(folder):
    """Go through the phases, each until Ctrl-C; print when one begins and when it has ended."""
    for name, action in phases(folder).items():
        try:
            print("at", name, flush=True)
            while True:
                action()
        except KeyboardInterrupt:
            pass
        # If Ctrl-C came when the threads were about to be ended, it is their pool's end that ends
        # them, soon after the exception is gone.
        for thread in threading.enumerate()[1:]:
            thread.join()
        print("interrupted", flush=True)
    print("done", flush=True)


@contextmanager
def on_a_terminal(function, folder):
    """Begin `function(folder)` of this module in a new process; yield it and its terminal."""
    import pty

    program = (
        "import fcntl, sys, termios\n"
        "from pathlib import Path\n"
        "fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"  # Ctrl-C is sent to whose terminal it is
        f"sys.path[:0] = {[str(Path(__file__).parent), str(Path(__file__).parent / 'support')]}\n"
        f"from {Path(__file__).stem} import {function.__name__}\n"
        f"{function.__name__}(Path({str(folder)!r}))\n"
    )
    ours, theirs = pty.openpty()
    with running(
        [sys.executable, "-P", "-c", program],
        stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        # A tracer of coverage, which Python calls anywhere, takes Ctrl-C for an error of its own.
        env={name: value for name, value in os.environ.items() if "COVERAGE_" not in name},
    ) as child:  # fmt: skip
        os.close(theirs)
        yield child, ours


def screen_lines(terminal):
    """Yield the lines on a terminal until its last program ends, which is an error to read."""
    with os.fdopen(terminal, "r") as screen, suppress(OSError):
        yield from map(str.strip, iter(screen.readline, ""))


@pytest.mark.slow
def test_ctrl_c_on_a_terminal_ends_every_phase(tmp_path):
    screen = []
    with on_a_terminal(run_phases, tmp_path) as (child, terminal):
        for line in screen_lines(terminal):
            screen.append(line)
            if line.startswith("at "):
                time.sleep(0.1)  # into the midst of it
                os.write(terminal, b"\x03")
    assert child.returncode == 0, "\n".join(screen)
    assert screen[-1] == "done"
    assert len([line for line in screen if "interrupted" in line]) == 13
    assert len(BilBOWA.load(tmp_path / "m").wv_en) == 40
    assert len(CrossLingualVectors.load(tmp_path / "x.safetensors")) == 2
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


# ---- killed


def ended_at_any_moment(action, number, times=7):
    """Have a child do something again and again, and send it a signal; several times over."""

    def forever():
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)  # a shell may have it ignored
        while True:
            action()

    draw = random.Random(1)
    for _ in range(times):
        child = begin(forever)
        time.sleep(draw.random() * 0.1)
        os.kill(child, number)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == -number
        yield


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGHUP"])
def test_signal_in_the_middle_of_a_save_leaves_a_whole_model(tmp_path, small_model, name):
    number = getattr(signal, name)
    small_model.save(tmp_path / "m", sep_limit=0)
    for _ in ended_at_any_moment(lambda: small_model.save(tmp_path / "m", sep_limit=0), number):
        loaded = BilBOWA.load(tmp_path / "m")
        np.testing.assert_array_equal(loaded.wv_en.vectors, small_model.wv_en.vectors)
    small_model.save(tmp_path / "m")


# ---- forked


def test_fork_after_training_trains_and_answers_on_its_own(small_model, pairs):
    before = small_model.wv_en.vectors.copy()

    def train():
        small_model.train(parallel={("en", "de"): pairs}, epochs=1)
        return (small_model.wv_en.vectors != before).any()

    assert in_a_child(train) == "True"
    np.testing.assert_array_equal(small_model.wv_en.vectors, before)
    assert in_a_child(lambda: small_model.wv_en.most_similar_cross("e1", topn=1)[0][0]) == "d1"


def test_processes_of_joblib_train_models_of_their_own():
    options = [{**SMALL, "parallel": PARALLEL, "workers": 1, "seed": seed} for seed in (1, 2)]
    models = joblib.Parallel(n_jobs=2, backend="loky")(
        joblib.delayed(BilBOWA)(**some) for some in options
    )
    for some, model in zip(options, models, strict=True):
        np.testing.assert_array_equal(model.wv_en.vectors, BilBOWA(**some).wv_en.vectors)


def test_thread_of_asyncio_trains_and_a_second_training_is_refused():
    model = BilBOWA(parallel=PARALLEL, **SMALL)
    began, refused = threading.Event(), threading.Event()

    class Waiting(CallbackAny2Vec):
        def on_epoch_begin(self, model):
            began.set()
            assert refused.wait(100)

    async def both():
        first = asyncio.create_task(
            asyncio.to_thread(model.train, parallel=PARALLEL, epochs=1, callbacks=[Waiting()])
        )
        await asyncio.to_thread(began.wait, 100)
        try:
            with pytest.raises(AlreadyTrainingError):
                model.train(parallel=PARALLEL, epochs=1)
        finally:
            refused.set()
        await first

    before = model.wv_en.vectors.copy()
    asyncio.run(both())
    assert not np.array_equal(model.wv_en.vectors, before)


def test_fork_during_training_answers_and_refuses_to_train(pairs):
    class Fork(CallbackAny2Vec):
        said = ()

        def on_epoch_end(self, model):
            self.said = (
                in_a_child(lambda: model.train(parallel={("en", "de"): pairs})),
                in_a_child(lambda: len(model.wv_en.most_similar_cross("e1", topn=2))),
            )

    fork = Fork()
    model = BilBOWA(parallel={("en", "de"): pairs}, callbacks=[fork], **SMALL)
    assert fork.said == ("AlreadyTrainingError: this model is being built or trained", "2")
    assert model.epochs_trained == SMALL["epochs"]


# ---- other processors


@pytest.mark.slow
@pytest.mark.parametrize(
    ("processor", "levels"), [("Nehalem", ["baseline"]), ("Haswell", ["avx2", "baseline"])]
)
def test_emulated_processor_gets_the_kernels_that_it_has(processor, levels):
    if not (emulator := shutil.which("qemu-x86_64")) or platform.machine() != "x86_64":
        pytest.skip("no qemu-x86_64 here (Debian's qemu-user)")
    program = (
        "from gensim_bilbowa import kernels\n"
        "print(*kernels.levels(), kernels.level())\n"
        "try: kernels.use_level('avx512')\n"
        "except ValueError as error: print(error)\n"
        "from samples import SMALL, made_up_pairs\n"
        "from gensim_bilbowa import BilBOWA\n"
        "model = BilBOWA(parallel={('en', 'de'): made_up_pairs()}, **SMALL)\n"
        "print(model.wv_en.most_similar_cross('e1')[0][0])\n"
    )
    emulated = subprocess.run(
        [emulator, "-cpu", processor, sys.executable, "-P", "-c", program],
        env={
            **os.environ, "PYTHONPATH": os.pathsep.join(sys.path),
            "OPENBLAS_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Nehalem",
        },
        capture_output=True, text=True,
    )  # fmt: skip
    assert emulated.returncode == 0, emulated.stderr
    assert emulated.stdout.splitlines() == [
        " ".join([*levels, levels[0]]),
        f"no kernels for 'avx512' on this processor, which has {levels}",
        "d1",
    ]
