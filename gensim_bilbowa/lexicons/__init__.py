"""Bilingual lexicons: scored translation pairs from vectors and from parallel text."""

from gensim_bilbowa.evidence import Cooccurrence, count_pairs, mutual_best
from gensim_bilbowa.lexicons.entries import LexiconEntry
from gensim_bilbowa.lexicons.extraction import (
    LEXICON_METHODS,
    LexiconMethod,
    best_targets,
    extract_lexicon,
)
from gensim_bilbowa.lexicons.lexicon import FORMATS, Lexicon, file_format

__all__ = [
    "FORMATS",
    "LEXICON_METHODS",
    "Cooccurrence",
    "Lexicon",
    "LexiconEntry",
    "LexiconMethod",
    "best_targets",
    "count_pairs",
    "extract_lexicon",
    "file_format",
    "mutual_best",
]
