"""Text for the benchmarks: real sentences up to the length asked for, and made-up ones."""

from __future__ import annotations

import gzip
import html
import random
from contextlib import ExitStack
from itertools import islice
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


def memory(files: dict[str, Path], path: Path, units: int) -> Path:
    """A translation memory of the first pairs of two packed files that have 20 letters or more."""
    with ExitStack() as stack:
        streams = [
            stack.enter_context(gzip.open(file, "rt", encoding="utf-8")) for file in files.values()
        ]
        out = stack.enter_context(path.open("w", encoding="utf-8"))
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n')
        out.write('<header creationtool="x" segtype="sentence" srclang="en-US"/>\n<body>\n')
        pairs = (pair for pair in zip(*streams, strict=True) if len(pair[0]) > 20)
        for number, pair in enumerate(islice(pairs, units)):
            out.write(f'<tu tuid="{number}" creationdate="20200101T000000Z">\n')
            for code, text in zip(("en-US", "de-DE"), pair, strict=True):
                segment = html.escape(text.strip(), quote=False)
                out.write(f'<tuv xml:lang="{code}"><seg>{segment}</seg></tuv>\n')
            out.write("</tu>\n")
        out.write("</body>\n</tmx>\n")
    return path


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


def made_up(folder: Path, words: int, types: int, noise: float, seed: int = 1) -> dict[str, Path]:
    """Files of half of so many words for each language, whose lines translate each other.

    Word e<i> translates d<i>. Words have Zipf's frequencies, half of them those of the sentence's
    topic; the share `noise` is drawn anew on the German side, and its order is another.
    """
    rng = np.random.default_rng(seed)
    length, topics, at_once = 12, 100, 50_000
    chance = 1 / (np.arange(types) + 2.7)
    rising = np.cumsum(chance / chance.sum())
    names = {
        code: np.array([f"{code[0]}{i:x}".encode() for i in range(types)], object) for code in CODES
    }
    files = {code: folder / f"made-up.{words}.{code}" for code in CODES}
    with files["en"].open("wb") as english, files["de"].open("wb") as german:
        for left in range(words // (2 * length), 0, -at_once):
            shape = (min(left, at_once), length)
            ids, anew = (np.searchsorted(rising, rng.random(shape)) for _ in range(2))
            topic = rng.integers(topics, size=(shape[0], 1))
            own = (ids // topics * topics + topic).clip(max=types - 1)
            ids = np.where(rng.random(shape) < 0.5, own, ids).clip(max=types - 1)
            turned = rng.permuted(ids, axis=1)
            turned = np.where(rng.random(shape) < noise, anew, turned).clip(max=types - 1)
            for stream, code, matrix in ((english, "en", ids), (german, "de", turned)):
                lines = names[code][matrix].tolist()
                stream.write(b"".join(b" ".join(line) + b"\n" for line in lines))
    return files
