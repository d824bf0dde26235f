r"""Vectors of several languages in one safetensors file, which holds words of any kind.

The metadata are ``format`` (``gensim_bilbowa.vectors``), ``version`` (``1``), ``languages``, a JSON
list of the language codes in their order, and ``crc32``, a JSON object with the checksum of the
bytes of each tensor. A tensor that has another one is refused, unless a limit leaves a part of it
unread; where there is no ``crc32``, nothing is checked. ``tokenizers``, which may be left out, is a
JSON object with what has split each language's text
(:class:`~gensim_bilbowa.tokenization.tokenizers.Tokenizers`). For each language ``L`` of ``n``
words there are the tensors

========================  =======================  =================================================
``L/vectors``             F32, (n, vector_size)
``L/words``               U8, (n_bytes,)           all words as UTF-8, one right after the other;
                                                   half characters (lone surrogates) as Python's
                                                   ``surrogatepass`` has them
``L/word_offsets``        I64, (n + 1,)            where each word begins, and the end of all
``L/attribute/A``         of numbers, (n, ...)     for example A = ``count``
========================  =======================  =================================================

and for each pair of languages ``L`` and ``M`` whose sentence pairs were aligned, in one of the two
orders, the counts of aligned words as a sparse matrix by rows (CSR)

========================  =======================  =================================================
``L/aligned/M/data``      F32, (n_pairs,)          how often two words are aligned
``L/aligned/M/indices``   I32, (n_pairs,)          the word of ``M``, ascending for each of ``L``
``L/aligned/M/indptr``    I64, (n + 1,)            where the pairs of each word of ``L`` begin, and
                                                   the end of all
========================  =======================  =================================================

A safetensors file holds numbers and text only; nothing in it is run. The package ``safetensors`` is
needed: ``pip install 'gensim_bilbowa[safe]'``.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray

from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.evidence import AlignedCounts
from gensim_bilbowa.extras import needing
from gensim_bilbowa.files.documents import parse_json
from gensim_bilbowa.files.staging import staged
from gensim_bilbowa.files.storage import check_version, checksum_of
from gensim_bilbowa.formats.aligned import join_parts, parts_of
from gensim_bilbowa.formats.assembly import (
    OF_TRAINING,
    check_counts,
    check_finite,
    keyed_vectors,
)
from gensim_bilbowa.parameters import check_languages
from gensim_bilbowa.tokenization.tokenizers import Tokenizers

__all__ = ["HEAD_BYTES", "is_safetensors", "read_safetensors", "write_safetensors"]

logger = logging.getLogger(__name__)

_FORMAT = "gensim_bilbowa.vectors"
_VERSION = "1"
_NUMBERS = frozenset(
    ["BOOL", "F16", "F32", "F64", *(f"{sign}{bits}" for sign in "IU" for bits in (8, 16, 32, 64))]
)
_OS_ERROR = re.compile(r"\(os error (\d+)\)")  # as the library words it
HEAD_BYTES = 9  # that tell what a file is
_LARGEST_HEADER = 100_000_000  # of the library
_LARGEST_HEADER_OF_OURS = 1 << 20  # for thousands of languages; each tensor takes time and memory


def is_safetensors(head: bytes) -> bool:
    """Say whether a file begins as safetensors files do: the header's length, and the header."""
    return head[8:9] == b"{" and int.from_bytes(head[:8], "little") <= _LARGEST_HEADER


def _import_safetensors() -> Any:
    with needing("safe", "safetensors files need the package safetensors"):
        import safetensors
        import safetensors.numpy
    return safetensors


def write_safetensors(
    path: Path, languages: Mapping[str, KeyedVectors], aligned: AlignedCounts,
    tokenizers: Tokenizers,
) -> None:  # fmt: skip
    """Write a file, or replace an earlier one when all is written.

    Attributes of words that are no numbers are left out, which is logged, and those that training
    makes anew.
    """
    safetensors = _import_safetensors()
    tensors: dict[str, NDArray[Any]] = {}
    for code, vectors in languages.items():
        words = []
        for word in vectors.index_to_key:
            if not isinstance(word, str):
                raise FormatError(f"{code!r}: the word {word!r} is no string")
            words.append(word.encode("utf-8", "surrogatepass"))
        tensors[f"{code}/vectors"] = np.asarray(vectors.vectors, np.float32)
        tensors[f"{code}/words"] = np.frombuffer(b"".join(words), np.uint8)
        tensors[f"{code}/word_offsets"] = np.cumsum([0, *map(len, words)], dtype=np.int64)
        for name, values in vectors.expandos.items():
            if name in OF_TRAINING:
                continue
            if values.dtype.kind in "biuf" and values.dtype.itemsize <= 8:
                tensors[f"{code}/attribute/{name}"] = values
            else:
                logger.warning(
                    "%s: the attribute %r of the words in %r is not saved: %s are no numbers "
                    "that safetensors knows", path, name, code, values.dtype,
                )  # fmt: skip
    for one, other in aligned:
        counts = aligned.between(one, other, (len(languages[one]), len(languages[other])))
        for name, values in parts_of(counts).items():
            tensors[f"{one}/aligned/{other}/{name}"] = values
    # The library writes the memory of an array as it lies there.
    laid_out = {
        name: np.ascontiguousarray(values, values.dtype.newbyteorder("="))
        for name, values in tensors.items()
    }
    metadata = {
        "format": _FORMAT,
        "version": _VERSION,
        "languages": json.dumps(list(languages)),
        "crc32": json.dumps({name: checksum_of(values) for name, values in laid_out.items()}),
    }
    if tokenizers:
        metadata["tokenizers"] = json.dumps(tokenizers.document())
    with staged(path) as (place,):
        place.touch()
        mode = place.stat().st_mode
        try:
            safetensors.numpy.save_file(laid_out, place, metadata)
        except safetensors.SafetensorError as error:  # the arrays are right: it is the disk
            found = _OS_ERROR.search(str(error))
            number = int(found[1]) if found else errno.EIO
            raise OSError(number, os.strerror(number)) from error
        place.chmod(mode)  # the library leaves it to its owner alone


def read_safetensors(
    path: Path, *, limit: int | None
) -> tuple[dict[str, KeyedVectors], AlignedCounts, Tokenizers]:
    """Read a file, of each language no more than the first `limit` words.

    Raises
    ------
    FormatError
        Naming file, language and tensor that is not as it should be.
    """
    safetensors = _import_safetensors()
    with path.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
    if length > _LARGEST_HEADER_OF_OURS:
        raise FormatError(
            f"{path}: the header has {length:,} bytes, more than the {_LARGEST_HEADER_OF_OURS:,} "
            "that word vectors need at most"
        )
    try:
        with safetensors.safe_open(path, framework="np") as file:
            metadata = file.metadata() or {}
            codes = _languages(str(path), metadata)
            tokenizers = _tokenizers(str(path), metadata, codes)
            names = set(file.keys())
            checksums = _checksums(str(path), metadata, names)
            languages, totals = {}, {}
            for code in codes:
                where = f"{path}, language {code!r}"
                languages[code], totals[code] = _read_language(
                    _Tensors(file, names, checksums, f"{code}/", where), limit
                )
            aligned = _read_aligned(file, names, checksums, str(path), totals, limit)
    except safetensors.SafetensorError as error:
        raise FormatError(f"{path} is no whole safetensors file: {error}") from error
    if names:
        raise FormatError(f"{path} has tensors that belong to no language: {sorted(names)[:5]}")
    return languages, aligned, tokenizers


def _languages(path: str, metadata: Mapping[str, str]) -> list[str]:
    if metadata.get("format") != _FORMAT:
        raise FormatError(
            f"{path} has other tensors than those of word vectors: its metadata have the format "
            f"{metadata.get('format')!r}, {_FORMAT!r} is wanted"
        )
    check_version(path, metadata.get("version"), _VERSION)
    try:
        codes = parse_json(metadata.get("languages", ""))
        if not isinstance(codes, list) or not codes:
            raise ConfigError(f"a list of languages is wanted, got {codes!r:.60}")
        check_languages(codes)
    except ValueError as error:
        raise FormatError(f"{path}: the languages in its metadata: {error}") from error
    return codes


def _tokenizers(path: str, metadata: Mapping[str, str], codes: list[str]) -> Tokenizers:
    try:
        document = parse_json(metadata.get("tokenizers", "{}"))
    except ValueError as error:
        raise FormatError(f"{path}: the tokenizers in its metadata: {error}") from error
    return Tokenizers.of_document(document, codes, path)


def _checksums(path: str, metadata: Mapping[str, str], names: set[str]) -> dict[str, int]:
    """Return the checksum of each tensor, or none at all if they are not recorded."""
    if "crc32" not in metadata:  # earlier versions wrote none
        return {}
    try:
        checksums = parse_json(metadata["crc32"])
    except ValueError as error:
        raise FormatError(f"{path}: crc32 in its metadata: {error}") from error
    if not isinstance(checksums, dict) or checksums.keys() != names:
        raise FormatError(f"{path}: crc32 in its metadata has not a number for each tensor")
    return checksums


@dataclass(frozen=True)
class _Tensors:
    """The tensors of a file whose names begin alike."""

    file: Any
    names: set[str]  # of all that were not read yet
    checksums: Mapping[str, int]
    prefix: str
    where: str

    def shape(self, name: str, dtype: str, *wanted: int | None) -> tuple[int, ...]:
        """Take a tensor's name off those of the file, and return the shape."""
        if f"{self.prefix}{name}" not in self.names:
            raise FormatError(f"{self.where}: there is no tensor {name}")
        self.names.remove(f"{self.prefix}{name}")
        part = self.file.get_slice(f"{self.prefix}{name}")
        found, kind = tuple(part.get_shape()), part.get_dtype()
        fits = len(found) == len(wanted) and all(
            want in (None, size) for want, size in zip(wanted, found, strict=True)
        )
        if kind != dtype or not fits:
            raise FormatError(
                f"{self.where}: {name} is {kind} of shape {found}, {dtype} of shape "
                f"({', '.join('any' if want is None else str(want) for want in wanted)}) is wanted"
            )
        return found

    def first(self, name: str, rows: int, of: int) -> NDArray[Any]:
        """Return the first rows of a tensor; if these are all, they must have its checksum."""
        full = f"{self.prefix}{name}"
        # The library takes no slice of nothing.
        part: NDArray[Any] = (
            self.file.get_slice(full)[:rows] if 0 < rows < of
            else self.file.get_tensor(full)[:rows]
        )  # fmt: skip
        if self.checksums and rows >= of and self.checksums[full] != checksum_of(part):
            raise FormatError(
                f"{self.where}: {name} is damaged: it has not the checksum that the file's "
                "metadata say (crc32, which may be left out there)"
            )
        return part if part.flags.writeable and part.base is None else np.array(part)


def _read_language(tensors: _Tensors, limit: int | None) -> tuple[KeyedVectors, int]:
    """Read the tensors of a language; also return how many words it has without a limit."""
    names, prefix, where = tensors.names, tensors.prefix, tensors.where
    shape, first = tensors.shape, tensors.first
    total, size = shape("vectors", "F32", None, None)
    if not size:
        raise FormatError(f"{where}: the vectors have size 0")
    (n_bytes,) = shape("words", "U8", None)
    shape("word_offsets", "I64", total + 1)
    count = total if limit is None else min(limit, total)
    offsets = first("word_offsets", count + 1, total + 1)
    end = int(offsets[-1])
    if offsets[0] != 0 or (np.diff(offsets) < 0).any() or end > n_bytes:
        raise FormatError(f"{where}: word_offsets do not rise from 0 to {n_bytes:,}")
    if count == total and end != n_bytes:
        raise FormatError(f"{where}: word_offsets end at {end:,}, words at {n_bytes:,}")
    text = first("words", end, n_bytes).tobytes()
    key_to_index: dict[str, int] = {}
    for index, (start, stop) in enumerate(pairwise(offsets.tolist())):
        try:
            word = text[start:stop].decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise FormatError(f"{where}: word {index + 1} is not UTF-8: {error}") from error
        if key_to_index.setdefault(word, index) != index:
            raise FormatError(f"{where}: the word {word!r} is there twice")
    attributes = {}
    for name in sorted(name for name in names if name.startswith(f"{prefix}attribute/")):
        names.remove(name)
        part = tensors.file.get_slice(name)
        if part.get_dtype() not in _NUMBERS or part.get_shape()[:1] != [total]:
            raise FormatError(
                f"{where}: {name} is {part.get_dtype()} of shape {tuple(part.get_shape())}, "
                f"numbers of shape ({total}, ...) are wanted"
            )
        short = name.removeprefix(prefix)
        attributes[short.removeprefix("attribute/")] = first(short, count, total)
    made = keyed_vectors(key_to_index, first("vectors", count, total), attributes)
    check_finite(made, where, FormatError)
    if "count" in attributes:
        check_counts(attributes["count"], where, FormatError)
    return made, total


def _read_aligned(
    file: Any, names: set[str], checksums: Mapping[str, int], path: str,
    totals: Mapping[str, int], limit: int | None,
) -> AlignedCounts:  # fmt: skip
    """Read the counts of aligned words, of each language no more than the first `limit` words."""
    aligned = AlignedCounts()
    there = {tuple(name.split("/")[:3:2]) for name in names if name.split("/")[1:2] == ["aligned"]}
    for one, other in combinations(totals, 2):
        if (one, other) in there and (other, one) in there:
            raise FormatError(f"{path}: the words of {one!r} and {other!r} are aligned twice")
        if (other, one) in there:
            one, other = other, one
        elif (one, other) not in there:
            continue
        where = f"{path}, aligned words of {one!r} and {other!r}"
        tensors = _Tensors(file, names, checksums, f"{one}/aligned/{other}/", where)
        rows, columns = (
            total if limit is None else min(limit, total) for total in (totals[one], totals[other])
        )
        tensors.shape("indptr", "I64", totals[one] + 1)
        (n_pairs,) = tensors.shape("indices", "I32", None)
        tensors.shape("data", "F32", n_pairs)
        indptr = tensors.first("indptr", rows + 1, totals[one] + 1)
        end = int(indptr[-1])
        if not 0 <= end <= n_pairs or (rows == totals[one] and end < n_pairs):
            raise FormatError(f"{where}: indptr does not rise from 0 to {n_pairs:,}")
        parts = {name: tensors.first(name, end, n_pairs) for name in ("data", "indices")}
        counts = join_parts({**parts, "indptr": indptr}, (rows, totals[other]), where)
        aligned.add(one, other, counts if columns == totals[other] else counts[:, :columns])
    return aligned
