"""Whether what is held out tells good settings from bad ones, as a test set does.

Two texts, as in docs/parameters.md:

* captions: 3,000 pairs of Multi30k English-German and the text of all 29,000 lines, against
  dictionaries;
* wikipedia: 6,193 pairs of nllb-seed English-Friulian, against retrieval of SIB-200's sentences.

    python benchmarks/criteria.py captions [--data ../shared/data] > table.md
"""

from __future__ import annotations

import argparse
import gzip
import statistics
from pathlib import Path
from typing import Any

import numpy as np
from defaults import sib, tokens
from scipy.stats import spearmanr

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.evaluation import invert, read_dictionary, sentence_retrieval, word_translation
from gensim_bilbowa.tuning.criteria import HeldOut

VARIANTS: list[dict[str, Any]] = [
    {},
    {"xling_weight": 1.0}, {"xling_weight": 15.0},
    {"xling_passes": 10}, {"xling_passes": 1},
    {"xling_sample": 1e-4}, {"xling_sample": 0},
    {"epochs": 5}, {"epochs": 20},
]  # fmt: skip
PAIRS = 3_000


def read(path: Path, split: Any = str.split) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [split(line) for line in stream.read().rstrip("\n").split("\n")]


def captions(data: Path) -> tuple[Any, Any, dict[str, Any], Any]:
    texts = {code: read(data / f"multi30k/train.{code}.gz") for code in ("en", "de")}
    gold = read_dictionary(*sorted((data / "dictionaries").glob("en-de.*.tsv")), lowercase=True)

    def test(model: BilBOWA) -> float:
        scores = (word_translation(model.wv["en"], gold),
                  word_translation(model.wv["de"], invert(gold)))  # fmt: skip
        return statistics.mean(score.precision[1] for score in scores)

    pairs = list(zip(*(text[:PAIRS] for text in texts.values()), strict=True))
    return texts, ParallelSentences(pairs, languages=("en", "de")), {"min_count": 3}, test


def wikipedia(data: Path) -> tuple[Any, Any, dict[str, Any], Any]:
    codes = ("eng", "fur")
    sides = [read(data / f"nllb-seed/{code}.gz", tokens) for code in codes]
    questions = [sib(data, code) for code in codes]
    ids = sorted(set(questions[0]) & set(questions[1]))
    a, b = ([text[i] for i in ids] for text in questions)

    def test(model: BilBOWA) -> float:
        eng, fur = (model.wv[code] for code in codes)
        scores = sentence_retrieval(eng, fur, a, b), sentence_retrieval(fur, eng, b, a)
        return statistics.mean(score.precision[1] for score in scores)

    return None, ParallelSentences(*sides, languages=codes), {"min_count": 2}, test


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", choices=["captions", "wikipedia"])
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[1] / "../shared/data")
    parser.add_argument("--epochs", type=int, default=10)
    given = parser.parse_args()
    texts, pairs, parameters, test = {"captions": captions, "wikipedia": wikipedia}[given.text](
        given.data
    )
    held = HeldOut([pairs], 0.1, seed=1)
    everything = HeldOut([pairs], 0.1, seed=1)
    everything.texts = [pairs]
    print("| change | test | words | sentences | learnt |")
    print("|---|---|---|---|---|")
    rows = []
    for variant in VARIANTS:
        settings = {**parameters, "epochs": given.epochs, "workers": 1, **variant}
        model = BilBOWA(texts, parallel=held.parallel, **settings)
        judged = (held.words(model), held.sentences(model), everything.words(model))
        rows.append([test(model), *map(np.mean, judged)])
        name = ", ".join(f"`{k}={v}`" for k, v in variant.items()) or "none"
        print(f"| {name} | " + " | ".join(f"{100 * x:.1f}" for x in rows[-1]) + " |", flush=True)
    tests, *others = zip(*rows, strict=True)
    cells = (f"{spearmanr(tests, column).statistic:.2f}" for column in others)
    print(f"| rank correlation with the test | | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
