"""How commands show progress: a bar on a terminal, log lines elsewhere."""

from __future__ import annotations

import logging
import sys
from typing import Any

from gensim_bilbowa.callbacks import ProgressBar

__all__ = ["progress"]


def progress(quiet: bool, verbose: bool) -> list[Any]:
    """Set up reporting on standard error and return the callbacks for training."""
    bar = sys.stderr.isatty() and not quiet and not verbose
    level = logging.WARNING if quiet or bar else logging.INFO
    logging.basicConfig(level=level, format="%(asctime)s %(message)s", stream=sys.stderr)
    if not verbose:
        # gensim reports each step of each language's model; what we say covers it.
        logging.getLogger("gensim").setLevel(logging.WARNING)
    return [ProgressBar(leave=False)] if bar else []
