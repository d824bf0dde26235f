"""What the system does not give, threads and memory, as errors that say what was wanted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gensim_bilbowa.errors import OutOfMemoryError, ThreadError

__all__ = ["enough_memory", "enough_threads"]


@contextmanager
def enough_threads(wanted: int, name: str = "workers") -> Iterator[None]:
    """Say how many threads were wanted, where one that is started within is refused."""
    try:
        yield
    except RuntimeError as error:
        raise ThreadError(
            f"{name}={wanted}: the system does not start so many threads ({error}); take fewer, or "
            "raise its limits on threads and memory"
        ) from error


@contextmanager
def enough_memory() -> Iterator[None]:
    """Say what takes less memory, where a model within gets none."""
    try:
        yield
    except OutOfMemoryError:
        raise
    except MemoryError as error:
        raise OutOfMemoryError(
            f"there is not enough memory ({error or 'the system gives no more'}): a smaller "
            "vector_size, max_final_vocab or bucket needs less, and so does a larger min_count"
        ) from error
