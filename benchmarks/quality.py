"""Word translation on real text: the table that a change to training must not worsen.

Trains with the package's defaults, save 20 epochs and min_count 3, on Multi30k: with all of its
29,000 sentence pairs, with 3,000 and with 300 of them beside the text of all lines. Translations
are compared with dictionaries, also those of the words that the sentence pairs do not have. Where
there is no dictionary (Czech), words of other sentence pairs that are each other's best by the
log-likelihood ratio take its place. Usage:

    python benchmarks/quality.py [--data ../shared/data] [--seeds 1 2 3] [--target de]
        [--pairs 29000 3000 300] [--set name=value ...]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from ast import literal_eval
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.evaluation import invert, read_dictionary, word_translation
from gensim_bilbowa.evidence import Evidence, Spelling, count_pairs
from gensim_bilbowa.vectors.refinement import refined_if_better

SOURCE = "en"
# Of words that take the place of a dictionary.
SURE = 30


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[1] / "../shared/data")
    parser.add_argument("--target", default="de", choices=["de", "fr", "cs"])
    parser.add_argument("--pairs", type=int, nargs="+", default=[29_000, 3_000, 300])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE")
    return parser.parse_args()


def value(text: str) -> Any:
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def sure_translations(model: BilBOWA, pairs: Any, target: str) -> dict[str, list[str]]:
    ours, theirs = model.wv[SOURCE], model.wv[target]
    text = ParallelSentences(pairs, languages=(SOURCE, target))
    table = count_pairs(text, ours, theirs).llr(slice(0, len(ours))).toarray()
    best, back = table.argmax(axis=1), table.argmax(axis=0)
    found = np.flatnonzero((back[best] == np.arange(len(best))) & (table.max(axis=1) > SURE))
    return {ours.index_to_key[i]: [theirs.index_to_key[best[i]]] for i in found}


def scores(
    model: BilBOWA, gold: dict[str, Any], pairs: Sequence[Any], target: str
) -> Iterator[tuple[str, list[Any]]]:
    """Yield each system's scores: both directions, then of words that the pairs do not have."""
    parallel = ParallelSentences(pairs, languages=(SOURCE, target))
    ours, theirs = model.wv[SOURCE], model.wv[target]
    counts = count_pairs(parallel, ours, theirs)
    evidence = Evidence(counts, Spelling.compare(ours.index_to_key, theirs.index_to_key))
    refined = refined_if_better(model.wv, {(SOURCE, target): evidence})
    directions = []
    for code, translations, side, table in (
        (SOURCE, gold, 0, counts), (target, invert(gold), 1, counts.turned()),
    ):  # fmt: skip
        seen = {word for pair in pairs for word in pair[side]}
        unseen = {word: right for word, right in translations.items() if word not in seen}
        directions.append((code, translations, unseen, table))
    for system, wv, method in (
        ("LLR", model.wv, "llr"),
        ("CSLS", model.wv, "csls"),
        ("hybrid", model.wv, "hybrid"),
        ("CSLS, refined if better", refined, "csls"),
        ("lexicon", refined, "hybrid"),
    ):
        row: list[Any] = []
        for part in (1, 2):
            for direction in directions:
                words = direction[part]
                known = any(word in wv[direction[0]] for word in words)
                row.append(
                    word_translation(wv[direction[0]], words, method=method, parallel=direction[3])
                    if known and (part == 1 or len(pairs) < 29_000)
                    else None
                )
        yield system, row


def main() -> None:
    given = arguments()
    folder = given.data / "multi30k"
    if not folder.is_dir():
        sys.exit(f"{folder} is not there: this measure needs the research data")
    target = given.target
    files = {code: folder / f"train.{code}.gz" for code in (SOURCE, target)}
    every = list(ParallelSentences(*files.values(), languages=(SOURCE, target)))
    dictionaries = sorted((given.data / "dictionaries").glob(f"{SOURCE}-{target}.*.tsv"))
    parameters = {"epochs": 20, "min_count": 3, "workers": given.workers}
    parameters.update((name, value(text)) for name, text in (s.split("=", 1) for s in given.set))

    print(f"Multi30k {SOURCE}-{target}, text of all {len(every):,} lines, seeds {given.seeds}, "
          f"{' '.join(f'{name}={v}' for name, v in parameters.items())}")  # fmt: skip
    print("P@1/P@5 in percent: both directions; the same of words that no pair has")
    for number in given.pairs:
        pairs = every[:number]
        rows: dict[str, list[list[Any]]] = {}
        seconds = []
        for seed in given.seeds:
            start = time.process_time()
            model = BilBOWA(
                files,
                parallel=ParallelSentences(pairs, languages=(SOURCE, target)),
                seed=seed,
                **parameters,
            )
            seconds.append(time.process_time() - start)
            gold = (
                read_dictionary(*dictionaries, lowercase=True)
                if dictionaries
                else sure_translations(model, every[number:] or every, target)
            )
            for system, row in scores(model, gold, pairs, target):
                rows.setdefault(system, []).append(row)
        print(f"{len(pairs):,} pairs, training {statistics.mean(seconds):.1f} CPU s")
        for system, found in rows.items():
            cells = []
            for column in zip(*found, strict=True):
                means = (
                    [f"{100 * statistics.mean(s.precision[k] for s in column):.1f}" for k in (1, 5)]
                    if all(column)
                    else ["-"]
                )
                cells.append(f"{'/'.join(means):>10}")
            print(f"  {system:24}", *cells, flush=True)


if __name__ == "__main__":
    main()
