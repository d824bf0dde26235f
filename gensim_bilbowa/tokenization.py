"""Splitting running text into tokens, for text that does not come as tokens."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from gensim_bilbowa.errors import ConfigError

__all__ = ["Tokenizer"]

# Languages in which an article or preposition loses its vowel before one: l'homme, dell'acqua.
_ELIDING = {
    "ca", "co", "fr", "fur", "it", "lij", "lmo", "oc", "pms", "sc", "scn", "srd", "vec",
}  # fmt: skip
_DOTTED_I = {"tr", "az", "crh"}
_TATWEEL = "\u0640"

# In this order: addresses, numbers, words with inner apostrophes and hyphens, anything else (a
# letter with all its marks, or an emoji, is one).
_PATTERN = r"""
    https?://[^\s<>"]+ | www\.[^\s<>"]+ | [\w.+-]+@[\w-]+(?:\.[\w-]+)+
  | \p{N}+(?:[.,:/]\p{N}+)*(?![\p{L}\p{M}])
  | [\p{L}\p{N}_][\p{L}\p{M}\p{N}_\u200c\u200d]*
    (?:['\u05f4\u05f3\u00b7\-][\p{L}\p{N}][\p{L}\p{M}\p{N}_\u200c\u200d]*)*
  | \X
"""


class Tokenizer:
    """Splits text of one language into tokens: words, numbers and signs.

    Words keep their inner apostrophes and hyphens (*don't*, *well-known*), numbers their points and
    commas; addresses stay whole. What is lost before a vowel is a token of its own in languages
    that write it so (*l'* *homme*). Text is brought to Unicode's normal form NFC first.

    Parameters
    ----------
    lang : str, optional
        Code of the language. Chinese (zh), Japanese (ja) and Thai (th) are split into words by the
        packages jieba, janome and pythainlp, which must be installed.
    lowercase : bool
        By the rules of Turkish, Azerbaijani and Crimean Tatar where `lang` is one of them.
    characters : bool
        Split text without spaces (zh, ja, th) into characters, without any package.

    Raises
    ------
    ImportError
        If a package is missing: ``regex`` comes with ``gensim_bilbowa[text]``.

    Examples
    --------
    >>> Tokenizer("en")("Don't pay $3.50 for a well-known book!")
    ["don't", 'pay', '$', '3.50', 'for', 'a', 'well-known', 'book', '!']
    >>> Tokenizer("fr", lowercase=False)("L’homme d'aujourd'hui")
    ["L'", 'homme', "d'", "aujourd'hui"]
    """

    def __init__(
        self, lang: str | None = None, *, lowercase: bool = True, characters: bool = False
    ) -> None:
        if lang is not None and (not isinstance(lang, str) or not lang):
            raise ConfigError(f"lang must be a language code or None, not {lang!r}")
        self.lang = lang
        self.lowercase = lowercase
        self.characters = characters
        primary = (lang or "").replace("_", "-").lower().split("-")[0]
        self._dotted = primary in _DOTTED_I
        self._eliding = primary in _ELIDING
        self._unspaced = primary if primary in _SEGMENTERS else None
        self._find = _pattern().findall
        self._segment = (
            list if characters else _SEGMENTERS[self._unspaced]() if self._unspaced else None
        )

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        text = unicodedata.normalize("NFC", text).replace(_TATWEEL, "").replace("\u2019", "'")
        if self.lowercase:
            if self._dotted:
                text = text.replace("İ", "i").replace("I", "ı")
            # Lower-casing may take letters apart.
            text = unicodedata.normalize("NFC", text.lower())
        tokens = [token for token in self._find(text) if not token.isspace()]
        if self._eliding:
            tokens = [part for token in tokens for part in _elided(token)]
        if self._unspaced and self._segment is not None:
            tokens = [
                part
                for token in tokens
                for part in (self._segment(token) if not token.isascii() else [token])
                if not part.isspace()
            ]
        return tokens

    def __repr__(self) -> str:
        return f"Tokenizer({self.lang!r}, lowercase={self.lowercase})"

    def __reduce__(self) -> Any:
        return _made, (self.lang, self.lowercase, self.characters)


def _made(lang: str | None, lowercase: bool, characters: bool) -> Tokenizer:
    return Tokenizer(lang, lowercase=lowercase, characters=characters)


def _elided(token: str) -> list[str]:
    """Split after what has lost its vowel; words that have an apostrophe of their own stay."""
    before, apostrophe, after = token.partition("'")
    # aujourd'hui, prud'homme: the first part is no article or preposition.
    if not apostrophe or not before.isalpha() or len(before) > 5:
        return [token]
    return [before + "'", *(_elided(after) if after else [])]


@lru_cache(maxsize=1)
def _pattern() -> Any:
    try:
        import regex
    except ImportError as error:
        raise ImportError(
            "a tokenizer needs the package regex: pip install 'gensim_bilbowa[text]'"
        ) from error
    return regex.compile(_PATTERN, regex.VERBOSE)


def _missing(package: str, lang: str, error: ImportError) -> ImportError:
    return ImportError(
        f"words of {lang!r} are found by the package {package}: pip install {package}, or split "
        "into characters: Tokenizer(..., characters=True)"
    ).with_traceback(error.__traceback__)


def _chinese() -> Callable[[str], list[str]]:
    try:
        import jieba
    except ImportError as error:
        raise _missing("jieba", "zh", error) from error
    return jieba.lcut  # type: ignore[no-any-return]


def _japanese() -> Callable[[str], list[str]]:
    try:
        from janome.tokenizer import Tokenizer as Janome
    except ImportError as error:
        raise _missing("janome", "ja", error) from error
    tokenizer = Janome(wakati=True)
    return lambda text: [str(token) for token in tokenizer.tokenize(text)]


def _thai() -> Callable[[str], list[str]]:
    try:
        from pythainlp import word_tokenize
    except ImportError as error:
        raise _missing("pythainlp", "th", error) from error
    return word_tokenize  # type: ignore[no-any-return]


_SEGMENTERS: dict[str, Callable[[], Callable[[str], list[str]]]] = {
    "zh": _chinese,
    "ja": _japanese,
    "th": _thai,
}
