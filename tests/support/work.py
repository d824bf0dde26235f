"""The processor's time that work takes, which does not depend on what else is at work."""

from __future__ import annotations

import time
from contextlib import contextmanager

__all__ = ["little_work"]


@contextmanager
def little_work():
    """Fail where this thread takes far more of the processor than work in step with its input.

    The limit is twenty times what any test takes; with the square of the input it takes minutes.
    """
    begun = time.thread_time()
    yield
    assert time.thread_time() - begun < 20
