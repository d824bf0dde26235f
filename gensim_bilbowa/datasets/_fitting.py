"""Words that fit each other in meaning, and how often each is chosen of them."""

from functools import cache

from gensim_bilbowa.datasets._lexicon import Adjective, Adverbial, Draw, Name, Noun, Verb, lexicon
from gensim_bilbowa.datasets._morphology import DATIVE

PEOPLE = frozenset(("adult", "kid"))


@cache
def nouns_of(classes: frozenset[str]) -> Draw[Noun]:
    """Nouns of any of the classes."""
    return Draw((n, w) for n, w in lexicon().nouns if not classes.isdisjoint(n.classes))


@cache
def places_of(classes: frozenset[str]) -> Draw[Noun]:
    """Places of any of the classes."""
    return Draw(
        (n, w) for n, w in lexicon().nouns if n.german_at and not classes.isdisjoint(n.classes)
    )


@cache
def adjectives_of(noun: Noun, predicative: bool) -> Draw[Adjective] | None:
    """Adjectives said of ``noun``, or None."""
    fitting = [
        (adjective, weight)
        for adjective, weight in lexicon().adjectives
        if not adjective.classes.isdisjoint(noun.classes)
        and ("attributive" if predicative else "predicative") not in adjective.flags
    ]
    return Draw(fitting) if fitting else None


@cache
def verbs_with_object(noun: Noun, *, first: bool | None = None) -> Draw[Verb] | None:
    """Transitive verbs without prepositions by which people act on ``noun``, or None.

    With ``first``, only those that come first (buy) or do not (use) when people do two things.
    """
    fitting = [
        (verb, weight)
        for verb, weight in lexicon().verbs
        if not (verb.german_preposition or verb.spanish_preposition or verb.german_case == DATIVE)
        and first in (None, "first" in verb.flags)
        and any(
            not (
                frame.has_recipient
                or frame.object.isdisjoint(noun.classes)
                or frame.subject.isdisjoint(PEOPLE)
            )
            for frame in verb.frames
        )
    ]
    return Draw(fitting) if fitting else None


@cache
def adverbials_of(kind: str, tense: str) -> Draw[Adverbial]:
    """Adverbials of a kind that go with a tense."""
    return Draw(
        (a, w) for a, w in lexicon().adverbials if a.kind == kind and a.tenses & {tense, "any"}
    )


@cache
def names_of(kinds: str) -> Draw[Name]:
    """Names of people (``fm``), women (``f``), men (``m``) or places (``place``)."""
    return Draw((n, w) for n, w in lexicon().names if n.kind in kinds)
