"""Paths on the command line."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa.files.filesystem import reachable

__all__ = ["FilePath"]


class FilePath(click.Path):
    """The path of a file or folder, however long it is."""

    def __init__(self, **options: Any) -> None:
        super().__init__(path_type=Path, **options)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return it as a Path; one that no file can have is wrong usage."""
        path: Any = super().convert(reachable(value), param, ctx)
        try:
            path.lstat()
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                self.fail(f"{path}: {error.strerror}", param, ctx)
        return path
