"""Units of work: one training with its measurement, whose result is kept as a file of its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import gensim_bilbowa
from gensim_bilbowa.files.documents import parse_json
from gensim_bilbowa.files.staging import staged
from gensim_bilbowa.reproduction.files import stamps
from gensim_bilbowa.reproduction.sources import code_mark
from gensim_bilbowa.reproduction.systems import System
from gensim_bilbowa.reproduction.tasks import Task

__all__ = ["Store", "Unit"]

# What all results depend on: what reads text and documents, trains, and measures.
_COMMON = (
    "reproduction/tasks.py", "reproduction/mixing.py", "reproduction/systems.py",
    "reproduction/measures.py", "corpora", "tokenization",
    "evaluation",
)  # fmt: skip


@dataclass(frozen=True)
class Unit:
    """One training and its measurement.

    Attributes
    ----------
    task : Task
    system : System
    seed : int
    changes : tuple of (str, value)
        Parameters of BilBOWA that differ from the task's, the number of sentence pairs ("pairs"),
        or the numbers of documents to learn from ("documents").
    """

    task: Task
    system: System
    seed: int
    changes: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        """Of the file of its result."""
        changes = [
            f"{name}={'-'.join(map(str, value)) if isinstance(value, tuple) else value}"
            for name, value in self.changes
        ]
        return ".".join([self.task.name, self.system.name, *changes, f"seed{self.seed}"])

    def fingerprint(self, folder: Path) -> str:
        """Return a mark that changes with whatever the result depends on."""
        dictionaries = ("formats/dictionaries.py",) if self.task.dictionaries else ()
        inputs = {
            "version": gensim_bilbowa.__version__, "task": asdict(self.task),
            "rows": self.system.rows(self.task.experiment),
            "seed": self.seed, "changes": self.changes, "files": stamps(folder, self.task.files),
            "code": code_mark(_COMMON + dictionaries + self.system.code),
        }  # fmt: skip
        return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


class Store:
    """Results of units, in a folder.

    Parameters
    ----------
    folder : path
        Of the results; it is made.
    data : path
        The data folder, whose files are part of the fingerprint.
    fresh : bool
        Take nothing that is there for a result.
    """

    def __init__(self, folder: Path, data: Path, *, fresh: bool = False) -> None:
        self._folder = folder
        self._data = data
        self._fresh = fresh
        self._folder.mkdir(parents=True, exist_ok=True)

    def _path(self, unit: Unit) -> Path:
        return self._folder / f"{unit.name}.json"

    def get(self, unit: Unit) -> dict[str, Any] | None:
        """Return the result of a unit if it is there and of the same inputs, else None."""
        if self._fresh:
            return None
        try:
            found = parse_json(self._path(unit).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None
        known = isinstance(found, dict) and found.get("fingerprint")
        return found if known == unit.fingerprint(self._data) else None

    def put(self, unit: Unit, result: Mapping[str, Any]) -> dict[str, Any]:
        """Write the result of a unit, and return it as it will be read."""
        entry = {"unit": unit.name, "fingerprint": unit.fingerprint(self._data), **result}
        text = json.dumps(entry, ensure_ascii=False)
        with staged(self._path(unit)) as (place,):
            place.write_text(text, encoding="utf-8", newline="\n")
        return json.loads(text)  # type: ignore[no-any-return]
