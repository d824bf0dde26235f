"""Choosing parameters for a text without a dictionary."""

from gensim_bilbowa.tuning.search import suggest
from gensim_bilbowa.tuning.suggestion import CRITERIA, Criterion, Suggestion, Trial

__all__ = ["CRITERIA", "Criterion", "Suggestion", "Trial", "suggest"]
