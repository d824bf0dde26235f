"""Measures of how well the vectors do their work."""

from gensim_bilbowa.evaluation.translation import (
    TranslationScore,
    invert,
    read_dictionary,
    word_translation,
)

__all__ = ["TranslationScore", "invert", "read_dictionary", "word_translation"]
