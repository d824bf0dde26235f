"""Which format vectors of several languages are saved in, and which one a file has."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np
from gensim.models import KeyedVectors

from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.evidence import AlignedCounts
from gensim_bilbowa.files.filesystem import open_file, reachable
from gensim_bilbowa.files.storage import is_pickle
from gensim_bilbowa.formats.assembly import check_counts, check_finite
from gensim_bilbowa.formats.folder import is_folder, read_folder, write_folder
from gensim_bilbowa.formats.foreign import refuse_foreign
from gensim_bilbowa.formats.safe import (
    HEAD_BYTES,
    is_safetensors,
    read_safetensors,
    write_safetensors,
)
from gensim_bilbowa.formats.word2vec import read_with_counts
from gensim_bilbowa.parameters import check_languages, check_number
from gensim_bilbowa.tokenization.tokenizers import Tokenizers

__all__ = ["FORMATS", "Format", "Source", "format_of", "read_languages", "write_languages"]

logger = logging.getLogger(__name__)

Format: TypeAlias = Literal["text", "binary", "safetensors"]
FORMATS: tuple[Format, ...] = get_args(Format)
Source: TypeAlias = str | os.PathLike[str] | Mapping[str, str | os.PathLike[str]]

_SUFFIX = ".safetensors"


def format_of(path: Path, format: Format | None) -> Format:
    """Return the format that is asked for or, if none is, the one that the name says."""
    if format is None:
        return "safetensors" if path.suffix.lower() == _SUFFIX else "text"
    if format not in FORMATS:
        wanted = ", ".join(map(repr, FORMATS))
        raise ConfigError(f"format must be None or one of {wanted}, not {format!r}")
    return format


def write_languages(
    path: str | os.PathLike[str], languages: Mapping[str, KeyedVectors], aligned: AlignedCounts,
    tokenizers: Tokenizers, format: Format | None,
) -> None:  # fmt: skip
    """Write the vectors of some languages, the counts of their aligned words and the tokenizers.

    See :meth:`CrossLingualVectors.save`.
    """
    target = Path(reachable(path))
    format = format_of(target, format)
    if not languages:
        raise ConfigError("there are no languages to save")
    check_languages(languages)
    aligned.check({code: len(vectors) for code, vectors in languages.items()})
    for code, vectors in languages.items():
        if np.dtype(vectors.vectors.dtype).itemsize > 4:
            logger.warning("%s: the vectors of %r are saved in single precision", path, code)
        check_finite(vectors, repr(code))
        vectors.allocate_vecattrs()  # gensim leaves them short where words were added
        if "count" in vectors.expandos:
            check_counts(vectors.expandos["count"], repr(code))
    if format == "safetensors":
        write_safetensors(target, languages, aligned, tokenizers)
    else:
        write_folder(target, languages, aligned, tokenizers, binary=format == "binary")


def read_languages(
    source: Source, *, limit: int | None, errors: str, trusted: bool
) -> tuple[dict[str, KeyedVectors], AlignedCounts, Tokenizers]:
    """Read the vectors of some languages, the counts of their aligned words and the tokenizers.

    See :meth:`CrossLingualVectors.load`.
    """
    if limit is not None:
        check_number("limit", limit, whole=True)
    if isinstance(source, Mapping):
        check_languages(source)
        return (
            {
                code: read_with_counts(path, limit=limit, errors=errors, trusted=trusted)
                for code, path in source.items()
            },
            AlignedCounts(),
            Tokenizers(),
        )
    path = Path(reachable(source))
    if not path.exists():
        raise FileNotFoundError(f"no such file or folder of vectors: {path}")
    if path.is_dir():
        if not is_folder(path):
            raise FormatError(
                f"the folder {path} has no manifest.json; for files of word vectors pass a file "
                "for each language, as in {'en': 'wiki.en.vec'}"
            )
        return read_folder(path, limit=limit, errors=errors)
    with open_file(path) as stream:
        head = stream.read(HEAD_BYTES)
    if is_safetensors(head):
        return read_safetensors(path, limit=limit)
    if not (trusted and is_pickle(head)):
        refuse_foreign(str(path), head)
    if path.suffix.lower() == _SUFFIX:
        raise FormatError(f"{path} is no safetensors file: it begins with {head!r}")
    raise FormatError(
        f"{path} is neither a folder of vectors nor a safetensors file; for word vectors of one "
        "language say which, as in {'en': 'wiki.en.vec'}"
    )
