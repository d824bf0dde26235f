"""Refinement: a space learns from the translations that it finds by itself."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.corpora import collect_parallel
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evidence import SPELLING_WEIGHT, Evidence, Spelling, count_pairs
from gensim_bilbowa.formats.assembly import check_finite
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.stages import Report, step_of, unreported
from gensim_bilbowa.vectors.mapping import centred, with_rows
from gensim_bilbowa.vectors.retrieval import Matrix, Scoring, at_length_one, nearest, neighbourhoods
from gensim_bilbowa.vectors.space import CrossLingualVectors

__all__ = ["mutual_neighbours", "refine", "refined_if_better", "refined_with"]

logger = logging.getLogger(__name__)

# Refinement is worth it if by so much more words find each other. By measurement: it was 0 to 2%
# more where it made translations worse or left them as good, and 15 to 60% where it helped.
_WORTH = 1.05
_MAX_WORDS = 20_000

Evidences: TypeAlias = Mapping[tuple[str, str], Evidence]
_NONE = Evidence()


def _check(
    vectors: CrossLingualVectors, rounds: int, k: int, max_words: int | None, reweight: float
) -> None:
    check_number("reweight", reweight, whole=False, high=1)
    if len(vectors) < 2:
        raise ConfigError(f"two or more languages are wanted, got {list(vectors) or 'none'}")
    for name, value in {"rounds": rounds, "k": k, "max_words": max_words}.items():
        if value is not None or name != "max_words":
            check_number(name, value, whole=True, low=1)
    for code, kv in vectors.items():
        check_finite(kv, repr(code))


def mutual_neighbours(
    points: Matrix,
    others: Matrix,
    k: int,
    evidence: Evidence = _NONE,
    report: Report = unreported,
) -> tuple[NDArray[np.int64], NDArray[np.int64], Matrix]:
    """Find the pairs that are each other's nearest by CSLS.

    Parameters
    ----------
    points : ndarray of float32, shape (n, dim)
    others : ndarray of float32, shape (m, dim)
        Rows of both have length 1.
    k : int
        Neighbourhood of CSLS.
    evidence : Evidence
        Added to CSLS.
    report : callable
        Called with the part that is done, from 0 to 1, now and then.

    Returns
    -------
    rows of points : ndarray of int64, shape (n_pairs,)
    rows of others : ndarray of int64, shape (n_pairs,)
    scores : ndarray of float32, shape (n_pairs,)
        CSLS of each pair, with the evidence.
    """
    each, forth, backwards = (step_of(report, step, 3) for step in range(3))
    of_points, of_others = neighbourhoods(points, others, k, each)
    # What a query's own neighbourhood takes off is the same for all its targets.
    there, scores = nearest(
        points, others, 1, scoring=Scoring(2.0, of_others), add=evidence.add_to, report=forth
    )
    back, _ = nearest(
        others, points, 1, scoring=Scoring(2.0, of_points), add=evidence.turned().add_to,
        report=backwards,
    )  # fmt: skip
    rows = np.flatnonzero(back[there[:, 0], 0] == np.arange(len(points)))
    return rows, there[rows, 0], scores[rows, 0] - of_points[rows]


def _maps(
    covariances: dict[tuple[int, int], Matrix], n_languages: int, reweight: float
) -> list[NDArray[Any]]:
    """Find each language's map from its covariances with the others.

    For two languages with covariance ``C = U S V'`` the eigenvalues of ``[[0, C], [C', 0]]`` are
    ±S, and the eigenvectors of the positive ones ``[U; V] / sqrt(2)``: the maps are ``U S^r`` and
    ``V S^r`` of Artetxe et al. (2018), with r for `reweight`. With more languages the blocks of an
    eigenvector matrix are not orthogonal; the orthogonal matrix nearest to each takes its place.
    """
    size = len(next(iter(covariances.values())))
    blocks = np.zeros((n_languages, size, n_languages, size))
    for (one, other), covariance in covariances.items():
        blocks[one, :, other] = covariance
        blocks[other, :, one] = covariance.T
    values, vectors = np.linalg.eigh(blocks.reshape(n_languages * size, -1))
    weights = np.maximum(values[-size:], 0) ** reweight
    maps = []
    for block in vectors[:, -size:].reshape(n_languages, size, size):
        left, _, right = np.linalg.svd(block)
        maps.append(np.asarray((left @ right) * weights, dtype=np.float32))
    return maps


def _covariances(
    codes: Sequence[str], start: Sequence[Matrix], current: Sequence[Matrix],
    evidences: Mapping[tuple[int, int], Evidence], k: int, number: int, report: Report,
) -> tuple[dict[tuple[int, int], Matrix], dict[str, int]]:  # fmt: skip
    """Pair the words by their current vectors; return covariances of their start vectors."""
    covariances, counts = {}, {}
    for step, (one, other) in enumerate(combinations(range(len(codes)), 2)):
        rows, columns, scores = mutual_neighbours(
            current[one], current[other], k, evidences[one, other],
            step_of(report, step, len(evidences)),
        )  # fmt: skip
        name = f"{codes[one]}-{codes[other]}"
        if not len(rows):
            raise ConfigError(
                f"no word of {codes[one]!r} and word of {codes[other]!r} are each other's nearest: "
                "there is nothing to refine these languages with"
            )
        logger.info(
            "refinement, round %i, %s: %i mutual pairs, mean score %.4f",
            number, name, len(rows), scores.mean(),
        )  # fmt: skip
        covariances[one, other] = start[one][rows].T @ start[other][columns]
        counts[name] = len(rows)
    return covariances, counts


def refine(
    vectors: CrossLingualVectors,
    *,
    rounds: int = 4,
    k: int = 10,
    max_words: int | None = _MAX_WORDS,
    reweight: float = 0.5,
    spelling: float = SPELLING_WEIGHT,
    parallel: Any = None,
    always: bool = False,
) -> CrossLingualVectors:
    """Refine a space by the translations it finds itself (Artetxe et al. 2018).

    Each round takes the words of two languages that are each other's nearest for a dictionary, by
    the score "hybrid" of :func:`~gensim_bilbowa.lexicons.extract_lexicon`, and finds the maps under
    which its pairs covary most: ``U S^r`` and ``V S^r`` of the singular value decomposition
    ``U S V'`` of their covariance. The directions that both languages share thus weigh more. All
    rounds map the first vectors, which are brought to length 1, centred and brought to length 1
    again. With more than
    two languages the maps are those of the joint eigenvectors of all covariances.

    It helps most where a space was trained from a few hundred sentence pairs. Where there were
    more, or where few of the pairs found are right, it would cost precision: so unless `always`,
    the vectors are refined only if 5% more words are each other's nearest then, by CSLS alone.
    Sentences are found less well by refined vectors. The log (INFO) has for each round the number
    of mutual pairs and their mean score before its map.

    Parameters
    ----------
    vectors : CrossLingualVectors
        Two or more languages; they stay as they are.
    rounds : int, default 4
    k : int, default 10
        Neighbourhood of CSLS.
    max_words : int or None, default 20,000
        Only so many words of each language, the first (most frequent) ones with a vector that is
        not zero, are looked at for the dictionary; None stands for all. All words are mapped. The
        time grows with its square, and with `rounds`.
    reweight : float, default 0.5
        The exponent r, from 0 to 1. With 0 the maps are rotations alone, which is safer where there
        were many sentence pairs, or vectors were aligned by a dictionary.
    spelling : float, default 0.7
        Weight of the likeness in spelling; 0 leaves it out.
    parallel : ParallelSentences, list of them or dict, optional
        Sentence pairs to align words in, of any of the languages. Without, what is known of the
        text that the vectors were trained on is taken.
    always : bool, default False
        Whether to return refined vectors in any case, as for spaces of vectors that were trained
        apart.

    Returns
    -------
    CrossLingualVectors
        What was given, if it is no worse; else the same languages, words, counts, other attributes
        and aligned words, with new vectors of length 1 (zero ones stay zero), float32, of the same
        size. Where words are made of n-grams (fastText) these are not mapped, and words outside the
        vocabulary have no vectors: each word's vector is centred and brought to length 1, which its
        n-grams' vectors cannot follow.

    Raises
    ------
    ConfigError
        If a parameter is out of range, there is but one language, a vector is not finite, or two
        languages have no mutual pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from gensim.models import KeyedVectors
    >>> from gensim_bilbowa import CrossLingualVectors
    >>> en, de = KeyedVectors(2), KeyedVectors(2)
    >>> en.add_vectors(["house", "and", "tree"], [[1, 0], [0, 1], [-1, 0]])
    >>> de.add_vectors(["haus", "und", "baum"], [[0.8, 0.6], [0, 1], [-1, 0.2]])
    >>> refined = refine(CrossLingualVectors({"en": en, "de": de}), k=1, always=True)
    >>> refined["en"].most_similar_cross("tree", topn=1)[0][0]
    'baum'
    """
    _check(vectors, rounds, k, max_words, reweight)
    check_number("spelling", spelling, whole=False)
    texts = collect_parallel(parallel, list(vectors))
    evidences = {}
    for one, other in combinations(vectors, 2):
        ours, theirs = vectors[one], vectors[other]
        between = [text for text in texts if set(text.languages) == {one, other}]
        evidences[one, other] = Evidence.of(
            count_pairs(between, ours, theirs).aligned if between else ours.aligned(other),
            Spelling.compare(ours.index_to_key, theirs.index_to_key) if spelling else None,
            spelling,
        )
    settings: dict[str, Any] = {
        "rounds": rounds, "k": k, "max_words": max_words, "reweight": reweight
    }  # fmt: skip
    if always:
        return refined_with(vectors, evidences, **settings)
    return refined_if_better(vectors, evidences, **settings)


def refined_with(
    vectors: CrossLingualVectors,
    evidences: Evidences,
    *,
    rounds: int = 4,
    k: int = 10,
    max_words: int | None = _MAX_WORDS,
    reweight: float = 0.5,
    report: Report = unreported,
) -> CrossLingualVectors:
    """Refine by evidence that is there already; see :func:`refine`.

    Parameters
    ----------
    evidences : mapping from (str, str) to Evidence
        For each pair of languages, in their order.
    report : callable
        Called with the part that is done, from 0 to 1, now and then.
    """
    codes = list(vectors)
    prepared = [centred(vectors[code].vectors) for code in codes]
    kept = []
    for code, rows in zip(codes, prepared, strict=True):
        filled = rows.any(axis=1)
        if not filled.any():
            raise ConfigError(
                f"{code!r}: all {len(rows):,} vectors are zero once their mean is taken off; "
                "there is nothing to refine"
            )
        if not filled.all():
            logger.warning(
                "%s: %i of %i words have zero vectors, or the mean of all: they get zero vectors",
                code, np.count_nonzero(~filled), len(rows),
            )  # fmt: skip
        kept.append(np.flatnonzero(filled)[:max_words])
    heads = [rows[some] for rows, some in zip(prepared, kept, strict=True)]
    among = {
        (one, other): evidences[codes[one], codes[other]].among(kept[one], kept[other])
        for one, other in combinations(range(len(codes)), 2)
    }
    current = heads
    for number in range(1, rounds + 1):
        covariances, counts = _covariances(
            codes, heads, current, among, k, number, step_of(report, number - 1, rounds)
        )
        maps = _maps(covariances, len(codes), reweight)
        current = [at_length_one(head @ map_) for head, map_ in zip(heads, maps, strict=True)]
    size = prepared[0].shape[1]
    if few := {name: count for name, count in counts.items() if count < size}:
        logger.warning(
            "fewer mutual pairs than the vectors' %i dimensions: %s; what the pairs do not span "
            "is lost", size, few,
        )  # fmt: skip
    del heads, current
    refined = {}
    for code, map_ in zip(codes, maps, strict=True):
        refined[code] = with_rows(vectors[code], at_length_one(prepared.pop(0) @ map_))
    return CrossLingualVectors(refined, vectors.aligned, vectors.tokenizers)


def refined_if_better(
    vectors: CrossLingualVectors,
    evidences: Evidences,
    *,
    k: int = 10,
    report: Report = unreported,
    **settings: Any,
) -> CrossLingualVectors:
    """Refine, and return what was given if the languages' words do not agree better then.

    Words agree that are each other's nearest by CSLS alone. Where sentence pairs tell the place of
    most words already, refinement adds next to none; where they do not, many more words find each
    other.

    Parameters
    ----------
    vectors : CrossLingualVectors
    evidences : mapping from (str, str) to Evidence
    k : int
        Neighbourhood of CSLS.
    report
        As for :func:`refined_with`.
    **settings
        As for :func:`refined_with`.
    """
    first, rounds, last = (step_of(report, step, 3) for step in range(3))
    before = _agreement(vectors, k, first)
    if before < next(iter(vectors.values())).vector_size:
        logger.info("not refined: only %i words are each other's nearest", before)
        return vectors
    refined = refined_with(vectors, evidences, k=k, report=rounds, **settings)
    after = _agreement(refined, k, last)
    better = after >= _WORTH * before
    logger.info(
        "%s: %i words were each other's nearest, %i are when refined",
        "refined" if better else "not refined", before, after,
    )  # fmt: skip
    return refined if better else vectors


def _agreement(vectors: CrossLingualVectors, k: int, report: Report) -> int:
    """Return how many words are each other's nearest, of all pairs of languages."""
    found = 0
    units = [kv.unit_vectors()[:_MAX_WORDS] for kv in vectors.values()]
    pairs = [*combinations(units, 2)]
    for step, (ours, theirs) in enumerate(pairs):
        rows, columns, _ = mutual_neighbours(
            ours, theirs, k, report=step_of(report, step, len(pairs))
        )
        # Zero vectors are neighbours of nothing.
        found += int(np.count_nonzero(ours[rows].any(axis=1) & theirs[columns].any(axis=1)))
    return found
