"""gettext catalogs as programs read them: MO files."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from gensim_bilbowa.corpora.catalogs import CatalogPairs, Message, header_of, with_context
from gensim_bilbowa.corpora.decoding import is_utf8, larger
from gensim_bilbowa.corpora.units import LONGEST_UNIT, TOO_LONG
from gensim_bilbowa.errors import CorpusError

__all__ = ["MOPairs"]

_Places: TypeAlias = Iterator[tuple[Any, ...]]

_MAGIC = {b"\xde\x12\x04\x95": "<", b"\x95\x04\x12\xde": ">"}
# A character has four bytes at most.
_LONGEST_BYTES = 4 * LONGEST_UNIT
# Before a message, its context and this; after it, this and its plural.
_CONTEXT, _PLURAL = b"\x04", b"\0"


class MOPairs(CatalogPairs):
    """The translated messages of an MO file, which ``msgfmt`` makes of a PO file.

    See :class:`~gensim_bilbowa.corpora.catalogs.CatalogPairs`. The id of a unit is the number of
    its message, the header being message 0, and the context if it has one.
    """

    def _read(self) -> tuple[Mapping[str, str], Iterator[Message | str], str]:
        data = self._data()
        order = _MAGIC.get(data[:4])
        if order is None:
            raise CorpusError(f"{self.source} is no MO file: it begins with {data[:4]!r}")
        if len(data) < 20:
            raise self._damaged("ends within its header")
        revision, count, *starts = struct.unpack_from(f"{order}4I", data, 4)
        if revision >> 16 > 1:
            raise CorpusError(f"{self.source}: revision {revision >> 16} of MO is not known")
        ids, texts = (self._table(data, order, count, start) for start in starts)
        header: dict[str, str] = {}
        if count and not next(ids())[0]:
            length, start = next(texts())
            header = header_of(data[start : start + length].decode("latin-1"))
        return header, self._messages(data, ids(), texts(), self._charset(header)), self.source

    def _table(self, data: bytes, order: str, count: int, start: int) -> Callable[[], _Places]:
        """Return what reads the length and start of each string of a table."""
        if start + 8 * count > len(data):
            raise self._damaged(f"a table of {count:,} strings at byte {start:,} ends beyond it")

        def places() -> _Places:
            return struct.iter_unpack(f"{order}2I", memoryview(data)[start : start + 8 * count])

        total = 0
        for number, (length, begin) in enumerate(places()):
            total += length
            if begin + length > len(data):
                raise self._damaged(f"string {number} ends beyond it")
        if total > len(data):  # else few bytes could be the text of many
            raise self._damaged("its strings are longer than it")
        return places

    def _messages(
        self, data: bytes, ids: _Places, texts: _Places, charset: str
    ) -> Iterator[Message | str]:
        for number, places in enumerate(zip(ids, texts, strict=True)):
            if max(length for length, _ in places) > _LONGEST_BYTES:
                yield TOO_LONG
                continue
            message, text = (data[start : start + length] for length, start in places)
            if number == 0 and not message:
                continue
            context, _, named = message.rpartition(_CONTEXT)
            parts = named.split(_PLURAL, 1)
            forms = text.split(_PLURAL) if len(parts) > 1 else [text]
            one, other = (
                tuple(self._decoded(part, charset, number) for part in side)
                for side in (parts, forms)
            )
            place = f"message {number}"
            if context:
                # It is shown, not read: what is no character in it is no error.
                place = with_context(place, context.decode(larger(charset), "replace"))
            yield Message(one, other, place)

    def _decoded(self, data: bytes, charset: str, number: int) -> str:
        codec = larger(charset)
        if is_utf8(data, charset):
            self.mended[f"texts in UTF-8 in a catalog that says {charset}"] += 1
            codec = "utf-8"
        try:
            return data.decode(codec)
        except UnicodeDecodeError as error:
            if self.errors == "strict":
                place = f"{self.source}, message {number}"
                raise self._not_in(charset, place, error.start + 1, data[error.start]) from error
            self.mended[f"texts with bytes that are not {charset}"] += 1
            return data.decode(codec, self.errors)

    def _damaged(self, what: str) -> CorpusError:
        return CorpusError(f"{self.source} is cut short or damaged: {what}")
