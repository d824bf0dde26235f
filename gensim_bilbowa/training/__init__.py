"""Training: the schedule of jobs, the workers, the steps and the progress reports."""

from gensim_bilbowa.training.alike import check_alike
from gensim_bilbowa.training.checkpoints import Checkpoint, checkpoints_in, load_newest
from gensim_bilbowa.training.merging import Merger
from gensim_bilbowa.training.plan import (
    encode,
    find_learning,
    make_ready,
    plan,
    settle,
    warn_changed,
)
from gensim_bilbowa.training.progress import Progress
from gensim_bilbowa.training.pulls import Pulls
from gensim_bilbowa.training.run import check_start, run
from gensim_bilbowa.training.schedule import PairSource, Schedule, TextSource
from gensim_bilbowa.training.state import RunState, to_resume
from gensim_bilbowa.training.steps import Settings

__all__ = [
    "Checkpoint",
    "Merger",
    "PairSource",
    "Progress",
    "Pulls",
    "RunState",
    "Schedule",
    "Settings",
    "TextSource",
    "check_alike",
    "check_start",
    "checkpoints_in",
    "encode",
    "find_learning",
    "load_newest",
    "make_ready",
    "plan",
    "run",
    "settle",
    "to_resume",
    "warn_changed",
]
