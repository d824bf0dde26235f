"""Terms of a list that a glossary has, and their translations in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.terminology.glossary import Glossary
from gensim_bilbowa.terminology.phrases import Spelling
from gensim_bilbowa.terminology.term import Term, Translation
from gensim_bilbowa.terminology.termlist import TermList
from gensim_bilbowa.tokenization.codes import matching

__all__ = ["Spellings", "marked", "spellings_of"]

# Of source and target.
Spellings = tuple[Spelling, Spelling]


def spellings_of(glossary: Glossary, terms: TermList) -> Spellings:
    """Return how texts of the two languages are compared.

    Raises
    ------
    ConfigError
        If the glossary is of other languages than the list.
    """
    for code, wanted in zip(glossary.languages, terms.languages, strict=True):
        if not (matching(code, [wanted]) or matching(wanted, [code])):
            raise ConfigError(
                f"a glossary in {terms.languages} is wanted, as the list of terms is; got one in "
                f"{glossary.languages}"
            )
    return Spelling(terms.languages[0]), Spelling(terms.languages[1])


def forms_of(term: Term | Translation, spelling: Spelling) -> set[str]:
    """Return the ways in which a term is written, as they are compared."""
    forms = {spelling(text) for text in (term.text, *(form.text for form in term.variants))}
    # Of what is mark-up alone nothing is left to compare.
    return forms - {""}


def targets_by_source(glossary: Glossary, spellings: Spellings) -> Mapping[str, set[str]]:
    """Return the translations of each source term, as they are compared."""
    found: dict[str, set[str]] = defaultdict(set)
    for entry in glossary:
        targets = set(map(spellings[1], entry.targets))
        for source in entry.sources:
            found[spellings[0](source)] |= targets
    return found


def marked(terms: TermList, glossary: Glossary) -> TermList:
    """Mark the terms that a glossary has, and those of their translations that it has for them.

    Terms are the same whatever their case and typography, and one of the forms that they have in
    the list is enough.

    Parameters
    ----------
    terms : TermList
    glossary : Glossary
        In the same languages.

    Returns
    -------
    TermList
        Whose terms and translations are `known` or not by this glossary.

    Raises
    ------
    ConfigError
        If the glossary is of other languages.

    Examples
    --------
    >>> from gensim_bilbowa.terminology import GlossaryEntry
    >>> konto = Translation("Konto", 9, aligned=8, share=0.8, score=3)
    >>> terms = TermList(("en", "de"), (Term("account", 10, 2.0, (konto,)),))
    >>> glossary = Glossary(("en", "de"), (GlossaryEntry(("Account",), ("konto",)),))
    >>> term = marked(terms, glossary)[0]
    >>> term.known, term.translations[0].known
    (True, True)
    """
    spellings = spellings_of(glossary, terms)
    known = targets_by_source(glossary, spellings)

    def of_term(term: Term) -> Term:
        targets = _targets(known, forms_of(term, spellings[0]))
        translations = tuple(
            replace(each, known=bool(targets and targets & forms_of(each, spellings[1])))
            for each in term.translations
        )
        return replace(term, known=targets is not None, translations=translations)

    return replace(terms, terms=tuple(map(of_term, terms)))


def _targets(known: Mapping[str, set[str]], forms: Iterable[str]) -> set[str] | None:
    """Return the known translations of a term in any of its forms; None if it is not known."""
    found = [known[form] for form in forms if form in known]
    return set().union(*found) if found else None
