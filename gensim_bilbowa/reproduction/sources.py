"""A mark of the code that a result depends on, so that what other code gave is not taken for it."""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from pathlib import Path

import gensim_bilbowa

__all__ = ["code_mark"]

_PACKAGE = Path(gensim_bilbowa.__file__).parent
_SUFFIXES = {".py", ".pyx", ".c", ".h"}


@cache
def code_mark(names: tuple[str, ...]) -> str:
    """Return a mark that changes with the code of these files, not with what is said about it.

    Comments and docstrings of Python modules do not count. Of compiled modules the sources count,
    where they are: in a checkout. In an installed package they change with the version only.

    Parameters
    ----------
    names : tuple of str
        Files and folders of the package, as "baselines/bicvm.py" or "training".
    """
    digest = hashlib.sha256()
    for name in names:
        place = _PACKAGE / name
        files = sorted(place.rglob("*")) if place.is_dir() else [place]
        for file in files:
            if file.suffix in _SUFFIXES:
                text = file.read_text(encoding="utf-8")
                code = _bare(text) if file.suffix == ".py" else text
                digest.update(f"{file.relative_to(_PACKAGE)}\n{code}\n".encode())
    return digest.hexdigest()


def _bare(source: str) -> str:
    """Return a module as its syntax tree without docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node, clean=False
        ):
            del node.body[0]
    return ast.dump(tree)
