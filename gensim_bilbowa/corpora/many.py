"""Many files as one: those of a folder, a pattern, a list, or a zip archive."""

from __future__ import annotations

import glob
import logging
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gensim_bilbowa.corpora.kinds import is_sure, plain_suffix
from gensim_bilbowa.corpora.opening import is_archive, members
from gensim_bilbowa.corpora.units import NoPairsError, left_out
from gensim_bilbowa.corpora.watching import batch
from gensim_bilbowa.errors import (
    CorpusError,
    CorpusFileError,
    CorpusNotFoundError,
    ParallelDataError,
)
from gensim_bilbowa.files.filesystem import plain, reachable
from gensim_bilbowa.tokenization.codes import matching_both

__all__ = ["FileReport", "ManyPairs", "files_of", "sides_of"]

logger = logging.getLogger(__name__)

_TABLES = {".tsv", ".tab", ".csv", ".jsonl", ".ndjson"}
_WILD = set("*?[")
_MOST_KINDS = 5  # that a message names
_ANY = 1 << 15  # characters: no path is so long
# What is counted for a file that ends in the midst, or is no such file at all.
_DAMAGED = "damaged files from the damage on"


def files_of(source: Any, *, tell: bool = False) -> list[str] | None:
    """Return the files that a folder, a pattern, a list of paths or an archive stands for.

    None of one file, and of what is no path. Of folders and archives only translation files and
    tables are taken; with `tell`, the number of others is in the log.

    Raises
    ------
    CorpusNotFoundError
        If there is none.
    """
    if isinstance(source, list | tuple):
        if not source or not isinstance(source[0], str | os.PathLike):
            return None  # pairs, maybe many
        paths = [reachable(item) for item in source if isinstance(item, str | os.PathLike)]
        return paths if len(paths) == len(source) else None
    if not isinstance(source, str | os.PathLike) or "://" in os.fspath(source):
        return None
    path = reachable(source)
    if Path(path).is_dir():
        # As far down as there are any, whatever the length of their paths.
        files = (p for p in Path(reachable(path, longer=_ANY)).rglob("*") if p.is_file())
        paths = sorted(plain(str(p)) for p in files)
        return _readable(path, paths, tell)
    if Path(path).is_file():
        names = members(path) if is_archive(path) else []
        paths = [f"{path}/{name}" for name in names]
        return _readable(path, paths, tell) if len(names) > 1 else None
    if _WILD.isdisjoint(plain(path)) or any(folder.is_file() for folder in Path(path).parents):
        return None
    # Of Path.glob an absolute pattern is none.
    names = glob.glob(path, recursive=True)  # noqa: PTH207
    found = sorted(name for name in names if Path(name).is_file())
    if not found:
        raise CorpusNotFoundError(f"no file matches {path}")
    return found


def _readable(place: str, paths: list[str], tell: bool) -> list[str]:
    found = [path for path in paths if not _is_hidden(path, place) and _is_readable(path)]
    kept = set(found)
    others = Counter(Path(path).suffix or "no suffix" for path in paths if path not in kept)
    kinds = ", ".join(f"{count:,} {suffix}" for suffix, count in others.most_common(_MOST_KINDS))
    if not found:
        raise CorpusNotFoundError(
            f"no translation file or table in {place} ({len(paths)} files: {kinds or 'none'}); two "
            "text files, line by line, are given by their names, as to --parallel"
        )
    if others and tell:
        logger.warning("%s: %i files of other kinds are left out: %s", place, others.total(), kinds)
    return found


def _is_hidden(path: str, place: str) -> bool:
    """Say whether a file or folder is one that programs keep for themselves."""
    inner, outer = (Path(reachable(name, longer=_ANY)) for name in (path, place))
    return any(part.startswith(".") for part in inner.relative_to(outer).parts)


def _is_readable(path: str) -> bool:
    try:
        return is_sure(path) or plain_suffix(path) in _TABLES
    except CorpusError:
        return False  # XML of another kind


def sides_of(source: Any, languages: Sequence[str]) -> tuple[str, str] | None:
    """Return the two files in a zip archive whose names end in the languages' codes, if any do."""
    if not isinstance(source, str | os.PathLike) or "://" in os.fspath(source):
        return None
    if not Path(source).is_file() or not is_archive(source):
        return None
    by_stem: dict[str, dict[str, str]] = {}
    for name in members(source):
        stem, dot, code = name.rpartition(".")
        if dot:
            by_stem.setdefault(stem, {})[code] = name
    found = [
        (files[codes[0]], files[codes[1]])
        for files in by_stem.values()
        if (codes := matching_both((languages[0], languages[1]), list(files)))
    ]
    if not found:
        return None
    path = os.fspath(source)
    if len(found) > 1:
        first, second, *_ = found
        raise CorpusFileError(
            f"{path} has {len(found)} texts in {' and '.join(map(repr, languages))}, as "
            f"{first[0]} and {second[0]}; name the two files of one, as in --parallel "
            f"{languages[0]}={path}/{first[0]} {languages[1]}={path}/{first[1]}"
        )
    one, other = found[0]
    return f"{path}/{one}", f"{path}/{other}"


@dataclass
class FileReport:
    """What one of many files gave in a pass.

    Attributes
    ----------
    path : str
    pairs : int
    dropped : dict from str to int
        What was left out, by reason.
    """

    path: str
    pairs: int = 0
    dropped: dict[str, int] = field(default_factory=dict)


class ManyPairs:
    """The pairs of many files, one file after the other; some may have none.

    Parameters
    ----------
    paths : list of str
    parts : list of iterables of pairs
        Each with a ``dropped``, of what its latest pass left out.
    where : str
        What stands for all of them in messages.
    skip_bad : bool
        Go on with the next file where one is damaged, and count it.

    Attributes
    ----------
    reports : list of FileReport
        Of the latest whole pass.
    dropped : dict from str to int
    """

    def __init__(
        self, paths: Sequence[str], parts: Iterable[Any], where: str, skip_bad: bool = False
    ) -> None:
        self._skip_bad = skip_bad
        self.paths = list(paths)
        self.parts = list(parts)
        self.where = where
        self.reports: list[FileReport] = []
        self.dropped: dict[str, int] = {}

    def __iter__(self) -> Iterator[Any]:
        return self.through(iter)

    def through(self, read: Callable[[Any], Iterable[Any]]) -> Iterator[Any]:
        """Yield what is read of each part, by a function that gives something for each pair."""
        reports = []
        with batch(self.paths):
            for path, part in zip(self.paths, self.parts, strict=True):
                report = FileReport(path)
                try:
                    for pair in read(part):
                        report.pairs += 1
                        yield pair
                    report.dropped = dict(part.dropped)
                except NoPairsError as error:
                    report.dropped = error.dropped
                except (CorpusError, CorpusFileError) as error:
                    if not self._skip_bad:
                        raise
                    logger.warning("left out from here on: %s", error)
                    report.dropped = {_DAMAGED: 1}
                reports.append(report)
        dropped = Counter[str]()
        for report in reports:
            dropped.update(report.dropped)
        empty = [report.path for report in reports if not report.pairs]
        if len(empty) == len(reports):
            raise ParallelDataError(
                f"{self.where}: none of {len(reports)} files has pairs; left out: "
                f"{left_out(dropped)}"
            )
        if reports != self.reports:
            logger.info(
                "%s: %i pairs of %i files, %i of them without any; left out: %s", self.where,
                sum(report.pairs for report in reports), len(reports), len(empty),
                left_out(dropped),
            )  # fmt: skip
        self.reports, self.dropped = reports, dict(dropped)
