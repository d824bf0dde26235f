"""Term lists as TermBase eXchange files, of its edition of 2019 or that of 2008."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files.tbx import TBX_2008, Edition, TBXWriter, tbx_file
from gensim_bilbowa.terminology.notes import form_note, origin, source_note, target_note
from gensim_bilbowa.terminology.term import Form, Term, TermExample, Terms
from gensim_bilbowa.tokenization.codes import tag

__all__ = ["write_tbx"]


def write_tbx(terms: Terms, path: Path, edition: Edition) -> None:
    """Write a concept for each term: its forms, and its translations with theirs.

    Raises
    ------
    FormatError
        If a text has a character that XML cannot hold, or there are no terms, of which the format
        wants one at least.
    """
    if not len(terms):
        raise FormatError("an empty term list cannot be a TBX file: that has a concept at least")
    source, target = map(tag, terms.languages)
    made = "Terms and translations found by gensim_bilbowa, not checked by hand"
    with tbx_file(path, edition, source, made) as file:
        write = _Terms(file, edition)
        for number, term in enumerate(terms, start=1):
            with file.concept(number):
                write.source(term, source)
                write.targets(term, target)


class _Terms:
    def __init__(self, write: TBXWriter, edition: Edition) -> None:
        self._write = write
        # TBX-Basic has no such category; there the header alone says that nobody has checked.
        self._status = "unprocessed" if edition is TBX_2008 else None

    def source(self, term: Term, code: str) -> None:
        """Write a term and its forms, with the examples of all translations."""
        examples = (example for found in term.translations for example in found.examples)
        with self._write.language(code):
            contexts = ((example.source, example) for example in examples)
            self._term(term.text, source_note(term), contexts)
            self._forms(term.variants, term.text)

    def targets(self, term: Term, code: str) -> None:
        """Write the translations of a term and their forms."""
        with self._write.language(code):
            for found in term.translations:
                contexts = ((example.target, example) for example in found.examples)
                self._term(found.text, target_note(term, found), contexts)
                self._forms(found.variants, found.text)

    def _forms(self, variants: Iterable[Form], main: str) -> None:
        for form in variants:
            self._term(form.text, form_note(form, main), variant=True)

    def _term(
        self,
        text: str,
        note: str,
        contexts: Iterable[tuple[str, TermExample]] = (),
        *,
        variant: bool = False,
    ) -> None:
        with self._write.term(text):
            if variant:
                self._write.text("termNote", "variant", type="termType")
            elif self._status is not None:
                self._write.text("termNote", self._status, type="processStatus")
            # An example that several translations share stands once with the term.
            for context, where in dict.fromkeys(
                (context, origin(example)) for context, example in contexts
            ):
                self._context(context, where)
            self._write.text("note", note)

    def _context(self, text: str, where: str) -> None:
        with self._write.element("descripGrp"):
            self._write.text("descrip", text, type="context")
            if where:
                self._write.text("admin", where, type="source")
