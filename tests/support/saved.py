"""Models to save, and how what was saved is compared and written anew."""

from __future__ import annotations

import json
import zipfile

import numpy as np
from samples import made_up_pairs

__all__ = ["PAIRS", "PARALLEL", "TINY", "assert_same", "rewrite", "snapshot"]

TINY = {"vector_size": 8, "epochs": 2, "workers": 1, "min_count": 1, "negative": 3}
PAIRS = made_up_pairs(200, words=30)
PARALLEL = {("en", "pt-BR"): PAIRS}


def assert_same(a, b):
    assert a.languages == b.languages
    assert a.loss_history == b.loss_history
    for code in a.languages:
        assert a.wv[code].index_to_key == b.wv[code].index_to_key
        np.testing.assert_array_equal(a.wv[code].vectors, b.wv[code].vectors)
        np.testing.assert_array_equal(a[code].syn1neg, b[code].syn1neg)
        for name, values in a.wv[code].expandos.items():
            np.testing.assert_array_equal(values, b.wv[code].expandos[name])


def snapshot(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def rewrite(path, change=lambda manifest: None, members=None, compression=zipfile.ZIP_STORED):
    """Write a model file anew with another manifest, or with other members."""
    with zipfile.ZipFile(path) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(found["model.json"])
    found |= members or {}
    change(manifest)
    found["model.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in found.items():
            archive.writestr(name, data)
