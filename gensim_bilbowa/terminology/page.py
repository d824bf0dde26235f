"""A page to check a list of terms by: one HTML file that needs no network."""

from __future__ import annotations

import hashlib
import json
import math
import os

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files.pages import fill
from gensim_bilbowa.files.staging import staged
from gensim_bilbowa.terminology.term import Terms

__all__ = ["write_page"]


def write_page(terms: Terms, path: str | os.PathLike[str], title: str | None = None) -> None:
    """Write a page on which a reader accepts or rejects the terms of a list, and exports them.

    The page is one file and loads nothing else. It shows the terms as a table, to search, sort and
    filter, and of one term its forms, its translations and the examples. What is decided stays in
    the browser's storage for this list, goes to a JSON file and comes from one; what is accepted
    is exported as TBX, as CSV and as a glossary of OmegaT.

    Parameters
    ----------
    terms : TermList
    path : str or path-like
        The file is replaced when all is written.
    title : str, optional
        Default: the languages.

    Raises
    ------
    FormatError
        If a number of a term is not finite: JSON, which the page holds its data as, has none such.

    Examples
    --------
    >>> import tempfile
    >>> from gensim_bilbowa.terminology import Term, TermList, Translation
    >>> hund = Translation("Hund", count=8, aligned=6.5, share=0.93, score=1.7)
    >>> terms = TermList(("en", "de"), (Term("dog", count=7, termhood=3.2, translations=(hund,)),))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_page(terms, f"{folder}/terms.html")
    """
    for term in terms:
        numbers = [term.termhood, *(share for _, share in term.others)]
        for found in term.translations:
            numbers += [found.aligned, found.share, found.score]
        if not all(map(math.isfinite, numbers)):
            raise FormatError(
                f"the term {term.text!r:.80} has a number that is not finite, which a page cannot "
                f"hold: {next(n for n in numbers if not math.isfinite(n))}"
            )
    source, target = terms.languages
    title = f"Terms, {source} to {target}" if title is None else title
    data = {
        "list": _fingerprint(terms),
        "languages": terms.languages,
        "left_out": dict(terms.left_out),
        "terms": list(terms),
    }
    page = fill(__package__, "page.html", title=title, data=data)
    with staged(path) as (place,):
        place.write_text(page, encoding="utf-8", newline="\n")


def _fingerprint(terms: Terms) -> str:
    """Return what is the same for lists of the same terms and translations, whatever the scores.

    A browser keeps decisions by it.
    """
    kept = [[term.text, *(found.text for found in term.translations)] for term in terms]
    return hashlib.sha256(json.dumps([terms.languages, kept]).encode()).hexdigest()[:32]
