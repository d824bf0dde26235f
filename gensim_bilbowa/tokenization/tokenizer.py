"""Splitting running text into tokens, for text that does not come as tokens."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, partial
from inspect import signature
from itertools import chain
from typing import Any, Literal

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.tokenization.codes import primary
from gensim_bilbowa.tokenization.markup import Markup, is_escaped, is_marked, unescaped
from gensim_bilbowa.tokenization.patterns import compiled, has_address
from gensim_bilbowa.tokenization.segmenters import segmenter

__all__ = ["UNSPACED", "WITHOUT_SPACES", "Tokenizer", "is_unspaced", "lower_case"]

# Languages in which an article or preposition loses its vowel before one: l'homme, dell'acqua.
_ELIDING = {
    "ca", "co", "fr", "fur", "it", "lij", "lmo", "oc", "pms", "sc", "scn", "vec",
}  # fmt: skip
_DOTTED_I = {"tr", "az", "crh"}
WITHOUT_SPACES = {"zh", "lzh", "wuu", "yue", "ja", "th", "lo", "km", "my"}
# Their letters, for patterns; the last one makes a vowel of Katakana long.
UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\u30fc"
# The same, for who has no package regex.
_UNSPACED_NAMES = (
    "CJK", "KANGXI", "HANGZHOU", "OLD CHINESE", "VIETNAMESE ALTERNATE", "IDEOGRAPHIC",
    "VERTICAL IDEOGRAPHIC", "HIRAGANA", "HENTAIGANA", "KATAKANA", "HALFWIDTH KATAKANA", "THAI",
    "LAO", "KHMER", "MYANMAR",
)  # fmt: skip
# As str.isspace has it.
_SPACE = r"\s\x1c-\x1f"

# Tatweel, soft hyphens and marks of direction are there for the eye alone.
_INVISIBLE = [
    0x0640, 0x00AD, 0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A),
    0xFEFF,
]  # fmt: skip
_TYPOGRAPHY = {
    **dict.fromkeys(_INVISIBLE),
    0x200B: " ",  # a space of no width
    0x2019: "'",
    0x2010: "-",
    0x2011: "-",
}
# Arabic vowel signs and marks of recitation; Hebrew points and marks of cantillation.
_DIACRITICS = [
    *range(0x0610, 0x061B), *range(0x064B, 0x0653), 0x0670, *range(0x06D6, 0x06DD),
    *range(0x06DF, 0x06E5), 0x06E7, 0x06E8, *range(0x06EA, 0x06EE),
    *range(0x0591, 0x05BE), 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5, 0x05C7,
]  # fmt: skip

# What stands between white space and is kept with its tokens: how many of both, of how many
# characters.
_MOST_KNOWN = 1 << 17
_LONGEST_KNOWN = 40
# Signs that are tokens of their own at the end of a word.
_ENDS = ".,;:!?"


_VOWELS = "aeiouyàáâäèéêëìíîïòóôöùúûüæœ"
# What has lost its vowel before one: l', dell', lorsqu'; in Catalan, what follows an apostrophe
# may have lost it instead (agafa'l). Of one word are aujourd'hui, quelqu'un and the like. Also by
# itself, so that what was split off stays a token; but not at the end of 'quot'.
_ELIDED = rf"""
  (?=\p{{L}}{{1,6}}+'(?!\p{{M}}))
  (?:(?<!')|(?=\p{{L}}++'[\p{{L}}\p{{N}}_]))
  (?!(?i:entr|grand|presqu|prud|quelqu)')
  \p{{L}}{{0,5}}(?:[\p{{L}}--[{_VOWELS}{_VOWELS.upper()}]]|(?<=[qQ])[uU])'
"""


def _one_of(characters: str, unspaced: bool) -> str:
    return f"[[{characters}]--[{UNSPACED}]]" if unspaced else f"[{characters}]"


def _addresses(unspaced: bool) -> list[str]:
    """Return patterns of addresses."""
    any_of, last, local, host = (
        _one_of(characters, unspaced)
        for characters in (
            rf"[^{_SPACE}<>\"]",
            rf"[^{_SPACE}<>\".,;:!?'()\[\]{{}}«»“”„…。、，！？]",
            r"\w.+\-",
            r"\w\-",
        )
    )
    return [
        rf"(?i:(?<![a-z])[a-z][a-z0-9+]{{1,15}}+://|www\.){any_of}*{last}",
        rf"(?<!{local}){local}{{1,64}}+@{host}++(?:\.{host}++)++",
    ]


def _pattern_of(unspaced: bool, eliding: bool, addresses: bool) -> str:
    """Return the pattern of a token or some white space.

    Each alternative takes all that it can and gives nothing back, so that no text takes long.
    """
    alternatives = [f"[{_SPACE}]++"]
    if unspaced:
        alternatives.append(rf"[{UNSPACED}][{UNSPACED}\p{{M}}\u200c\u200d]*+")
    if addresses:
        alternatives += _addresses(unspaced)
    if eliding:
        alternatives.append(_ELIDED)
    start = _one_of(r"\p{L}\p{N}_", unspaced)
    inner = _one_of(r"\p{L}\p{M}\p{N}_\u200c\u200d", unspaced)
    alternatives += [
        # Numbers; with a letter after them only if there is more than digits: 1.5kg, but 5kg.
        r"\p{N}++(?:[.,:/'\u066b\u066c]\p{N}++)++",
        rf"\p{{N}}++(?!{inner})",
        # Words, with inner apostrophes, hyphens, Catalan points and Hebrew signs of abbreviation.
        rf"{start}{inner}*+"
        rf"(?:(?:['\-\u05f3\u05f4]|(?<!\p{{Greek}})\u00b7|(?<=\p{{Hebrew}})\"(?=\p{{Hebrew}}))"
        rf"{start}{inner}*+)*+",
        # Flags, two letters each; \X would look at all of them before it, again and again.
        r"\p{Regional_Indicator}{1,2}+[\p{M}\u200c\u200d]*+",
        # Anything else: a sign with its marks, or an emoji; marks that have no sign.
        r"[\p{M}\u200c\u200d]++|\X",
    ]
    return "|".join(alternatives)


def is_unspaced(character: str) -> bool:
    """Say whether a letter or number is of a script that puts no spaces between words."""
    return unicodedata.name(character, "").startswith(_UNSPACED_NAMES)


def lower_case(text: str, language: str) -> str:
    """Return a text in small letters, by the rules of a language, see `primary`."""
    dotted = language in _DOTTED_I
    return (text.replace("İ", "i").replace("I", "ı") if dotted else text).lower()


class _Known(dict[str, list[str]]):
    """The tokens of what stands between white space, found once."""

    def __init__(self, find: Callable[[str], list[str]]) -> None:
        super().__init__()
        self._find = find
        self._held = 0

    def __missing__(self, piece: str) -> list[str]:
        tokens = self._find(piece)
        if len(piece) <= _LONGEST_KNOWN:
            if self._held >= _MOST_KNOWN:
                self.clear()
                self._held = 0
            self._held += 1 + len(tokens)
            self[piece] = tokens
        return tokens


class Tokenizer:
    r"""Splits text of one language into tokens: words, numbers and signs.

    Words keep their inner apostrophes and hyphens (*don't*, *well-known*), numbers their points and
    commas; addresses stay whole. What is lost before a vowel is a token of its own in languages
    that write it so (*l'* *homme*). Curly apostrophes become straight; signs that are not seen,
    as soft hyphens, tatweel and marks of direction, are left out.

    Parameters
    ----------
    lang : str, optional
        Code of the language, in any form: ``ja``, ``jpn``, ``jpn_Jpan``. Words of Chinese (zh),
        Japanese (ja) and Thai (th) are found by the packages jieba, janome and pythainlp, which
        must be installed; other languages without spaces, as Khmer (km), Lao (lo) and Burmese
        (my), are split into characters only.
    lowercase : bool
        By the rules of Turkish, Azerbaijani and Crimean Tatar where `lang` is one of them.
    characters : bool
        Split text without spaces into characters (with their marks), without any package.
    normalization : {"NFC", "NFKC"}
        Unicode's normal form of the tokens. "NFKC" also makes ligatures and characters of full
        or half width what they stand for.
    diacritics : bool
        Keep Arabic vowel signs and Hebrew points, which most texts do not write.
    markup : bool
        Leave out what stands in text for programs alone, see Notes; as in translation files, which
        are read so by themselves.

    Raises
    ------
    ConfigError
        If words of `lang` cannot be found, or it has spaces and `characters` is set.
    ImportError
        If a package is missing: ``regex`` comes with ``gensim_bilbowa[text]``.

    Notes
    -----
    A text that is its tokens with spaces between them is split into these tokens again, unless a
    package finds the words.

    Mark-up is: tags of HTML (``<b>``, ``<br/>``), other tags that have attributes or an end in the
    text (``<link id="x">``, ``<emph>...</emph>``) or numbers as OmegaT's (``<f0>``), ``<%= x %>``,
    Phrase's codes (``{b>...<b}``) and comments;
    entities (``&nbsp;``, ``&#39;``, ``&amp;lt;``) and escapes (``don\'t``, ``\n``, ``\u2026``,
    ``don''t``), which become the characters they stand for;
    placeholders (``%s``, ``%1$d``, ``%(name)s``, ``%1``, ``{0}``, ``{name:d}``, ``${name}``,
    ``$name``, ``%name``); what chooses in ICU's messages (``{n, plural, one {day} other {days}}``
    has two words); and the signs before access keys (``&File``, ``E&xit``, ``(&F)``; ``_``
    and ``~`` where the text has one alone: ``_File``, ``E_xit``). Tags as ``<i>`` and access keys
    do not cut a word, others do. What is not sure stays: ``a < b``, ``R&D``, ``50 % of``,
    ``snake_case``, ``<file>``.

    Examples
    --------
    >>> Tokenizer("en")("Don't pay $3.50 for a well-known book!")
    ["don't", 'pay', '$', '3.50', 'for', 'a', 'well-known', 'book', '!']
    >>> Tokenizer("fr", lowercase=False)("L’homme d'aujourd'hui")
    ["L'", 'homme', "d'", "aujourd'hui"]
    >>> Tokenizer("zh", characters=True)("我爱 Python。")
    ['我', '爱', 'python', '。']
    >>> Tokenizer("en", markup=True)("<b>Sa&ve</b> %s&nbsp;now")
    ['save', 'now']
    """

    def __init__(
        self,
        lang: str | None = None,
        *,
        lowercase: bool = True,
        characters: bool = False,
        normalization: Literal["NFC", "NFKC"] = "NFC",
        diacritics: bool = True,
        markup: bool = False,
    ) -> None:
        self.lang = lang
        self.lowercase = lowercase
        self.characters = characters
        self.normalization = normalization
        self.diacritics = diacritics
        self.markup = markup
        self.check(self.options())
        self._language = language = primary(lang)
        unspaced = language in WITHOUT_SPACES
        self._table = {**_TYPOGRAPHY, **({} if diacritics else dict.fromkeys(_DIACRITICS))}
        self._in_table = re.compile(f"[{''.join(map(chr, self._table))}]").search
        self._find, self._find_addresses = (
            compiled(_pattern_of(unspaced, language in _ELIDING, addresses)).findall
            for addresses in (False, True)
        )
        self._plain = (
            Markup("|".join(_addresses(unspaced)), UNSPACED if unspaced else "") if markup else str
        )
        self._to_segment = compiled(f"[{UNSPACED}]").match if unspaced else None
        self._segment = segmenter(language, characters) if unspaced else list
        self._known = _Known(self.tokens_of)

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        # What stands between white space comes again and again.
        return [*chain.from_iterable(map(self._known.__getitem__, self.prepared(text).split()))]

    def prepared(self, text: str) -> str:
        """Return a text whose pieces between white space have the tokens, see `tokens_of`."""
        return self.cased(self.bare(text), self.lowercase)

    def bare(self, text: str) -> str:
        """Return a text without what is no word, in the letters that it is written in.

        Where mark-up was left out between words, a gap is among their white space.
        """
        if not text.isascii():
            text = unicodedata.normalize(self.normalization, text)
        marked = self.markup and is_marked(text)
        if marked and is_escaped(text):
            text = unicodedata.normalize(self.normalization, unescaped(text))
        if not text.isascii() and self._in_table(text):
            text = text.translate(self._table)
        if marked:
            text = self._plain(text)
        return text

    def cased(self, text: str, lowercase: bool) -> str:
        """Return a bare text, or a piece of one, in small letters or as it is written."""
        if lowercase:
            text = lower_case(text, self._language)
        if not text.isascii():
            # What was left out or made small may have taken letters apart, or left marks behind.
            text = unicodedata.normalize(self.normalization, text)
        return text

    def tokens_of(self, piece: str) -> list[str]:
        """Return the tokens of what stands between white space in a prepared text."""
        if self._to_segment is not None:
            return [
                part
                for token in self._found(piece)
                for part in (self._segment(token) if self._to_segment(token) else [token])
            ]
        if piece.isalpha():
            return [piece]
        if piece[:-1].isalpha() and piece[-1] in _ENDS:
            return [piece[:-1], piece[-1]]
        return self._found(piece)

    def _found(self, piece: str) -> list[str]:
        find = self._find_addresses if has_address(piece) else self._find
        return find(piece)  # type: ignore[no-any-return]

    @property
    def unspaced(self) -> bool:
        """Whether the language is written without spaces."""
        return self._to_segment is not None

    def options(self) -> dict[str, Any]:
        """Return all parameters: with them an equal tokenizer is made."""
        return {name: getattr(self, name) for name in _defaults()}

    @staticmethod
    def check(options: Mapping[str, Any]) -> None:
        """Raise ConfigError for parameters that cannot be; no package is needed for that."""
        if unknown := sorted(options.keys() - _defaults().keys()):
            raise ConfigError(f"a tokenizer has no parameters {unknown}")
        given = {**_defaults(), **options}
        for name, default in _defaults().items():
            if isinstance(default, bool) and not isinstance(given[name], bool):
                raise ConfigError(f"{name} must be True or False, not {given[name]!r:.60}")
        lang, normalization = given["lang"], given["normalization"]
        if lang is not None and (not isinstance(lang, str) or not lang):
            raise ConfigError(f"lang must be a language code or None, not {lang!r:.60}")
        if normalization not in ("NFC", "NFKC"):
            raise ConfigError(f"normalization must be 'NFC' or 'NFKC', not {normalization!r:.60}")
        if given["characters"] and primary(lang) not in WITHOUT_SPACES:
            raise ConfigError(
                f"characters=True is for {', '.join(sorted(WITHOUT_SPACES))}; {lang!r} has spaces"
            )

    @staticmethod
    def written(options: Mapping[str, Any]) -> str:
        """Return a tokenizer with these parameters as it is written in Python."""
        others = [
            f"{name}={options[name]!r}"
            for name, default in _defaults().items()
            if name != "lang" and options.get(name, default) != default
        ]
        return f"Tokenizer({', '.join([repr(options.get('lang')), *others])})"

    def __repr__(self) -> str:
        return self.written(self.options())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.options() == other.options()

    def __hash__(self) -> int:
        return hash(tuple(self.options().values()))

    def __reduce__(self) -> Any:
        return partial(type(self), **self.options()), ()


@cache
def _defaults() -> dict[str, Any]:
    """Return the parameters of a tokenizer."""
    return {name: given.default for name, given in signature(Tokenizer).parameters.items()}
