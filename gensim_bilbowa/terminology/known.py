"""Terms of a list that a glossary has, and their translations in it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.terminology.glossary import Glossary
from gensim_bilbowa.terminology.phrases import Normalizer
from gensim_bilbowa.terminology.term import Term, Translation
from gensim_bilbowa.terminology.termlist import TermList
from gensim_bilbowa.tokenization.codes import matching

__all__ = ["KnownTerms", "forms_of", "marked"]


class KnownTerms:
    """The terms of a glossary, as those of a list and its text are compared with them.

    Attributes
    ----------
    glossary : Glossary
    normalizers : (Normalizer, Normalizer)
    entries : list of (list of str, list of str)
        The source and target terms of each entry.
    targets : dict from str to set of str
        The translations of each source term.

    Raises
    ------
    ConfigError
        If the glossary is of other languages than the list.
    """

    def __init__(self, glossary: Glossary, languages: tuple[str, str]) -> None:
        for code, wanted in zip(glossary.languages, languages, strict=True):
            if not (matching(code, [wanted]) or matching(wanted, [code])):
                raise ConfigError(
                    f"a glossary in {languages} is wanted, as the list of terms is; got one in "
                    f"{glossary.languages}"
                )
        self.glossary = glossary
        self.normalizers = source, target = Normalizer(languages[0]), Normalizer(languages[1])
        self.entries = [
            ([*map(source, entry.sources)], [*map(target, entry.targets)]) for entry in glossary
        ]
        self.targets: dict[str, set[str]] = defaultdict(set)
        for sources, targets in self.entries:
            for term in sources:
                self.targets[term].update(targets)

    def mark(self, terms: TermList) -> TermList:
        """Return a list of terms with those marked that are known, see :func:`marked`."""
        return replace(terms, terms=tuple(map(self._marked, terms)))

    def _marked(self, term: Term) -> Term:
        source, target = self.normalizers
        found = [self.targets[form] for form in forms_of(term, source) if form in self.targets]
        targets = set().union(*found)
        translations = tuple(
            replace(each, known=bool(targets & forms_of(each, target)))
            for each in term.translations
        )
        return replace(term, known=bool(found), translations=translations)


def forms_of(term: Term | Translation, normalizer: Normalizer) -> set[str]:
    """Return the ways in which a term is written, as they are compared."""
    forms = {normalizer(text) for text in (term.text, *(form.text for form in term.variants))}
    # Of what is mark-up alone nothing is left to compare.
    return forms - {""}


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
    return KnownTerms(glossary, terms.languages).mark(terms)
