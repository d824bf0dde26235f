from __future__ import annotations

import signal

import pytest
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA

# Where the tests run in the background of a shell, they and the programs they start would ignore
# the very signal that some of them are about.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def pairs():
    return made_up_pairs()


@pytest.fixture
def small_model(pairs):
    return BilBOWA(parallel={("en", "de"): pairs}, **SMALL)
