"""Reading text and parallel text, and encoding it as word indices."""

from gensim_bilbowa.corpora.encode import (
    EncodedCorpus,
    EncodedPairs,
    encode_pairs,
    encode_sentences,
)
from gensim_bilbowa.corpora.files import LineCorpus
from gensim_bilbowa.corpora.parallel import ParallelSentences
from gensim_bilbowa.corpora.sentences import (
    Checked,
    Corpus,
    Sentences,
    as_sentences,
    require_restartable,
)

__all__ = [
    "Checked",
    "Corpus",
    "EncodedCorpus",
    "EncodedPairs",
    "LineCorpus",
    "ParallelSentences",
    "Sentences",
    "as_sentences",
    "encode_pairs",
    "encode_sentences",
    "require_restartable",
]
