"""Children that are killed where they change what files there are, at each place in turn."""

from __future__ import annotations

import io
import os
import signal
import sys
from itertools import count

from processes import begin

__all__ = ["killed_at"]

# What a file holds is written by the end of its `with` at the latest.
_CALLS = {
    "open", "__exit__", "mkdir", "rmdir", "unlink", "remove", "rename", "replace", "link", "fsync",
    "flock", "chmod", "chown",
}  # fmt: skip


def _changes_files(called, calls):
    owner = getattr(called, "__self__", None)
    return called.__name__ in calls and (
        getattr(called, "__module__", None) in ("posix", "fcntl", "io", "_io")
        or (isinstance(owner, io.IOBase) and not isinstance(owner, io.BytesIO))
    )


def killed_at(number, action, calls=_CALLS):
    """Do something in a child that is killed before such a call; say whether it made so many."""

    def act():
        left = count(number, -1)

        def watch(frame, event, called):
            if event == "c_call" and _changes_files(called, calls) and not next(left):
                os.kill(os.getpid(), signal.SIGKILL)

        sys.setprofile(watch)
        action()
        sys.setprofile(None)
        os._exit(0)

    _, status = os.waitpid(begin(act), 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)
