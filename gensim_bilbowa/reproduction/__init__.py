"""The paper's experiments (Gouws et al. 2015), run again on open data or on the paper's own."""

from gensim_bilbowa.reproduction.run import PARTS, Part, Reproduction, reproduce
from gensim_bilbowa.reproduction.tables import Figure, Table, markdown
from gensim_bilbowa.reproduction.tasks import TASKS, Parameters, Task

__all__ = [
    "PARTS",
    "TASKS",
    "Figure",
    "Parameters",
    "Part",
    "Reproduction",
    "Table",
    "Task",
    "markdown",
    "reproduce",
]
