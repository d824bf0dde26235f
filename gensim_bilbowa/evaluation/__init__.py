"""Measures of how well the vectors do their work."""

from gensim_bilbowa.evaluation.classification import (
    ClassificationScore,
    averaged_perceptron,
    document_classification,
)
from gensim_bilbowa.evaluation.documents import Documents, read_documents
from gensim_bilbowa.evaluation.intervals import Interval
from gensim_bilbowa.evaluation.translation import (
    TranslationScore,
    score_translations,
    word_translation,
)
from gensim_bilbowa.formats import Dictionary, invert, read_dictionary

__all__ = [
    "ClassificationScore",
    "Dictionary",
    "Documents",
    "Interval",
    "TranslationScore",
    "averaged_perceptron",
    "document_classification",
    "invert",
    "read_dictionary",
    "read_documents",
    "score_translations",
    "word_translation",
]
