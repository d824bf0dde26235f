from __future__ import annotations

import threading
import time

import pytest

from gensim_bilbowa.training.workers import WorkerPool


def bilbowa_threads():
    return [t for t in threading.enumerate() if t.name.startswith("bilbowa")]


@pytest.fixture(autouse=True)
def _no_thread_is_left():
    yield
    assert not bilbowa_threads()


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_every_job_is_reported_once(workers):
    with WorkerPool(workers, lambda job, stop: job * job) as pool:
        assert sorted(pool.map(range(100))) == [n * n for n in range(100)]
        assert sorted(pool.map(range(3))) == [0, 1, 4]


def test_jobs_wait_in_a_bounded_queue():
    taken = []

    def jobs():
        for n in range(1000):
            taken.append(n)
            yield n

    with WorkerPool(2, lambda job, stop: job, queue_factor=3) as pool:
        for done, _ in enumerate(pool.map(jobs()), start=1):
            assert len(taken) - done <= 2 * (3 + 1)


def test_error_of_a_worker_reaches_the_caller():
    def work(job, stop):
        if job == 7:
            raise ZeroDivisionError("seven")
        return job

    with (
        pytest.raises(ZeroDivisionError, match="seven"),
        WorkerPool(3, work) as pool,
    ):
        list(pool.map(range(1000)))


def test_error_of_every_worker_at_once_reaches_the_caller():
    def work(job, stop):
        raise OSError(job)

    with pytest.raises(OSError, match="0"), WorkerPool(4, work) as pool:
        list(pool.map(range(1000)))


def test_error_of_the_job_iterator_reaches_the_caller():
    def jobs():
        yield 1
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"), WorkerPool(2, lambda j, s: j) as pool:
        list(pool.map(jobs()))


def test_leaving_the_block_stops_running_jobs():
    def work(job, stop):
        while not stop[0]:
            time.sleep(0.001)
        return job

    def jobs():
        yield from range(3)
        raise KeyboardInterrupt

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt), WorkerPool(2, work) as pool:
        list(pool.map(jobs()))
    assert time.monotonic() - start < 2


def test_thread_that_cannot_start_leaves_no_other_behind(monkeypatch):
    start = threading.Thread.start

    def fail_the_second(thread):
        if thread.name == "bilbowa-worker-1":
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", fail_the_second)
    with pytest.raises(RuntimeError, match="can't start"), WorkerPool(3, lambda j, s: j):
        pytest.fail("the pool was entered")


def test_ctrl_c_while_the_pool_ends_waits_for_its_threads(monkeypatch):
    join, calls = threading.Thread.join, []

    def interrupted(thread, timeout=None):
        calls.append(thread.name)
        if len(calls) == 1:
            raise KeyboardInterrupt
        join(thread, timeout)

    pool = WorkerPool(2, lambda j, s: j).__enter__()
    assert sorted(pool.map(range(9))) == list(range(9))
    monkeypatch.setattr(threading.Thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pool.__exit__(None, None, None)
    assert len(calls) >= 3
