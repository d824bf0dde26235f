"""Terms found in texts: which, with which translations, and by which parameters."""

from __future__ import annotations

import csv
import re
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger import GENERAL, NOUNS, catalog, ledger, memory

from gensim_bilbowa import BilBOWA, ParallelSentences, Tokenizer, terms
from gensim_bilbowa.errors import (
    ConfigError,
    CorpusError,
    CorpusNotFoundError,
    FormatError,
    ParallelDataError,
    UnknownLanguageError,
)
from gensim_bilbowa.terminology import Glossary, GlossaryEntry, vectors

EN_DE = ("en", "de")
SPLITS = {code: Tokenizer(code, markup=True) for code in EN_DE}


def text_of(pairs, languages=EN_DE, tokenizer=None):
    split = tokenizer or {code: Tokenizer(code, markup=True) for code in languages}
    return ParallelSentences(list(pairs), languages=languages, tokenizer=split)


def find(pairs, languages=None, **options):
    """Return the terms of some units, of the ledger's languages, by one worker."""
    text = pairs if isinstance(pairs, str | Path | ParallelSentences) else text_of(pairs)
    return terms(text, languages, **{"workers": 1, "general": GENERAL} | options)


def by_text(found):
    return {term.text: term for term in found}


def first_translations(found):
    return {term.text: term.translations[0].text for term in found}


def forms_of(each):
    """Return all ways in which a term or a translation is written."""
    return {each.text, *(form.text for form in each.variants)}


def counted(form, texts, code):
    """Return how often a term stands in texts, by plain counting of its tokens."""
    wanted = Tokenizer(code)(form)
    sentences = map(SPLITS[code], texts)
    return sum(
        tokens[place : place + len(wanted)] == wanted
        for tokens in sentences
        for place in range(len(tokens))
    )


@pytest.fixture(scope="module")
def pairs():
    return ledger()


@pytest.fixture(scope="module")
def found(pairs):
    return find(pairs)


@pytest.fixture(scope="module")
def trained(pairs):
    lower = [tuple(SPLITS[c](side) for c, side in zip(EN_DE, pair, strict=True)) for pair in pairs]
    text = ParallelSentences(lower, languages=EN_DE)
    return BilBOWA(parallel=text, epochs=5, min_count=1, workers=1, vector_size=20)


@pytest.fixture
def untrained(monkeypatch):
    """No model may be trained."""

    def fail(*given, **options):
        raise AssertionError("a model is trained")

    monkeypatch.setattr(BilBOWA, "train", fail)


# ---- what is found


def test_terms_of_one_word_and_of_several_have_their_translations(found):
    known = {}
    for term in found:
        known |= {form: forms_of(term.translations[0]) for form in forms_of(term)}
    for english, german in NOUNS.items():
        for number in (0, 1):
            assert known[english[number]] & set(german), english


def test_list_is_in_the_order_of_termhood(found):
    hoods = [term.termhood for term in found]
    assert hoods == sorted(hoods, reverse=True)
    assert min(hoods) > 0
    assert found.languages == EN_DE
    assert found.report is None


def test_forms_are_listed_together_under_the_most_frequent_one(found):
    invoice = next(term for term in found if "invoice" in forms_of(term))
    assert forms_of(invoice) == {"invoice", "invoices"}
    assert forms_of(invoice.translations[0]) == {"Rechnung", "Rechnungen"}
    for term in found:
        for each in (term, *term.translations):
            of_others = [form.count for form in each.variants]
            assert of_others == sorted(of_others, reverse=True)
            if each.variants and each is term:
                assert each.count - sum(of_others) >= of_others[0]


def test_without_groups_each_form_is_a_term_of_its_own(pairs):
    found = find(pairs, group=False, all=True)
    assert {"invoice", "invoices", "exchange rate", "exchange rates"} <= set(by_text(found))
    assert not any(each.variants for term in found for each in (term, *term.translations))
    assert by_text(found)["invoices"].translations[0].text == "Rechnungen"


def test_counts_are_those_of_plain_counting(pairs, found):
    sources, targets = zip(*pairs, strict=True)
    for term in found[:25]:
        assert term.count == sum(counted(form, sources, "en") for form in forms_of(term))
        for form in term.variants:
            assert form.count == counted(form.text, sources, "en")
        for each in term.translations:
            assert each.count == sum(counted(form, targets, "de") for form in forms_of(each))


def test_shares_are_parts_of_the_term(pairs):
    for term in find(pairs, all=True, topn=10):
        shares = [each.share for each in term.translations] + [share for _, share in term.others]
        assert min(shares) >= 0
        assert sum(shares) <= 1 + 1e-3
        for each in term.translations:
            assert 0 < each.aligned <= min(each.count, term.count) + 1e-3
            assert each.share >= min(each.aligned / term.count, 1) - 1e-3
        scores = [each.score for each in term.translations]
        assert scores == sorted(scores, reverse=True)


def test_terms_are_written_as_in_the_text(pairs, found):
    assert {"Rechnung", "Aktiensplit"} <= {t.text for term in found for t in term.translations}
    # A capital at the begin of a sentence is none of the word, if it stands elsewhere.
    assert "invoice" in set(by_text(found))
    units = [("Ask NASA", "NASA fragen"), ("Call the NASA now", "Jetzt die NASA rufen"),
             ("This is NASA", "Das ist NASA"), ("NASA was here", "Hier war NASA")]  # fmt: skip
    shouted = find(pairs + units * 5)
    assert first_translations(shouted)["NASA"] == "NASA"


def test_no_term_goes_over_what_was_left_out(pairs):
    more = [("Count %s pixel", "Punkt %s zählen"), ("Count<br/>pixel", "Punkt<br/>zählen")] * 10
    texts = {
        form
        for term in find(pairs + more, all=True)
        for each in (term, *term.translations)
        for form in forms_of(each)
    }
    assert {"pixel", "Punkt"} <= texts
    assert not [text for text in texts if re.search("(?i)count.*pixel|punkt.*zählen", text)]


def test_terms_go_over_no_sign_and_no_end_of_a_unit():
    texts = [("alpha, beta; gamma (delta)", "eins, zwei; drei (vier)"), ("omega", "fünf")] * 5
    for term in find(texts, all=True):
        for each in (term, *term.translations):
            assert " " not in each.text


JUNK = st.sampled_from(
    ["http://a.de/pa", "www.gnu.org/x", "me@gnu.org", "%s", "%(name)d", "{0}", "{user_name}", "<b>",
     "</b>", "<br/>", "&amp;", "&File", "E_xit", "$HOME", "snake_case", "--", "…", "2024", "3.14",
     "12:30", "50%", "x", "é", "/etc/fstab", "C++", "#1", "(", ")", '"', "\\n", "'", "I", "*.txt",
     "-v", "😀", "=", "a_b"]
)  # fmt: skip
GOOD = st.sampled_from(["account", "bank", "entry", "credit", "note", "l'account"])


@given(st.lists(st.tuples(st.lists(JUNK | GOOD, max_size=7), st.lists(JUNK | GOOD, max_size=7)),
                min_size=2, max_size=12))  # fmt: skip
@settings(max_examples=30)
def test_nothing_but_words_is_ever_a_term(trained, units):
    texts = [(f"bank account {' '.join(a)}", f"note credit {' '.join(b)}") for a, b in units * 3]
    found = find(texts, model=trained, all=True, topn=5, min_count=1)
    for term in found:
        shown = [form for each in (term, *term.translations) for form in forms_of(each)]
        for text in [*shown, *(text for text, _ in term.others)]:
            # A digit or a letter stands between words only: type 2 diabetes.
            assert re.fullmatch(r"[^\W\d_]+('[^\W\d_]+)?(('| )(\d+|[^\W_]+'?))*", text), text
            first, last = text.split()[0], text.split()[-1]
            assert len(first) > 1 < len(last), text
            assert not set(re.split("[ ']", text)) & {"http", "www", "gnu", "org", "case", "name"}


# ---- parameters


@pytest.fixture(scope="module")
def two_words():
    """Units in which one term is translated in two ways, one is in one, each unit once."""
    return [(a, b.replace("Rechnung", "Faktura") if n % 3 == 0 and "Rechnungen" not in b else b)
             for n, (a, b) in enumerate(ledger())]  # fmt: skip


def test_other_translations_follow_the_first(two_words):
    invoice = by_text(find(two_words, group=False))["invoice"]
    first, second = invoice.translations[:2]
    assert (first.text, second.text) == ("Rechnung", "Faktura")
    assert first.share > second.share >= 1 / 8
    assert second.count == sum("Faktura" in german for _, german in two_words)


def test_translations_that_are_not_shown_are_told_with_their_share(two_words):
    shown, short = (by_text(find(two_words, group=False, topn=topn))["invoice"] for topn in (3, 1))
    assert len(short.translations) == 1
    assert short.translations[0] == shown.translations[0]
    assert ("Faktura", shown.translations[1].share) in short.others
    shares = [share for _, share in short.others]
    assert shares == sorted(shares, reverse=True)


def test_inconsistent_ones_come_first(two_words):
    plain = find(two_words, group=False)
    found = find(two_words, group=False, inconsistent=True)
    assert found[0].text == "invoice"
    assert sorted(plain, key=repr) == sorted(found, key=repr)
    several = [len(term.translations) > 1 for term in found]
    assert several == sorted(several, reverse=True)


def test_min_count_is_of_both_sides(pairs):
    found = find(pairs, min_count=12, group=False, all=True)
    assert 5 < len(found) < len(find(pairs, min_count=6, group=False, all=True))
    assert min(term.count for term in found) >= 12
    assert min(each.count for term in found for each in term.translations) >= 12


def test_min_score_leaves_out_translations_that_score_less(pairs, found):
    scores = [each.score for term in found for each in term.translations]
    least = float(np.median(scores))
    some = find(pairs, min_score=least)
    assert 0 < len(some) < len(found)
    # Scores are shown with four digits.
    assert min(each.score for term in some for each in term.translations) >= least - 1e-4
    assert find(pairs, min_score=1e9).left_out.keys() == {
        "without a translation",
        "with scores below 1000000000.0",
    }
    assert list(find(pairs, min_score=-1e9)) == list(found)


def test_only_words_more_frequent_than_in_the_language_are_listed(pairs):
    units = [*pairs, ("Open the pixel", "Punkt öffnen"), ("Delete the pixel", "Punkt löschen")] * 2
    # Far more frequent in the language than here, and less than the words of its grammar.
    frequent = {f"{a}{b}": 2e6 for a in "bcdfghjklmn" for b in "aeiouy"} | {"pixel": 1e6}
    general = GENERAL | {"en": frequent}
    found = find(units, general=general)
    listed = {form for term in found for form in forms_of(term)}
    assert "invoice" in listed
    assert "pixel" not in listed
    everything = find(units, general=general, all=True)
    assert by_text(everything)["pixel"].termhood <= 0
    assert {term.text for term in found} < {term.text for term in everything}
    left_out = sum(found.left_out.values()) - sum(everything.left_out.values())
    assert left_out == len(everything) - len(found)


def test_general_is_a_file_or_none(pairs, tmp_path, monkeypatch):
    for code, counts in GENERAL.items():
        rows = "".join(f"{word}\t{count}\n" for word, count in counts.items())
        (tmp_path / code).write_text(rows, encoding="utf-8")
    found = find(pairs)
    assert find(pairs, general={code: tmp_path / code for code in EN_DE}) == found
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    alone = find(pairs, general=None)
    assert "invoice" in {form for term in alone for form in forms_of(term)}
    assert find(pairs, general={"en": GENERAL["en"]}) != found


# ---- examples


@pytest.mark.parametrize(("suffix", "written", "unit"), [
    ("po", catalog, r"line \d+ \((\d+)\)"), ("tmx", memory, r"u(\d+)"),
])  # fmt: skip
def test_examples_are_units_of_the_file(pairs, tmp_path, suffix, written, unit):
    path = tmp_path / f"ledger.{suffix}"
    path.write_text(written(pairs), encoding="utf-8")
    found = find(path, EN_DE)
    assert len(found) > 10
    for term in found:
        for each in term.translations:
            assert 1 <= len(each.examples) <= 2
            for example in each.examples:
                assert example.file == str(path)
                number = int(re.fullmatch(unit, example.unit)[1])
                source, target = pairs[number - 1]
                assert (example.source, example.target) in (
                    (source, target), (source.replace("&", ""), target.replace("&", "")),
                )  # fmt: skip
                assert any(counted(form, [source], "en") for form in forms_of(term))
                assert any(counted(form, [target], "de") for form in forms_of(each))


@pytest.mark.parametrize("number", [0, 1, 5])
def test_there_are_as_many_examples_as_asked_for_and_no_two_alike(pairs, number):
    for term in find(pairs, examples=number):
        for each in term.translations:
            assert len(each.examples) <= number
            texts = [(example.source.lower(), example.target.lower()) for example in each.examples]
            assert len(set(texts)) == len(texts)
            assert bool(texts) == bool(number)


# ---- texts


def test_languages_may_be_turned_round(pairs):
    found = find(pairs, ("de", "en"))
    assert found.languages == ("de", "en")
    rechnung = by_text(found)["Rechnung"]
    assert rechnung.translations[0].text in ("invoice", "invoices")
    example = rechnung.translations[0].examples[0]
    assert "echnung" in example.source
    assert "invoice" in example.target.lower()


def test_several_texts_are_one(pairs, found):
    first = text_of(pairs[:150])
    second = text_of([(b, a) for a, b in pairs[150:]], ("de", "en"))
    together = terms([first, second], workers=1, general=GENERAL)
    assert [(term.text, term.count) for term in together] == [(t.text, t.count) for t in found]
    assert together[0].translations[0].text == found[0].translations[0].text
    turned = terms([second, first], EN_DE, workers=1, general=GENERAL)
    assert turned.languages == EN_DE


def test_files_and_folders_are_read(pairs, tmp_path):
    (tmp_path / "a.po").write_text(catalog(pairs[:200]), encoding="utf-8")
    (tmp_path / "b.tmx").write_text(memory(pairs[200:]), encoding="utf-8")
    of_folder = find(tmp_path, EN_DE)
    files = [tmp_path / "a.po", tmp_path / "b.tmx"]
    of_files = terms(files, EN_DE, workers=1, general=GENERAL)
    assert of_folder == of_files
    assert first_translations(of_folder)["stock split"] == "Aktiensplit"
    assert {Path(e.file).name for t in of_folder for e in t.translations[0].examples} == {
        "a.po", "b.tmx"
    }  # fmt: skip


def test_tables_are_read_as_they_are_said_to_be(pairs, tmp_path):
    with (tmp_path / "x.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows((n, b, a) for n, (a, b) in enumerate(pairs))
    found = find(tmp_path / "x.csv", EN_DE, columns=(2, 1), tokenizer=SPLITS)
    assert first_translations(found)["stock split"] == "Aktiensplit"


def test_lists_of_tokens_are_taken_as_they_are():
    pairs = [(["new", "york", ","], ["neu-york", ","]), (["paris"], ["lutetia"])] * 5
    text = ParallelSentences(pairs, languages=EN_DE)
    found = first_translations(find(text, all=True))
    assert found == {"new york": "neu-york", "paris": "lutetia"}


@pytest.mark.parametrize("options", [{}, {"all": True}, {"group": False}, {"min_count": 1}])
def test_few_pairs_are_no_error(options):
    text = [("Open the file", "Datei öffnen"), ("Close it", "Schließen"), ("The file", "Datei")]
    found = find(text, **options)
    assert len(found) < 6
    assert all(term.translations for term in found)


def test_text_without_a_term_has_an_empty_list():
    found = find([("1 + 2 = %s !", "3 , %s ?")] * 5, all=True)
    assert list(found) == []
    assert repr(found) == "TermList<en-de: 0 terms>"
    found = find([("the bank account", "3 , 4")] * 5, all=True)
    assert list(found) == []
    assert found.left_out["without a translation"] > 0


@pytest.mark.parametrize("texts", [[], [("", "")] * 3, [("a b", "")] * 3, [("a", "c d")] * 3])
def test_text_that_no_vectors_can_be_learnt_of_is_an_error(texts):
    with pytest.raises(ParallelDataError, match=r"en-de: (there is no|2 different words)"):
        find(texts)


def test_file_of_one_language_is_an_error(tmp_path):
    (tmp_path / "x.tmx").write_text(memory([("one", "eins")]), encoding="utf-8")
    with pytest.raises(CorpusError, match="fr"):
        find(tmp_path / "x.tmx", ("en", "fr"), general={})


# ---- scripts


def made_up(nouns, frames, number=150):
    rng = np.random.default_rng(1)
    listed = list(nouns.items())
    for _ in range(number):
        english, other = listed[rng.integers(len(listed))]
        source, target = frames[rng.integers(len(frames))]
        yield source.format(english), target.format(other)


def of_language(code, nouns, frames, **options):
    split = {"en": Tokenizer("en"), code: Tokenizer(code, **options)}
    text = text_of(made_up(nouns, frames), ("en", code), split)
    general = {"en": GENERAL["en"], code: {"x": 1}}
    return first_translations(terms(text, workers=1, all=True, general=general))


ARABIC = {"file": "الملف", "window": "النافذة", "folder": "المجلد", "user name": "اسم المستخدم",
          "network": "الشبكة"}  # fmt: skip
CHINESE = {
    "file": "文件",
    "window": "窗口",
    "user name": "用户名",
    "network": "网络",
    "password": "密码",
}
FRENCH = {"order": "ordre", "identity card": "carte d'identité", "water": "eau",
          "user name": "nom d\u2019utilisateur", "network": "réseau"}  # fmt: skip


def test_arabic_terms_are_found():
    frames = [("Open the {}", "افتح {}"), ("Delete this {}", "احذف هذا {}"), ("Save {}", "احفظ {}")]
    assert ARABIC.items() <= of_language("ar", ARABIC, frames).items()


@pytest.mark.parametrize("characters", [True, False])
def test_chinese_terms_are_written_without_spaces(characters):
    if not characters:
        pytest.importorskip("jieba")
    frames = [("Open the {}", "打开{}"), ("Delete this {}", "删除这个{}"), ("Save {}", "保存{}")]
    found = of_language("zh", CHINESE, frames, characters=characters)
    assert len(CHINESE.items() & found.items()) >= 4
    assert not any(" " in target for target in found.values())


def test_french_elisions_are_written_as_they_are():
    frames = [("Open the {}", "Ouvrir l'{}"), ("Delete this {}", "Supprimer ce {}"),
              ("Save {}", "Enregistrer l\u2019{}"), ("Close a {}", "Fermer un {}")]  # fmt: skip
    found = of_language("fr", FRENCH, frames)
    expected = FRENCH | {"user name": "nom d'utilisateur"}
    assert expected.items() <= found.items()


# ---- vectors


@pytest.mark.usefixtures("untrained")
def test_vectors_that_were_trained_before_are_used(pairs, trained, tmp_path):
    found = find(pairs, model=trained)
    assert first_translations(found)["stock split"] == "Aktiensplit"
    assert find(pairs, model=trained.wv) == found
    trained.save(tmp_path / "m")
    before = (tmp_path / "m").read_bytes()
    for path in (tmp_path / "m", str(tmp_path / "m")):
        assert find(pairs, model=path) == found
    assert (tmp_path / "m").read_bytes() == before


def test_model_is_saved_where_nothing_is_yet(pairs, found, tmp_path, monkeypatch):
    assert find(pairs, model=tmp_path / "m") == found
    model = BilBOWA.load(tmp_path / "m")
    assert {code: model.tokenizers[code] for code in EN_DE} == SPLITS
    assert [path.name for path in tmp_path.iterdir()] == ["m"]
    monkeypatch.setattr(BilBOWA, "train", None)
    assert find(pairs, model=tmp_path / "m") == found


def test_model_of_text_in_either_order_knows_what_has_split_each_side(tmp_path, pairs):
    split = {"en": Tokenizer("en", markup=True), "de": Tokenizer("de", diacritics=False)}
    find(text_of(pairs[:50], tokenizer=split), ("de", "en"), model=tmp_path / "m")
    model = BilBOWA.load(tmp_path / "m")
    assert {code: model.tokenizers[code] for code in EN_DE} == split


def test_words_without_a_vector_are_terms_too(pairs, trained):
    more = [("Count one pixel", "Ein Punkt"), ("This pixel is mine", "Mein Punkt")] * 10
    found = find(pairs + more, model=trained)
    assert first_translations(found)["pixel"] == "Punkt"


def test_passes_over_the_text_are_fewer_for_more_of_it():
    epochs = [vectors.epochs_for(pairs) for pairs in (1, 10_000, 50_000, 100_000, 10**7)]
    assert epochs == sorted(epochs, reverse=True)
    assert epochs[0] > epochs[-1] > 1


def test_result_is_the_same_again_with_one_worker(pairs, found):
    assert find(pairs) == found


def test_result_does_not_depend_on_the_workers_that_train_nothing(pairs, trained):
    one, several = (find(pairs * 3, model=trained, workers=workers) for workers in (1, 3))
    assert one == several


def test_bars_are_shown_if_asked_for(pairs, capsys):
    find(pairs[:40])
    assert capsys.readouterr().err == ""


# ---- a glossary


def test_glossary_marks_what_is_known_and_is_compared_with_the_text(pairs, found, tmp_path):
    glossary = Glossary(EN_DE, (
        GlossaryEntry(("Invoice",), ("Rechnung",)), GlossaryEntry(("report",), ("Meldung",)),
        GlossaryEntry(("balance sheet",), ("Bilanz",)),
    ))  # fmt: skip
    marked = find(pairs, glossary=glossary)
    known = {form: term for term in marked if term.known for form in forms_of(term)}
    assert set(known) == {"invoice", "invoices", "report", "reports"}
    assert known["invoice"].translations[0].known
    assert not any(each.known for each in known["report"].translations)
    assert [term.text for term in marked] == [term.text for term in found]
    assert marked.report is not None
    assert any("report" in line for line in marked.report.lines(None))
    (tmp_path / "g.csv").write_text(
        "en,de\nInvoice,Rechnung\nreport,Meldung\nbalance sheet,Bilanz", encoding="utf-8"
    )
    of_file = find(pairs, glossary=tmp_path / "g.csv")
    assert of_file == marked
    assert of_file.report.single == marked.report.single


# ---- what cannot be


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"topn": 0}, "topn must be a whole number of 1 or more, got 0"),
        ({"topn": 2.5}, "topn must be a whole number"),
        ({"min_count": 0}, "min_count must be a whole number of 1 or more"),
        ({"min_count": "2"}, "min_count must be a whole number"),
        ({"examples": -1}, "examples must be a whole number of 0 or more"),
        ({"min_score": float("nan")}, "min_score must be a number, got nan"),
        ({"min_score": "high"}, "min_score must be a number, got 'high'"),
        ({"workers": 0}, "workers must be a whole number of 1 to"),
        ({"workers": 10**6}, "workers must be a whole number of 1 to"),
        ({"model": 3}, "model must be a BilBOWA model, its vectors or a path, not int"),
        ({"model": "no/where/m"}, r"model no[/\\]where[/\\]m: no such folder: .*no[/\\]where"),
        ({"general": "counts.txt"}, r"general: what there is of each language is wanted, as \{"),
        ({"general": {"fr": "x"}}, r"general: \['fr'\] are none of the languages \['en', 'de'\]"),
        ({"general": {"en": {}}}, "general 'en' language: counts of words are wanted"),
        ({"glossary": 3}, "glossary must be a Glossary or a path, not int"),
        ({"languages": "en"}, "languages must name two different languages, got 'en'"),
        ({"languages": ("en",)}, "languages must name two different languages"),
        ({"languages": ("en", "en")}, "languages must name two different languages"),
        ({"languages": 3}, "languages must name two different languages, got 3"),
        ({"languages": (1, 2)}, "a language code such as 'en' or 'pt-BR' is wanted, got 1"),
        ({"languages": ("en", "fr"), "general": None}, "parallel text of 'en' and 'fr' is wanted"),
        ({"skip_bad": True}, r"\['skip_bad'\] are of paths; the texts given are read already"),
    ],
)
@pytest.mark.usefixtures("untrained")
def test_wrong_parameters_are_said_before_anything_is_trained(options, message):
    with pytest.raises(ConfigError, match=message):
        find([("a b", "c d")] * 5, **options)


@pytest.mark.usefixtures("untrained")
def test_wrong_texts_and_files_are_said_before_anything_is_trained(pairs, trained, tmp_path):
    text = text_of(pairs)
    with pytest.raises(ConfigError, match="languages: the codes of source and target are wanted"):
        terms(tmp_path)
    with pytest.raises(ConfigError, match="paths or ParallelSentences are wanted, not some of eac"):
        terms([text, tmp_path], EN_DE)
    with pytest.raises(CorpusError, match=r"paths, iterables of token lists or .* wanted, got int"):
        terms(3, EN_DE)
    with pytest.raises(CorpusNotFoundError, match=r"none\.po"):
        terms(tmp_path / "none.po", EN_DE)
    with pytest.raises(CorpusNotFoundError, match=r"none\.tbx"):
        terms(text, glossary=tmp_path / "none.tbx")
    with pytest.raises(ConfigError, match="glossary in"):
        terms(text, glossary=Glossary(("en", "fr"), ()), model=trained)
    (tmp_path / "counts").write_text("a 1\nc 2\nb\n", encoding="utf-8")
    with pytest.raises(FormatError, match="counts, line 3"):
        terms(text, general={"en": tmp_path / "counts"})
    french = text_of([("a b", "c d")] * 3, ("en", "fr"))
    with pytest.raises(UnknownLanguageError, match="no language 'fr'"):
        terms(french, model=trained)
    (tmp_path / "m").write_text("x", encoding="utf-8")
    with pytest.raises(FormatError):
        terms(text, model=tmp_path / "m")


def test_lists_are_cut_in_the_order_in_which_they_are(found):
    assert [term.text for a, b in pairwise(range(0, 9, 3)) for term in found[a:b]] == [
        term.text for term in found[:6]
    ]
