"""Signals are held back while work must not be left half done."""

from __future__ import annotations

import signal
import threading

import pytest

from gensim_bilbowa.running.interrupts import uninterrupted


def interrupt():
    signal.raise_signal(signal.SIGINT)


def test_ctrl_c_is_raised_at_the_end_of_the_block_once():
    done = []

    def interrupted_thrice():
        with uninterrupted():
            for step in range(3):
                interrupt()
                done.append(step)

    with pytest.raises(KeyboardInterrupt):
        interrupted_thrice()
    assert done == [0, 1, 2]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_blocks_within_blocks_wait_for_the_outer_one():
    done = []

    def nested():
        with uninterrupted():
            with uninterrupted():
                interrupt()
            done.append("between")

    with pytest.raises(KeyboardInterrupt):
        nested()
    assert done == ["between"]


def test_error_in_the_block_is_the_context_of_the_interrupt():
    def fail():
        with uninterrupted():
            interrupt()
            raise OSError("no room")

    with pytest.raises(KeyboardInterrupt) as caught:
        fail()
    assert "no room" in str(caught.value.__context__)


def test_handler_of_the_program_is_called_late_and_is_kept():
    calls = []

    def handler(number, frame):
        calls.append((number, frame.f_code.co_name))

    before = signal.signal(signal.SIGTERM, handler)
    try:
        with uninterrupted():
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGTERM)
            assert calls == []
        name = "test_handler_of_the_program_is_called_late_and_is_kept"
        assert calls == [(signal.SIGTERM, name)]
        assert signal.getsignal(signal.SIGTERM) is handler
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("handler", [signal.SIG_IGN, signal.SIG_DFL])
def test_signals_that_python_does_not_handle_stay_as_they_are(handler):
    before = signal.signal(signal.SIGINT, handler)
    try:
        with uninterrupted():
            assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_may_use_it_too():
    seen = []

    def run():
        with uninterrupted():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]
