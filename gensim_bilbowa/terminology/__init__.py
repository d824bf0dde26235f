"""Terms of a text in two languages: what they are, how they are translated, and files of them."""

from gensim_bilbowa.terminology.extraction import terms
from gensim_bilbowa.terminology.glossary import Glossary, GlossaryEntry
from gensim_bilbowa.terminology.glossary_report import (
    EntryReport,
    Finding,
    GlossaryReport,
    Recall,
)
from gensim_bilbowa.terminology.known import marked
from gensim_bilbowa.terminology.saving import FORMATS, file_format
from gensim_bilbowa.terminology.term import Form, Term, TermExample, Translation
from gensim_bilbowa.terminology.termlist import TermList
from gensim_bilbowa.terminology.text import TermText

__all__ = [
    "FORMATS",
    "EntryReport",
    "Finding",
    "Form",
    "Glossary",
    "GlossaryEntry",
    "GlossaryReport",
    "Recall",
    "Term",
    "TermExample",
    "TermList",
    "TermText",
    "Translation",
    "file_format",
    "marked",
    "terms",
]
