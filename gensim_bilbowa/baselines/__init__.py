"""Other systems than BilBOWA, to compare with: those of its paper, each usable by itself."""

from gensim_bilbowa.baselines.autoencoder import autoencoder
from gensim_bilbowa.baselines.bicvm import bicvm
from gensim_bilbowa.baselines.contexts import ContextVectors
from gensim_bilbowa.baselines.counting import Association
from gensim_bilbowa.baselines.documents import (
    WordByWord,
    bag_of_words,
    best_translations,
    glossed,
)
from gensim_bilbowa.baselines.ibm1 import IBM1
from gensim_bilbowa.baselines.klementiev import klementiev
from gensim_bilbowa.baselines.mapped import mapped
from gensim_bilbowa.baselines.ranking import Ranker, ranked_translation
from gensim_bilbowa.baselines.spelling import EditDistance
from gensim_bilbowa.evidence import association

__all__ = [
    "IBM1",
    "Association",
    "ContextVectors",
    "EditDistance",
    "Ranker",
    "WordByWord",
    "association",
    "autoencoder",
    "bag_of_words",
    "best_translations",
    "bicvm",
    "glossed",
    "klementiev",
    "mapped",
    "ranked_translation",
]
