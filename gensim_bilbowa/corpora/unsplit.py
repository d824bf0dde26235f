"""Text of a script without spaces that nobody has split: each sentence seems to be one word."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice

__all__ = ["warn_unsplit"]

logger = logging.getLogger(__name__)

# What tells it, without reading the text again: of so many words more than half have more letters.
# Words of these languages have two to five; a sentence has more.
_WORDS = 1000
_LETTERS = 8
# Enough of a word, which may be a whole document.
_LOOKED_AT = 200

# Letters without marks, and the tokenizer for them.
_SCRIPTS = {
    "zh": re.compile("[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"),
    "ja": re.compile("[\u3041-\u3096\u309d-\u309f\u30a1-\u30ff\u31f0-\u31ff\uff66-\uff9f]"),
    "th": re.compile("[\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46]"),
    "lo": re.compile("[\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf]"),
    "km": re.compile("[\u1780-\u17b3]"),
    "my": re.compile("[\u1000-\u102a\u103f\u1050-\u1055\uaa60-\uaa76\ua9e0-\ua9ef]"),
}
_BY_CHARACTERS = {"lo", "km", "my"}


def warn_unsplit(language: str, words: Iterable[str]) -> None:
    """Warn about words that are whole sentences, and say what splits them.

    Parameters
    ----------
    language : str
    words : iterable of str
        All words of a text, each one once.
    """
    looked_at = list(islice(words, _WORDS))
    long: list[str] = []
    scripts: Counter[str] = Counter()
    for word in looked_at:
        found = {
            code: len(letters.findall(word, 0, _LOOKED_AT)) for code, letters in _SCRIPTS.items()
        }
        if sum(found.values()) > _LETTERS:
            long.append(word)
            # Japanese has Chinese letters, too.
            scripts["ja" if found["ja"] else max(found, key=lambda code: found[code])] += 1
    if 2 * len(long) <= len(looked_at) or not long:
        return
    (code, _), *_ = scripts.most_common(1)
    way = (
        f"Tokenizer({code!r}, characters=True)"
        if code in _BY_CHARACTERS
        else (
            f"Tokenizer({code!r}), or --tokenize on the command line where the language is named so"
        )
    )
    logger.warning(
        "%r: whole sentences are taken for words, as %.40r: %i of the first %i have more than %i "
        "letters of a script that is written without spaces. Split them by tokenizer=%s",
        language, long[0], len(long), len(looked_at), _LETTERS, way,
    )  # fmt: skip
