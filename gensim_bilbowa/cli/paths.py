"""Paths on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gensim_bilbowa.filesystem import reachable

__all__ = ["FilePath"]


class FilePath(click.Path):
    """The path of a file or folder, however long it is."""

    def __init__(self, **options: Any) -> None:
        super().__init__(path_type=Path, **options)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return it as a Path."""
        return super().convert(reachable(value), param, ctx)
