"""Phrases found in text: which of some thousand stand in each of some hundred thousand texts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from gensim_bilbowa.tokenization.codes import primary
from gensim_bilbowa.tokenization.markup import GAP
from gensim_bilbowa.tokenization.patterns import compiled
from gensim_bilbowa.tokenization.tokenizer import UNSPACED, WITHOUT_SPACES, Tokenizer

__all__ = ["Normalizer", "PhraseFinder", "stands_in", "words_of"]

# Stands where a placeholder was left out between two words, which make no phrase; no text has it.
_CUT = "\0"
_MOST_KNOWN = 1 << 12
_ASCII_WORD = re.compile(r"\w+")
_RUNS = rf"[{UNSPACED}]++ | [[\p{{L}}\p{{M}}\p{{N}}_]--[{UNSPACED}]]++"
_JOINING = rf"[[\p{{L}}\p{{M}}\p{{N}}_]--[{UNSPACED}]]"


class Normalizer:
    """What of a text of a language is compared: small letters, without mark-up and typography.

    Parameters
    ----------
    language : str

    Examples
    --------
    >>> Normalizer("en")("The _File’s <b>Name</b>")
    "the file's name"
    """

    def __init__(self, language: str) -> None:
        # Of which no words are asked, so that none of the packages is needed that find them.
        characters = primary(language) in WITHOUT_SPACES
        self._prepared = Tokenizer(language, characters=characters, markup=True).prepared

    def __call__(self, text: str) -> str:
        """Return the text as it is compared."""
        return " ".join(self._prepared(text).replace(GAP, f" {_CUT} ").split()).strip(f" {_CUT}")


def words_of(text: str) -> set[str]:
    """Return the words of a text; of scripts without spaces all characters and pairs of them."""
    if text.isascii():
        return set(_ASCII_WORD.findall(text))
    words = set()
    for run in compiled(_RUNS).findall(text):
        if _joins(run[0]):
            words.add(run)
        else:
            words.update(run)
            words.update(map(str.__add__, run, run[1:]))
    return words


def stands_in(phrase: str, text: str) -> bool:
    """Say whether a text has a phrase that no word goes on from at either end.

    In a script without spaces nothing tells where a word ends: there a phrase stands anywhere. An
    empty one, of a term that was all mark-up, stands nowhere.
    """
    begin = text.find(phrase) if phrase else -1
    while begin >= 0:
        end = begin + len(phrase)
        before, after = text[begin - 1 : begin] if begin else "", text[end : end + 1]
        if not (_joined(before, phrase[0]) or _joined(phrase[-1], after)):
            return True
        begin = text.find(phrase, begin + 1)
    return False


def _joined(left: str, right: str) -> bool:
    return bool(left and right) and _joins(left) and _joins(right)


@lru_cache(_MOST_KNOWN)
def _joins(character: str) -> bool:
    return compiled(_JOINING).match(character) is not None


class PhraseFinder:
    """Finds which of some phrases stand in a text, each looked for only where a word of it is.

    Parameters
    ----------
    phrases : iterable of str
        As a :class:`Normalizer` gives them.

    Examples
    --------
    >>> finder = PhraseFinder(["account", "account name", "split"])
    >>> sorted(finder.found_in("an account name; splits"))
    ['account', 'account name']
    """

    def __init__(self, phrases: Iterable[str]) -> None:
        self._by_word: dict[str, list[str]] = defaultdict(list)
        for phrase in dict.fromkeys(phrases):
            # Long words are rare, and a phrase is looked for no more often than the word is there.
            if words := words_of(phrase):
                self._by_word[max(sorted(words), key=len)].append(phrase)

    def found_in(self, text: str) -> set[str]:
        """Return the phrases that stand in a text, as a :class:`Normalizer` gives it."""
        words = words_of(text) & self._by_word.keys()
        return {
            phrase
            for word in words
            for phrase in self._by_word[word]
            if phrase == word or stands_in(phrase, text)
        }
