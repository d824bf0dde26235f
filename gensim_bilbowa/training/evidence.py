"""What a run learns from the alignment of its sentence pairs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

from gensim_bilbowa.evidence import (
    AlignedCounts,
    Words,
    align,
    text_number,
    translation_weights,
)
from gensim_bilbowa.language import LanguageModel
from gensim_bilbowa.training.schedule import PairSource, Schedule

__all__ = ["align_pairs", "weights"]

logger = logging.getLogger("gensim_bilbowa.training")


def align_pairs(
    schedule: Schedule,
    languages: Mapping[str, LanguageModel],
    aligned: AlignedCounts,
    *,
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
    workers : int
    report : callable
        Called with the part that is done, from 0 to 1, now and then.
    """
    texts: dict[tuple[str, str], list[PairSource]] = {}
    for source in schedule.pairs:
        texts.setdefault(source.pairs.languages, []).append(source)
    total = max(1, sum(source.words for source in schedule.pairs))
    done = 0
    for codes, sources in texts.items():
        words = sum(source.words for source in sources)
        text = text_number(source.pairs.sides for source in sources)
        if not aligned.knows(*codes, text):
            start = perf_counter()
            one, other = (languages[code].wv.index_to_key for code in codes)

            def share(part: float, done: int = done, words: int = words) -> None:
                report((done + part * words) / total)

            counts = align(
                [source.pairs.sides for source in sources], one, other, workers=workers,
                report=share,
            )  # fmt: skip
            aligned.add(*codes, counts, text)
            logger.info(
                "%s: %i sentence pairs aligned, %i pairs of words found, took %.1fs",
                "-".join(codes), sum(len(source.pairs.usable) for source in sources), counts.nnz,
                perf_counter() - start,
            )  # fmt: skip
        done += words


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
