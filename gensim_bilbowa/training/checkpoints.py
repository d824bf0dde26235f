"""Checkpoints: the model and its run, written every few minutes, to go on after a crash."""

from __future__ import annotations

import errno
import logging
import math
import os
import re
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from gensim.models.callbacks import CallbackAny2Vec

from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.files.filesystem import may_write, reachable
from gensim_bilbowa.files.staging import settle
from gensim_bilbowa.parameters import check_number

__all__ = ["Checkpoint", "checkpoints_in", "load_newest"]

logger = logging.getLogger("gensim_bilbowa.training")

Model = TypeVar("Model")

# A checkpoint, or an array of one that has a file of its own.
_NAME = r"checkpoint-(?P<run>[0-9a-f]{8})-(?P<number>[0-9]{6,})\.model"
_FILE = re.compile(rf"(?P<name>{_NAME})(?P<array>\.[0-9a-f]{{8}}\..+\.npy)?")
# For the jobs at work to end, once a last checkpoint is asked for.
_PATIENCE_SECONDS = 1.0


class Checkpoint(CallbackAny2Vec):  # type: ignore[misc]
    """Write the model, and where its training stands, every few minutes or epochs.

    A callback for :class:`~gensim_bilbowa.BilBOWA`, ``from_models`` and ``train``. After a crash
    ``BilBOWA.load(folder)`` loads the newest checkpoint, and ``train(..., resume=True)`` with the
    same text goes on from there: with one worker to the bit as if nothing had happened.

    Each checkpoint is a model file that is put in place whole, and only then the oldest one is
    removed. The first one is written before the first job, so that what a place lacks is said
    before time is spent. If a later one cannot be written, as on a full disk, a warning is
    logged, training goes on, and it is tried again when the next one is due.

    Parameters
    ----------
    folder : str or path-like
        Of the checkpoints of one run, made if it is not there. Other files in it stay as they
        are. Two programs must not train with the same folder at a time.
    every_minutes : float or None
        Minutes between the end of a checkpoint and the next one; None for no such limit. It may
        be within an epoch: no job is begun meanwhile.
    every_epochs : int or None
        Epochs from one checkpoint to the next, whatever the minutes.
    keep : int
        How many checkpoints are kept. While one is written there is room needed for one more.

    Raises
    ------
    ConfigError
        When training begins, if `folder` has checkpoints of another run.
    OSError
        If `folder` cannot be made or written to, or the first checkpoint cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from gensim_bilbowa import BilBOWA
    >>> pairs = {("en", "de"): [(["a", "cat"], ["eine", "katze"])] * 5}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     checkpoint = Checkpoint(folder, every_epochs=2)
    ...     model = BilBOWA(parallel=pairs, epochs=3, callbacks=[checkpoint])
    ...     resumed = BilBOWA.load(folder)
    ...     print(resumed.epochs_trained, resumed.unfinished)
    ...     words = resumed.train(parallel=pairs, resume=True)
    ...     print(resumed.epochs_trained)
    2 True
    3
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        every_minutes: float | None = 10,
        every_epochs: int | None = None,
        keep: int = 2,
    ) -> None:
        if every_minutes is None and every_epochs is None:
            raise ConfigError("one of every_minutes and every_epochs is wanted, both are None")
        if every_minutes is not None:
            check_number("every_minutes", every_minutes, whole=False)
        if every_epochs is not None:
            check_number("every_epochs", every_epochs, whole=True, low=1)
        check_number("keep", keep, whole=True, low=1)
        self.folder = Path(reachable(Path(folder).absolute(), longer=100))
        self._seconds = math.inf if every_minutes is None else 60 * every_minutes
        self._epochs = math.inf if every_epochs is None else every_epochs
        self._keep = keep
        self.run = ""  # the name of the training, which gives it before it begins
        self._running = False
        self._next_time = self._next_epoch = math.inf
        self._stop: BaseException | None = None
        self._patience = math.inf
        self.folder.mkdir(exist_ok=True)
        if not may_write(self.folder):
            raise PermissionError(errno.EACCES, "no file can be made in it", str(self.folder))
        tempfile.TemporaryFile(dir=self.folder).close()  # its OSError names the folder

    @property
    def paths(self) -> list[Path]:
        """The checkpoints in the folder, the oldest first."""
        return checkpoints_in(self.folder)

    def stop(self, error: BaseException | None = None) -> None:
        """End the training with a last checkpoint; may be called by a signal handler or a thread.

        The checkpoint is written when the jobs at work are done. If that takes longer than a
        second, it is left out.

        Parameters
        ----------
        error : exception, optional
            What ``train()`` then raises; by default, and if None, a ``KeyboardInterrupt``. It is
            raised here if no training is under way.
        """
        error = KeyboardInterrupt() if error is None else error
        if not self._running:
            raise error
        self._stop = error

    def remove(self) -> None:
        """Remove the checkpoints, of whatever run, and the folder if nothing else is in it."""
        for path in self.paths:
            with suppress(PermissionError):  # of Windows, while a program has it open
                path.unlink()
        self._sweep()
        if not any(self.folder.iterdir()):
            self.folder.rmdir()

    # ---- called by the training

    def on_train_begin(self, model: Any) -> None:
        """Write the first checkpoint."""
        self.folder.mkdir(exist_ok=True)  # it may have been removed since
        if others := [path for path in self.paths if _parts(path)["run"] != self.run]:
            raise ConfigError(
                f"{self.folder} has checkpoints of another training, the latest {others[-1].name}: "
                "go on with it by BilBOWA.load(folder) and train(resume=True), or call "
                "Checkpoint.remove(), or give another folder"
            )
        self._sweep()
        self._save(model)
        self._stop, self._patience = None, math.inf
        self._running = True

    def wants_pause(self) -> bool:
        """Say whether a checkpoint is due within the epoch."""
        if self._stop is None:
            return monotonic() >= self._next_time
        self._patience = min(self._patience, monotonic() + _PATIENCE_SECONDS)
        if monotonic() > self._patience:
            self._end()
        return True

    def on_pause(self, model: Any) -> None:
        """Write a checkpoint."""
        try:
            self._save(model)
        except OSError as error:
            logger.warning(
                "a checkpoint could not be written, training goes on without: %s; in place is %s",
                error, next((path.name for path in reversed(self.paths)), "none"),
            )  # fmt: skip
        if self._stop is not None:
            self._end()

    def on_epoch_end(self, model: Any) -> None:
        """Write a checkpoint if it is due."""
        if self.wants_pause() or model.epochs_trained >= self._next_epoch:
            self.on_pause(model)

    def on_train_end(self, model: Any) -> None:
        """Raise what :meth:`stop` was given too late for a checkpoint."""
        self._running = False
        if self._stop is not None:
            raise self._stop

    def _end(self) -> None:
        self._running = False
        assert self._stop is not None
        raise self._stop

    # ---- the files

    def _save(self, model: Any) -> None:
        """Write a checkpoint, then remove those beyond the number to keep."""
        last = max((int(_parts(path)["number"]) for path in self.paths), default=0)
        path = self.folder / f"checkpoint-{self.run}-{last + 1:06}.model"
        start = monotonic()
        try:
            model.save(path)
            for old in self.paths[: -self._keep]:
                with suppress(PermissionError):  # of Windows, while a program has it open
                    old.unlink()
            self._sweep()
        finally:
            self._next_time = monotonic() + self._seconds
            self._next_epoch = model.epochs_trained + self._epochs
        logger.info("checkpoint %s: took %.1fs", path, monotonic() - start)

    def _sweep(self) -> None:
        """Remove arrays whose checkpoint is gone, and what is left of saves that were killed."""
        whole = {path.name for path in self.paths}
        for entry in self.folder.iterdir():
            found = _FILE.fullmatch(entry.name)
            if found and found["array"] and found["name"] not in whole:
                with suppress(PermissionError):  # of Windows, while it is mapped
                    entry.unlink()
        settle(self.folder, _NAME)


def _parts(path: Path) -> re.Match[str]:
    found = _FILE.fullmatch(path.name)
    assert found is not None
    return found


def checkpoints_in(folder: Path) -> list[Path]:
    """Return the checkpoints in a folder, the oldest first; none if it is not there."""
    if not folder.is_dir():
        return []
    found = [_FILE.fullmatch(path.name) for path in folder.iterdir()]
    names = [(int(match["number"]), match["name"]) for match in found
             if match and not match["array"]]  # fmt: skip
    return [folder / name for _, name in sorted(names)]


def load_newest(folder: Path, load: Callable[[Path], Model]) -> Model:
    """Load the newest checkpoint of a folder; if it is damaged, warn and load the one before."""
    paths = checkpoints_in(folder)
    if not paths:
        raise IsADirectoryError(
            f"{folder} is a folder without a checkpoint; a model file is wanted, or a folder of "
            "checkpoints"
        )
    for path in reversed(paths):
        try:
            return load(path)
        except (FormatError, FileNotFoundError) as error:
            if not os.path.lexists(path):  # a training that goes on has newer ones
                break
            if path == paths[0]:
                raise
            logger.warning("the checkpoint before it is taken: %s", error)
    return load_newest(folder, load)
