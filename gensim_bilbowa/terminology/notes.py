"""What files of term lists say of a term in words."""

from __future__ import annotations

from collections.abc import Iterable

from gensim_bilbowa.terminology.term import Form, Term, TermExample, Translation

__all__ = [
    "file_name",
    "form_note",
    "forms",
    "origin",
    "others",
    "percent",
    "source_note",
    "target_note",
]


def percent(share: float) -> str:
    """Return a share in whole percents, a small one as less than one percent."""
    return "<1%" if 0 < share < 0.005 else f"{share:.0%}"


def others(term: Term) -> str:
    """Return what else translates a term, with its shares."""
    return "; ".join(f"{text} {percent(share)}" for text, share in term.others)


def forms(variants: Iterable[Form]) -> str:
    """Return forms with their counts."""
    return "; ".join(f"{form.text} ({form.count:,})" for form in variants)


def file_name(example: TermExample) -> str:
    """Return the path of an example's file; bytes of it that are no text as escapes.

    A file's name may be no text at all, and a list of terms is not refused for that.
    """
    return example.file.encode("utf-8", "backslashreplace").decode("utf-8")


def origin(example: TermExample) -> str:
    """Return file and unit of an example, or an empty text if it has neither."""
    return ", ".join(filter(None, (file_name(example), example.unit)))


def source_note(term: Term) -> str:
    """Return what is known of a term whatever the translation."""
    parts = [f"{term.count:,} times in the text", f"termhood {term.termhood:.4f}"]
    if term.others:
        parts.append(f"other translations: {others(term)}")
    if term.known:
        parts.append("in the glossary")
    return "; ".join(parts)


def target_note(term: Term, translation: Translation) -> str:
    """Return what is known of a translation."""
    parts = [
        f"score {translation.score:.4f}",
        f"translates {percent(translation.share)} of {term.text}",
        f"aligned {translation.aligned:.1f} times",
        f"{translation.count:,} times in the text",
    ]
    if translation.known:
        parts.append("in the glossary")
    return "; ".join(parts)


def form_note(form: Form, main: str) -> str:
    """Return what is known of a form of a term or of a translation."""
    return f"form of {main}; {form.count:,} times in the text"
