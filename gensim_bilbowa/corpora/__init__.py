"""Reading text and parallel text, and encoding it as word indices."""

from gensim_bilbowa.corpora.cache import EncodingCache, open_cache
from gensim_bilbowa.corpora.encode import (
    EncodedInputs,
    EncodedPairs,
    encode_in_team,
    encode_inputs,
    encode_pairs,
    encode_sentences,
    encode_usable_pairs,
)
from gensim_bilbowa.corpora.encoded import EncodedCorpus
from gensim_bilbowa.corpora.files import LineCorpus
from gensim_bilbowa.corpora.inputs import Files, Inputs, Parallel, Texts, collect, collect_parallel
from gensim_bilbowa.corpora.parallel import ParallelSentences
from gensim_bilbowa.corpora.sentences import (
    Corpus,
    Sentences,
)
from gensim_bilbowa.corpora.units import TextUnit

__all__ = [
    "Corpus",
    "EncodedCorpus",
    "EncodedInputs",
    "EncodedPairs",
    "EncodingCache",
    "Files",
    "Inputs",
    "LineCorpus",
    "Parallel",
    "ParallelSentences",
    "Sentences",
    "TextUnit",
    "Texts",
    "collect",
    "collect_parallel",
    "encode_in_team",
    "encode_inputs",
    "encode_pairs",
    "encode_sentences",
    "encode_usable_pairs",
    "open_cache",
]
