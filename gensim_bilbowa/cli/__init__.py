"""The ``bilbowa`` command."""

from __future__ import annotations

import io
import os
import platform
import signal
import sys
import traceback
from contextlib import AbstractContextManager, nullcontext
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

import gensim_bilbowa
from gensim_bilbowa.cli.commands import Commands
from gensim_bilbowa.cli.terminal import Terminal
from gensim_bilbowa.errors import BilBOWAError
from gensim_bilbowa.running.interrupts import ENDING, INTERRUPTED, TERMINATED

__all__ = ["cli", "main"]


_SUPPORTED = "Linux and macOS on x86-64 and ARM64, Windows on x86-64; Python 3.11 to 3.13"


def _tell_version(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    if not asked or ctx.resilient_parsing:
        return
    used = [f"Python {platform.python_version()}"]
    for name in ("gensim", "numpy", "scipy"):
        try:
            used.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            used.append(f"no {name}")
    click.echo(f"bilbowa, version {gensim_bilbowa.__version__}")
    click.echo(f"{', '.join(used)}; {platform.system()} on {platform.machine()}")
    click.echo(f"Supported: {_SUPPORTED}")
    ctx.exit()


# With colour, for without click takes sequences out of words that pipes get.
@click.group(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "color": True}
)  # fmt: skip
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_tell_version,
    help="Show the version, those of what is used, and what systems are supported.",
)  # fmt: skip
def cli() -> None:
    """Word vectors of two or more languages in one space."""


def main() -> None:
    """Run the command line.

    The exit code is 0, or 1 on an error, 2 on wrong usage, 130 on Ctrl-C, 143 on SIGTERM or
    Ctrl-Break.
    """
    # As on Ctrl-C, a save in progress is undone and nothing is left of it.
    for number in ENDING:
        signal.signal(number, lambda *_: sys.exit(TERMINATED))
    for name in ("stdout", "stderr"):
        # A closed one: else the next file that is opened would have its number.
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            # As in files, UTF-8 and the same ends of lines, whatever the locale and system; half
            # characters as in JSON.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
            if stream.isatty():
                setattr(sys, name, Terminal(stream, bars=name == "stderr"))
    try:
        with _in_team() if "--mpi" in sys.argv[1:] else nullcontext():
            # Without click's own standalone mode, which would turn Ctrl-C into exit code 1.
            # Nor its expansion of patterns on Windows: it knows no quotes, and would take a file
            # with brackets in its name, or a word to translate, for another file.
            code = cli.main(prog_name="bilbowa", standalone_mode=False, windows_expand_args=False)
    except (click.ClickException, click.Abort, KeyboardInterrupt, BilBOWAError, OSError,
            ImportError) as error:  # fmt: skip
        code = _show(error)
    sys.exit(code)


def _in_team() -> AbstractContextManager[None]:
    """Return a block whose errors end all processes that MPI has started; one of them speaks."""
    from gensim_bilbowa.teams import MPITeam  # which imports numpy

    team = MPITeam()
    if team.rank:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    return team.together(_show)


def _show(error: BaseException) -> int:
    """Say what ended the command, and return its exit code."""
    if isinstance(error, click.ClickException):
        error.show()
        return error.exit_code
    if isinstance(error, click.Abort | KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    if isinstance(error, BilBOWAError | OSError | ImportError):  # the last of an extra's package
        click.echo(f"bilbowa: {' '.join(str(error).splitlines())}", err=True)
        return 1
    traceback.print_exception(error)
    return 1
