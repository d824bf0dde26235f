"""From the results of units to the tables of each experiment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from gensim_bilbowa.reproduction import published
from gensim_bilbowa.reproduction.plan import Plan
from gensim_bilbowa.reproduction.systems import BILBOWA, FOLDS, GUIDES, PAPER, SYSTEMS
from gensim_bilbowa.reproduction.tables import Cell, Figure, Table, summary
from gensim_bilbowa.reproduction.tasks import Task
from gensim_bilbowa.reproduction.units import Unit

__all__ = ["Results", "classification_tables", "curve_tables", "time_table", "translation_tables"]

# Of units, by their names.
Results = Mapping[str, Mapping[str, Any]]

_INTERVALS = (
    "In percent. ± is the standard deviation over {runs}, in parentheses is the 95% interval by "
    "bootstrap over the {questions}. In bold: the best of a column, and those that lie within its "
    "interval."
)


def _precision(measured: Sequence[Mapping[str, Any]], k: int) -> Figure:
    """Summarise P@k of several trainings."""
    hits = np.array([
        [rank is not None and rank <= k for rank in one["ranks"]] for one in measured
    ], np.float64)  # fmt: skip
    return summary(hits.mean(axis=0), hits.mean(axis=1).tolist())


def _accuracy(measured: Sequence[Mapping[str, Any]]) -> Figure:
    """Summarise the accuracy over trainings and draws of documents."""
    hits = np.mean([one["hits"] for one in measured], axis=0)
    return summary(hits, [share for one in measured for share in one["accuracies"]])


def _arrow(direction: tuple[str, str]) -> str:
    return "→".join(direction)


def _measured(
    units: Iterable[Unit], results: Results, part: str = "rows"
) -> dict[str, list[Mapping[str, Any]]]:
    """Return what was measured for each row, of all seeds."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for unit in units:
        for title, by_direction in results[unit.name].get(part, {}).items():
            found.setdefault(title, []).append(by_direction)
    return dict(sorted(found.items(), key=lambda item: item[0] in GUIDES))


def _titles(units: Iterable[Unit], results: Results) -> list[str]:
    """Return the rows that accuracy or sentence retrieval was measured of."""
    titles = dict.fromkeys(
        title
        for unit in units
        for part in ("rows", "retrieval")
        for title in results[unit.name].get(part, {})
    )
    return sorted(titles, key=GUIDES.__contains__)


def _seeds(units: Sequence[Unit]) -> str:
    """Say how often each system was trained."""
    counts: dict[int, list[str]] = {}
    for title, seed in {unit.system.title: unit.seed for unit in units}.items():
        counts.setdefault(seed, []).append(title)
    most = max(counts)
    others = "; ".join(
        f"{count} of {', '.join(counts[count])}"
        for count in sorted(counts, reverse=True)
        if count < most
    )
    return f"trainings: {most} of {', '.join(counts[most])}" + (others and f"; {others}")


def _text(task: Task) -> str:
    lines = "all" if task.lines is None else f"the first {task.lines:,}"
    wanted = task.parameters
    if task.pairs is None:
        files = ", ".join(f"`{name}`" for name in task.mixed)
        where = f"the files of {files} (tokenised, each pair once, shuffled)"
    else:
        where = f"`{task.pairs[0]}` and `{task.pairs[1]}`"
    return (
        f"Trained on {lines} pairs of {where}; vectors of size "
        f"{wanted.vector_size}, min_count {wanted.min_count}, BilBOWA and skip-gram to be "
        f"mapped with {wanted.epochs} epochs, all else at the defaults of each system"
    )


def _absent(task: Task) -> tuple[str, ...]:
    """Say which systems are not run on a text, and why."""
    titles = {system.name: system for system in SYSTEMS}
    absent = "; ".join(
        f"{', '.join(titles[name].rows(task.experiment))}: {reason}"
        for name, reason in task.too_slow.items()
    )
    return (f"Not run on this text: {absent}.",) if absent else ()


# ---- word translation


def translation_tables(plan: Plan, tasks: Iterable[Task], results: Results) -> list[Table]:
    """Return the tables of word translation, one for each text."""
    tables = []
    for task in tasks:
        units = plan.units(task)
        headings = {
            name: f"{asked.name} {_arrow(way)}".strip() for name, way, asked in task.questions
        }
        columns = [f"{heading} P@{k}" for heading in headings.values() for k in (1, 5)]
        rows = []
        asked: dict[str, set[int]] = {}
        for title, measured in _measured(units, results).items():
            cells: list[Cell] = []
            for name, heading in headings.items():
                runs = [one[name] for one in measured]
                asked.setdefault(heading, set()).add(len(runs[0]["ranks"]))
                cells += [_precision(runs, k) for k in (1, 5)]
            paper = published.TRANSLATION.get(title)
            printed = [f"{one} / {five}" for one, five in paper] if paper else [None, None]
            rows.append((title, (*cells, *printed)))
        words = ", ".join(
            f"{' or '.join(f'{n:,}' for n in sorted(counts))} {heading}"
            for heading, counts in asked.items()
        )
        answers = (
            "the others were given the dictionary of training words"
            if task.seeds
            else "those that need translations to learn from (word co-occurrence, translation "
            f"matrix, CCA, Procrustes) are cross-validated: of {FOLDS} parts of the dictionary's "
            "source words each is asked after learning from the other parts, so that every system "
            "is asked the same words"
        )
        tables.append(Table(
            f"Word translation, {task.name}",
            ("System", *columns, "paper, en→es P@1 / P@5", "paper, es→en P@1 / P@5"),
            tuple(rows),
            (
                f"{_text(task)}; {_seeds(units)}. Words asked: {words}, lower-cased; any listed "
                "translation counts; candidates are all words of the other language. Vectors are "
                f"searched by CSLS; {answers}.",
                _INTERVALS.format(runs="trainings with other seeds", questions="words"),
                "The paper: 1,000 words, English and Spanish, trained on Wikipedia and Europarl, "
                "in 40 dimensions. Of word co-occurrence it prints a P@5 below the P@1, which "
                "cannot be.",
                *_absent(task),
            ),
        ))  # fmt: skip
    return tables


# ---- document classification


def classification_tables(plan: Plan, tasks: Sequence[Task], results: Results) -> list[Table]:
    """Return a table of all texts with the whole training sets, and one for each text."""
    paper = ("paper, en→de", "paper, de→en")
    columns: list[str] = []
    together: dict[str, dict[str, Cell]] = {}
    each = []
    for task in tasks:
        units = plan.units(task)
        accuracies = _measured(units, results)
        retrieval = _measured(units, results, "retrieval")
        names: list[str] = []
        found_by: dict[str, dict[str, Cell]] = {}
        for title in _titles(units, results):
            measured = accuracies.get(title, [])
            cells: dict[str, Cell] = {}
            for way in task.directions:
                runs = [one["-".join(way)] for one in measured]
                for sizes in zip(*runs, strict=True):
                    cells[f"{_arrow(way)}, {sizes[0]['size']:,}"] = _accuracy(sizes)
                if not runs:
                    continue
                together.setdefault(title, {})[_arrow(way)] = _accuracy([run[-1] for run in runs])
            for way in task.directions if task.sentences else ():
                found = [one["-".join(way)] for one in retrieval.get(title, ())]
                cells[f"sentences {_arrow(way)}, P@1"] = _precision(found, 1) if found else None
            names = max(names, list(cells), key=len)
            found_by[title] = cells
        rows = [(title, tuple(map(cells.get, names))) for title, cells in found_by.items()]
        columns += [_arrow(way) for way in task.directions]
        each.append(Table(
            f"Document classification by training documents, {task.name}", ("System", *names),
            tuple(rows),
            (f"{_text(task)}; {_seeds(units)}.",) + (
                ("Sentences: how often the nearest sentence of the other language, by CSLS among "
                 "all that both languages have, is the translation; by the vectors of sentences, "
                 "*with words* also by the words that were aligned in training, which is the "
                 "package's default.",) if task.sentences else ()
            ),
            GUIDES,
        ))  # fmt: skip
    rows = [
        (title, (
            *(cells.get(column) for column in columns),
            *published.ACCURACY.get(title, (None, None)),
        ))
        for title, cells in together.items()
    ]  # fmt: skip
    overview = Table(
        "Document classification, all training documents", ("System", *columns, *paper),
        tuple(rows),
        (
            "Accuracy of an averaged perceptron that learned from the documents of one language "
            "and is asked about those of the other. "
            + _INTERVALS.format(
                runs="trainings and ten orders of the documents", questions="test documents"
            ),
            "*Glossed*: each word of the test documents is replaced by its best one under IBM "
            "model 1. *MT, word by word* weighs the translations by a bigram model, too (the paper "
            "had a phrase-based system). Words without one stay; documents are then bags of words, "
            "weighted by tf-idf. *Procrustes*: there is no dictionary of small languages; the "
            "pairs are each other's best by the log-likelihood ratio. *Within one language* has "
            "BilBOWA's vectors, and training documents of the language asked: what could be "
            "reached.",
            "The paper: 10,000 documents of RCV1/2 (Reuters, 4 classes) to learn from and 5,000 "
            "for the test, trained on 500,000 lines of Europarl, in 40 dimensions.",
        ),
        GUIDES,
    )  # fmt: skip
    return [overview, *each]


# ---- time


def time_table(title: str, plan: Plan, tasks: Sequence[Task], results: Results) -> Table:
    """Return the training times of all systems that are trained."""
    seconds: dict[str, float] = {}
    cpu: dict[str, dict[str, float]] = {}
    for task in tasks:
        units = [unit for unit in plan.units(task) if unit.system.timed]
        for name in dict.fromkeys(unit.system.title for unit in units):
            runs = [results[unit.name] for unit in units if unit.system.title == name]
            spent = float(np.mean([run["cpu_seconds"] for run in runs]))
            cpu.setdefault(name, {})[task.name] = spent
            mean = float(np.mean([run["seconds"] for run in runs]))
            seconds[name] = seconds.get(name, 0.0) + mean
    minutes = published.MINUTES
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for name, values in cpu.items():
        printed = minutes.get(name)
        ratio = None if printed is None else float(printed / minutes[PAPER.title])
        ours = sum(cpu[BILBOWA.title][text] for text in values)
        rows.append((name, (
            *(values.get(task.name) for task in tasks), sum(values.values()) / ours, seconds[name],
            printed, ratio,
        )))  # fmt: skip
    return Table(
        title,
        ("System", *(f"{task.name}, CPU s" for task in tasks), "ratio to BilBOWA",
         "all, s by the clock", "paper, min", "paper, ratio"),
        tuple(rows),
        (
            "CPU seconds of training on each text, mean over the trainings: reading the text is in "
            "it, measuring is not. Each training had one thread; on a machine that does nothing "
            "else CPU seconds are seconds. By the clock it takes longer where others, too, use the "
            "machine.",
        ),
        compared=False,
    )  # fmt: skip


# ---- curves


def curve_tables(
    plan: Plan, translation: Sequence[Task], classification: Sequence[Task], results: Results
) -> list[Table]:
    """Return the tables of BilBOWA's curves: of the first text of each experiment."""
    tables = []
    for task in translation[:1]:
        names = [name for name, _, _ in task.questions]
        columns = [f"{_arrow(way)} P@{k}" for _, way, _ in task.questions for k in (1, 5)]
        rows: dict[str, list[tuple[str, tuple[Cell, ...]]]] = {}
        for curve, value, unit in plan.points(task):
            found = results[unit.name]
            measured = found["rows"][curve.system.title]
            cells = [_precision([measured[name]], k) for name in names for k in (1, 5)]
            title = f"{curve.title}, {curve.system.title}, {task.name}"
            rows.setdefault(title, []).append(
                (_value(task, curve.parameter, value), (*cells, float(found["cpu_seconds"])))
            )
        tables += [
            Table(
                title,
                ("Value", *columns, "CPU s"),
                tuple(points),
                ("One training for each value, all else as in the table of word translation.",),
            )
            for title, points in rows.items()
        ]
    for task in classification[:1]:
        measured = results[plan.learning(task).name]["rows"]["BilBOWA"]
        sizes = zip(*(measured["-".join(way)] for way in task.directions), strict=True)
        tables.append(Table(
            f"Documents to learn from, {task.name}",
            ("Documents", *map(_arrow, task.directions)),
            tuple(
                (f"{point[0]['size']:,}", tuple(_accuracy([one]) for one in point))
                for point in sizes
            ),
            ("Accuracy of BilBOWA. ± is the standard deviation over ten draws.",),
            compared=False,
        ))  # fmt: skip
    return tables


def _value(task: Task, parameter: str, value: Any) -> str:
    """Name a point of a curve."""
    if value is not None:
        return f"{value:,}" if isinstance(value, int) else f"{value:g}"
    if parameter == "pairs":
        return "all"
    default = vars(task.parameters).get(parameter)
    return f"{default:,}" if default is not None else "default"
