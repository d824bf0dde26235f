"""Term lists as glossaries of OmegaT: a line for each translation, with tabs between its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.terminology.notes import forms, others, percent
from gensim_bilbowa.terminology.term import Term, Terms, Translation

__all__ = ["write_omegat"]

# There is no way to write these in a part: readers of lines and of tabs would split it.
_SPLITTING = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")


def write_omegat(terms: Terms, path: Path) -> None:
    """Write source, target and a comment of each translation, without a header, in UTF-8.

    Tabs and line ends become spaces, since the format has no way to write them.

    Raises
    ------
    FormatError
        If a text has a character that UTF-8 cannot hold.
    """
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        for line in _lines(terms):
            try:
                stream.write(line)
            except UnicodeEncodeError as error:
                raise FormatError(
                    f"the line {line.strip()!r:.80}: UTF-8 cannot hold the character "
                    f"{line[error.start]!r}"
                ) from error


def _lines(terms: Terms) -> Iterator[str]:
    for term in terms:
        for translation in term.translations:
            parts = (term.text, translation.text, _comment(term, translation))
            source, target, comment = (_SPLITTING.sub(" ", part) for part in parts)
            # OmegaT leaves out lines that begin with a number sign; space before a term it ignores.
            yield f"{' ' if source.startswith('#') else ''}{source}\t{target}\t{comment}\n"


def _comment(term: Term, translation: Translation) -> str:
    parts = [
        f"{percent(translation.share)} of {term.count:,}",
        f"others: {others(term)}" if term.others else "",
        f"variants: {forms(translation.variants)}" if translation.variants else "",
        f"variants of {term.text}: {forms(term.variants)}" if term.variants else "",
        "in the glossary" if translation.known else "",
    ]
    return "; ".join(filter(None, parts))
