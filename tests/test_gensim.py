"""What of gensim is used: public names, save those of _gensim.py; other versions are refused."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

import gensim
import pytest

import gensim_bilbowa
from gensim_bilbowa import _gensim

PACKAGE = Path(gensim_bilbowa.__file__).parent
# Of gensim's documented interface.
PUBLIC = {
    "gensim.models": {"FastText", "KeyedVectors", "Word2Vec"},
    "gensim.models.callbacks": {"CallbackAny2Vec"},
    "gensim.models.fasttext": {"FastTextKeyedVectors"},
    "gensim.models.translation_matrix": {"TranslationMatrix"},
    "gensim.models.word2vec": {"LineSentence"},
    "gensim.utils": {"SaveLoad"},
}


def imports(path):
    """Yield the module and the name of each import; None for a module itself."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((node.module, alias.name) for alias in node.names)


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(PACKAGE.rglob("*.py")) if path.name != "_gensim.py"],
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_only_one_module_uses_what_gensim_does_not_document(path):
    used = [(m, name) for m, name in imports(path) if m.split(".")[0] == "gensim"]
    assert [one for one in used if one[1] not in PUBLIC.get(one[0], ())] == []


def test_the_module_that_does_is_found_to_do_so():
    used = {(module, name) for module, name in imports(PACKAGE / "_gensim.py")}
    assert ("gensim.models.fasttext", "ft_ngram_hashes") in used


def test_the_version_wanted_is_that_of_the_package():
    (wanted,) = [r for r in requires("gensim-bilbowa") if r.startswith(("gensim<", "gensim>"))]
    assert set(wanted.removeprefix("gensim").split(",")) == set(_gensim._WANTED.split(","))


@pytest.mark.parametrize("version", ["4.3.3", "3.8.0", "5.0.0", "5.1.0.dev0"])
def test_another_version_of_gensim_is_refused(monkeypatch, version):
    monkeypatch.setattr(gensim, "__version__", version)
    with pytest.raises(ImportError, match=rf"needs gensim >=4.4,<5.*{version}.*pip install"):
        importlib.reload(_gensim)


@pytest.mark.parametrize("version", ["4.4.0", "4.10.1", "4.4.0.dev1"])
def test_a_version_within_the_bounds_is_taken(monkeypatch, version):
    monkeypatch.setattr(gensim, "__version__", version)
    importlib.reload(_gensim)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "name"),
    [("gensim.models.fasttext", "ft_ngram_hashes"), ("gensim.utils", "prune_vocab")],
)
def test_what_gensim_lacks_is_said_at_import(module, name):
    code = f"""
        import gensim.models, {module}
        del {module}.{name}
        try:
            from gensim_bilbowa import BilBOWA
        except ImportError as error:
            print(error)
    """
    lines = [line[8:] for line in code.splitlines()]
    done = subprocess.run(
        [sys.executable, "-P", "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    assert "needs gensim >=4.4,<5 with its compiled routines" in done.stdout
    assert f"gensim {gensim.__version__} is not whole" in done.stdout
    assert name in done.stdout
    assert "pip install 'gensim>=4.4,<5'" in done.stdout
