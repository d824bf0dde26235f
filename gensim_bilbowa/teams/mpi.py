"""A team of processes that MPI has started, on one machine or many."""

from __future__ import annotations

import atexit
import math
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from types import TracebackType
from typing import Any, ClassVar, TypeVar

from gensim_bilbowa.errors import TeamError
from gensim_bilbowa.running.interrupts import INTERRUPTED
from gensim_bilbowa.teams.team import Blocks, Show, Team, others_are_silent

__all__ = ["MPITeam"]

Value = TypeVar("Value")

# Between two looks whether all ranks have come, at most.
_POLL_SECONDS = 2e-3
# An error that all ranks have is shown by rank 0, which ends the others within this time; one that
# rank 0 has not, by whichever comes first.
_PATIENCE_SECONDS = 2.0
_TURN_SECONDS = 0.3
_MOST_SECONDS = 20.0
# For what a rank that has ended was part of before.
_LEFT_SECONDS = 1.0
# Within which mpiexec has forwarded what is said; it forwards nothing once a rank aborts.
_FORWARDED_SECONDS = 0.5


class MPITeam(Team):
    """The processes that ``mpirun``, ``mpiexec`` or ``srun`` has started, one rank each.

    Needs mpi4py and an MPI: ``pip install 'gensim_bilbowa[mpi]'``, and on a laptop ``pip install
    mpich``. Started by none of them it is a team of one, and trains as without a team, to the bit.

    What fails on one rank ends all of them (``MPI_Abort``), with that error shown once; so does
    Ctrl-C, and an error that nobody catches anywhere else in the program, for which
    ``sys.excepthook`` is set. Without, the other ranks would wait for good.

    Parameters
    ----------
    communicator : mpi4py.MPI.Intracomm, optional
        Default: ``MPI.COMM_WORLD``.
    merges, bf16, owners
        As for :class:`Team`.

    Raises
    ------
    ImportError
        If mpi4py or an MPI is missing.
    """

    # Whether a block of any team of this process is to end all ranks on an error.
    _within: ClassVar[bool] = False

    def __init__(self, communicator: Any = None, **options: Any) -> None:
        super().__init__(**options)
        self._comm = _world() if communicator is None else communicator
        from mpi4py.util import pkl5

        # The same, whose arrays are sent as they are, of 2 GiB and more, too.
        self._large = pkl5.Intracomm(self._comm)
        self.rank, self.size = self._comm.Get_rank(), self._comm.Get_size()
        self._ends = _Ends.of(self._comm) if self.size > 1 else None
        if self.size > 1:
            self.wait()  # so that what all do now, they do at about the same time
            _abort_when_uncaught(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: rank {self.rank} of {self.size}>"

    def wait(self) -> None:
        """Return once all ranks have come here; meanwhile no processor is kept busy.

        Raises
        ------
        TeamError
            If a rank has ended that should come.
        """
        request = self._comm.Ibarrier()
        delay, end = 1e-5, math.inf
        while not request.Test():
            sleep(delay)  # which Ctrl-C ends; it would not end a barrier of MPI's
            delay = min(2 * delay, _POLL_SECONDS)
            if self._ends is not None and self._ends.ended() and end == math.inf:
                end = monotonic() + _LEFT_SECONDS
            if monotonic() > end and self._ends is not None:
                ended = ", ".join(map(str, sorted(self._ends.ended())))
                raise TeamError(f"rank {ended} of {self.size} has ended while others wait for it")

    def gather(self, value: Value) -> list[Value]:
        """Return what each rank has given, in the order of the ranks."""
        self.wait()
        return self._comm.allgather(value)  # type: ignore[no-any-return]

    def broadcast(self, value: Value, source: int = 0) -> Value:
        """Return what one rank has given."""
        self.wait()
        return self._large.bcast(value, source)  # type: ignore[no-any-return]

    def exchange(self, blocks: Blocks, received: Blocks) -> None:
        """Send block k to rank k, and receive one of each."""
        self._comm.Alltoall(blocks, received)

    def collect(self, block: Blocks, blocks: Blocks) -> None:
        """Receive a block of each rank."""
        self._comm.Allgather(block, blocks)

    def spread(self, array: Blocks, source: int) -> None:
        """Overwrite an array with that of one rank."""
        self._comm.Bcast(array, source)

    @contextmanager
    def together(self, show: Show | None = None) -> Iterator[None]:
        """End all ranks should one of them fail in the block; the outermost such block counts."""
        if MPITeam._within or self.size == 1:
            yield
            return
        MPITeam._within = True
        try:
            with others_are_silent(lambda: self.rank > 0):
                yield
        except BaseException as error:
            self._end(error, show or _show)
            raise
        finally:
            MPITeam._within = False

    def _end(self, error: BaseException, show: Show) -> None:
        """Show an error, unless another rank does first, and end all ranks."""
        code = 1
        try:
            if self.rank:
                sleep(min(_PATIENCE_SECONDS + self.rank * _TURN_SECONDS, _MOST_SECONDS))
                print(f"rank {self.rank} of {self.size}:", file=sys.stderr)
            code = _exit_code(error) if isinstance(error, SystemExit) else show(error)
        finally:
            for stream in (sys.stdout, sys.stderr):
                with suppress(Exception):
                    stream.flush()
            sleep(_FORWARDED_SECONDS)
            self._comm.Abort(code)
            os._exit(code)  # which MPI leaves to us at times


class _Ends:
    """Whose programs have come to their ends; a program ends when all have.

    So that none waits for a rank that will not come, as after ``sys.exit`` on one of them.
    """

    _one: ClassVar[_Ends | None] = None

    @classmethod
    def of(cls, communicator: Any) -> _Ends:
        """Return the one of this process."""
        if cls._one is None:
            cls._one = cls(communicator)
        return cls._one

    def __init__(self, communicator: Any) -> None:
        self._comm = communicator.Dup()  # its messages are not mixed up with others
        self._ended: set[int] = set()
        atexit.register(self._end)  # after mpi4py's, so that it is run before

    def ended(self) -> set[int]:
        """Return the other ranks that have ended."""
        while self._comm.Iprobe():
            self._ended.add(self._comm.recv())
        return self._ended

    def _end(self) -> None:
        rank, size = self._comm.Get_rank(), self._comm.Get_size()
        sent = [self._comm.isend(rank, other) for other in range(size) if other != rank]
        while len(self.ended()) < size - 1 or not all(request.Test() for request in sent):
            sleep(_POLL_SECONDS)


def _world() -> Any:
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:  # the latter if there is no library of MPI
        raise ImportError(
            f"a team of processes needs mpi4py and an MPI: pip install 'gensim_bilbowa[mpi]', and "
            f"where no MPI is installed, pip install mpich ({error})"
        ) from error
    return MPI.COMM_WORLD


def _exit_code(error: SystemExit) -> int:
    return error.code if isinstance(error.code, int) else int(error.code is not None)


def _show(error: BaseException) -> int:
    traceback.print_exception(error)
    return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1


def _abort_when_uncaught(team: MPITeam) -> None:
    usual = sys.excepthook
    if getattr(usual, "__module__", None) == __name__:  # of another team
        return

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        def show(error: BaseException) -> int:
            usual(kind, error, trace)
            return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1

        team._end(error, show)

    sys.excepthook = hook
