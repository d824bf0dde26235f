"""The vectors of several languages in one space."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any

from gensim.models import KeyedVectors

from gensim_bilbowa.errors import ConfigError, UnknownLanguageError
from gensim_bilbowa.evidence import AlignedCounts
from gensim_bilbowa.formats.assembly import check_finite, check_keyed
from gensim_bilbowa.formats.dispatch import Format, Source, read_languages, write_languages
from gensim_bilbowa.tokenizers import Tokenizers
from gensim_bilbowa.vectors.keyed import CrossLingualKeyedVectors
from gensim_bilbowa.vectors.subwords import adopt

__all__ = ["CrossLingualVectors"]


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
        :class:`~gensim_bilbowa.tokenizers.Tokenizers`. It is copied.

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
        from gensim_bilbowa.vectors.refinement import refine  # makes a new space: builds on this

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
