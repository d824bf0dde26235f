"""Libraries that not everybody needs, which are extras of this package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["needing"]


@contextmanager
def needing(extra: str, need: str) -> Iterator[None]:
    """Say, where an import within fails, which extra brings what is missing.

    Parameters
    ----------
    extra : str
    need : str
        What needs which library; ``{}`` stands for the one that is missing.
    """
    try:
        yield
    except ImportError as error:
        library = error.name.partition(".")[0] if error.name else error
        said = need.format(library)
        raise ImportError(f"{said}: pip install 'gensim_bilbowa[{extra}]'") from error
