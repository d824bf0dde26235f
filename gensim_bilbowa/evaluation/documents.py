"""Documents with labels, from a table or from a folder for each class."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from gensim_bilbowa.corpora.files import read_lines
from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files.filesystem import reachable

__all__ = ["Documents", "read_documents"]

logger = logging.getLogger(__name__)

# A cell as spreadsheets and pandas write it where there is a quotation mark in it.
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')


class Documents(NamedTuple):
    """Tokenised documents, and the label of each."""

    texts: list[list[str]]
    labels: list[str]


def read_documents(
    path: str | os.PathLike[str],
    *,
    text: str = "text",
    label: str = "category",
    tokenizer: Callable[[str], list[str]] | None = None,
    errors: str = "strict",
) -> Documents:
    r"""Read documents with their labels.

    Parameters
    ----------
    path : str or path-like
        One of two layouts:

        - a file of tab-separated columns, plain or compressed, whose first line names them, as
          SIB-200 has ``index_id``, ``category``, ``text``. Cells in quotation marks, with those
          inside doubled, lose them.
        - a folder with one sub-folder a class, which has one text file a document, as the RCV1/2
          split of Klementiev et al. (2012). The names of the sub-folders are the labels. What else
          lies there (hidden files, files beside the sub-folders, folders within them) is passed
          over and counted in a warning of the log.
    text, label : str
        Names of the columns. A folder has none.
    tokenizer : callable from str to list of str, optional
        For example a :class:`~gensim_bilbowa.Tokenizer`. It must split text as the training text
        was split; by default that is at white space.
    errors : {"strict", "replace", "ignore"}
        What to do about bytes that are not UTF-8, as in :meth:`bytes.decode`.

    Returns
    -------
    Documents
        ``(texts, labels)``, in the order of the file, or of the sorted names.

    Raises
    ------
    FormatError
        If a column is missing, a line has too few or too many cells or no label, or there are no
        documents. The message names file and line.
    CorpusFileError, CorpusError
        If a file is missing, cannot be read to its end, or is not UTF-8.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "eng.tsv"
    >>> _ = path.write_text("category\ttext\nsports\tThey won\n", encoding="utf-8")
    >>> read_documents(path)
    Documents(texts=[['They', 'won']], labels=['sports'])
    """
    split = tokenizer or str.split
    place = Path(reachable(path))
    rows = _folder(place, errors) if place.is_dir() else _table(path, text, label, errors)
    found = Documents([], [])
    for document, name in rows:
        found.texts.append(split(document))
        found.labels.append(name)
    if not found.labels:
        raise FormatError(
            f"{os.fspath(path)}: no documents; a file with a header line and a document on each "
            "other line is wanted, or a folder with a sub-folder for each class"
        )
    return found


def _table(
    path: str | os.PathLike[str], text: str, label: str, errors: str
) -> Iterator[tuple[str, str]]:
    name = os.fspath(path)
    lines = enumerate(read_lines(path, errors=errors), start=1)
    columns = next(lines, (1, ""))[1].split("\t")
    for wanted in (text, label):
        if columns.count(wanted) != 1:
            raise FormatError(
                f"{name}, line 1: one column named {wanted!r} is wanted, the header has {columns}"
            )
    for number, line in lines:
        if not line.strip():
            continue
        cells = [_unquoted(cell) for cell in line.split("\t")]
        if len(cells) != len(columns):
            raise FormatError(
                f"{name}, line {number}: {len(columns)} cells are wanted, as in the header, got "
                f"{len(cells)}: {line[:60]!r}"
            )
        row = dict(zip(columns, cells, strict=True))
        if not row[label].strip():
            raise FormatError(f"{name}, line {number}: the label is empty: {line[:60]!r}")
        yield row[text], row[label]


def _unquoted(cell: str) -> str:
    quoted = _QUOTED.fullmatch(cell)
    return quoted[1].replace('""', '"') if quoted else cell


def _folder(folder: Path, errors: str) -> Iterator[tuple[str, str]]:
    passed_over = 0
    for kind in sorted(folder.iterdir()):
        if not kind.is_dir() or kind.name.startswith("."):
            passed_over += 1
            continue
        for file in sorted(kind.iterdir()):
            if not file.is_file() or file.name.startswith("."):
                passed_over += 1
                continue
            yield " ".join(read_lines(file, errors=errors)), kind.name
    if passed_over:
        logger.warning(
            "%s: passed over %i files and folders that are no documents", folder, passed_over
        )
