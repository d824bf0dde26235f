"""gettext catalogs as people edit them: PO files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gensim_bilbowa.corpora.catalogs import CatalogPairs, Message, header_of, with_context
from gensim_bilbowa.corpora.decoding import is_utf8, larger
from gensim_bilbowa.corpora.marks import mark_of
from gensim_bilbowa.corpora.units import LONGEST_UNIT
from gensim_bilbowa.errors import CorpusError

__all__ = ["POPairs"]

# Only this ends a line; other separators of lines may stand in a message.
_LINE = re.compile(r"[^\n]*+\n?")
_STRING = r'"(?:[^"\\]++|\\.)*+"\s*+'
_STATEMENT = re.compile(
    rf"(?:(msgctxt|msgid_plural|msgid|msgstr)(?:\s*+\[\s*+(\d{{1,3}})\s*+\])?\s*+)?((?:{_STRING})++)"
)
_UNCLOSED = re.compile(rf'[^"]*+(?:{_STRING})*+"(?:[^"\\]++|\\.)*+\\?')
_ONE = re.compile(r'"((?:[^"\\]++|\\.)*+)"')
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = dict(zip('abfnrtv"\\', '\a\b\f\n\r\t\v"\\', strict=True))
# Which statements each one may follow.
_AFTER = {
    "msgctxt": {""},
    "msgid": {"", "msgctxt"},
    "msgid_plural": {"msgid"},
    "msgstr": {"msgid", "msgid_plural"},
    "msgstr[]": {"msgid_plural", "msgstr[]"},
}
# Characters of a line and, since each one takes more memory than its text, lines of a text.
_LONGEST_LINE = 4 * LONGEST_UNIT
_MOST_LINES = 1 << 16
_LANGUAGE = re.compile(r"^[^#\n]*Language:", re.MULTILINE)


@dataclass
class _Entry:
    """Statements as they are read, each text in pieces."""

    line: int = 0
    last: str = ""
    strings: dict[str, list[str]] = field(default_factory=dict)
    forms: dict[int, list[str]] = field(default_factory=dict)
    fuzzy: bool = False
    obsolete: bool = False

    @property
    def whole(self) -> bool:
        return self.last in ("msgstr", "msgstr[]")

    def text(self, key: str) -> str:
        return "".join(self.strings[key])

    def is_header(self) -> bool:
        named = "msgctxt" not in self.strings and not self.obsolete
        return named and not any(self.strings["msgid"]) and not self.forms

    def message(self) -> Message | str:
        if self.obsolete:
            return "obsolete"
        if self.fuzzy:
            return "fuzzy"
        place = f"line {self.line}"
        if "msgctxt" in self.strings:
            place = with_context(place, self.text("msgctxt"))
        if not self.forms:
            return Message((self.text("msgid"),), (self.text("msgstr"),), place)
        texts = tuple("".join(self.forms[number]) for number in sorted(self.forms))
        return Message((self.text("msgid"), self.text("msgid_plural")), texts, place)


class POPairs(CatalogPairs):
    r"""The translated messages of a PO file.

    See :class:`~gensim_bilbowa.corpora.catalogs.CatalogPairs`. The id of a unit is the line where
    its message begins, and the context if it has one: "line 120 (menu)". A line ends at ``\n``
    alone, or at ``\r`` in a file that has no other ends.
    """

    def _read(self) -> tuple[Mapping[str, str], Iterator[Message | str], str]:
        data = self._data()
        bom, charset = mark_of(data)
        if not bom:
            # Which is ASCII in any charset, and mostly the first entry.
            charset = self._charset(self._header(data.decode("latin-1")))
            if is_utf8(data, charset):
                self.mended[f"catalog in UTF-8 that says {charset}"] += 1
                charset = "UTF-8"
        text = self._decoded(data.removeprefix(bom), charset)
        header = self._header(text)
        found = _LANGUAGE.search(text)
        line = text.count("\n", 0, found.end()) + 1 if found else 1
        return header, self._messages(text), f"{self.source}, line {line}"

    def _messages(self, text: str) -> Iterator[Message | str]:
        header_is_to_come = True
        for entry in self._entries(text):
            if header_is_to_come and entry.is_header():
                header_is_to_come = False
            else:
                yield entry.message()

    def _header(self, text: str) -> dict[str, str]:
        entries = (entry for entry in self._entries(text) if entry.is_header())
        header = next(entries, None)
        return header_of(header.text("msgstr")) if header else {}

    def _entries(self, text: str) -> Iterator[_Entry]:
        if "\n" not in text:
            text = text.replace("\r", "\n")
        entry = _Entry()
        pieces: list[str] | None = None
        number = 0
        for number, match in enumerate(_LINE.finditer(text), start=1):
            line = match[0]
            if len(line) > _LONGEST_LINE:
                raise self._damaged(number, f"longer than {_LONGEST_LINE:,} characters")
            line = line.strip()
            if not line:
                continue
            obsolete = line.startswith("#~")
            if obsolete:
                line = line[2:].lstrip()
                if not line or line[0] in "|#":  # what it was before, or a comment
                    continue
            elif line[0] == "#":
                if entry.whole:
                    yield entry
                    entry, pieces = _Entry(), None
                if line[1:2] == ",":
                    entry.fuzzy |= "fuzzy" in map(str.strip, line[2:].split(","))
                continue
            statement = _STATEMENT.fullmatch(line)
            if statement is None:
                what = "a text without its closing quote" if _UNCLOSED.fullmatch(line) else "not PO"
                raise self._damaged(number, f"{what}: {line!r:.60}")
            key, form, strings = statement.groups()
            if key is not None:
                if entry.whole and key in ("msgctxt", "msgid"):
                    yield entry
                    entry = _Entry()
                entry.line = entry.line or number
                pieces = self._begun(entry, key, form, number)
                entry.obsolete |= obsolete
            if pieces is None:
                raise self._damaged(number, f"a text that belongs to nothing: {line!r:.60}")
            pieces += filter(None, _strings(strings))
            if len(pieces) > _MOST_LINES:
                raise self._damaged(number, f"a text of more than {_MOST_LINES:,} strings")
        if entry.whole:
            yield entry
        elif entry.last:
            raise self._damaged(entry.line, "a message without a msgstr")

    def _begun(self, entry: _Entry, key: str, form: str | None, number: int) -> list[str]:
        """Return where the text of a statement is collected."""
        kind = key if form is None else f"{key}[]"
        if entry.last not in _AFTER.get(kind, ()):
            after = f"after {entry.last}" if entry.last else "at the beginning of a message"
            raise self._damaged(number, f"{kind} {after}")
        entry.last = kind
        if form is None:
            return entry.strings.setdefault(key, [])
        if int(form) in entry.forms:
            raise self._damaged(number, f"a second msgstr[{form}]")
        return entry.forms.setdefault(int(form), [])

    def _damaged(self, line: int, what: str) -> CorpusError:
        return CorpusError(f"{self.source}, line {line}: {what}")

    def _decoded(self, data: bytes, charset: str) -> str:
        codec = larger(charset)
        try:
            return data.decode(codec)
        except UnicodeDecodeError as error:
            if self.errors == "strict":
                before = data[: error.start].decode(codec)
                line = before.count("\n") + 1
                byte = len(before.rpartition("\n")[2].encode(codec)) + 1
                place = f"{self.source}, line {line}"
                raise self._not_in(charset, place, byte, data[error.start]) from error
            self.mended[f"catalog with bytes that are not {charset}"] += 1
            return data.decode(codec, self.errors)


def _strings(text: str) -> Iterator[str]:
    """Yield what stands between quotes."""
    for string in _ONE.finditer(text):
        written = string[1]
        if "\\" in written:
            written = _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[0]), written)
        yield written
