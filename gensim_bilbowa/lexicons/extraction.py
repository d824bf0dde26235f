"""From vectors, and parallel text where there is some, to a lexicon."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray

from gensim_bilbowa.corpora import EncodedCorpus, ParallelSentences
from gensim_bilbowa.corpora.watching import is_watched
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evidence import (
    SPELLING_WEIGHT,
    AlignedCounts,
    Cooccurrence,
    Evidence,
    Spelling,
    align,
    encode_sides,
    text_number,
    texts_between,
)
from gensim_bilbowa.lexicons.entries import LexiconEntry
from gensim_bilbowa.lexicons.lexicon import Lexicon
from gensim_bilbowa.parameters import check_choice, check_number
from gensim_bilbowa.running.stages import adding, stage, unreported
from gensim_bilbowa.vectors import CrossLingualKeyedVectors, CrossLingualVectors
from gensim_bilbowa.vectors.counts import word_counts
from gensim_bilbowa.vectors.retrieval import Matrix, Method, at_length_one, nearest
from gensim_bilbowa.vectors.space import refine_by

__all__ = ["LEXICON_METHODS", "LexiconMethod", "best_targets", "extract_lexicon"]

logger = logging.getLogger(__name__)

LexiconMethod: TypeAlias = Literal["cosine", "csls", "inverted_softmax", "hybrid", "llr"]
LEXICON_METHODS: tuple[LexiconMethod, ...] = get_args(LexiconMethod)
# Share of the words that are aligned.
_MOSTLY = 0.5
# Examples are the nearer to this length the better.
_EXAMPLE_WORDS = 10

Words: TypeAlias = NDArray[np.int64]


def best_targets(
    source: CrossLingualKeyedVectors,
    target: CrossLingualKeyedVectors,
    words: Words,
    targets: Words,
    topn: int,
    *,
    method: LexiconMethod = "csls",
    evidence: Evidence | None = None,
    counts: Cooccurrence | None = None,
    k: int = 10,
    beta: float = 30.0,
    report: Callable[[int], object] = unreported,
) -> tuple[Words, NDArray[np.float32]]:
    """Find the best translations of some words among some words of another language.

    Parameters
    ----------
    source, target : CrossLingualKeyedVectors
        Of one space.
    words, targets : ndarray of int64
        Indices of the words asked for, and of the candidates.
    topn : int
    method, k, beta
        As for :func:`extract_lexicon`.
    evidence : Evidence, optional
        Of the two vocabularies, which "hybrid" adds to CSLS.
    counts : Cooccurrence, optional
        Of the two vocabularies, which "llr" needs.
    report : callable
        Called with a number of words whenever so many more are done.

    Returns
    -------
    ndarray of int64 and ndarray of float32, both of shape (len(words), min(topn, len(targets)))
        Indices of words of `target`, best first, and their scores.
    """
    check_choice("method", method, LEXICON_METHODS)
    add: Callable[[Matrix, slice], None] | None = None
    if method == "llr":
        if counts is None:
            raise ConfigError(f"method {method!r} counts words in parallel text: pass parallel=")
        add = partial(_add_llr, counts.among(words, targets))
    elif method == "hybrid" and evidence is not None:
        add = evidence.among(words, targets).add_to

    def adjust(block: Matrix, rows: slice) -> None:
        if add is not None:
            add(block, rows)
        report(len(block))

    if method == "llr":
        # Without dimensions all cosines are 0, and cost nothing.
        nothing = np.zeros((len(words), 0), np.float32), np.zeros((len(targets), 0), np.float32)
        found, scores = nearest(*nothing, topn, add=adjust)
        return targets[found], scores
    by_vectors: Method = "csls" if method == "hybrid" else method
    scoring = source.scoring(target.language, by_vectors, k=k, beta=beta).among(targets)
    found, scores = nearest(
        _unit(source, words), _unit(target, targets), topn, scoring=scoring, add=adjust
    )
    if by_vectors == "csls":
        scores -= source.crowding(target.language, k)[words, None]
    return targets[found], scores


def _covered(aligned: Any) -> float:
    """Return the share of words that are aligned to any, of the side where it is less."""
    sides = zip(aligned.tocoo().coords, aligned.shape, strict=True)
    return min((len(np.unique(index)) / max(size, 1) for index, size in sides), default=0.0)


def _known(
    aligned: AlignedCounts, languages: tuple[str, str], texts: Sequence[ParallelSentences],
    sides: Sequence[tuple[EncodedCorpus, EncodedCorpus]],
) -> bool:  # fmt: skip
    """Say whether what is known of two languages is what these texts tell, and no more."""
    number = text_number(
        both if text.languages == languages else both[::-1]
        for text, both in zip(texts, sides, strict=True)
    )
    return aligned.knows(*languages, number) and len(aligned.texts(*languages)) == 1


def _add_llr(counts: Cooccurrence, block: Matrix, rows: slice) -> None:
    block += counts.llr(rows).toarray()


def _unit(vectors: CrossLingualKeyedVectors, words: Words) -> NDArray[np.float32]:
    if np.array_equal(words, np.arange(len(vectors))):
        return vectors.unit_vectors()
    vectors.fill_norms()
    return at_length_one(vectors.vectors[words], vectors.norms[words])


def extract_lexicon(
    vectors: Mapping[str, KeyedVectors],
    source: str,
    target: str,
    *,
    method: LexiconMethod = "hybrid",
    mutual: bool = True,
    topn: int = 1,
    min_score: float | None = None,
    min_count: int = 1,
    k: int = 10,
    beta: float = 30.0,
    parallel: Any = None,
    examples: int = 0,
    delimiter: str | None = None,
    spelling: float = SPELLING_WEIGHT,
    refine: bool | Literal["auto"] = "auto",
    workers: int = 1,
    progress: bool = False,
) -> Lexicon:
    """Make a lexicon: for each word of one language its best translations in another.

    Parameters
    ----------
    vectors : CrossLingualVectors, or mapping from str to KeyedVectors
        For example ``model.wv``.
    source, target : str
        Codes of the two languages.
    method : {"hybrid", "csls", "cosine", "inverted_softmax", "llr"}
        How candidates are scored: by vectors, see
        :meth:`~gensim_bilbowa.CrossLingualKeyedVectors.most_similar_cross`; by the log-likelihood
        ratio (LLR, Dunning 1993) of standing in the same sentence pairs of `parallel`; or "hybrid",
        ``CSLS + 0.2 log(1 + a) + 0.6 a / sqrt(b c) + spelling * likeness``, which is more accurate
        than either. Here a is how often the two words are expected to be aligned in sentence pairs,
        and b and c how often each is to any word (:func:`~gensim_bilbowa.evidence.align`); a model
        knows that of its training text. The likeness in spelling is the cosine of the words' sets
        of character trigrams, without case and accents.
    mutual : bool
        Keep a pair only if each of the two words is among the `topn` best of the other one.
    topn : int
        Most translations of a word.
    min_score : float, optional
        Leave out pairs that score less.
    min_count : int
        Leave out words that are rarer, on both sides, also as candidates.
    k, beta
        As for ``most_similar_cross``.
    parallel : ParallelSentences, list of them or dict, optional
        As for :class:`~gensim_bilbowa.BilBOWA`; other language pairs than this one do not matter.
        It is needed for "llr" and for examples. For "hybrid" it takes the place of the text that
        the vectors were trained on.
    examples : int
        Sentence pairs to give with each entry, from `parallel`; those of about ten words first.
    delimiter : str, optional
        What joins the parts of multi-word terms in the vocabulary, "_" for example; entries and
        examples have spaces in its place.
    spelling : float
        Weight of the likeness in spelling for "hybrid" and for refinement; 0 leaves it out.
    refine : bool or "auto"
        Whether to score by vectors that are refined first (:func:`~gensim_bilbowa.vectors.refine`),
        with the counts and the spelling as evidence. "auto" refines where fewer than half of
        the words of a language are aligned, or nothing is known of that, and goes on with what it
        gets if more words of the two languages then are each other's nearest. `vectors` stay as
        they are.
    workers : int
        Threads that read parallel text from files, and align it.
    progress : bool
        Show bars on standard error for what takes more than a moment.

    Returns
    -------
    Lexicon

    Raises
    ------
    ConfigError
        If "llr" or examples need parallel text and there is none; if `min_count` is asked for
        and the vectors have no counts; if no word is left.
    CorpusError
        If no sentence pair has known words on both sides.
    """
    topn = int(check_number("topn", topn, whole=True, low=1))
    examples = int(check_number("examples", examples, whole=True))
    min_count = int(check_number("min_count", min_count, whole=True))
    if min_score is not None:
        check_number("min_score", min_score, whole=False, low=-np.inf)
    if delimiter is not None and (not isinstance(delimiter, str) or not delimiter):
        raise ConfigError(f"delimiter must be a string of at least a character, not {delimiter!r}")
    check_number("spelling", spelling, whole=False)
    if refine not in (True, False, "auto"):
        raise ConfigError(f"refine must be True, False or 'auto', not {refine!r}")
    if not isinstance(vectors, CrossLingualVectors):
        vectors = CrossLingualVectors(vectors)
    ours = vectors[source]
    theirs = ours.other_language(target)
    words, targets = (_frequent(kv, min_count) for kv in (ours, theirs))
    if examples and parallel is None:
        raise ConfigError("examples are sentence pairs of parallel text: pass parallel=")
    texts = [] if parallel is None else texts_between(parallel, source, target)
    for text in texts if examples else ():
        text.require_restartable()
    refines = bool(refine) and method != "llr"
    if not (examples or refines or method in ("hybrid", "llr")):
        texts = []  # nobody asks
    sides = []
    # Who watches how far files are read, as the commands do, knows of this already.
    shows_encoding = progress and not is_watched()
    for text in texts:
        with stage("encoding", shown=shows_encoding, total=None, unit=" pairs") as report:
            sides.append(encode_sides(text, ours, theirs, workers, report))
    counts = None
    if sides and (examples or method == "llr"):
        counts = Cooccurrence.count(sides, (len(ours), len(theirs)))
    evidence = Evidence()
    if method == "hybrid" or refines:
        vocabularies = ours.index_to_key, theirs.index_to_key
        aligned = ours.aligned(target)
        if sides and not _known(vectors.aligned, (source, target), texts, sides):
            with stage("alignment", shown=progress) as report:
                aligned = align(sides, *vocabularies, workers=workers, report=report)
        alike = Spelling.compare(*vocabularies) if spelling else None
        evidence = Evidence.of(aligned, alike, spelling)
        # Where most words are aligned refinement was never better, and it takes long.
        refines &= refine is True or aligned is None or _covered(aligned) < _MOSTLY
    if refines:
        both = CrossLingualVectors({source: ours, target: theirs})
        with stage("refinement", shown=progress) as report:
            better = refine_by(
                both, {(source, target): evidence}, always=refine != "auto", k=k, report=report
            )
        ours, theirs = better[source], better[target]

    if method in ("csls", "hybrid"):
        with stage("neighbourhoods", shown=progress) as report:
            theirs.crowding(source, k, report=report)  # which is kept
    elif method == "inverted_softmax":
        with stage("neighbourhoods", shown=progress) as report:
            theirs.log_partition(source, beta, report=report)

    def best(
        one: CrossLingualKeyedVectors, other: CrossLingualKeyedVectors, asked: Words, among: Words,
        **given: Any,
    ) -> tuple[Words, NDArray[np.float32]]:  # fmt: skip
        name = f"{one.language}-{other.language}"
        with stage(name, shown=progress, total=len(asked), unit=" words") as report:
            return best_targets(
                one, other, asked, among, topn, method=method, k=k, beta=beta,
                report=adding(report), **given,
            )  # fmt: skip

    found, scores = best(ours, theirs, words, targets, evidence=evidence, counts=counts)
    kept = np.ones(scores.shape, bool) if min_score is None else scores >= min_score
    if method == "llr":
        kept &= scores > 0  # others never stand together
    if mutual:
        asked, place = np.unique(found, return_inverse=True)
        backwards, _ = best(
            theirs,
            ours,
            asked,
            words,
            evidence=evidence.turned(),
            counts=counts and counts.turned(),
        )
        for column, targets_of in enumerate(place.reshape(found.shape).T):
            kept[:, column] &= (backwards[targets_of] == words[:, None]).any(axis=1)
    rows, ranks = np.nonzero(kept)
    pairs = np.column_stack([words[rows], found[rows, ranks]])
    logger.info(
        "lexicon %s-%s by %s: %i pairs of %i and %i words",
        source, target, method, len(pairs), len(words), len(targets),
    )  # fmt: skip
    shown = _examples(texts, sides, counts, pairs, examples, (source, target))
    ours_count, theirs_count = (
        np.zeros(len(kv), np.int64) if (known := word_counts(kv)) is None else known
        for kv in (ours, theirs)
    )

    def term(text: str) -> str:
        return text if delimiter is None else text.replace(delimiter, " ")

    entries = [
        LexiconEntry(
            term(ours.index_to_key[a]), term(theirs.index_to_key[b]), score, rank + 1,
            int(ours_count[a]), int(theirs_count[b]),
            tuple((term(left), term(right)) for left, right in sentences),
        )
        for (a, b), score, rank, sentences in zip(
            pairs.tolist(), scores[rows, ranks].tolist(), ranks.tolist(), shown, strict=True
        )
    ]  # fmt: skip
    return Lexicon((source, target), entries, method)


def _frequent(vectors: CrossLingualKeyedVectors, min_count: int) -> Words:
    if min_count <= 1:
        return np.arange(len(vectors))
    counts = word_counts(vectors)
    if counts is None:
        raise ConfigError(
            f"min_count={min_count}, but the {vectors.language!r} vectors have no word counts"
        )
    words = np.flatnonzero(counts >= min_count)
    if not len(words):
        raise ConfigError(
            f"none of the {len(vectors)} {vectors.language!r} words has a count of {min_count}"
        )
    return words


def _examples(
    texts: Sequence[ParallelSentences], sides: Sequence[tuple[EncodedCorpus, EncodedCorpus]],
    counts: Cooccurrence | None, pairs: NDArray[np.int64], number: int,
    languages: tuple[str, str],
) -> list[list[tuple[str, str]]]:  # fmt: skip
    """Choose sentence pairs for each pair of words, then read them."""
    if not number or counts is None:
        return [[] for _ in pairs]
    left, right = (np.concatenate([part[side].lengths for part in sides]) for side in (0, 1))
    oddness = abs(left - _EXAMPLE_WORDS) + abs(right - _EXAMPLE_WORDS)
    chosen = []
    for word, target in pairs.tolist():
        both = counts.sentences(word, target)
        chosen.append(both[np.argsort(oddness[both], kind="stable")[:number]].tolist())
    wanted = {sentence for sentences in chosen for sentence in sentences}
    read: dict[int, tuple[str, str]] = {}
    start = 0
    for text, part in zip(texts, sides, strict=True):
        step = 1 if text.languages == languages else -1
        for sentence, pair in enumerate(text, start=start):
            if sentence in wanted:
                a, b = (" ".join(tokens) for tokens in pair[::step])
                read[sentence] = (a, b)
        start += len(part[0])
    return [[read[sentence] for sentence in sentences] for sentences in chosen]
