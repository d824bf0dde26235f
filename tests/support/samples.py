"""A made-up parallel corpus, parameters that suit it, and what tests look at or change."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import threading

import numpy as np
from gensim.models import KeyedVectors

from gensim_bilbowa import CrossLingualVectors

# Words of the two sides of sentence pairs that an aligner takes apart otherwise than short ones.
LONG = {
    "both long": (300, 280),
    "one place beyond": (130, 130),
    "none beyond": (129, 129),
    "long source": (700, 20),
    "long target": (20, 700),
    "one word for many": (1, 400),
    "many for one word": (400, 1),
}


# What packs a file, by its suffix.
PACKERS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def made_up_pairs(n=300, words=40, seed=0):
    """Sentence pairs whose word i of English is word i of German, with Zipf-like frequencies."""
    rng = np.random.default_rng(seed)
    chance = 1 / np.arange(1, words + 1)
    chance /= chance.sum()
    pairs = []
    for _ in range(n):
        ids = rng.choice(words, rng.integers(3, 9), p=chance)
        pairs.append(([f"e{i}" for i in ids], [f"d{i}" for i in rng.permutation(ids)]))
    return pairs


def write_pairs(folder, pairs):
    """Write the sides of sentence pairs as text.en and text.de, and both of them as both.tsv."""
    rows = [(" ".join(a), " ".join(b)) for a, b in pairs]
    (folder / "both.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in rows), encoding="utf-8")
    for code, lines in zip(("en", "de"), zip(*rows, strict=True), strict=True):
        text = "".join(f"{line}\n" for line in lines)
        (folder / f"text.{code}").write_text(text, encoding="utf-8")


SMALL = {"vector_size": 20, "min_count": 1, "epochs": 3, "workers": 1, "negative": 5,
         "sample": 0, "xling_sample": 1e-2}  # fmt: skip


def keyed(code, matrix):
    """Plain vectors whose word i is the code and i."""
    vectors = KeyedVectors(matrix.shape[1])
    vectors.add_vectors([f"{code}{i}" for i in range(len(matrix))], matrix.astype(np.float32))
    return vectors


def space(**matrices):
    """A space of such vectors, a language each."""
    return CrossLingualVectors({code: keyed(code, matrix) for code, matrix in matrices.items()})


def arrays(model):
    """All that training changes, by language and name."""
    return {
        (code, name): array
        for code in model
        for name, array in (
            ("vectors", model[code].wv.vectors),
            ("own", getattr(model[code].wv, "vectors_vocab", None)),
            ("ngrams", getattr(model[code].wv, "vectors_ngrams", None)),
            ("syn1neg", getattr(model[code], "syn1neg", None)),
            ("syn1", getattr(model[code], "syn1", None)),
        )
        if array is not None
    }


def changed(folder, change):
    """Change the manifest of a saved space."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    change(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def bilbowa_threads():
    """The threads of worker pools that are alive."""
    return [t for t in threading.enumerate() if t.name.startswith("bilbowa")]
