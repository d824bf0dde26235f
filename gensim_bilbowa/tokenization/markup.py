"""What stands in text for programs alone: tags, entities, placeholders and access keys."""

from __future__ import annotations

import html
import re
from html.entities import html5
from typing import Any

from gensim_bilbowa.tokenization.patterns import compiled, has_address

__all__ = ["GAP", "Markup", "is_escaped", "is_marked", "unescaped"]

# White space in place of what is left out between words, which tells who looks for it that they are
# no neighbours: it separates paragraphs. Tokens end there as at any other.
GAP = "\u2029"

# Only where one of these is, or two apostrophes, anything is looked for.
_SIGNS = re.compile(r"[<&%{$_~\\]").search

# And only where one of these is, all but tags, "_" and "~".
_OTHERS = re.compile(r"[&%{$]|[(（][_~]|<[0-9biu^_]{1,3}\}")

_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")

# Elements that mark a part of a text, maybe a part of a word; all others stand between words.
_INLINE = {
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em",
    "emph", "font", "g", "i", "ins", "kbd", "literal", "mark", "q", "s", "samp", "small",
    "span", "strike", "strong", "sub", "sup", "tt", "u", "var",
}  # fmt: skip
# Elements that are known without an attribute or an end. Not among them are those whose names are
# words that stand for something else to fill in, as <object> and <source> do in manuals.
_KNOWN = _INLINE | {
    "blockquote", "body", "br", "center", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5",
    "h6", "head", "hr", "html", "img", "li", "nobr", "ol", "p", "pre", "table", "tbody", "td",
    "tfoot", "th", "thead", "tr", "ul", "wbr",
}  # fmt: skip
# As OmegaT numbers those of a document: <f0>, </f0>, <br1/>.
_NUMBERED = re.compile(r"(?!h[1-6]$)[A-Za-z]{1,3}[0-9]+")
_END = re.compile(r"</([\w:.\-]+)")
# Nothing here reads past the next "<", so that no text takes long.
_TAG = r"""
  <(?P<end>/?)(?P<name>[\p{L}_][\w:.\-]*+|[0-9]{1,3}+)
  (?P<attributes>(?:\s++(?:
    [\w:.\-]++\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+'|[^\s"'<>=]++) | [%{$][^\s"'<>]++
  ))*+)
  \s*+(?P<closed>/?)>
  | (?P<other><!--(?:[^<\-]++|-(?!->)|<(?!!--))*+--> | <!\[CDATA\[
    | <%(?:[^<%]++|%(?!>))*+%> | <\?[\p{L}=](?:[^<?]++|\?(?!>))*+\?> | <[!?]\p{L}[^<>]*+>)
"""

_FORMAT = r"[\-+#0']*+(?:\d++|\*)?+(?:\.(?:\d++|\*)?+)?+(?:hh|ll|[hlLqjzt])?[diouxXeEfFgGaAcCsSpn@]"
# What ICU writes a value by.
_FORMATTERS = "number|date|time|duration|spellout|ordinal|list"
_PLACEHOLDER = rf"""
  %(?:\d{{1,2}}+\$)?\#@\w{{1,100}}+@    # %#@name@
  | %\d{{1,2}}+\${_FORMAT}               # %1$s
  | %(?:0\d{{1,2}}+[diuxX]|\d*+\.\d{{1,2}}+[feEgG])  # %02d, %.2f, whatever follows
  | %{_FORMAT}(?![A-Za-z0-9_])         # %s, %-5.2f
  | %<\w{{1,100}}+>(?:{_FORMAT}(?![A-Za-z0-9_]))?  # %<PRIu64>, %<name>d
  | %\([^\s()%]{{1,100}}+\){_FORMAT}   # %(name)s
  | [%\#$]\{{[^\s{{}}]{{1,100}}+\}}    # ${{name}}, %{{name}}, \#{{name}}
  | \{{\{{[^{{}}]{{1,100}}+\}}\}}      # {{{{ name }}}}
  | \{{/?[\w.\[\]]*+(?:![rsa])?(?::[^\s{{}}]{{0,100}}+)?\}}  # {{}}, {{0}}, {{name:d}}
  | \{{[\w.\-]++,\s*+(?:{_FORMATTERS})\s*+(?:,[^{{}}]{{0,100}}+)?\}}  # {{0,number,#.#}}
  | \{{%(?:[^{{}}%]++|%(?!\}}))*+%\}}    # {{% if name %}}
  | \$[(\[][\w.]{{1,100}}+[)\]]        # $(name), $[name]
  | (?<![\w$])\$[A-Za-z_](?:[A-Za-z0-9_]++\$?|\$)  # $name, $x$
  | %L?\d{{1,2}}+%?(?![\d])            # %1
  | (?<![\p{{N}}%])%[A-Za-z][A-Za-z0-9_]*+(?:%(?![\p{{L}}\p{{N}}_%(]))?  # %name, %name%
"""
# What begins and ends a format in Phrase: {b>bold<b}, {1>...<1}.
_CODE = r"\{(?:[0-9]{1,3}+|[biu^_])>|<(?:[0-9]{1,3}+|[biu^_])\}"
_KEY = r"""
  [(（][&_~][\p{L}\p{N}][)）]               # (&F), after words of Chinese and Japanese
  | (?<![\p{L}\p{M}\p{N}_])&(?=\p{L})       # &File
  | (?<=\p{L}{2})&(?=\p{Ll})|(?<=\p{L})&(?=\p{Ll}\p{L})  # E&xit, but R&D, AT&T, x&y
"""
# What begins a choice of ICU's; where its texts are split into tokens there is none.
_CHOOSES = re.compile(
    r"\{\s*+[\w.\-]++,\s*+(?:plural|select|selectordinal)\s*+,(?:\s*+offset:\d++)?"
)
_BRACES = re.compile(rf"{_CHOOSES.pattern}|[{{}}]")
# Two backslashes or more are one that was escaped again.
_ESCAPE = re.compile(
    r"""(?<!\\)\\++(?:(?P<quote>['"])|u(?P<number>[0-9a-fA-F]{4})|(?P<letter>[nrt]))"""
)
_HALVES = range(0xD800, 0xE000)
_DOUBLED = re.compile(r"(?<=[^\W\d_])''(?=[^\W\d_])")
_PATH = re.compile(r"[A-Za-z]:\\|\\(?![nrtu])\w")
# Where a word begins at the latest: behind what is no part of one, behind a number with a point.
_BEGIN = r"(?:(?<![\p{L}\p{N}_])|(?<=[.,:/'\u066b\u066c]\p{N}++))"


def is_marked(text: str) -> bool:
    """Say whether there may be mark-up in a text."""
    return _SIGNS(text) is not None or "''" in text


def is_escaped(text: str) -> bool:
    """Say whether there may be entities or escapes in a text."""
    return "&" in text or "\\" in text or "''" in text


class Markup:
    """Takes mark-up out of texts.

    Parameters
    ----------
    addresses : str
        Alternatives of a pattern, for addresses. They are left as they are.
    unspaced : str
        Letters of scripts without spaces, as in a set of characters; each of them ends a word.
    """

    def __init__(self, addresses: str, unspaced: str) -> None:
        begin = rf"(?:{_BEGIN}|(?<=[{unspaced}]))" if unspaced else _BEGIN
        inner = r"[\p{L}\p{M}\p{N}_\u200c\u200d]"
        kept = rf"(?<keep>(?<!{inner})(?<!{inner}['\-\u00b7\u05f3\u05f4\"])(?:{addresses}))"
        self._tags = compiled(_TAG).sub
        # For texts without an address, and with one.
        self._subs = tuple(
            tuple(
                compiled(first + pattern).sub
                for pattern in (
                    rf"(?=[%\#$&{{(（<])(?:(?P<gap>{_PLACEHOLDER})|(?P<one>%%|&&)|{_CODE}|{_KEY})",
                    rf"{begin}_(?=\p{{L}})|{begin}(?<word>\p{{Lu}}[\p{{Ll}}\p{{M}}]*+)_"
                    r"(?=\p{Ll}++(?![\p{Lu}\p{N}_]))",
                    rf"{begin}~(?=\p{{L}})|(?<=\p{{L}})~(?=\p{{Ll}})",
                )
            )
            for first in (r"(?<keep>(?!))|", f"{kept}|")
        )

    def __call__(self, text: str) -> str:
        """Return a text without tags, placeholders and access keys, with gaps between words."""
        if "<" in text:
            ends = set(_END.findall(text))
            text = self._tags(lambda found: _in_place_of_a_tag(found, ends), text)
        if _CHOOSES.search(text):
            text = _branches(text)
        others, underscore, tilde = self._subs[has_address(text) is not None]
        if _OTHERS.search(text):
            text = others(_in_place_of_others, text)
        # Two are no access keys but parts of names; and names of code are lower-case.
        if text.count("_") == 1:
            text = underscore(lambda found: found["keep"] or found["word"] or "", text)
        if text.count("~") == 1:
            text = tilde(lambda found: found["keep"] or "", text)
        return text


def unescaped(text: str) -> str:
    """Return a text with the characters that escapes and entities stand for.

    Maybe the entities were escaped, too.
    """
    if "\\" in text:
        is_path = _PATH.search(text) is not None
        text = _ESCAPE.sub(lambda found: _in_place_of_an_escape(found, is_path), text)
    if "''" in text:
        text = _DOUBLED.sub("'", text)
    for _ in range(2 * ("&" in text)):
        text = _ENTITY.sub(_character, text)
    return text


def _character(found: re.Match[str]) -> str:
    whole, name = found[0], found[1]
    return html.unescape(whole) if name[0] == "#" else html5.get(f"{name};", whole)


def _in_place_of_an_escape(found: re.Match[str], is_path: bool) -> str:
    quote, number, letter = found.groups()
    if quote:
        return str(quote)
    if number:
        code = int(number, 16)
        return " " if code < 0x20 or code == 0x5C else chr(code) if code not in _HALVES else ""
    after = found.string[found.end() : found.end() + 1]
    if after.islower() or after.isdigit() or after == "_":
        return found[0] if is_path or letter != "n" else " "
    return " "


def _branches(text: str) -> str:
    """Return a text with the branches of its choices, without what chooses among them."""
    parts: list[str] = []
    kinds: list[str] = []  # of what is open
    at = 0
    for found in _BRACES.finditer(text):
        sign, around = found[0], kinds[-1] if kinds else ""
        if around != "choice":
            between = text[at : found.start()]
            parts.append(between.replace("#", GAP) if around == "branch" else between)
        at = found.end()
        if sign == "}":
            if not kinds:
                return text
            parts.append(sign if kinds.pop() == "value" else GAP)
        elif around == "choice" or len(sign) > 1:
            kinds.append("branch" if around == "choice" else "choice")
            parts.append(GAP)
        else:
            kinds.append("value")
            parts.append(sign)
    return text if kinds else "".join(parts) + text[at:]


def _in_place_of_a_tag(found: Any, ends: set[str]) -> str:
    if found["other"]:
        return GAP
    name = found["name"].lower()
    numbered = _NUMBERED.fullmatch(name)
    sure = found["end"] or found["attributes"] or found["closed"] or found["name"] in ends
    if not (sure or numbered or name in _KNOWN):
        whole: str = found[0]
        return whole
    within = numbered or name in _INLINE or name.isdigit()
    return "" if within and not found["closed"] else GAP


def _in_place_of_others(found: Any) -> str:
    kept: str | None = found["keep"]
    if kept is not None:
        return kept
    one: str | None = found["one"]
    return one[0] if one else GAP if found["gap"] else ""
