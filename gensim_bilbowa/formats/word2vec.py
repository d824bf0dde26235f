"""Word vectors in word2vec's formats, and word2vec's files of counts."""

from __future__ import annotations

import logging
import math
import os
import re
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray

from gensim_bilbowa.corpora.files import lines_of, read_blocks, read_pieces
from gensim_bilbowa.errors import CorpusError, FormatError
from gensim_bilbowa.files.filesystem import reachable
from gensim_bilbowa.files.storage import is_pickle
from gensim_bilbowa.formats.assembly import check_counts, keyed_vectors
from gensim_bilbowa.formats.foreign import refuse_foreign
from gensim_bilbowa.formats.pickled import first_words, read_pickle
from gensim_bilbowa.formats.rows import Checksum, read_binary, read_text
from gensim_bilbowa.parameters import check_errors, check_number

__all__ = [
    "check_words",
    "counts_beside",
    "read_counts",
    "read_head",
    "read_rows",
    "read_vectors",
    "read_with_counts",
    "write_counts",
    "write_rows",
]

logger = logging.getLogger(__name__)

_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_ROWS_AT_ONCE = 1000


def read_vectors(
    path: str | os.PathLike[str],
    *,
    limit: int | None = None,
    binary: bool | None = None,
    errors: str = "strict",
    counts: str | os.PathLike[str] | None = None,
    trusted: bool = False,
) -> KeyedVectors:
    r"""Read the vectors of one language from a word2vec, fastText or GloVe file.

    What word2vec and gensim write as text or binary, fastText's ``.vec`` and GloVe's text, which
    has no header. Only ``\n`` ends a line and only spaces and tabs separate, so that all words
    survive; in text, a word may have spaces in it, since the numbers are counted from the right.
    Of a word that stands there twice the first vector is taken, and how many do is logged.

    Parameters
    ----------
    path : str or path-like
        A plain, .gz, .bz2 or .xz file, or any URL that smart_open takes.
    limit : int, optional
        Read the first `limit` rows only, which in most files are the most frequent words.
    binary : bool, optional
        None tells by the name (``.bin``) and by what the first row looks like.
    errors : {"strict", "replace", "ignore"}
        What to do about words that are not UTF-8, as in :meth:`bytes.decode`.
    counts : str or path-like, optional
        File with ``word count`` on each line, which has all the words. Without it the vectors
        have no counts; gensim's reader makes some up.
    trusted : bool
        Also read a file that gensim's ``save`` wrote, of a model or of vectors (``.model``,
        ``.kv``). Such a file is a pickle: reading it **runs any code that is in it**. Give True
        only for files that you, or people whom you trust, have made.

    Returns
    -------
    gensim.models.KeyedVectors
        float32, the words in the file's order; what a file of gensim's has, as it is.

    Raises
    ------
    FormatError
        Naming file and line (in a binary file, the number of the word): fewer or more rows than
        the header says, a row with too few or too many numbers, something else than a finite
        number, a word that is not UTF-8, or a file of another kind, among them pickles that are
        not `trusted`.
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "wiki.en.vec"
    >>> _ = path.write_text("2 3 \nhouse 1 0 0.5 \nNew York 0 1 0 \n", encoding="utf-8")
    >>> read_vectors(path)["New York"].tolist()
    [0.0, 1.0, 0.0]
    """
    if trusted and is_pickle(read_head(path)):
        if limit is not None:
            check_number("limit", limit, whole=True)
        loaded = read_pickle(path)
        vectors = first_words(loaded if isinstance(loaded, KeyedVectors) else loaded.wv, limit)
    else:
        vectors, _ = read_rows(path, limit=limit, binary=binary, errors=errors)
    if counts is not None:
        vectors.expandos["count"], _ = read_counts(counts, vectors, errors)
    return vectors


def read_rows(
    path: str | os.PathLike[str], *, limit: int | None, binary: bool | None, errors: str
) -> tuple[KeyedVectors, int]:
    """Read vectors as :func:`read_vectors` does, without counts.

    Returns
    -------
    (gensim.models.KeyedVectors, int)
        The vectors; and CRC-32 of the file, if `limit` leaves nothing of it unread.
    """
    check_errors(errors)
    most = math.inf if limit is None else check_number("limit", limit, whole=True)
    name = os.fspath(path)
    head = read_head(name)
    refuse_foreign(name, head)
    if binary is None:
        binary = _looks_binary(name, head)
    checksum = Checksum()
    table = (read_binary if binary else read_text)(name, most, errors, checksum)
    if table.duplicates:
        logger.warning(
            "%s: %d rows left out, whose words stand there before", name, table.duplicates
        )
    return keyed_vectors(table.words, table.vectors(), {}), checksum.value


def read_head(path: str | os.PathLike[str]) -> bytes:
    """Return the first bytes of a file, unpacked."""
    name = reachable(path)
    if "://" not in name and not Path(name).exists():
        raise FileNotFoundError(f"no such file of word vectors: {name}")
    with closing(read_pieces(name)) as pieces:
        return next(pieces, b"")


def read_with_counts(
    path: str | os.PathLike[str], *, limit: int | None, errors: str, trusted: bool = False
) -> KeyedVectors:
    """Read vectors as :func:`read_vectors`, with the counts in the file beside, if there is one.

    Raises
    ------
    FormatError
        Also if that file has not the count of each word.
    """
    vectors = read_vectors(path, limit=limit, errors=errors, trusted=trusted)
    counts = counts_beside(path)
    if counts is not None:
        try:
            vectors.expandos["count"], _ = read_counts(counts, vectors, errors)
        except FormatError as error:
            raise FormatError(
                f"{error}; it is read because it stands beside {os.fspath(path)}: move it away to "
                "do without counts"
            ) from error
    return vectors


def counts_beside(path: str | os.PathLike[str]) -> Path | None:
    """Return the file of counts that stands beside one of vectors: ``en.counts`` by ``en.vec``."""
    plain = _unpacked(path)
    counts = plain.parent / f"{plain.stem}.counts"
    return counts if counts.is_file() and counts != plain else None


def _unpacked(path: str | os.PathLike[str]) -> Path:
    plain = Path(path)
    return plain.with_suffix("") if plain.suffix.lower() in _COMPRESSED else plain


def _looks_binary(path: str, head: bytes) -> bool:
    if _unpacked(path).suffix.lower() == ".bin":
        return True
    header, _, rest = head.partition(b"\n")
    fields = header.split()
    if len(fields) != 2 or not all(field.isdigit() and len(field) < 20 for field in fields):
        return False
    # The place of the first vector in a binary file; in text that many digits and words. A random
    # float32 has a control character in it in every third case.
    row = rest.partition(b" ")[2][: 4 * int(fields[1])]
    try:
        row.partition(b"\n")[0].decode("utf-8")
    except UnicodeDecodeError as error:
        return error.reason != "unexpected end of data"
    return _CONTROL.search(row) is not None


def read_counts(
    path: str | os.PathLike[str], vectors: KeyedVectors, errors: str
) -> tuple[NDArray[np.int64], int]:
    """Read the count of each word, shape (n_words,), and CRC-32 of the file.

    Raises
    ------
    FormatError
        If a line is no word and its count, or a word has none; the message names file and line.
    """
    words = vectors.key_to_index
    counts = np.full(len(words), -1, np.int64)
    name = os.fspath(path)
    checksum = Checksum()
    blocks = map(checksum.passing, read_blocks(name))
    try:
        for number, line in enumerate(lines_of(name, blocks, errors), start=1):
            word, _, count = line.rpartition(" ")
            if not (count.isascii() and count.isdigit() and len(count) < 19):
                raise FormatError(
                    f"{name}, line {number}: a word and its count are wanted, got {line[:60]!r}"
                )
            if word in words and counts[words[word]] < 0:
                counts[words[word]] = int(count)
    except CorpusError as error:
        raise FormatError(str(error)) from error
    missing = np.flatnonzero(counts < 0)
    if len(missing):
        word = list(words)[missing[0]]
        raise FormatError(f"{name} has no count for {word!r} ({len(missing)} such words)")
    check_counts(counts, name, FormatError)
    return counts, checksum.value


def check_words(words: Sequence[object], where: str) -> None:
    """Refuse words that word2vec's formats cannot hold, naming the first.

    Raises
    ------
    FormatError
        If a word is empty, has white space of ASCII in it or is no valid Unicode, or if the first
        one begins with a byte order mark, which readers drop.
    """
    for index, word in enumerate(words):
        if not isinstance(word, str):
            raise FormatError(f"{where}: the word {word!r} is no string")
        try:
            encoded = word.encode("utf-8")
        except UnicodeEncodeError:
            raise FormatError(
                f"{where}: the word {word!r} has half a character in it, which word2vec's formats "
                "cannot hold; save as safetensors, or by gensim's save(), instead"
            ) from None
        if encoded.split() != [encoded] or (not index and word.startswith("\ufeff")):
            raise FormatError(
                f"{where}: the word {word!r} is empty or has white space in it, or a byte order "
                "mark as the first thing of all: word2vec's formats cannot hold it; save as "
                "safetensors, or by gensim's save(), instead"
            )


def write_rows(file: Path, vectors: KeyedVectors, *, binary: bool) -> int:
    """Write the vectors in the order of their rows, as text or binary, with a header.

    Text has as many digits as tell a float32 from its neighbours.

    Returns
    -------
    int
        CRC-32 of the file.
    """
    words, matrix = vectors.index_to_key, vectors.vectors
    checksum = Checksum()
    with file.open("wb") as stream:
        stream.write(checksum.add(b"%d %d\n" % (len(words), vectors.vector_size)))
        for start in range(0, len(words), _ROWS_AT_ONCE):
            names = words[start : start + _ROWS_AT_ONCE]
            block = np.asarray(matrix[start : start + _ROWS_AT_ONCE], "<f4")
            pairs = zip(names, block, strict=True)
            if binary:
                rows = [f"{word} ".encode() + row.tobytes() for word, row in pairs]
            else:
                rows = [f"{word} {' '.join(map(str, row))}\n".encode() for word, row in pairs]
            stream.write(checksum.add(b"".join(rows)))
    return checksum.value


def write_counts(file: Path, vectors: KeyedVectors) -> int:
    """Write ``word count`` on a line for each word, as word2vec's ``-save-vocab`` does.

    Returns
    -------
    int
        CRC-32 of the file.
    """
    rows = zip(vectors.index_to_key, vectors.expandos["count"], strict=True)
    checksum = Checksum()
    with file.open("wb") as stream:
        stream.writelines(checksum.add(f"{word} {count}\n".encode()) for word, count in rows)
    return checksum.value
