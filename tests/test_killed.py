"""Programs that are killed at any moment of a save leave the old files or the new ones.

On every system: what ends them, SIGKILL or TerminateProcess, cannot be asked to wait.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time

import numpy as np
import pytest
from processes import running
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA, CrossLingualVectors

pytestmark = pytest.mark.slow

SAVING = {
    "model": "from gensim_bilbowa import BilBOWA as Kind",
    "vectors": "from gensim_bilbowa import CrossLingualVectors as Kind",
}
# Saves what it loads with the other sign, again and again.
PROGRAM = """
import sys
{kind}
path, options = sys.argv[1], {options}
loaded = Kind.load(path)
print("ready", flush=True)
while True:
    for code in loaded:
        vectors = getattr(loaded, "wv", loaded)[code].vectors
        vectors *= -1
    loaded.save(path, **options)
    print("saved", flush=True)
"""


def killed_at_any_moment(program, path, times=3):
    """Have a program do something again and again, and kill it; several times over."""
    draw = random.Random(1)
    for _ in range(times):
        with running(
            [sys.executable, "-P", "-c", program, str(path)], stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdout.readline() == "ready\n"
            time.sleep(draw.random() * 0.2)
            child.kill()
        yield


@pytest.mark.parametrize(
    ("kind", "name", "options"),
    [
        ("model", "en-de.model", {"sep_limit": 0}),
        ("model", "en-de.model", {}),
        ("vectors", "x.safetensors", {}),
        ("vectors", "folder", {}),
    ],
    ids=["separate", "whole", "safetensors", "folder"],
)
def test_killed_save_leaves_the_old_or_the_new_vectors(tmp_path, kind, name, options):
    model = BilBOWA(parallel={("en", "de"): made_up_pairs()}, **SMALL)
    old = {code: wv.vectors.copy() for code, wv in model.wv.items()}
    saved, load = (model, BilBOWA.load) if kind == "model" else (model.wv, CrossLingualVectors.load)
    saved.save(tmp_path / name, **options)
    program = PROGRAM.format(kind=SAVING[kind], options=options)
    for _ in killed_at_any_moment(program, tmp_path / name):
        loaded = load(tmp_path / name)
        found = {code: getattr(loaded, "wv", loaded)[code].vectors for code in old}
        (sign,) = {np.sign(found[code][0, 0] / old[code][0, 0]) for code in old}
        for code, vectors in old.items():
            np.testing.assert_allclose(found[code], vectors * sign, rtol=1e-6)
    saved.save(tmp_path / name, **options)
    assert len([*load(tmp_path / name)]) == 2
    places = [tmp_path, tmp_path / name] if (tmp_path / name).is_dir() else [tmp_path]
    assert not [path for place in places for path in place.glob(".*")]


def test_killed_encoding_leaves_a_cache_that_gives_the_same_model(tmp_path):
    text = tmp_path / "pairs.tsv"
    text.write_text("a b c\td e f\nb a\te d\n" * 3000, encoding="utf-8")
    options = {"min_count": 1, "vector_size": 4, "epochs": 1, "workers": 1}
    plain = BilBOWA(parallel={("en", "de"): text}, **options)
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from gensim_bilbowa import BilBOWA\n"
        "text = Path(sys.argv[1])\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    for entry in (text.parent / 'cache').glob('*.encoded'): entry.unlink()\n"
        "    BilBOWA(parallel={('en', 'de'): text}, cache_dir=text.parent / 'cache', "
        f"**{options})\n"
    )
    for _ in killed_at_any_moment(program, text):
        kept = BilBOWA(parallel={("en", "de"): text}, cache_dir=tmp_path / "cache", **options)
        np.testing.assert_array_equal(kept.wv_en.vectors, plain.wv_en.vectors)
