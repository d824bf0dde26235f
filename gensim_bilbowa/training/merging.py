"""What the ranks of a team learn apart, put together now and then."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.kernels import add_up, take_step, write_changes
from gensim_bilbowa.modelling.language import LanguageModel
from gensim_bilbowa.running.workers import StopFlag
from gensim_bilbowa.teams import Team
from gensim_bilbowa.training.dealing import make_deal, merge_places
from gensim_bilbowa.training.progress import EpochTally
from gensim_bilbowa.training.pulls import RunAll
from gensim_bilbowa.training.schedule import Job, Schedule

__all__ = ["Merger"]

Found = TypeVar("Found")
Rows = NDArray[np.float32]

# Of one message to all ranks, about.
_BYTES = 1 << 24


@dataclass
class _Matrix:
    """An array that training writes to.

    Attributes
    ----------
    language, name : str
    now : ndarray of float32, shape (n_rows, dim)
        As this rank has trained it.
    common : ndarray of float32, shape (n_rows, dim)
        As all ranks had it when they last merged; none if one rank alone trains it.
    velocities : list of ndarray of float32, shape (n, dim)
        Of the rows of each piece that this rank adds up.
    """

    language: str
    name: str
    now: Rows
    common: Rows | None
    velocities: list[Rows] = field(default_factory=list)

    @property
    def key(self) -> str:
        """Its name among all arrays."""
        return f"{self.language}/{self.name}"


class Merger:
    """Deals a run's jobs to the ranks of a team, and merges what they have trained.

    With W_k the vectors of rank k of N, B those that all had when they last merged, and a velocity
    v that is zero at the start::

        d = (1 / N) sum_k (B - W_k)
        v <- mu v + d
        B <- B - (mu v + d)

    with mu = 1 - 1 / N, and all ranks go on from B: Nesterov's momentum with what the ranks have
    learnt as the gradient, as in DiLoCo (Douillard et al. 2023). Each rank adds up a block of the
    rows, in the order of the ranks, so that the result is always the same to the bit.

    A team of one does nothing here.

    Parameters
    ----------
    team : Team
    schedule : Schedule
    languages : mapping from str to LanguageModel
        Whose arrays are laid out for training, and the same on all ranks.
    frozen : container of str
        Languages that stay as they are.
    velocity : mapping from str to ndarray of float32, shape (n_rows, dim)
        v of each array, as :meth:`velocity` returned it for an earlier part of the run; empty for
        zero.
    workers : int
        Threads for the arithmetic of a merge.
    """

    def __init__(
        self, team: Team, schedule: Schedule, languages: Mapping[str, LanguageModel],
        frozen: Container[str], velocity: Mapping[str, Rows], workers: int = 1,
    ) -> None:  # fmt: skip
        self._team = team
        self._workers = workers
        self._schedule = schedule
        self._momentum = 1 - 1 / team.size
        trained = {
            code: [(name, getattr(owner, name)) for owner, name, _ in model.matrices()]
            for code, model in languages.items() if code not in frozen
        }  # fmt: skip
        sizes = {code: sum(array.size for _, array in found) for code, found in trained.items()}
        self._deal = make_deal(schedule, sizes, frozen, team)
        self._matrices = [
            _Matrix(code, name, array, None if code in self._deal.owners else np.array(array))
            for code, found in trained.items() for name, array in found if team.size > 1
        ]  # fmt: skip
        longest = max(
            (team.size * rows * matrix.now.shape[1]
             for matrix in self._merged() for _, _, rows in self._pieces(matrix)), default=0,
        )  # fmt: skip
        kind = np.uint16 if team.bf16 else np.float32
        self._buffers = np.empty(longest, kind), np.empty(longest, kind)
        for matrix in self._merged():
            known = velocity.get(matrix.key)
            for start, stop, rows in self._pieces(matrix):
                velocities = np.zeros((rows, matrix.now.shape[1]), np.float32)
                if known is not None:
                    ours = known[start:stop][team.rank * rows : (team.rank + 1) * rows]
                    velocities[: len(ours)] = ours
                matrix.velocities.append(velocities)

    def _merged(self) -> list[_Matrix]:
        return [matrix for matrix in self._matrices if matrix.common is not None]

    def _pieces(self, matrix: _Matrix) -> Iterator[tuple[int, int, int]]:
        """Yield the rows that are sent at once: first, last + 1, and how many each rank adds up."""
        n, dim = matrix.now.shape
        size = self._team.size
        rows = max(1, _BYTES // (4 * dim * size))
        for start in range(0, n, rows * size):
            stop = min(start + rows * size, n)
            yield start, stop, -(-(stop - start) // size)

    # ---- jobs

    def stops(self, epoch: int) -> set[int]:
        """Return after how many jobs of an epoch the ranks merge, but for pulls and its end."""
        alone = self._team.size == 1
        return set() if alone else {*merge_places(self._schedule, self._team, epoch)}

    def ranks(self, epoch: int) -> NDArray[np.int64] | None:
        """Return which rank does each job of an epoch; None if there is but one."""
        return None if self._team.size == 1 else self._deal.ranks(self._schedule, epoch)

    def own(
        self, jobs: Iterator[Job], ranks: NDArray[np.int64] | None, first: int, stop: int
    ) -> Iterator[Job]:
        """Yield this rank's part of the jobs from `first` to `stop`, and pass over the others."""
        some = islice(jobs, stop - first)
        if ranks is None:
            return some
        owners = ranks[first:stop].tolist()
        return (job for owner, job in zip(owners, some, strict=True) if owner == self._team.rank)

    # ---- vectors

    def merge(self, tally: EpochTally, run_all: RunAll) -> None:
        """Put together what the ranks have learnt, and counted, since they last did.

        Parameters
        ----------
        tally : EpochTally
        run_all : callable
            Calls all of a list of callables, in threads or not.
        """
        if self._team.size == 1:
            return
        tally.share(self._team)
        for matrix in self._merged():
            assert matrix.common is not None
            pieces = zip(self._pieces(matrix), matrix.velocities, strict=True)
            for (start, stop, rows), velocity in pieces:
                now, common = matrix.now[start:stop], matrix.common[start:stop]
                self._merge_rows(now, common, velocity, rows, run_all)

    def _merge_rows(
        self, now: Rows, common: Rows, velocity: Rows, rows: int, run_all: RunAll
    ) -> None:
        size, dim = self._team.size, now.shape[1]

        def in_parts(n: int, work: Callable[[slice], None]) -> None:
            bounds = [n * part // self._workers for part in range(self._workers + 1)]
            run_all([partial(_call, work, slice(*bound)) for bound in pairwise(bounds)])

        sent, received = (buffer[: size * rows * dim].reshape(-1, dim) for buffer in self._buffers)
        in_parts(len(now), lambda p: write_changes(common[p], now[p], sent[p]))
        sent[len(now) :] = 0
        self._team.exchange(sent.reshape(size, -1), received.reshape(size, -1))
        step, blocks = sent[:rows].reshape(-1), received.reshape(size, -1)
        speed = velocity.reshape(-1)
        in_parts(len(step), lambda p: add_up(blocks[:, p], self._momentum, speed[p], step[p]))
        self._team.collect(step, blocks)
        in_parts(len(now), lambda p: take_step(received[p], common[p], now[p]))

    def complete(self) -> None:
        """Give all ranks the languages that belong to one, as it has trained them."""
        for matrix in self._matrices:
            if matrix.common is None:
                self._spread(matrix, self._deal.owners[matrix.language])

    def _spread(self, matrix: _Matrix, source: int) -> None:
        for start, stop, _ in self._pieces(matrix):
            rows = np.array(matrix.now[start:stop])
            self._team.spread(rows, source)
            matrix.now[start:stop] = rows

    def once(self, find: Callable[[], Found]) -> Found:
        """Return what rank 0 finds, on all ranks."""
        found = find() if not self._team.rank else None
        return self._team.broadcast(found)  # type: ignore[return-value]

    def follow(self, move: Callable[[], Iterable[tuple[str, Rows]]]) -> None:
        """Have rank 0 move the vectors of all languages, and give them to the other ranks.

        Not all ranks do the same, since processors differ in how they round.

        Parameters
        ----------
        move : callable
            Returns the languages that turned, in order, and by what rotation.
        """
        turned = self.once(lambda: list(move()))
        for matrix in self._matrices:
            for code, rotation in turned:
                if matrix.language == code:
                    matrix.velocities = [rows @ rotation for rows in matrix.velocities]
            self._spread(matrix, 0)
            if matrix.common is not None:
                matrix.common[...] = matrix.now

    def velocity(self) -> dict[str, Rows]:
        """Return v of each array that is merged, for the run to go on with; of use on rank 0."""
        found = {}
        for matrix in self._merged():
            whole = found[matrix.key] = np.empty(matrix.now.shape, np.float32)
            pieces = zip(self._pieces(matrix), matrix.velocities, strict=True)
            for (start, stop, _), velocity in pieces:
                blocks = np.empty((self._team.size, velocity.size), np.float32)
                self._team.collect(velocity.reshape(-1), blocks)
                whole[start:stop] = blocks.reshape(-1, matrix.now.shape[1])[: stop - start]
        return found


def _call(work: Callable[[slice], None], part: slice, stop: StopFlag) -> None:
    work(part)
