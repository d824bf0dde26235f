"""Word vectors of two or more languages in one space, for gensim.

>>> from gensim_bilbowa import BilBOWA, ParallelSentences

See :class:`BilBOWA` for training, :class:`CrossLingualKeyedVectors` for queries, and
``CrossLingualVectorizer`` for documents in scikit-learn (an extra, imported when asked for).
"""

from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

from gensim_bilbowa.corpora import LineCorpus, ParallelSentences
from gensim_bilbowa.model import BilBOWA
from gensim_bilbowa.tokenization import Tokenizer
from gensim_bilbowa.vectors import (
    ApproximateIndex,
    CrossLingualKeyedVectors,
    CrossLingualVectors,
    align,
)

if TYPE_CHECKING:
    from gensim_bilbowa.vectorizer import CrossLingualVectorizer as CrossLingualVectorizer

__all__ = [
    "ApproximateIndex",
    "BilBOWA",
    "CrossLingualKeyedVectors",
    "CrossLingualVectors",
    "LineCorpus",
    "ParallelSentences",
    "Tokenizer",
    "align",
]

__version__ = _version("gensim-bilbowa")


def __getattr__(name: str) -> Any:
    # Not imported before it is asked for: it needs scikit-learn, which is an extra.
    if name == "CrossLingualVectorizer":
        from gensim_bilbowa.vectorizer import CrossLingualVectorizer

        return CrossLingualVectorizer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
