"""The vectors of several languages in one space, and what refining makes of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from copy import copy
from itertools import combinations
from typing import Any

from gensim.models import KeyedVectors

from gensim_bilbowa.corpora import collect_parallel
from gensim_bilbowa.errors import ConfigError, UnknownLanguageError
from gensim_bilbowa.evidence import (
    SPELLING_WEIGHT,
    AlignedCounts,
    Evidence,
    Spelling,
    count_pairs,
)
from gensim_bilbowa.formats.assembly import check_finite, check_keyed
from gensim_bilbowa.formats.dispatch import Format, Source, read_languages, write_languages
from gensim_bilbowa.parameters import check_number
from gensim_bilbowa.tokenization.tokenizers import Tokenizers
from gensim_bilbowa.vectors.keyed import CrossLingualKeyedVectors
from gensim_bilbowa.vectors.refinement import (
    MAX_WORDS,
    Evidences,
    check_settings,
    refined_if_better,
    refined_with,
)
from gensim_bilbowa.vectors.subwords import adopt

__all__ = ["CrossLingualVectors", "refine", "refine_by"]


class CrossLingualVectors(Mapping[str, CrossLingualKeyedVectors]):
    """A mapping from language codes to the languages' vectors.

    Parameters
    ----------
    vectors : mapping from str to gensim.models.KeyedVectors
        Of one space and size, for example loaded from word2vec files that a model saved. Arrays
        are shared, the given objects stay as they are.
    aligned : AlignedCounts, optional
        How often words of the languages are aligned in sentence pairs, by their places in the
        vocabularies. It is copied, its arrays are shared.
    tokenizers : mapping from str to Tokenizer, function or None, optional
        What has split the text of each language, see
        :class:`~gensim_bilbowa.tokenization.tokenizers.Tokenizers`. It is copied.

    Attributes
    ----------
    aligned : AlignedCounts
        As given, or what a model has counted; saved and loaded with the vectors.
    tokenizers : Tokenizers
        As given, or what a model has taken note of; saved and loaded with the vectors.

    Raises
    ------
    ConfigError
        If vectors differ in size or are not finite; if `aligned` has other languages, or more words
        than a language has.

    Examples
    --------
    >>> import numpy as np
    >>> from gensim.models import KeyedVectors
    >>> en, de = KeyedVectors(2), KeyedVectors(2)
    >>> en.add_vectors(["house"], np.eye(2)[:1])
    >>> de.add_vectors(["haus", "und"], np.eye(2))
    >>> vectors = CrossLingualVectors({"en": en, "de": de})
    >>> vectors["en"].most_similar_cross("house", topn=1)
    [('haus', 1.0)]
    """

    def __init__(
        self, vectors: Mapping[str, KeyedVectors], aligned: AlignedCounts | None = None,
        tokenizers: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        for code, kv in vectors.items():
            check_keyed(kv, repr(code))
        sizes = {code: kv.vector_size for code, kv in vectors.items()}
        if len(set(sizes.values())) > 1:
            raise ConfigError(f"one vector size is wanted for all languages, got {sizes}")
        self._languages: dict[str, CrossLingualKeyedVectors] = {}
        self.aligned = AlignedCounts()
        self.tokenizers = Tokenizers(tokenizers)
        for code, kv in vectors.items():
            check_finite(kv, repr(code))
            adopted = adopt(kv, code)
            # So that words added here are not added there, where the array stays as it is.
            adopted.index_to_key = list(kv.index_to_key)
            adopted.key_to_index = dict(kv.key_to_index)
            self.join(code, adopted)
        if aligned is not None:
            if not isinstance(aligned, AlignedCounts):
                raise ConfigError(
                    f"aligned must be AlignedCounts or None, got {type(aligned).__name__}"
                )
            aligned.check({code: len(kv) for code, kv in self.items()})
            self.aligned = copy(aligned)

    def join(self, language: str, vectors: CrossLingualKeyedVectors) -> None:
        """Add a language, or put new vectors in its place.

        If these have other words, or the same in another order, the language's aligned words are
        forgotten.
        """
        before = self._languages.get(language)
        if before is not None and before.index_to_key != vectors.index_to_key:
            self.aligned.forget(language)
        vectors.language = language
        vectors._space = self
        self._languages[language] = vectors

    def save(self, path: str | os.PathLike[str], format: Format | None = None) -> None:
        """Save the vectors of all languages, `aligned` and `tokenizers`; :meth:`load` reads them.

        What was saved there before is replaced when the new files are complete.

        Parameters
        ----------
        path : str or path-like
            A file named ``*.safetensors``, else a folder.
        format : {None, "text", "binary", "safetensors"}
            None tells by the name: "safetensors" for ``.safetensors``, else "text". "text" and
            "binary" are word2vec's formats in a folder, with a file of vectors and one of counts
            for each language, and one of aligned words for each pair of languages that has some
            (:mod:`gensim_bilbowa.formats.folder`); text is what fastText, MUSE
            and VecMap read. "safetensors" is one file (:mod:`gensim_bilbowa.formats.safe`), which
            holds any word and all numbers that the words have with them; it needs the package
            safetensors.

        Raises
        ------
        FormatError
            If the format cannot hold a word, which is named with its language.
        FileExistsError
            If a file is in the way that is not from an earlier save.
        ImportError
            If safetensors is wanted and not there.
        """
        write_languages(path, self._languages, self.aligned, self.tokenizers, format)

    @classmethod
    def load(
        cls, source: Source, *, limit: int | None = None, errors: str = "strict",
        trusted: bool = False,
    ) -> CrossLingualVectors:  # fmt: skip
        r"""Load vectors that :meth:`save` has written, or files of one language each.

        Nothing in the files is run: pickles, gensim's own files among them, are refused unless
        they are `trusted`.

        Parameters
        ----------
        source : str, path-like or mapping from str to str or path-like
            What was saved, whatever its format; or a word2vec, fastText or GloVe file for each
            language, as in ``{"en": "wiki.en.vec", "de": "wiki.de.vec.gz"}``, of vectors that are
            in one space already (see :func:`gensim_bilbowa.formats.read_vectors`). The words'
            counts are read where they stand beside a file, those of ``wiki.en.vec`` in
            ``wiki.en.counts``.
        limit : int, optional
            Read the first `limit` words of each language only.
        errors : {"strict", "replace", "ignore"}
            What to do about words of word2vec files that are not UTF-8, as in
            :meth:`bytes.decode`.
        trusted : bool
            Also take, as the file of a language, one that gensim's ``save`` wrote. Such a file is
            a pickle: reading it **runs any code that is in it**. Give True only for files that
            you, or people whom you trust, have made.

        Raises
        ------
        FormatError
            If a file is not what its format says; the message names the file and the place.
        FileNotFoundError
            If there is no such file or folder.
        ImportError
            If safetensors is needed and not there.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "wiki.en.vec").write_text("1 2\nhouse 1 0\n", encoding="utf-8")
        >>> _ = (folder / "wiki.de.vec").write_text("1 2\nhaus 2 0\n", encoding="utf-8")
        >>> vectors = CrossLingualVectors.load(
        ...     {"en": folder / "wiki.en.vec", "de": folder / "wiki.de.vec"}
        ... )
        >>> vectors.save(folder / "vectors")
        >>> CrossLingualVectors.load(folder / "vectors")
        CrossLingualVectors<en: 1 words, de: 1 words>
        """
        return cls(*read_languages(source, limit=limit, errors=errors, trusted=trusted))

    def refine(self, **options: Any) -> CrossLingualVectors:
        """Return these vectors refined by the translations they find themselves, if better.

        Parameters
        ----------
        **options
            As for :func:`gensim_bilbowa.vectors.refine`: `rounds`, `k`, `max_words`, `reweight`,
            `spelling`, `parallel`, `always`.
        """
        return refine(self, **options)

    def __getitem__(self, language: str) -> CrossLingualKeyedVectors:
        try:
            return self._languages[language]
        except KeyError:
            raise UnknownLanguageError(
                f"no language {language!r}; there are {sorted(self._languages) or 'none'}"
            ) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._languages)

    def __len__(self) -> int:
        return len(self._languages)

    def __contains__(self, language: object) -> bool:
        return language in self._languages

    def __reduce__(self) -> Any:
        # Each language's vectors are pickled as plain ones and adopted anew.
        return type(self), (dict(self._languages), self.aligned, self.tokenizers)

    def __repr__(self) -> str:
        inner = ", ".join(f"{code}: {len(kv):,} words" for code, kv in self.items())
        return f"CrossLingualVectors<{inner}>"


def refine(
    vectors: CrossLingualVectors,
    *,
    rounds: int = 4,
    k: int = 10,
    max_words: int | None = MAX_WORDS,
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
    check_settings(vectors, rounds, k, max_words, reweight)
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
    return refine_by(
        vectors, evidences, always=always, rounds=rounds, k=k, max_words=max_words,
        reweight=reweight,
    )  # fmt: skip


def refine_by(
    vectors: CrossLingualVectors, evidences: Evidences, *, always: bool = False, **settings: Any
) -> CrossLingualVectors:
    """Refine by evidence that is there already; see :func:`refine`.

    Parameters
    ----------
    evidences : mapping from (str, str) to Evidence
        For each pair of languages, in their order.
    always
        As for :func:`refine`.
    **settings
        As for :func:`~gensim_bilbowa.vectors.refinement.refined_with`.
    """
    improve = refined_with if always else refined_if_better
    better = improve(vectors, evidences, **settings)
    if better is None:
        return vectors
    return CrossLingualVectors(better, vectors.aligned, vectors.tokenizers)
