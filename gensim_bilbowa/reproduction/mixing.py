"""Parallel text that is made once of many files: tokenised, each pair once, shuffled."""

from __future__ import annotations

import gzip
import hashlib
import logging
import random
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from gensim_bilbowa import Tokenizer
from gensim_bilbowa.corpora.files import read_lines
from gensim_bilbowa.errors import CorpusNotFoundError, ParallelDataError
from gensim_bilbowa.files.staging import staged
from gensim_bilbowa.reproduction.files import stamps
from gensim_bilbowa.reproduction.sources import code_mark

__all__ = ["mixed_text"]

logger = logging.getLogger(__name__)

_SEED = 1


def mixed_text(
    data: Path, folders: tuple[str, ...], languages: tuple[str, str], texts: Path
) -> tuple[Path, Path]:
    """Return the two sides of a text that folders make up; they are made if they are not there.

    Their names tell of which files, and by which code, they were made.

    Parameters
    ----------
    data : path
        Of the folders.
    folders : tuple of str
        With files that are named alike but for their language, as ``train.en.gz`` and
        ``train.de.gz``, line by line.
    languages : (str, str)
    texts : path
        Folder for what is made.

    Raises
    ------
    CorpusNotFoundError
        If the folders have no such files.
    ParallelDataError
        If one side of a file has fewer lines.
    """
    code = code_mark(("reproduction/mixing.py", "tokenization"))
    given = repr((folders, stamps(data, folders), code))
    mark = hashlib.sha256(given.encode()).hexdigest()[:12]
    name = "-".join(languages)
    sides = (
        texts / f"{name}.{mark}.{languages[0]}.gz", texts / f"{name}.{mark}.{languages[1]}.gz"
    )  # fmt: skip
    if all(side.exists() for side in sides):
        return sides
    split = [Tokenizer(code) for code in languages]
    seen, found = set(), []
    for pair in _pairs(data, folders, languages):
        if pair not in seen:
            seen.add(pair)
            tokens = [" ".join(f(line)) for f, line in zip(split, pair, strict=True)]
            if all(tokens):
                found.append(tokens)
    if not found:
        raise CorpusNotFoundError(
            f"{data}: no sentence pairs of {' and '.join(languages)} in {', '.join(folders)}"
        )
    random.Random(_SEED).shuffle(found)
    texts.mkdir(parents=True, exist_ok=True)
    with staged(*sides) as places:
        for side, place in enumerate(places):
            with gzip.open(place, "wt", 3, encoding="utf-8", newline="\n") as stream:
                stream.writelines(f"{tokens[side]}\n" for tokens in found)
    logger.info("%s: %s pairs of %i folders", sides[0], f"{len(found):,}", len(folders))
    return sides


def _pairs(
    data: Path, folders: tuple[str, ...], languages: tuple[str, str]
) -> Iterator[tuple[str, str]]:
    one, other = languages
    for folder in folders:
        for ours in sorted((data / folder).glob(f"*.{one}.gz")):
            theirs = ours.with_name(f"{ours.name.removesuffix(f'{one}.gz')}{other}.gz")
            for line, (a, b) in enumerate(
                zip_longest(read_lines(ours), read_lines(theirs)), start=1
            ):
                if a is None or b is None:
                    raise ParallelDataError(
                        f"{ours if a is None else theirs} has {line - 1:,} lines, "
                        f"{theirs if a is None else ours} has more"
                    )
                yield a, b
