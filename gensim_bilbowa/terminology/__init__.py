"""Terms of a text in two languages: what they are, how they are translated, and files of them."""

from gensim_bilbowa.terminology.extraction import terms
from gensim_bilbowa.terminology.saving import FORMATS, file_format
from gensim_bilbowa.terminology.termlist import Form, Term, TermExample, TermList, Translation
from gensim_bilbowa.terminology.text import TermText

__all__ = [
    "FORMATS",
    "Form",
    "Term",
    "TermExample",
    "TermList",
    "TermText",
    "Translation",
    "file_format",
    "terms",
]
