"""The ``bilbowa`` command, also as ``python -m gensim_bilbowa``."""

from __future__ import annotations

import os
import sys

from gensim_bilbowa.running.interrupts import interruptible

__all__ = ["main"]


def main() -> None:
    """Import the command line and run it."""
    _speak_utf8()
    with interruptible():
        from gensim_bilbowa.cli import main as run
    run()


def _speak_utf8() -> None:
    """Begin again in Python's UTF-8 mode where the locale has another encoding.

    Words of the command line, names of files and the standard streams are then all UTF-8, as what
    is in files; without, arguments and paths of the same bytes would be different texts.
    """
    if sys.getfilesystemencoding() != "utf-8" and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


if __name__ == "__main__":
    main()
