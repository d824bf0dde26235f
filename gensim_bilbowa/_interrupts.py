"""What Ctrl-C and SIGTERM end quietly, and what they must not leave half done."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

__all__ = ["INTERRUPTED", "TERMINATED", "finish", "interruptible"]

# Exit codes.
INTERRUPTED = 130
TERMINATED = 143


@contextmanager
def interruptible() -> Iterator[None]:
    """End the process at once on Ctrl-C, with one word, while something is imported.

    Raised among imports, KeyboardInterrupt might be taken for a package that is not there.
    """
    usual = signal.getsignal(signal.SIGINT)
    ours = threading.current_thread() is threading.main_thread()
    # Elsewhere it is ignored, as in a script's background, or another program's affair.
    if not ours or usual is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _stop(*_: object) -> NoReturn:
    os.write(sys.stderr.fileno(), b"interrupted\n")
    os._exit(INTERRUPTED)


def finish(action: Callable[[], object]) -> None:
    """Do what must not be left half done, again from its start if Ctrl-C comes meanwhile.

    KeyboardInterrupt is raised when all is done.
    """
    interrupt: KeyboardInterrupt | None = None
    while True:
        try:
            action()
            break
        except KeyboardInterrupt as error:
            interrupt = error
    if interrupt is not None:
        raise interrupt
