"""The command; and forked copies of the test's process, for what would end or spoil it."""

from __future__ import annotations

import os
import shutil
import sysconfig
import traceback

__all__ = ["BILBOWA", "begin", "in_a_child"]

# The command, as it is installed.
BILBOWA = shutil.which("bilbowa", path=sysconfig.get_path("scripts"))


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
