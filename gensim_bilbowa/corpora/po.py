"""gettext catalogs: PO files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gensim_bilbowa.codes import matching
from gensim_bilbowa.corpora.files import read_pieces
from gensim_bilbowa.corpora.units import UnitPairs
from gensim_bilbowa.errors import CorpusError

__all__ = ["POPairs"]

# The catalogs of whole desktops have a fraction of it; polib takes ten times as much memory.
_LARGEST = 1 << 26
# Of the header, an entry with lines in quotes; templates say CHARSET.
_CHARSET = re.compile(rb'^"Content-Type:[^"\n]*charset=([\w-]+)', re.MULTILINE | re.IGNORECASE)


class POPairs(UnitPairs):
    """The translated messages of a PO file; needs polib (``gensim_bilbowa[po]``).

    The catalog's header names the language of the translations; the other one of `languages` is
    that of the messages, which catalogs do not name. Of plural forms the singular and the last one
    are taken.
    """

    def units(self) -> Iterator[Mapping[str, str] | str]:
        """Yield messages and translations by their languages."""
        catalog = self._read()
        named = str(catalog.metadata.get("Language", "")).strip()
        one, other = self.languages
        # Without a name the second language is taken to be that of the translations.
        target = one if named and matching(one, [named]) else other
        source = other if target == one else one
        if named and not matching(target, [named]):
            yield from (f"in {named!r} by the header" for _ in catalog)
            return
        for entry in catalog:
            if entry.obsolete:
                yield "obsolete"
            elif entry.fuzzy:
                yield "fuzzy"
            elif not entry.translated():
                yield "untranslated"
            elif entry.msgstr_plural:
                forms = [entry.msgstr_plural[number] for number in sorted(entry.msgstr_plural)]
                yield {source: entry.msgid, target: forms[0]}
                yield {source: entry.msgid_plural, target: forms[-1]}
            else:
                yield {source: entry.msgid, target: entry.msgstr}

    def _read(self) -> Any:
        try:
            import polib
        except ImportError as error:
            raise ImportError(
                "PO files need the package polib: pip install 'gensim_bilbowa[po]'"
            ) from error
        text = self._text() + "\n"  # with an end, it is no path but the catalog itself
        try:
            return polib.pofile(text)
        except Exception as error:  # it meets damage with errors of many kinds
            raise CorpusError(f"{self.source} is no PO file: {error}") from error

    def _text(self) -> str:
        data = bytearray()
        for piece in read_pieces(self.source):
            data += piece
            if len(data) > _LARGEST:
                raise CorpusError(
                    f"{self.source}: more than {_LARGEST:,} bytes, which is no catalog; split it"
                )
        data = data.removeprefix(b"\xef\xbb\xbf")
        named = _CHARSET.search(data)
        charset = named[1].decode() if named and named[1] != b"CHARSET" else "UTF-8"
        try:
            return data.decode(charset)
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            byte = error.start - data.rfind(b"\n", 0, error.start)
            raise CorpusError(
                f"{self.source}, line {line}, byte {byte}: not {charset} "
                f"(0x{data[error.start]:02x}); convert the file"
            ) from error
        except LookupError as error:
            raise CorpusError(
                f"{self.source}: its header names the charset {charset!r}, which is unknown"
            ) from error
