"""Word vectors of two or more languages in one space, for gensim.

>>> from gensim_bilbowa import BilBOWA, ParallelSentences

See :class:`BilBOWA` for training, :class:`CrossLingualKeyedVectors` for queries, :func:`terms` for
term lists, and
``CrossLingualVectorizer`` and ``TranslatingVectorizer`` for documents in scikit-learn (an extra,
imported when asked for).
"""

from importlib import import_module
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gensim_bilbowa.corpora import LineCorpus, ParallelSentences
    from gensim_bilbowa.model import BilBOWA
    from gensim_bilbowa.terminology import terms
    from gensim_bilbowa.tokenization.tokenizer import Tokenizer
    from gensim_bilbowa.vectorizers.cross_lingual import (
        CrossLingualVectorizer as CrossLingualVectorizer,
    )
    from gensim_bilbowa.vectorizers.translating import (
        TranslatingVectorizer as TranslatingVectorizer,
    )
    from gensim_bilbowa.vectors import (
        ApproximateIndex,
        CrossLingualKeyedVectors,
        CrossLingualVectors,
        align,
    )

__all__ = [
    "ApproximateIndex",
    "BilBOWA",
    "CrossLingualKeyedVectors",
    "CrossLingualVectors",
    "LineCorpus",
    "ParallelSentences",
    "Tokenizer",
    "align",
    "terms",
]

__version__ = _version("gensim-bilbowa")

_PLACES = {
    "ApproximateIndex": "vectors",
    "BilBOWA": "model",
    "CrossLingualKeyedVectors": "vectors",
    # Not in __all__, like the other one for scikit-learn, which is an extra.
    "CrossLingualVectorizer": "vectorizers.cross_lingual",
    "CrossLingualVectors": "vectors",
    "LineCorpus": "corpora",
    "ParallelSentences": "corpora",
    "Tokenizer": "tokenization",
    "TranslatingVectorizer": "vectorizers.translating",
    "align": "vectors",
    "terms": "terminology",
}


def __getattr__(name: str) -> Any:
    # Imported when asked for: gensim takes seconds, in which the command must answer to Ctrl-C.
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES})
