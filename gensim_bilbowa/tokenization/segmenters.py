"""Packages that find the words of a language that is written without spaces."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.tokenization.patterns import compiled

__all__ = ["segmenter"]


def segmenter(lang: str, characters: bool) -> Callable[[str], list[str]]:
    """Return what splits text without spaces into words, or into characters."""
    if characters:
        characters_of: Callable[[str], list[str]] = compiled(r"\X").findall
        return characters_of
    if lang not in _SEGMENTERS:
        raise ConfigError(
            f"words of {lang!r} have no spaces between them, and no package is known that finds "
            "them: split into characters, Tokenizer(..., characters=True), or pass a function of "
            "your own"
        )
    return _SEGMENTERS[lang]()


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
    return partial(word_tokenize, keep_whitespace=False)


_SEGMENTERS: dict[str, Callable[[], Callable[[str], list[str]]]] = {
    "zh": _chinese,
    "ja": _japanese,
    "th": _thai,
}
