"""The corpus and its gold dictionary."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Generic, TypeVar

from gensim_bilbowa.datasets._grammar import Grammar
from gensim_bilbowa.datasets._lexicon import cells
from gensim_bilbowa.files.staging import staged

LANGUAGES = ("en", "de", "es")

Item = TypeVar("Item", covariant=True)


def _position(language: str) -> int:
    if language not in LANGUAGES:
        raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, got {language!r}")
    return LANGUAGES.index(language)


def _integer(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an int, got {value!r} of type {type(value).__name__}")
    return value


class _View(Generic[Item]):
    """A projection of the corpus that starts anew at each iteration."""

    def __init__(
        self, corpus: "SyntheticCorpus", project: Callable[[tuple[list[str], ...]], Item]
    ) -> None:
        self._corpus = corpus
        self._project = project

    def __len__(self) -> int:
        return len(self._corpus)

    def __iter__(self) -> Iterator[Item]:
        return map(self._project, self._corpus._all_languages())


class SyntheticCorpus:
    """Parallel sentences of English, German and Spanish from a grammar.

    The sentences come from a fixed lexicon of a few hundred senses and are the same on every
    machine; the first sentences of a larger corpus are those of a smaller one with the same seed.
    Nothing is kept in memory: each iteration generates the sentences again.

    Parameters
    ----------
    n_sentences : int, optional
        Number of sentences, at least 1.
    seed : int, optional
        Seed of the random choices, at least 0.
    languages : sequence of str, optional
        Distinct languages out of ``"en"``, ``"de"`` and ``"es"``, in the order of the tuples.
        The sentences do not depend on it.

    Raises
    ------
    TypeError
        If `n_sentences` or `seed` is no int, or `languages` is a str.
    ValueError
        If `n_sentences` or `seed` is too small, or `languages` is empty, repeats a language or
        has an unknown one.

    Notes
    -----
    Tokens are truecased: a word has a capital only if it has one inside a sentence (German nouns,
    names, English *I* and weekdays), so that no word has a second spelling at the start of a
    sentence. Punctuation marks are tokens.

    Examples
    --------
    >>> from gensim_bilbowa.datasets import SyntheticCorpus
    >>> corpus = SyntheticCorpus(3, seed=2)
    >>> for english, german, spanish in corpus:
    ...     print(" ".join(english), "|", " ".join(german), "|", " ".join(spanish))
    my uncle is a player . | mein Onkel ist Spieler . | mi tío es jugador .
    which bicycles does the doctor repair ? | welche Fahrräder repariert der Arzt ? | ¿ qué bicis
    repara el médico ?
    I am happy . | ich bin glücklich . | estoy feliz .
    """

    def __init__(
        self, n_sentences: int = 20_000, *, seed: int = 1, languages: Sequence[str] = LANGUAGES
    ) -> None:
        if _integer("n_sentences", n_sentences) < 1:
            raise ValueError(f"n_sentences must be at least 1, got {n_sentences}")
        if _integer("seed", seed) < 0:
            raise ValueError(f"seed must be at least 0, got {seed}")
        if isinstance(languages, str):
            raise TypeError(f"languages must be a sequence of str, got the str {languages!r}")
        if not languages or len(set(languages)) < len(languages):
            raise ValueError(f"languages must be distinct and at least one, got {languages!r}")
        self._positions = [_position(language) for language in languages]
        self.n_sentences = n_sentences
        self.seed = seed
        self.languages = tuple(languages)

    def __len__(self) -> int:
        return self.n_sentences

    def __iter__(self) -> Iterator[tuple[list[str], ...]]:
        positions = self._positions
        for sentence in self._all_languages():
            yield tuple([sentence[position] for position in positions])

    def __repr__(self) -> str:
        return (
            f"SyntheticCorpus({self.n_sentences}, seed={self.seed}, languages={self.languages!r})"
        )

    def _all_languages(self) -> Iterator[tuple[list[str], ...]]:
        return islice(Grammar(self.seed), self.n_sentences)

    def _own_position(self, language: str) -> int:
        if language not in self.languages:
            raise ValueError(
                f"language must be one of {', '.join(self.languages)}, got {language!r}"
            )
        return _position(language)

    def sentences(self, lang: str) -> Iterable[list[str]]:
        """Return the sentences of one language, restartable.

        Parameters
        ----------
        lang : str
            One of the languages of the corpus.

        Returns
        -------
        iterable of list of str
            One list of tokens a sentence; each iteration starts at the first sentence.

        Raises
        ------
        ValueError
            If `lang` is not a language of the corpus.

        Examples
        --------
        >>> from gensim_bilbowa.datasets import SyntheticCorpus
        >>> [len(tokens) for tokens in SyntheticCorpus(3, seed=2).sentences("de")]
        [5, 6, 4]
        """
        return _View(self, itemgetter(self._own_position(lang)))

    def pairs(self, source: str, target: str) -> Iterable[tuple[list[str], list[str]]]:
        """Return the sentence pairs of two languages, restartable.

        Parameters
        ----------
        source, target : str
            Languages of the corpus.

        Returns
        -------
        iterable of (list of str, list of str)
            Tokens of the two languages; each iteration starts at the first sentence.

        Raises
        ------
        ValueError
            If `source` or `target` is not a language of the corpus, or both are the same.

        Examples
        --------
        >>> from gensim_bilbowa.datasets import SyntheticCorpus
        >>> for german, spanish in SyntheticCorpus(1, seed=2).pairs("de", "es"):
        ...     print(german, spanish)
        ['mein', 'Onkel', 'ist', 'Spieler', '.'] ['mi', 'tío', 'es', 'jugador', '.']
        """
        positions = self._own_position(source), self._own_position(target)
        if source == target:
            raise ValueError(f"source and target must differ, both are {source!r}")
        return _View(self, itemgetter(*positions))

    def write(self, folder: str | os.PathLike[str]) -> dict[str, Path]:
        r"""Write one file a language, ``train.<language>``, for tools that read files.

        Files that are there are replaced when all is written.

        Parameters
        ----------
        folder : str or path
            Folder of the files; made if absent.

        Returns
        -------
        dict of str to pathlib.Path
            The path of each language's file: UTF-8, one sentence a line, tokens between spaces,
            lines ended by ``\n``.

        Raises
        ------
        OSError
            If the files cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> from gensim_bilbowa.datasets import SyntheticCorpus
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     paths = SyntheticCorpus(2, seed=2).write(folder)
        ...     print(paths["es"].name, len(paths["es"].read_text(encoding="utf-8").splitlines()))
        train.es 2
        """
        Path(folder).mkdir(parents=True, exist_ok=True)
        paths = {language: Path(folder) / f"train.{language}" for language in self.languages}
        with staged(*paths.values()) as places, ExitStack() as stack:
            streams = [
                stack.enter_context(place.open("w", encoding="utf-8", newline="\n"))
                for place in places
            ]
            for sentence in self:
                for stream, tokens in zip(streams, sentence, strict=True):
                    stream.write(" ".join(tokens) + "\n")
        return paths


@cache
def _dictionary(source: int, target: int) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for cell in cells():
        for word in cell[source]:
            found.setdefault(word, set()).update(cell[target])
    return {word: frozenset(found[word]) for word in sorted(found) if found[word]}


def dictionary(source: str, target: str) -> dict[str, set[str]]:
    """Return the gold dictionary of the synthetic corpus.

    It follows from the lexicon alone, whatever sentences are drawn. Forms translate each other if
    they stand for the same sense with the same number, person and tense; where a language does not
    mark a distinction, all forms count (English *red*: *rot*, *rote*, *roten*, ...).

    Parameters
    ----------
    source, target : str
        Two different languages out of ``"en"``, ``"de"`` and ``"es"``.

    Returns
    -------
    dict of str to set of str
        All right translations of each source word form, as a copy.

    Raises
    ------
    ValueError
        If a language is unknown or both are the same.

    Examples
    --------
    >>> from gensim_bilbowa.datasets import dictionary
    >>> sorted(dictionary("en", "es")["bank"])
    ['banco', 'orilla']
    """
    positions = _position(source), _position(target)
    if source == target:
        raise ValueError(f"source and target must differ, both are {source!r}")
    return {word: set(words) for word, words in _dictionary(*positions).items()}
