"""Clauses, and how English, German and Spanish put them into words and in order."""

from collections.abc import Sequence
from dataclasses import dataclass

from gensim_bilbowa.datasets._lexicon import Adjective, Adverbial, Noun, Verb
from gensim_bilbowa.datasets._morphology import (
    ACCUSATIVE,
    DATIVE,
    NOMINATIVE,
    Forms,
    german_verb,
    spanish_verb,
)
from gensim_bilbowa.datasets._phrases import (
    NOT_A,
    NOT_ANY,
    POSSESSIVES,
    THE,
    THIS,
    Fixed,
    Nominal,
    NounPhrase,
    Prepositional,
    Pronoun,
    Tokens,
    article_before,
    german_prepositional,
    spanish_prepositional,
)

HABEN, SEIN = german_verb("haben"), german_verb("sein")
SER, ESTAR, HABER = spanish_verb("ser"), spanish_verb("estar"), spanish_verb("haber")
_BE = ("am", "are", "is", "are", "are")
_WAS = ("was", "were", "was", "were", "were")


@dataclass(frozen=True, slots=True, eq=False)
class Modal:
    """A modal or future auxiliary in the present, with the words before its infinitive."""

    english_third: str
    english_other: str
    english_link: Forms
    german: Forms
    spanish: Forms
    spanish_link: Forms
    may_be_negated: bool = True


@dataclass(slots=True, eq=False)
class Predicate:
    """What a copula says of its subject: an adjective with a degree, or a noun."""

    adjective: Adjective | None = None
    degree: Adverbial | None = None
    noun: Noun | None = None
    phrase: NounPhrase | None = None

    def english(self, person: int) -> Tokens:
        if self.phrase:
            return self.phrase.english()
        if self.noun:
            word = self.noun.english[person > 2]
            return [word] if person > 2 else [article_before(word), word]
        assert self.adjective
        return [*(self.degree.english if self.degree else ()), self.adjective.english]

    def german(self, person: int) -> Tokens:
        if self.phrase:
            return self.phrase.german(NOMINATIVE)
        if self.noun:
            return [self.noun.german[person > 2][NOMINATIVE]]
        assert self.adjective
        return [*(self.degree.german if self.degree else ()), self.adjective.german]

    def spanish(self, person: int, gender: int) -> Tokens:
        """Spanish words that agree with the subject."""
        if self.phrase:
            return self.phrase.spanish()
        if self.noun:
            return [self.noun.spanish[person > 2]]
        assert self.adjective
        degree = self.degree.spanish if self.degree else ()
        return [*degree, self.adjective.spanish[person > 2][gender]]


@dataclass(slots=True, eq=False)
class Clause:
    """A clause without words: who does what to whom, when, where and how."""

    subject: Nominal
    verb: Verb | None = None
    predicate: Predicate | None = None
    object: Nominal | None = None
    recipient: Nominal | None = None
    tense: str = "present"
    modal: Modal | None = None
    german_perfect: bool = False
    spanish_progressive: bool = False
    negated: bool = False
    time: Adverbial | None = None
    time_first: bool = False
    frequency: Adverbial | None = None
    manner: Adverbial | None = None
    adjuncts: Sequence[Prepositional | Fixed] = ()
    asked: Fixed | None = None
    gap: Pronoun | None = None  # a relative or question pronoun that is the object
    recipient_last: bool = False

    # English ---------------------------------------------------------------------------------

    def _english_verbs(self, needs_auxiliary: bool) -> tuple[Tokens, Tokens]:
        person = self.subject.person
        past = self.tense == "past"
        if self.verb is None:
            return [(_WAS if past else _BE)[person]], []
        forms = self.verb.english
        third = person == 2
        if self.modal:
            modal = self.modal
            finite = modal.english_third if third else modal.english_other
            if not modal.english_link:
                return [finite], [forms.base]
            if needs_auxiliary:
                does = "does" if third else "do"
                return [does], [modal.english_other, *modal.english_link, forms.base]
            return [], [finite, *modal.english_link, forms.base]
        if self.tense == "progressive":
            return [_BE[person]], [forms.gerund]
        if self.tense == "perfect":
            return ["has" if third else "have"], [forms.participle]
        if needs_auxiliary:
            return ["did" if past else "does" if third else "do"], [forms.base]
        return [], [forms.past if past else forms.third if third else forms.base]

    def _english_objects(self) -> Tokens:
        words: Tokens = []
        preposition = self.verb.english_preposition if self.verb else ""
        if self.recipient and not self.recipient_last:
            words += self.recipient.english(is_object=True)
        if preposition:
            words += preposition.split()
        if self.object:
            words += self.object.english(is_object=True)
        if self.recipient and self.recipient_last:
            words += ["to", *self.recipient.english(is_object=True)]
        return words

    def english(self, *, question: bool = False, subject: bool = True) -> Tokens:
        """English words, as a statement or after the auxiliary of a question."""
        auxiliary, main = self._english_verbs(question or self.negated)
        who = self.subject.english(is_object=False) if subject else []
        if self.negated:
            if auxiliary == ["can"] and not question:
                auxiliary = ["cannot"]
            elif question:
                main = ["not", *main]
            else:
                auxiliary = [*auxiliary, "not"]
        words = [*auxiliary, *who] if question else [*who, *auxiliary]
        if self.gap:
            words = [*self.gap.english(is_object=True), *words]
        if self.asked:
            words = [*self.asked.english(), *words]
        if self.frequency:
            words += self.frequency.english
        words += main
        words += self._english_objects()
        if self.predicate:
            words += self.predicate.english(self.subject.person)
        if self.manner:
            words += self.manner.english
        for adjunct in self.adjuncts:
            words += adjunct.english()
        if self.time:
            time = self.time.english
            words = [*time, *words] if self.time_first else [*words, *time]
        return words

    def _has_definite_object(self) -> bool:
        """Whether the object, if any, is definite; it then comes early in the clause."""
        determiner = getattr(self.object, "determiner", None)
        return determiner is None or determiner in (THE, THIS, *POSSESSIVES)

    # German ----------------------------------------------------------------------------------

    def _german_verbs(self, final: bool) -> tuple[str, Tokens]:
        """Return the finite verb and what closes the clause."""
        person = self.subject.person
        if self.verb is None:
            return (SEIN.past if self.tense == "past" else SEIN.present)[person], []
        forms = self.verb.german
        if self.modal:
            return self.modal.german[person], [forms.infinitive]
        finite = (forms.past if self.tense == "past" else forms.present)[person]
        perfect = self.german_perfect and "stative" not in self.verb.flags
        if self.tense == "perfect" or (self.tense == "past" and (perfect or not finite)):
            auxiliary = SEIN if forms.uses_sein else HABEN
            return auxiliary.present[person], [forms.participle]
        if final:
            return forms.particle + finite, []
        return finite, [forms.particle] if forms.particle else []

    def _german_middle(self) -> Tokens:
        """Return the middle field: pronouns, time, datives, accusatives, negation, the rest."""
        words: Tokens = []
        verb, direct, recipient = self.verb, self.object, self.recipient
        preposition = verb.german_preposition if verb else ""
        case = verb.german_case if verb else ACCUSATIVE
        light = isinstance(direct, Pronoun) and not preposition
        if light and direct:
            words += direct.german(case)
        if isinstance(recipient, Pronoun):
            words += recipient.german(DATIVE)
        if self.time and not self.time_first:
            words += self.time.german
        if recipient and not isinstance(recipient, Pronoun):
            words += recipient.german(DATIVE)
        if self.frequency:
            words += self.frequency.german
        definite = self._has_definite_object()
        denied = getattr(direct, "determiner", None) in (NOT_A, NOT_ANY)
        negation = ["nicht"] if self.negated and not denied else []
        if not definite and not preposition:
            # spielt nicht im Park Fußball, but: spielt das Lied nicht im Park
            words += negation
            for adjunct in self.adjuncts:
                words += adjunct.german()
            if self.manner:
                words += self.manner.german
        if direct and not light and not preposition:
            words += direct.german(case)
        if definite or preposition:
            words += negation
        if direct and preposition:
            words += german_prepositional(preposition, direct, case)
        if definite or preposition:
            if self.manner:
                words += self.manner.german
            for adjunct in self.adjuncts:
                words += adjunct.german()
        if self.predicate:
            words += self.predicate.german(self.subject.person)
        return words

    def german(self, order: str = "main", *, subject: bool = True) -> Tokens:
        """German words: ``main`` (verb second), ``inverted`` or ``subordinate`` (verb last)."""
        final = order == "subordinate"
        finite, closing = self._german_verbs(final)
        who = self.subject.german(NOMINATIVE) if subject else []
        middle = self._german_middle()
        if self.gap:
            case = self.verb.german_case if self.verb else ACCUSATIVE
            front = self.gap.german(case)
        elif self.asked:
            front = self.asked.german()
        else:
            front = list(self.time.german) if self.time and self.time_first else []
        if final:
            return [*front, *who, *middle, *closing, finite]
        if order == "inverted" or front:
            return [*front, finite, *who, *middle, *closing]
        return [*who, finite, *middle, *closing]

    # Spanish ---------------------------------------------------------------------------------

    def _spanish_verbs(self) -> Tokens:
        person = self.subject.person
        past = self.tense == "past"
        if self.verb is None:
            adjective = self.predicate.adjective if self.predicate else None
            copula = ESTAR if adjective and adjective.copula == "estar" else SER
            return [(copula.imperfect if past else copula.present)[person]]
        forms = self.verb.spanish
        if self.modal:
            return [self.modal.spanish[person], *self.modal.spanish_link, forms.infinitive]
        if self.tense == "perfect":
            return [HABER.present[person], forms.participle]
        if self.tense == "progressive" and self.spanish_progressive:
            return [ESTAR.present[person], forms.gerund]
        if past:
            tense = forms.imperfect if "stative" in self.verb.flags else forms.preterite
            return [tense[person]]
        return [forms.present[person]]

    def _spanish_objects(self) -> tuple[Tokens, Tokens]:
        """Return the clitics before the verb and the objects after it."""
        clitics: Tokens = []
        after: Tokens = []
        direct, recipient, verb = self.object, self.recipient, self.verb
        preposition = verb.spanish_preposition if verb else ""
        if isinstance(direct, Pronoun):
            clitics.append(direct.spanish_clitics[preposition == "a"])
        elif direct:
            words = direct.spanish()
            if not preposition and direct.animate and verb and "noa" not in verb.flags:
                preposition = "a"
            after += spanish_prepositional(preposition, words) if preposition else words
        if isinstance(recipient, Pronoun):
            clitics.append(recipient.spanish_clitics[1])
        elif recipient:
            clitics.append("les" if recipient.person > 2 else "le")
            after += spanish_prepositional("a", recipient.spanish())
        return clitics, after

    def spanish(self, *, question: bool = False, subject: bool = True) -> Tokens:
        """Spanish words, as a statement or with the subject after the verb."""
        who = self.subject.spanish() if subject else []
        clitics, objects = self._spanish_objects()
        words: Tokens = []
        if self.time and self.time_first:
            words += self.time.spanish
        if self.asked:
            words += self.asked.spanish()
        if self.gap:
            words += self.gap.spanish()
        if not question:
            words += who
        if self.negated:
            words.append("no")
        early = self.frequency and len(self.frequency.spanish) == 1
        if self.frequency and early:
            words += self.frequency.spanish
        words += clitics
        words += self._spanish_verbs()
        if self.frequency and not early:
            words += self.frequency.spanish
        predicate: Tokens = []
        if self.predicate:
            predicate = self.predicate.spanish(self.subject.person, self.subject.spanish_gender)
        if question:
            personal = isinstance(self.subject, Pronoun) and self.subject.person != 2
            words += [*predicate, *(() if personal else who)]
        manner = self.manner.spanish if self.manner else ()
        words += [*manner, *objects]
        if not question:
            words += predicate
        for adjunct in self.adjuncts:
            words += adjunct.spanish()
        if self.time and not self.time_first:
            words += self.time.spanish
        return words
