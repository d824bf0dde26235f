"""Which words a term may have: none that are only there for the grammar, no numbers, no signs."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.terminology.emptiness import emptiness
from gensim_bilbowa.terminology.general import GeneralLanguage, bare
from gensim_bilbowa.terminology.written import WrittenText

__all__ = ["WordKinds", "is_word"]

# Of the most frequent words of a language the first hold no meaning, of the others only some.
_EMPTY = 40
_LIGHT = 150
# Without counts of the language: how sure a word must be one of the grammar.
_SURELY = 0.8
_MAYBE = 0.3
_LETTERS = {"Lu", "Ll", "Lt", "Lm", "Lo"}
_MARKS = {"Mn", "Mc", "Me"}
# Inside of words: apostrophes, hyphens, the Catalan point, Hebrew signs, joiners.
_JOINS = set("'-\u00b7\u05f3\u05f4\u200c\u200d\"")
# Those that a word may end with, as a Hebrew abbreviation does.
_ENDS = set("\u05f3\u200c\u200d")
# Scripts a letter of which may be a word.
_OF_ONE_LETTER = ("CJK", "IDEOGRAPHIC", "HANGUL", "HIRAGANA", "KATAKANA", "YI ")


@dataclass(frozen=True)
class WordKinds:
    """What each word of a text is to terms.

    Attributes
    ----------
    outer : ndarray of bool, shape (n_words,)
        A term may begin and end with it, or be it.
    inner : ndarray of bool, shape (n_words,)
        A term may have it between others.
    light : ndarray of bool, shape (n_words,)
        It is so frequent in any text that it is of a term only if what stands beside it says so.
    emptiness : ndarray of float64, shape (n_words,), or None
        How sure it is to be one of the grammar, where the text alone tells that.
    """

    outer: NDArray[np.bool_]
    inner: NDArray[np.bool_]
    light: NDArray[np.bool_]
    emptiness: NDArray[np.float64] | None = None

    @classmethod
    def of(cls, text: WrittenText, general: GeneralLanguage | None) -> WordKinds:
        """Tell what the words of a text are.

        Parameters
        ----------
        text : WrittenText
        general : GeneralLanguage, optional
            Whose most frequent words are those of its grammar. Without it they are found in the
            text, see :func:`emptiness`.
        """
        words = text.lower_words
        term_like = np.array([is_word(word) for word in words], bool)
        inner = np.array([_is_inner(word) for word in words], bool)
        found = None
        if general is not None:
            ranks = general.ranks(words, _LIGHT)
            empty, light = ranks < _EMPTY, ranks < _LIGHT
        else:
            found = emptiness(text, term_like | inner)
            empty, light = found > _SURELY, found > _MAYBE
        return cls(term_like & ~empty, term_like | inner, light, found)


def is_word(word: str) -> bool:
    """Say whether a word in small letters may be a term, or the begin or the end of one.

    It begins with a letter and has two, or one of a script whose letters are words; then letters,
    digits and what joins parts of a word. So none is a number, a single letter, an address, a
    placeholder or a sign.
    """
    kinds = [unicodedata.category(c) for c in word]
    if not kinds or kinds[0] not in _LETTERS or word[-1] in _JOINS - _ENDS:
        return False
    if not all(
        kind in _LETTERS or kind in _MARKS or kind == "Nd" or c in _JOINS
        for c, kind in zip(word, kinds, strict=True)
    ):
        return False
    letters = [c for c, kind in zip(word, kinds, strict=True) if kind in _LETTERS]
    if len(letters) > 1:
        return True
    return unicodedata.name(letters[0], "").startswith(_OF_ONE_LETTER)


def _is_inner(word: str) -> bool:
    """Say whether a word that is none itself may stand in a term: de l'eau, type 2 diabetes."""
    letters = bare(word)
    return bool(letters) and all(c.isalnum() or unicodedata.category(c) in _MARKS for c in letters)
