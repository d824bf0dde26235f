"""Checkpoints of ``bilbowa train``, and going on from them by the same command."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa.callbacks import Checkpoint
from gensim_bilbowa.cli.options import together
from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files.documents import checked, parse_json
from gensim_bilbowa.files.filesystem import short
from gensim_bilbowa.files.staging import staged
from gensim_bilbowa.running.interrupts import ENDING, TERMINATED
from gensim_bilbowa.teams import Team

__all__ = ["Resumable", "resuming_options"]

_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([smh]?)")
_MINUTES = {"s": 1 / 60, "m": 1, "": 1, "h": 60}
_DEFAULT_MINUTES = 10.0
_RECORD = "bilbowa-train.json"
# Options that may change between the parts of a training. Text may be elsewhere: it is compared.
_FREE = {
    "output", "lexicon", "workers", "cache_dir", "quiet", "verbose", "minutes", "resume",
    "parallel", "tables", "texts", "tokenize", "errors", "mpi", "mpi_merges", "mpi_bf16",
    "mpi_owners",
}  # fmt: skip


def _minutes(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    if value is None:
        return None
    found = _DURATION.fullmatch(value.strip())
    if not found or not float(found[1]):
        raise click.BadParameter(f"a time is wanted, as 90s, 10m or 1h; got {value!r}")
    return float(found[1]) * _MINUTES[found[2]]


resuming_options = together(
    click.option(
        "--checkpoint-every", "minutes", metavar="TIME", callback=_minutes,
        help="Write a checkpoint every so often, as 90s, 10m or 1h, to go on after a crash. They "
        "are in the folder OUTPUT.checkpoints until the model is saved.",
    ),
    click.option(
        "--resume", is_flag=True,
        help="Go on from the latest checkpoint of this same command, or begin if there is none; "
        "with further ones, every 10m unless --checkpoint-every says more.",
    ),
)  # fmt: skip


class Resumable:
    """The checkpoints of a command that trains, in a folder beside its output.

    With them is a file of the command's options, so that a run goes on with the ones it was begun
    with or not at all.

    Parameters
    ----------
    output : Path
    minutes : float or None
        From one checkpoint to the next.
    resume : bool
        Whether to go on from those that are there, if any.
    """

    def __init__(self, output: Path, minutes: float | None, resume: bool) -> None:
        folder = output.with_name(f"{short(output.name)}.checkpoints")
        self.checkpoint = Checkpoint(folder, every_minutes=minutes or _DEFAULT_MINUTES)
        self._record = folder / _RECORD
        options = {
            name: value for name, value in click.get_current_context().params.items()
            if name not in _FREE
        }  # fmt: skip
        current = json.dumps(options, default=str)
        self.begun = bool(self.checkpoint.paths)
        if not self.begun:
            if resume:
                click.echo(f"no checkpoint in {folder}: training begins", err=True)
            with staged(self._record) as (place,):
                place.write_text(current, encoding="utf-8", newline="\n")
        elif resume:
            click.echo(f"going on from {self.checkpoint.paths[-1]}", err=True)
            self._compare(json.loads(current))
        else:
            raise click.UsageError(
                f"{folder} has checkpoints of a training that did not end: go on with it by "
                "--resume, or remove that folder"
            )

    def _compare(self, current: dict[str, Any]) -> None:
        try:
            record = parse_json(self._record.read_text(encoding="utf-8"))
            begun = checked(dict[str, Any], record, "")
        except (FileNotFoundError, ValueError) as error:
            raise FormatError(
                f"{self._record}: the options that the training was begun with are missing or "
                f"damaged ({error})"
            ) from error
        for name in sorted(current.keys() | begun.keys()):
            was, is_now = begun.get(name), current.get(name)
            if was != is_now:
                raise click.UsageError(
                    f"--resume: {_option(name)} is {is_now!r}, but the training in "
                    f"{self._record.parent} was begun with {was!r}"
                )

    @contextmanager
    def training(self, team: Team) -> Iterator[None]:
        """Within, the first Ctrl-C or SIGTERM writes a last checkpoint; another ends at once.

        In a team of several the first one does, for a checkpoint needs all of them.
        """
        usual = {
            number: handler for number in (signal.SIGINT, *ENDING) if team.size == 1
            if (handler := signal.getsignal(number)) not in (signal.SIG_IGN, None)
        }  # fmt: skip

        def stop(number: int, frame: object) -> None:
            back()
            interrupted = number == signal.SIGINT
            self.checkpoint.stop(KeyboardInterrupt() if interrupted else SystemExit(TERMINATED))
            with suppress(OSError):  # not by sys.stderr, which may be at work
                os.write(2, b"writing a last checkpoint; once more to end at once\n")

        def back() -> None:
            for number, handler in usual.items():
                signal.signal(number, handler)

        for number in usual:
            signal.signal(number, stop)
        try:
            yield
        except BaseException:
            if paths := self.checkpoint.paths:
                click.echo(f"the same command with --resume goes on from {paths[-1]}", err=True)
            else:
                self.remove()
            raise
        finally:
            back()

    def remove(self) -> None:
        """Remove the checkpoints, when the model is saved or nothing was begun."""
        self.checkpoint.remove()
        self._record.unlink()
        with suppress(OSError):  # other files may be in it
            self._record.parent.rmdir()


def _option(name: str) -> str:
    """Return a parameter's option as it is written on the command line."""
    for parameter in click.get_current_context().command.params:
        if parameter.name == name:
            return str(parameter.opts[0])
    return name
