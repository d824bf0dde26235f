"""What a language starts from: a trained model, vectors, or a file of vectors."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from gensim.models import KeyedVectors, Word2Vec
from numpy.typing import NDArray

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.files.storage import is_pickle
from gensim_bilbowa.formats.assembly import check_counts, check_finite
from gensim_bilbowa.formats.pickled import read_pickle
from gensim_bilbowa.formats.word2vec import read_head, read_with_counts
from gensim_bilbowa.parameters import check_languages
from gensim_bilbowa.vectors.counts import attributes

__all__ = ["Source", "Start", "StartVocabulary", "read_starts"]

Source: TypeAlias = Word2Vec | KeyedVectors | str | os.PathLike[str]
StartVocabulary: TypeAlias = Literal["start", "text"]


@dataclass(frozen=True)
class Start:
    """Vectors that a language starts from, and what else is known of it.

    Attributes
    ----------
    code : str
    wv : gensim.models.KeyedVectors
    syn1neg, syn1 : ndarray of float32, shape (n_words, vector_size), or None
        Output weights.
    corpus_count, corpus_total_words : int
        Sentences and words that the counts are of.
    effective_min_count : int or None
    """

    code: str
    wv: KeyedVectors
    syn1neg: NDArray[np.float32] | None = None
    syn1: NDArray[np.float32] | None = None
    corpus_count: int = 0
    corpus_total_words: int = 0
    effective_min_count: int | None = None

    @classmethod
    def of(cls, code: str, source: Any, *, trusted: bool) -> Start:
        """Return what a user's model, vectors or file give; raise ConfigError for anything else."""
        is_path = isinstance(source, str | os.PathLike)
        if is_path and trusted and is_pickle(read_head(source)):
            source = read_pickle(source)
        if isinstance(source, Word2Vec):
            names = ("syn1neg", "syn1", "effective_min_count")
            known = {name: getattr(source, name, None) for name in names}
            start = cls(
                code, source.wv, **known, corpus_count=source.corpus_count,
                corpus_total_words=source.corpus_total_words,
            )  # fmt: skip
        elif isinstance(source, KeyedVectors):
            start = cls(code, source)
        elif is_path:
            start = cls(code, read_with_counts(source, limit=None, errors="strict"))
        else:
            raise ConfigError(
                f"models[{code!r}] must be a gensim Word2Vec or KeyedVectors, or the path of a "
                f"file of word vectors, got {type(source).__name__}"
            )
        if not len(start.wv):
            raise ConfigError(f"models[{code!r}] has no vocabulary")
        check_finite(start.wv, repr(code))
        if start.counted:
            check_counts(start.wv.expandos["count"], repr(code))
        return start

    @property
    def counted(self) -> bool:
        """Whether the counts of the words are known."""
        return "count" in attributes(self.wv)

    def strange(self, words: int) -> ConfigError:
        """Return the error for a text of so many words, none of which is here."""
        return ConfigError(
            f"{self.code!r}: none of the text's {words} words is among the {len(self.wv)} of the "
            "start; are they of another language, or in another case?"
        )


def read_starts(
    models: Mapping[str, Any], vector_size: int | None, *, trusted: bool
) -> dict[str, Start]:
    """Return the start of each language; raise ConfigError for what does not fit together.

    Parameters
    ----------
    models : mapping from str to Word2Vec, KeyedVectors or path
    vector_size : int or None
        The size wanted; None for the starts' own.
    trusted : bool
        Whether files of gensim's, which are pickles, may be read.
    """
    check_languages(models)
    starts = {code: Start.of(code, source, trusted=trusted) for code, source in models.items()}
    sizes = {code: start.wv.vector_size for code, start in starts.items()}
    wanted = {*sizes.values()} | (set() if vector_size is None else {vector_size})
    if len(wanted) > 1:
        given = "" if vector_size is None else f" and vector_size={vector_size}"
        raise ConfigError(f"one vector_size is needed, got {sizes}{given}")
    if len({id(start.wv) for start in starts.values()}) < len(starts):
        raise ConfigError("the same model stands for two languages")
    return starts
