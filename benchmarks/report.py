"""The tables of benchmarks/RESULTS.md, from what was measured."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gensim_bilbowa import kernels

__all__ = ["Measured", "median", "processor", "report", "table"]

Measured = dict[str, float]
Systems = dict[str, list[Measured]]

NOTES = {
    "training": """\
Multi30k, English and German (0.74M words), 5 epochs, skip-gram, 15 negatives, window 5, sample
1e-3, min_count 3. Time in `train()`, after the vocabulary and the encoding. P@1 is that of the two
monolingual spaces after orthogonal Procrustes on one half of the dictionary, measured on the other
(580 words: one run varies by about 1.5). The share of the peak counts the multiply-adds of a
window's three products, context words by 16 targets by D, without padding. Ratios are to the faster
of gensim's two ways to read text.
""",
    "modes": """\
As above, D=100, one worker, where words are predicted in other ways: by CBOW, with 15 negatives
where not said, and by hierarchical softmax (hs) without negatives. Each run
has a seed of its own, and P@1 of one run varies by about 1.
""",
    "end_to_end": """\
Two files, 10 million words in all, 5 epochs, one worker, other settings as above; gensim trains two
models from `corpus_file`, one after the other.
""",
    "joint": """\
Multi30k, the package's defaults, D=100, 10 epochs with 3 passes over the 29,000 pairs in each, one
worker where not said; P@1 en-de by CSLS.
""",
    "alignment": """\
The package's defaults and the paper's method (`alignment=False`), D=100, two workers: Multi30k, 10
epochs, and 381,000 sentence pairs of mixed text, 5 epochs, min_count 5. Time in `train()`, and what
of it went before the first epoch, when words are aligned; P@1 en-de of the same dictionary by CSLS.
""",
    "pairs": """\
Pairs a second of one core, D=100, 12 words on each side, none left out by subsampling, pairs in
random order.
""",
    "reading": "Words a second of one core (all threads pinned to it).\n",
    "memories": """\
A TMX file of 60,000 units: its units read, and split into tokens without mark-up, by one core; read
again by the same object; and the whole command, `bilbowa train --epochs 5 --lexicon`, with two
workers.
""",
    "growth": """\
D=100, one epoch, two workers. Memory is the whole process's peak, some 110 MB of it Python and its
libraries.
""",
    "retrieval": """\
Two vocabularies of random vectors, D=300, all cores. "all neighbourhoods" is what CSLS computes
once: the mean cosine of each word of both languages to its 10 nearest of the other (the whole
product of both matrices, in tiles). Then questions by CSLS, in a batch of 2,000 and one by one;
gensim's `most_similar` asks one vocabulary by cosine. The largest size is one run.
""",
    "vocabulary": "A million words of one language, 10 million words of text, two workers.\n",
}


def median(runs: Iterable[float]) -> float:
    return statistics.median(list(runs))


def million(value: float) -> str:
    return f"{value / 1e6:.2f}M"


def seconds(runs: list[Measured], *names: str) -> str:
    return f"{median(sum(run[name] for name in names) for run in runs):.2f} s"


def rate(runs: list[Measured]) -> float:
    return median(run["words"] / run["train"] for run in runs)


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"


def training(seen: dict[str, Systems], everything: dict[str, Any]) -> str:
    ours: list[list[str]] = []
    theirs: list[list[str]] = []
    speeds: dict[tuple[str, str], float] = {}
    peaks = everything["peak"]
    for key, systems in seen.items():
        size, workers = key.split()
        speeds[size, workers] = rate(systems[f"ours, {kernels.levels()[0]}"])
        fastest = max(rate(runs) for name, runs in systems.items() if name.startswith("gensim"))
        for name, runs in systems.items():
            share = ""
            if workers == "1" and (peak := peaks.get(name.removeprefix("ours, "))):
                adds = rate(runs) * everything["examples"] * 3 * 16 * int(size)
                share = f"{adds / peak:.0%}"
            cells = [
                size, workers, name, f"{rate(runs) / fastest:.1f}",
                million(rate(runs)), share, f"{median(run['p1'] for run in runs):.1f}",
            ]  # fmt: skip
            (theirs if name.startswith("gensim") else ours).append(cells)
    head = ["D", "workers", "system", "ratio", "words/s", "of the FMA peak", "P@1"]
    scaling = ", ".join(
        f"{speeds[size, '2'] / speeds[size, '1']:.2f} at D={size}"
        for size in dict.fromkeys(size for size, _ in speeds)
    )
    return table(head, ours) + table(head, theirs) + f"Two workers to one: {scaling}.\n\n"


def modes(seen: dict[str, Systems], everything: dict[str, Any]) -> str:
    rows = []
    for mode, systems in seen.items():
        fastest = max(rate(runs) for name, runs in systems.items() if name.startswith("gensim"))
        rows += [
            [mode, name, f"{rate(runs) / fastest:.1f}", million(rate(runs)),
             f"{median(run['p1'] for run in runs):.1f}"]
            for name, runs in systems.items()
        ]  # fmt: skip
    return table(["", "system", "ratio", "words/s", "P@1"], rows)


def end_to_end(seen: dict[str, Systems], everything: dict[str, Any]) -> str:
    rows = []
    for size, systems in seen.items():
        total = {
            name: median(run["read"] + run["train"] + run["save"] for run in runs)
            for name, runs in systems.items()
        }
        p1 = [
            f"{median(values):.1f}" if (values := [r["p1"] for r in runs if "p1" in r]) else ""
            for runs in (systems["gensim"], systems["ours"])
        ]
        rows.append([
            size, f"{total['gensim'] / total['ours']:.1f}", f"{total['gensim']:.1f} s",
            f"{total['ours']:.1f} s",
            *(seconds(systems["ours"], name) for name in ("read", "train", "save")), *p1,
        ])  # fmt: skip
    head = ["D", "ratio", "gensim", "ours", "of it reading", "training", "saving"]
    return table([*head, "P@1 of gensim", "of ours"], rows)


def joint(seen: Systems, everything: dict[str, Any]) -> str:
    rows = [
        [name, million(rate(runs)), million(median(run["pairs"] / run["train"] for run in runs)),
         seconds(runs, "train"), f"{median(run['p1'] for run in runs):.1f}"]
        for name, runs in seen.items()
    ]  # fmt: skip
    return table(["", "words/s", "pairs/s", "training", "P@1"], rows)


def alignment(seen: dict[str, Systems], everything: dict[str, Any]) -> str:
    rows = []
    for text, systems in seen.items():
        paper = median(run["train"] for run in systems["alignment=False"])
        rows += [
            [text, name, f"{median(run['train'] for run in runs) / paper:.2f}",
             seconds(runs, "train"), seconds(runs, "before"),
             f"{median(run['peak_bytes'] for run in runs) / 1e6:.0f} MB",
             f"{median(run['p1'] for run in runs):.1f}"]
            for name, runs in systems.items()
        ]  # fmt: skip
    head = ["text", "", "ratio", "training", "of it before", "peak memory", "P@1"]
    return table(head, rows)


def pairs(seen: dict[str, float], everything: dict[str, Any]) -> str:
    levels = kernels.levels()
    rows = [
        [words, *(million(seen[f"{words} {level}"]) for level in levels)]
        for words in dict.fromkeys(key.split()[0] for key in seen)
    ]
    return table(["words in each vocabulary", *levels], rows)


def reading(seen: dict[str, Measured], everything: dict[str, Any]) -> str:
    names = ["words", "types", "gensim", "counting", "encoding", "cached"]
    rows = [
        [f"`{suffix}`", *(f"{f[n]:,.0f}" if n == "types" else million(f[n]) for n in names)]
        for suffix, f in seen.items()
    ]
    return table(["file", "words", "types", "gensim, counting", *names[3:5], "from cache"], rows)


def memories(seen: Measured, everything: dict[str, Any]) -> str:
    size = seen["bytes"]
    rates = [f"{size / seen[name] / 1e6:.0f} MB/s" for name in ("units", "split", "again")]
    head = ["size", "units", "and split", "again", "the command"]
    return table(head, [[f"{size / 1e6:.0f} MB", *rates, f"{seen['command']:.1f} s"]])


def growth(seen: dict[str, Systems], everything: dict[str, Any]) -> str:
    rows = [
        [f"{int(words):,}", name, seconds(runs, "read"), seconds(runs, "train"),
         f"{median(run['peak_bytes'] for run in runs) / 1e6:.0f} MB"]
        for words, systems in seen.items() for name, runs in systems.items()
    ]  # fmt: skip
    return table(["words", "", "reading", "training", "peak memory"], rows)


def vocabulary(seen: Systems, everything: dict[str, Any]) -> str:
    rows = []
    for size, runs in seen.items():
        peak, parameters = (
            median(run[name] for run in runs) for name in ("peak_bytes", "parameter_bytes")
        )
        rows.append(
            [size, f"{peak / parameters:.2f}", f"{peak / 1e6:.0f} MB", f"{parameters / 1e6:.0f} MB"]
        )
    return table(["D", "peak memory to parameters", "peak memory", "parameters"], rows)


def retrieval(seen: dict[str, list[Measured]], everything: dict[str, Any]) -> str:
    rows = []
    for words, runs in seen.items():
        peak, parameters = (
            median(run[name] for run in runs) / 1e6 for name in ("peak_bytes", "parameter_bytes")
        )
        each = [
            f"{1e3 * median(run[n] for run in runs):.2f} ms" for n in ("batch", "single", "gensim")
        ]
        rows.append([f"{int(words):,}", seconds(runs, "neighbourhoods"), *each,
                     f"{peak:.0f} MB", f"{parameters:.0f} MB"])  # fmt: skip
    head = ["words of each", "all neighbourhoods", "a question in a batch", "a single question",
            "gensim's, by cosine", "peak memory", "the vectors"]  # fmt: skip
    return table(head, rows)


# By the part: its title, and what makes the table of it and of all that was measured.
SECTIONS: dict[str, tuple[str, Callable[[Any, dict[str, Any]], str]]] = {
    "training": ("Training", training),
    "modes": ("CBOW and hierarchical softmax", modes),
    "end_to_end": ("From text files to saved models", end_to_end),
    "joint": ("Both terms together", joint),
    "alignment": ("Alignment", alignment),
    "pairs": ("The cross-lingual step alone", pairs),
    "reading": ("Reading", reading),
    "memories": ("Translation memories", memories),
    "retrieval": ("Retrieval", retrieval),
    "growth": ("Growth", growth),
    "vocabulary": ("Large vocabularies", vocabulary),
}


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n")
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def head(seen: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {version(name)}" for name in ("gensim", "numpy"))
    peaks = ", ".join(f"{name} {value / 1e9:.0f}G" for name, value in seen["peak"].items())
    return f"""\
# Benchmark results

`make bench` on {processor()}, {os.cpu_count()} cores, {platform.system()}, Python
{platform.python_version()}, {versions}, gensim_bilbowa {version("gensim-bilbowa")}
({" > ".join(kernels.levels())}). Medians of alternating runs; each training run is a process of its
own. OPENBLAS_CORETYPE and OPENBLAS_L2_SIZE, which slow numpy down on some machines, are not set.

FMA peak of one core, floats a second: {peaks}.
"""


def report(seen: dict[str, Any], before: str) -> str:
    """Return the results as Markdown: of parts that were not measured here, as they stood."""
    top, *sections = before.split("\n## ")
    parts = {section.partition("\n")[0]: f"## {section}" for section in sections}
    if all(name in seen for name, (title, _) in SECTIONS.items() if title in parts):
        top = head(seen)
    for name, (title, section) in SECTIONS.items():
        if part := seen.get(name):
            parts[title] = (
                f"## {title}\n\n{NOTES[name]}\n{section(part['result'], seen)}{part['date']}, "
                f"{part['runs']} run{'s' * (part['runs'] > 1)}, {' > '.join(part['levels'])}.\n"
            )
    return "\n".join([top, *(parts[title] for title, _ in SECTIONS.values() if title in parts)])
