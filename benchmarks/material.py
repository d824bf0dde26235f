"""Text for the benchmarks: real sentences, shuffled and repeated up to the length asked for."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import numpy as np

CODES = ("en", "de")


def multi30k(data: Path, folder: Path) -> dict[str, Path]:
    """The 29,000 sentence pairs as plain files."""
    files = {}
    for code in CODES:
        files[code] = folder / f"multi30k.{code}"
        with gzip.open(data / f"multi30k/train.{code}.gz", "rb") as stream:
            files[code].write_bytes(stream.read())
    return files


def repeated(data: Path, folder: Path, words: int) -> dict[str, Path]:
    """Files of half of so many words for each language: captions and talks."""
    files = {}
    for code in CODES:
        lines = []
        for name in (f"multi30k/train.{code}.gz", f"ted/de-en.{code}.gz"):
            with gzip.open(data / name, "rt", encoding="utf-8") as stream:
                lines += stream.read().split("\n")[:-1]
        rng = random.Random(1)
        files[code] = folder / f"{words}.{code}"
        written = 0
        with files[code].open("w", encoding="utf-8") as stream:
            while written < words // 2:
                rng.shuffle(lines)
                for line in lines:
                    stream.write(line + "\n")
                    written += len(line.split())
                    if written >= words // 2:
                        break
    return files


def large_vocabulary(folder: Path, types: int, words: int) -> dict[str, Path]:
    """English of so many made-up word types, each at least once, and a little German."""
    rng = np.random.default_rng(1)
    chance = 1 / (np.arange(types) + 2.7)
    ids = np.concatenate(
        [rng.permutation(types), rng.choice(types, words, p=chance / chance.sum())]
    )
    files = {code: folder / f"large.{code}" for code in CODES}
    with files["en"].open("w", encoding="utf-8") as stream:
        for start in range(0, len(ids), 25):
            stream.write(" ".join(f"w{i:x}" for i in ids[start : start + 25]) + "\n")
    files["de"].write_text("das Haus ist rot\n" * 100, encoding="utf-8")
    return files
