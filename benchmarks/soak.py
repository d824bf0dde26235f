"""Faults again and again, for half an hour: nothing leaks, and the vectors are as good as before.

    python benchmarks/soak.py [--minutes 30] [--words 100000000] [--workers 2] [--seed 1]

Made-up text of two languages is written to a temporary folder, about 6 bytes a word. Two models of
different seeds are trained on it, which says how good a clean run is, and how much that varies.
Then all faults of `soak_faults.py`, in a random order, befall a third one, round after round. At
its end that model, and a fourth one that is trained in the same process, must translate as well as
the clean ones. Meanwhile memory is sampled; after each fault, threads and open files are counted.

Prints tables and writes benchmarks/SOAK.md; the exit status is 1 if anything is not as it should
be. Linux only. With the default words it takes about 3 GB of memory, 1.5 GB of disk (TMPDIR says
where), and some minutes more than the minutes given, for the clean runs.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import itertools
import logging
import os
import platform
import signal
import statistics
import sys
import tempfile
import threading
import time
import traceback
import warnings
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from material import made_up
from report import processor, table
from soak_faults import FAULTS, Files, Ground, pairs_of, run_child

from gensim_bilbowa import BilBOWA, kernels
from gensim_bilbowa.evaluation import word_translation

HERE = Path(__file__).parent
TYPES = 20_000
# Share of the German words that translate nothing, so that P@1 stays well below 100.
NOISE = 0.75
QUESTIONS = 10_000
# What memory at rest may grow by, from the first quarter of the time to the last.
GROWTH = 0.05
# Percentage points of P@1 that are allowed whatever two seeds differ by.
LEAST_NOISE = 1.0


def resident() -> int:
    """Bytes of this process in memory, without those of files, which the system may drop."""
    told = Path("/proc/self/status").read_text(encoding="utf-8")
    facts = dict(line.split(":") for line in told.splitlines())
    return sum(int(facts[name].split()[0]) for name in ("RssAnon", "RssShmem")) << 10


class Memory(threading.Thread):
    """Samples this process's memory twice a second."""

    def __init__(self) -> None:
        super().__init__(name="soak-memory", daemon=True)
        self.samples: list[int] = []
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.wait(0.5):
            self.samples.append(resident())

    def end(self) -> None:
        self._over.set()
        self.join()


def quarters(samples: list[int]) -> dict[str, float]:
    """Return medians of the first and last quarter, and the maximum."""
    part = max(1, len(samples) // 4)
    return {
        "first_quarter": statistics.median(samples[:part]),
        "last_quarter": statistics.median(samples[-part:]),
        "maximum": max(samples),
    }


def at_rest() -> int:
    """Bytes in memory once all that is freed is given back."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return resident()


def resources() -> dict[str, list[str]]:
    """Return the threads of this process, Python's and others, and its open files."""
    files = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            files.append(str(entry.readlink()))
        except FileNotFoundError:
            continue  # that of this listing
    return {
        "threads": sorted(thread.name for thread in threading.enumerate()),
        "tasks": ["task" for _ in Path("/proc/self/task").iterdir()],
        "files": sorted(files),
    }


def left_over(before: dict[str, list[str]]) -> dict[str, list[str]]:
    now = resources()
    left = {}
    for name, old in before.items():
        rest = list(now[name])
        for one in old:
            if one in rest:
                rest.remove(one)
        left[name] = rest
    return left


def part_of(files: Files, folder: Path, lines: int) -> Files:
    """Copy the first lines of some files."""
    part = {}
    for code, path in files.items():
        part[code] = folder / f"part.{code}"
        with path.open("rb") as stream, part[code].open("wb") as copy:
            copy.writelines(itertools.islice(stream, lines))
    return part


def precision(model: BilBOWA) -> float:
    """P@1, in percent, of translations of words of all frequencies."""
    wv = model.wv["en"]
    step = max(1, len(wv) // QUESTIONS)
    asked = wv.index_to_key[::step]
    score = word_translation(wv, {word: ["d" + word[1:]] for word in asked})
    return 100 * score.precision[1]


def soak(ground: Ground, minutes: float) -> tuple[dict[str, Any], list[str], list[int]]:
    """Do all faults, again and again; return what they did, what was wrong, memory at rest."""
    done: dict[str, Any] = {
        name: {"times": 0, "seconds": 0.0, "threads": 0, "files": 0} for name in FAULTS
    }
    wrong: list[str] = []
    rest = [at_rest()]
    before = resources()
    end = perf_counter() + 60 * minutes
    for round_ in itertools.count(1):
        for name in ground.rng.permutation(list(FAULTS)).tolist():
            if round_ > 1 and perf_counter() > end:
                return done, wrong, rest
            start = perf_counter()
            try:
                FAULTS[name](ground)
            except Exception as error:
                traceback.print_exc()
                wrong.append(f"round {round_}, {name}: {error!r}")
            entry = done[name]
            entry["times"] += 1
            entry["seconds"] += perf_counter() - start
            rest.append(at_rest())
            left = left_over(before)
            entry["threads"] += max(len(left["threads"]), len(left["tasks"]))
            entry["files"] += len(left["files"])
            if any(left.values()):
                wrong.append(f"round {round_}, {name}: left over: {left}")
        print(f"round {round_}: {len(wrong)} wrong, {rest[-1] / 1e6:.0f} MB", flush=True)
    raise AssertionError("the rounds have no end of their own")


def judge(result: dict[str, Any]) -> list[str]:
    """Return what is wrong with memory and accuracy."""
    wrong = []
    rest = result["memory_at_rest"]
    if rest["last_quarter"] > (1 + GROWTH) * rest["first_quarter"] + 2e7:
        wrong.append(f"memory at rest grew: {rest}")
    clean = result["p1"]["clean"]
    noise = max(LEAST_NOISE, max(clean) - min(clean))
    lowest = min(clean) - noise
    wrong += [
        f"P@1 {name} the faults: {result['p1'][name]:.1f}, clean {clean}"
        for name in ("lived through", "trained after")
        if result["p1"][name] < lowest
    ]
    if result["p1"]["trained after"] > max(clean) + noise:
        wrong.append(f"P@1 after the faults: {result['p1']['trained after']:.1f}, clean {clean}")
    return wrong


def written(result: dict[str, Any]) -> str:
    given, p1 = result["arguments"], result["p1"]
    facts = ", ".join(f"{name} {number}" for name, number in result["versions"].items())
    faults = table(
        ["fault", "times", "seconds each", "threads left", "files left"],
        [[name, str(e["times"]), f"{e['seconds'] / max(1, e['times']):.1f}", str(e["threads"]),
          str(e["files"])] for name, e in result["faults"].items()],
    )  # fmt: skip
    memory = table(
        ["memory", "median of the first quarter", "of the last", "maximum"],
        [[label, *(f"{value / 1e6:.0f} MB" for value in result[name].values())]
         for label, name in (("at rest", "memory_at_rest"), ("all the time", "memory"))],
    )  # fmt: skip
    counts = ", ".join(f"{number} {what}" for what, number in sorted(result["counts"].items()))
    wrong = "".join(f"- WRONG: {line}\n" for line in result["wrong"]) or "Nothing was wrong.\n"
    return f"""# Soak

`python soak.py --minutes {given["minutes"]:g} --words {given["words"]} --workers \
{given["workers"]}` on {result["machine"]}, {facts}; {result["date"]}.

{faults}
{memory}
P@1 of clean runs: {" and ".join(f"{value:.1f}" for value in p1["clean"])}; of the model that lived
through the faults: {p1["lived through"]:.1f}; of one trained after them: {p1["trained after"]:.1f}.
{counts}. Slowest end after SIGINT: {result["slowest_interrupt"]:.2f} s.

{wrong}"""


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--words", type=int, default=100_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--dimensions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    logging.getLogger("gensim_bilbowa").setLevel(logging.ERROR)
    # From Python 3.12 on: of fork in a process with threads, which is what is tried here.
    warnings.filterwarnings("ignore", message=".*fork", category=DeprecationWarning)
    options = {"vector_size": given.dimensions, "workers": given.workers, "epochs": 1}
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = Path(name)
        print(f"writing {given.words:,} words", flush=True)
        whole = made_up(folder, given.words, TYPES, NOISE, given.seed)
        part = part_of(whole, folder, 10_000)
        clean = []
        for seed in (1, 2):
            start = perf_counter()
            clean.append(precision(BilBOWA(parallel=pairs_of(whole), seed=seed, **options)))
            print(f"clean: P@1 {clean[-1]:.1f}, {perf_counter() - start:.0f} s", flush=True)
        start = perf_counter()
        with run_child(part, folder / "checkpoints") as child:
            digest = child.communicate()[0].strip()
        seconds = perf_counter() - start
        model = BilBOWA(**options)
        model.build_vocab(parallel=pairs_of(whole))
        rng = np.random.default_rng(given.seed)
        ground = Ground(model, whole, part, folder, rng, seconds, digest)
        del model
        memory = Memory()
        memory.start()
        faults, wrong, rest = soak(ground, given.minutes)
        memory.end()
        ground.train(whole)
        lived = precision(ground.model)
        after = precision(BilBOWA(parallel=pairs_of(whole), seed=3, **options))
    result = {
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{processor()}, {os.cpu_count()} cores, {kernels.level()}",
        "versions": {
            "python": platform.python_version(),
            **{package: version(package) for package in ("gensim-bilbowa", "gensim", "numpy")},
        },
        "arguments": vars(given), "faults": faults, "memory_at_rest": quarters(rest),
        "memory": quarters(memory.samples),
        "p1": {"clean": clean, "lived through": lived, "trained after": after},
        "counts": ground.counts, "slowest_interrupt": ground.slowest_interrupt,
    }  # fmt: skip
    result["wrong"] = wrong + judge(result)
    report = written(result)
    (HERE / "SOAK.md").write_text(report)
    print(report)
    sys.exit(bool(result["wrong"]))


if __name__ == "__main__":
    main()
