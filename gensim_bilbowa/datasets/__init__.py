"""An embedded corpus: English, German and Spanish sentences from a grammar, with a dictionary."""

from gensim_bilbowa.datasets._corpus import LANGUAGES, SyntheticCorpus, dictionary

__all__ = ["LANGUAGES", "SyntheticCorpus", "dictionary"]
