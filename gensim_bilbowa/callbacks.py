"""Callbacks for training."""

from __future__ import annotations

from typing import Any

from gensim.models.callbacks import CallbackAny2Vec
from tqdm.auto import tqdm

from gensim_bilbowa.training import Checkpoint, Progress

__all__ = ["Checkpoint", "ProgressBar"]


class ProgressBar(CallbackAny2Vec):  # type: ignore[misc]
    """A tqdm progress bar over the words of the whole run, with rates of words and pairs.

    From the second epoch on it shows the translations that are right, of
    :attr:`BilBOWA.loss_history <gensim_bilbowa.BilBOWA>`.

    Parameters
    ----------
    **options
        Passed on to tqdm.

    Examples
    --------
    >>> from gensim_bilbowa import BilBOWA
    >>> pairs = [(["a", "cat"], ["eine", "katze"])] * 5
    >>> model = BilBOWA(parallel={("en", "de"): pairs}, callbacks=[ProgressBar(disable=True)])
    """

    def __init__(self, **options: Any) -> None:
        self._options = options
        self._bar: Any = None

    def on_train_begin(self, model: Any) -> None:
        """Open the bar."""
        if self._bar is not None:
            self._bar.close()  # of a training that did not come to its end
        options = {"unit": " words", "unit_scale": True, "desc": "training", **self._options}
        self._bar = tqdm(total=0, **options)

    def on_progress(self, model: Any, progress: Progress) -> None:
        """Move the bar."""
        self._bar.total = progress.total
        if progress.aligned < 1:
            stage, facts = "alignment", [f"{progress.aligned:.0%} of the sentence pairs"]
        else:
            stage = f"epoch {progress.epoch}/{progress.epochs}"
            facts = [f"{progress.pairs_per_second:,.0f} pairs/s"]
            facts += [f"{name} {share:.0%} right" for name, share in progress.translations.items()]
        self._bar.set_description(stage, refresh=False)
        self._bar.set_postfix_str(", ".join(facts), refresh=False)
        self._bar.n = progress.done
        self._bar.refresh()  # this is called about ten times a second, not for each job

    def on_train_end(self, model: Any) -> None:
        """Close the bar."""
        self._bar.close()
