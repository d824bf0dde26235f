"""The libraries that pictures need, which are an extra of this package."""

from __future__ import annotations

from functools import partial

from gensim_bilbowa.extras import needing

__all__ = ["plot_extra"]

plot_extra = partial(needing, "plot", "pictures need {}")
