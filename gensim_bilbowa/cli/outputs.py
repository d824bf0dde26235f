"""Where results go: what cannot be saved there is said before the work, not after."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files.filesystem import check_name, may_write, real_path
from gensim_bilbowa.files.staging import check_target
from gensim_bilbowa.formats.dispatch import Format, format_of
from gensim_bilbowa.formats.folder import check_place

__all__ = ["check_folder", "check_output", "check_vectors", "leads_through"]


def check_output(
    output: Path, inputs: Iterable[str | os.PathLike[str]], option: str = "--output"
) -> None:
    """Say before the work, not after, that its result cannot be saved as a file."""
    with _wrong_place(option, output):
        check_target(output)
    _check_inputs(output, inputs, option)


def check_vectors(
    output: Path, inputs: Iterable[str | os.PathLike[str]], kind: Format | None,
    languages: Iterable[str] = (),
) -> None:  # fmt: skip
    """Say before the work that vectors of these languages cannot be saved there so."""
    format = format_of(output, kind)
    if format == "safetensors":
        check_output(output, inputs)
        return
    _check_inputs(output, inputs, "--output")
    with _wrong_place("--output", output):
        check_place(output, languages, binary=format == "binary")


def check_folder(output: Path, inputs: Iterable[str | os.PathLike[str]]) -> None:
    """Say before the work that results cannot be written to a folder, which may be made for it."""
    with _wrong_place("--output", output):
        check_name(output)
    place = output.absolute()
    there = next(folder for folder in (place, *place.parents) if folder.exists())
    if not there.is_dir():
        raise click.UsageError(f"--output {output}: {there} is a file; a folder is wanted")
    if not may_write(there):
        raise click.UsageError(f"--output {output}: {there} is not writable")
    for given in inputs:
        if leads_through(output, given) or leads_through(given, output):
            raise click.UsageError(
                f"--output {output} is, holds or lies in the input {given}; another place is wanted"
            )


@contextmanager
def _wrong_place(option: str, output: Path) -> Iterator[None]:
    """Turn what is said of a place into what is said of wrong usage."""
    try:
        yield
    except (OSError, FormatError) as error:  # the latter of what is in a folder
        reason = getattr(error, "strerror", None) or error
        raise click.UsageError(f"{option} {output}: {reason}") from error


def _check_inputs(output: Path, inputs: Iterable[str | os.PathLike[str]], option: str) -> None:
    """Refuse an output that is one of the inputs, by whatever name or link, or in or around one.

    A folder of vectors replaces files, and removes those that it does not need any more.
    """
    for given in inputs:
        path = os.fspath(given).removeprefix("file://")
        inside, around = leads_through(output, path), leads_through(path, output)
        if inside and around:
            raise click.UsageError(f"{option} {output} is an input file, which it would replace")
        if inside or around:
            place = "lies in the input" if inside else "has in it the input file"
            raise click.UsageError(f"{option} {output} {place} {given}; another place is wanted")


def leads_through(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> bool:
    """Say whether a path, with all links followed, is the other one or leads through it."""
    inner, outer = (Path(real_path(place)) for place in (path, folder))
    return any(
        place == outer or (place.exists() and outer.exists() and place.samefile(outer))
        for place in (inner, *inner.parents)
    )
