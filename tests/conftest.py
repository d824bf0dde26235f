from __future__ import annotations

import pytest
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA


@pytest.fixture(scope="session")
def pairs():
    return made_up_pairs()


@pytest.fixture
def small_model(pairs):
    return BilBOWA(parallel={("en", "de"): pairs}, **SMALL)
