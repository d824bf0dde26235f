"""Trainings shared by several ranks: what they learn, how long they take, and kills.

    python benchmarks/machines.py quality owners merges speed kills [--data ../shared/data]

quality
    P@1 (CSLS, mean of both directions) after a training by one process and by N ranks, on Multi30k
    and on Multi30k with TED: real ranks of MPI for N = 2 and 4, simulated ones for more. With the
    defaults, and without alignment, the method of the paper; also with bfloat16.
owners
    The same of English with German, French and Czech captions, one language a rank, and of one
    process. Where there is no dictionary (Czech), words that are each other's best in the text.
merges
    Milliseconds of a merge of 80 and 800 MB, and of one by a plain Allreduce of all differences,
    on local ranks; also of what each sends alone.
speed
    Seconds of trainings on 100 million made-up words in all, by one rank and by two with one thread
    each, medians of alternating runs.
kills
    Twenty trainings by two ranks, one of which is killed at a random moment; each is gone on with
    until it ends, with the bits of an unbroken one or not.

Prints tables in Markdown. Needs an MPI (pip install mpich). Unset OPENBLAS_CORETYPE and
OPENBLAS_L2_SIZE before.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import texts
from material import made_up
from questions import Translations
from report import processor, table

from gensim_bilbowa import BilBOWA, kernels
from gensim_bilbowa.evaluation import invert
from gensim_bilbowa.teams import MPITeam, Team, simulate
from gensim_bilbowa.training import Merger, Schedule
from gensim_bilbowa.training.progress import EpochTally, Position

HERE = Path(__file__)
HUB = ("de", "fr", "cs")


def mpiexec(size: int, *arguments: Any) -> list[str]:
    found = shutil.which("mpiexec", path=sysconfig.get_path("scripts")) or shutil.which("mpiexec")
    if found is None:
        sys.exit("no MPI here (pip install mpich)")
    return [found, "-n", str(size), *map(str, arguments)]


def ranks(size: int, task: str, **options: Any) -> Any:
    """Run a task of this file in so many ranks; return what rank 0 printed last, from JSON."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    said = subprocess.run(
        mpiexec(size, sys.executable, HERE, "rank", "--task", task, "--options",
                json.dumps(options)),
        env=environment, stdout=subprocess.PIPE, text=True, check=True,
    ).stdout  # fmt: skip
    return json.loads(said.strip().splitlines()[-1])


# ---- what is learnt


def caption_text(data: Path, which: str) -> texts.Pairs:
    codes = ("en", "de")
    pairs = list(texts.caption_pairs(data, codes))
    if which == "with TED":
        talks = [[line.split() for line in texts.lines(data / f"ted/de-en.{c}.gz")] for c in codes]
        pairs += zip(*talks, strict=True)
        order = np.random.default_rng(0).permutation(len(pairs))
        pairs = [pairs[number] for number in order]
    return pairs


def train_captions(team: Team | None, data: str, which: str, seed: int, **options: Any) -> BilBOWA:
    epochs = 10 if which == "with TED" else 20
    return BilBOWA(
        parallel={("en", "de"): caption_text(Path(data), which)}, epochs=epochs, min_count=3,
        workers=1, seed=seed, team=team, **options,
    )  # fmt: skip


def precision(
    model: BilBOWA, translations: Translations, codes: tuple[str, str], gold: texts.Dictionary
) -> float:
    one, other = codes
    asked = [("there", one, gold), ("back", other, invert(gold))]
    cells = translations.scores(model.wv, asked, ["csls"])["csls"]
    return statistics.mean(cells[f"{way} @1"] for way in ("there", "back"))


def score_captions(model: BilBOWA, data: str, which: str) -> float:
    codes = ("en", "de")
    translations = Translations(caption_text(Path(data), which), codes)
    return precision(model, translations, codes, texts.printed_dictionary(Path(data), codes))


def rank_quality(team: MPITeam, data: str, which: str, seed: int, **options: Any) -> Any:
    model = train_captions(team, data, which, seed, **options)
    return score_captions(model, data, which) if not team.rank else None


def quality(data: Path, seeds: Sequence[int]) -> Iterator[str]:
    rows = []
    for which in ("Multi30k", "with TED"):
        for options in ({}, {"alignment": False}):
            shared = {"data": str(data), "which": which, **options}
            name = f"{which}{', without alignment' if options else ''}"

            def simulated(size: int, shared: Any = shared, **team: Any) -> float:
                found = []
                for seed in seeds:
                    train = partial(train_captions, seed=seed, **shared)
                    (model, *_) = simulate(size, train, **team)
                    found.append(score_captions(model, str(data), shared["which"]))
                return statistics.mean(found)

            row = [name, f"{simulated(1):.1f}"]
            for size in (2, 4):
                scores = [ranks(size, "quality", seed=seed, **shared) for seed in seeds]
                row.append(f"{statistics.mean(scores):.1f}")
            row += [f"{simulated(size):.1f}" for size in (8, 16)]
            row.append(f"{simulated(8, bf16=True):.1f}")
            print(row, file=sys.stderr, flush=True)
            rows.append(row)
    head = ["P@1", "one process", "2 ranks", "4 ranks", "8, simulated", "16, simulated",
            "8, bfloat16"]  # fmt: skip
    yield f"Seeds {', '.join(map(str, seeds))}.\n"
    yield table(head, rows)


def hub_model(team: Team | None, data: Path, seed: int) -> BilBOWA:
    pairs = {("en", code): texts.caption_pairs(data, ("en", code)) for code in HUB}
    own = {"en": [one for one, _ in pairs["en", "de"]]}
    return BilBOWA(
        own, parallel=pairs, epochs=20, min_count=3, workers=1, seed=seed, team=team
    )  # fmt: skip


def owners(data: Path, seeds: Sequence[int]) -> Iterator[str]:
    def scores(model: BilBOWA) -> list[float]:
        found = []
        for code in HUB:
            codes = ("en", code)
            translations = Translations(texts.caption_pairs(data, codes), codes)
            gold = texts.printed_dictionary(data, codes) or translations.sure(model.wv)
            found.append(precision(model, translations, codes, gold))
        return found

    rows = []
    for name, size, options in (
        ("one process", 1, {}), ("3 ranks, one language each", 3, {}),
        ("3 ranks, all merged", 3, {"owners": False}),
    ):  # fmt: skip
        found = [
            scores(simulate(size, partial(hub_model, data=data, seed=seed), **options)[0])
            for seed in seeds
        ]
        means = [statistics.mean(each) for each in zip(*found, strict=True)]
        rows.append([name, *(f"{mean:.1f}" for mean in means)])
    yield f"Seeds {', '.join(map(str, seeds))}.\n"
    yield table(["P@1", *(f"en-{code}" for code in HUB)], rows)


# ---- how long it takes


class _Arrays:
    """What a merger takes for a language."""

    def __init__(self, rows: int, dim: int, rank: int) -> None:
        rng = np.random.default_rng(rank)
        self.matrix = kernels.Matrix(rows, dim)
        self.vectors = self.matrix.array
        self.matrix.lay_out(True, self, "vectors")
        self.vectors[...] = rng.random((rows, dim), np.float32)

    def matrices(self) -> list[Any]:
        return [(self, "vectors", len(self.vectors))]


def rank_merges(team: MPITeam, megabytes: int, bf16: bool, times: int) -> Any:
    from mpi4py import MPI

    team = MPITeam(bf16=bf16)
    world = MPI.COMM_WORLD
    dim, arrays = 100, 4
    rows = megabytes * 10**6 // (4 * dim * arrays)
    languages: dict[str, Any] = {f"l{i}": _Arrays(rows, dim, team.rank) for i in range(arrays)}
    nothing = Schedule([], [], epochs=1, start_alpha=0.0, end_alpha=0.0, seed=1)
    merger = Merger(team, nothing, languages, (), {})
    tally = EpochTally(nothing, Position(0, 0, None, {}), team.size)
    stop = np.zeros(1, np.int32)
    # Both ways move the same.
    common = [matrix.common for matrix in merger._matrices if matrix.common is not None]
    velocity = np.zeros(rows * dim * arrays, np.float32)
    sent, received = np.zeros_like(velocity), np.empty_like(velocity)

    def plain() -> None:
        """The same by Allreduce, each rank with the velocities of all rows."""
        for number, language in enumerate(languages.values()):
            part = sent[number * rows * dim : (number + 1) * rows * dim].reshape(rows, dim)
            kernels.write_changes(common[number], language.vectors, part)
        world.Allreduce(sent, received)
        received.__imul__(np.float32(1 / team.size))
        kernels.add_up(received[None], 1 - 1 / team.size, velocity, sent)
        for number, language in enumerate(languages.values()):
            part = sent[number * rows * dim : (number + 1) * rows * dim].reshape(rows, dim)
            kernels.take_step(part, common[number], language.vectors)

    def sending() -> None:
        blocks = sent[: len(sent) // team.size * team.size].reshape(team.size, -1)
        world.Alltoall(blocks, received[: blocks.size])
        world.Allgather(blocks[0], received[: blocks.size])

    ways: dict[str, Callable[[], object]] = {
        "merge": lambda: merger.merge(tally, lambda parts: [part(stop) for part in parts]),
        "by Allreduce": plain,
        "Alltoall and Allgather alone": sending,
        "Allreduce alone": lambda: world.Allreduce(sent, received),
    }
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(times):
        for name, way in ways.items():
            world.Barrier()
            start = time.perf_counter()
            way()
            found[name].append(world.allreduce(time.perf_counter() - start, MPI.MAX))
    return {name: 1e3 * statistics.median(each) for name, each in found.items()}


def merges() -> Iterator[str]:
    rows = []
    names: list[str] = []
    for size in (2, 4):
        for megabytes in (80, 800):
            for bf16 in (False, True):
                seen = ranks(size, "merges", megabytes=megabytes, bf16=bf16, times=7)
                names = list(seen)
                kind = "bfloat16" if bf16 else "float32"
                rows.append(
                    [str(size), str(megabytes), kind, *(f"{ms:.0f}" for ms in seen.values())]
                )
    yield "Milliseconds, medians of 7 turns; of Allreduce float32 always.\n"
    yield table(["ranks", "MB", "sent as", *names], rows)


def rank_speed(team: MPITeam, folder: str, text: int, pairs: int, epochs: int) -> Any:
    made = {words: {code: made_up_file(folder, words, code) for code in ("en", "de")}
            for words in (text, pairs)}  # fmt: skip
    start = time.perf_counter()
    model = BilBOWA(
        made[text] if text else None, parallel={("en", "de"): tuple(made[pairs].values())},
        epochs=epochs, workers=1, xling_passes=1, cache_dir=Path(folder) / "cache", team=team,
    )  # fmt: skip
    return {"all": time.perf_counter() - start, "training": model.total_train_time}


def made_up_file(folder: str | Path, words: int, code: str) -> Path:
    return Path(folder) / f"made-up.{words}.{code}"


def speed(words: int, times: int) -> Iterator[str]:
    # Words of text besides the pairs, of pairs, and epochs. Pairs are text, too.
    kinds = {
        "pairs alone": (0, words // 2, 1),
        "pairs alone, 5 epochs": (0, words // 10, 5),
        "text, a ninth of it pairs": (words * 8 // 10, words // 10, 1),
    }
    rows = []
    for kind, (text, pairs, epochs) in kinds.items():
        with tempfile.TemporaryDirectory() as folder:
            for made in {text, pairs} - {0}:
                made_up(Path(folder), made, 20_000, 0.75)
            options = {"folder": folder, "text": text, "pairs": pairs, "epochs": epochs}
            seen: dict[int, list[dict[str, float]]] = {1: [], 2: []}
            ranks(2, "speed", **options)  # which fills the cache
            for _ in range(times):
                for size, found in seen.items():
                    found.append(ranks(size, "speed", **options))
                    print(kind, size, found[-1], file=sys.stderr, flush=True)
        medians = {
            size: {name: statistics.median(run[name] for run in found) for name in found[0]}
            for size, found in seen.items()
        }
        rows += [
            [kind, name, *(f"{medians[size][name]:.1f}" for size in (1, 2)),
             f"{medians[1][name] / medians[2][name]:.2f}"]
            for name in ("training", "all")
        ]  # fmt: skip
    yield f"{words:,} words trained, one thread a rank, encoded text cached; "
    yield f"seconds, medians of {times} alternating runs.\n"
    yield table(["text", "", "1 rank", "2 ranks", "times as fast"], rows)


# ---- kills


def rank_kills(team: MPITeam, folder: str) -> None:
    from gensim_bilbowa.callbacks import Checkpoint

    place = Path(folder)
    pairs = {("en", "de"): tuple(place / f"made-up.400000.{code}" for code in ("en", "de"))}
    callbacks = [] if team.rank else [Checkpoint(place / "c", every_minutes=0.01)]
    begun = team.broadcast(bool(callbacks and callbacks[0].paths))
    if begun:
        model = BilBOWA.load(place / "c")
        model.train(parallel=pairs, resume=True, callbacks=callbacks, team=team)
    else:
        model = BilBOWA(
            parallel=pairs, epochs=6, workers=1, min_count=2, callbacks=callbacks, team=team
        )
    team.wait()
    if not team.rank:
        model.save(place / "m")
        callbacks[0].remove()


def checksum(path: Path) -> list[int]:
    model = BilBOWA.load(path)
    return [
        zlib.crc32(array.tobytes())
        for code in model for array in (model.wv[code].vectors, model[code].syn1neg)
    ]  # fmt: skip


def kills(times: int) -> Iterator[str]:
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        made_up(place, 400_000, 2_000, 0.5)
        order = mpiexec(2, sys.executable, HERE, "rank", "--task", "kills", "--options",
                        json.dumps({"folder": folder}))  # fmt: skip
        start = time.perf_counter()
        subprocess.run(order, check=True)
        taken = time.perf_counter() - start
        whole = checksum(place / "m")
        same = killed = parts = before = 0
        for _ in range(times):
            (place / "m").unlink()
            while not (place / "m").exists():
                parts += 1
                child = subprocess.Popen(order, stderr=subprocess.DEVNULL)
                moment = draw.uniform(0.2, taken)
                try:
                    child.wait(moment)
                except subprocess.TimeoutExpired:
                    found = subprocess.run(
                        ["pgrep", "-f", "^[^ ]*python[^ ]* .*machines.py rank --task kills"],
                        capture_output=True, text=True, check=False,
                    ).stdout.split()  # fmt: skip
                    if found:
                        before += not list(place.glob("c/*.model"))
                        subprocess.run(["kill", "-9", draw.choice(found)], check=False)
                        killed += 1
                    child.wait(60)
            same += checksum(place / "m") == whole
            print(f"{same} the same, {killed} kills, {parts} parts", file=sys.stderr, flush=True)
    yield f"{times} trainings by two ranks, {killed} kills of one of them at random moments "
    yield f"({before} before the first checkpoint), {parts} parts:"
    yield f"{same} ended with the bits of an unbroken one."


# ----


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts = ["quality", "owners", "merges", "speed", "kills", "rank"]
    parser.add_argument("parts", nargs="+", choices=parts)
    parser.add_argument("--data", type=Path, default=texts.DATA)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--words", type=int, default=100_000_000, help="Trained, in all.")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--task", help=argparse.SUPPRESS)
    parser.add_argument("--options", type=json.loads, default={}, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    given = arguments()
    if given.parts == ["rank"]:
        team = MPITeam()
        tasks: dict[str, Callable[..., Any]] = {
            "quality": rank_quality, "merges": rank_merges, "speed": rank_speed,
            "kills": rank_kills,
        }  # fmt: skip
        result = tasks[given.task](team, **given.options)
        if not team.rank:
            print(json.dumps(result), flush=True)
        return
    made: dict[str, Callable[[], Iterator[str]]] = {
        "quality": lambda: quality(given.data, given.seeds),
        "owners": lambda: owners(given.data, given.seeds),
        "merges": merges,
        "speed": lambda: speed(given.words, given.times),
        "kills": lambda: kills(given.kills),
    }
    print(f"{processor()}, {os.cpu_count()} cores\n")
    for part in given.parts:
        print(f"## {part.capitalize()}\n")
        print(*made[part](), sep="\n", end="\n\n", flush=True)


if __name__ == "__main__":
    main()
