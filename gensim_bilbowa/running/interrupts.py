"""What Ctrl-C and its kind end quietly, and what they must not leave half done."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import NoReturn

__all__ = ["ENDING", "INTERRUPTED", "TERMINATED", "certainly", "interruptible", "uninterrupted"]

# Exit codes.
INTERRUPTED = 130
TERMINATED = 143
# The signals by which another program ends this one. On Windows that is SIGBREAK, of Ctrl-Break:
# SIGTERM, there, ends a process without asking it, and so does a window that is closed.
ENDING = [
    signal.Signals[name] for name in ("SIGTERM", "SIGBREAK") if name in signal.Signals.__members__
]


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


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C and the signals of `ENDING` back until the block is left.

    Its work must not be half done. Of signals that Python code handles, the first of each kind is
    handled then. Threads other than the main one are never interrupted.
    """
    if threading.current_thread() is threading.main_thread():
        with ExitStack() as stack:
            for number in (*ENDING, signal.SIGINT):
                stack.enter_context(_held(number))
            yield
    else:
        yield


def certainly(action: Callable[[], None]) -> None:
    """Do something, uninterrupted, even if Ctrl-C comes before it could be held back."""
    done = False

    def once() -> None:
        nonlocal done
        if not done:
            action()
            done = True

    try:
        with uninterrupted():
            once()
    except BaseException:
        with uninterrupted():
            once()
        raise


@contextmanager
def _held(number: signal.Signals) -> Iterator[None]:
    usual = signal.getsignal(number)
    if not callable(usual):  # ignored, ends the process, or not Python's
        yield
        return
    frames: list[FrameType | None] = []
    signal.signal(number, lambda _, frame: frames.append(frame))
    try:
        yield
    finally:
        signal.signal(number, usual)
        if frames:
            usual(number, frames[0])
