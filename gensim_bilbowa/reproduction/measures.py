"""The measurements of one trained system, as what JSON can hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from gensim_bilbowa.evaluation import (
    ClassificationScore,
    Dictionary,
    Documents,
    document_classification,
    invert,
    sentence_retrieval,
)
from gensim_bilbowa.evaluation.ranks import RankedScore
from gensim_bilbowa.reproduction.questions import Setting, Transfer, Words
from gensim_bilbowa.reproduction.tasks import (
    Task,
    Text,
    read_asked,
    read_dictionaries,
    read_labelled,
    read_parallel_documents,
    read_text,
)
from gensim_bilbowa.reproduction.units import Unit
from gensim_bilbowa.vectors import CrossLingualVectors

__all__ = ["Data", "run_unit"]

# Draws of the documents to learn from, for a curve over their number.
_DRAWS = 10


class Data:
    """A task's files, read once for all its units.

    Parameters
    ----------
    folder : path
    task : Task
    texts : path
        Folder for text that is made of several files.
    """

    def __init__(self, folder: Path, task: Task, texts: Path) -> None:
        self.text: Text = read_text(folder, task, texts)
        self.dictionaries = {
            asked: dict(zip(task.directions, read_asked(folder, asked), strict=True))
            for asked in task.dictionaries
        }
        seeds = read_dictionaries(folder, task.seeds) if task.seeds else None
        self.seeds: dict[tuple[str, str], Dictionary | None] = dict(
            zip(task.directions, (seeds, seeds and invert(seeds)), strict=True)
        )
        self.documents = read_labelled(folder, task)
        self.sentences = read_parallel_documents(folder, task)


def run_unit(unit: Unit, data: Data) -> dict[str, Any]:
    """Train, and measure.

    Returns
    -------
    dict
        ``seconds`` and ``cpu_seconds`` of training, ``all_cpu_seconds`` with the measurement;
        ``rows``, of each row of the table what was
        measured in each direction; ``retrieval`` the same for sentence retrieval.
    """
    changes = dict(unit.changes)
    pairs, sizes = changes.pop("pairs", None), changes.pop("documents", None)
    text = data.text if pairs is None else data.text.cut(pairs)
    setting = Setting(text, unit.task.parameters, unit.seed, changes)
    wall, cpu = perf_counter(), process_time()
    trained = unit.system.train(setting)
    result: dict[str, Any] = {
        "seconds": perf_counter() - wall, "cpu_seconds": process_time() - cpu, "rows": {},
        "retrieval": {},
    }  # fmt: skip
    for name, way, asked in unit.task.questions:
        words = Words(setting, *way, data.dictionaries[asked][way], data.seeds[way])
        for title, ask in unit.system.translation.items():
            _enter(result, "rows", title, name, _ranks(ask(trained, words)))
    for source, target in unit.task.directions if unit.task.documents else ():
        direction = f"{source}-{target}"
        own, test = data.documents[target]
        transfer = Transfer(setting, source, target, data.documents[source][0], test, own)
        for title, classify in unit.system.classification.items() if sizes is None else ():
            _enter(result, "rows", title, direction, _accuracies(classify(trained, transfer)))
        for title, join in unit.system.spaces.items():
            space = join(trained, transfer)
            scores = _classified(space, transfer, sizes)
            _enter(result, "rows", title, direction, _accuracies(scores))
            if data.sentences and sizes is None:
                found = sentence_retrieval(
                    space[source], space[target], data.sentences[source], data.sentences[target]
                )
                _enter(result, "retrieval", title, direction, _ranks(found))
        for title, find in unit.system.sentences.items():
            if data.sentences and sizes is None:
                score = find(trained, transfer, data.sentences[source], data.sentences[target])
                _enter(result, "retrieval", title, direction, _ranks(score))
    result["all_cpu_seconds"] = process_time() - cpu
    return result


def _enter(result: dict[str, Any], part: str, title: str, direction: str, found: Any) -> None:
    result[part].setdefault(title, {})[direction] = found


def _ranks(score: RankedScore) -> dict[str, Any]:
    """Return the rank of each question's answer, None for no right one."""
    return {"ranks": [int(rank) if np.isfinite(rank) else None for rank in score.ranks]}


def _accuracies(scores: Iterable[ClassificationScore]) -> list[dict[str, Any]]:
    """Return for each size the accuracy of each draw, and of each document over the draws."""
    return [
        {"size": one.size, "accuracies": one.accuracies.tolist(), "hits": one.hits.tolist()}
        for one in scores
    ]


def _classified(
    space: CrossLingualVectors, transfer: Transfer, sizes: tuple[int, ...] | None
) -> list[ClassificationScore]:
    vectors = space[transfer.source], space[transfer.target]
    if sizes is None:
        return document_classification(*vectors, transfer.train, transfer.test)
    curve = []
    for size in (size for size in sizes if size <= len(transfer.train.labels)):
        scores = [
            document_classification(
                *vectors, _drawn(transfer.train, size, draw), transfer.test,
                sizes=[size], seeds=[draw],
            )[0]
            for draw in range(_DRAWS)
        ]  # fmt: skip
        accuracies = np.concatenate([score.accuracies for score in scores])
        hits = np.mean([score.hits for score in scores], axis=0)
        curve.append(replace(scores[0], accuracies=accuracies, hits=hits))
    return curve


def _drawn(documents: Documents, size: int, seed: int) -> Documents:
    """Draw documents; those of one label, which teach nothing, are drawn again if there are others.

    Where there are none, the classifier says so.
    """
    rng = np.random.default_rng(seed)
    least = min(2, len(set(documents.labels)))
    while True:
        chosen = rng.permutation(len(documents.labels))[:size]
        labels = [documents.labels[i] for i in chosen]
        if len(set(labels)) >= least:
            return Documents([documents.texts[i] for i in chosen], labels)
