"""Terms of a text in two languages: what they are, how they are translated, and files of them."""

from gensim_bilbowa.terminology.saving import FORMATS, file_format
from gensim_bilbowa.terminology.termlist import Form, Term, TermExample, TermList, Translation

__all__ = [
    "FORMATS",
    "Form",
    "Term",
    "TermExample",
    "TermList",
    "Translation",
    "file_format",
]
