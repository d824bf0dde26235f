"""How the text of each language was split into words, kept with the vectors learnt from it."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping
from typing import Any, Literal, TypeAlias

from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.tokenization.codes import primary
from gensim_bilbowa.tokenization.tokenizer import Tokenizer

__all__ = ["OWN", "TOKENS", "Split", "Tokenizers", "Way"]

logger = logging.getLogger(__name__)

Split: TypeAlias = Callable[[str], list[str]]
Way: TypeAlias = Tokenizer | Literal["own"] | None

# A function that is not saved.
OWN: Literal["own"] = "own"
# In place of a function, where text comes as lists of tokens: nobody knows what has split it.
TOKENS = object()


class Tokenizers(MutableMapping[str, Way]):
    """A mapping from languages to what splits their text.

    It is a :class:`~gensim_bilbowa.Tokenizer`; None for text that is split at white space, or that
    came as lists of tokens; or "own" for another function, which is not kept. A language of which
    nothing is known, as in models of earlier versions, is not there. Set what it does not know:
    ``model.tokenizers["de"] = Tokenizer("de")`` for lists of tokens that this has made.

    Parameters
    ----------
    ways : mapping from str to Tokenizer, function, "own" or None

    Examples
    --------
    >>> ways = Tokenizers({"en": Tokenizer("en"), "de": None, "fr": lambda text: text.split("|")})
    >>> ways["en"]("Don't!")
    ["don't", '!']
    >>> ways["fr"]
    'own'
    """

    def __init__(self, ways: Mapping[str, Any] | None = None) -> None:
        # A tokenizer's parameters: it is made when it is asked for, since that may need packages.
        self._entries: dict[str, Any] = {}
        self._made: dict[str, Tokenizer] = {}
        if isinstance(ways, Tokenizers):
            self._entries.update(ways._entries)
        else:
            self.update(ways or {})

    def __getitem__(self, language: str) -> Way:
        entry: Any = self._entries[language]
        if not isinstance(entry, Mapping):
            return OWN if entry == OWN else None
        if language not in self._made:
            self._made[language] = Tokenizer(**entry)
        return self._made[language]

    def __setitem__(self, language: str, way: Any) -> None:
        if way is not None and way != OWN and not callable(way):
            raise ConfigError(
                f"tokenizers[{language!r}] must be a Tokenizer, another function of a text, None "
                f"or 'own', not {way!r:.60}"
            )
        self._entries[language] = _entry(way)
        self._made.pop(language, None)

    def __delitem__(self, language: str) -> None:
        del self._entries[language]
        self._made.pop(language, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, language: object) -> bool:
        return language in self._entries

    def __repr__(self) -> str:
        inner = ", ".join(f"{code}: {_name(entry)}" for code, entry in self._entries.items())
        return f"Tokenizers<{inner or 'none'}>"

    def __reduce__(self) -> Any:
        return _restored, (self.document(),)

    def describe(self) -> dict[str, str]:
        """Return in words what splits each language's text."""
        return {code: _name(entry) for code, entry in self._entries.items()}

    def document(self) -> dict[str, Any]:
        """Return what is saved: for each language a tokenizer's parameters, "own" or None."""
        return dict(self._entries)

    @classmethod
    def of_document(cls, document: Any, languages: Collection[str], where: str) -> Tokenizers:
        """Return what was saved of some languages.

        Raises
        ------
        FormatError
            Naming `where`, if it is not what :meth:`document` gives.
        """
        if not isinstance(document, dict) or not document.keys() <= set(languages):
            raise FormatError(
                f"{where}: tokenizers must map languages of {list(languages)} to parameters, not "
                f"be {document!r:.60}"
            )
        for code, entry in document.items():
            try:
                if isinstance(entry, dict):
                    Tokenizer.check(entry)
                elif entry is not None and entry != OWN:
                    raise ConfigError(f"parameters, 'own' or null are wanted, not {entry!r:.60}")
            except ConfigError as error:
                raise FormatError(f"{where}: the tokenizer of {code!r}: {error}") from error
        return _restored(document)

    def take_note(self, sources: Iterable[tuple[str, str, Any]]) -> None:
        """Take note of what splits a text; warn if a language's is split in different ways.

        Parameters
        ----------
        sources : iterable of (str, str, callable or None)
            The language, the name and what splits it of each part of the text, `TOKENS` if it
            comes as tokens. What is known already stays; else the first one counts.
        """
        found: dict[str, dict[str, tuple[Any, str]]] = {}
        for code, where, way in sources:
            ways = found.setdefault(code, {})
            if way is not TOKENS:
                entry = _entry(way)
                ways.setdefault(_likeness(entry), (entry, f"{where} ({_name(entry)})"))
        for code, ways in found.items():
            first = next((entry for entry, _ in ways.values()), None)
            kept = self._entries.setdefault(code, first)
            if ways.keys() - {_likeness(kept)}:
                logger.warning(
                    "%r: text is split into words in different ways, so that the same word may not "
                    "be written alike: %s; the model remembers %s. --tokenize, in Python "
                    "tokenizer=, splits all in one way",
                    code, ", ".join(text for _, text in ways.values()), _name(kept),
                )  # fmt: skip


def _restored(entries: Mapping[str, Any]) -> Tokenizers:
    made = Tokenizers()
    made._entries.update(entries)
    return made


def _entry(way: Any) -> Any:
    if way is None or way is str.split:
        return None
    return way.options() if type(way) is Tokenizer else OWN


def _likeness(entry: Any) -> str:
    """Return the same for what splits text in the same way."""
    if isinstance(entry, Mapping):
        entry = {**entry, "lang": primary(entry.get("lang"))}
    return json.dumps(entry, sort_keys=True)


def _name(entry: Any) -> str:
    if isinstance(entry, Mapping):
        return Tokenizer.written(entry)
    return "a function of its own" if entry == OWN else "white space"
