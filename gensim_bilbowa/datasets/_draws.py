"""Random choice of phrases whose words fit each other in meaning."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from gensim_bilbowa.datasets._fitting import PEOPLE, adjectives_of, names_of, nouns_of, places_of
from gensim_bilbowa.datasets._lexicon import Adjective, Draw, Noun
from gensim_bilbowa.datasets._morphology import ACCUSATIVE, DATIVE
from gensim_bilbowa.datasets._phrases import (
    BARE,
    EVERY,
    HER,
    HIS,
    INSTRUMENT,
    MANY,
    MY,
    NOT_A,
    NOT_ANY,
    NUMERALS,
    OUR,
    POSSESSIVES,
    SOME,
    SPORT,
    THE,
    THEIR,
    THIS,
    YOUR,
    A,
    Coordination,
    Determiner,
    Fixed,
    NamePhrase,
    Nominal,
    NounPhrase,
    Prepositional,
    Pronoun,
)

Item = TypeVar("Item")

_ENGLISH = (("I", "me"), ("you", "you"), ("he", "him"), ("we", "us"), ("they", "them"))
_GERMAN = (
    ("ich", "mich", "mir"),
    ("du", "dich", "dir"),
    ("er", "ihn", "ihm"),
    ("wir", "uns", "uns"),
    ("sie", "sie", "ihnen"),
)
_SHE, _IT = ("sie", "sie", "ihr"), ("es", "es", "ihm")
_SPANISH_SUBJECT = (("yo",) * 2, ("tú",) * 2, ("él", "ella"), ("nosotros",) * 2, ("ellos", "ellas"))
_SPANISH_CLITIC = (("me",) * 2, ("te",) * 2, ("lo", "le"), ("nos",) * 2, ("los", "les"))

SUBJECT_DETERMINERS = Draw(
    (
        (THE, 60.0),
        (A, 14.0),
        (MY, 9.0),
        (THIS, 6.0),
        (YOUR, 3.0),
        (EVERY, 1.5),
        (OUR, 2.5),
        (HIS, 2.0),
        (HER, 2.0),
        (THEIR, 1.0),
    )
)
KIN_DETERMINERS = Draw(
    ((MY, 45.0), (YOUR, 14.0), (HIS, 12.0), (HER, 12.0), (THE, 8.0), (OUR, 7.0), (THEIR, 5.0))
)
OBJECT_DETERMINERS = Draw(((THE, 45.0), (A, 38.0), (MY, 4.0), (THIS, 7.0), (YOUR, 2.0)))
PLURAL_DETERMINERS = Draw(
    [(THE, 50.0), (MANY, 8.0), (SOME, 7.0), (THIS, 5.0), (MY, 4.0)]
    + [(numeral, 9.0 / rank) for rank, numeral in enumerate(NUMERALS, 1)]
)
PLACE_DETERMINERS = Draw(((THE, 88.0), (A, 6.0), (THIS, 4.0), (OUR, 2.0)))
PERSONS = Draw(((0, 25.0), (1, 13.0), (2, 35.0), (3, 14.0), (4, 13.0)))

# English and German preposition, German case, Spanish preposition: where things lie.
RELATIONS = Draw(
    (
        (("on", "auf", DATIVE, "en"), 5.0),
        (("under", "unter", DATIVE, "debajo de"), 3.0),
        (("behind", "hinter", DATIVE, "detrás de"), 2.0),
        (("near", "bei", DATIVE, "cerca de"), 1.5),
    )
)


def possessive_of(owner: Nominal) -> Determiner:
    """Return the possessive determiner that refers to ``owner``."""
    third = HER if is_female(owner) else HIS
    return (MY, YOUR, third, OUR, THEIR)[owner.person]


def is_female(phrase: Nominal) -> bool:
    """Whether *she* takes it up in English."""
    if isinstance(phrase, NounPhrase):
        return "f" in phrase.noun.classes
    return phrase.spanish_gender == 1


class PhraseDrawer:
    """Draws phrases from one stream of random numbers."""

    def __init__(self, seed: int) -> None:
        # random() is the one method of Random whose stream no Python version changes.
        self.random = Random(seed).random

    def chance(self, probability: float) -> bool:
        """Return True with a probability."""
        return self.random() < probability

    def one_of(self, items: Sequence[Item]) -> Item:
        """Choose one item evenly."""
        return items[int(self.random() * len(items))]

    def adjective(self, noun: Noun, probability: float) -> Adjective | None:
        """Choose an adjective for ``noun``, or often none."""
        if not self.chance(probability):
            return None
        fitting = adjectives_of(noun, False)
        return fitting(self.random()) if fitting else None

    def pronoun(self, person: int, *, female: bool = False) -> Pronoun:
        """Return a personal pronoun; Spanish mostly leaves the subject out."""
        she = female and person == 2
        return Pronoun(
            person,
            1 if female else 0,
            1 if female else 0,
            ("she", "her") if she else _ENGLISH[person],
            _SHE if she else _GERMAN[person],
            _SPANISH_SUBJECT[person][female] if self.chance(0.25) else "",
            ("la" if she else "las", _SPANISH_CLITIC[person][1])
            if female and person in (2, 4)
            else _SPANISH_CLITIC[person],
        )

    def anaphor(self, phrase: Nominal) -> Pronoun:
        """Return the pronoun that takes up ``phrase``."""
        gender, person = phrase.german_gender, phrase.person
        person_like = isinstance(phrase, NamePhrase | Pronoun) or (
            isinstance(phrase, NounPhrase) and not phrase.noun.classes.isdisjoint(("adult", "kid"))
        )
        female = is_female(phrase)
        german = (_GERMAN[2], _SHE, _IT, _GERMAN[4])[gender]
        if person_like and female and gender == 2:
            german = _SHE  # das Mädchen ... sie
        english = _ENGLISH[person]
        if person == 2:
            english = ("she", "her") if female else _ENGLISH[2]
            if not person_like:
                english = ("it", "it")
        else:
            german = _GERMAN[person]
        feminine = phrase.spanish_gender == 1
        clitic = ("la" if feminine else "lo") if person == 2 else "las" if feminine else "los"
        clitics = (clitic, _SPANISH_CLITIC[person][1])
        return Pronoun(
            person, gender, phrase.spanish_gender, english, german, "", clitics, phrase.animate
        )

    def person(self, classes: frozenset[str] = PEOPLE) -> Nominal:
        """Draw a subject that is a person: pronoun, name, noun phrase or two of them."""
        u = self.random()
        if u < 0.27:
            return self.pronoun(PERSONS(self.random()), female=self.chance(0.45))
        if u < 0.42:
            return self.name()
        if u < 0.48:
            first, second = self.noun_subject(classes), self.noun_subject(classes)
            if first.noun.english == second.noun.english or first.plural or second.plural:
                return first
            if EVERY not in (first.determiner, second.determiner):
                return Coordination(first, second)
            return first
        return self.noun_subject(classes)

    def noun_subject(self, classes: frozenset[str]) -> NounPhrase:
        """Draw a noun phrase that can be a subject in all three languages."""
        noun = nouns_of(classes)(self.random())
        adjective = self.adjective(noun, 0.14)
        if not noun.countable:
            return NounPhrase(THE, noun, False, adjective)
        kin = not noun.classes.isdisjoint(("kin", "spouse", "friend", "boss"))
        if kin:
            plural = self.chance(0.12)
            determiner = KIN_DETERMINERS(self.random())
            if "spouse" in noun.classes and determiner not in (MY, YOUR, THE):
                determiner = HER if "m" in noun.classes else HIS
            if plural and noun.classes.isdisjoint(("sibling", "friend")):
                determiner = THE
            return NounPhrase(determiner, noun, plural, None)
        plural = self.chance(0.24)
        determiner = (PLURAL_DETERMINERS if plural else SUBJECT_DETERMINERS)(self.random())
        owned = not noun.classes.isdisjoint(("pet", "thing", "kid", "baby"))
        if determiner in POSSESSIVES and not owned:
            determiner = THE
        return NounPhrase(determiner, noun, plural, adjective)

    def subject(self, classes: frozenset[str]) -> Nominal:
        """Draw a subject of the classes."""
        if classes.isdisjoint(("adult", "kid")):
            return self.noun_subject(classes)
        if not classes <= PEOPLE and self.chance(0.4):
            return self.noun_subject(classes)
        if "adult" not in classes:
            return self.noun_subject(classes)
        return self.person(classes)

    def noun_for(self, classes: frozenset[str], owner: Nominal) -> Noun:
        """Draw a noun; no husbands of boys or men, and no children of children."""
        draw = nouns_of(classes)
        noun = draw(self.random())
        if classes.isdisjoint(("adult", "kid")):
            return noun
        young = isinstance(owner, NounPhrase) and "kid" in owner.noun.classes
        while (
            (young and not noun.classes.isdisjoint(("spouse", "offspring")))
            or ("spouse" in noun.classes and ("f" in noun.classes) == is_female(owner))
            or (isinstance(owner, NounPhrase) and owner.noun.english == noun.english)
        ):
            noun = draw(self.random())
        return noun

    def phrase_object(self, noun: Noun, owner: Nominal, negated: bool = False) -> NounPhrase:
        """Put ``noun`` into an object phrase; negation turns *ein* and no article into *kein*."""
        if "sport" in noun.classes:
            return NounPhrase(SPORT, noun)
        if not noun.classes.isdisjoint(("tongue", "subject")):
            return NounPhrase(BARE, noun)
        adjective = self.adjective(noun, 0.2)
        human = not noun.classes.isdisjoint(("adult", "kid", "baby", "spouse"))
        if "ailment" in noun.classes:
            return NounPhrase(NOT_A if negated else A, noun)
        if not noun.countable:
            indefinite = noun.classes.isdisjoint(("sun", "sky", "meal")) and self.chance(0.6)
            determiner = (NOT_ANY if negated else BARE) if indefinite else THE
            return NounPhrase(determiner, noun, False, adjective)
        related = not noun.classes.isdisjoint(("kin", "spouse", "friend", "baby", "boss"))
        owned = not noun.classes.isdisjoint(("clothing", "vehicle", "pet", "portable"))
        if isinstance(owner, NounPhrase) and "animal" in owner.noun.classes:
            related = owned = False
        if "spouse" in noun.classes or (related and self.chance(0.75)):
            return NounPhrase(possessive_of(owner), noun)
        if owned and self.chance(0.25):
            return NounPhrase(possessive_of(owner), noun, self.chance(0.15), adjective)
        if self.chance(0.26):
            u = self.random()
            if negated:
                determiner = THE if human or u < 0.5 else NOT_ANY
            else:
                determiner = THE if human else PLURAL_DETERMINERS(u)
                if not human and determiner is THE and self.chance(0.5):
                    determiner = BARE
            return NounPhrase(determiner, noun, True, adjective)
        determiner = OBJECT_DETERMINERS(self.random())
        if negated and determiner is A:
            determiner = NOT_A
        if human and determiner in (NOT_A, MY, YOUR):
            determiner = THE
        return NounPhrase(determiner, noun, False, adjective)

    def name(self) -> NamePhrase:
        """Draw a person by name."""
        return NamePhrase(names_of("fm")(self.random()))

    def instrument_object(self, classes: frozenset[str]) -> NounPhrase:
        """Draw *play the guitar*, *Gitarre spielen*, *tocar la guitarra*."""
        return NounPhrase(INSTRUMENT, nouns_of(classes)(self.random()))

    def acquaintance(self, owner: Nominal) -> Nominal:
        """Draw a person by relation to ``owner``, for adjuncts and recipients."""
        if self.chance(0.2) and not isinstance(owner, NamePhrase):
            return self.name()
        noun = self.noun_for(PEOPLE, owner)
        related = not noun.classes.isdisjoint(("kin", "spouse", "friend", "boss"))
        if related:
            return NounPhrase(possessive_of(owner), noun)
        return NounPhrase(THE, noun, self.chance(0.15))

    def _place_phrase(self, noun: Noun, plural: bool = False) -> NounPhrase:
        determiner = PLACE_DETERMINERS(self.random())
        if not noun.countable:
            determiner = THE
        adjective = self.adjective(noun, 0.12)
        if plural and noun.countable:
            return NounPhrase(THE, noun, True, adjective)
        return NounPhrase(determiner, noun, False, adjective)

    def immersion(self, classes: frozenset[str], *, afloat: bool) -> Prepositional:
        """Draw the water that somebody swims in or sails on."""
        english, german = ("on", "auf") if afloat else ("in", "in")
        phrase = self._place_phrase(places_of(classes)(self.random()))
        return Prepositional(english, german, DATIVE, "en", phrase)

    def location(self, classes: frozenset[str], spanish: str = "en") -> Prepositional:
        """Draw where something happens."""
        noun = places_of(classes)(self.random())
        if noun.english_at == "by" and spanish == "en":
            spanish = "junto a"
        return Prepositional(
            noun.english_at,
            noun.german_at,
            DATIVE,
            spanish,
            self._place_phrase(noun, self.chance(0.06)),
        )

    def destination(self, classes: frozenset[str]) -> Prepositional:
        """Draw where somebody goes."""
        noun = places_of(classes)(self.random())
        case = DATIVE if noun.german_to == "zu" else ACCUSATIVE
        return Prepositional("to", noun.german_to, case, "a", self._place_phrase(noun))

    def relation(self, classes: frozenset[str]) -> Prepositional:
        """Draw where something lies: on, under, behind or near a thing."""
        noun = nouns_of(classes)(self.random())
        english, german, case, spanish = RELATIONS(self.random())
        phrase = NounPhrase(THE, noun, self.chance(0.08), self.adjective(noun, 0.1))
        return Prepositional(english, german, case, spanish, phrase)

    def named_place(self, english: str, german: str, spanish: str) -> Prepositional:
        """Draw a city or country."""
        name = NamePhrase(names_of("place")(self.random()))
        return Prepositional(english, german, DATIVE, spanish, name)

    def companion(self, owner: Nominal) -> Prepositional:
        """Draw *with her friend*."""
        return Prepositional("with", "mit", DATIVE, "con", self.acquaintance(owner))

    def beneficiary(self, owner: Nominal) -> Prepositional:
        """Draw *for his mother*."""
        return Prepositional("for", "für", ACCUSATIVE, "para", self.acquaintance(owner))

    def means(self) -> Fixed:
        """Draw *by train*, *mit dem Zug*, *en tren*."""
        noun = nouns_of(frozenset(("transit", "cycle", "car", "ship")))(self.random())
        words = NounPhrase(THE, noun).german(DATIVE)
        return Fixed(("by", noun.english[0]), ("mit", *words), ("en", noun.spanish[0]))
