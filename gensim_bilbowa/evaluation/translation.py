"""Word translation: how often the nearest words of the other language are right."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gensim_bilbowa.corpora.files import read_lines
from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.lexicons import LexiconMethod, best_targets, count_pairs
from gensim_bilbowa.vectors.keyed import CrossLingualKeyedVectors

__all__ = ["Dictionary", "TranslationScore", "invert", "read_dictionary", "word_translation"]

Dictionary = Mapping[str, Iterable[str]]


def read_dictionary(*paths: str | os.PathLike[str], lowercase: bool = False) -> dict[str, set[str]]:
    """Read translation pairs: a source and a target word on each line.

    Parameters
    ----------
    *paths : str or path-like
        Separated by tabs or, as MUSE's dictionaries, by white space. A source may stand on
        several lines; all its targets count.
    lowercase : bool
        Lower-case both words.

    Returns
    -------
    dict from str to set of str
    """
    pairs: dict[str, set[str]] = {}
    for path in paths:
        for number, line in enumerate(read_lines(path), start=1):
            if not line.strip():
                continue
            cells = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()
            if len(cells) != 2 or not all(cells):
                raise FormatError(
                    f"{os.fspath(path)}, line {number}: two words are wanted, got {line[:60]!r}"
                )
            source, target = (c.lower() for c in cells) if lowercase else cells
            pairs.setdefault(source, set()).add(target)
    return pairs


def _check(dictionary: Dictionary) -> None:
    for word, translations in dictionary.items():
        if isinstance(translations, str):
            raise ConfigError(
                f"the translations of {word!r} must be a set or list, got the string "
                f"{translations!r}"
            )


def invert(dictionary: Dictionary) -> dict[str, set[str]]:
    """Turn a dictionary round: from each target to its sources."""
    _check(dictionary)
    inverse: dict[str, set[str]] = {}
    for source, targets in dictionary.items():
        for target in targets:
            inverse.setdefault(target, set()).add(source)
    return inverse


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
    parallel : ParallelSentences, list of them or dict, optional
        Text that "hybrid" and "llr" count in.

    Raises
    ------
    ConfigError
        If no word of the dictionary can be asked.
    """
    _check(dictionary)
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
    indices, _ = best_targets(
        source, target, np.array(list(asked)), np.arange(len(target)), depth, method=method, k=k,
        counts=None if parallel is None else count_pairs(parallel, source, target),
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
