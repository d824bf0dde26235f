"""Modules are short, and what one imports lies below it: no module reaches what reaches it."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from itertools import pairwise
from pathlib import Path

import pytest

import gensim_bilbowa


def import_graph(package):
    """The modules of a package in a folder, each with those of them that it imports.

    Imports in functions and for types alone count like others.
    """
    files = {}
    for file in package.rglob("*.py"):
        path = file.relative_to(package.parent).with_suffix("")
        files[".".join(path.parts).removesuffix(".__init__")] = file
    return {name: set(imported(name, file, files)) - {name} for name, file in files.items()}


def imported(name, file, modules):
    parent = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            whole = resolve_name("." * node.level + (node.module or ""), parent)
            inner = (f"{whole}.{alias.name}" for alias in node.names)
            found = [module if module in modules else whole for module in inner]
        else:
            continue
        yield from modules.keys() & set(found)


def circle(graph):
    """Modules of which each imports the next, the last one again the first; None if none do."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1][::-1]
    return None


@pytest.fixture(scope="module")
def graph():
    return import_graph(Path(gensim_bilbowa.__file__).parent)


def test_no_module_is_imported_by_what_it_imports(graph):
    found = circle(graph)
    assert found is None, " imports ".join(found)


@pytest.mark.parametrize(
    ("made_up", "expected"),
    [
        ({"a": {"b"}, "b": {"a"}}, {"a", "b"}),
        ({"a": {"b"}, "b": {"c"}, "c": {"d", "b"}, "d": set()}, {"b", "c"}),
        ({"top": {"a"}, "a": {"b"}, "b": {"c"}, "c": {"a"}}, {"a", "b", "c"}),
    ],
)
def test_circles_are_found_and_named_in_order(made_up, expected):
    found = circle(made_up)
    assert set(found) == expected
    assert found[0] == found[-1]
    assert all(other in made_up[name] for name, other in pairwise(found))


def test_several_ways_to_a_module_are_no_circle():
    assert circle({"a": {"b", "c"}, "b": {"d"}, "c": {"b", "d"}, "d": set()}) is None


@pytest.fixture
def package(tmp_path):
    """A package whose module ``low`` imports what a test writes; ``high`` imports it."""

    def write(name, text):
        file = tmp_path / "made_up" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return tmp_path / "made_up"

    write("__init__.py", "")
    write("high.py", "import os\nfrom made_up.inner.low import something\n")
    write("inner/__init__.py", "")
    return write


@pytest.mark.parametrize(
    "text",
    [
        "import made_up.high",
        "import os, made_up.high as above",
        "from made_up import high",
        "from made_up.high import something",
        "from made_up.high import *",
        "from .. import high",
        "from ..high import something",
        "def work():\n    def inner():\n        from ..high import something\n",
        "class Worker:\n    def work(self):\n        import made_up.high\n",
        "if TYPE_CHECKING:\n    from made_up.high import something\n",
        "try:\n    pass\nfinally:\n    from made_up import high\n",
    ],
)
def test_imports_are_found_wherever_they_stand(package, text):
    found = import_graph(package("inner/low.py", text))
    assert found["made_up.inner.low"] == {"made_up.high"}
    assert set(circle(found)) == {"made_up.high", "made_up.inner.low"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from . import other", {"made_up.inner.other"}),
        ("from . import something", {"made_up.inner"}),
        ("from made_up import something, inner", {"made_up", "made_up.inner"}),
        ("import made_up, numpy, made_up.absent", {"made_up"}),
        ("from high import something\nimport other", set()),
        ("from .low import itself", set()),
        ("text = 'import made_up.high'  # import made_up.high", set()),
    ],
)
def test_imports_name_modules_or_what_a_package_has(package, text, expected):
    package("inner/other.py", "")
    found = import_graph(package("inner/low.py", text))
    assert found["made_up.inner.low"] == expected
    assert circle(found) is None


def test_what_a_package_imports_counts_too(package):
    package("inner/low.py", "from made_up import something")
    folder = package("__init__.py", "from .high import something")
    assert set(circle(import_graph(folder))) == {"made_up", "made_up.high", "made_up.inner.low"}


# What users read of a model: half of it is what its parameters and methods are.
LONG = {"model.py"}


def test_modules_are_of_400_lines_at_most():
    package = Path(gensim_bilbowa.__file__).parent
    lines = {
        str(file.relative_to(package)): len(file.read_text("utf-8").splitlines())
        for file in package.rglob("*.py")
    }
    assert {name for name, number in lines.items() if number > 400} == LONG
