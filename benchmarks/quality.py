"""Quality on real text: the tables that a change to training must not worsen.

Trains with the package's defaults, save 20 epochs and min_count 3, and asks what is learnt:

captions, 3000, 300
    Translations of a dictionary's words after all 29,000 sentence pairs of Multi30k, or 3,000 or
    300 of them beside the text of all lines, also of the words that these pairs do not have. Where
    there is no dictionary (Czech), words of other sentence pairs that are each other's best by the
    log-likelihood ratio take its place.
small
    English with small languages, 5,193 sentence pairs of NLLB-Seed each: translations found among
    the 1,000 sentences held out by vectors alone (ret) and with the words' help (retw), and among
    SIB-200's 1,004 (sib, by vectors), accuracy of SIB-200's
    topics by document vectors across languages (tx) and within the one learnt from (tw), and by
    translated words (tt, ttw; with the first seed alone). Rows are directions, then their mean.
similarity
    Of captions: correlation with judgements of similar words (ws), and words left out of held-out
    captions chosen from among ten by their contexts (cl).
many
    The small languages with English in one model: as ret, also of languages that share no text.
large
    Some 300,000 sentence pairs of mixed text, 5 epochs, min_count 5: translations of the words of
    two dictionaries (MUSE's, and every tenth word of Wiktionary's), and of news sentences. It takes
    minutes to make if it is not there, and is measured with the first seed alone.

Usage:

    python benchmarks/quality.py [--data ../shared/data] [--columns captions 3000 ...]
        [--seeds 1 2 3] [--target de] [--languages fur vec szl crh] [--workers 2]
        [--systems llr csls ...] [--large-folder build/large] [--set name=value ...]
"""

from __future__ import annotations

import argparse
import sys
import time
from ast import literal_eval
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from columns import COLUMNS, Bench, Figures
from questions import SYSTEMS
from texts import AbsentError

__all__ = ["measure"]


def measure(column: str, seeds: Sequence[int] = (1,), **options: Any) -> Figures:
    """Measure one column.

    Parameters
    ----------
    column : str
        One of those above.
    seeds : sequence of int
    **options
        The fields of :class:`columns.Bench`: `train`, which is called as :class:`BilBOWA`,
        `parameters`, `data`, `target`, `languages`, `systems`, `large_folder`, `workers`.

    Returns
    -------
    dict from str to dict from str to float
        Rows, with the means over seeds by the names of cells.

    Raises
    ------
    texts.AbsentError
        If the column's data is not there.
    """
    found: Figures = {}
    for _, figures in COLUMNS[column](Bench(seeds, **options)):
        found.update(figures)
    return found


def table(figures: Figures) -> Iterator[str]:
    """Yield the lines of a table; what training took stands apart."""
    rows = {}
    for name, cells in figures.items():
        if name.startswith("training"):
            yield f"  {name}: {cells['wall s']:.1f} s, {cells['CPU s']:.1f} CPU s"
            continue
        texts: dict[str, str] = {}
        for cell, number in cells.items():
            short = cell.removesuffix(" @1").removesuffix(" @5")
            texts[short] = f"{texts[short]}/{number:.1f}" if short in texts else f"{number:.1f}"
        rows[name] = texts
    for names in dict.fromkeys(tuple(texts) for texts in rows.values()):
        block = {name: texts for name, texts in rows.items() if tuple(texts) == names}
        first = max(map(len, block)) + 2
        widths = [max(len(n), *(len(texts[n]) for texts in block.values())) + 2 for n in names]
        yield " " * first + "".join(f"{n:>{w}}" for n, w in zip(names, widths, strict=True))
        for name, texts in block.items():
            line = (f"{texts[n]:>{w}}" for n, w in zip(names, widths, strict=True))
            yield f"  {name:{first - 2}}" + "".join(line)


def value(text: str) -> Any:
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Bench.data)
    parser.add_argument("--columns", nargs="+", default=list(COLUMNS), choices=COLUMNS)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(Bench.seeds))
    parser.add_argument("--target", default="de", choices=["de", "fr", "cs"])
    parser.add_argument("--languages", nargs="+", default=list(Bench.languages))
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), choices=SYSTEMS)
    parser.add_argument("--workers", type=int, default=Bench.workers)
    parser.add_argument("--large-folder", type=Path, default=Bench.large_folder)
    parser.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE")
    return parser.parse_args()


def main() -> None:
    given = arguments()
    parameters = {name: value(text) for name, text in (s.split("=", 1) for s in given.set)}
    shared = {name: getattr(given, name) for name in ("data", "target", "languages", "systems",
                                                      "workers", "large_folder")}  # fmt: skip
    bench = Bench(given.seeds, parameters=parameters, **shared)
    print(f"Percent, means of seeds {given.seeds}; defaults but for {parameters or 'nothing'}")
    absent = []
    for column in given.columns:
        wall, cpu = time.perf_counter(), time.process_time()
        if column == "large":
            bench = Bench(given.seeds[:1], parameters=parameters, **shared)
        try:
            for title, figures in COLUMNS[column](bench):
                print(f"\n{column}: {title}")
                print(*table(figures), sep="\n", flush=True)
        except AbsentError as error:
            absent.append(column)
            print(f"\n{column}: left out, {error}", flush=True)
            continue
        print(f"  {column} took {time.perf_counter() - wall:.0f} s, "
              f"{time.process_time() - cpu:.0f} CPU s in all", flush=True)  # fmt: skip
    if absent == given.columns:
        sys.exit("nothing was measured: the research data is not there")


if __name__ == "__main__":
    main()
