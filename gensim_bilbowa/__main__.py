"""The ``bilbowa`` command, also as ``python -m gensim_bilbowa``.

What it needs takes seconds to import, so that Ctrl-C has to be quiet from here on.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

__all__ = ["main"]

_INTERRUPTED = 130


def main() -> None:
    """Import the command line and run it."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is signal.default_int_handler:  # and not ignored, as in a script's background
        # Raised among imports, KeyboardInterrupt might be taken for a package that is not there.
        signal.signal(signal.SIGINT, _stop)
    from gensim_bilbowa.cli import main as run

    signal.signal(signal.SIGINT, usual)
    run()


def _stop(*_: object) -> NoReturn:
    os.write(sys.stderr.fileno(), b"interrupted\n")
    os._exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
