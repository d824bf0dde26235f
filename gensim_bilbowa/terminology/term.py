"""Terms of a text with their translations, and what a reader checks them by."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from gensim_bilbowa.files.documents import Amount, Count, Share

__all__ = ["Form", "Term", "TermExample", "Terms", "Translation"]


@dataclass(frozen=True)
class Form:
    """A way in which a term is written.

    Attributes
    ----------
    text : str
    count : int
        How often it stands in the text.
    """

    text: str
    count: Count


@dataclass(frozen=True)
class TermExample:
    """A unit of the text that has a term and its translation.

    Attributes
    ----------
    source, target : str
        As they stand in the file.
    file : str
        Its path; "" for text that comes from no file.
    unit : str
        What tells the unit from others of the file: its id, or its number.
    """

    source: str
    target: str
    file: str = ""
    unit: str = ""


@dataclass(frozen=True)
class Translation:
    """What translates a term.

    Attributes
    ----------
    text : str
        The form that translates the term's most frequent form most often.
    count : int
        How often all forms stand in the text.
    aligned : float
        How often it is expected to translate the term in the text.
    share : float
        Part of the term's occurrences that it translates, from 0 to 1.
    score : float
        Of the evidence of alignment and vectors together; higher is better.
    variants : tuple of Form
        Other forms, most frequent first.
    examples : tuple of TermExample
        Short ones first.
    known : bool
        Whether the glossary has it as a translation of the term.
    """

    text: str
    count: Count
    aligned: Amount
    share: Share
    score: float
    variants: tuple[Form, ...] = ()
    examples: tuple[TermExample, ...] = ()
    known: bool = False


@dataclass(frozen=True)
class Term:
    """A term of the source language.

    Attributes
    ----------
    text : str
        The most frequent form.
    count : int
        How often all forms stand in the text.
    termhood : float
        How much more it belongs to this text than to the language; terms are sorted by it.
    translations : tuple of Translation
        One or more, the best first.
    others : tuple of (str, float)
        What else translates it in the text, and the share that it has, largest first: five at
        most, from 2% on.
    variants : tuple of Form
        Other forms, most frequent first.
    known : bool
        Whether the glossary has it, whatever the translation.
    """

    text: str
    count: Count
    termhood: float
    translations: tuple[Translation, ...]
    others: tuple[tuple[str, Share], ...] = ()
    variants: tuple[Form, ...] = ()
    known: bool = False


class Terms(Collection[Term], Protocol):
    """What files are made of: terms in the order in which they are to be read."""

    @property
    def languages(self) -> tuple[str, str]:
        """Codes of source and target."""

    @property
    def left_out(self) -> Mapping[str, int]:
        """What is not among the terms, by reason."""
