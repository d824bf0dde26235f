"""How the defaults were chosen: one parameter at a time is changed from them.

Two jobs, so that a default is not fitted to one text:

* Multi30k English-German, 29,000 pairs of captions, min_count 3, 10 epochs: word translation by
  CSLS against dictionaries, mean of both directions.
* nllb-seed English with Friulian and with Silesian, 6,193 pairs of Wikipedia sentences, min_count
  2, 20 epochs: retrieval of the translation among SIB-200's 1,004 sentences, which are not in the
  training text, by the mean of the unit word vectors, mean of both languages and directions.

    python benchmarks/defaults.py [--data ../shared/data] [--seeds 1 2] > table.md
"""

from __future__ import annotations

import argparse
import csv
import gzip
import re
import statistics
from pathlib import Path
from typing import Any

import numpy as np

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.evaluation import invert, read_dictionary, word_translation

VARIANTS: list[dict[str, Any]] = [
    {},
    {"alpha": 0.025}, {"alpha": 0.05}, {"alpha": 0.2}, {"min_alpha": 0.01},
    {"xling_weight": 1.0}, {"xling_weight": 3.0}, {"xling_weight": 10.0},
    {"xling_gradient": "exact", "xling_weight": 50.0},
    {"xling_sample": 0}, {"xling_sample": 1e-2}, {"xling_sample": 1e-4}, {"xling_sample": 1e-5},
    {"xling_passes": 1}, {"xling_passes": 6},
    {"xling_clip": 0.01}, {"xling_clip": 1.0},
    {"negative": 5}, {"negative": 25}, {"ns_exponent": 0.5},
    {"window": 3}, {"window": 10},
    {"sample": 1e-2}, {"sample": 1e-4},
    {"sg": 0}, {"hs": 1, "negative": 0}, {"alignment": False},
    {"vector_size": 40}, {"vector_size": 200}, {"vector_size": 300},
    {"epochs": 5}, {"epochs": 40},
]  # fmt: skip


def tokens(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", text.lower())


def captions(data: Path, **parameters: Any) -> tuple[float, float]:
    files = [data / f"multi30k/train.{code}.gz" for code in ("en", "de")]
    gold = read_dictionary(*sorted((data / "dictionaries").glob("en-de.*.tsv")), lowercase=True)
    parallel = ParallelSentences(*files, languages=("en", "de"))
    model = BilBOWA(parallel=parallel, **{"min_count": 3, "epochs": 10, **parameters})
    scores = [word_translation(model.wv["en"], gold),
              word_translation(model.wv["de"], invert(gold))]  # fmt: skip
    first, fifth = (100 * statistics.mean(s.precision[n] for s in scores) for n in (1, 5))
    return first, fifth


def sib(data: Path, code: str) -> dict[str, list[str]]:
    rows = {}
    for part in ("train", "dev", "test"):
        with (data / f"sib-200/{code}.{part}.tsv").open(encoding="utf-8") as stream:
            for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
                rows[row["index_id"]] = tokens(row["text"])
    return rows


def sentence_vectors(wv: Any, sentences: list[list[str]]) -> np.ndarray:
    unit = wv.unit_vectors()
    rows = [unit[[wv.key_to_index[w] for w in s if w in wv.key_to_index]].sum(0) for s in sentences]
    matrix: np.ndarray = np.array(rows) - np.mean(rows, axis=0)
    matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
    return matrix


def retrieval(data: Path, code: str, **parameters: Any) -> float:
    sides = []
    for language in ("eng", code):
        with gzip.open(data / f"nllb-seed/{language}.gz", "rt", encoding="utf-8") as stream:
            sides.append([tokens(line) for line in stream.read().split("\n")[:6193]])
    parallel = ParallelSentences(*sides, languages=("eng", code))
    model = BilBOWA(parallel=parallel, **{"min_count": 2, "epochs": 20, **parameters})
    texts = [sib(data, language) for language in ("eng", code)]
    ids = sorted(set(texts[0]) & set(texts[1]))
    a, b = (sentence_vectors(model.wv[language], [text[i] for i in ids])
            for language, text in zip(("eng", code), texts, strict=True))  # fmt: skip
    similar = a @ b.T
    right = np.arange(len(ids))
    return 50 * float(np.mean(similar.argmax(1) == right) + np.mean(similar.argmax(0) == right))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[1] / "../shared/data")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    print("| change | captions P@1 | captions P@5 | retrieval P@1 |")
    print("|---|---|---|---|")
    for variant in VARIANTS:
        results = []
        for seed in given.seeds:
            parameters = {**variant, "seed": seed, "workers": given.workers}
            small = statistics.mean(
                retrieval(given.data, code, **parameters) for code in ("fur", "szl")
            )
            results.append((*captions(given.data, **parameters), small))
        means = [statistics.mean(column) for column in zip(*results, strict=True)]
        name = ", ".join(f"`{k}={v}`" for k, v in variant.items()) or "none (the defaults)"
        print(f"| {name} | " + " | ".join(f"{mean:.1f}" for mean in means) + " |", flush=True)


if __name__ == "__main__":
    main()
