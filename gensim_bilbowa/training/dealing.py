"""Which rank of a team does which job, and which languages belong to one rank."""

from __future__ import annotations

import logging
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.teams import Team
from gensim_bilbowa.training.schedule import PairSource, Schedule, TextSource

__all__ = ["Deal", "make_deal", "merge_places"]

logger = logging.getLogger("gensim_bilbowa.training")

# Languages are not owned if one rank's work would be more than this many times the mean.
_UNEVEN = 1.1


@dataclass(frozen=True)
class Deal:
    """Who does what.

    Attributes
    ----------
    size : int
        Ranks.
    owners : mapping from str to int
        The rank of each language that only one rank trains. The others are trained by all.
    sources : sequence of (int or None)
        Of each text and parallel text of the schedule the rank that does it all, None for all.
    """

    size: int
    owners: Mapping[str, int]
    sources: Sequence[int | None]

    def ranks(self, schedule: Schedule, epoch: int) -> NDArray[np.int64]:
        """Return the rank of each job of an epoch.

        Without owners they take turns. With owners a job that is nobody's goes to the rank with
        the fewest words so far.
        """
        if not self.owners:
            return np.arange(schedule.jobs(epoch)) % self.size
        turns = schedule.turns(epoch)
        words = schedule.words_of_a_job(epoch)
        done = np.zeros(self.size)
        ranks = np.empty(len(turns), np.int64)
        for job, source in enumerate(turns.tolist()):
            owner = self.sources[source]
            rank = int(done.argmin()) if owner is None else owner
            done[rank] += words[source]
            ranks[job] = rank
        return ranks


def make_deal(
    schedule: Schedule, sizes: Mapping[str, int], frozen: Container[str], team: Team
) -> Deal:
    """Decide whether languages have owners, and which.

    Parameters
    ----------
    schedule : Schedule
    sizes : mapping from str to int
        Numbers in the arrays of each language that are trained; frozen ones have none.
    frozen : container of str
        Languages that stay as they are.
    team : Team

    Raises
    ------
    ConfigError
        If the team asks for owners, and no language can have one.
    """
    linked = [_languages_of(source) for source in schedule.sources]
    linked = [tuple(code for code in codes if code not in frozen) for codes in linked]
    deal = Deal(team.size, {}, [None] * len(linked))
    if team.size == 1:
        return deal
    if team.owners is not False:
        deal = _with_owners(linked, deal, schedule, sizes, team)
    owned = [
        f"{', '.join(code for code, owner in deal.owners.items() if owner == rank) or 'none'} "
        f"to rank {rank}"
        for rank in range(team.size)
    ]
    logger.info(
        "%i ranks; languages merged: %s; that belong to a rank: %s", team.size,
        ", ".join(code for code in sizes if code not in deal.owners) or "none",
        "; ".join(owned) if deal.owners else "none",
    )  # fmt: skip
    return deal


def _with_owners(
    linked: Sequence[tuple[str, ...]], common: Deal, schedule: Schedule,
    sizes: Mapping[str, int], team: Team,
) -> Deal:  # fmt: skip
    """Return the deal with owners that sends least, among those that give all ranks enough to do.

    What is owned is always sent less often than what is merged.
    """
    work = [schedule.words_of(source) for source in range(len(linked))]
    found = [
        (_most_work(work, deal, team.size), _sent(deal, sizes, schedule, team), deal)
        for deal in _deals(linked, work, team.size)
    ]
    if not team.owners:
        most = _UNEVEN * sum(work) / team.size
        even = [(sent, deal) for load, sent, deal in found if load <= most]
        return min(even, key=lambda each: each[0], default=(0, common))[1]
    if not found:
        raise ConfigError(f"owners: no language of {list(sizes)} can belong to one rank")
    return min(found, key=lambda each: each[:2])[2]


def merge_places(schedule: Schedule, team: Team, epoch: int) -> list[int]:
    """Return after how many jobs of an epoch ranks merge, but for pulls and its end; each once."""
    most = schedule.epochs * schedule.jobs(epoch)  # after every job
    return schedule.places(min(team.merges, most), epoch)


def _languages_of(source: TextSource | PairSource) -> tuple[str, ...]:
    return (source.language,) if isinstance(source, TextSource) else source.pairs.languages


def _deals(linked: Sequence[tuple[str, ...]], work: Sequence[int], size: int) -> Iterator[Deal]:
    """Yield deals with owners: with the languages of most pairs shared, ever fewer of them."""
    codes = list(dict.fromkeys(code for source in linked for code in source))
    partners = {
        code: len({other for source in linked if code in source for other in source})
        for code in codes
    }
    by_partners = sorted(codes, key=lambda code: -partners[code])
    for shared in range(len(codes)):
        groups = _groups(linked, set(by_partners[:shared]))
        loads = dict.fromkeys(groups, 0)
        for source, words in zip(linked, work, strict=True):
            for group in groups:
                if set(source) & set(group):
                    loads[group] += words
        done = [0] * size
        owners: dict[str, int] = {}
        for group in sorted(groups, key=lambda group: -loads[group]):  # the largest first
            rank = done.index(min(done))
            done[rank] += loads[group]
            owners |= dict.fromkeys(group, rank)
        yield Deal(
            size, {code: owners[code] for code in codes if code in owners},
            [next((owners[c] for c in source if c in owners), None) for source in linked],
        )  # fmt: skip


def _groups(linked: Sequence[tuple[str, ...]], shared: set[str]) -> list[tuple[str, ...]]:
    """Return the languages that parallel text links with each other without the shared ones."""
    groups: list[tuple[str, ...]] = []
    for source in linked:
        codes = [code for code in source if code not in shared]
        if codes:
            met = [group for group in groups if set(codes) & set(group)]
            joined = dict.fromkeys(code for group in (*met, codes) for code in group)
            groups = [*(group for group in groups if group not in met), tuple(joined)]
    return groups


def _most_work(work: Sequence[int], deal: Deal, size: int) -> float:
    """Return the words of the rank that has most of them."""
    owned = [0] * size
    for words, owner in zip(work, deal.sources, strict=True):
        if owner is not None:
            owned[owner] += words
    return max(max(owned), sum(work) / size)


def _sent(deal: Deal, sizes: Mapping[str, int], schedule: Schedule, team: Team) -> int:
    """Return how many numbers a rank receives in a run, but for the part that it has itself."""
    merges = whole = 0
    for epoch in range(schedule.epochs):
        spread = {*schedule.pulls(epoch), schedule.jobs(epoch)}
        merges += len(spread.union(merge_places(schedule, team, epoch)))
        whole += len(spread)
    return sum(
        whole * size if code in deal.owners else 2 * merges * size for code, size in sizes.items()
    )
