"""Alignment: a dictionary joins vectors that were trained language by language."""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray

from gensim_bilbowa.errors import ConfigError, UnknownLanguageError
from gensim_bilbowa.formats.assembly import check_finite, check_keyed
from gensim_bilbowa.formats.dictionaries import Dictionary, check_dictionary, read_dictionary
from gensim_bilbowa.parameters import check_choice, check_languages, check_number
from gensim_bilbowa.vectors.mapping import centred, with_rows
from gensim_bilbowa.vectors.retrieval import Matrix, at_length_one
from gensim_bilbowa.vectors.space import CrossLingualVectors

__all__ = ["METHODS", "AlignmentMethod", "Links", "Pairs", "align"]

logger = logging.getLogger(__name__)

AlignmentMethod: TypeAlias = Literal["procrustes", "cca", "translation_matrix"]
# The translations of one language's words into another, or the path of a file of them; None
# stands for the words spelt alike.
Pairs: TypeAlias = Dictionary | Iterable[tuple[str, str]] | str | os.PathLike[str] | None
Links: TypeAlias = Mapping[tuple[str, str], Pairs]

_Rows: TypeAlias = NDArray[np.int64]

METHODS: tuple[AlignmentMethod, ...] = get_args(AlignmentMethod)


def align(
    vectors: Mapping[str, KeyedVectors],
    dictionary: Pairs | Links = None,
    *,
    method: AlignmentMethod = "procrustes",
    centre: bool = True,
    dimensions: int | None = None,
) -> CrossLingualVectors:
    """Join vectors that were trained language by language, by a dictionary.

    Parameters
    ----------
    vectors : mapping from str to gensim.models.KeyedVectors
        Two or more languages, such as the ``wv`` of gensim's Word2Vec or loaded word2vec files;
        they stay as they are. The first language is the one whose space the others are mapped to.
    dictionary : see below, optional
        For two languages, from the first to the second: a mapping from words to their
        translations, pairs of words, or the path of a dictionary file (see
        :func:`~gensim_bilbowa.formats.read_dictionary`). None stands for the words spelt alike
        in both. For any number of languages: a mapping from pairs of language codes to one of
        these, such that each language is linked to the first, itself or through others. None
        links every one to the first.
    method : {"procrustes", "cca", "translation_matrix"}
        "procrustes" rotates each language onto the first one: the orthogonal map under which the
        pairs' vectors of length 1 are nearest to each other (Schönemann 1966; Artetxe et al. 2016).
        Similarities within a language, once centred, stay as they are.

        "cca" maps two languages to the directions in which the pairs correlate most (canonical
        correlation analysis, Faruqui and Dyer 2014); the vectors may differ in size.

        "translation_matrix" maps each language by the matrix of least squares onto the first one
        (Mikolov et al. 2013), which gensim's
        :class:`~gensim.models.translation_matrix.TranslationMatrix` finds; the vectors may differ
        in size.
    centre : bool, default True
        For "procrustes": take each language's mean vector off first, as "cca" always does and
        "translation_matrix" never does.
    dimensions : int, optional
        For "cca": how many directions to keep, the most correlated ones; default 80% of the
        smaller vector size, which Faruqui and Dyer found best.

    Returns
    -------
    CrossLingualVectors
        Of the same languages, words, counts and other attributes as given, with new vectors of
        length 1 (zero ones stay zero) in float32.

    Raises
    ------
    ConfigError
        If a parameter is out of range; vectors are not finite, or their sizes do not suit the
        method; a language is not linked to the first; a dictionary has no pair with vectors, or
        too few of them for "cca".
    UnknownLanguageError
        If a pair of codes has one that is not among `vectors`.
    FormatError
        If a dictionary file has a line that is no pair.

    Notes
    -----
    A pair that occurs twice counts once. Pairs that have a word without a vector are left out;
    their number is logged.

    Examples
    --------
    German vectors here are the English ones, turned by a quarter.

    >>> from gensim.models import KeyedVectors
    >>> en, de = KeyedVectors(2), KeyedVectors(2)
    >>> en.add_vectors(["house", "and", "tree"], [[1, 0], [0, 1], [-1, 0.5]])
    >>> de.add_vectors(["haus", "und", "baum"], [[0, 1], [-1, 0], [-0.5, -1]])
    >>> joined = align({"en": en, "de": de}, {"house": ["haus"], "and": ["und"]})
    >>> joined["en"].most_similar_cross("tree", topn=1)[0][0]
    'baum'
    """
    _check(vectors, method, centre, dimensions)
    links = {
        codes: _known(vectors, codes, pairs) for codes, pairs in _links(vectors, dictionary).items()
    }
    pivot, *_ = vectors
    if method == "cca":
        other, anchors = _next([pivot], links)
        theirs, ours = (np.concatenate([anchor[side] for anchor in anchors]) for side in (0, 2))
        return _space_of(vectors, _correlated(vectors, (pivot, other), (ours, theirs), dimensions))
    prepare = centred if method == "procrustes" and centre else at_length_one
    fit = _rotation if method == "procrustes" else _translation_matrix
    rows = {code: prepare(kv.vectors) for code, kv in vectors.items()}
    placed = {pivot: rows[pivot]}
    while len(placed) < len(vectors):
        code, anchors = _next(placed, links)
        sources = np.concatenate([rows[code][mine] for mine, _, _ in anchors])
        targets = np.concatenate([placed[other][theirs] for _, other, theirs in anchors])
        filled = targets.any(axis=1)  # maps that are not determined can lead to zero
        if not filled.any():
            raise ConfigError(
                f"{code}: its {len(sources)} pairs are with words whose vectors were mapped to zero"
            )
        sources, targets = sources[filled], targets[filled]
        if len(sources) < sources.shape[1]:
            logger.warning(
                "%s: %i pairs for vectors of size %i do not determine the map",
                code, len(sources), sources.shape[1],
            )  # fmt: skip
        placed[code] = at_length_one(rows.pop(code) @ fit(sources, targets))
    return _space_of(vectors, placed)


def _check(
    vectors: Mapping[str, KeyedVectors], method: str, centre: bool, dimensions: int | None
) -> None:
    check_choice("method", method, METHODS)
    if not isinstance(vectors, Mapping):
        raise ConfigError(
            f"a mapping from languages to their vectors is wanted, got {type(vectors).__name__}"
        )
    check_languages(vectors)
    if len(vectors) < 2:
        raise ConfigError(f"two or more languages are wanted, got {list(vectors) or 'none'}")
    for code, kv in vectors.items():
        check_keyed(kv, repr(code))
        check_finite(kv, repr(code))
    sizes = {code: int(kv.vector_size) for code, kv in vectors.items()}
    if method == "procrustes" and len(set(sizes.values())) > 1:
        raise ConfigError(
            f"'procrustes' wants one vector size for all languages, got {sizes}; "
            "'cca' and 'translation_matrix' take several"
        )
    if method == "cca" and len(vectors) > 2:
        raise ConfigError(
            f"'cca' joins two languages, got {list(vectors)}; the other methods join several"
        )
    if centre not in (True, False):
        raise ConfigError(f"centre must be True or False, not {centre!r}")
    if method == "cca" and not centre:
        raise ConfigError("'cca' always centres: centre=False is for 'procrustes'")
    if dimensions is not None:
        if method != "cca":
            raise ConfigError(f"dimensions is for 'cca', not for {method!r}")
        check_number("dimensions", dimensions, whole=True, low=1, high=min(sizes.values()))


# ---- dictionaries


def _links(vectors: Mapping[str, KeyedVectors], dictionary: Pairs | Links) -> dict[Any, Any]:
    """Bring a dictionary to one form: from pairs of codes to pairs of words."""
    pivot, *others = vectors
    if dictionary is None:
        return {(pivot, other): None for other in others}
    if isinstance(dictionary, Mapping) and any(isinstance(key, tuple) for key in dictionary):
        for codes in dictionary:
            if not isinstance(codes, tuple) or len(set(codes)) != 2 or len(codes) != 2:
                raise ConfigError(
                    f"a dictionary's key must be two languages, like {(pivot, others[0])}, "
                    f"not {codes!r}"
                )
            for code in codes:
                if code not in vectors:
                    raise UnknownLanguageError(
                        f"no language {code!r} for the dictionary {codes}; there are "
                        f"{list(vectors)}"
                    )
        return dict(dictionary)
    if len(others) > 1:
        raise ConfigError(
            f"for the languages {list(vectors)} a dictionary must say which two it is for: "
            f"{{{(pivot, others[0])}: ..., ...}}"
        )
    return {(pivot, others[0]): dictionary}


def _word_pairs(pairs: Any, name: str) -> set[tuple[str, str]]:
    if isinstance(pairs, str | os.PathLike):
        pairs = read_dictionary(pairs)
    if isinstance(pairs, Mapping):
        check_dictionary(pairs, f"{name}: ")
        pairs = [(word, one) for word, translations in pairs.items() for one in translations]
    if not isinstance(pairs, Iterable):
        raise ConfigError(f"{name}: a dictionary is wanted, got {type(pairs).__name__}")
    found = set()
    for pair in pairs:
        if (
            not isinstance(pair, tuple | list)
            or len(pair) != 2
            or not all(isinstance(word, str) for word in pair)
        ):
            raise ConfigError(f"{name}: a pair of words is wanted, got {pair!r:.60}")
        found.add((pair[0], pair[1]))
    return found


def _known(
    vectors: Mapping[str, KeyedVectors], codes: tuple[str, str], pairs: Any
) -> tuple[_Rows, _Rows]:
    """Return the rows of the pairs that have vectors other than zero, in a fixed order."""
    one, other = (vectors[code] for code in codes)
    name = "-".join(codes)
    if pairs is None:
        given = [(word, word) for word in one.key_to_index if word in other.key_to_index]
        source = f"{len(given)} words spelt alike"
    else:
        given = sorted(_word_pairs(pairs, name))
        source = f"{len(given)} pairs of the dictionary"
    filled = [kv.vectors.any(axis=1) for kv in (one, other)]
    known = [
        [word in kv.key_to_index and bool(there[kv.key_to_index[word]]) for word in words]
        for kv, there, words in zip(
            (one, other), filled, zip(*given, strict=True) if given else ((), ()), strict=True
        )
    ]
    used = [pair for pair, *both in zip(given, *known, strict=True) if all(both)]
    coverage = f"{sum(known[0])} have a vector in {codes[0]!r}, {sum(known[1])} in {codes[1]!r}"
    if not used:
        raise ConfigError(
            f"{name}: none of the {source} has vectors in both languages ({coverage}); is it the "
            "other way round, or in another case?"
        )
    logger.log(
        logging.WARNING if len(used) < len(given) else logging.INFO,
        "%s: %i of the %s are used (%s)", name, len(used), source, coverage,
    )  # fmt: skip
    return (
        np.array([one.key_to_index[word] for word, _ in used]),
        np.array([other.key_to_index[word] for _, word in used]),
    )


def _next(
    placed: Collection[str], links: Mapping[tuple[str, str], tuple[_Rows, _Rows]]
) -> tuple[str, list[tuple[_Rows, str, _Rows]]]:
    """Find a language to map next, with its rows and theirs of all links to placed ones."""
    directed = [
        link
        for (one, other), (rows, columns) in links.items()
        for link in ((one, rows, other, columns), (other, columns, one, rows))
    ]
    for code, _, other, _ in directed:
        if code not in placed and other in placed:
            return code, [
                (mine, near, theirs)
                for far, mine, near, theirs in directed
                if far == code and near in placed
            ]
    raise ConfigError(
        f"no dictionary leads to the other languages from {list(placed)}; "
        f"there are dictionaries for {list(links)}"
    )


# ---- maps


def _rotation(sources: Matrix, targets: Matrix) -> Matrix:
    """Find the orthogonal W with the least ``|| X W - Y ||`` (Schönemann 1966)."""
    left, _, right = np.linalg.svd((sources.T @ targets).astype(np.float64))
    return np.asarray(left @ right, dtype=np.float32)


def _translation_matrix(sources: Matrix, targets: Matrix) -> Matrix:
    """Find the W with the least ``|| X W - Y ||``, by gensim."""
    from gensim.models.translation_matrix import TranslationMatrix

    names = [str(number) for number in range(len(sources))]
    sides = []
    for rows in (sources, targets):
        side = KeyedVectors(rows.shape[1])
        side.add_vectors(names, rows)
        sides.append(side)
    found = TranslationMatrix(*sides, word_pairs=list(zip(names, names, strict=True)))
    return np.asarray(found.translation_matrix, dtype=np.float32)


def _correlated(
    vectors: Mapping[str, KeyedVectors],
    codes: tuple[str, str],
    pairs: tuple[_Rows, _Rows],
    dimensions: int | None,
) -> dict[str, Matrix]:
    """Map two languages to the directions of largest canonical correlation.

    With ``X = U S V'`` the centred vectors of one language's words in the pairs, and the same for
    the other's, the correlations are the singular values of ``U1' U2 = P R Q'``, and the maps
    ``V1 S1^-1 P`` and ``V2 S2^-1 Q`` (Björck and Golub 1973).
    """
    sizes = [int(vectors[code].vector_size) for code in codes]
    if len(pairs[0]) <= max(sizes):
        raise ConfigError(
            f"{'-'.join(codes)}: 'cca' wants more pairs with vectors than the vectors have "
            f"dimensions ({max(sizes)}), got {len(pairs[0])}; 'procrustes' takes fewer"
        )
    prepared = [centred(vectors[code].vectors) for code in codes]
    bases, whitenings = [], []
    for code, rows, used in zip(codes, prepared, pairs, strict=True):
        sample = rows[used].astype(np.float64)
        left, scale, right = np.linalg.svd(sample - sample.mean(axis=0), full_matrices=False)
        spanned = scale > len(sample) * np.finfo(np.float32).eps
        if not spanned.any():
            raise ConfigError(f"{'-'.join(codes)}: the pairs have but one vector of {code!r}")
        bases.append(left[:, spanned])
        whitenings.append(right[spanned].T / scale[spanned])
    first, correlations, second = np.linalg.svd(bases[0].T @ bases[1], full_matrices=False)
    if dimensions is not None and dimensions > len(correlations):
        raise ConfigError(
            f"{'-'.join(codes)}: the pairs' vectors span {len(correlations)} dimensions, "
            f"{dimensions} are asked for"
        )
    kept = min(len(correlations), dimensions or max(1, round(0.8 * min(sizes))))
    logger.info(
        "%s: canonical correlations from %.3f to %.3f in %i dimensions",
        "-".join(codes), correlations[0], correlations[kept - 1], kept,
    )  # fmt: skip
    return {
        code: at_length_one(rows @ (whitening @ directions[:, :kept]).astype(np.float32))
        for code, rows, whitening, directions in zip(
            codes, prepared, whitenings, (first, second.T), strict=True
        )
    }


def _space_of(
    vectors: Mapping[str, KeyedVectors], rows: Mapping[str, Matrix]
) -> CrossLingualVectors:
    return CrossLingualVectors(
        {code: with_rows(kv, rows[code]) for code, kv in vectors.items()},
        vectors.aligned if isinstance(vectors, CrossLingualVectors) else None,
    )
