"""The command, other programs, and forked copies of the test's process."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sysconfig
import traceback
from contextlib import contextmanager, suppress

__all__ = ["BILBOWA", "begin", "in_a_child", "on_a_terminal", "running"]

# The command, as it is installed.
BILBOWA = shutil.which("bilbowa", path=sysconfig.get_path("scripts"))


@contextmanager
def running(command, **options):
    """Begin a program, which may take any time; a test that fails or is out of time kills it."""
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise


def begin(action):
    """Begin to do something in a child; return its number. Nothing of the test runs on in it."""
    child = os.fork()
    if not child:
        try:
            action()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    return child


def in_a_child(action):
    """Do something in a child; return what it returns, as text, or how it failed."""
    reader, writer = os.pipe()

    def tell():
        try:
            said = str(action())
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(writer, said.encode())

    child = begin(tell)
    os.close(writer)
    with os.fdopen(reader) as stream:
        said = stream.read()
    os.waitpid(child, 0)
    return said


def on_a_terminal(arguments, until="", number=None):
    """Run on a pseudo-terminal; return the exit code and all that is shown.

    A signal, if any, is sent once `until` is shown.
    """
    import fcntl
    import pty
    import termios

    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    shown = ""
    with running(arguments, stdin=inside, stdout=inside, stderr=inside) as command:
        os.close(inside)
        # Linux says by an error that the other end is closed, other systems by nothing.
        with suppress(OSError):
            while piece := os.read(terminal, 4096):
                shown += piece.decode(errors="replace")
                if number and re.search(until, shown):
                    command.send_signal(number)
                    number = None
        os.close(terminal)
    return command.returncode, shown
