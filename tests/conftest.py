from __future__ import annotations

import json
import os
import pickle
import signal

import numpy as np
import pytest
from browser import Browser, Tab, chromium
from hypothesis import settings
from samples import SMALL, bilbowa_threads, made_up_pairs
from saved import PARALLEL, TINY
from terms import TERMS

from gensim_bilbowa import BilBOWA, kernels
from gensim_bilbowa.terminology.page import write_page

# On a busy machine an example may take any time; pytest-timeout ends what hangs.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# Where the tests run in the background of a shell, they and the programs they start would ignore
# the very signal that some of them are about.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config):
    # What runs side by side shares the cores: OpenBLAS's threads would wait busily for each other.
    if config.getoption("numprocesses", None):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.fixture(scope="session")
def pairs():
    return made_up_pairs()


@pytest.fixture(scope="session")
def documents():
    """English and German documents of two topics: words of even and of odd numbers."""
    rng = np.random.default_rng(3)
    topics = rng.integers(0, 2, 120)
    ids = [2 * rng.integers(0, 20, 8) + topic for topic in topics]
    english, german = ([" ".join(f"{code}{i}" for i in row) for row in ids] for code in "ed")
    return english, german, topics


@pytest.fixture
def small_model(pairs):
    return BilBOWA(parallel={("en", "de"): pairs}, **SMALL)


@pytest.fixture(scope="module")
def tiny_model():
    """A model to be saved, which no test changes."""
    return BilBOWA(parallel=PARALLEL, **TINY, comment="a note", xling_weight=2.5, seed=7)


@pytest.fixture
def tiny_copy(tiny_model):
    return pickle.loads(pickle.dumps(tiny_model))


@pytest.fixture
def no_thread_is_left():
    yield
    assert not bilbowa_threads()


@pytest.fixture(params=kernels.levels())
def level(request):
    """Each instruction set that this processor has, in use."""
    before = kernels.level()
    kernels.use_level(request.param)
    yield request.param
    kernels.use_level(before)


@pytest.fixture(scope="session")
def browser():
    if chromium() is None:
        pytest.skip("no Chromium here (Debian's package chromium)")
    started = Browser()
    yield started
    started.close()


@pytest.fixture
def tab(browser, tmp_path):
    """A tab; nothing on its pages may fail, and nothing but their files be loaded."""
    downloads = tmp_path / "downloads"
    downloads.mkdir()
    opened = Tab(browser, downloads)
    yield opened
    assert not opened.happened("Runtime.exceptionThrown", "Log.entryAdded")
    requests = map(json.loads, opened.happened("Network.requestWillBeSent"))
    assert {request["type"] for request in requests} <= {"Document"}
    opened.close()


@pytest.fixture
def page(tab, tmp_path):
    """A tab that shows a small list of terms."""
    write_page(TERMS, tmp_path / "terms.html")
    tab.go(tmp_path / "terms.html")
    return tab
