"""A small list of terms that has everything once."""

from __future__ import annotations

from gensim_bilbowa.terminology import Form, Term, TermExample, TermList, Translation

CLOSE = TermExample("Close the account.", "Schließen Sie das Konto.", "po/de.po", "12")
YOURS = TermExample("Your accounts", "Ihre Konten & <b>mehr</b>", "po/de.po", "menu/7")
POST = TermExample("Post to the account", "Auf das Konto buchen", "", "")

KONTO = Translation(
    "Konto",
    count=1300,
    aligned=99.75,
    share=0.8312,
    score=1.23456,
    variants=(Form("Konten", 30), Form("Kontos", 4)),
    examples=(CLOSE, YOURS),
    known=True,
)
BUCHUNG = Translation(
    "Buchung", count=20, aligned=14.4, share=0.12, score=-0.5, examples=(CLOSE, POST)
)
ACCOUNT = Term(
    "account",
    count=120,
    termhood=3.21,
    translations=(KONTO, BUCHUNG),
    others=(("Vorgang", 0.05), ("Kunde", 0.004)),
    variants=(Form("accounts", 12),),
    known=True,
)
HOUSE = Term("new house", 9, 2.0, (Translation("Neubau", 10, 8.5, 0.9444, 1.5),))
TERMS = TermList(("en", "de"), (ACCOUNT, HOUSE), {"of one letter": 3})


def of_text(text):
    """A list that has a text wherever one can be, but for the codes of the languages."""
    example = TermExample(text, text, text, text)
    found = Translation(text, 1, 1.0, 1.0, 1.0, (Form(text, 1),), (example,))
    term = Term(text, 1, 1.0, (found,), ((text, 0.5),), (Form(text, 1),))
    return TermList(("en", "de"), (term,))
