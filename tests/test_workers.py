from __future__ import annotations

import signal
import threading
import time
from itertools import count

import pytest
from samples import bilbowa_threads

from gensim_bilbowa.running import workers
from gensim_bilbowa.running.workers import WorkerPool

pytestmark = pytest.mark.usefixtures("no_thread_is_left")


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

    with pytest.raises(KeyboardInterrupt), WorkerPool(2, work) as pool:
        list(pool.map(jobs()))


@pytest.mark.parametrize("workers", [1, 3])
def test_paused_jobs_go_on_where_they_stopped_and_none_is_at_work_meanwhile(workers):
    jobs = iter(range(50))
    at_work = []

    def work(job, stop):
        at_work.append(job)
        time.sleep(0.001)
        at_work.remove(job)
        return job

    done, asked = [], count()
    with WorkerPool(workers, work) as pool:
        while len(done) < 50:
            before = len(done)
            done += pool.map(jobs, lambda: next(asked) % 7 == 6)
            assert not at_work
            assert len(done) > before
    assert sorted(done) == list(range(50))


def test_pause_that_is_always_wanted_lets_one_job_through():
    jobs = iter(range(3))
    with WorkerPool(2, lambda job, stop: job) as pool:
        assert [list(pool.map(jobs, lambda: True)) for _ in range(4)] == [[0], [1], [2], []]


def noted(taken):
    for job in range(20):
        taken.append(job)
        yield job


def test_no_job_is_taken_once_a_report_has_led_to_a_pause():
    taken, wanted = [], threading.Event()
    with WorkerPool(2, lambda job, stop: job) as pool:
        for _ in pool.map(noted(taken), wanted.is_set):
            if not wanted.is_set():
                before = len(taken)
            wanted.set()
    assert len(taken) == before < 20


@pytest.fixture
def long_job(monkeypatch):
    """Work that is asked after several times before it is done."""
    monkeypatch.setattr(workers, "_POLL_SECONDS", 0.005)
    return lambda job, stop: time.sleep(0.05)


def test_no_job_is_taken_after_a_pause_that_was_wanted_for_a_moment(long_job):
    taken, wanted = [], iter([False, True])
    with WorkerPool(1, long_job) as pool:
        reports = list(pool.map(noted(taken), lambda: next(wanted, False)))
    assert taken == [0, 1]
    assert len(reports) == 2


def test_all_jobs_are_done_however_long_they_take(long_job):
    with WorkerPool(1, long_job, queue_factor=0) as pool:
        assert len(list(pool.map(range(4)))) == 4


def test_error_of_the_pause_ends_the_wait_for_a_job():
    def patience():
        if calls:
            raise KeyboardInterrupt
        calls.append(1)
        return True

    def work(job, stop):
        while not stop[0]:
            time.sleep(0.001)

    calls = []
    with pytest.raises(KeyboardInterrupt), WorkerPool(1, work) as pool:
        list(pool.map([1], patience))


def test_thread_that_cannot_start_leaves_no_other_behind(monkeypatch):
    start = threading.Thread.start

    def fail_the_second(thread):
        if thread.name == "bilbowa-worker-1":
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", fail_the_second)
    with pytest.raises(RuntimeError, match="can't start"), WorkerPool(3, lambda j, s: j):
        pytest.fail("the pool was entered")


def interrupt():
    signal.raise_signal(signal.SIGINT)


def test_ctrl_c_while_a_thread_starts_leaves_none_behind(monkeypatch):
    start, began = threading.Thread.start, []

    def interrupted(thread):
        start(thread) if began else interrupt()
        began.append(thread.name)
        if len(began) == 1:
            start(thread)  # after the signal came

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt), WorkerPool(3, lambda j, s: j):
        pytest.fail("the pool was entered")
    assert began == ["bilbowa-worker-0"]


def test_ctrl_c_while_the_pool_ends_waits_for_its_threads(monkeypatch):
    join, joined = threading.Thread.join, []

    def interrupted(thread, timeout=None):
        interrupt()
        join(thread, timeout)
        joined.append(thread.name)

    pool = WorkerPool(2, lambda j, s: j).__enter__()
    assert sorted(pool.map(range(9))) == list(range(9))
    monkeypatch.setattr(threading.Thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pool.__exit__(None, None, None)
    assert joined == ["bilbowa-worker-0", "bilbowa-worker-1"]


def test_threads_of_a_pool_that_is_not_ended_end_with_it():
    pool = WorkerPool(2, lambda j, s: j).__enter__()
    threads = bilbowa_threads()
    assert len(threads) == 2
    del pool
    for thread in threads:
        thread.join()
