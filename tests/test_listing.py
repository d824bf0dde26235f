"""Which terms and which translations are listed, of texts whose links are made by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import log

import numpy as np
import pytest
from term_sides import candidate, groups_of, side_of

from gensim_bilbowa.corpora.packed import PackedUnits
from gensim_bilbowa.terminology import listing as module
from gensim_bilbowa.terminology.cohesion import attraction
from gensim_bilbowa.terminology.general import GeneralLanguage
from gensim_bilbowa.terminology.links import Links
from gensim_bilbowa.terminology.listing import Listing, goes_on
from gensim_bilbowa.terminology.scoring import Pairs
from gensim_bilbowa.terminology.term import Form
from gensim_bilbowa.terminology.termhood import termhood
from gensim_bilbowa.terminology.text import TermText

EN_DE = ("en", "de")
GRAMMAR = ("the", "das")


class Made:
    """A text with links between its terms.

    Its rows are a term and its translation, how often they stand in a unit of their own, each after
    an article, and, if not 1, how sure a link is; or the texts of a unit, how often it stands, how
    sure its links are, and the terms that are linked: "tree=baum, big tree=baum".
    Scores are sums of links, but for those given by "tree=baum". Of the English language it is
    known how often some words stand in a million.
    """

    def __init__(self, *rows, forms=((), ()), scores=None, general=None):
        units = [self._unit(*row) for row in rows for _ in range(row[2])]
        self.sides = tuple(
            side_of([unit[number] for unit in units], code, grammar)
            for number, (code, grammar) in enumerate(zip(EN_DE, GRAMMAR, strict=True))
        )
        counts = (general or {}) | {"of no text": 1e6 - sum((general or {}).values())}
        self.sides = tuple(
            replace(side, general=GeneralLanguage(counts, side.language)) for side in self.sides
        )
        self.groups = tuple(
            groups_of(side, *some) for side, some in zip(self.sides, forms, strict=True)
        )
        links = [
            (number, *map(self._span, self.sides, (number, number), pair.split("=")), sure)
            for number, (_, _, sure, pairs) in enumerate(units)
            for pair in pairs.split(", ")
            if pair
        ]
        columns = [np.array(column) for column in zip(*links, strict=True)]
        self.links = Links(
            *(column.astype(np.int32) for column in columns[:3]), columns[3].astype(np.float32)
        )
        self.pairs = self._pairs(scores or {})

    @staticmethod
    def _unit(source, target, times, sure=1.0, pairs=None):
        if pairs is not None:
            return source, target, sure, pairs
        return f"the {source}", f"das {target}", sure, f"{source}={target}".lower()

    @staticmethod
    def _span(side, sentence, text):
        start, end = side.candidates.span_offsets[sentence : sentence + 2].tolist()
        terms = side.candidates.spans[start:end, 2].tolist()
        return start + terms.index(candidate(side, text))

    def group(self, number, text):
        return int(self.groups[number].of[candidate(self.sides[number], text)])

    def _pairs(self, scores):
        aligned = Counter()
        linked = zip(self.links.sources, self.links.targets, self.links.weights, strict=True)
        for *places, weight in linked:
            pair = tuple(
                int(group.of[side.candidates.spans[place, 2]])
                for side, group, place in zip(self.sides, self.groups, places, strict=True)
            )
            aligned[pair] += float(weight)
        scored = dict(aligned)
        for pair, score in scores.items():
            scored[tuple(map(self.group, (0, 1), pair.split("=")))] = score
        assert scored.keys() == aligned.keys()
        order = sorted(scored, key=lambda pair: (pair[0], -scored[pair]))
        return Pairs(
            np.array([pair[0] for pair in order]), np.array([pair[1] for pair in order]),
            np.array([aligned[pair] for pair in order]),
            np.array([scored[pair] for pair in order], float),
        )  # fmt: skip

    def terms(self, topn=10, min_score=None, everything=False, inconsistent=False):
        text = TermText(EN_DE, tuple(side.text for side in self.sides), PackedUnits())
        return Listing(text, self.sides, self.groups, self.links, self.pairs).terms(
            topn=topn, min_score=min_score, examples=0, everything=everything,
            inconsistent=inconsistent,
        )  # fmt: skip

    def translations(self, **options):
        """The texts of each term's translations."""
        return {
            term.text: [each.text for each in term.translations] for term in self.terms(**options)
        }

    def term(self, text, **options):
        return next(term for term in self.terms(**options) if term.text == text)


# ---- translations that go on from others


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        ("menüpunkt", "menü", True),
        ("hauptmenü", "menü", True),
        ("neues menü", "menü", True),
        ("menü oben", "menü", True),
        ("in das menü gehen", "das menü", True),
        ("e-mail", "mail", True),
        ("mail-server", "mail", True),
        ("x-ab", "ab", True),
        ("menü", "menü", False),
        ("menü", "menüpunkt", False),
        ("menüs", "menü", False),  # an ending, and no word
        ("abteil", "teil", False),
        ("absage", "abs", False),  # a word of three letters is a part of any
        ("speisekarten holen", "speisekarte", False),
        ("menüpunkte im haus", "menü", False),  # another word goes on
        ("konto", "menü", False),
    ],
)
def test_a_text_goes_on_from_another_with_more_words_or_a_compound(text, other, expected):
    assert goes_on(text, other) is expected


@pytest.mark.parametrize(
    ("source", "counts", "expected"),
    [
        ("menu", {"Menüpunkt": 63, "Menü": 27, "Karte": 10}, ["Menüpunkt", "Menü"]),
        ("menu", {"Menü": 50, "Menüpunkt": 20, "Karte": 30}, ["Menü", "Karte"]),
        ("email", {"E-Mail": 67, "Mail": 18, "Post": 15}, ["E-Mail", "Mail", "Post"]),
        ("menu", {"Hauptmenü": 60, "Menü": 29}, ["Hauptmenü", "Menü"]),
        ("menu", {"Menü": 60, "Neues Menü": 40}, ["Menü"]),
        ("menu", {"Menüpunkt": 60}, ["Menüpunkt"]),
    ],
)
def test_what_goes_on_from_another_one_is_left_out_unless_that_is_much_rarer(
    source, counts, expected
):
    made = Made(*((source, target, count) for target, count in counts.items()))
    assert made.translations() == {source: expected}
    assert made.translations(everything=True) == {source: sorted(counts, key=lambda t: -counts[t])}


@pytest.mark.parametrize(("menu", "listed"), [(30, ["Menü"]), (29, ["Menüpunkt", "Menü"])])
def test_another_one_is_much_rarer_if_it_is_less_than_half_as_frequent(menu, listed):
    assert Made(("menu", "Menüpunkt", 60), ("menu", "Menü", menu)).translations() == {
        "menu": listed
    }


def test_what_goes_on_from_a_form_of_another_one_is_left_out():
    rows = ("house", "Haus", 20), ("house", "Häuser", 4), ("house", "Häuserliste", 10)
    assert Made(*rows).translations() == {"house": ["Haus", "Häuserliste"]}
    assert Made(*rows, forms=((), ["haus häuser"])).translations() == {"house": ["Haus"]}


def test_what_goes_on_from_the_translation_of_another_term_stays():
    made = Made(("menu", "Menü", 20), ("entry", "Menüpunkt", 20), ("entry", "Eintrag", 10))
    assert made.translations() == {"menu": ["Menü"], "entry": ["Menüpunkt", "Eintrag"]}


# ---- other translations


def test_the_first_translation_is_listed_whatever_it_is():
    # It has a share of a tenth, is the third of its target, and no noun.
    rows = [(f"word{n}", "öffnen", 20 - n) for n in range(3)]
    text = "the menu", "das Menü"
    made = Made(*rows, ("menu", "öffnen", 1), (*text, 9, 1.0, ""))
    assert made.translations()["menu"] == ["öffnen"]
    assert made.term("menu").translations[0].share == 0.1


@pytest.mark.parametrize(("other", "listed"), [(14, True), (13, True), (12, False)])
def test_other_translations_have_a_share_of_an_eighth(other, listed):
    made = Made(("menu", "Karte", 100 - other), ("menu", "Liste", other))
    assert ("Liste" in made.translations()["menu"]) is listed
    assert made.translations(everything=True) == {"menu": ["Karte", "Liste"]}


def test_an_eighth_itself_is_enough():
    assert module._LEAST_SHARE == 1 / 8
    assert Made(("menu", "Karte", 14), ("menu", "Liste", 2)).translations() == {
        "menu": ["Karte", "Liste"]
    }


def test_other_translations_are_seen_twice():
    made = Made(("menu", "Karte", 4), ("menu", "Liste", 2), ("menu", "Tafel", 1))
    assert made.translations() == {"menu": ["Karte", "Liste"]}
    assert made.term("menu").others == (("Tafel", round(1 / 7, 4)),)
    unsure = Made(("menu", "Karte", 4), ("menu", "Liste", 2, 0.9))
    assert unsure.translations() == {"menu": ["Karte"]}


def test_other_translations_have_the_term_among_the_first_two_of_theirs():
    record = [("record", "Satz", 20), ("record", "Datei", 8)]
    file, document = ("file", "Datei", 30), [("document", "Akte", 20), ("document", "Datei", 9)]
    all_of_them = Made(*record, *document, file)
    assert all_of_them.translations() == {
        "file": ["Datei"], "document": ["Akte", "Datei"], "record": ["Satz"],
    }  # fmt: skip
    assert Made(*record, file).translations()["record"] == ["Satz", "Datei"]
    assert all_of_them.translations(everything=True)["record"] == ["Satz", "Datei"]


@pytest.mark.parametrize(
    ("targets", "listed"),
    [
        (("Speicher", "sichern"), ["Speicher"]),
        (("Speicher", "Sicherung"), ["Speicher", "Sicherung"]),
        (("speichern", "Sicherung"), ["speichern", "Sicherung"]),
        (("speichern", "sichern"), ["speichern", "sichern"]),
    ],
)
def test_other_translations_are_nouns_if_the_first_is(targets, listed):
    made = Made(*(("store", target, 10 - n) for n, target in enumerate(targets)))
    assert made.translations() == {"store": listed}
    assert made.translations(everything=True) == {"store": [*targets]}


def test_the_first_translation_is_the_best_and_no_other_one():
    # The rarer one scores more: it is the first, and is a noun, which the other one is not.
    rows = ("store", "sichern", 10), ("store", "Speicher", 6)
    assert Made(*rows).translations() == {"store": ["sichern", "Speicher"]}
    assert Made(*rows, scores={"store=speicher": 20}).translations() == {"store": ["Speicher"]}


@pytest.mark.parametrize("everything", [False, True])
def test_there_are_as_many_translations_as_asked_for(everything):
    made = Made(
        ("menu", "Karte", 6), ("menu", "Liste", 5), ("menu", "Tafel", 4), ("tree", "Ast", 3)
    )
    for topn in (1, 2, 3, 4):
        found = made.translations(topn=topn, everything=everything)
        assert found == {"menu": ["Karte", "Liste", "Tafel"][:topn], "tree": ["Ast"]}
    assert made.term("menu", topn=1).others == (
        ("Liste", round(5 / 15, 4)), ("Tafel", round(4 / 15, 4))
    )  # fmt: skip


def test_what_is_left_out_takes_no_place_of_another_one():
    made = Made(("menu", "Menü", 50), ("menu", "Menüpunkt", 20), ("menu", "Karte", 19))
    assert made.translations(topn=2) == {"menu": ["Menü", "Karte"]}


def test_translations_that_score_less_are_left_out_and_terms_without_one_are_counted():
    made = Made(("menu", "Karte", 6), ("menu", "Liste", 4), ("tree", "Baum", 3))
    found = made.terms(min_score=5)
    assert [(t.text, [each.text for each in t.translations]) for t in found] == [
        ("menu", ["Karte"])
    ]
    assert found.left_out == {"with scores below 5": 1}
    assert made.translations(min_score=4)["menu"] == ["Karte", "Liste"]


# ---- what else is told of a term


NOUNS = ["Axt", "Berg", "Dach", "Feld", "Gras", "Herd", "Igel", "Kran", "Luft", "Moor"]


def test_the_five_largest_others_are_told_the_largest_first():
    counts = [60, 8, 10, 6, 5, 4, 3, 2, 1, 1]
    made = Made(
        *(("thing", noun, count) for noun, count in zip(NOUNS, counts, strict=True)),
        ("stone", "Stein", 7), scores={"thing=feld": 0.5, "thing=moor": 50},
    )  # fmt: skip
    term = made.term("thing")
    assert [each.text for each in term.translations] == ["Axt"]
    assert term.others == (
        ("Dach", 0.1), ("Berg", 0.08), ("Feld", 0.06), ("Gras", 0.05), ("Herd", 0.04),
    )  # fmt: skip
    assert made.term("stone").others == ()


def test_others_have_a_share_of_one_in_fifty():
    assert module._LEAST_OTHER_SHARE == 1 / 50
    made = Made(("thing", "Axt", 97), ("thing", "Berg", 2), ("thing", "Dach", 1))
    assert made.term("thing").others == (("Berg", 0.02),)


FORMS = (["invoice invoices"], ["rechnung rechnungen"])


def test_a_singular_is_translated_by_a_singular():
    # Of the translation the plural is more frequent.
    made = Made(
        ("invoice", "Rechnung", 6), ("invoices", "Rechnungen", 4), ("bills", "Rechnungen", 5),
        forms=FORMS,
    )  # fmt: skip
    invoice, bills = made.term("invoice"), made.term("bills")
    assert invoice.variants == (Form("invoices", 4),)
    assert (invoice.translations[0].text, invoice.translations[0].count) == ("Rechnung", 15)
    assert invoice.translations[0].variants == (Form("Rechnungen", 9),)
    assert bills.translations[0].text == "Rechnungen"
    assert bills.translations[0].variants == (Form("Rechnung", 6),)


def test_what_translates_the_plural_says_nothing_of_the_singular():
    made = Made(
        ("invoice", "Rechnung", 4), ("invoice", "Rechnungen", 3), ("invoices", "Rechnungen", 6),
        forms=FORMS,
    )  # fmt: skip
    assert made.translations() == {"invoice": ["Rechnung"]}


@pytest.mark.parametrize("frequent", ["Rechnung", "Rechnungen"])
def test_of_forms_that_translate_it_as_often_the_more_frequent_one_is_shown(frequent):
    made = Made(
        ("invoice", "Rechnung", 3), ("invoice", "Rechnungen", 3), ("bills", frequent, 2),
        forms=((), FORMS[1]),
    )  # fmt: skip
    assert made.translations()["invoice"] == [frequent]


# ---- counts of a term by itself


def test_words_in_longer_terms_do_not_count_by_themselves():
    made = Made(
        ("user name", "Benutzername", 10), ("name", "Name", 3), ("name", "Titel", 1),
        ("tree", "Ast", 4),
    )  # fmt: skip
    name = made.term("name")
    assert name.count == 14
    assert name.translations[0].share == 0.75
    assert name.others == (("Titel", 0.25),)
    side, group = made.sides[0], made.groups[0]
    fully = termhood(side, group, np.full(len(group.heads), np.e - 1))
    assert name.termhood == pytest.approx(log(5) * fully[made.group(0, "name")], abs=1e-4)
    # A word that stands only in longer ones is no term of its own.
    assert {term.text for term in made.terms()} == {"user name", "name", "tree"}


def test_words_in_longer_terms_that_are_not_linked_count():
    made = Made(("the user name", "das Neue", 10, 1.0, ""), ("name", "Name", 4))
    assert made.term("name", everything=True).translations[0].share == round(4 / 14, 4)


# ---- what is listed


def around(times):
    """Units in which what is beside "user name" never lets it end a phrase."""
    return "the user name field", "das Feld Benutzername", times, 1.0, "user name=benutzername"


def test_several_words_that_end_no_phrase_are_a_part_of_one():
    # As if they had ended one of four phrases more: 1 of 11 is less than a tenth, 1 of 10 is not.
    assert (7 + 4) ** -1 < module._FRAGMENT_ENDS <= (6 + 4) ** -1
    assert "user name" in Made(around(6)).translations()
    found = Made(around(7))
    assert "user name" not in found.translations()
    assert found.terms().left_out["of several words that end no phrase"] == 1
    assert "user name" in found.translations(everything=True)
    assert "user name" in Made(around(12), ("user name", "Benutzername", 1)).translations()


def test_a_single_word_may_end_no_phrase():
    row = "the user name field", "das Feld Benutzer", 20, 1.0, "user=benutzer"
    assert "user" in Made(row).translations()


def test_terms_are_left_out_by_the_first_reason_that_fits_and_counted():
    rows = [("tree", "Baum", 3), ("tree", "Ast", 2), ("the stone", "das Grau", 5, 1.0, ""),
            ("river", "Fluss", 1, 0.4), ("pixel", "Punkt", 2), around(7)]  # fmt: skip
    made = Made(*rows, general={"pixel": 9e5})
    number = len(made.groups[0].heads)
    found = made.terms()
    assert [term.text for term in found] == ["tree"]
    # stone, and of the user name field all but the user name.
    assert found.left_out == {
        "without a translation": 1 + 5, "whose translation is not sure": 1,
        "of several words that end no phrase": 1, "that are words of any text": 1,
    }  # fmt: skip
    assert len(found) + sum(found.left_out.values()) == number
    few = made.terms(min_score=2)
    assert few.left_out == {
        "without a translation": 6, "with scores below 2": 1,
        "of several words that end no phrase": 1, "that are words of any text": 1,
    }  # fmt: skip
    everything = made.terms(everything=True)
    assert {term.text for term in everything} == {"tree", "river", "pixel", "user name"}
    assert everything.left_out == {"without a translation": 6}


@pytest.mark.parametrize(("sure", "listed"), [(0.5, True), (0.25, False)])
def test_terms_whose_first_translation_is_hardly_seen_are_not_listed(sure, listed):
    assert ("tree" in Made(("tree", "Baum", 1, sure)).translations()) is listed
    assert ("tree" in Made(("tree", "Baum", 2, sure)).translations()) is True


def test_words_of_any_text_are_listed_last_where_all_are_asked_for():
    rows = ("pixel", "Punkt", 5), ("tree", "Baum", 3), ("draw", "malen", 4)
    made = Made(*rows, general={"pixel": 4.5e5, "draw": 4.5e5})
    assert [term.text for term in made.terms()] == ["tree"]
    found = made.terms(everything=True)
    # What is no noun is less of a term even so: it stands 4 times, and pixel 5 times.
    assert [term.text for term in found] == ["tree", "pixel", "draw"]
    assert found[0].termhood > 0 > found[1].termhood > found[2].termhood


# ---- the order


def test_nouns_of_both_languages_come_first():
    found = Made(("grow", "wachsen", 5), ("tree", "Baum", 5), ("leaf", "Blatt", 4)).terms()
    assert [term.text for term in found] == ["tree", "leaf", "grow"]
    assert found[2].termhood == pytest.approx(found[0].termhood / 4, rel=1e-3)
    found = Made(
        ("the grow now", "das Wachstum", 5, 1.0, "grow=wachstum"), ("tree", "Baum", 5)
    ).terms()
    assert found[1].text == "grow"
    assert found[1].termhood == pytest.approx(found[0].termhood / 4, rel=1e-3)


def test_several_words_are_one_term_where_the_other_language_has_one():
    words = ("red", "tree"), ("big", "house")
    made = Made(
        ("red tree", "Rotbaum", 5), ("big house", "Großes Haus", 5),
        *((word, f"Wort{word}", 5) for some in words for word in some),
    )  # fmt: skip
    found = {term.text: term.termhood for term in made.terms()}
    side = made.sides[0]
    held = attraction(side.candidates, side.counts)[candidate(side, "big house")]
    assert 0.4 < held < 0.8
    part = 0.5 + 0.5 * (held - 0.4) / 0.4
    assert found["big house"] == pytest.approx(part * found["red tree"], abs=1e-3)


def test_inconsistent_terms_come_first_by_disagreement_times_termhood():
    made = Made(
        ("tree", "Baum", 50),
        ("file", "Datei", 40), ("file", "Dateien", 10),  # begins alike: no disagreement
        ("cash", "Bargeld", 9), ("cash", "Kasse", 5),
        ("menu", "Karte", 9), ("menu", "Liste", 4),
        ("bill", "Rechnung", 12), ("bill", "Quittung", 11),
        general={"cash": 500, "bill": 100},
    )  # fmt: skip
    hoods = {term.text: term.termhood for term in made.terms()}
    assert list(hoods) == sorted(hoods, key=hoods.get, reverse=True)
    assert {*list(hoods)[:2]} == {"tree", "file"}
    # Neither how often it is, nor how much of a term.
    assert 5 * hoods["cash"] < 4 * hoods["menu"] < 11 * hoods["bill"] < 11 * hoods["menu"]
    found = made.terms(inconsistent=True)
    assert [term.text for term in found] == ["bill", "menu", "cash", *list(hoods)[:2]]
    assert made.term("file").translations[1].text == "Dateien"
    assert {*found} == {*made.terms()}


def test_words_of_any_text_do_not_come_first_as_they_disagree():
    made = Made(
        ("pixel", "Punkt", 9), ("pixel", "Bild", 8), ("menu", "Karte", 5), ("menu", "Liste", 2),
        ("tree", "Baum", 300), general={"pixel": 9e5},
    )  # fmt: skip
    found = made.terms(everything=True, inconsistent=True)
    assert [term.text for term in found] == ["menu", "tree", "pixel"]
    assert -8 * found[2].termhood > 2 * found[0].termhood


def test_disagreement_is_of_listed_translations_alone():
    made = Made(
        ("cash", "Bargeld", 80), ("cash", "Kasse", 10), ("menu", "Karte", 8), ("menu", "Liste", 2)
    )
    assert [term.text for term in made.terms()] == ["cash", "menu"]
    assert [term.text for term in made.terms(inconsistent=True)] == ["menu", "cash"]
    assert [term.text for term in made.terms(inconsistent=True, everything=True)] == [
        "cash",
        "menu",
    ]
