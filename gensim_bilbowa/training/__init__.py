"""Training: the schedule of jobs, the workers, the steps and the progress reports."""

from gensim_bilbowa.training.progress import Progress
from gensim_bilbowa.training.run import check_start, run
from gensim_bilbowa.training.schedule import PairSource, Schedule, TextSource
from gensim_bilbowa.training.steps import Settings

__all__ = [
    "PairSource",
    "Progress",
    "Schedule",
    "Settings",
    "TextSource",
    "check_start",
    "run",
]
