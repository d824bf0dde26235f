"""Word vectors of two or more languages in one space, for gensim.

>>> from gensim_bilbowa import BilBOWA, ParallelSentences

See :class:`BilBOWA` for training, :class:`CrossLingualKeyedVectors` for queries.
"""

from importlib.metadata import version as _version

from gensim_bilbowa.corpora import LineCorpus, ParallelSentences
from gensim_bilbowa.model import BilBOWA
from gensim_bilbowa.vectors import (
    ApproximateIndex,
    CrossLingualKeyedVectors,
    CrossLingualVectors,
)

__all__ = [
    "ApproximateIndex",
    "BilBOWA",
    "CrossLingualKeyedVectors",
    "CrossLingualVectors",
    "LineCorpus",
    "ParallelSentences",
]

__version__ = _version("gensim-bilbowa")
