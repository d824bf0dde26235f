from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import gensim_bilbowa

MODULES = [m.name for m in pkgutil.walk_packages(gensim_bilbowa.__path__, "gensim_bilbowa.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name):
    if name.endswith("__main__"):
        return
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0
