"""Measures of how well the vectors do their work."""

from gensim_bilbowa.evaluation.translation import TranslationScore, word_translation
from gensim_bilbowa.formats import Dictionary, invert, read_dictionary

__all__ = ["Dictionary", "TranslationScore", "invert", "read_dictionary", "word_translation"]
