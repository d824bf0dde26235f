"""Measures of how well the vectors do their work."""

from gensim_bilbowa.evaluation.intervals import Interval
from gensim_bilbowa.evaluation.translation import (
    TranslationScore,
    score_translations,
    word_translation,
)
from gensim_bilbowa.formats import Dictionary, invert, read_dictionary

__all__ = [
    "Dictionary",
    "Interval",
    "TranslationScore",
    "invert",
    "read_dictionary",
    "score_translations",
    "word_translation",
]
