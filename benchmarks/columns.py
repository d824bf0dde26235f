"""The columns of the quality benchmark: what is trained for each, and what is asked of it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import texts
from questions import (
    SYSTEMS,
    Codes,
    Translations,
    cloze,
    retrieval,
    similarity,
    topic_accuracy,
)

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.evaluation import invert

__all__ = ["COLUMNS", "Bench", "Figures"]

# Rows with their cells. Cells that end in @1 and @5 are P@1 and P@5.
Figures = dict[str, dict[str, float]]

_PIVOT = "eng"
_LANGUAGES = ("fur", "vec", "szl", "crh")
# The last lines of NLLB-Seed are not trained on, but asked for.
_HELD_OUT = 1000
_LARGE = (("en", "es"), ("en", "de"))
_LARGE_SYSTEMS = ("llr", "csls", "hybrid")
# Of Wiktionary's words, which are many.
_EVERY = 10


@dataclass
class Bench:
    """What the columns are measured of.

    Attributes
    ----------
    train : callable
        Called as BilBOWA: with a dict of monolingual text files, or None, then by name with
        `parallel`, a dict from two codes to a list of pairs or, of the large text, to two files,
        with `seed` and the parameters. It returns a model: a ``wv``, and for "similarity" a
        ``syn1neg`` of each language.
    parameters : dict
        Take the place of each column's own.
    """

    seeds: Sequence[int] = (1, 2, 3)
    train: Callable[..., Any] = BilBOWA
    parameters: Mapping[str, Any] = field(default_factory=dict)
    data: Path = texts.DATA
    target: str = "de"
    languages: Sequence[str] = _LANGUAGES
    large_folder: Path = texts.LARGE
    workers: int = 2
    systems: Sequence[str] = tuple(SYSTEMS)
    _kept: dict[Any, Any] = field(default_factory=dict)

    def trained(
        self, sentences: Any, parallel: Mapping[Codes, Any], seed: int, keep: Any = None, **own: Any
    ) -> tuple[Any, dict[str, float]]:
        """Train a model; return it with the seconds that it took.

        Parameters
        ----------
        keep : hashable, optional
            A name by which other columns find the same model.
        **own
            Parameters of this column.
        """
        if (keep, seed) in self._kept:
            return self._kept[keep, seed]  # type: ignore[no-any-return]
        given = {"epochs": 20, "min_count": 3, "workers": self.workers, **own, **self.parameters}
        wall, cpu = time.perf_counter(), time.process_time()
        model = self.train(sentences, parallel=parallel, seed=seed, **given)
        cost = {"wall s": time.perf_counter() - wall, "CPU s": time.process_time() - cpu}
        if keep is not None:
            self._kept[keep, seed] = model, cost
        return model, cost

    def over_seeds(self, once: Callable[[int], Figures]) -> Figures:
        """Return the means over the seeds of what is measured with one."""
        return _mean([once(seed) for seed in self.seeds])


def _mean(tables: Sequence[Figures]) -> Figures:
    """Means of the tables, of those that have a cell; the first one has all."""
    return {
        row: {
            cell: statistics.mean(table[row][cell] for table in tables if cell in table[row])
            for cell in cells
        }
        for row, cells in tables[0].items()
    }


def _caption_model(
    bench: Bench, codes: Codes, number: int, seed: int
) -> tuple[Any, dict[str, float]]:
    files = {code: texts.captions(bench.data, code) for code in codes}
    pairs = texts.caption_pairs(bench.data, codes)[:number]
    return bench.trained(files, {codes: pairs}, seed, keep=("captions", codes, number))


def _captions(bench: Bench, number: int = 29_000) -> Iterator[tuple[str, Figures]]:
    codes = ("en", bench.target)
    every = texts.caption_pairs(bench.data, codes)
    pairs = every[:number]
    printed = texts.printed_dictionary(bench.data, codes)
    translations = Translations(pairs, codes)
    others = Translations(every[number:] or pairs, codes)

    def once(seed: int) -> Figures:
        model, cost = _caption_model(bench, codes, number, seed)
        gold = printed or others.sure(model.wv)
        asked = []
        for side, translated in enumerate((gold, invert(gold))):
            name = "-".join(codes if side == 0 else codes[::-1])
            asked.append((name, codes[side], translated))
        if number < len(every):
            for name, code, translated in asked[:2]:
                seen = {word for pair in pairs for word in pair[codes.index(code)]}
                unseen = {word: right for word, right in translated.items() if word not in seen}
                asked.append((f"unseen {name}", code, unseen))
        scores = translations.scores(model.wv, asked, bench.systems)
        return {"training": cost, **scores}

    found = bench.over_seeds(once)
    yield f"Multi30k {'-'.join(codes)}, {len(pairs):,} pairs, P@1/P@5", found


def _wikipedia(bench: Bench, codes: Codes) -> tuple[texts.Pairs, Any]:
    """Pairs to train on, and the two sides of those held out."""
    one, other = (texts.wikipedia(bench.data, code) for code in codes)
    pairs = list(zip(one, other, strict=True))
    return pairs[:-_HELD_OUT], (one[-_HELD_OUT:], other[-_HELD_OUT:])


def _small(bench: Bench) -> Iterator[tuple[str, Figures]]:
    means = []
    for code in bench.languages:
        figures = bench.over_seeds(partial(_small_once, bench, (_PIVOT, code)))
        both = [figures[f"{_PIVOT}-{code}"], figures[f"{code}-{_PIVOT}"]]
        figures[code] = _mean([{"": cells} for cells in both])[""]
        means.append({"mean": figures[code]})
        yield f"NLLB-Seed {_PIVOT}-{code} and SIB-200", figures
    yield "NLLB-Seed and SIB-200, all", _mean(means)


def _small_once(bench: Bench, codes: Codes, seed: int) -> Figures:
    pairs, held_out = _wikipedia(bench, codes)
    parallel = {codes: pairs}
    model, cost = bench.trained(None, parallel, seed, keep=codes)
    # Translating takes longer than all else here: the first seed must do.
    translate = seed == bench.seeds[0]
    topics = topic_accuracy(model, bench.data, codes, parallel if translate else None)
    ret = retrieval(model.wv, codes, held_out)
    with_words = retrieval(model.wv, codes, held_out, words=True)
    sib = retrieval(model.wv, codes, texts.topic_sentences(bench.data, codes))
    rows = {
        "-".join(way): {
            "ret": ret[side],
            "retw": with_words[side],
            "sib": sib[side],
            **topics[side],
        }
        for side, way in enumerate((codes, codes[::-1]))
    }
    return {f"training {'-'.join(codes)}": cost, **rows}


def _many(bench: Bench) -> Iterator[tuple[str, Figures]]:
    each = {(_PIVOT, code): _wikipedia(bench, (_PIVOT, code)) for code in bench.languages}
    held_out = {code: sides[1] for (_, code), (_, sides) in each.items()}
    parallel = {codes: pairs for codes, (pairs, _) in each.items()}
    without = list(zip(bench.languages[::2], bench.languages[1::2], strict=False))

    def once(seed: int) -> Figures:
        model, cost = bench.trained(None, parallel, seed)
        rows: Figures = {"training": cost}
        for codes in without:
            sides = (held_out[codes[0]], held_out[codes[1]])
            rows["-".join(codes)] = _both_ways(retrieval(model.wv, codes, sides))
        for codes, (pairs, sides) in each.items():
            alone, _ = bench.trained(None, {codes: pairs}, seed, keep=codes)
            rows["-".join(codes)] = {
                **_both_ways(retrieval(model.wv, codes, sides)),
                "alone": statistics.mean(retrieval(alone.wv, codes, sides)),
            }
        return rows

    title = f"NLLB-Seed, {_PIVOT} with {', '.join(bench.languages)} in one model, ret"
    yield title, bench.over_seeds(once)


def _both_ways(found: Sequence[float]) -> dict[str, float]:
    return {"there": found[0], "back": found[1], "mean": statistics.mean(found)}


def _similarity(bench: Bench) -> Iterator[tuple[str, Figures]]:
    codes = ("en", "de")
    held_out = [
        [pair[side] for pair in texts.caption_pairs(bench.data, codes, "test2016")]
        for side in (0, 1)
    ]

    def once(seed: int) -> Figures:
        model, cost = _caption_model(bench, codes, 29_000, seed)
        found = {
            code: cloze(model.wv[code], model[code].syn1neg, sentences)
            for code, sentences in zip(codes, held_out, strict=True)
        }
        return {
            "training": cost,
            "similarity": similarity(model.wv, bench.data),
            "cloze": {"cl": statistics.mean(found.values()), **found},
        }

    figures = bench.over_seeds(once)
    title = "Multi30k en-de, similarity of words (Spearman's correlation) and words left out"
    yield title, figures


def _large(bench: Bench) -> Iterator[tuple[str, Figures]]:
    for codes in _LARGE:
        files = texts.large(bench.data, codes, bench.large_folder)
        translations = Translations(files, codes, bench.workers)
        once = partial(_large_once, bench, codes, files, translations)
        yield f"Large mixed text {'-'.join(codes)}, P@1/P@5", bench.over_seeds(once)


def _large_once(
    bench: Bench, codes: Codes, files: tuple[Path, Path], translations: Translations, seed: int
) -> Figures:
    model, cost = bench.trained(None, {codes: files}, seed, epochs=5, min_count=5)
    ways = (codes, codes[::-1])
    asked = [(f"muse {'-'.join(way)}", way[0], texts.muse(bench.data, way)) for way in ways]
    for way, gold in zip(ways, texts.wiktionary(bench.data, codes), strict=True):
        some = _answerable(gold, *(model.wv[code] for code in way))[::_EVERY]
        asked.append((f"wikt {'-'.join(way)}", way[0], {word: gold[word] for word in some}))
    systems = [name for name in bench.systems if name in _LARGE_SYSTEMS]
    name = "-".join(codes)
    rows = {f"training {name}": cost}
    for system, cells in translations.scores(model.wv, asked, systems).items():
        rows[f"{name} {system}"] = cells
    news = texts.news(bench.data, codes)
    for title, words in (("news", False), ("news, with words", True)):
        rows[f"{name} {title}"] = _both_ways(retrieval(model.wv, codes, news, words=words))
    return rows


def _answerable(gold: texts.Dictionary, ours: Any, theirs: Any) -> list[str]:
    return [word for word in gold if word in ours and any(other in theirs for other in gold[word])]


COLUMNS: dict[str, Callable[[Bench], Iterator[tuple[str, Figures]]]] = {
    "captions": _captions,
    "3000": lambda bench: _captions(bench, 3000),
    "300": lambda bench: _captions(bench, 300),
    "small": _small,
    "similarity": _similarity,
    "many": _many,
    "large": _large,
}
