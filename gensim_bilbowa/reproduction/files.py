"""Files of the data folder: where they are, and whether they have changed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

__all__ = ["Stamp", "find", "stamps"]

# Size and time of a file; of a folder the number of its files, too.
Stamp = tuple[int, ...]


def find(folder: Path, name: str) -> Path | None:
    """Return the path of a file or folder, which may be compressed, or None."""
    return next((p for p in (folder / name, folder / f"{name}.gz") if p.exists()), None)


def stamps(folder: Path, names: Iterable[str]) -> tuple[Stamp, ...]:
    """Return size and time of files."""
    return tuple(_stamp(find(folder, name)) for name in names)


def _stamp(path: Path | None) -> Stamp:
    if path is None:
        return ()
    if path.is_file():
        return path.stat().st_size, path.stat().st_mtime_ns
    stats = [file.stat() for file in path.rglob("*") if file.is_file()]
    return (
        len(stats), sum(stat.st_size for stat in stats),
        max((stat.st_mtime_ns for stat in stats), default=0),
    )  # fmt: skip
