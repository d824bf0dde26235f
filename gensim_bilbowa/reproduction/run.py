"""The whole reproduction: what is planned and not yet there is done, then the tables written."""

from __future__ import annotations

import json
import logging
import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from time import process_time
from typing import Any, Literal, TypeAlias, get_args

from tqdm.auto import tqdm

import gensim_bilbowa
from gensim_bilbowa.errors import ConfigError, CorpusNotFoundError
from gensim_bilbowa.files.staging import staged
from gensim_bilbowa.parameters import MOST_WORKERS, check_number
from gensim_bilbowa.reproduction.figures import draw_subsampling
from gensim_bilbowa.reproduction.measures import Data
from gensim_bilbowa.reproduction.mixing import mixed_text
from gensim_bilbowa.reproduction.plan import Plan, available
from gensim_bilbowa.reproduction.processes import run_units
from gensim_bilbowa.reproduction.reports import (
    Results,
    classification_tables,
    curve_tables,
    time_table,
    translation_tables,
)
from gensim_bilbowa.reproduction.systems import PAPER
from gensim_bilbowa.reproduction.tables import Table, as_json, markdown
from gensim_bilbowa.reproduction.tasks import TASKS, Experiment, Task
from gensim_bilbowa.reproduction.units import Store, Unit

__all__ = ["PARTS", "Part", "Reproduction", "reproduce"]

logger = logging.getLogger(__name__)

Part: TypeAlias = Literal["translation", "classification", "curves"]
PARTS: tuple[Part, ...] = get_args(Part)


@dataclass(frozen=True)
class Reproduction:
    """Result of :func:`reproduce`.

    Attributes
    ----------
    folder : path
        Where the tables are: the output folder, its sub-folder ``quick`` for a quick run.
    tables : dict from str to list of Table
        Of each part that was done.
    left_out : list of str
        What was not done, and for want of which files or library.
    trained : int
        Trainings of this call; the others' results were there.
    """

    folder: Path
    tables: dict[Part, list[Table]]
    left_out: list[str]
    trained: int


def reproduce(
    data: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    only: Part | None = None,
    seeds: int = 3,
    workers: int = 2,
    quick: bool = False,
    extra: bool = False,
    fresh: bool = False,
    progress: bool = False,
    tasks: Sequence[Task] = TASKS,
) -> Reproduction:
    """Run the experiments of the paper (Gouws et al. 2015) on the data that is there.

    Word translation and document classification by BilBOWA and by the systems that the paper
    compares with, training times, and curves over BilBOWA's parameters. Each training is measured
    and its result written at once, to ``output/results``; run again, what is there is not done
    again, as long as files, parameters, version and code are the same.

    Parameters
    ----------
    data : path
        Folder with the texts, dictionaries and documents; see the page on reproduction.
    output : path
        Folder for the results; it is made. For each part there will be a .md and a .json file.
        Text that is made of several files of the data is in its sub-folder ``texts``.
    only : {"translation", "classification", "curves"}, optional
        The only part to be done; default: all.
    seeds : int
        Trainings of each system that depends on chance, with seeds from 1.
    workers : int
        Trainings at a time, each in a process of its own and with one thread, so that results do
        not depend on their number.
    quick : bool
        Look whether all works: one training of each system on 2,000 lines of the first text, with
        small vectors. What is written goes to ``output/quick``.
    extra : bool
        Also the texts that are done on demand only.
    fresh : bool
        Do everything anew.
    progress : bool
        Show a bar on standard error.
    tasks : sequence of Task
        What to choose from.

    Returns
    -------
    Reproduction

    Raises
    ------
    CorpusNotFoundError
        If the files of no experiment are there.
    ConfigError
        If a parameter is out of range.
    """
    if only is not None and only not in PARTS:
        raise ConfigError(f"only must be {' or '.join(map(repr, PARTS))}, not {only!r}")
    seeds = int(check_number("seeds", seeds, whole=True, low=1))
    workers = int(check_number("workers", workers, whole=True, low=1, high=MOST_WORKERS))
    folder, place = Path(data), Path(output) / "quick" if quick else Path(output)
    plan = Plan(seeds, workers, quick)
    parts = PARTS if only is None else (only,)
    left_out: list[str] = []
    chosen: dict[Experiment, list[Task]] = {"translation": [], "classification": []}
    for experiment in chosen:
        if experiment in parts or "curves" in parts:
            found, missing = available(tasks, folder, experiment, extra)
            chosen[experiment] = plan.tasks(found)
            left_out += missing
    if not any(chosen.values()):
        raise CorpusNotFoundError(
            f"{folder}: the files of no experiment are there; missing are, for "
            + "; for ".join(left_out)
        )
    translation, classification = chosen["translation"], chosen["classification"]
    # Of the first text, and not of one whose trainings take minutes.
    curved = [task for task in translation if not task.mixed][:1]
    texts = Path(output) / "texts"

    units = [unit for part in parts if part != "curves" for task in chosen[part]
             for unit in plan.units(task)]  # fmt: skip
    if "curves" in parts:
        units += [unit for task in curved for _, _, unit in plan.points(task)]
        units += [plan.learning(task) for task in classification[:1]]
    store = Store(place / "results", folder, fresh=fresh)
    results, trained = _done(units, store, folder, texts, workers, progress)
    if "curves" in parts:
        drawn, undrawn = _figure(curved, folder, texts, place, store)
        results |= drawn
        left_out += undrawn

    tables: dict[Part, list[Table]] = {}
    if "translation" in parts and translation:
        times = time_table("Training times, word translation", plan, translation, results)
        tables["translation"] = [*translation_tables(plan, translation, results), times]
    if "classification" in parts and classification:
        times = time_table("Training times, classification", plan, classification, results)
        tables["classification"] = [
            *classification_tables(plan, classification, results), times,
        ]  # fmt: skip
    if "curves" in parts:
        tables["curves"] = curve_tables(plan, curved, classification, results)
    for part, made in tables.items():
        _write(place, part, made, plan, results, left_out)
    return Reproduction(place, tables, left_out, trained)


def _done(
    units: Iterable[Unit], store: Store, folder: Path, texts: Path, workers: int, progress: bool
) -> tuple[dict[str, dict[str, Any]], int]:
    """Return the results of units by name; those that are not there are made."""
    once = {unit.name: unit for unit in units}
    results = {}
    for name, unit in once.items():
        known = store.get(unit)
        if known is not None:
            results[name] = known
    waiting = [unit for name, unit in once.items() if name not in results]
    logger.info("%i results are there, %i are to be made", len(results), len(waiting))
    for task in dict.fromkeys(unit.task for unit in waiting):
        if task.mixed:  # once, here: the processes would each make it
            mixed_text(folder, task.mixed, task.languages, texts)
    with tqdm(total=len(waiting), unit="run", disable=not progress, leave=False) as bar:
        for unit, result in run_units(waiting, folder, texts, workers):
            results[unit.name] = store.put(unit, result)
            bar.set_postfix_str(unit.name)
            bar.update()
    return results, len(waiting)


def _figure(
    tasks: Sequence[Task], folder: Path, texts: Path, place: Path, store: Store
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Draw the figure on subsampling unless it is there; say if it cannot be drawn."""
    path = place / "subsampling.svg"
    results = {}
    for task in tasks:
        unit = Unit(task, PAPER, 1, (("figure", path.name),))
        known = store.get(unit) if path.exists() else None
        if known is None:
            cpu = process_time()
            try:
                draw_subsampling(Data(folder, task, texts), task, path)
            except ImportError as error:
                return {}, [f"the figure on subsampling: {error}"]
            known = store.put(unit, {"all_cpu_seconds": process_time() - cpu})
        results[unit.name] = known
    return results, []


def _write(
    place: Path, part: Part, tables: Sequence[Table], plan: Plan, results: Results,
    left_out: Sequence[str],
) -> None:  # fmt: skip
    spent = sum(result["all_cpu_seconds"] for result in results.values())
    made = {
        "date": date.today().isoformat(), "version": gensim_bilbowa.__version__,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores", "seeds": plan.seeds,
        "workers": plan.workers, "quick": plan.quick, "left_out": list(left_out),
        "all_cpu_seconds": spent,
    }  # fmt: skip
    document = {**made, "tables": as_json(tables)}
    facts = (
        f"gensim_bilbowa {made['version']}, {made['date']}, {made['machine']}, workers: "
        f"{plan.workers}{', quick' if plan.quick else ''}. These trainings and their measurements: "
        f"{spent:,.0f} CPU seconds, which is {spent / 60 / plan.workers:.1f} minutes where each "
        "worker has a core to itself.\n\n"
    )
    missing = "".join(f"- Left out: {line}\n" for line in left_out)
    with staged(place / f"{part}.md", place / f"{part}.json") as (text, data):
        text.write_text(
            facts + markdown(tables) + (missing and f"\n{missing}"), encoding="utf-8", newline="\n"
        )
        data.write_text(
            json.dumps(document, ensure_ascii=False, indent=1), encoding="utf-8", newline="\n"
        )
