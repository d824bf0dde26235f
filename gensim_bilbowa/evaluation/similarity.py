"""Word similarity: whether the vectors find those words similar that people do."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray

from gensim_bilbowa.corpora.files import read_lines
from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.evaluation.case import CASES, Case, known_form
from gensim_bilbowa.evaluation.intervals import Interval, bootstrap
from gensim_bilbowa.parameters import check_choice
from gensim_bilbowa.vectors.retrieval import at_length_one

__all__ = ["SimilarityScore", "read_similarities", "word_similarity"]

logger = logging.getLogger(__name__)

# Of two pairs the order is right or wrong, and their correlation always 1 or -1.
_FEWEST = 3


@dataclass(frozen=True, eq=False)
class SimilarityScore:
    """Result of :func:`word_similarity`.

    Attributes
    ----------
    spearman : float
        Rank correlation of cosines and judgements, -1 to 1.
    pvalue : float
        Two-sided, of no correlation.
    unknown : int
        Pairs left out for a word that has no vector.
    cosines, judgements : ndarray of float64, shape (pairs,)
        What was compared.
    """

    spearman: float
    pvalue: float
    unknown: int
    cosines: NDArray[np.float64]
    judgements: NDArray[np.float64]

    @property
    def pairs(self) -> int:
        """Pairs compared."""
        return len(self.cosines)

    @property
    def coverage(self) -> float:
        """Pairs compared, as a share of all."""
        return self.pairs / (self.pairs + self.unknown)

    def interval(self, *, level: float = 0.95, resamples: int = 1000, seed: int = 0) -> Interval:
        """Confidence interval of the correlation, by percentile bootstrap over the pairs.

        A resample whose cosines or judgements are all the same counts as no correlation, 0.

        Parameters
        ----------
        level : float
            Confidence, 0 to 1.
        resamples : int
        seed : int
        """
        return bootstrap(
            _spearman, self.cosines, self.judgements, level=level, resamples=resamples, seed=seed
        )

    def __repr__(self) -> str:
        return (
            f"SimilarityScore<Spearman: {self.spearman:.3f}, pairs: {self.pairs:,}, coverage: "
            f"{self.coverage:.3f}>"
        )


def _spearman(cosines: NDArray[np.float64], judgements: NDArray[np.float64], axis: int = -1) -> Any:
    """Compute many rank correlations at once, which ``scipy.stats.spearmanr`` does not."""
    from scipy.stats import rankdata

    x, y = (rankdata(values, axis=axis) for values in (cosines, judgements))
    x, y = (ranks - ranks.mean(axis=axis, keepdims=True) for ranks in (x, y))
    scale = np.sqrt((x * x).sum(axis=axis) * (y * y).sum(axis=axis))
    return np.divide((x * y).sum(axis=axis), scale, out=np.zeros_like(scale), where=scale > 0)


def word_similarity(
    first: KeyedVectors,
    second: KeyedVectors | None,
    pairs: str | os.PathLike[str] | Iterable[tuple[str, str, float]],
    *,
    case: Case = "exact",
) -> SimilarityScore:
    """Correlate the cosines of word pairs with people's judgements of their similarity.

    Parameters
    ----------
    first : gensim.models.KeyedVectors
        Of the first word of each pair.
    second : gensim.models.KeyedVectors or None
        Of the second word, in the same space; None stands for the same language.
    pairs : path, or iterable of (str, str, float)
        Two words and a number that is the higher the more similar they are; a file is read by
        :func:`read_similarities`.
    case : {"exact", "lower", "fallback"}
        As for :func:`score_translations`: "lower" for vectors of lower-cased text.

    Raises
    ------
    ConfigError
        If vectors are known for the words of fewer than three pairs, or all these pairs have the
        same cosine or the same judgement.
    FormatError
        If the file is not as it should be.

    Examples
    --------
    >>> en, de = KeyedVectors(2), KeyedVectors(2)
    >>> en.add_vectors(["dog", "sea"], np.array([[1, 0], [0, 1]]))
    >>> de.add_vectors(["hund", "katze", "meer"], np.array([[2, 0], [1, 1], [0, 1]]))
    >>> pairs = [("dog", "hund", 9.8), ("dog", "katze", 6.1), ("dog", "meer", 0.4)]
    >>> word_similarity(en, de, [*pairs, ("cat", "hund", 6.0)])
    SimilarityScore<Spearman: 1.000, pairs: 3, coverage: 0.750>
    """
    check_choice("case", case, CASES)
    second = first if second is None else second
    if first.vector_size != second.vector_size:
        raise ConfigError(
            f"vectors of one space are wanted, got {first.vector_size} and {second.vector_size} "
            "dimensions"
        )
    rows = read_similarities(pairs) if isinstance(pairs, str | os.PathLike) else list(pairs)
    known = []
    for one, other, score in rows:
        forms = (
            known_form(one, first.key_to_index, case),
            known_form(other, second.key_to_index, case),
        )
        if None not in forms:
            known.append((first.key_to_index[forms[0]], second.key_to_index[forms[1]], score))
    unknown = len(rows) - len(known)
    if len(known) < _FEWEST:
        raise ConfigError(
            f"{_FEWEST} pairs of words with vectors are wanted, got {len(known)} in {len(rows)} "
            "pairs; are they of other languages, or in another case?"
        )
    ones, others, scores = zip(*known, strict=True)
    left, right = (
        at_length_one(vectors.vectors[list(words)])
        for vectors, words in ((first, ones), (second, others))
    )
    cosines = np.einsum("ij,ij->i", left, right, dtype=np.float64)
    judgements = np.array(scores, np.float64)
    for values, name in ((judgements, "judgement"), (cosines, "cosine")):
        if not np.isfinite(values).all():
            raise ConfigError(f"a {name} of the pairs is not finite")
        if (values == values[0]).all():
            raise ConfigError(
                f"all {len(known)} pairs have the {name} {values[0]:g}, which correlates with "
                "nothing"
            )
    from scipy.stats import spearmanr  # slow to import

    found = spearmanr(cosines, judgements)
    return SimilarityScore(
        float(found.statistic), float(found.pvalue), unknown, cosines, judgements
    )


def read_similarities(path: str | os.PathLike[str]) -> list[tuple[str, str, float]]:
    r"""Read word pairs with judgements of their similarity.

    Parameters
    ----------
    path : str or path-like
        Two words and a number on each line, as gensim's ``evaluate_word_pairs`` reads them, with
        tabs between, or, where a line has none, other white space. Blank lines, and those that
        begin with ``#``, are passed over; the first line may be a header. (gensim passes over any
        line that is none of these; here it is an error.)

    Returns
    -------
    list of (str, str, float)

    Raises
    ------
    FormatError
        If a line is something else; the message names file and line.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "en-de.tsv"
    >>> _ = path.write_text("# judged by us\ndog\thund\t9.8\n", encoding="utf-8")
    >>> read_similarities(path)
    [('dog', 'hund', 9.8)]
    """
    return list(_rows(os.fspath(path)))


def _rows(path: str) -> Iterator[tuple[str, str, float]]:
    first = True
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells: list[Any] = [
            cell.strip() for cell in (line.split("\t") if "\t" in line else line.split())
        ]
        try:
            one, other, score = cells
            value = float(score)
            if not math.isfinite(value):
                raise ValueError(score)
        except ValueError:
            if first and len(cells) == 3:
                logger.info("%s, line %i is taken for a header: %r", path, number, line)
                first = False
                continue
            raise FormatError(
                f"{path}, line {number}: two words and a number are wanted, got {line[:60]!r}"
            ) from None
        first = False
        yield one, other, value
