"""What a run learns from the alignment of its sentence pairs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any

from gensim_bilbowa.evidence import (
    AlignedCounts,
    Words,
    align,
    text_number,
    translation_weights,
)
from gensim_bilbowa.modelling.language import LanguageModel
from gensim_bilbowa.teams import Team
from gensim_bilbowa.training.schedule import PairSource, Schedule

__all__ = ["align_pairs", "weights"]

logger = logging.getLogger("gensim_bilbowa.training")


def align_pairs(
    schedule: Schedule,
    languages: Mapping[str, LanguageModel],
    aligned: AlignedCounts,
    *,
    team: Team,
    workers: int,
    report: Callable[[float], None],
) -> None:
    """Add to the counts what the sentence pairs of a run tell, if they are not among them already.

    Parameters
    ----------
    schedule : Schedule
    languages : mapping from str to LanguageModel
    aligned : AlignedCounts
        Changed in place, each pair of languages when it is done.
    team : Team
        Whose ranks take turns with the pairs of languages, and do together those that remain when
        there are too few for all.
    workers : int
    report : callable
        Called with the part that is done, from 0 to 1, now and then.
    """
    texts: dict[tuple[str, str], list[PairSource]] = {}
    for source in schedule.pairs:
        texts.setdefault(source.pairs.languages, []).append(source)
    numbers = {
        codes: text_number(source.pairs.sides for source in sources)
        for codes, sources in texts.items()
    }
    missing = [codes for codes in texts if not aligned.knows(*codes, numbers[codes])]
    words = {codes: sum(source.words for source in texts[codes]) for codes in missing}
    rounds = [missing[first : first + team.size] for first in range(0, len(missing), team.size)]
    own = [[some[team.rank]] if len(some) == team.size else some for some in rounds]
    total = max(1, sum(words[codes] for each in own for codes in each))
    done = 0
    for some, ours in zip(rounds, own, strict=True):
        together = len(some) < team.size
        found = []
        for codes in ours:

            def share(part: float, done: int = done, words: int = words[codes]) -> None:
                report((done + part * words) / total)

            found.append(
                _align(codes, texts[codes], languages, team if together else None, workers, share)
            )
            done += words[codes]
        if not together:
            found = [team.broadcast(found[0], rank) for rank in range(team.size)]
        for codes, counts in zip(some, found, strict=True):
            aligned.add(*codes, counts, numbers[codes])


def _align(
    codes: tuple[str, str], sources: Sequence[PairSource], languages: Mapping[str, LanguageModel],
    team: Team | None, workers: int, report: Callable[[float], None],
) -> Any:  # fmt: skip
    start = perf_counter()
    one, other = (languages[code].wv.index_to_key for code in codes)
    sides = [source.pairs.sides for source in sources]
    counts = align(sides, one, other, workers=workers, report=report, team=team)
    logger.info(
        "%s: %i sentence pairs aligned, %i pairs of words found, took %.1fs",
        "-".join(codes), sum(len(source.pairs.usable) for source in sources), counts.nnz,
        perf_counter() - start,
    )  # fmt: skip
    return counts


def weights(
    aligned: AlignedCounts, languages: Mapping[str, LanguageModel], spelling: float
) -> dict[tuple[str, str], Any]:
    """Return what draws the words of each language to those of each other one."""
    found = {}
    for one, other in aligned:
        if one in languages and other in languages:
            ours, theirs = (
                Words(languages[code].wv.index_to_key, languages[code].counts)
                for code in (one, other)
            )
            counts = aligned.between(one, other, (len(ours), len(theirs)))
            there, back = translation_weights(counts, ours, theirs, spelling)
            found[one, other], found[other, one] = there, back
    return found
