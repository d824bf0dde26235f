"""The libraries that pictures need, which are an extra of this package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["plot_extra"]


@contextmanager
def plot_extra() -> Iterator[None]:
    """Say, where an import within fails, which extra brings what is missing."""
    try:
        yield
    except ImportError as error:
        library = error.name.partition(".")[0] if error.name else error
        raise ImportError(f"pictures need {library}: pip install 'gensim_bilbowa[plot]'") from error
