"""gettext catalogs: what PO and MO files have in common."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gensim_bilbowa.corpora.files import read_pieces
from gensim_bilbowa.corpora.units import OTHER, NoPairsError, Unit, UnitPairs
from gensim_bilbowa.errors import CorpusError
from gensim_bilbowa.tokenization.codes import matching

__all__ = ["CatalogPairs", "Message", "header_of", "is_charset", "with_context"]

# The catalogs of whole desktops have a fraction of it.
_LARGEST = 1 << 26
# What is not itself where a codec is none of text, or takes ASCII for something else.
_ASCII = bytes(range(128)).replace(b"\\", b"") + rb"\u0041 \101 +AEE- .xn--4ca"
_CHARSET = re.compile(r"""charset\s*=\s*["']?([^\s"';,]+)""", re.IGNORECASE)

# Characters of a context that are shown; some describe at length where a message stands.
_MOST_CONTEXT = 60

# What is asked of translators, who answer with their names and addresses.
_CREDITS = {"translator-credits", "translator_credits", "Your names", "Your emails"}


class Message(NamedTuple):
    """A message that is in use: its singular, maybe its plural, and the translations of them.

    The place is what a person finds it by in its file.
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    place: str


class CatalogPairs(UnitPairs):
    """The translated messages of a gettext catalog.

    The catalog's header names the language of the translations; the other one of `languages` is
    that of the messages, which catalogs do not name. Of plural forms the singular and the last one
    are taken.
    """

    def units(self) -> Iterator[Unit | str]:
        """Yield messages and translations by their languages."""
        header, messages, place = self._read()
        named = header.get("language", "").strip()
        found = [language for language in self.languages if matching(language, [named])]
        if not found and (named or OTHER in self.languages):
            says = (
                f"says that the translations are in {named!r:.60}" if named else "names no language"
            )
            reason = f"in {named!r:.60} by the header" if named else "in no language by the header"
            wanted = " or ".join(repr(code) for code in self.languages if code != OTHER)
            raise NoPairsError(
                f"{place}: the header {says}; {wanted} is wanted",
                {reason: sum(1 for _ in messages)},
            )
        # "pt-BR" is one of "pt", but a side of its own beside it. Without a name the second
        # language is taken to be that of the translations.
        target = max(found, key=len) if found else self.languages[1]
        source = self.languages[target == self.languages[0]]
        for message in messages:
            if isinstance(message, str):
                yield message
                continue
            message = _taken_apart(message)
            if not all(message.texts):
                yield "untranslated"
            elif message.ids[0] in _CREDITS:
                yield "credits of translators"
            else:
                place = message.place
                yield Unit.of({source: message.ids[0], target: message.texts[0]}, place)
                if len(message.ids) > 1:
                    yield Unit.of({source: message.ids[1], target: message.texts[-1]}, place)

    @abstractmethod
    def _read(self) -> tuple[Mapping[str, str], Iterator[Message | str], str]:
        """Return the header, what is in the catalog or why it is left out, and where it begins.

        The last is the file, with the line of the header's language if there are lines.
        """

    def _data(self) -> bytes:
        data = bytearray()
        for piece in read_pieces(self.source):
            data += piece
            if len(data) > _LARGEST:
                raise CorpusError(
                    f"{self.source}: more than {_LARGEST:,} bytes, which is no catalog; split it"
                )
        return bytes(data)

    def _charset(self, header: Mapping[str, str]) -> str:
        """Return the charset that a header names; templates say CHARSET, and have no other."""
        found = _CHARSET.search(header.get("content-type", ""))
        charset = found[1] if found and found[1] != "CHARSET" else "UTF-8"
        if not is_charset(charset):
            raise CorpusError(
                f"{self.source}: its header names the charset {charset!r:.60}, in which no catalog "
                "can be; convert the file to UTF-8"
            )
        return charset

    def _not_in(self, charset: str, place: str, byte: int, value: int) -> CorpusError:
        return CorpusError(
            f"{place}, byte {byte}: not {charset} (0x{value:02x}), which the header names; "
            "convert the file, or pass errors='replace' (--errors replace)"
        )


def _taken_apart(message: Message) -> Message:
    """Return a message without what KDE wrote into it before gettext had a place for that."""
    first, *others = message.ids
    if first.startswith("_:") and "\n" in first:
        return message._replace(ids=(first.partition("\n")[2], *others))
    if first.startswith("_n:") and "\n" in first and not others:
        one, _, other = first.removeprefix("_n:").partition("\n")
        return message._replace(ids=(one, other), texts=tuple(message.texts[0].split("\n")))
    return message


def with_context(place: str, context: str) -> str:
    """Return a message's place with its context: the same text may stand in several of them."""
    words = " ".join(context.split())
    shown = words if len(words) <= _MOST_CONTEXT else f"{words[:_MOST_CONTEXT]}…"
    return f"{place} ({shown})" if shown else place


def header_of(text: str) -> dict[str, str]:
    """Return the fields of a catalog's header, which translates the empty message."""
    fields = (line.partition(":") for line in text.split("\n"))
    return {name.strip().lower(): value.strip() for name, colon, value in fields if colon}


def is_charset(name: str) -> bool:
    """Say whether a catalog can be in a charset: one of text, in which ASCII is itself."""
    try:
        return _ASCII.decode(name) == _ASCII.decode("ascii")
    except (LookupError, ValueError):
        return False
