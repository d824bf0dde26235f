"""Counts of aligned words, as arrays and as text.

Arrays are those of a sparse matrix by rows (CSR), of which row and column are the words' places in
the two vocabularies: ``data`` (float32), ``indices`` (int32) and ``indptr`` (int64, a number more
than the first vocabulary has words). Text is ``word<TAB>word<TAB>count`` on each line.
"""

from __future__ import annotations

import os
import re
from array import array
from codecs import BOM_UTF8
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray
from scipy import sparse

from gensim_bilbowa.corpora.files import lines_of, read_blocks
from gensim_bilbowa.errors import CorpusError, FormatError
from gensim_bilbowa.formats.rows import Checksum

__all__ = ["PARTS", "is_pair", "join_parts", "parts_of", "read_aligned", "write_aligned"]

# The arrays of a pair of languages.
PARTS: Mapping[str, type[np.generic]] = {
    "data": np.float32,
    "indices": np.int32,
    "indptr": np.int64,
}

_COUNT = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
# Between these a number is finite and not zero when it is rounded to single precision.
_ROUNDED_TO_ZERO, _ROUNDED_TO_INFINITY = 2.0**-150, 2.0**128 - 2.0**103


def is_pair(codes: object, languages: Container[str]) -> bool:
    """Say whether what a file has for a pair of languages is one."""
    return (
        isinstance(codes, list)
        and len(codes) == 2
        and all(isinstance(code, str) and code in languages for code in codes)
        and codes[0] != codes[1]
    )


def parts_of(counts: Any) -> dict[str, NDArray[Any]]:
    """Return the arrays of counts, for each name in `PARTS`."""
    return {name: np.asarray(getattr(counts, name), kind) for name, kind in PARTS.items()}


def join_parts(parts: Mapping[str, NDArray[Any]], sizes: tuple[int, int], where: str) -> Any:
    """Put arrays that were read together again; they are looked through, and shared.

    Parameters
    ----------
    parts : mapping from str to ndarray
        Of the names in `PARTS`.
    sizes : (int, int)
        Words of the two languages.
    where : str
        Begins the message of an error.

    Returns
    -------
    scipy.sparse.csr_array of float32, of the shape `sizes`

    Raises
    ------
    FormatError
        If there are no such counts. What this does not find might crash the process later.
    """
    for name, kind in PARTS.items():
        found = parts[name]
        wanted = (sizes[0] + 1,) if name == "indptr" else parts["data"].shape[:1]
        if found.shape != wanted or found.dtype != kind:
            raise FormatError(
                f"{where}: {name} is {found.dtype} of shape {found.shape}, {np.dtype(kind)} of "
                f"shape {wanted} is wanted"
            )
    data, indices, indptr = (parts[name] for name in PARTS)
    # Compared, since differences may be too large for the type.
    if indptr[0] != 0 or indptr[-1] != len(data) or (indptr[1:] < indptr[:-1]).any():
        raise FormatError(f"{where}: indptr does not rise from 0 to {len(data):,}")
    if len(data):
        if indices.min() < 0 or indices.max() >= sizes[1]:
            raise FormatError(f"{where}: indices are not from 0 to {sizes[1] - 1:,}")
        ascends = np.append(True, indices[1:] > indices[:-1])
        ascends[indptr[:-1][indptr[:-1] < len(data)]] = True
        if not ascends.all():
            raise FormatError(f"{where}: indices do not ascend within each row")
        if not (data > 0).all() or not (data < np.inf).all():
            raise FormatError(f"{where}: a count is not finite and positive")
    return _matrix(data, indices, indptr, sizes)


def _matrix(
    data: NDArray[Any], indices: NDArray[Any], indptr: NDArray[Any], sizes: tuple[int, int]
) -> Any:
    # With two types, SciPy would copy the indices to the larger one.
    if len(data) < 2**31:
        indptr = indptr.astype(np.int32)
    return sparse.csr_array((data, indices, indptr), shape=sizes)


def write_aligned(file: Path, counts: Any, ours: KeyedVectors, theirs: KeyedVectors) -> int:
    """Write counts as text, in the order of rows and columns.

    Returns
    -------
    int
        CRC-32 of the file, without a byte order mark.
    """
    checksum = Checksum()
    columns = theirs.index_to_key
    with file.open("wb") as stream:
        for row, word in enumerate(ours.index_to_key[: counts.shape[0]]):
            start, end = counts.indptr[row : row + 2].tolist()
            indices = counts.indices[start:end].tolist()
            numbers = map(str, counts.data[start:end])  # as many digits as tell a float32
            pairs = zip(indices, numbers, strict=True)
            data = "".join([f"{word}\t{columns[index]}\t{n}\n" for index, n in pairs]).encode()
            if data.startswith(BOM_UTF8) and not stream.tell():
                stream.write(BOM_UTF8)  # readers drop one, which would be of the word
            stream.write(checksum.add(data))
    return checksum.value


def read_aligned(
    path: str | os.PathLike[str], ours: KeyedVectors, theirs: KeyedVectors, errors: str,
    cut: tuple[bool, bool] = (False, False),
) -> tuple[Any, int]:  # fmt: skip
    """Read what :func:`write_aligned` wrote, line by line; the lines may be in any order.

    Parameters
    ----------
    path : str or path-like
    ours, theirs : gensim.models.KeyedVectors
        Of the two languages.
    errors : {"strict", "replace", "ignore"}
        As in :meth:`bytes.decode`.
    cut : (bool, bool)
        Whether the two languages have but the first of their words; the others are left out.

    Returns
    -------
    scipy.sparse.csr_array of float32, shape (n_ours, n_theirs)
    int
        CRC-32 of the file.

    Raises
    ------
    FormatError
        If a line is no pair of known words and a finite, positive count, or the words were there
        before; the message names file and line.
    """
    name = os.fspath(path)
    checksum = Checksum()
    places: tuple[array[int], array[int]] = array("i"), array("i")
    values, numbers = array("f"), array("q")
    blocks = map(checksum.passing, read_blocks(name))
    try:
        for number, line in enumerate(lines_of(name, blocks, errors), start=1):
            *words, count = line.split("\t")
            value = float(count) if len(words) == 2 and _COUNT.fullmatch(count) else 0.0
            if not _ROUNDED_TO_ZERO < value < _ROUNDED_TO_INFINITY:
                raise FormatError(
                    f"{name}, line {number}: two words and their count are wanted, finite and "
                    f"positive, with tabs between, got {line[:60]!r}"
                )
            found = [
                side.key_to_index.get(word)
                for word, side in zip(words, (ours, theirs), strict=True)
            ]
            if None in found:
                for word, row, short in zip(words, found, cut, strict=True):
                    if row is None and not short:
                        raise FormatError(
                            f"{name}, line {number}: {word[:60]!r} is no word of the vectors"
                        )
                continue
            for side, row in zip(places, found, strict=True):
                side.append(row)
            values.append(value)
            numbers.append(number)
    except CorpusError as error:
        raise FormatError(str(error)) from error
    return _sorted(name, places, values, numbers, ours, theirs), checksum.value


def _sorted(
    name: str, places: tuple[array[int], array[int]], values: array[float], numbers: array[int],
    ours: KeyedVectors, theirs: KeyedVectors,
) -> Any:  # fmt: skip
    rows, columns = (np.frombuffer(side, np.int32) for side in places)
    order = np.lexsort((columns, rows))
    rows, columns = rows[order], columns[order]
    again = np.flatnonzero((rows[1:] == rows[:-1]) & (columns[1:] == columns[:-1]))
    if len(again):
        first, second = np.frombuffer(numbers, np.int64)[order[again[0] : again[0] + 2]].tolist()
        pair = ours.index_to_key[rows[again[0]]], theirs.index_to_key[columns[again[0]]]
        raise FormatError(f"{name}, line {second}: the words {pair} have a count in line {first}")
    indptr = np.append(0, np.cumsum(np.bincount(rows, minlength=len(ours))))
    counts = np.frombuffer(values, np.float32)[order]
    return _matrix(counts, columns, indptr, (len(ours), len(theirs)))
