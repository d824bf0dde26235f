"""Tiny data folders for the reproduction of the paper: in place of open data, and the paper's."""

from __future__ import annotations

import gzip
from dataclasses import replace

import numpy as np

from gensim_bilbowa.reproduction import TASKS, Parameters

SMALL = Parameters(vector_size=8, min_count=1, epochs=2)
WORDS = 40


def tasks(*names, **changes):
    """The tasks of these names, with small parameters."""
    return [replace(task, parameters=SMALL, **changes) for task in TASKS if task.name in names]


def pairs(n, codes, seed=0):
    """Sentence pairs whose word i of the one language is word i of the other."""
    rng = np.random.default_rng(seed)
    drawn = [rng.integers(0, WORDS, rng.integers(4, 9)) for _ in range(n)]
    return [[" ".join(f"{code}{i}" for i in ids) for ids in drawn] for code in codes]


def write(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{line}\n" for line in lines)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode(), mtime=0))
    else:
        path.write_text(text, encoding="utf-8")


def write_dictionary(path, codes, words):
    write(path, [f"{codes[0].upper()}{i}\t{codes[1]}{i}" for i in words])


def labelled(code, n, seed):
    """Sentences of two topics: each has words of its own, and some that all have."""
    rng = np.random.default_rng(seed)
    topics = rng.integers(0, 2, n)
    words = [[*(18 * topic + rng.integers(0, 18, 6)), *rng.integers(36, WORDS, 2)]
             for topic in topics]  # fmt: skip
    return [f"topic{topic}" for topic in topics], [
        " ".join(f"{code}{i}" for i in ids) for ids in words
    ]


def write_multi30k(folder, n=150):
    codes = ("en", "de")
    for code, lines in zip(codes, pairs(n, codes), strict=True):
        write(folder / f"multi30k/train.{code}.gz", lines)
    write_dictionary(folder / "dictionaries/en-de.test.freq.2k.tsv", codes, range(20))
    write_dictionary(folder / "dictionaries/en-de.train.freq.5k.tsv", codes, range(20, 36))


def write_sib(folder, n=150):
    """Languages whose codes are words of letters, as running text is tokenised."""
    codes = ("eng", "fur")
    for code, lines in zip(codes, pairs(n, codes, seed=1), strict=True):
        write(folder / f"nllb-seed/{code}", lines)
        for part, size, seed in (("train", 105, 2), ("dev", 10, 3), ("test", 40, 4)):
            rows = zip(*labelled(code, size, seed), strict=True)
            write(folder / f"sib-200/{code}.{part}.tsv", [
                "index_id\tcategory\ttext",
                *(f"{part}{i}\t{label}\t{text}" for i, (label, text) in enumerate(rows)),
            ])  # fmt: skip


def write_paper(folder, n=150):
    """The paper's own data: Europarl, RCV1/2 and the words of WMT11."""
    for name, codes in (("europarl/europarl-v7.de-en", ("en", "de")),
                        ("wmt11/europarl", ("en", "es"))):  # fmt: skip
        for code, lines in zip(codes, pairs(n, codes), strict=True):
            write(folder / f"{name}.{code}.gz", lines)
    for code in ("en", "es"):
        write(folder / f"wmt11/{code}.txt", pairs(n, [code], seed=5)[0])
    write_dictionary(folder / "wmt11/en-es.train.txt", ("en", "es"), range(25))
    write_dictionary(folder / "wmt11/en-es.test.txt", ("en", "es"), range(25, 40))
    for code in ("en", "de"):
        for part, size, seed in (("train", 60, 2), ("test", 30, 4)):
            for i, (label, text) in enumerate(zip(*labelled(code, size, seed), strict=True)):
                write(folder / f"rcv/{code}/{part}/{label}/{i:03}.txt", [text])
