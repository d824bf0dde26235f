"""Speed and memory beside gensim, with the accuracy of each run: writes benchmarks/RESULTS.md.

    python benchmarks/bench.py [--data ../shared/data] [--runs 3] [--only training memories ...]

Every training run is a process of its own. Systems that are compared take turns, and medians count.
Parts that are not measured, by --only, stay in RESULTS.md as they are.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import texts
from gensim.models import Word2Vec
from gensim.models.word2vec import LineSentence
from material import CODES, large_vocabulary, memory, multi30k, repeated
from report import Measured, median, report

from gensim_bilbowa import BilBOWA, LineCorpus, ParallelSentences, kernels
from gensim_bilbowa.corpora import EncodingCache
from gensim_bilbowa.corpora.compiled_reading import TextFile, count_words
from gensim_bilbowa.corpora.encode import encode_files
from gensim_bilbowa.corpora.tmx import TMXPairs
from gensim_bilbowa.modelling.frequencies import subsampling_keep

HERE = Path(__file__).parent
ROOT = HERE.parent
DIMENSIONS = (40, 100, 300)
NEGATIVE = 15
WINDOW = 5
COMMON: dict[str, Any] = {"negative": NEGATIVE, "window": WINDOW, "sample": 1e-3, "min_count": 3,
                          "alpha": 0.05, "min_alpha": 1e-4}  # fmt: skip
MODES = {
    "CBOW": {"sg": 0},
    "CBOW, 5 negatives": {"sg": 0, "negative": 5},
    "skip-gram, hs": {"sg": 1, "hs": 1, "negative": 0},
    "CBOW, hs": {"sg": 0, "hs": 1, "negative": 0},
}
# numpy's BLAS is slowed down by these on some machines.
SLOWED = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
FLAGS = {
    "avx512": (16, ["-mavx512f", "-mprefer-vector-width=512"]),
    "avx2": (8, ["-mavx2", "-mfma"]),
    "neon": (4, []),
    "baseline": (4, []),
}


def measured(system: str, files: dict[str, Path], level: str = "", **job: Any) -> Measured:
    """Run one job in a process of its own."""
    texts = {code: str(path) for code, path in files.items()}
    if "parallel" in job:
        job["parallel"] = {code: str(path) for code, path in job["parallel"].items()}
    environment = {name: value for name, value in os.environ.items() if name not in SLOWED}
    environment["GENSIM_BILBOWA_LEVEL"] = level
    run = subprocess.run(
        [sys.executable, HERE / "measured.py",
         json.dumps({"system": system, "files": texts, **job})],
        check=True, stdout=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    seen: Measured = json.loads(run.stdout.splitlines()[-1])
    return seen


def take_turns(jobs: dict[str, dict[str, Any]], runs: int) -> dict[str, list[Measured]]:
    seen: dict[str, list[Measured]] = {name: [] for name in jobs}
    for run in range(runs):
        for name, job in jobs.items():
            seeded = {**job, "parameters": {**job["parameters"], "seed": run + 1}}
            seen[name].append(measured(**seeded))
            print(f"  run {run + 1}, {name}: {seen[name][-1]['train']:.1f} s", flush=True)
    return seen


# ---- what is measured


def peak() -> dict[str, float]:
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
            jobs = {
                "gensim, sentences": {**theirs, "input": "sentences"},
                "gensim, corpus_file": {**theirs, "input": "file"},
            }
            jobs |= {f"ours, {level}": {**ours, "level": level}
                     for level in kernels.levels()[: None if workers == 1 else 1]}  # fmt: skip
            if workers == 1:
                separate = {**ours["parameters"], "shared_negatives": False}
                jobs["ours, separate negatives"] = {**ours, "parameters": separate}
            print(f"training: D={size}, {workers} workers", flush=True)
            results[f"{size} {workers}"] = take_turns(jobs, given.runs)
    return results


def modes(given: argparse.Namespace) -> dict[str, Any]:
    """Words a second in train(), and P@1, of CBOW and hierarchical softmax on Multi30k."""
    files = multi30k(given.data, given.folder)
    results: dict[str, Any] = {}
    for name, mode in MODES.items():
        parameters = {**COMMON, "vector_size": 100, "workers": 1, "epochs": 5, **mode}
        job = {"files": files, "dictionaries": given.dictionaries}
        ours = {**job, "system": "bilbowa", "parameters": {**parameters, "xling_passes": 0}}
        theirs = {**job, "system": "gensim", "parameters": parameters}
        jobs = {
            "gensim, sentences": {**theirs, "input": "sentences"},
            "gensim, corpus_file": {**theirs, "input": "file"},
        }
        jobs |= {f"ours, {level}": {**ours, "level": level} for level in kernels.levels()}
        print(f"modes: {name}", flush=True)
        results[name] = take_turns(jobs, given.runs)
    return results


def joint(given: argparse.Namespace) -> dict[str, Any]:
    """The whole model on Multi30k at the package's defaults, for each level."""
    files = multi30k(given.data, given.folder)
    parameters = {"vector_size": 100, "workers": 1, "epochs": 10, "min_count": 3}
    job = {"system": "bilbowa", "files": files, "parallel": files,
           "dictionaries": given.dictionaries, "parameters": parameters}  # fmt: skip
    jobs = {level: {**job, "level": level} for level in kernels.levels()}
    jobs["separate negatives"] = {**job, "parameters": {**parameters, "shared_negatives": False}}
    jobs["two workers"] = {**job, "parameters": {**parameters, "workers": 2}}
    return take_turns(jobs, given.runs)


def alignment(given: argparse.Namespace) -> dict[str, Any]:
    """The package's defaults and the paper's method: captions and the large mixed text."""
    results = {}
    captions = multi30k(given.data, given.folder)
    large = dict(zip(CODES, texts.large(given.data, CODES, texts.LARGE), strict=True))
    for name, files, own in (
        ("Multi30k", captions, {"epochs": 10, "min_count": 3}),
        ("large", large, {"epochs": 5, "min_count": 5}),
    ):
        parameters = {"vector_size": 100, "workers": 2, **own}
        job = {"system": "bilbowa", "files": files, "parallel": files,
               "dictionaries": given.dictionaries, "parameters": parameters}  # fmt: skip
        without = {**job, "parameters": {**parameters, "alignment": False}}
        print(f"alignment: {name}", flush=True)
        results[name] = take_turns({"alignment=False": without, "default": job}, given.runs)
    return results


def end_to_end(given: argparse.Namespace) -> dict[str, Any]:
    """From two files of 10 million words in all to saved models, 5 epochs, one worker."""
    files = repeated(given.data, given.folder, 10_000_000)
    results = {}
    for size in DIMENSIONS:
        parameters = {**COMMON, "vector_size": size, "workers": 1, "epochs": 5}
        job = {"files": files, "dictionaries": given.dictionaries}
        jobs = {
            "gensim": {**job, "system": "gensim", "input": "file",
                       "parameters": {**parameters, "sg": 1}},
            "ours": {**job, "system": "bilbowa",
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


def vocabulary(given: argparse.Namespace) -> dict[str, Any]:
    """Peak memory for a million words of vocabulary, beside that of the parameters."""
    files = large_vocabulary(given.folder, 1_000_000, 9_000_000)
    results = {}
    for size in (100, 300):
        parameters = {**COMMON, "min_count": 1, "vector_size": size, "workers": 2, "epochs": 1,
                      "xling_passes": 0}  # fmt: skip
        print(f"memory: D={size}", flush=True)
        job = {"system": "bilbowa", "files": files, "parameters": parameters}
        results[str(size)] = take_turns({"ours": job}, given.runs)["ours"]
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
            sides.append((kernels.Parameters(matrix, None, lock, None), text))
        one, other = sides
        order = rng.permutation(n)
        for level in kernels.levels():
            kernels.use_level(level)
            seconds = []
            for run in range(given.runs + 1):
                start = perf_counter()
                kernels.train_pairs(*one, *other, order, 0.1, (5.0, 5.0), 0.1, False, run, stop)
                seconds.append(perf_counter() - start)
            results[f"{rows} {level}"] = n / median(seconds[1:])
        kernels.use_level(kernels.levels()[0])
    return results


def reading(given: argparse.Namespace) -> dict[str, Any]:
    """Words a second of one core: counting, encoding, and finding in a cache what was encoded."""
    plain = repeated(given.data, given.folder, 20_000_000)["en"]
    packed = plain.with_name(plain.name + ".gz")
    with packed.open("wb") as stream:
        subprocess.run(["gzip", "-c", plain], stdout=stream, check=True)
    results: dict[str, Any] = {}
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(everywhere)})  # the threads that read blocks, too
    try:
        for path in (plain, packed):
            seen = [read_once(path) for _ in range(given.runs)]
            results[path.suffix] = {name: median(run[name] for run in seen) for name in seen[0]}
    finally:
        os.sched_setaffinity(0, everywhere)
    return results


def read_once(path: Path) -> dict[str, float]:
    """Words a second of each way to read a file; the number of its words and word types."""
    files = [TextFile(LineCorpus(path))]
    seconds = {}

    def timed(name: str, call: Callable[[], Any]) -> Any:
        start = perf_counter()
        result = call()
        seconds[name] = perf_counter() - start
        return result

    words, _ = timed("gensim", lambda: Word2Vec().scan_vocab(LineSentence(str(path))))
    (counts,) = timed("counting", lambda: count_words(files, 1, lambda *_: None))
    keys = [{word: index for index, word in enumerate(w for w, n in counts.items() if n >= 5)}]
    timed("encoding", lambda: encode_files(files, keys, 1 << 32, workers=1))
    with tempfile.TemporaryDirectory() as folder:
        cache = EncodingCache(folder)
        encode_files(files, keys, 1 << 32, workers=1, cache=cache)
        timed("cached", lambda: encode_files(files, keys, 1 << 32, workers=1, cache=cache))
    rates = {name: words / taken for name, taken in seconds.items()}
    return {**rates, "words": words, "types": len(counts)}


def memories(given: argparse.Namespace) -> dict[str, Any]:
    """Reading a translation memory of 60,000 units, and the whole command that trains on it."""
    large = dict(zip(CODES, texts.large(given.data, CODES, texts.LARGE), strict=True))
    path = memory(large, given.folder / "memory.tmx", 60_000)
    command = [
        sys.executable, "-m", "gensim_bilbowa", "train", "-q", "--pairs", f"en,de={path}",
        "--epochs", "5", "--workers", "2", "-o", given.folder / "memory.model",
        "--lexicon", given.folder / "memory.tsv",
    ]  # fmt: skip
    seen = []
    for _ in range(given.runs):
        marks = [perf_counter()]
        for _ in TMXPairs(path, CODES):
            pass
        marks.append(perf_counter())
        pairs = ParallelSentences(path, languages=CODES)
        for _ in range(2):
            for _ in pairs:
                pass
            marks.append(perf_counter())
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        marks.append(perf_counter())
        names = ("units", "split", "again", "command")
        seen.append(dict(zip(names, np.diff(marks).tolist(), strict=True)))
    medians = {name: median(run[name] for run in seen) for name in seen[0]}
    return {**medians, "bytes": path.stat().st_size}


def retrieval(given: argparse.Namespace) -> dict[str, Any]:
    """Time and peak memory of questions to two vocabularies of random vectors, D=300."""
    results = {}
    for words in (20_000, 200_000):
        print(f"retrieval: {words:,} words", flush=True)
        job: dict[str, Any] = {"words": words, "size": 300}
        runs = given.runs if words < 100_000 else 1
        results[str(words)] = [measured("retrieval", {}, **job) for _ in range(runs)]
    return results


_PARTS = (
    pairs, reading, memories, retrieval, joint, alignment, training, modes, growth,
    vocabulary, end_to_end,
)  # fmt: skip
PARTS = {part.__name__: part for part in _PARTS}


def examples_per_word(given: argparse.Namespace) -> float:
    """Context words for each word of Multi30k, after subsampling, of both languages."""
    files = multi30k(given.data, given.folder)
    model = BilBOWA(min_count=COMMON["min_count"])
    model.build_vocab(corpus_file=files)
    examples = words = 0
    for code, path in files.items():
        counts = model[code].counts
        wv = model.wv[code]
        ((text, _),) = encode_files([TextFile(LineCorpus(path))], [wv.key_to_index], 1 << 32)
        vectors, outputs = (kernels.Matrix(len(wv), 1) for _ in range(2))
        for matrix in (vectors, outputs):
            matrix.lay_out(True, SimpleNamespace(), "rows")
        parameters = kernels.Parameters(
            vectors, outputs, np.ones(1, np.float32), kernels.alias_table(counts.astype(float))
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
    results = HERE / "RESULTS.md"
    with tempfile.TemporaryDirectory() as folder:
        given.folder = Path(folder)
        seen = {"examples": examples_per_word(given), "peak": peak()}
        for name in given.only:
            print(name, flush=True)
            seen[name] = {
                "result": PARTS[name](given), "runs": given.runs, "levels": kernels.levels(),
                "date": time.strftime("%Y-%m-%d"),
            }  # fmt: skip
            written = report(seen, results.read_text(encoding="utf-8"))
            results.write_text(written, encoding="utf-8")
    print(written)


if __name__ == "__main__":
    main()
