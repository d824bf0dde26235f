"""Speed and memory beside gensim, with the accuracy of each run: writes benchmarks/RESULTS.md.

    python benchmarks/bench.py [--data ../shared/data] [--runs 3] [--only training memory ...]

Every run is a process of its own. Systems that are compared take turns, and medians count. What is
measured is kept in build/bench.json, so that parts can be repeated by --only.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import numpy as np
from material import large_vocabulary, multi30k, repeated

from gensim_bilbowa import LineCorpus, kernels
from gensim_bilbowa.corpora import EncodingCache
from gensim_bilbowa.corpora.encode import encode_files
from gensim_bilbowa.corpora.reading import TextFile, count_words

HERE = Path(__file__).parent
ROOT = HERE.parent
DIMENSIONS = (40, 100, 300)
NEGATIVE = 15
WINDOW = 5
COMMON = {"negative": NEGATIVE, "window": WINDOW, "sample": 1e-3, "min_count": 3, "alpha": 0.05,
          "min_alpha": 1e-4, "seed": 1}  # fmt: skip
# numpy's BLAS is slowed down by these on some machines.
SLOWED = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
FLAGS = {
    "avx512": (16, ["-mavx512f", "-mprefer-vector-width=512"]),
    "avx2": (8, ["-mavx2", "-mfma"]),
    "neon": (4, []),
    "baseline": (4, []),
}
Measured = dict[str, float]


def measured(system: str, files: dict[str, Path], level: str = "", **job: Any) -> Measured:
    """Run one job in a process of its own."""
    texts = {code: str(path) for code, path in files.items()}
    if "parallel" in job:
        job["parallel"] = {code: str(path) for code, path in job["parallel"].items()}
    environment = {name: value for name, value in os.environ.items() if name not in SLOWED}
    environment["GENSIM_BILBOWA_LEVEL"] = level
    run = subprocess.run(
        [sys.executable, HERE / "measured.py", json.dumps({"system": system, "files": texts, **job})],
        check=True, stdout=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    return json.loads(run.stdout.splitlines()[-1])


def median(runs: Iterable[float]) -> float:
    return statistics.median(list(runs))


def take_turns(jobs: dict[str, dict[str, Any]], runs: int) -> dict[str, list[Measured]]:
    seen: dict[str, list[Measured]] = {name: [] for name in jobs}
    for run in range(runs):
        for name, job in jobs.items():
            seen[name].append(measured(**job))
            print(f"  run {run + 1}, {name}: {seen[name][-1]['train']:.1f} s", flush=True)
    return seen


# ---- what is measured


def peak(given: argparse.Namespace) -> dict[str, float]:
    """Fused multiply-adds a second of one core, for each level, by the compiler that built us."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    rates = {}
    with tempfile.TemporaryDirectory() as folder:
        for level in kernels.levels():
            lanes, flags = FLAGS[level]
            program = f"{folder}/{level}"
            subprocess.run(
                [compiler, "-O3", "-ffp-contract=fast", *flags, f"-DLANES={lanes}",
                 HERE / "peak.c", "-o", program], check=True,
            )  # fmt: skip
            rates[level] = float(subprocess.run([program], check=True, capture_output=True).stdout)
    return rates


def training(given: argparse.Namespace) -> dict[str, Any]:
    """Words a second in train(), and P@1, on Multi30k."""
    files = multi30k(given.data, given.folder)
    results: dict[str, Any] = {}
    for size in DIMENSIONS:
        for workers in (1, 2):
            parameters = {**COMMON, "vector_size": size, "workers": workers, "epochs": 5}
            job = {"files": files, "dictionaries": given.dictionaries}
            ours = {**job, "system": "bilbowa", "parameters": {**parameters, "xling_passes": 0}}
            theirs = {**job, "system": "gensim", "parameters": {**parameters, "sg": 1}}
            jobs = {"gensim": {**theirs, "input": "sentences"}}
            if workers == 1:
                jobs["gensim, corpus_file"] = {**theirs, "input": "file"}
            jobs |= {f"ours, {level}": {**ours, "level": level}
                     for level in kernels.levels()[: None if workers == 1 else 1]}  # fmt: skip
            if workers == 1:
                separate = {**ours["parameters"], "shared_negatives": False}
                jobs["ours, separate negatives"] = {**ours, "parameters": separate}
            print(f"training: D={size}, {workers} workers", flush=True)
            results[f"{size} {workers}"] = take_turns(jobs, given.runs)
    return results


def joint(given: argparse.Namespace) -> dict[str, Any]:
    """The whole model on Multi30k at the package's defaults, for each level."""
    files = multi30k(given.data, given.folder)
    parameters = {"vector_size": 100, "workers": 1, "epochs": 10, "min_count": 3, "seed": 1}
    job = {"system": "bilbowa", "files": files, "parallel": files,
           "dictionaries": given.dictionaries, "parameters": parameters}  # fmt: skip
    jobs = {level: {**job, "level": level} for level in kernels.levels()}
    jobs["separate negatives"] = {**job, "parameters": {**parameters, "shared_negatives": False}}
    jobs["two workers"] = {**job, "parameters": {**parameters, "workers": 2}}
    return take_turns(jobs, given.runs)


def end_to_end(given: argparse.Namespace) -> dict[str, Any]:
    """From two files of 10 million words in all to saved models, 5 epochs, one worker."""
    files = repeated(given.data, given.folder, 10_000_000)
    results = {}
    for size in DIMENSIONS:
        parameters = {**COMMON, "vector_size": size, "workers": 1, "epochs": 5}
        jobs = {
            "gensim": {"system": "gensim", "files": files, "input": "file",
                       "parameters": {**parameters, "sg": 1}},
            "ours": {"system": "bilbowa", "files": files,
                     "parameters": {**parameters, "xling_passes": 0}},
        }  # fmt: skip
        print(f"end to end: D={size}", flush=True)
        results[str(size)] = take_turns(jobs, given.runs)
    return results


def growth(given: argparse.Namespace) -> dict[str, Any]:
    """Time and peak memory from 1 to 100 million words; one epoch, two workers."""
    results = {}
    for words in (1_000_000, 10_000_000, 100_000_000):
        files = repeated(given.data, given.folder, words)
        parameters = {**COMMON, "vector_size": 100, "workers": 2, "epochs": 1, "xling_passes": 0}
        job = {"system": "bilbowa", "files": files, "parameters": parameters}
        lean = {**job, "parameters": {**parameters, "corpus_memory": 1 << 24}}
        print(f"growth: {words:,} words", flush=True)
        results[str(words)] = take_turns({"default": job, "corpus_memory=16 MiB": lean}, given.runs)
        for path in files.values():
            path.unlink()
    return results


def memory(given: argparse.Namespace) -> dict[str, Any]:
    """Peak memory for a million words of vocabulary, beside that of the parameters."""
    files = large_vocabulary(given.folder, 1_000_000, 9_000_000)
    results = {}
    for size in (100, 300):
        parameters = {**COMMON, "min_count": 1, "vector_size": size, "workers": 2, "epochs": 1,
                      "xling_passes": 0}  # fmt: skip
        print(f"memory: D={size}", flush=True)
        job = {"system": "bilbowa", "files": files, "parameters": parameters}
        results[str(size)] = take_turns({"ours": job}, 1)["ours"]
    return results


def pairs(given: argparse.Namespace) -> dict[str, Any]:
    """Sentence pairs a second of the cross-lingual step: D=100, 12 words on each side, one core."""
    n, length = 200_000, 12
    stop, lock = np.zeros(1, np.int32), np.ones(1, np.float32)
    results: dict[str, Any] = {}
    for rows in (2_000, 10_000, 50_000):
        rng = np.random.default_rng(0)
        chance = 1 / (np.arange(rows) + 2.7)
        sides = []
        for _ in range(2):
            matrix = kernels.Matrix(rows, 100)
            matrix.array[...] = rng.normal(0, 0.1, (rows, 100))
            matrix.lay_out(True, SimpleNamespace(), "vectors")
            ids = rng.choice(rows, n * length, p=chance / chance.sum()).astype(np.int32)
            text = kernels.Text(
                ids, np.arange(0, n * length + 1, length), np.full(rows, 2**32 - 1, np.uint32)
            )
            sides += [kernels.Parameters(matrix, None, lock, None), text]
        order = rng.permutation(n)
        for level in kernels.levels():
            kernels.use_level(level)
            seconds = []
            for run in range(given.runs + 1):
                start = perf_counter()
                kernels.train_pairs(*sides, order, 0.1, 5.0, 0.1, False, run, stop)
                seconds.append(perf_counter() - start)
            results[f"{rows} {level}"] = n / median(seconds[1:])
        kernels.use_level(kernels.levels()[0])
    return results


def reading(given: argparse.Namespace) -> dict[str, Any]:
    """Words a second of one core: counting, encoding, and finding in a cache what was encoded."""
    from gensim.models import Word2Vec
    from gensim.models.word2vec import LineSentence

    plain = repeated(given.data, given.folder, 20_000_000)["en"]
    packed = plain.with_name(plain.name + ".gz")
    with packed.open("wb") as stream:
        subprocess.run(["gzip", "-c", plain], stdout=stream, check=True)
    results: dict[str, Any] = {}
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(everywhere)})  # the threads that read blocks, too
    try:
        for path in (plain, packed):
            seen: dict[str, list[float]] = {}
            for _ in range(given.runs):
                for name, seconds, words, types in read_once(path, Word2Vec, LineSentence):
                    seen.setdefault(name, []).append(words / seconds)
            results[path.suffix] = {name: median(rates) for name, rates in seen.items()}
            results[path.suffix] |= {"words": words, "types": types}
    finally:
        os.sched_setaffinity(0, everywhere)
    return results


def read_once(path: Path, word2vec: Any, line_sentence: Any) -> list[tuple[str, float, int, int]]:
    files = [TextFile(LineCorpus(path))]
    marks = [perf_counter()]
    words, _ = word2vec().scan_vocab(line_sentence(str(path)))
    marks.append(perf_counter())
    (counts,) = count_words(files, 1, lambda *_: None)
    marks.append(perf_counter())
    keys = {word: index for index, word in enumerate(w for w, n in counts.items() if n >= 5)}
    marks[-1:] = [marks[-1], perf_counter()]
    encode_files(files, [keys], 1 << 32, workers=1)
    marks.append(perf_counter())
    with tempfile.TemporaryDirectory() as folder:
        cache = EncodingCache(folder)
        encode_files(files, [keys], 1 << 32, workers=1, cache=cache)
        start = perf_counter()
        encode_files(files, [keys], 1 << 32, workers=1, cache=cache)
        cached = perf_counter() - start
    names = ("gensim, counting", "counting", "", "encoding")
    spans = [(name, b - a) for name, a, b in zip(names, marks, marks[1:], strict=False) if name]
    return [(name, span, words, len(counts)) for name, span in [*spans, ("from cache_dir", cached)]]


PARTS = {
    part.__name__: part
    for part in (peak, pairs, reading, joint, training, growth, memory, end_to_end)
}


# ---- the report


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"


def rate(runs: list[Measured]) -> float:
    return median(run["words"] / run["train"] for run in runs)


def million(value: float) -> str:
    return f"{value / 1e6:.2f}M"


def multiply_adds(size: int, best_rate: float, examples_per_word: float) -> float:
    """Of the three products of a window, each of context words by targets by dimensions."""
    return best_rate * examples_per_word * 3 * (NEGATIVE + 1) * size


def report_training(seen: dict[str, Any], rates: dict[str, float], examples: float) -> str:
    ratios, details = [], []
    for key, systems in seen.items():
        size, workers = key.split()
        base = rate(systems["gensim"])
        for name, runs in systems.items():
            level = name.removeprefix("ours, ")
            share = ""
            if workers == "1" and level in rates:
                share = f"{multiply_adds(int(size), rate(runs), examples) / rates[level]:.0%}"
            p1 = median(run["p1"] for run in runs)
            cells = [size, workers, name, f"{rate(runs) / base:.1f}", million(rate(runs)), share,
                     f"{p1:.1f}"]  # fmt: skip
            (details if name.startswith("gensim") else ratios).append(cells)
    head = ["D", "workers", "system", "ratio to gensim", "words/s", "of the FMA peak", "P@1"]
    one = {key.split()[0]: rate(s[f"ours, {kernels.levels()[0]}"])
           for key, s in seen.items() if key.endswith(" 1")}  # fmt: skip
    two = {key.split()[0]: rate(s[f"ours, {kernels.levels()[0]}"])
           for key, s in seen.items() if key.endswith(" 2")}  # fmt: skip
    scaling = ", ".join(f"{two[size] / one[size]:.2f} at D={size}" for size in one)
    return (
        "Multi30k, English and German (0.74M words), 5 epochs, skip-gram, 15 negatives, window 5, "
        "sample 1e-3, min_count 3. Time in `train()`, after the vocabulary and the encoding. P@1 is "
        "that of the two monolingual spaces after orthogonal Procrustes on one half of the "
        "dictionary, measured on the other (580 words: one run varies by about 1.5).\n\n"
        + table(head, ratios)
        + table(head, details)
        + f"Two workers to one: {scaling}.\n\n"
    )


def report(seen: dict[str, Any], runs: int) -> str:
    parts = []
    if "training" in seen and "peak" in seen:
        body = report_training(seen["training"], seen["peak"], seen["examples"])
        parts.append("## Training\n\n" + body)
    if "end_to_end" in seen:
        rows = []
        for size, systems in seen["end_to_end"].items():
            total = {
                name: median(run["read"] + run["train"] + run["save"] for run in runs_of)
                for name, runs_of in systems.items()
            }
            ours = systems["ours"]
            rows.append([
                size, f"{total['gensim'] / total['ours']:.1f}", f"{total['gensim']:.1f} s",
                f"{total['ours']:.1f} s",
                *(f"{median(run[name] for run in ours):.2f} s" for name in ("read", "train", "save")),
            ])  # fmt: skip
        parts.append(
            "## From text files to saved models\n\nTwo files, 10 million words in all, 5 epochs, one "
            "worker; gensim trains two models from `corpus_file`, one after the other.\n\n"
            + table(["D", "ratio", "gensim", "ours", "of it reading", "training", "saving"], rows)
        )
    if "joint" in seen:
        rows = [
            [name, million(rate(r)), million(median(x["pairs"] / x["train"] for x in r)),
             f"{median(x['train'] for x in r):.2f} s", f"{median(x['p1'] for x in r):.1f}"]
            for name, r in seen["joint"].items()
        ]  # fmt: skip
        parts.append(
            "## Both terms together\n\nMulti30k, the package's defaults, D=100, 10 epochs with 3 "
            "passes over the 29,000 pairs in each, one worker where not said; P@1 en-de by CSLS.\n\n"
            + table(["", "words/s", "pairs/s", "training", "P@1"], rows)
        )
    if "pairs" in seen:
        levels = kernels.levels()
        rows = [
            [words, *(million(seen["pairs"][f"{words} {level}"]) for level in levels)]
            for words in dict.fromkeys(key.split()[0] for key in seen["pairs"])
        ]
        parts.append(
            "## The cross-lingual step alone\n\nPairs a second of one core, D=100, 12 words on each "
            "side, none left out by subsampling, pairs in random order.\n\n"
            + table(["words in each vocabulary", *levels], rows)
        )
    if "reading" in seen:
        names = ["gensim, counting", "counting", "encoding", "from cache_dir"]
        rows = [
            [f"`{suffix}`", million(found["words"]), str(found["types"]),
             *(million(found[name]) for name in names)]
            for suffix, found in seen["reading"].items()
        ]  # fmt: skip
        parts.append(
            "## Reading\n\nWords a second of one core (all threads pinned to it).\n\n"
            + table(["file", "words", "types", *names], rows)
        )
    if "growth" in seen:
        rows = [
            [f"{int(words):,}", name, f"{median(x['read'] for x in r):.2f} s",
             f"{median(x['train'] for x in r):.2f} s",
             f"{median(x['peak_bytes'] for x in r) / 1e6:.0f} MB"]
            for words, systems in seen["growth"].items() for name, r in systems.items()
        ]  # fmt: skip
        parts.append(
            "## Growth\n\nD=100, one epoch, two workers. Memory is the whole process's peak, some "
            "100 MB of it Python and its libraries.\n\n"
            + table(["words", "", "reading", "training", "peak memory"], rows)
        )
    if "memory" in seen:
        rows = [
            [size, f"{r['peak_bytes'] / r['parameter_bytes']:.2f}",
             f"{r['peak_bytes'] / 1e6:.0f} MB", f"{r['parameter_bytes'] / 1e6:.0f} MB"]
            for size, (r, *_) in seen["memory"].items()
        ]  # fmt: skip
        parts.append(
            "## Large vocabularies\n\nA million words of one language, 10 million words of text.\n\n"
            + table(["D", "peak memory / parameters", "peak memory", "parameters"], rows)
        )
    processor = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().split("\n")
         if line.startswith("model name")), platform.processor(),
    )  # fmt: skip
    peaks = ", ".join(f"{name} {value / 1e9:.0f}G" for name, value in seen.get("peak", {}).items())
    head = (
        "# Benchmark results\n\n"
        f"`make bench` on {time.strftime('%Y-%m-%d')}: {processor}, {os.cpu_count()} cores, "
        f"{platform.system()}, Python {platform.python_version()}, gensim {version('gensim')}, numpy "
        f"{version('numpy')}, gensim_bilbowa {version('gensim-bilbowa')} "
        f"({' > '.join(kernels.levels())}). Medians of {runs} alternating runs, each in a process of "
        "its own.\n\n"
        f"FMA peak of one core, floats a second: {peaks}.\n\n"
    )
    return (head + "".join(parts)).rstrip("\n") + "\n"


def examples_per_word(given: argparse.Namespace) -> float:
    """Context words for each word of Multi30k, after subsampling, of both languages."""
    from gensim_bilbowa import BilBOWA
    from gensim_bilbowa.language import subsampling_keep

    files = multi30k(given.data, given.folder)
    model = BilBOWA(min_count=COMMON["min_count"])
    model.build_vocab(corpus_file=files)
    examples = words = 0
    for code, path in files.items():
        counts = model[code].counts
        wv = model.wv[code]
        ((text, _),) = encode_files([TextFile(LineCorpus(path))], [wv.key_to_index], 1 << 32)
        matrices = [kernels.Matrix(len(wv), 1) for _ in range(2)]
        for matrix in matrices:
            matrix.lay_out(True, SimpleNamespace(), "rows")
        parameters = kernels.Parameters(
            *matrices, np.ones(1, np.float32), kernels.alias_table(counts.astype(float))
        )
        keep = subsampling_keep(counts, COMMON["sample"])
        _, found, _ = kernels.train_text(
            parameters, kernels.Text(text.ids, text.offsets, keep), 0, len(text), WINDOW, True, 1,
            True, 0.0, 1, np.zeros(1, np.int32),
        )  # fmt: skip
        examples += found
        words += text.raw_words
    return examples / words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS))
    given = parser.parse_args()
    if not (given.data / "multi30k").is_dir():
        sys.exit(f"{given.data} is not there: this measure needs the research data")
    given.dictionaries = [str(p) for p in sorted(given.data.glob("dictionaries/en-de.*.tsv"))]
    kept = ROOT / "build/bench.json"
    seen = json.loads(kept.read_text()) if kept.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        given.folder = Path(folder)
        seen["examples"] = examples_per_word(given)
        for name in given.only:
            print(name, flush=True)
            seen[name] = PARTS[name](given)
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(json.dumps(seen))
            (HERE / "RESULTS.md").write_text(report(seen, given.runs), encoding="utf-8")
    print((HERE / "RESULTS.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
