"""Topics of sentences in small languages, from labels in another language.

Trains with the package's defaults, save 20 epochs and min_count 3, on the 6,193 sentence pairs of
English with a small language (NLLB-Seed), then a logistic regression on SIB-200's 701 sentences of
one language, and asks it about the 204 of the other. Usage:

    python benchmarks/topics.py [--data ../shared/data] [--languages fur vec szl crh]
        [--seed 1] [--set name=value ...]
"""

from __future__ import annotations

import argparse
import csv
import gzip
import statistics
import sys
from ast import literal_eval
from pathlib import Path
from typing import Any

from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from gensim_bilbowa import BilBOWA, CrossLingualVectorizer, Tokenizer, TranslatingVectorizer

PIVOT = "eng"
SYSTEMS = ("vectors", "translated")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[1] / "../shared/data")
    parser.add_argument("--languages", nargs="+", default=["fur", "vec", "szl", "crh"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE")
    return parser.parse_args()


def labelled(path: Path, split: Tokenizer) -> tuple[list[list[str]], list[str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [split(row["text"]) for row in rows], [row["category"] for row in rows]


def lines(path: Path, split: Tokenizer) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [split(line) for line in stream]


def vectorizer(system: str, code: str, model: BilBOWA, parallel: Any) -> Any:
    if system == "vectors":
        return CrossLingualVectorizer(code, model)
    return TranslatingVectorizer(code, model, parallel=parallel)


def main() -> None:
    given = arguments()
    if not (given.data / "sib-200").is_dir():
        sys.exit(f"{given.data / 'sib-200'} is not there: this measure needs the research data")
    split = Tokenizer()
    parameters: dict[str, Any] = {"epochs": 20, "min_count": 3, "workers": given.workers}
    for setting in given.set:
        name, text = setting.split("=", 1)
        parameters[name] = literal_eval(text)
    print("Topics of SIB-200, accuracy in percent: from English, to English; within each")
    averages: dict[str, list[float]] = {system: [] for system in SYSTEMS}
    for code in given.languages:
        sides = [lines(given.data / f"nllb-seed/{c}.gz", split) for c in (PIVOT, code)]
        parallel = {(PIVOT, code): list(zip(*sides, strict=True))}
        model = BilBOWA(parallel=parallel, seed=given.seed, **parameters)
        documents = {
            (c, part): labelled(given.data / f"sib-200/{c}.{part}.tsv", split)
            for c in (PIVOT, code) for part in ("train", "test")
        }  # fmt: skip
        for system in SYSTEMS:
            across, within = [], []
            for source, target in ((PIVOT, code), (code, PIVOT)):
                first = vectorizer(system, source, model, parallel)
                classifier = make_pipeline(first, LogisticRegression(C=10, max_iter=1000))
                classifier.fit(*documents[source, "train"])
                within.append(100 * classifier.score(*documents[source, "test"]))
                other = make_pipeline(first.in_language(target), *classifier[1:])
                across.append(100 * other.score(*documents[target, "test"]))
            averages[system] += across
            cells = (f"{value:6.1f}" for value in (*across, *within))
            print(f"  {code} {system:12}", *cells, flush=True)
    for system, values in averages.items():
        print(f"  average {system:12} {statistics.mean(values):.1f}")


if __name__ == "__main__":
    main()
