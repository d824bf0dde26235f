"""Translation dictionaries: files of word pairs, as MUSE and VecMap have them, and tables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from gensim_bilbowa.corpora.files import read_lines
from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.files.staging import staged
from gensim_bilbowa.parameters import check_errors

__all__ = [
    "Dictionary",
    "DictionaryFormat",
    "check_dictionary",
    "invert",
    "read_dictionary",
    "write_dictionary",
]

Dictionary = Mapping[str, Iterable[str]]
DictionaryFormat: TypeAlias = Literal["muse", "vecmap", "tsv"]


def read_dictionary(
    *paths: str | os.PathLike[str], lowercase: bool = False, errors: str = "strict"
) -> dict[str, set[str]]:
    """Read translation pairs: a source and a target word on each line.

    Parameters
    ----------
    *paths : str or path-like
        Separated by tabs or, as MUSE's dictionaries, by white space. A source may stand on
        several lines; all its targets count.
    lowercase : bool
        Lower-case both words.
    errors : {"strict", "replace", "ignore"}
        What to do about bytes that are not UTF-8, as in :meth:`bytes.decode`.

    Returns
    -------
    dict from str to set of str

    Raises
    ------
    FormatError
        If a line is no pair; the message names file and line.
    CorpusError
        If a line is not UTF-8; the message names file, line and byte.
    FileNotFoundError
        If there is no such file.
    """
    check_errors(errors)
    pairs: dict[str, set[str]] = {}
    for path in paths:
        for number, line in enumerate(read_lines(path, errors=errors), start=1):
            if not line.strip():
                continue
            cells = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()
            if len(cells) != 2 or not all(cells):
                raise FormatError(
                    f"{os.fspath(path)}, line {number}: two words are wanted, got {line[:60]!r}"
                )
            source, target = (c.lower() for c in cells) if lowercase else cells
            pairs.setdefault(source, set()).add(target)
    return pairs


def write_dictionary(
    path: str | os.PathLike[str],
    pairs: Dictionary | Iterable[Sequence[Any]],
    format: DictionaryFormat = "muse",
) -> None:
    r"""Write translation pairs, one on each line; :func:`read_dictionary` reads them.

    An earlier file is replaced only when the new one is complete.

    Parameters
    ----------
    path : str or path-like
    pairs : mapping from str to str iterables, or iterable of sequences
        Translations of each word, or rows that begin with a source and a target word; what
        follows in a row, such as a score, is not written. Sets are written in sorted order.
    format : {"muse", "vecmap", "tsv"}
        "muse" and "vecmap" have a space between the words, which have no white space in them.
        MUSE reads lower-case words only (``load_dictionary`` in its
        ``src/evaluation/word_translation.py``); VecMap reads words in any case
        (``eval_translation.py``). "tsv" has a tab, and its words may have spaces in them.

    Raises
    ------
    FormatError
        If the format cannot hold a pair, which the message names. Nothing is written then.
    ConfigError
        If the format is unknown, or something else than pairs is given.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "en-de.txt"
    >>> write_dictionary(path, {"dog": {"hund"}, "cat": ["katze", "kater"]})
    >>> path.read_text(encoding="utf-8")
    'dog hund\ncat katze\ncat kater\n'
    """
    if format not in get_args(DictionaryFormat):
        wanted = ", ".join(map(repr, get_args(DictionaryFormat)))
        raise ConfigError(f"format must be one of {wanted}, not {format!r}")
    if not isinstance(pairs, Iterable) or isinstance(pairs, str | bytes):
        raise ConfigError(
            "a mapping from words to translations, or rows that begin with a source and a target "
            f"word, are wanted; got {type(pairs).__name__} {pairs!r:.60}"
        )
    separator = "\t" if format == "tsv" else " "
    with staged(path) as (place,), place.open("wb") as stream:
        for source, target in _pairs(pairs):
            for word in (source, target):
                reason = _unfit(word, format)
                if reason:
                    raise FormatError(f"the pair {source!r}, {target!r}: {word!r} {reason}")
            stream.write(f"{source}{separator}{target}\n".encode())


def _pairs(pairs: Dictionary | Iterable[Sequence[Any]]) -> Iterator[tuple[Any, Any]]:
    if isinstance(pairs, Mapping):
        check_dictionary(pairs)
        for source, targets in pairs.items():
            ordered = sorted(targets, key=str) if isinstance(targets, set | frozenset) else targets
            yield from ((source, target) for target in ordered)
        return
    for row in pairs:
        if isinstance(row, str) or not isinstance(row, Sequence | np.ndarray) or len(row) < 2:
            raise ConfigError(f"rows of a source and a target word are wanted, got {row!r}")
        yield row[0], row[1]


def _unfit(word: Any, format: DictionaryFormat) -> str:
    """Say why a word cannot stand in a file of this format; nothing if it can."""
    if not isinstance(word, str):
        return "is no string"
    if not word or word != word.strip() or word.startswith("\ufeff"):
        return "is empty, or has white space or a byte order mark around it"
    if not word.isascii() and word.encode("utf-8", "ignore").decode("utf-8") != word:
        return "has half a character in it"
    if format == "tsv":
        return "has a tab or the end of a line in it" if set(word) & set("\t\n\r") else ""
    if len(word.split()) > 1:
        return "has white space in it; format='tsv' can hold that"
    if format == "muse" and word != word.lower():
        return "has upper case, which MUSE refuses; lower it, or write format='vecmap' or 'tsv'"
    return ""


def check_dictionary(dictionary: Dictionary, where: str = "") -> None:
    """Refuse a string where the translations of a word belong; `where` begins the message."""
    if not isinstance(dictionary, Mapping):
        raise ConfigError(
            f"{where}a mapping from words to their translations is wanted, got "
            f"{type(dictionary).__name__} {dictionary!r:.60}"
        )
    for word, translations in dictionary.items():
        if isinstance(translations, str | bytes) or not isinstance(translations, Iterable):
            raise ConfigError(
                f"{where}the translations of {word!r} must be a set or list, got the "
                f"{type(translations).__name__} {translations!r:.60}"
            )


def invert(dictionary: Dictionary) -> dict[str, set[str]]:
    """Turn a dictionary round: from each target to its sources."""
    check_dictionary(dictionary)
    inverse: dict[str, set[str]] = {}
    for source, targets in dictionary.items():
        for target in sorted(targets):  # the order of a set is of the process
            inverse.setdefault(target, set()).add(source)
    return inverse
