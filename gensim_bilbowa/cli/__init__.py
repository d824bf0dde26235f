"""The ``bilbowa`` command."""

from __future__ import annotations

import io
import os
import signal
import sys
from pathlib import Path

import click

import gensim_bilbowa
from gensim_bilbowa._interrupts import INTERRUPTED, TERMINATED
from gensim_bilbowa.cli.commands import Commands
from gensim_bilbowa.errors import BilBOWAError

__all__ = ["cli", "main"]


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(gensim_bilbowa.__version__, prog_name="bilbowa")
def cli() -> None:
    """Word vectors of two or more languages in one space."""


def main() -> None:
    """Run the command line.

    The exit code is 0, or 1 on an error, 2 on wrong usage, 130 on Ctrl-C, 143 on SIGTERM.
    """
    # As on Ctrl-C, a save in progress is undone and nothing is left of it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    for name in ("stdout", "stderr"):
        # A closed one: else the next file that is opened would have its number.
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Files are read and written as UTF-8, whatever the locale; half characters as in JSON.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        # Without click's own standalone mode, which would turn Ctrl-C into exit code 1.
        code = cli.main(prog_name="bilbowa", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        code = INTERRUPTED
    except (BilBOWAError, OSError, ImportError) as error:  # the last one of an extra's package
        click.echo(f"bilbowa: {' '.join(str(error).splitlines())}", err=True)
        code = 1
    sys.exit(code)
