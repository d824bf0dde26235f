"""Vectors of several languages as a folder of word2vec files, which any tool can read.

``manifest.json`` says what there is::

    {"format": "gensim_bilbowa.vectors", "version": 1, "vector_size": 100,
     "languages": {"en": {"file": "en.vec", "binary": false, "words": 5000, "counts": "en.counts"},
                   "de": {"file": "de.bin", "binary": true, "words": 6000, "counts": null}},
     "aligned": [{"languages": ["en", "de"], "file": "en-de.aligned"}],
     "tokenizers": {"en": {"lang": "en", "lowercase": true}, "de": null},
     "crc32": {"en.vec": 2774358423, "en.counts": 1264038914, "de.bin": 3610143387,
               "en-de.aligned": 1845113200}}

``.vec`` is word2vec's text format, which is fastText's ``.vec``; ``.bin`` its binary one; the
counts are a word and its count on each line, in the order of the vectors. ``.aligned``, of pairs of
languages whose sentence pairs were aligned, has a word of the first language, a word of the second
and how often they are aligned on each line, with tabs between; ``aligned`` may be left out. What
has split the text of a language are a tokenizer's parameters
(:class:`~gensim_bilbowa.tokenization.tokenizers.Tokenizers`); ``tokenizers`` may be left out, too.
A file that has not its checksum (CRC-32) is refused; one that is not named there is not checked,
and neither is one that is not read to its end, for a limit.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from gensim.models import KeyedVectors

from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.evidence import AlignedCounts
from gensim_bilbowa.files.documents import parse_json
from gensim_bilbowa.files.filesystem import names_device, open_file
from gensim_bilbowa.files.records import Find, read_together
from gensim_bilbowa.files.staging import check_target, settle, staged
from gensim_bilbowa.files.storage import check_version
from gensim_bilbowa.formats.aligned import is_pair, read_aligned, write_aligned
from gensim_bilbowa.formats.assembly import OF_TRAINING
from gensim_bilbowa.formats.word2vec import (
    check_words,
    read_counts,
    read_rows,
    write_counts,
    write_rows,
)
from gensim_bilbowa.parameters import check_languages
from gensim_bilbowa.tokenization.tokenizers import Tokenizers

__all__ = ["check_place", "is_folder", "read_folder", "write_folder"]

logger = logging.getLogger(__name__)

_FORMAT = "gensim_bilbowa.vectors"
_VERSION = 1
_MANIFEST = "manifest.json"
_OURS = re.compile(r"[\w.-]+\.(vec|bin|counts|aligned)")
_LARGEST_MANIFEST = 1 << 22
# Of aligned words, each word of a pair's first language takes some, even if it has none.
_ROW_BYTES = 8
_LARGEST_ROWS = 1 << 28
_ROWS_PER_BYTE = 16


def is_folder(path: Path) -> bool:
    """Say whether a path is a folder with a manifest."""
    return path.is_dir() and read_together(path, _MANIFEST, lambda find: find(_MANIFEST).is_file())


def write_folder(
    path: Path, languages: Mapping[str, KeyedVectors], aligned: AlignedCounts,
    tokenizers: Tokenizers, *, binary: bool,
) -> None:  # fmt: skip
    """Write a folder, or replace the one that was written there.

    If anything fails, an earlier folder is as it was. Other files in it are left alone.

    Raises
    ------
    FormatError
        If word2vec's format cannot hold a word, which is named with its language, or there is a
        ``manifest.json`` of something else.
    FileExistsError
        If a file is in the way that is not from an earlier save.
    """
    lowered: dict[str, str] = {}
    for code, vectors in languages.items():
        if lowered.setdefault(code.lower(), code) != code:
            raise ConfigError(
                f"languages {lowered[code.lower()]!r} and {code!r} would share a file where "
                "file names have no case; save as safetensors instead"
            )
        check_words(vectors.index_to_key, repr(code))
    if path.is_dir():
        settle(path, re.escape(_MANIFEST), _OURS)
    stems = _stems(languages)
    entries: dict[str, dict[str, Any]] = {}
    writers: dict[str, Callable[[Path], int]] = {}
    for code, vectors in languages.items():
        file, counts = _file(stems[code], binary), f"{stems[code]}.counts"
        writers[file] = partial(write_rows, vectors=vectors, binary=binary)
        if "count" in vectors.expandos:
            writers[counts] = partial(write_counts, vectors=vectors)
        entries[code] = {
            "file": file,
            "binary": binary,
            "words": len(vectors),
            "counts": counts if counts in writers else None,
        }
        lost = sorted(vectors.expandos.keys() - {"count"} - OF_TRAINING)
        if lost:
            logger.warning(
                "%s: %d attributes of the words in %r are not saved in this format: %s",
                path, len(lost), code, ", ".join(lost),
            )  # fmt: skip
    manifest: dict[str, Any] = {
        "format": _FORMAT,
        "version": _VERSION,
        "vector_size": next(iter(languages.values())).vector_size,
        "languages": entries,
        "crc32": {},
    }
    if tokenizers:
        manifest["tokenizers"] = tokenizers.document()
    if aligned:
        manifest["aligned"] = []
    for (one, other), counts in aligned.items():
        file = _unused(f"{stems[one]}-{other}", writers)
        writers[file] = partial(
            write_aligned, counts=counts, ours=languages[one], theirs=languages[other]
        )
        manifest["aligned"].append({"languages": [one, other], "file": file})
    names = sorted(writers)
    _check_ways(path, names, _earlier(path))
    made = not path.exists()
    path.mkdir(exist_ok=True)
    try:
        with staged(
            *(path / name for name in (*names, _MANIFEST)),
            superseded=lambda: _files_there(path, path / _MANIFEST), family=_OURS,
        ) as (*places, index):  # fmt: skip
            for name, place in zip(names, places, strict=True):
                manifest["crc32"][name] = writers[name](place)
            index.write_text(json.dumps(manifest, indent=1), encoding="utf-8", newline="\n")
    except BaseException:
        if made:
            with suppress(OSError):
                path.rmdir()
        raise


def _files_there(path: Path, place: Path) -> set[str]:
    return _files(_read_manifest(path, place)) if place.exists() else set()


def check_place(path: Path, codes: Iterable[str], *, binary: bool) -> None:
    """Say before the work that vectors of these languages cannot be written to a folder.

    Raises
    ------
    FormatError, FileExistsError
        As by :func:`write_folder`.
    OSError
        If the folder cannot be made or written to.
    """
    earlier = _earlier(path)
    _check_ways(path, [_file(stem, binary) for stem in _stems([*codes]).values()], earlier)
    if path.is_dir():
        for name in (*earlier, _MANIFEST):
            check_target(path / name)
    else:
        check_target(path)


def _earlier(path: Path) -> set[str]:
    """Return the files that an earlier save has written there."""
    if path.exists() and not path.is_dir():
        raise FileExistsError(f"{path} is a file; the name of a folder is wanted")
    return read_together(path, _MANIFEST, lambda find: _files_there(path, find(_MANIFEST)))


def _check_ways(path: Path, names: Iterable[str], earlier: Collection[str]) -> None:
    for name in names:
        if name not in earlier and (path / name).exists():
            raise FileExistsError(f"{path / name} is in the way: no earlier save has written it")


def _file(stem: str, binary: bool) -> str:
    return f"{stem}.{'bin' if binary else 'vec'}"


def _stems(codes: Collection[str]) -> dict[str, str]:
    """Return what files of languages are called: the codes, but for names of Windows's devices."""
    stems = {code: code for code in codes if not names_device(code)}
    for code in sorted(set(codes) - stems.keys()):
        first, dot, rest = code.partition(".")
        taken = {stem.lower() for stem in stems.values()}
        tries = (f"{first}{'_' * number}{dot}{rest}" for number in count(1))
        stems[code] = next(stem for stem in tries if stem.lower() not in taken)
    return stems


def _unused(name: str, names: Collection[str]) -> str:
    """Name a file of aligned words; codes may have hyphens, and file names may have no case."""
    taken = {name.lower() for name in names}
    tries = (f"{name}{'' if number == 1 else f'.{number}'}.aligned" for number in count(1))
    return next(file for file in tries if file.lower() not in taken)


def read_folder(
    path: Path, *, limit: int | None, errors: str
) -> tuple[dict[str, KeyedVectors], AlignedCounts, Tokenizers]:
    """Read a folder.

    Raises
    ------
    FormatError
        Naming the file: if the manifest, or a file that it names, is not as it should be.
    """
    return read_together(path, _MANIFEST, partial(_read, path, limit=limit, errors=errors))


def _read(
    path: Path, find: Find, *, limit: int | None, errors: str
) -> tuple[dict[str, KeyedVectors], AlignedCounts, Tokenizers]:
    manifest = _read_manifest(path, find(_MANIFEST))
    tokenizers = Tokenizers.of_document(
        manifest.get("tokenizers", {}), manifest["languages"], str(path / _MANIFEST)
    )
    languages = {}
    for code, entry in manifest["languages"].items():
        file = find(entry["file"])
        vectors, checksum = read_rows(file, limit=limit, binary=entry["binary"], errors=errors)
        advice = (
            "; if it was changed on purpose, load the files by their names, as in "
            f"{{{code!r}: {str(file)!r}}}, or correct {_MANIFEST}: words, and crc32, which may "
            "lack a file"
        )
        found = len(vectors), vectors.vector_size
        words = entry["words"] if limit is None else min(limit, entry["words"])
        if found != (words, manifest["vector_size"]):
            raise FormatError(
                f"{file}: {found[0]:,} words of size {found[1]} found, {words:,} of "
                f"size {manifest['vector_size']} wanted by {_MANIFEST}{advice}"
            )
        if words == entry["words"]:
            _check(file, checksum, manifest, advice)
        if entry["counts"] is not None:
            counts = find(entry["counts"])
            vectors.expandos["count"], checksum = read_counts(counts, vectors, errors)
            _check(counts, checksum, manifest, advice)
        languages[code] = vectors
    return languages, _read_aligned(path, find, manifest, languages, errors), tokenizers


def _read_aligned(
    path: Path, find: Find, manifest: Mapping[str, Any], languages: Mapping[str, KeyedVectors],
    errors: str,
) -> AlignedCounts:  # fmt: skip
    aligned = AlignedCounts()
    pairs = [(*entry["languages"], find(entry["file"])) for entry in manifest["aligned"]]
    rows = sum(len(languages[one]) for one, _, _ in pairs)
    sizes = sum(find(name).stat().st_size for name in _files(manifest))
    if _ROW_BYTES * rows > _LARGEST_ROWS + _ROWS_PER_BYTE * sizes:
        raise FormatError(
            f"{path / _MANIFEST}: {len(pairs):,} pairs of languages are said to be aligned, with "
            f"{rows:,} words to look up, which is too many for files of {sizes:,} bytes"
        )
    for one, other, file in pairs:
        ours, theirs = (languages[code] for code in (one, other))
        cut = (
            len(ours) < manifest["languages"][one]["words"],
            len(theirs) < manifest["languages"][other]["words"],
        )
        advice = (
            f"; if it was changed on purpose, take it out of crc32 in {_MANIFEST}; without its "
            "entry in aligned there it is not read"
        )
        try:
            counts, checksum = read_aligned(file, ours, theirs, errors, cut)
        except FormatError as error:
            raise FormatError(f"{error}{advice}") from error
        _check(file, checksum, manifest, advice)
        aligned.add(one, other, counts)
    return aligned


def _check(file: Path, checksum: int, manifest: Mapping[str, Any], advice: str) -> None:
    if manifest["crc32"].get(file.name, checksum) != checksum:
        raise FormatError(f"{file} is damaged: its checksum is not that of {_MANIFEST}{advice}")


def _files(manifest: Mapping[str, Any]) -> set[str]:
    return {
        name for entry in (*manifest["languages"].values(), *manifest["aligned"])
        for name in (entry["file"], entry.get("counts")) if name is not None
    }  # fmt: skip


def _read_manifest(path: Path, place: Path) -> dict[str, Any]:
    file = path / _MANIFEST
    try:
        with open_file(place) as stream:
            manifest = parse_json(stream.read(_LARGEST_MANIFEST))
    except ValueError as error:
        raise FormatError(f"{file} is no manifest of word vectors: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
        raise FormatError(f"{file} is no manifest of word vectors")
    check_version(file, manifest.get("version"), _VERSION)
    size, languages = manifest.get("vector_size"), manifest.get("languages")
    if type(size) is not int or not isinstance(languages, dict) or not languages:
        raise FormatError(f"{file}: vector_size and languages are wanted")
    checksums = manifest.setdefault("crc32", {})  # earlier versions wrote none
    if not isinstance(checksums, dict) or not all(type(n) is int for n in checksums.values()):
        raise FormatError(f"{file}: crc32 must map files to numbers, not be {checksums!r:.60}")
    try:
        check_languages(languages)
    except ConfigError as error:
        raise FormatError(f"{file}: {error}") from error
    for code, entry in languages.items():
        if (
            not isinstance(entry, dict)
            or entry.keys() != {"file", "binary", "words", "counts"}
            or type(entry["words"]) is not int
            or type(entry["binary"]) is not bool
            or not _is_name(entry["file"])
            or not (entry["counts"] is None or _is_name(entry["counts"]))
        ):
            raise FormatError(f"{file}: {code!r}: {entry!r:.100} is no description of files here")
    _check_aligned(file, manifest.setdefault("aligned", []), languages)
    return manifest


def _check_aligned(file: Path, entries: Any, languages: Mapping[str, Any]) -> None:
    if not isinstance(entries, list):
        raise FormatError(f"{file}: aligned must be a list, not {entries!r:.60}")
    pairs, files = set(), set()
    for entry in entries:
        if (
            not isinstance(entry, dict)
            or entry.keys() != {"languages", "file"}
            or not is_pair(entry["languages"], languages)
            or not _is_name(entry["file"])
        ):
            raise FormatError(
                f"{file}: aligned: {entry!r:.100} is no description of two languages' file here"
            )
        pairs.add(frozenset(entry["languages"]))
        files.add(entry["file"])
    if not len(pairs) == len(files) == len(entries):
        raise FormatError(f"{file}: aligned: two languages, or a file, are named twice")


def _is_name(name: object) -> bool:
    """Say whether a manifest may name this file: none outside the folder, and none of others."""
    return isinstance(name, str) and _OURS.fullmatch(name) is not None
