"""What tells of translations beside vectors: sentence pairs and spelling.

Words and encoded text are all that these modules know of; vectors, refinement and lexicons build
on them.
"""

from gensim_bilbowa.evidence.aligned import AlignedCounts, align, text_number
from gensim_bilbowa.evidence.alignment_weights import Words, translation_weights
from gensim_bilbowa.evidence.bags import bags
from gensim_bilbowa.evidence.cooccurrence import (
    MEASURES,
    Cooccurrence,
    Measure,
    association,
)
from gensim_bilbowa.evidence.counting import count_pairs, encode_sides, texts_between
from gensim_bilbowa.evidence.evidence import SPELLING_WEIGHT, Evidence
from gensim_bilbowa.evidence.mutual import mutual_best
from gensim_bilbowa.evidence.spelling import Spelling

__all__ = [
    "MEASURES",
    "SPELLING_WEIGHT",
    "AlignedCounts",
    "Cooccurrence",
    "Evidence",
    "Measure",
    "Spelling",
    "Words",
    "align",
    "association",
    "bags",
    "count_pairs",
    "encode_sides",
    "mutual_best",
    "text_number",
    "texts_between",
    "translation_weights",
]
