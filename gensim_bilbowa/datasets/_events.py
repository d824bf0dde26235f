"""Random clauses: an event or a state with participants, tense and adjuncts that fit the verb."""

from functools import cache

from gensim_bilbowa.datasets._clauses import Clause, Modal, Predicate
from gensim_bilbowa.datasets._draws import PhraseDrawer
from gensim_bilbowa.datasets._fitting import PEOPLE, adjectives_of, adverbials_of
from gensim_bilbowa.datasets._lexicon import Adjective, Draw, Frame, Noun, Verb, lexicon
from gensim_bilbowa.datasets._morphology import german_verb, spanish_verb
from gensim_bilbowa.datasets._phrases import (
    NOT_A,
    NOT_ANY,
    POSSESSIVES,
    THE,
    THIS,
    Coordination,
    Fixed,
    NamePhrase,
    Nominal,
    NounPhrase,
    Pronoun,
)

AT_HOME = Fixed(("at", "home"), ("zu", "Hause"), ("en", "casa"))
HOMEWARDS = Fixed(("home",), ("nach", "Hause"), ("a", "casa"))
SURFACE = frozenset(("surface",))


def _modal(english: str, german: str, spanish: str, *, negatable: bool = True) -> Modal:
    third, other, *link = english.split()
    lemma, *spanish_link = spanish.split()
    return Modal(
        third,
        other,
        tuple(link),
        german_verb(german).present,
        spanish_verb(lemma).present,
        tuple(spanish_link),
        negatable,
    )


WILL = _modal("will will", "werden", "ir a")
CAN = _modal("can can", "können", "poder")
MODALS = Draw(
    (
        (CAN, 4.0),
        # "must not" is a prohibition but "muss nicht" is not
        (_modal("must must", "müssen", "deber", negatable=False), 3.0),
        (_modal("wants want to", "wollen", "querer"), 3.0),
        (_modal("should should", "sollen", "deber"), 2.0),
    )
)
TENSES = Draw(
    (
        ("present", 30.0),
        ("progressive", 20.0),
        ("past", 28.0),
        ("perfect", 6.0),
        ("future", 8.0),
        ("modal", 13.0),
    )
)
STATE_TENSES = Draw((("present", 75.0), ("past", 25.0)))
# How likely an adverbial of time is in each tense.
TIME_ODDS = {"present": 0.3, "progressive": 0.22, "past": 0.45, "future": 0.6}
FREQUENCY_ODDS = {"present": 0.25, "progressive": 0.08, "perfect": 0.5}


@cache
def verbs(*subjects: str) -> Draw[tuple[Verb, Frame]]:
    """Verbs with one of their frames; only those whose subjects may be of all given classes."""
    return Draw(
        ((verb, frame), weight / len(verb.frames))
        for verb, weight in lexicon().verbs
        for frame in verb.frames
        if "that" not in frame.object
        and frame.subject.issuperset(subjects)
        and (not subjects or frame.subject <= PEOPLE)
    )


@cache
def verbs_of_thought() -> Draw[Verb]:
    """Verbs with a *that* clause."""
    return Draw((v, w) for v, w in lexicon().verbs if "that" in v.frames[0].object)


@cache
def predicates(of_people: bool, passing: bool) -> Draw[Adjective]:
    """Adjectives that can be predicates; ``of_people`` only those said of any grown-up.

    Passing states are those that Spanish expresses with *estar*, but for fat and thin.
    """
    return Draw(
        (a, w)
        for a, w in lexicon().adjectives
        if not a.attributive
        and ("adult" in a.classes or not of_people)
        and (not passing or (a.copula == "estar" and "lasting" not in a.flags))
    )


@cache
def professions(female: bool) -> Draw[Noun]:
    """Professions of women or men."""
    return Draw(
        (n, w) for n, w in lexicon().nouns if "job" in n.classes and ("f" in n.classes) == female
    )


class EventDrawer(PhraseDrawer):
    """Draws clauses from one stream of random numbers."""

    def event(
        self,
        subject: Nominal | None = None,
        *,
        tense: str = "",
        plain: bool = False,
        negatable: bool = True,
    ) -> Clause:
        """Draw a clause with a verb.

        A given subject must be a person. A ``plain`` clause has no adverbial of time or frequency.
        """
        required: tuple[str, ...] = ()
        if subject is not None:
            grown_up = isinstance(subject, NamePhrase) or (
                isinstance(subject, NounPhrase) and "adult" in subject.noun.classes
            )
            required = ("adult",) if grown_up else ("adult", "kid")
        verb, frame = verbs(*required)(self.random())
        while tense == "progressive" and "stative" in verb.flags:
            verb, frame = verbs(*required)(self.random())
        if subject is None:
            subject = self.subject(frame.subject)
        clause = Clause(subject, verb)
        self._set_tense(clause, frame, tense)
        clause.negated = self._may_negate(clause) and negatable and self.chance(0.11)
        self._set_participants(clause, frame)
        if "stative" not in verb.flags and not plain:
            self._set_time(clause)
        manner = verb.flags & {"quickly", "slowly", "well", "loudly", "quietly", "carefully"}
        if manner and not clause.negated and self.chance(0.2):
            clause.manner = adverbials_of(min(manner), "any")(self.random())
        self._set_adjuncts(clause)
        return clause

    def _set_tense(self, clause: Clause, frame: Frame, tense: str) -> None:
        verb = clause.verb
        assert verb
        flags = verb.flags
        if not tense:
            tense = (STATE_TENSES if "stative" in flags else TENSES)(self.random())
        if tense == "modal":
            people = not frame.subject.isdisjoint(PEOPLE)
            animal = isinstance(clause.subject, NounPhrase) and (
                "animal" in clause.subject.noun.classes
            )
            if "mishap" in flags or not (people or animal):
                tense = "past"
            else:
                clause.modal = CAN if animal else MODALS(self.random())
        elif tense == "future":
            clause.modal = WILL
        if tense == "progressive" and flags & {"noprog", "stative"}:
            tense = "present"
        if tense == "perfect" and "stative" in flags:
            tense = "past"
        clause.tense = tense
        clause.german_perfect = "stative" not in flags and self.chance(0.55)
        clause.spanish_progressive = self.chance(0.6) and verb.spanish.infinitive not in (
            "ir",
            "venir",
        )

    @staticmethod
    def _may_negate(clause: Clause) -> bool:
        subject = clause.subject
        if clause.modal and not clause.modal.may_be_negated:
            return False
        # Scope: "every" and "some" with a negation read differently in the three languages.
        definite = isinstance(subject, NamePhrase | Pronoun) or (
            isinstance(subject, NounPhrase) and subject.determiner is THE
        )
        return definite and clause.tense != "perfect"

    def _set_participants(self, clause: Clause, frame: Frame) -> None:
        verb, subject = clause.verb, clause.subject
        assert verb
        if frame.object:
            if frame.object == {"instrument"}:
                clause.object = self.instrument_object(frame.object)
            else:
                clause.object = self._object(clause, frame)
        if frame.has_recipient:
            if self.chance(0.3):
                person = self._other_person(subject)
                clause.recipient = self.pronoun(person, female=self.chance(0.5))
            else:
                clause.recipient = self.acquaintance(subject)
                clause.recipient_last = self.chance(0.3)
        elif (
            clause.object
            and not verb.german_preposition
            and not verb.spanish_preposition
            and frame.object <= PEOPLE
            and self.chance(0.3)
        ):
            person = self._other_person(subject)
            clause.object = self.pronoun(person, female=self.chance(0.5))

    def _other_person(self, subject: Nominal) -> int:
        """Draw the person of an object pronoun that does not include the subject itself."""
        own = {0: (0, 3), 1: (1,), 3: (0, 3)}.get(subject.person, ())
        return self.one_of([person for person in (0, 1, 2, 3, 4) if person not in own])

    def _object(self, clause: Clause, frame: Frame) -> Nominal:
        subject = clause.subject
        while True:
            noun = self.noun_for(frame.object, subject)
            phrase = self.phrase_object(noun, subject, clause.negated)
            if (
                clause.verb
                and clause.verb.german_preposition
                and phrase.determiner in (NOT_A, NOT_ANY)
            ):
                phrase.determiner = THE
            same = isinstance(subject, NounPhrase) and subject.noun.classes == phrase.noun.classes
            place = bool(phrase.noun.german_at)
            if place and phrase.plural:
                phrase.plural, phrase.determiner = False, THE
            if not same:
                break
        if frame.object <= PEOPLE and self.chance(0.15):
            name = self.name()
            if not isinstance(subject, NamePhrase | Coordination):
                return name
        return phrase

    def _set_time(self, clause: Clause) -> None:
        tense = clause.tense
        if self.chance(TIME_ODDS.get(tense, 0.0)):
            tag = "habit" if tense == "present" else tense
            clause.time = adverbials_of("time", tag)(self.random())
            clause.time_first = self.chance(0.3)
        elif not clause.negated and self.chance(FREQUENCY_ODDS.get(tense, 0.0)):
            tag = "habit" if tense == "present" else tense
            clause.frequency = adverbials_of("frequency", tag)(self.random())

    def _set_adjuncts(self, clause: Clause) -> None:
        verb, subject = clause.verb, clause.subject
        assert verb
        lemma = verb.english.base
        adult = subject.animate and not (
            isinstance(subject, NounPhrase) and subject.noun.classes.isdisjoint(PEOPLE)
        )
        pet = isinstance(subject, NounPhrase) and "pet" in subject.noun.classes
        if verb.motion == "trip":
            named = self.chance(0.6)
            clause.adjuncts = [self.named_place("to", "nach", "a")] if named else []
            if not named or self.chance(0.4):
                clause.adjuncts = [self.means(), *clause.adjuncts]
        elif adult and verb.motion == "goal" and lemma != "fly" and self.chance(0.12):
            clause.adjuncts = [HOMEWARDS]
        elif adult and "room" in verb.places and not verb.motion and self.chance(0.15):
            clause.adjuncts = [AT_HOME]
        elif lemma == "come" and self.chance(0.35):
            clause.adjuncts = [self.named_place("from", "aus", "de")]
        elif verb.motion == "goal":
            clause.adjuncts = [self.destination(verb.places)]
        elif lemma == "live":
            named = self.chance(0.4)
            clause.adjuncts = [
                self.named_place("in", "in", "en") if named else self.location(verb.places)
            ]
        elif "to" in verb.flags:
            clause.adjuncts = [self.location(verb.places, "a")]
        elif lemma == "sleep" and pet and self.chance(0.6):
            clause.adjuncts = [self.relation(SURFACE)]
        elif verb.flags & {"inside", "afloat"}:
            if self.chance(0.6):
                clause.adjuncts = [self.immersion(verb.places, afloat="afloat" in verb.flags)]
        elif adult and "with" in verb.flags and self.chance(0.25):
            clause.adjuncts = [self.companion(subject)]
        elif adult and "for" in verb.flags and not clause.negated and self.chance(0.25):
            clause.adjuncts = [self.beneficiary(subject)]
            if isinstance(clause.object, NounPhrase) and clause.object.determiner in POSSESSIVES:
                clause.object.determiner = THE
        elif verb.places and self.chance(0.25 if clause.object else 0.55):
            clause.adjuncts = [self.location(verb.places)]

    def state(
        self, subject: Nominal | None = None, *, past: bool | None = None, passing: bool = False
    ) -> Clause:
        """Draw a clause with a copula and an adjective; a given subject must be a person.

        A ``passing`` state is one that can be the reason or condition of an event.
        """
        fitting = None
        if isinstance(subject, NounPhrase) and not passing:
            fitting = adjectives_of(subject.noun, True)
        adjective = (fitting or predicates(subject is not None, passing))(self.random())
        if subject is None:
            subject = self.noun_subject(adjective.classes)
            subject.adjective = None
            if subject.determiner not in (THE, THIS, *POSSESSIVES):
                subject.determiner = THE
            # The predicate must suit the noun found, which may have come by another class.
            if adjective.classes.isdisjoint(subject.noun.classes):
                fitting = adjectives_of(subject.noun, True)
                assert fitting
                adjective = fitting(self.random())
        if isinstance(subject, NounPhrase) and subject.adjective:
            subject.adjective = None  # not "the old man is old"
        degree = None
        if "absolute" not in adjective.flags and self.chance(0.3):
            tag = "excess" if "excessive" in adjective.flags and self.chance(0.35) else "any"
            degree = adverbials_of("degree", tag)(self.random())
        if past is None:
            past = self.chance(0.25)
        clause = Clause(subject, None, Predicate(adjective, degree))
        clause.tense = "past" if past else "present"
        clause.negated = (
            degree is None and not passing and self._may_negate(clause) and self.chance(0.15)
        )
        return clause
