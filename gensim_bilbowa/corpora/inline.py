"""The text of a segment of a translation file, without the codes of the document in it."""

from __future__ import annotations

import html
import re
from collections import Counter
from functools import lru_cache

from gensim_bilbowa.corpora.decoding import FORBIDDEN
from gensim_bilbowa.corpora.xml import Attributes, Refused

__all__ = ["SEEN", "Inline", "character", "tidy"]

# XML has neither: where words are parted, and where they are if letters would touch.
BREAK, GAP = "\0", "\1"

# Elements whose content is code of the document, or text that stands elsewhere in it.
CODES = {"bpt", "ept", "it", "ph", "ut", "sub", "x", "bx", "ex", "sc", "ec", "cp"}
# Codes that stand for something by themselves; the others begin or end something.
_ALONE = {"ph", "x"}
# Attributes that say what a code is, and those with the code itself.
_SAY = ("ctype", "type", "subType", "name", "equiv", "equivStart")
_SHOW = ("equiv-text", "disp", "dispStart", "dispEnd", "equiv", "x")
# What is looked at of a code, which may be a whole document.
SEEN = 200
_MOST_JUDGED = 1024

_BLOCK = (
    r"(?:br|p|div|li|[uod]l|d[td]|t[rdh]|table|h[1-6]|hr|tab|cr|lf|lb|pb|cb|nl|para|paragraph"
    r"|line-?break|page-?break|new-?line|section|blockquote|pre|list-?item|table-cell|table-row)"
)
_SAYS_BREAK = re.compile(
    rf"(?:^|\s)(?:(?:x|xlf|html|tm|w|m|mq)[-:])*{_BLOCK}(?=\s|$)"
    r"|\bLINE_BREAK|\b(?:START|CLOSE)_(?:PARAGRAPH|LIST_ITEM|HEADING|TABLE|TAG_(?:DIV|P|LI|T[RDH])\b)",
    re.IGNORECASE,
)
_SHOWS_BREAK = re.compile(
    rf"<\s*/?\s*(?:[\w.-]+:)?(?i:{_BLOCK})(?=[\s/>])"
    r"|\\(?:[nrt]|par|pard|line|tab|page|sect|cell|row)(?![a-zA-Z])"
    rf"|[\[{{]/?(?i:{_BLOCK})\s*/?[\]}}]"
    r"|val=[\"'][\n\r\t\v]|^\s*[\n\r\t\v\u2028\u2029\u21b5\u23ce\u00b6]\s*$"
)
_SAYS_FORMAT = re.compile(
    r"(?:^|\s)(?:(?:x|xlf|html)[-:])*(?:b|i|u|em|strong|span|bold|italic|underlined?|d?ulined|font"
    r"|color|scap|link|a|su[bp](?:erscript|script)?|(?:soft|optional|nobreak)-?hyphen)(?=\s|$)"
    r"|\b(?:START|CLOSE)_",
    re.IGNORECASE,
)
# A tag that begins or ends something, or a hyphen that is seen at the end of a line only.
_SHOWS_FORMAT = re.compile(
    r"^\s*<(?!\s*(?:img|input|object|field)\b)[^>]*(?<!/)>\s*$|^\s*</|^\s*(?:\\-|\u00ad|<wbr\s*/?>)"
    r"|^\s*\{?\\(?:[biu]|f|cf|fs|ul|plain)\d*\b"
)


class Inline:
    """Takes the elements within a segment, and the text around them.

    Parameters
    ----------
    pieces : list of str
        Where the parser puts the text.
    mended : Counter
        Where characters are counted that XML forbids.

    Attributes
    ----------
    open : list
        The elements within the segment that have not ended.
    segments : dict from str to list of str
        The texts of marked segments, by their ids; more than one if a segment is in parts.
    defined : dict from str to str
        What codes are that are defined elsewhere, by what refers to them.
    """

    def __init__(self, pieces: list[str], mended: Counter[str]) -> None:
        self._pieces = pieces
        self._mended = mended
        # Of each open element what its end puts into the text, or where its own text begins.
        self.open: list[tuple[str, str, int]] = []
        self.segments: dict[str, list[str]] = {}
        self.defined: dict[str, str] = {}

    def start(self, name: str, attributes: Attributes) -> bool:
        """Take the start of an element; say whether it goes, with all that it has."""
        pieces = self._pieces
        mark = ""
        if name in CODES:
            if name == "cp":
                pieces.append(character(attributes.get("hex", ""), 16))
                self._mended[FORBIDDEN] += 1
                return True
            if name == "sub" or (self.open and self.open[-1][0] in CODES):
                return True
            mark = _evidence_of(attributes, self._definition(attributes))
        elif name == "mrk":
            kind = attributes.get("mtype") or attributes.get("type") or ""
            # One within another would be kept again with each that it is in.
            if kind == "seg" and not any(name == "seg" for name, *_ in self.open):
                pieces.append(BREAK)
                name, mark = "seg", attributes.get("mid", str(len(self.segments)))
                if len(mark) > SEEN:
                    raise Refused(f"a segment whose id has more than {SEEN} characters")
            elif kind.lower().endswith(("deleted", "deletion", "-del")):
                return True
        elif name[:1] == ":":
            if not name.lower().startswith((":ins", ":added")):
                return True
        elif attributes:
            mark = _mark_of(name, _evidence_of(attributes, self._definition(attributes)))
            pieces.append(mark)
        self.open.append((name, mark, len(pieces)))
        return False

    def end(self) -> None:
        """Take the end of the element that began last."""
        name, mark, begin = self.open.pop()
        pieces = self._pieces
        if name == "seg":
            self.segments.setdefault(mark, []).append(tidy("".join(pieces[begin:])))
            mark = BREAK
        elif name in CODES:
            mark = _mark_of(name, mark + "".join(pieces[begin:])[:SEEN])
            del pieces[begin:]
        if mark:
            pieces.append(mark)

    def text(self) -> str:
        """Return the text, and begin anew."""
        pieces = self._pieces
        # Most segments have no code; a code alone is one sign.
        simple = len(pieces) == 1 and len(pieces[0]) > 1
        text = pieces[0] if simple else tidy("".join(pieces))
        pieces.clear()
        return text

    def _definition(self, attributes: Attributes) -> str:
        if not self.defined:
            return ""
        keys = ("dataRef", "dataRefStart", "dataRefEnd", "id")
        return "".join(self.defined.get(attributes.get(key, ""), "") for key in keys)


def _evidence_of(attributes: Attributes, shown: str = "") -> str:
    """Return what attributes and a definition say of a code: names, a line end, what is shown."""
    says = [attributes[key][:SEEN] for key in _SAY if key in attributes]
    # Angular's are names, all others numbers of a kind.
    if (name := attributes.get("id", "")).isupper():
        says.append(name[:SEEN])
    shows = "".join([attributes[key][:SEEN] for key in _SHOW if key in attributes])
    return f"{' '.join(says)[:SEEN]}\x02{shown}{shows}"[: 2 * SEEN]


@lru_cache(_MOST_JUDGED)
def _mark_of(name: str, evidence: str) -> str:
    """Return what stands in a text in place of a code."""
    says, _, shows = evidence.partition("\x02")
    shows = html.unescape(html.unescape(shows))
    if _SAYS_BREAK.search(says) or _SHOWS_BREAK.search(shows):
        return BREAK
    if name not in _ALONE or _SAYS_FORMAT.search(says) or _SHOWS_FORMAT.search(shows):
        return ""
    return GAP


def tidy(text: str) -> str:
    """Return a text with white space in place of what parts words in it."""
    if BREAK in text:
        parts = [part.strip(f"{GAP} \t\r\n") for part in text.split(BREAK)]
        text = " ".join(filter(None, parts))
    if GAP in text:
        text = re.sub(rf"(?<=\w){GAP}+(?=\w)", " ", text).replace(GAP, "")
    return text


def character(number: str, base: int) -> str:
    """Return what stands in a text for a character given by its number, which XML does not allow.

    What ends a line or page parts words; others, as hyphens that may be, are left out.
    """
    try:
        return BREAK if chr(int(number, base)) in "\t\n\v\f\r" else ""
    except (ValueError, OverflowError):
        return ""
