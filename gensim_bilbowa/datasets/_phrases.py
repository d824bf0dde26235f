"""Noun phrases, and how English, German and Spanish put them into words.

Every phrase is built once, without words, and realised in the three languages by methods of the
same names. Tokens are truecased: a word keeps its capital only where it has one inside a
sentence (German nouns, names, English *I* and weekdays), so that no word occurs in two spellings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from gensim_bilbowa.datasets._lexicon import Adjective, Name, Noun
from gensim_bilbowa.datasets._morphology import (
    GERMAN_ARTICLE,
    PLURAL,
    Forms,
    german_determiner,
)

Tokens = list[str]

GERMAN_CONTRACTIONS = {
    ("in", "dem"): "im",
    ("an", "dem"): "am",
    ("bei", "dem"): "beim",
    ("von", "dem"): "vom",
    ("zu", "dem"): "zum",
    ("zu", "der"): "zur",
    ("in", "das"): "ins",
    ("an", "das"): "ans",
}
SPANISH_CONTRACTIONS = {("a", "el"): "al", ("de", "el"): "del"}


class Relative(Protocol):
    """A clause about what a noun phrase names."""

    def english(self) -> Tokens:
        """English words."""

    def german(self, order: str) -> Tokens:
        """German words: ``main``, ``inverted`` or ``subordinate``."""

    def spanish(self) -> Tokens:
        """Spanish words."""


@dataclass(frozen=True, slots=True, eq=False)
class Determiner:
    """English and Spanish forms by number (and gender), German forms by gender and case."""

    english: Forms
    german: tuple[Forms, ...]
    declension: str
    spanish: tuple[Forms, Forms]


_NOTHING = (("",) * 3,) * 4
_KEIN = german_determiner("kein", "ein")
THE = Determiner(("the", "the"), GERMAN_ARTICLE, "weak", (("el", "la"), ("los", "las")))
A = Determiner(("a", ""), german_determiner("ein", "ein"), "mixed", (("un", "una"), ("", "")))
BARE = Determiner(("", ""), _NOTHING, "strong", (("", ""), ("", "")))
THIS = Determiner(
    ("this", "these"),
    german_determiner("dies", "dieser"),
    "weak",
    (("este", "esta"), ("estos", "estas")),
)
EVERY = Determiner(
    ("every", ""), german_determiner("jed", "dieser"), "weak", (("cada", "cada"), ("", ""))
)
NOT_A = Determiner(("a", ""), _KEIN, "mixed", (("ningún", "ninguna"), ("", "")))
NOT_ANY = Determiner(("", ""), _KEIN, "mixed", (("", ""), ("", "")))
# I play the guitar: ich spiele Gitarre; I learn German: aprendo alemán.
INSTRUMENT = Determiner(("the", ""), _NOTHING, "strong", (("el", "la"), ("", "")))
SPORT = Determiner(("", ""), _NOTHING, "strong", (("el", "la"), ("", "")))
WHICH = Determiner(
    ("which", "which"), german_determiner("welch", "dieser"), "weak", (("qué",) * 2,) * 2
)
HOW_MANY = Determiner(
    ("how many",) * 2, (("wie viele",) * 3,) * 4, "strong", (("",) * 2, ("cuántos", "cuántas"))
)
MANY = Determiner(
    ("", "many"), german_determiner("viel", "dieser"), "strong", (("", ""), ("muchos", "muchas"))
)
SOME = Determiner(
    ("", "some"), german_determiner("einig", "dieser"), "strong", (("", ""), ("algunos", "algunas"))
)


def _possessive(english: str, german: str, spanish: str) -> Determiner:
    forms = ((spanish,) * 2, (spanish + "s",) * 2)
    if spanish == "nuestro":
        forms = (("nuestro", "nuestra"), ("nuestros", "nuestras"))
    return Determiner((english,) * 2, german_determiner(german, "ein"), "mixed", forms)


MY, YOUR = _possessive("my", "mein", "mi"), _possessive("your", "dein", "tu")
HIS, HER = _possessive("his", "sein", "su"), _possessive("her", "ihr", "su")
OUR, THEIR = _possessive("our", "unser", "nuestro"), _possessive("their", "ihr", "su")
POSSESSIVES = (MY, YOUR, HIS, HER, OUR, THEIR)

NUMERALS = tuple(
    Determiner(("", english), ((german,) * 3,) * 4, "strong", (("", ""), (spanish, spanish)))
    for english, german, spanish in (
        ("two", "zwei", "dos"),
        ("three", "drei", "tres"),
        ("four", "vier", "cuatro"),
        ("five", "fünf", "cinco"),
        ("six", "sechs", "seis"),
        ("ten", "zehn", "diez"),
        ("seven", "sieben", "siete"),
        ("eight", "acht", "ocho"),
        ("nine", "neun", "nueve"),
        ("twelve", "zwölf", "doce"),
        ("twenty", "zwanzig", "veinte"),
    )
)


def article_before(word: str) -> str:
    return "an" if word[0] in "aeiouAEIOU" and not word.startswith("uni") else "a"


def spanish_prepositional(preposition: str, words: Tokens) -> Tokens:
    """Put a preposition (perhaps of several words) before a phrase, with *al* and *del*."""
    *before, last = preposition.split()
    contracted = SPANISH_CONTRACTIONS.get((last, words[0]))
    return [*before, contracted, *words[1:]] if contracted else [*before, last, *words]


def german_prepositional(preposition: str, phrase: Nominal, case: int) -> Tokens:
    """Put a preposition before a phrase, with *im*, *zur* and the like."""
    words = phrase.german(case)
    if getattr(phrase, "determiner", None) is THE:
        contracted = GERMAN_CONTRACTIONS.get((preposition, words[0]))
        if contracted:
            return [contracted, *words[1:]]
    return [preposition, *words]


def spanish_and(following: str) -> str:
    """*y*, or *e* before the sound i."""
    return "e" if following.startswith(("i", "I", "hi")) else "y"


@dataclass(slots=True, eq=False)
class NounPhrase:
    """Determiner, adjective, noun and relative clause."""

    determiner: Determiner
    noun: Noun
    plural: bool = False
    adjective: Adjective | None = None
    relative: Relative | None = None

    @property
    def person(self) -> int:
        """Third person singular or plural."""
        return 4 if self.plural else 2

    @property
    def german_gender(self) -> int:
        """German gender, or 3 in the plural."""
        return PLURAL if self.plural else self.noun.german_gender

    @property
    def spanish_gender(self) -> int:
        return self.noun.spanish_gender

    @property
    def animate(self) -> bool:
        """Whether it names people, or definite animals."""
        definite = self.determiner in (THE, THIS, *POSSESSIVES)
        return not self.noun.classes.isdisjoint(
            ("adult", "kid", "baby", "animal") if definite else ("adult", "kid", "baby")
        )

    def english(self, *, is_object: bool = False) -> Tokens:
        words = [self.noun.english[self.plural]]
        if self.adjective:
            words.insert(0, self.adjective.english)
        determiner = self.determiner.english[self.plural]
        if determiner == "a":
            determiner = article_before(words[0])
        words = [*determiner.split(), *words]
        return words + self.relative.english() if self.relative else words

    def german(self, case: int) -> Tokens:
        gender = self.german_gender
        words = self.determiner.german[gender][case].split()
        if self.adjective:
            words.append(self.adjective.german_forms[self.determiner.declension][gender][case])
        words.append(self.noun.german[self.plural][case])
        if self.relative:
            return [*words, ",", *self.relative.german("subordinate"), ","]
        return words

    def spanish(self) -> Tokens:
        noun, number, adjective = self.noun, self.plural, self.adjective
        gender = noun.spanish_gender
        words = [noun.spanish[number]]
        before = adjective is not None and adjective.prenominal
        if adjective:
            form = adjective.spanish[number][gender]
            if before:  # buen, mal
                words.insert(0, form[:-1] if form.endswith("o") else form)
            else:
                words.append(form)
        forms = self.determiner.spanish[number]
        masculine = noun.stressed_a and not before and self.determiner in (THE, A, NOT_A)
        determiner = forms[0 if masculine and not number else gender]
        if determiner:
            words.insert(0, determiner)
        return words + self.relative.spanish() if self.relative else words


@dataclass(frozen=True, slots=True, eq=False)
class NamePhrase:
    """A name of a person or place."""

    name: Name

    @property
    def person(self) -> int:
        """Third person singular."""
        return 2

    @property
    def german_gender(self) -> int:
        """Gender of the pronoun that takes it up."""
        return 1 if self.name.kind == "f" else 0

    @property
    def spanish_gender(self) -> int:
        """Gender of the words that agree with it."""
        return self.german_gender

    @property
    def animate(self) -> bool:
        """Whether it names a person."""
        return self.name.kind != "place"

    def english(self, *, is_object: bool = False) -> Tokens:
        return [self.name.english]

    def german(self, case: int) -> Tokens:
        return [self.name.german]

    def spanish(self) -> Tokens:
        return [self.name.spanish]


@dataclass(frozen=True, slots=True, eq=False)
class Pronoun:
    """A personal, relative or question pronoun; Spanish subjects may be left out."""

    person: int
    german_gender: int
    spanish_gender: int
    english_forms: Forms
    german_forms: Forms
    spanish_subject: str
    spanish_clitics: Forms = ("", "")
    animate: bool = True

    def english(self, *, is_object: bool = False) -> Tokens:
        return [self.english_forms[is_object]]

    def german(self, case: int) -> Tokens:
        return [self.german_forms[case]]

    def spanish(self) -> Tokens:
        """Spanish subject, empty where left out."""
        return [self.spanish_subject] if self.spanish_subject else []


@dataclass(frozen=True, slots=True, eq=False)
class Coordination:
    """Two phrases joined by *and* or *or*."""

    first: Nominal
    second: Nominal
    person: int = 4
    german_gender: int = PLURAL
    animate: bool = True
    alternative: bool = False

    @property
    def spanish_gender(self) -> int:
        """Feminine only if both are."""
        return min(self.first.spanish_gender, self.second.spanish_gender)

    def english(self, *, is_object: bool = False) -> Tokens:
        return [
            *self.first.english(is_object=is_object),
            "or" if self.alternative else "and",
            *self.second.english(is_object=is_object),
        ]

    def german(self, case: int) -> Tokens:
        conjunction = "oder" if self.alternative else "und"
        return [*self.first.german(case), conjunction, *self.second.german(case)]

    def spanish(self) -> Tokens:
        second = self.second.spanish()
        conjunction = "o" if self.alternative else spanish_and(second[0])
        return [*self.first.spanish(), conjunction, *second]


# What is a subject or an object.
Nominal: TypeAlias = NounPhrase | NamePhrase | Pronoun | Coordination


@dataclass(frozen=True, slots=True, eq=False)
class Prepositional:
    """A prepositional phrase."""

    english_preposition: str
    german_preposition: str
    german_case: int
    spanish_preposition: str
    phrase: Nominal

    def english(self) -> Tokens:
        return [*self.english_preposition.split(), *self.phrase.english(is_object=True)]

    def german(self) -> Tokens:
        return german_prepositional(self.german_preposition, self.phrase, self.german_case)

    def spanish(self) -> Tokens:
        return spanish_prepositional(self.spanish_preposition, self.phrase.spanish())


@dataclass(frozen=True, slots=True, eq=False)
class Fixed:
    """Words that never change, as an adjunct or a clause: German main clause and verb-final."""

    english_words: Forms
    german_words: Forms
    spanish_words: Forms
    german_inverted: Forms = ()
    german_subordinate: Forms = ()

    def english(self) -> Tokens:
        return list(self.english_words)

    def german(self, order: str = "main") -> Tokens:
        """German words in one of the three orders."""
        other = {"inverted": self.german_inverted, "subordinate": self.german_subordinate}
        return list(other.get(order) or self.german_words)

    def spanish(self) -> Tokens:
        return list(self.spanish_words)
