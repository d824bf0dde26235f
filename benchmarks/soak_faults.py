"""What may befall a training, each done to a living model and its outcome checked."""

from __future__ import annotations

import hashlib
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from gensim.models.callbacks import CallbackAny2Vec

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.errors import AlreadyTrainingError, CorpusError

__all__ = ["FAULTS", "Ground", "WrongOutcomeError", "run_child"]

HERE = Path(__file__).parent
Files = dict[str, Path]


class WrongOutcomeError(Exception):
    """A fault that did not end as it should."""


def expect(condition: object, message: str) -> None:
    if not condition:
        raise WrongOutcomeError(message)


@dataclass
class Ground:
    """What the faults are done to.

    Attributes
    ----------
    model : BilBOWA
        Lives through all of them.
    whole, part : dict from str to Path
        All the text, and its beginning.
    child_seconds, child_digest
        How long the training of `soak_child.py` takes, and its outcome.
    counts : dict from str to int
        What was met on the way, for the report.
    """

    model: BilBOWA
    whole: Files
    part: Files
    folder: Path
    rng: np.random.Generator
    child_seconds: float
    child_digest: str
    counts: dict[str, int] = field(default_factory=dict)
    slowest_interrupt: float = 0.0

    def count(self, what: str, number: int = 1) -> None:
        self.counts[what] = self.counts.get(what, 0) + number

    def train(self, files: Files, callbacks: tuple[Any, ...] = (), errors: str = "strict") -> None:
        # In memory, or in temporary files that are mapped.
        vars(self.model)["corpus_memory"] = int(self.rng.choice([1 << 22, 1 << 30]))
        self.model.train(parallel=pairs_of(files, errors), epochs=1, callbacks=callbacks)

    def expect_sound(self) -> None:
        for code in self.model.languages:
            expect(np.isfinite(self.model.wv[code].vectors).all(), f"{code} is not finite")
        word = self.model.wv["en"].index_to_key[0]
        expect(self.model.wv["en"].most_similar_cross(word, topn=1), "no answer")


def pairs_of(files: Files, errors: str = "strict") -> ParallelSentences:
    return ParallelSentences(files["en"], files["de"], languages=("en", "de"), errors=errors)


def run_child(files: Files, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, HERE / "soak_child.py", files["en"], files["de"], folder],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


class At(CallbackAny2Vec):  # type: ignore[misc]
    """Does something once, when a drawn share of the training is done."""

    def __init__(self, rng: np.random.Generator, action: Callable[[], None]) -> None:
        self.share = rng.uniform(0, 0.9)
        self.action = action
        self.done = False

    def on_progress(self, model: BilBOWA, progress: Any) -> None:
        if not self.done and progress.done >= self.share * progress.total:
            self.done = True
            self.action()


# ---- text


def with_bad_line(ground: Ground) -> tuple[Files, int]:
    """Return the part with a line of German that is not UTF-8, and that line's number."""
    lines = ground.part["de"].read_bytes().split(b"\n")
    number = int(ground.rng.integers(len(lines) - 1))
    lines[number] = b"d0 d\xff1 d2"
    bad = ground.folder / "bad.de"
    bad.write_bytes(b"\n".join(lines))
    return {**ground.part, "de": bad}, number + 1


def bad_line(ground: Ground) -> None:
    files, number = with_bad_line(ground)
    try:
        ground.train(files)
    except CorpusError as error:
        place = f"{files['de']}, line {number}, byte 5"
        expect(place in str(error), f"{error} does not name {place}")
    else:
        raise WrongOutcomeError("text that is not UTF-8 was read")


def bad_line_replaced(ground: Ground) -> None:
    files, _ = with_bad_line(ground)
    ground.train(files, errors="replace")


class Failing:
    """Pairs that end in an error."""

    def __init__(self, pairs: ParallelSentences, after: int, error: Exception) -> None:
        self.pairs, self.after, self.error = pairs, after, error

    def __iter__(self) -> Iterator[Any]:
        for number, pair in enumerate(self.pairs):
            if number == self.after:
                raise self.error
            yield pair


def iterator_raises(ground: Ground) -> None:
    error = RuntimeError("the disk is gone")
    after = int(ground.rng.integers(1000))
    pairs = Failing(pairs_of(ground.part), after, error)
    try:
        ground.model.train(parallel={("en", "de"): pairs}, epochs=1)
    except RuntimeError as caught:
        expect(caught is error, f"another error: {caught!r}")
        expect(str(after) in "".join(caught.__notes__), f"{caught.__notes__} do not name {after}")
    else:
        raise WrongOutcomeError("the iterator's error is gone")


# ---- training


def callback_raises(ground: Ground) -> None:
    error = RuntimeError("no")

    def fail() -> None:
        raise error

    try:
        ground.train(ground.whole, (At(ground.rng, fail),))
    except RuntimeError as caught:
        expect(caught is error, f"another error: {caught!r}")
    else:
        raise WrongOutcomeError("the callback's error is gone")
    ground.expect_sound()


def interrupt(ground: Ground) -> None:
    due = threading.Event()
    sent = []

    def send() -> None:
        due.wait()
        time.sleep(ground.rng.uniform(0, 0.1))  # else it would always come within the callback
        sent.append(perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send, name="soak-sender")
    sender.start()
    try:
        ground.train(ground.whole, (At(ground.rng, due.set),))
        due.set()
        sender.join()
        time.sleep(1)  # a signal is handled between two instructions of this thread
    except KeyboardInterrupt:
        took = perf_counter() - sent[0]
        ground.slowest_interrupt = max(ground.slowest_interrupt, took)
    else:
        raise WrongOutcomeError("SIGINT was lost")
    finally:
        due.set()
        sender.join()
    ground.expect_sound()


def questions(ground: Ground) -> None:
    """Ask from another thread during training, which must come to its end."""
    over = threading.Event()
    wrong: list[BaseException] = []

    def ask() -> None:
        wv = ground.model.wv["en"]
        try:
            while not over.is_set():
                word = wv.index_to_key[int(ground.rng.integers(len(wv)))]
                scores = [score for _, score in wv.most_similar_cross(word, topn=5)]
                scores += [score for _, score in wv.most_similar(word, topn=5)]
                expect(np.isfinite(scores).all(), f"{word}: {scores}")
                ground.count("questions during training", 2)
        except BaseException as error:
            wrong.append(error)

    asker = threading.Thread(target=ask, name="soak-asker")
    asker.start()
    try:
        ground.train(ground.whole)
    finally:
        over.set()
        asker.join()
    expect(not wrong, f"{wrong!r}")
    ground.expect_sound()


def fork(ground: Ground) -> None:
    """Fork during training: the child may ask but not train, and the parent goes on."""

    def branch() -> None:
        child = os.fork()
        if child == 0:
            status = 1
            with suppress(BaseException):
                signal.alarm(60)
                ground.expect_sound()
                try:
                    ground.model.train(parallel=pairs_of(ground.part), epochs=1)
                except AlreadyTrainingError:
                    status = 0
            os._exit(status)
        _, status = os.waitpid(child, 0)
        expect(status == 0, f"the forked child ended with {status}")

    at = At(ground.rng, branch)
    ground.train(ground.part, (at,))
    expect(at.done, "no fork")
    ground.expect_sound()


# ---- files


def digests(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.file_digest(path.open("rb"), "sha256").hexdigest()
        for path in folder.iterdir()
    }


def full_disk(ground: Ground) -> None:
    folder = ground.folder / "saved"
    folder.mkdir(exist_ok=True)
    path = folder / "soak.model"
    separate = int(ground.rng.choice([1 << 20, 1 << 30]))
    ground.model.save(path, sep_limit=separate)
    before = digests(folder)
    largest = max(entry.stat().st_size for entry in folder.iterdir())
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(ground.rng.integers(largest)), limits[1]))
    try:
        ground.model.save(path, sep_limit=separate)
    except OSError as error:
        expect(str(path) in f"{error} {error.filename}", f"{error!r} does not name {path}")
    else:
        raise WrongOutcomeError("saved onto a full disk")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    expect(digests(folder) == before, "the saved model is not as it was")


def round_trip(ground: Ground) -> None:
    """Save and load; the loaded model takes the place of the other."""
    folder = ground.folder / "saved"
    folder.mkdir(exist_ok=True)
    path = folder / "soak.model"
    ground.model.save(path, sep_limit=int(ground.rng.choice([1 << 20, 1 << 30])))
    for mmap in ("r", None):
        loaded = BilBOWA.load(path, mmap=mmap)
        for code in ground.model.languages:
            one, other = ground.model[code], loaded[code]
            expect(np.array_equal(one.wv.vectors, other.wv.vectors), f"vectors of {code} differ")
            expect(np.array_equal(one.syn1neg, other.syn1neg), f"weights of {code} differ")
    ground.model = loaded


def wait_to_kill(ground: Ground, child: subprocess.Popen[str], folder: Path) -> None:
    """Wait for a moment after the child's next checkpoint, or for any moment before its end."""
    if ground.rng.random() < 0.25:
        with suppress(subprocess.TimeoutExpired):
            child.wait(ground.rng.uniform(0, ground.child_seconds))
        return
    before = set(folder.glob("checkpoint-*.model"))
    while child.poll() is None and not set(folder.glob("checkpoint-*.model")) - before:
        time.sleep(0.01)
    with suppress(subprocess.TimeoutExpired):
        child.wait(ground.rng.uniform(0, 0.5))


def killed(ground: Ground) -> None:
    """Kill a training again and again; what goes on from its checkpoints comes to the same."""
    folder = ground.folder / "checkpoints"
    for attempt in range(4):
        with run_child(ground.part, folder) as child:
            if attempt < 3:
                wait_to_kill(ground, child, folder)
                if child.poll() is None:
                    child.kill()
                    ground.count("kills")
                    ground.count("kills after a checkpoint", any(folder.glob("checkpoint-*.model")))
                    continue
            digest = child.communicate()[0].strip()
            break
    expect(digest == ground.child_digest, f"{digest} after kills, {ground.child_digest} without")
    expect(not folder.exists(), f"{folder} is left")


FAULTS: dict[str, Callable[[Ground], None]] = {
    "a line that is not UTF-8": bad_line,
    'the same, errors="replace"': bad_line_replaced,
    "an iterator that raises": iterator_raises,
    "a callback that raises": callback_raises,
    "SIGINT": interrupt,
    "questions from a thread": questions,
    "fork": fork,
    "a full disk": full_disk,
    "save and load": round_trip,
    "kill -9, resumed": killed,
}
