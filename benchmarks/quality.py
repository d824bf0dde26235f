"""Word translation on real text: the table that a change to training must not worsen.

Trains with the package's defaults, save 20 epochs and min_count 3, on the 29,000 English-German
sentence pairs of Multi30k, and compares with dictionaries. Usage:

    python benchmarks/quality.py [--data ../shared/data] [--seeds 1 2 3] [--set name=value ...]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from ast import literal_eval
from pathlib import Path
from typing import Any

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.evaluation import invert, read_dictionary, word_translation


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[1] / "../shared/data")
    parser.add_argument("--target", default="de", choices=["de", "fr"])
    parser.add_argument("--pairs", type=int, help="use only so many pairs, all text")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE")
    return parser.parse_args()


def value(text: str) -> Any:
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def main() -> None:
    given = arguments()
    folder = given.data / "multi30k"
    if not folder.is_dir():
        sys.exit(f"{folder} is not there: this measure needs the research data")
    source, target = "en", given.target
    files = {code: folder / f"train.{code}.gz" for code in (source, target)}
    dictionaries = sorted((given.data / "dictionaries").glob(f"{source}-{target}.*.tsv"))
    dictionary = read_dictionary(*dictionaries, lowercase=True)
    parameters = {"epochs": 20, "min_count": 3, "workers": given.workers}
    parameters.update((name, value(text)) for name, text in (s.split("=", 1) for s in given.set))

    rows: dict[tuple[str, str], list[Any]] = {}
    seconds = []
    for seed in given.seeds:
        parallel: Any = ParallelSentences(*files.values(), languages=(source, target))
        text = None
        if given.pairs:
            pairs = [pair for pair, _ in zip(parallel, range(given.pairs), strict=False)]
            parallel, text = ParallelSentences(pairs, languages=(source, target)), files
        start = time.perf_counter()
        model = BilBOWA(text, parallel=parallel, seed=seed, **parameters)
        seconds.append(time.perf_counter() - start)
        for method in ("cosine", "csls", "llr", "hybrid"):
            for name, wv, gold in (
                (f"{source}-{target}", model.wv[source], dictionary),
                (f"{target}-{source}", model.wv[target], invert(dictionary)),
            ):
                score = word_translation(wv, gold, method=method, parallel=parallel)
                rows.setdefault((method, name), []).append(score)

    print(f"Multi30k {source}-{target}, {given.pairs or 29_000:,} pairs, "
          f"{' '.join(f'{name}={v}' for name, v in parameters.items())}, "
          f"seeds {given.seeds}, training {statistics.mean(seconds):.1f} s")  # fmt: skip
    print(f"{'':8} {'':6} {'P@1':>6} {'P@5':>6} {'MRR':>6} {'words':>6}")
    for (method, name), scores in rows.items():
        p1, p5, mrr = (
            100 * statistics.mean(values)
            for values in (
                [s.precision[1] for s in scores],
                [s.precision[5] for s in scores],
                [s.mrr for s in scores],
            )
        )
        print(f"{method:8} {name:6} {p1:6.1f} {p5:6.1f} {mrr:6.1f} {scores[0].words:6}")


if __name__ == "__main__":
    main()
