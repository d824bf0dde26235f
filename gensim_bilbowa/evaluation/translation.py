"""Word translation: how often the nearest words of the other language are right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.formats.dictionaries import Dictionary, check_dictionary
from gensim_bilbowa.lexicons import Cooccurrence, LexiconMethod, best_targets, count_pairs
from gensim_bilbowa.vectors.keyed import CrossLingualKeyedVectors

__all__ = ["TranslationScore", "word_translation"]


@dataclass(frozen=True)
class TranslationScore:
    """Result of :func:`word_translation`.

    Attributes
    ----------
    precision : dict from int to float
        For each k the share of words with a right translation among the k nearest.
    mrr : float
        Mean of 1 / rank of the first right translation, 0 where it is beyond rank 10.
    words : int
        Words asked: those with vectors that have a translation with a vector.
    coverage : float
        The same as a share of the dictionary's source words.
    """

    precision: dict[int, float]
    mrr: float
    words: int
    coverage: float


def word_translation(
    source: CrossLingualKeyedVectors,
    dictionary: Dictionary,
    *,
    lang: str | None = None,
    method: LexiconMethod = "csls",
    precision_at: Iterable[int] = (1, 5),
    k: int = 10,
    parallel: Any = None,
) -> TranslationScore:
    """Translate each source word of a dictionary and compare.

    Parameters
    ----------
    source : CrossLingualKeyedVectors
        For example ``model.wv_en``.
    dictionary : mapping from str to str iterables
        Right translations; any one of them counts.
    lang : str, optional
        The other language, where there are several.
    method : {"csls", "cosine", "inverted_softmax", "hybrid", "llr"}
        As for :func:`~gensim_bilbowa.lexicons.extract_lexicon`.
    precision_at : iterable of int
    k : int
        Neighbourhood of CSLS.
    parallel : ParallelSentences, list of them, dict or Cooccurrence, optional
        Text that "hybrid" and "llr" count in, or what was counted there for this direction: see
        :func:`~gensim_bilbowa.lexicons.count_pairs`, for many calls with the same text.

    Raises
    ------
    ConfigError
        If no word of the dictionary can be asked.
    """
    check_dictionary(dictionary)
    target = source.other_language(lang)
    asked = {}
    for word, translations in dictionary.items():
        right = {target.key_to_index[t] for t in translations if t in target.key_to_index}
        if right and word in source.key_to_index:
            asked[source.key_to_index[word]] = right
    if not asked:
        raise ConfigError(
            f"none of the dictionary's {len(dictionary)} words has a vector in "
            f"{source.language!r} and a translation with one in {target.language!r}; "
            "is it the other way round, or in another case?"
        )
    ranks = tuple(precision_at)
    depth = max(10, *ranks)
    counts = parallel
    if parallel is not None and not isinstance(parallel, Cooccurrence):
        counts = count_pairs(parallel, source, target)
    indices, _ = best_targets(
        source, target, np.array(list(asked)), np.arange(len(target)), depth, method=method, k=k,
        counts=counts,
    )  # fmt: skip
    hits = np.array(
        [[index in right for index in row] for row, right in zip(
            indices.tolist(), asked.values(), strict=True)]
    )  # fmt: skip
    first = np.where(hits[:, :10].any(axis=1), hits[:, :10].argmax(axis=1) + 1, np.inf)
    return TranslationScore(
        precision={n: float(hits[:, :n].any(axis=1).mean()) for n in ranks},
        mrr=float((1 / first).mean()),
        words=len(asked),
        coverage=len(asked) / len(dictionary),
    )
