"""Files of word vectors and of translation pairs. Reading one never runs code from it."""

from gensim_bilbowa.formats.dictionaries import (
    Dictionary,
    invert,
    read_dictionary,
    write_dictionary,
)
from gensim_bilbowa.formats.word2vec import read_vectors

__all__ = ["Dictionary", "invert", "read_dictionary", "read_vectors", "write_dictionary"]
