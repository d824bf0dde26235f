"""Measures of how well the vectors do their work."""

from gensim_bilbowa.evaluation.agreement import agreement
from gensim_bilbowa.evaluation.classification import (
    ClassificationScore,
    averaged_perceptron,
    document_classification,
)
from gensim_bilbowa.evaluation.documents import Documents, read_documents
from gensim_bilbowa.evaluation.intervals import Interval
from gensim_bilbowa.evaluation.sentences import RetrievalScore, sentence_retrieval
from gensim_bilbowa.evaluation.similarity import (
    SimilarityScore,
    read_similarities,
    word_similarity,
)
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
    "RetrievalScore",
    "SimilarityScore",
    "TranslationScore",
    "agreement",
    "averaged_perceptron",
    "document_classification",
    "invert",
    "read_dictionary",
    "read_documents",
    "read_similarities",
    "score_translations",
    "sentence_retrieval",
    "word_similarity",
    "word_translation",
]
