"""Write one of each kind of file, or read what another system has written, to the bit.

``python exchange.py write FOLDER``, then elsewhere ``python exchange.py read FOLDER``.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.callbacks import Checkpoint
from gensim_bilbowa.datasets import SyntheticCorpus

DIGESTS = "digests.json"


def main(what: str, place: str) -> int:
    """Write, or read and compare; return the exit code."""
    folder = Path(place)
    if what == "write":
        write(folder)
        text = json.dumps(found_in(folder), indent=1)
        (folder / DIGESTS).write_text(text, encoding="utf-8", newline="\n")
        return 0
    wanted = json.loads((folder / DIGESTS).read_text(encoding="utf-8"))
    found = found_in(folder)
    different = [
        name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name)
    ]
    print(f"{folder}: {len(wanted)} arrays of another system, {len(different)} different")
    for name in sorted(different):
        print(f"  {name}: {found.get(name)}, wanted {wanted.get(name)}")
    return bool(different)


def write(folder: Path) -> None:
    """Train, by one worker, and save."""
    SyntheticCorpus(2_000).write(folder / "text")
    model = train(folder, [Checkpoint(folder / "checkpoints", every_epochs=1)])
    model.save(folder / "apart.model", sep_limit=0)
    model.save(folder / "whole.model")
    model.wv.save(folder / "vectors")
    model.wv.save(folder / "binary", format="binary")
    model.wv.save(folder / "v.safetensors")


def train(folder: Path, callbacks: list[Any]) -> BilBOWA:
    """Train on the text in a folder, or on what is kept of it."""
    texts = {code: folder / "text" / f"train.{code}" for code in ("en", "de")}
    return BilBOWA(
        parallel={("en", "de"): tuple(texts.values())},
        sentences=texts,
        callbacks=callbacks,
        cache_dir=folder / "cache",
        vector_size=20,
        epochs=3,
        workers=1,
        seed=1,
    )


def found_in(folder: Path) -> dict[str, str]:
    """Return a checksum of every array in the files, by file and name."""
    models = {name: folder / name for name in ("apart.model", "whole.model", "checkpoints")}
    digests: dict[str, str] = {}
    for name, path in models.items():
        for mmap in (None, "r"):
            model = BilBOWA.load(path, mmap=mmap)
            for code in model:
                digests[f"{name} {mmap} {code} vectors"] = digest(model.wv[code].vectors)
                digests[f"{name} {mmap} {code} syn1neg"] = digest(model[code].syn1neg)
                digests[f"{name} {mmap} {code} words"] = digest(model.wv[code].index_to_key)
    for name in ("vectors", "binary", "v.safetensors"):
        for code, vectors in CrossLingualVectors.load(folder / name).items():
            digests[f"{name} {code}"] = digest(vectors.vectors)
    kept = {path.name: digest(path.read_bytes()) for path in (folder / "cache").iterdir()}
    train(folder, [])  # by what is kept of the text, so that nothing is added
    assert kept == {path.name: digest(path.read_bytes()) for path in (folder / "cache").iterdir()}
    digests.update(kept)
    return digests


def digest(values: Any) -> str:
    """Return a checksum of an array, of words or of bytes."""
    if isinstance(values, np.ndarray):
        data = np.ascontiguousarray(values).tobytes()
    else:
        data = values if isinstance(values, bytes) else "\n".join(values).encode()
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
