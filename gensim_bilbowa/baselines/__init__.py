"""Other systems than BilBOWA, to compare with: those of its paper, each usable by itself."""

from gensim_bilbowa.baselines.contexts import ContextVectors
from gensim_bilbowa.baselines.counting import Association
from gensim_bilbowa.baselines.ranking import Ranker, ranked_translation
from gensim_bilbowa.baselines.spelling import EditDistance
from gensim_bilbowa.lexicons.cooccurrence import association

__all__ = [
    "Association",
    "ContextVectors",
    "EditDistance",
    "Ranker",
    "association",
    "ranked_translation",
]
