"""Sentence patterns: each draws clauses that make sense and realises them in three languages."""

from collections.abc import Callable, Iterator

from gensim_bilbowa.datasets._clauses import Clause, Predicate
from gensim_bilbowa.datasets._draws import is_female, possessive_of
from gensim_bilbowa.datasets._events import SURFACE, professions, verbs_of_thought
from gensim_bilbowa.datasets._fitting import (
    PEOPLE,
    adjectives_of,
    adverbials_of,
    nouns_of,
    verbs_with_object,
)
from gensim_bilbowa.datasets._lexicon import Draw
from gensim_bilbowa.datasets._morphology import NOMINATIVE
from gensim_bilbowa.datasets._phrases import (
    BARE,
    HER,
    HIS,
    MANY,
    MY,
    NUMERALS,
    OUR,
    SOME,
    THE,
    YOUR,
    A,
    Determiner,
    Fixed,
    NamePhrase,
    Nominal,
    NounPhrase,
    Pronoun,
    spanish_and,
)
from gensim_bilbowa.datasets._questions import (
    ADULTS,
    QuestionDrawer,
    Realised,
    close,
    concatenate,
    realise,
)

RELATIVE_FORMS = (
    ("der", "den", "dem"),
    ("die", "die", "der"),
    ("das", "das", "dem"),
    ("die", "die", "denen"),
)
BECAUSE = Fixed(("because",), ("weil",), ("porque",))
ALTHOUGH = Fixed(("although",), ("obwohl",), ("aunque",))
THAT = Fixed(("that",), ("dass",), ("que",))
IF = Fixed(("if",), ("wenn",), ("si",))
WHEN_EVER = Fixed(("when",), ("wenn",), ("cuando",))
WHILE = Fixed(("while",), ("während",), ("mientras",))


def _weather(english: str, german: str, spanish: str) -> Fixed:
    """Build a clause about the weather from its German verb-second form."""
    subject, finite, *rest = german.split()
    return Fixed(
        tuple(english.split()),
        (subject, finite, *rest),
        tuple(spanish.split()),
        (finite, subject, *rest),
        (subject, *rest, finite),
    )


WEATHER = {
    "progressive": (
        _weather("it is raining", "es regnet", "está lloviendo"),
        _weather("it is snowing", "es schneit", "está nevando"),
        _weather("it is cold", "es ist kalt", "hace frío"),
        _weather("it is warm", "es ist warm", "hace calor"),
    ),
    "present": (
        _weather("it rains", "es regnet", "llueve"),
        _weather("it snows", "es schneit", "nieva"),
        _weather("it is cold", "es ist kalt", "hace frío"),
        _weather("it is warm", "es ist warm", "hace calor"),
    ),
    "past": (
        _weather("it rained", "es regnete", "llovió"),
        _weather("it snowed", "es schneite", "nevó"),
        _weather("it was cold", "es war kalt", "hizo frío"),
        _weather("it was warm", "es war warm", "hizo calor"),
    ),
}
LISTED = Draw(
    [(A, 60.0), (MANY, 12.0), (SOME, 10.0)] + [(n, 12.0 / r) for r, n in enumerate(NUMERALS, 1)]
)


def comma(english: bool = False, spanish: bool = False) -> Realised:
    """Return a comma, which German always needs between clauses."""
    return [","] * english, [","], [","] * spanish


class Grammar(QuestionDrawer):
    """An endless stream of sentences that depends on the seed alone."""

    def __iter__(self) -> Iterator[Realised]:
        """Yield the sentences as English, German and Spanish tokens."""
        patterns, random = PATTERNS, self.random
        while True:
            yield patterns(random())(self)

    # Statements ------------------------------------------------------------------------------

    def statement(self) -> Realised:
        """Draw *the dog is eating a bone*."""
        return close(realise(self.event()))

    def description(self) -> Realised:
        """Draw *the coat is too expensive*, or of a person *she is tired*."""
        if self.chance(0.35):
            return close(realise(self.state(self.person())))
        return close(realise(self.state()))

    def identity(self) -> Realised:
        """Draw *Anna is a doctor*, *Peter is my brother*."""
        name = self.name()
        female = is_female(name)
        subject: Nominal = name
        if self.chance(0.4):
            subject = NounPhrase(
                MY if self.chance(0.6) else YOUR,
                nouns_of(frozenset(("kin",)))(self.random()),
            )
            female = is_female(subject)
        elif self.chance(0.3):
            subject = self.pronoun(self.one_of((0, 2, 4)), female=female)
        predicate = Predicate(noun=professions(female)(self.random()))
        if isinstance(subject, NamePhrase) and self.chance(0.4):
            kin = nouns_of(frozenset(("kin", "friend")))
            noun = kin(self.random())
            while ("f" in noun.classes) != female:
                noun = kin(self.random())
            owner = self.one_of((MY, MY, YOUR, OUR, HIS, HER))
            predicate = Predicate(phrase=NounPhrase(owner, noun))
        clause = Clause(subject, None, predicate)
        return close(realise(clause))

    def existence(self) -> Realised:
        """Draw *there is a lamp on the table*."""
        if self.chance(0.5):
            place = self.relation(SURFACE)
            classes = ["small", "portable", "dish"]
            if place.english_preposition != "on":
                classes.append("pet")
            noun = nouns_of(frozenset(classes))(self.random())
        elif self.chance(0.5):
            place = self.location(frozenset(("room",)))
            noun = nouns_of(frozenset(("furniture", "lamp", "device")))(self.random())
        else:
            built = self.chance(0.4)
            place = self.location(frozenset(("town",) if built else ("outdoor", "farmland")))
            kinds = ("building", "structure") if built else ("animal", "plant")
            noun = nouns_of(frozenset(kinds))(self.random())
        determiner: Determiner = LISTED(self.random())
        if not noun.countable:
            determiner = BARE
        plural = noun.countable and determiner is not A
        phrase = NounPhrase(determiner, noun, plural, self.adjective(noun, 0.25))
        german = phrase.german(1)
        verb = "are" if plural else "is"
        return close(
            (
                ["there", verb, *phrase.english(), *place.english()],
                [*place.german(), "gibt", "es", *german]
                if self.chance(0.3)
                else ["es", "gibt", *german, *place.german()],
                ["hay", *phrase.spanish(), *place.spanish()],
            )
        )

    def pain(self) -> Realised:
        """Draw *my head hurts*, *mein Kopf tut weh*, *me duele la cabeza*."""
        noun = nouns_of(frozenset(("body",)))(self.random())
        plural = "several" in noun.classes and self.chance(0.5)
        person = self.one_of((0, 0, 1, 2, 2, 3 if plural else 0))
        owner = self.pronoun(person, female=self.chance(0.5))
        possessive = possessive_of(owner)
        phrase = NounPhrase(possessive, noun, plural)
        body = NounPhrase(THE, noun, plural)
        return close(
            (
                [*phrase.english(), "hurt" if plural else "hurts"],
                [*phrase.german(NOMINATIVE), "tun" if plural else "tut", "weh"],
                [owner.spanish_clitics[1], "duelen" if plural else "duele", *body.spanish()],
            )
        )

    def weather(self) -> Realised:
        """Draw *it was cold yesterday*, *when it rains , ...*."""
        tense = self.one_of(("progressive", "present", "present", "past"))
        fixed = self.one_of(WEATHER[tense])
        tag = {"present": "habit", "past": "past", "progressive": "progressive"}[tense]
        time = adverbials_of("time", tag)(self.random())
        if self.chance(0.4):
            return close(
                (
                    [*time.english, *fixed.english()],
                    [*time.german, *fixed.german("inverted")],
                    [*time.spanish, *fixed.spanish()],
                )
            )
        german = fixed.german()
        return close(
            (
                [*fixed.english(), *time.english],
                [*german[:2], *time.german, *german[2:]],
                [*fixed.spanish(), *time.spanish],
            )
        )

    # Complex sentences -----------------------------------------------------------------------

    def reason(self) -> Realised:
        """Draw *the man is sleeping because he is tired*."""
        subject = self.person()
        main = self.event(subject)
        past = main.tense == "past"
        link = ALTHOUGH if self.chance(0.3) else BECAUSE
        because = self.state(self.anaphor(subject), past=past, passing=link is BECAUSE)
        return close(
            concatenate(realise(main), comma(), realise(link), realise(because, "subordinate"))
        )

    def report(self) -> Realised:
        """Draw *Anna knows that the shop is closed*."""
        matrix = Clause(self.person(), verbs_of_thought()(self.random()))
        content = self.state() if self.chance(0.4) else self.event()
        content.time_first = False
        return close(
            concatenate(realise(matrix), comma(), realise(THAT), realise(content, "subordinate"))
        )

    def condition(self) -> Realised:
        """Draw *when it rains , the dog sleeps*, or the other way round."""
        link = self.one_of((WHEN_EVER, WHEN_EVER, IF, WHILE))
        tense = "progressive" if link is WHILE else "present"
        subject = None
        if self.chance(0.4):
            other: Clause | Fixed = self.one_of(WEATHER[tense])
        elif link is WHILE:
            other = self.event(tense=tense, plain=True, negatable=False)
        else:
            person = self.person()
            other, subject = self.state(person, past=False, passing=True), self.anaphor(person)
        main = self.event(subject, tense=tense, plain=True)
        if self.chance(0.5):
            return close(
                concatenate(
                    realise(link),
                    realise(other, "subordinate"),
                    comma(english=True, spanish=True),
                    realise(main, "inverted"),
                )
            )
        return close(
            concatenate(realise(main), comma(), realise(link), realise(other, "subordinate"))
        )

    def coordination(self) -> Realised:
        """Draw *the woman buys a coat and washes it*, *I work but you sleep*."""
        if self.chance(0.5):
            return self._same_object()
        first = self.event(plain=True)
        tense = first.tense if first.modal is None else ""
        second = self.event(tense=tense, plain=True)
        if isinstance(second.subject, Pronoun) and second.subject.person in (2, 4):
            # A third person left out in Spanish would be taken for the first subject.
            second = self.event(self.name(), tense=tense, plain=True)
        word, german, spanish = ("but", "aber", "pero") if self.chance(0.4) else ("and", "und", "y")
        words = realise(second)
        if spanish == "y":
            spanish = spanish_and(words[2][0])
        link = (
            [",", word] if word == "but" else [word],
            [",", german] if german == "aber" else [german],
            [",", spanish] if spanish == "pero" else [spanish],
        )
        return close(concatenate(realise(first), link, words))

    def _same_object(self) -> Realised:
        subject = self.person(ADULTS)
        noun = nouns_of(frozenset(("food", "clothing", "readable", "vehicle", "thing", "gift")))(
            self.random()
        )
        before, after = (verbs_with_object(noun, first=first) for first in (True, False))
        assert before
        assert after
        first_verb, second_verb = before(self.random()), after(self.random())
        if "stative" in second_verb.flags:
            return self.statement()
        phrase = self.phrase_object(noun, subject)
        tense = "past" if self.chance(0.5) else "present"
        first = Clause(subject, first_verb, object=phrase, tense=tense)
        second = Clause(subject, second_verb, object=self.anaphor(phrase), tense=tense)
        spanish = second.spanish(subject=False)
        return close(
            concatenate(
                realise(first),
                (["and"], ["und"], [spanish_and(spanish[0])]),
                (second.english(subject=False), second.german(subject=False), spanish),
            )
        )

    def relative_of_subject(self) -> Realised:
        """Draw *the man who sells fruit is friendly*."""
        head = self.noun_subject(PEOPLE)
        head.determiner, head.adjective = THE, None
        gender = head.german_gender
        pronoun = Pronoun(
            head.person, gender, head.spanish_gender, ("who", "who"), RELATIVE_FORMS[gender], "que"
        )
        head.relative = relative = self.event(pronoun)
        relative.time_first = False
        clause = self.state(head) if self.chance(0.6) else self.event(head, plain=True)
        return close(realise(clause))

    def relative_of_object(self) -> Realised:
        """Draw *the book that the girl is reading is interesting*."""
        noun = nouns_of(frozenset(("food", "clothing", "readable", "vehicle", "thing", "written")))(
            self.random()
        )
        fitting, predicates = verbs_with_object(noun), adjectives_of(noun, True)
        if not fitting or not predicates:
            return self.description()
        head = NounPhrase(THE, noun, noun.countable and self.chance(0.25))
        gender = head.german_gender
        gap = Pronoun(
            head.person, gender, head.spanish_gender, ("that",) * 2, RELATIVE_FORMS[gender], "que"
        )
        subject = self.person(ADULTS)
        tense = "past" if self.chance(0.4) else "present"
        head.relative = relative = Clause(subject, fitting(self.random()), tense=tense, gap=gap)
        relative.german_perfect = self.chance(0.5)
        clause = Clause(head, None, Predicate(predicates(self.random())))
        return close(realise(clause))


PATTERNS: Draw[Callable[[Grammar], Realised]] = Draw(
    (
        (Grammar.statement, 46.0),
        (Grammar.description, 10.0),
        (Grammar.existence, 6.0),
        (Grammar.yes_no_question, 5.0),
        (Grammar.alternative_question, 1.5),
        (Grammar.constituent_question, 6.0),
        (Grammar.reason, 4.5),
        (Grammar.report, 4.5),
        (Grammar.condition, 4.0),
        (Grammar.coordination, 6.0),
        (Grammar.relative_of_subject, 3.0),
        (Grammar.relative_of_object, 3.0),
        (Grammar.identity, 3.0),
        (Grammar.weather, 1.5),
        (Grammar.pain, 1.0),
    )
)
