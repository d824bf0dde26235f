"""Worker threads on a queue, which end together whatever happens."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.running.interrupts import uninterrupted
from gensim_bilbowa.running.limits import enough_threads

__all__ = ["StopFlag", "WorkerPool"]

Job = TypeVar("Job")
Report = TypeVar("Report")
StopFlag = NDArray[np.int32]

_POLL_SECONDS = 0.2
_LINE = 16


class WorkerPool(Generic[Job, Report]):
    """Threads that turn jobs into reports; used as a context manager.

    However the block is left, by its end, an error of a worker or of the caller, or Ctrl-C, the
    stop flag is raised, running jobs return early, and all threads are joined. If the system does
    not start all of them, ThreadError is raised, and those that were started are joined.

    Parameters
    ----------
    workers : int
        Number of threads.
    work : callable (job, stop) -> report
        Run in a worker. `stop` is an int32 array of one element; soon after it is non-zero the
        call should return.
    queue_factor : int
        Jobs that wait in the queue at most, for each worker.
    """

    def __init__(
        self, workers: int, work: Callable[[Job, StopFlag], Report], queue_factor: int = 2
    ) -> None:
        self._limit = workers * (queue_factor + 1)
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._reports: SimpleQueue[tuple[Report | None, BaseException | None]] = SimpleQueue()
        # On a cache line of its own, since the steps read it all the time: next to something that
        # another thread writes to, it would travel between the cores.
        self._stop: StopFlag = np.zeros(3 * _LINE, dtype=np.int32)[_LINE : _LINE + 1]
        self._threads = [
            threading.Thread(target=_loop, args=(work, self._jobs, self._reports, self._stop),
                             name=f"bilbowa-worker-{n}", daemon=True)
            for n in range(workers)
        ]  # fmt: skip

    @property
    def waiting(self) -> int:
        """Number of jobs in the queue."""
        return self._jobs.qsize()

    def __enter__(self) -> WorkerPool[Job, Report]:
        try:
            for thread in self._threads:
                # Interrupted, it might begin and yet not count as begun.
                with uninterrupted(), enough_threads(len(self._threads)):
                    thread.start()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end()

    def map(
        self, jobs: Iterable[Job], pause: Callable[[], bool] = lambda: False
    ) -> Iterator[Report]:
        """Yield the reports of all jobs, as they come; an error in a worker is raised here.

        Once `pause` is true, no further job is taken from `jobs`, but at least one is; when all
        reports are yielded no worker is at work. It is asked several times a second.
        """
        jobs = iter(jobs)
        in_flight = 0
        more = True
        while more or in_flight:
            while more and in_flight < self._limit:
                try:
                    job = next(jobs)
                except StopIteration:
                    more = False
                else:
                    self._jobs.put(job)
                    in_flight += 1
                    more = not pause()
            if not in_flight:
                return
            try:
                # With a timeout, since a wait without one ignores Ctrl-C on some systems.
                report, error = self._reports.get(timeout=_POLL_SECONDS)
            except Empty:
                more = not pause() and more
                continue
            in_flight -= 1
            if error is not None:
                raise error
            yield report  # type: ignore[misc]
            more = not pause() and more

    def _end(self) -> None:
        with uninterrupted():
            self._stop[0] = 1
            with suppress(Empty):  # a worker may take the last job first
                while True:
                    self._jobs.get_nowait()
            self._jobs.put(None)
            for thread in self._threads:
                if thread.ident is not None:  # else it was not begun
                    thread.join()

    def __del__(self) -> None:
        # Ctrl-C may come just before the end: the threads, which do not know of the pool, end then.
        self._stop[0] = 1
        self._jobs.put(None)


def _loop(
    work: Callable[[Job, StopFlag], Report],
    jobs: SimpleQueue[Job | None],
    reports: SimpleQueue[tuple[Report | None, BaseException | None]],
    stop: StopFlag,
) -> None:
    while (job := jobs.get()) is not None:
        try:
            reports.put((work(job, stop), None))
        except BaseException as error:
            reports.put((None, error))
    jobs.put(None)  # for the next one
