"""gettext catalogs: PO files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gensim_bilbowa.corpora.files import read_pieces
from gensim_bilbowa.corpora.units import UnitPairs, matching
from gensim_bilbowa.errors import CorpusError

__all__ = ["POPairs"]


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
            elif entry.msgid_plural:
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
        data = b"".join(read_pieces(self.path)).removeprefix(b"\xef\xbb\xbf")
        try:
            # It takes text that is no path for a catalog itself.
            return polib.pofile(data.decode("utf-8") + "\n")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise CorpusError(f"{self.path}, line {line}: not UTF-8; convert the file") from error
        except (OSError, ValueError) as error:
            raise CorpusError(f"{self.path} is no PO file: {error}") from error
