"""The learned vectors, and the questions one asks of them."""

from gensim_bilbowa.vectors.alignment import align
from gensim_bilbowa.vectors.index import ApproximateIndex
from gensim_bilbowa.vectors.keyed import CrossLingualKeyedVectors
from gensim_bilbowa.vectors.space import CrossLingualVectors, refine

__all__ = [
    "ApproximateIndex",
    "CrossLingualKeyedVectors",
    "CrossLingualVectors",
    "align",
    "refine",
]
