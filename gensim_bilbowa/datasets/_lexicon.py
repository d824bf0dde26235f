"""The lexicon: words of three languages that translate each other, read from the TSV files.

A row is a sense; alternatives between bars are synonyms, likelier first. Every combination of the
synonyms of a row becomes one entry, so that a single draw settles the words of all languages.
"""

from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate, product
from typing import Generic, TypeVar

from gensim_bilbowa.datasets._morphology import (
    PERSONS,
    THIRD_PERSONS,
    EnglishVerb,
    Forms,
    GermanVerb,
    SpanishVerb,
    english_noun,
    english_verb,
    german_adjective,
    german_noun,
    german_verb,
    spanish_adjective,
    spanish_noun,
    spanish_verb,
)

Item = TypeVar("Item")
Cell = tuple[frozenset[str], frozenset[str], frozenset[str]]

SYNONYM_ODDS = (1.0, 0.35, 0.2)


class Draw(Generic[Item]):
    """A weighted choice driven by one uniform number in [0, 1)."""

    __slots__ = ("_cumulative", "items")

    def __init__(self, weighted: Iterable[tuple[Item, float]]) -> None:
        pairs = list(weighted)
        self.items = [item for item, _ in pairs]
        cumulative = list(accumulate(weight for _, weight in pairs))
        self._cumulative = [value / cumulative[-1] for value in cumulative[:-1]]

    def __call__(self, uniform: float) -> Item:
        return self.items[bisect(self._cumulative, uniform)]


@dataclass(frozen=True, slots=True, eq=False)
class Noun:
    """A noun sense: forms by number, then case; genders; semantic classes."""

    classes: frozenset[str]
    english: Forms
    german_gender: int
    german: tuple[Forms, ...]
    spanish_gender: int
    spanish: Forms
    stressed_a: bool
    english_at: str = ""
    german_at: str = ""
    german_to: str = ""

    @property
    def countable(self) -> bool:
        """Whether the noun has a plural in English."""
        return len(self.english) == 2


@dataclass(frozen=True, slots=True, eq=False)
class Adjective:
    """An adjective sense and the noun classes it is said of."""

    classes: frozenset[str]
    english: str
    german: str
    german_forms: dict[str, tuple[Forms, ...]]
    spanish: tuple[Forms, Forms]
    copula: str
    flags: frozenset[str]

    @property
    def attributive(self) -> bool:
        """Whether it is never a predicate."""
        return "attributive" in self.flags

    @property
    def prenominal(self) -> bool:
        """Whether Spanish puts it before the noun."""
        return "prenominal" in self.flags


@dataclass(frozen=True, slots=True)
class Frame:
    """What a verb selects: subject, direct object, and whether it also takes a recipient."""

    subject: frozenset[str]
    object: frozenset[str]
    has_recipient: bool


@dataclass(frozen=True, slots=True, eq=False)
class Verb:
    """A verb sense with its frames, places and the prepositions of its object."""

    frames: tuple[Frame, ...]
    places: frozenset[str]
    motion: str
    english: EnglishVerb
    english_preposition: str
    german: GermanVerb
    german_preposition: str
    german_case: int
    spanish: SpanishVerb
    spanish_preposition: str
    flags: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Adverbial:
    """An adverb or fixed adverbial phrase, as tokens."""

    kind: str
    tenses: frozenset[str]
    english: Forms
    german: Forms
    spanish: Forms


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A proper name; ``kind`` is m, f or place."""

    kind: str
    english: str
    german: str
    spanish: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All senses with weights: rank within the topic of the file, times the odds of synonyms."""

    nouns: list[tuple[Noun, float]]
    verbs: list[tuple[Verb, float]]
    adjectives: list[tuple[Adjective, float]]
    adverbials: list[tuple[Adverbial, float]]
    names: list[tuple[Name, float]]


def _rows(name: str, width: int) -> Iterable[tuple[int, list[str]]]:
    """Yield the rank within its section and the columns of each row."""
    text = (files(__package__) / "lexicon" / f"{name}.tsv").read_text(encoding="utf-8")
    rank = 0
    for line in text.splitlines():
        if line.startswith("#"):
            rank = 0
            continue
        rank += 1
        columns = line.split("\t")
        yield rank, columns + [""] * (width - len(columns))


def _senses(
    name: str, width: int, first: int, build: Callable[[list[str], list[str]], Item]
) -> list[tuple[Item, float]]:
    """Build one item for each combination of the synonyms in columns ``first`` to ``first + 2``."""
    items = []
    for rank, columns in _rows(name, width):
        synonyms = [
            list(zip(column.split(" | "), SYNONYM_ODDS, strict=False))
            for column in columns[first : first + 3]
        ]
        total = 1.0
        for alternatives in synonyms:
            total *= sum(odds for _, odds in alternatives)
        for (en, p), (de, q), (es, r) in product(*synonyms):
            items.append((build(columns, [en, de, es]), p * q * r / total / rank))
    return items


def _noun(columns: list[str], words: list[str]) -> Noun:
    english = english_noun(words[0])
    german_gender, german = german_noun(words[1])
    spanish_gender, spanish, stressed_a = spanish_noun(words[2])
    lemma = english_noun(columns[1].split(" | ")[0])[0]
    # A noun is also a class of its own, so that a verb or an adjective can ask for it by name.
    classes = frozenset([*columns[0].split(), lemma])
    return Noun(
        classes, english, german_gender, german, spanish_gender, spanish, stressed_a, *columns[4:7]
    )


def _split_marker(word: str) -> tuple[str, str]:
    """Split ``denken [an acc] denkt dachte`` into the verb and the marker of its object."""
    before, bracket, rest = word.partition(" [")
    marker, _, after = rest.partition("]")
    return (before + after, marker) if bracket else (word, "")


def _frame(text: str) -> Frame:
    subject, *objects = text.split(">")
    chosen = objects[-1] if objects else ""
    expanded = subject.replace("human", "adult,kid")
    return Frame(
        frozenset(expanded.split(",")),
        frozenset(chosen.split(",")) - {""},
        len(objects) == 2,
    )


def _verb(columns: list[str], words: list[str]) -> Verb:
    english, english_preposition = _split_marker(words[0])
    german, german_marker = _split_marker(words[1])
    spanish, spanish_preposition = _split_marker(words[2])
    motion, _, places = columns[1].rpartition(":")
    if places == "trip":
        motion, places = "trip", ""
    *preposition, case = german_marker.split() or ["acc"]
    return Verb(
        tuple(_frame(frame) for frame in columns[0].split()),
        frozenset(places.split(",")) - {""},
        motion,
        english_verb(english),
        english_preposition,
        german_verb(german),
        " ".join(preposition),
        {"acc": 1, "dat": 2}[case],
        spanish_verb(spanish),
        spanish_preposition,
        frozenset(columns[5].split()),
    )


def _adjective(columns: list[str], words: list[str]) -> Adjective:
    return Adjective(
        frozenset(columns[0].split(",")),
        words[0],
        words[1],
        german_adjective(words[1]),
        spanish_adjective(words[2]),
        columns[4],
        frozenset(columns[5].split()),
    )


def _adverbial(columns: list[str], words: list[str]) -> Adverbial:
    english, german, spanish = (tuple(word.split()) for word in words)
    return Adverbial(columns[0], frozenset(columns[1].split()), english, german, spanish)


def _name(columns: list[str], words: list[str]) -> Name:
    return Name(columns[0], *words)


@cache
def lexicon() -> Lexicon:
    """Read and inflect the lexicon, once."""
    return Lexicon(
        _senses("people", 4, 1, _noun)
        + _senses("places", 7, 1, _noun)
        + _senses("things", 4, 1, _noun),
        _senses("verbs", 6, 2, _verb),
        _senses("adjectives", 6, 1, _adjective),
        _senses("adverbs", 5, 2, _adverbial),
        _senses("names", 4, 1, _name),
    )


def _cell(english: Iterable[str], german: Iterable[str], spanish: Iterable[str]) -> Cell:
    return frozenset(english), frozenset(german), frozenset(spanish)


def _adjective_cell(adjective: Adjective) -> Cell:
    german = {
        form for table in adjective.german_forms.values() for row in table for form in row
    } - {""}
    spanish = {form for forms in adjective.spanish for form in forms}
    if adjective.prenominal:
        spanish.add(adjective.spanish[0][0].removesuffix("o"))
    predicative = set() if adjective.attributive else {adjective.german}
    return _cell([adjective.english], german | predicative, spanish)


def persons_of(verb: Verb) -> Sequence[int]:
    """Return the persons in which the grammar uses ``verb``: all only with people as subjects."""
    speaking = any(frame.subject & {"adult", "kid"} for frame in verb.frames)
    return PERSONS if speaking else THIRD_PERSONS


def _verb_cells(verb: Verb) -> Iterable[Cell]:
    en, de, es = verb.english, verb.german, verb.spanish
    stative = "stative" in verb.flags
    progressive = [] if verb.flags & {"stative", "noprog", "present"} else [en.gerund]
    gerund = [es.gerund] if progressive else []
    yield _cell([en.base], [de.infinitive], [es.infinitive])
    for person in persons_of(verb):
        finite = en.third if person == 2 else en.base
        present = {de.present[person], de.particle + de.present[person]}
        # The bare form also stands for the third person after do: does not eat, nicht isst.
        yield _cell([finite, en.base, *progressive], present, [es.present[person], *gerund])
        if "present" not in verb.flags:
            past = {de.past[person], de.particle + de.past[person]} - {"", de.particle}
            spanish = es.imperfect[person] if stative else es.preterite[person]
            yield _cell([en.past], past | (set() if stative else {de.participle}), [spanish])
    if "present" not in verb.flags and not stative:
        yield _cell([en.participle], [de.participle], [es.participle])


@cache
def cells() -> tuple[Cell, ...]:
    """Return sets of English, German and Spanish forms that all translate each other.

    They come from the lexicon alone: one cell for each number of a noun, each adjective, and each
    tense and person of a verb.
    """
    words = lexicon()
    found: list[Cell] = []
    for noun, _ in words.nouns:
        for number, english in enumerate(noun.english):
            found.append(_cell([english], noun.german[number], [noun.spanish[number]]))
    for verb, _ in words.verbs:
        found += _verb_cells(verb)
    found += [_adjective_cell(adjective) for adjective, _ in words.adjectives]
    found += [_cell([name.english], [name.german], [name.spanish]) for name, _ in words.names]
    grammatical = [
        _cell(*(column.split() for column in columns)) for _, columns in _rows("function_words", 3)
    ]
    function_words = [frozenset[str]().union(*forms) for forms in zip(*grammatical, strict=True)]
    for adverbial, _ in words.adverbials:
        phrases = (adverbial.english, adverbial.german, adverbial.spanish)
        content = [set(p) - known for p, known in zip(phrases, function_words, strict=True)]
        # Of "on Monday" only Monday has a translation; of "more late" neither word has.
        found.append(_cell(*(words if len(words) == 1 else () for words in content)))
    found += grammatical
    return tuple(found)
