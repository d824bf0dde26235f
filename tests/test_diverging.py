"""Training that diverges, by its parameters or by what it begins with, ends with an error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MODES = {
    "skip-gram": {},
    "skip-gram, separate": {"shared_negatives": False},
    "skip-gram, tree": {"hs": 1, "negative": 0},
    "skip-gram, both": {"hs": 1},
    "CBOW": {"sg": 0},
    "CBOW, sum": {"sg": 0, "cbow_mean": 0},
    "CBOW, tree": {"sg": 0, "hs": 1, "negative": 0},
    "CBOW, both": {"sg": 0, "hs": 1},
    "CBOW, subwords": {"sg": 0, "subwords": True, "min_n": 2, "bucket": 100},
}

# A process of its own, since what is tested is that it does not die.
_TRAIN = """
import sys
inf = float("inf")
sys.path.insert(0, {support!r})
import numpy as np
from samples import SMALL, made_up_pairs
from gensim_bilbowa import BilBOWA
from gensim_bilbowa.errors import BilBOWAError
parallel = {{("en", "de"): made_up_pairs()}}
for name, mode in {modes!r}.items():
    model = BilBOWA(**{{**SMALL, **mode, **{options!r}}})
    model.build_vocab(parallel=parallel)
    for weights in ("syn1neg", "syn1"):
        if hasattr(model["en"], weights):
            getattr(model["en"], weights)[...] = {start!r}
    try:
        model.train(parallel=parallel)
    except BilBOWAError as error:
        print(f"{{name}}: {{type(error).__name__}}: {{error}}")
    else:
        finite = all(np.isfinite(model.wv[code].vectors).all() for code in model)
        print(f"{{name}}: finite {{finite}}")
"""


def trained(start=0.0, **options):
    """What became of the training in each mode."""
    support = str(Path(__file__).parent / "support")
    code = _TRAIN.format(support=support, modes=MODES, options=options, start=start)
    run = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, encoding="utf-8"
    )
    assert run.returncode == 0, run.stderr
    return dict(line.split(": ", 1) for line in run.stdout.splitlines())


@pytest.mark.parametrize("options", [{"xling_weight": 100, "xling_clip": float("inf")}])
def test_updates_that_are_not_clipped_end_in_an_error(options):
    ends = trained(**options, alpha=10.0)
    assert ends.keys() == MODES.keys()
    for end in ends.values():
        assert end.startswith("TrainingDivergedError: training diverged in epoch")


@pytest.mark.slow
@pytest.mark.parametrize("start", [3e38, -3e38, 1e20])
def test_huge_weights_to_begin_with_do_not_crash(start):
    ends = trained(start)
    assert ends.keys() == MODES.keys()
    for end in ends.values():
        assert end == "finite True" or end.startswith("TrainingDivergedError")


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [1e10, 1e15])
def test_huge_learning_rates_do_not_crash(alpha):
    ends = trained(alpha=alpha)
    assert ends.keys() == MODES.keys()
    for end in ends.values():
        assert end == "finite True" or end.startswith("TrainingDivergedError")


@pytest.mark.slow
@pytest.mark.parametrize("exponent", [300, -300, 1e15, -1e15])
def test_extreme_exponents_of_noise_train(exponent):
    assert trained(ns_exponent=exponent) == dict.fromkeys(MODES, "finite True")
