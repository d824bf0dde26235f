"""gensim's own files, which are pickles: nothing of one is read unless the user trusts it.

Reading a pickle can run any code that it names. Everything else in this package that reads a file
refuses pickles by their first byte.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
from gensim.models import KeyedVectors, Word2Vec
from gensim.utils import SaveLoad

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files.filesystem import reachable, real_path, short
from gensim_bilbowa.files.staging import settle
from gensim_bilbowa.files.storage import is_pickle
from gensim_bilbowa.formats.assembly import check_finite, keyed_vectors

__all__ = ["first_words", "read_pickle", "refuse_pickle"]


def refuse_pickle(path: str, head: bytes) -> None:
    """Raise FormatError if a file that begins with `head` is a pickle."""
    if is_pickle(head):
        raise FormatError(
            f"{path} is a pickle, as gensim's own files are. It was not opened, since that can run "
            "any code; if you trust whoever made it, pass trusted=True (in Python)"
        )


def read_pickle(path: str | os.PathLike[str], *, mmap: str | None = None) -> Any:
    """Read what gensim's ``save`` wrote, which runs any code that the file names.

    Parameters
    ----------
    path : str or path-like
    mmap : {None, "r", "c"}
        As in gensim's ``load``.

    Returns
    -------
    gensim.models.KeyedVectors or gensim.models.Word2Vec

    Raises
    ------
    FormatError
        If it is no whole file of one of these, or a vector is not finite.
    """
    name = os.fspath(path)
    if "://" not in name:
        # gensim finds the arrays by itself: those of a save that was killed are moved first.
        place = Path(reachable(real_path(name)))
        settle(place.parent, re.escape(short(place.name)), of=[place.name])
    try:
        loaded = SaveLoad.load(name, mmap=mmap)
    except (OSError, MemoryError):
        raise
    except Exception as error:  # damage shows in errors of many kinds
        raise FormatError(f"{name} is no whole file of gensim's: {error!r}") from error
    if not isinstance(loaded, KeyedVectors | Word2Vec):
        raise FormatError(
            f"{name} is a {type(loaded).__name__}; a KeyedVectors or a Word2Vec is wanted"
        )
    wv = loaded.wv if isinstance(loaded, Word2Vec) else loaded
    check_finite(wv, name, FormatError)
    return loaded


def first_words(vectors: KeyedVectors, limit: int | None) -> KeyedVectors:
    """Return plain vectors of the first `limit` words, or all there are as they are."""
    if limit is None or limit >= len(vectors):
        return vectors
    return keyed_vectors(
        {word: index for index, word in enumerate(vectors.index_to_key[:limit])},
        np.array(vectors.vectors[:limit]),
        {name: values[:limit] for name, values in vectors.expandos.items()},
    )
