"""A team in one process, a thread for each rank: what several machines would learn, on one."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from gensim_bilbowa.errors import TeamError
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.running.limits import enough_threads
from gensim_bilbowa.teams.team import Blocks, Team, others_are_silent

__all__ = ["simulate"]

Result = TypeVar("Result")
Value = TypeVar("Value")

_MOST_RANKS = 256
_POLL_SECONDS = 0.2


class _EndedError(Exception):
    """Another rank has failed."""


class _Table:
    """Where the ranks of a simulated team meet, and put things for each other."""

    def __init__(self, size: int) -> None:
        self.slots: list[Any] = [None] * size
        self._change = threading.Condition()
        self._waiting = self._meetings = 0
        self._failed = False
        self._ended: list[int] = []

    def wait(self) -> None:
        """Return once all ranks wait; raise if that cannot be."""
        with self._change:
            meeting = self._meetings
            self._waiting += 1
            if self._waiting == len(self.slots):
                self._waiting, self._meetings = 0, meeting + 1
                self._change.notify_all()
            while meeting == self._meetings:
                if self._failed:
                    raise _EndedError
                if self._ended:
                    ended = ", ".join(map(str, sorted(self._ended)))
                    raise TeamError(
                        f"rank {ended} of {len(self.slots)} has ended while others wait for it"
                    )
                self._change.wait()

    def fail(self) -> None:
        """End all ranks when they come to wait."""
        with self._change:
            self._failed = True
            self._change.notify_all()

    def end(self, rank: int) -> None:
        """Note that a rank will not come any more."""
        with self._change:
            self._ended.append(rank)
            self._change.notify_all()


class _SimulatedTeam(Team):
    def __init__(self, rank: int, table: _Table, options: dict[str, Any]) -> None:
        super().__init__(**options)
        self.rank, self.size = rank, len(table.slots)
        self._table = table

    def wait(self) -> None:
        self._table.wait()

    def _share(self, thing: Any, take: Callable[[list[Any]], Result]) -> Result:
        """Put a thing on the table, and take of all of them before one is replaced."""
        self._table.slots[self.rank] = thing
        self.wait()
        taken = take(self._table.slots)
        self.wait()
        return taken

    def gather(self, value: Value) -> list[Value]:
        return self._share(pickle.dumps(value), lambda slots: [*map(pickle.loads, slots)])

    def broadcast(self, value: Value, source: int = 0) -> Value:
        thing = pickle.dumps(value) if self.rank == source else None
        return self._share(thing, lambda slots: pickle.loads(slots[source]))  # type: ignore[no-any-return]

    def exchange(self, blocks: Blocks, received: Blocks) -> None:
        def take(slots: list[Any]) -> None:
            for block, theirs in zip(received, slots, strict=True):
                block[...] = theirs[self.rank]

        self._share(blocks, take)

    def collect(self, block: Blocks, blocks: Blocks) -> None:
        def take(slots: list[Any]) -> None:
            for place, theirs in zip(blocks, slots, strict=True):
                place[...] = theirs

        self._share(block, take)

    def spread(self, array: Blocks, source: int) -> None:
        def take(slots: list[Any]) -> None:
            if self.rank != source:
                array[...] = slots[source]

        self._share(array, take)


def simulate(size: int, work: Callable[[Team], Result], **options: Any) -> list[Result]:
    """Run the ranks of a team in one process, each in a thread.

    To the bit what as many processes of an :class:`MPITeam` compute, if each has one worker: to
    find out what that would do to the vectors, without the machines.

    Parameters
    ----------
    size : int
        Ranks; each has a model of its own in memory.
    work : callable
        Called for each rank with its :class:`Team`.
    **options
        As for :class:`Team`.

    Returns
    -------
    list
        What `work` returned, in the order of the ranks.

    Raises
    ------
    BaseException
        That of the first rank that fails; the others end at their next merge.
    TeamError
        If a rank waits for one that has ended.

    Examples
    --------
    >>> from gensim_bilbowa import BilBOWA
    >>> from gensim_bilbowa.datasets import SyntheticCorpus
    >>> pairs = {("en", "de"): SyntheticCorpus(2000, seed=1).pairs("en", "de")}
    >>> def train(team):
    ...     return BilBOWA(
    ...         parallel=pairs, vector_size=40, epochs=5, workers=1, batch_words=500, team=team)
    >>> models = simulate(2, train)
    >>> [model.wv_en.most_similar_cross("dog", topn=1)[0][0] for model in models]
    ['Hund', 'Hund']
    """
    check_number("size", size, whole=True, low=1, high=_MOST_RANKS)
    table = _Table(size)
    teams = [_SimulatedTeam(rank, table, options) for rank in range(size)]
    results: list[Any] = [None] * size
    errors: list[BaseException] = []

    def run(team: Team) -> None:
        _ranks[threading.get_ident()] = team.rank
        try:
            results[team.rank] = work(team)
            table.end(team.rank)
        except _EndedError:
            pass
        except BaseException as error:
            errors.append(error)
            table.fail()
        finally:
            del _ranks[threading.get_ident()]

    threads = [
        threading.Thread(target=run, args=(team,), name=f"bilbowa-rank-{team.rank}", daemon=True)
        for team in teams
    ]
    with others_are_silent(lambda: _ranks.get(threading.get_ident(), 0) > 0):
        try:
            for thread in threads:
                with enough_threads(size, "size"):
                    thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(_POLL_SECONDS)
        finally:
            if any(thread.is_alive() for thread in threads):  # Ctrl-C
                table.fail()
                for thread in threads:
                    if thread.ident is not None:
                        thread.join()
    if errors:
        raise errors[0]
    return results


# Which rank a thread is.
_ranks: dict[int, int] = {}
