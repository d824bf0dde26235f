"""Question patterns."""

from gensim_bilbowa.datasets._clauses import Clause
from gensim_bilbowa.datasets._events import EventDrawer
from gensim_bilbowa.datasets._fitting import nouns_of, verbs_with_object
from gensim_bilbowa.datasets._morphology import ACCUSATIVE
from gensim_bilbowa.datasets._phrases import (
    HOW_MANY,
    THE,
    WHICH,
    Coordination,
    Fixed,
    NounPhrase,
    Pronoun,
    Tokens,
)

ADULTS = frozenset(("adult",))
Realised = tuple[Tokens, Tokens, Tokens]

WHO = Pronoun(2, 0, 0, ("who", "who"), ("wer", "wen", "wem"), "quién")
WHAT = Pronoun(2, 2, 0, ("what", "what"), ("was", "was", "was"), "qué")
WHERE = Fixed(("where",), ("wo",), ("dónde",))
WHERE_TO = Fixed(("where",), ("wohin",), ("adónde",))
WHEN = Fixed(("when",), ("wann",), ("cuándo",))
WHY = Fixed(("why",), ("warum",), ("por", "qué"))


def realise(clause: Clause | Fixed, order: str = "main") -> Realised:
    """Realise a statement; ``order`` is for German."""
    return clause.english(), clause.german(order), clause.spanish()


def realise_question(clause: Clause) -> Realised:
    """Realise what follows a question word, or a question without one."""
    return clause.english(question=True), clause.german("inverted"), clause.spanish(question=True)


def concatenate(*parts: Realised) -> Realised:
    """Join parts in each language."""
    first, *rest = parts
    for part in rest:
        for words, more in zip(first, part, strict=True):
            words.extend(more)
    return first


def close(realised: Realised, mark: str = ".") -> Realised:
    """End a sentence; a German relative clause at its end needs no second comma."""
    for words in realised:
        if words[-1] == ",":
            words.pop()
        words.append(mark)
    if mark == "?":
        realised[2].insert(0, "¿")
    return realised


class QuestionDrawer(EventDrawer):
    """Draws questions from one stream of random numbers."""

    def yes_no_question(self) -> Realised:
        """Draw *does the boy play football ?*."""
        clause = self.state(self.person()) if self.chance(0.25) else self.event(negatable=False)
        clause.time_first = clause.negated = False
        clause.frequency = None
        return self._question(clause)

    def alternative_question(self) -> Realised:
        """Draw *does she drink the tea or the coffee ?*."""
        kind = self.one_of(("fruit", "hotdrink", "clothing", "readable", "instrument", "tool"))
        draw = nouns_of(frozenset((kind,)))
        first, second = draw(self.random()), draw(self.random())
        fitting = verbs_with_object(first)
        if first.classes == second.classes or fitting is None:
            return self.yes_no_question()
        objects = Coordination(
            NounPhrase(THE, first), NounPhrase(THE, second), animate=False, alternative=True
        )
        clause = Clause(self.person(ADULTS), fitting(self.random()), object=objects)
        clause.tense = "past" if self.chance(0.4) else "present"
        return self._question(clause)

    def constituent_question(self) -> Realised:
        """Ask who, what, which, how many, where, when or why."""
        asked = self.random()
        if asked < 0.2:
            clause = self.event(WHO, negatable=False, plain=True)
            return close(realise(clause), "?")
        if asked < 0.5:
            return self._object_question()
        clause = self.event(negatable=False, plain=True)
        clause.manner = None
        if asked < 0.75 and clause.verb and clause.verb.places:
            clause.asked = WHERE
            if clause.verb.motion == "goal":
                clause.asked = WHERE_TO
            clause.adjuncts = ()
        elif clause.verb and "stative" in clause.verb.flags:
            return self._question(clause)
        elif asked < 0.87:
            clause.asked = WHEN
        else:
            clause.asked = WHY
        return self._question(clause)

    def _object_question(self) -> Realised:
        noun = nouns_of(frozenset(("food", "readable", "clothing", "thing", "animal")))(
            self.random()
        )
        fitting = verbs_with_object(noun)
        if fitting is None:
            return self.yes_no_question()
        clause = Clause(self.person(ADULTS), fitting(self.random()))
        clause.tense = "past" if self.chance(0.4) else "present"
        clause.german_perfect = self.chance(0.6)
        u = self.random()
        if u < 0.5 or not noun.countable:
            clause.gap = WHAT
            return self._question(clause)
        determiner = WHICH if u < 0.8 else HOW_MANY
        phrase = NounPhrase(determiner, noun, determiner is HOW_MANY or u < 0.6)
        gap = (phrase.english(), phrase.german(ACCUSATIVE), phrase.spanish())
        if phrase.animate and clause.verb and "noa" not in clause.verb.flags:
            gap[2].insert(0, "a")
        return close(concatenate(gap, realise_question(clause)), "?")

    def _question(self, clause: Clause) -> Realised:
        addressed = any(
            isinstance(phrase, Pronoun) and phrase.person == 1
            for phrase in (clause.object, clause.recipient)
        )
        if clause.subject.person == 0 and not addressed:
            clause.subject = self.pronoun(1)  # who asks knows what he does himself
        return close(realise_question(clause), "?")
