"""Glossaries: read from files of people, beside a list of terms and the text that it is of."""

from __future__ import annotations

import gzip
import re
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from work import little_work

from gensim_bilbowa.corpora.tbx import TBXTerms
from gensim_bilbowa.errors import (
    ConfigError,
    CorpusError,
    CorpusNotFoundError,
    ParallelDataError,
)
from gensim_bilbowa.lexicons import Lexicon, LexiconEntry
from gensim_bilbowa.terminology import (
    Form,
    Glossary,
    GlossaryEntry,
    GlossaryReport,
    Recall,
    Term,
    TermList,
    Translation,
    marked,
)
from gensim_bilbowa.terminology.glossary_cells import source_terms, target_terms
from gensim_bilbowa.terminology.phrases import Normalizer, PhraseFinder, stands_in, words_of

BOTH = ("en", "de")

TBX = """<?xml version="1.0" encoding="UTF-8"?>
<tbx type="TBX-Basic" style="dca" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2">
<tbxHeader><fileDesc><sourceDesc><p>x</p></sourceDesc></fileDesc></tbxHeader><text><body>
<conceptEntry id="c1"><descrip type="subjectField">money</descrip>
<langSec xml:lang="en-GB"><descrip type="definition">not <term>this</term></descrip>
<termSec><term>account</term><termNote type="partOfSpeech">noun</termNote></termSec></langSec>
<langSec xml:lang="de"><termSec><term>Konto</term></termSec>
<termSec><term>Buchungs<hi type="superscript">konto</hi>,
 neues</term><descripGrp><descrip type="context">ein Konto</descrip></descripGrp></termSec>
<termSec><term>Conto</term><termNoteGrp><termNote type="administrativeStatus"
>deprecatedTerm-admn-sts</termNote></termNoteGrp></termSec></langSec>
<langSec xml:lang="fr"><termSec><term>compte</term></termSec></langSec></conceptEntry>
<conceptEntry><langSec xml:lang="de"><termSec><term>Saldo (n)</term></termSec></langSec>
<langSec xml:lang="en"><termSec><term>balance; rest</term></termSec></langSec></conceptEntry>
<conceptEntry id="c3"><langSec xml:lang="en"><termSec><term>alone</term></termSec></langSec>
</conceptEntry></body></text></tbx>
"""

MARTIF = """<?xml version='1.0'?>
<!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<martif type="TBX" xml:lang="en"><text><body>
<termEntry id="t1"><langSet lang="EN"><tig id="a"><term id="b">bank</term></tig></langSet>
<langSet xml:lang="de-DE"><ntig><termGrp><term>Bank</term><termNote type="administrativeStatus"
>preferredTerm-admn-sts</termNote></termGrp></ntig><ntig><termGrp><term>Geldhaus</term><termNote
type="administrativeStatus">supersededTerm-admn-sts</termNote></termGrp><descrip type="context"
><term>x</term></descrip></ntig></langSet></termEntry></body></text></martif>
"""


@pytest.fixture
def write(tmp_path):
    def write(name, text, encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path

    return write


def sides(glossary):
    return [(entry.sources, entry.targets) for entry in glossary]


def listed(*rows):
    """A list of terms: rows of a term and its translations, "a|b" with b as a variant."""
    terms = []
    for row in rows:
        (text, *variants), *translations = (cell.split("|") for cell in row)
        found = tuple(
            Translation(form, 9, 9.0, 0.5, 1.0, tuple(Form(other, 1) for other in others))
            for form, *others in translations
        )
        terms.append(Term(text, 9, 1.0, found, variants=tuple(Form(v, 1) for v in variants)))
    return TermList(BOTH, tuple(terms))


# ---- what stands in cells


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("account", ("account",)),
        ("  account\t name ", ("account name",)),
        ("post; enter|book", ("post", "enter", "book")),
        ("account (n)", ("account",)),
        ("file(s) [of a program]", ("file",)),
        ("account type: Asset", ("account type",)),
        ("Name:", ("Name:",)),
        ("16:9", ("16:9",)),
        ("receivable, account", ("receivable, account",)),
        ("and/or", ("and/or",)),
        ('"split"', ("split",)),
        ('""', ()),
        ("(n)", ()),
        ("a; a", ("a",)),
        ("AT&amp;T; R&amp;D", ("AT&T", "R&D")),
        ("a&b; c", ("a&b", "c")),
    ],
)
def test_source_cell_has_synonyms_and_remarks(cell, expected):
    assert source_terms(cell) == expected


@pytest.mark.parametrize(
    ("cell", "source", "expected"),
    [
        ("Konto, Buchungskonto", "account", ("Konto", "Buchungskonto")),
        ("Konto (n), Buchungskonto (selten)", "account", ("Konto", "Buchungskonto")),
        ("Zins, effektiv", "interest, effective", ("Zins, effektiv",)),
        ("1,5 Grad, warm", "warm", ("1,5 Grad", "warm")),
        ("Soll/Haben", "side", ("Soll", "Haben")),
        ("Soll / Haben", "side", ("Soll", "Haben")),
        ("an / ab", "on, off", ("an", "ab")),
        ("und/oder", "and/or", ("und/oder",)),
        ("km/h", "speed", ("km/h",)),
        ("Kunde/in", "customer", ("Kunde/in",)),
        ("Kunde/-in, -en", "customer", ("Kunde",)),
        ("rein-, netto", "net", ("rein-", "netto")),
        ("账户、科目", "account", ("账户", "科目")),
        ("账户/科目", "account", ("账户", "科目")),
        ("Groß-/Kleinschreibung", "case", ("Groß-/Kleinschreibung",)),
        ("-", "nothing", ()),
    ],
)
def test_translations_are_parted_where_people_part_them(cell, source, expected):
    assert target_terms(cell, source) == expected


@given(st.text("ab ,;|/()[]:-\n12中", max_size=40), st.text("ab ,;/", max_size=5))
def test_terms_of_any_cell_are_of_its_words_and_have_no_separator(cell, source):
    for term in (*source_terms(cell), *target_terms(cell, source)):
        assert set(re.findall(r"\w+", term)) <= set(re.findall(r"\w+", cell))
        assert term == " ".join(term.split())
        assert re.search(r"\w", term)
        assert not set(term) & set(";|\n")


@pytest.mark.parametrize("piece", ["(", "((a", "[", " ", "a/", ": ", "-", ",", "1,", "中/"])
def test_long_cells_take_no_long_time(piece):
    cell = piece * 200_000
    with little_work():
        source_terms(cell)
        target_terms(cell, "")


# ---- term bases


def test_terms_of_tbx_3_are_read_without_descriptions_and_deprecated_ones(write):
    path = write("terms.tbx", TBX)
    glossary = Glossary.read(path, BOTH)
    assert glossary.languages == BOTH
    assert list(glossary) == [
        GlossaryEntry(("account",), ("Konto", "Buchungskonto, neues"), f"{path}, c1"),
        GlossaryEntry(("balance; rest",), ("Saldo (n)",), f"{path}, line 13"),
    ]
    assert glossary.left_out == {"without both languages": 1, "deprecated or superseded terms": 1}
    assert sides(Glossary.read(path, ("fr", "en"))) == [(("compte",), ("account",))]


def test_terms_of_tbx_of_2008_are_read(write):
    glossary = Glossary.read(write("terms.tbx", MARTIF), BOTH)
    assert sides(glossary) == [(("bank",), ("Bank",))]
    assert glossary[0].place.endswith("terms.tbx, t1")
    assert glossary.left_out == {"deprecated or superseded terms": 1}


def test_term_base_is_told_by_its_content_whatever_its_name_packing_and_encoding(write):
    turkish = MARTIF.replace("<?xml version='1.0'?>", "<?xml version='1.0' encoding='cp1254'?>")
    turkish = turkish.replace(">Bank<", ">Şube<").replace("de-DE", "tr")
    path = write("terms.xml.gz", gzip.compress(turkish.encode("cp1254")))
    assert sides(Glossary.read(path, ("en", "tr"))) == [(("bank",), ("Şube",))]


def test_elements_of_other_namespaces_may_say_the_status(write):
    dct = TBX.replace('style="dca"', 'style="dct" xmlns:min="urn:x"')
    dct = dct.replace('<termNote type="administrativeStatus"\n>', "<min:administrativeStatus>")
    dct = dct.replace(
        "deprecatedTerm-admn-sts</termNote>", "deprecatedTerm-admn-sts</min:administrativeStatus>"
    )
    assert Glossary.read(write("x.tbx", dct), BOTH).left_out["deprecated or superseded terms"] == 1


def test_lexicon_that_was_saved_is_a_glossary(tmp_path):
    pairs = [LexiconEntry("dog", "Hund", 2.0, 3, 4, 4), LexiconEntry("dog", "Köter", 1.0, 3, 4, 1)]
    Lexicon(BOTH, pairs, "hybrid").save(tmp_path / "x.tbx")
    assert sides(Glossary.read(tmp_path / "x.tbx", BOTH)) == [(("dog",), ("Hund", "Köter"))]


@pytest.mark.parametrize("format", ["csv", "tsv", "tbx", "tbx2008", "omegat"])
def test_list_of_terms_that_was_saved_is_a_glossary_that_has_them(tmp_path, format):
    terms = listed(("dog|dogs", "Hund|Hunde", "Köter"), ("hot dog", "Würstchen"))
    terms.save(tmp_path / "x", format)
    known = marked(terms, Glossary.read(tmp_path / "x", BOTH))
    assert all(term.known and all(each.known for each in term.translations) for term in known)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("</langSec>\n<langSec", "</langsec>\n<langSec", r"terms\.tbx, line 6: not well-formed"),
        ("account<", "&x;<", r"terms\.tbx, line 6: not well-formed XML: an entity"),
        ("<tbx ", '<!DOCTYPE tbx [<!ENTITY x "y">]><tbx ', r"line 2: the entity 'x' is declared"),
    ],
)
def test_damage_of_a_term_base_is_said_with_its_line(write, old, new, says):
    with pytest.raises(CorpusError, match=says):
        Glossary.read(write("terms.tbx", TBX.replace(old, new, 1)), BOTH)


def test_concept_with_terms_without_end_is_refused(write):
    many = "<termSec><term>a</term></termSec>" * 10_001
    path = write("x.tbx", TBX.replace("<termSec><term>account", many + "<termSec><term>account"))
    with pytest.raises(CorpusError, match="a concept with more than 10,000 terms"):
        Glossary.read(path, BOTH)


@given(st.lists(st.tuples(st.sampled_from(["en", "de", "fr", ""]),
                          st.text("aß &<", min_size=1, max_size=5)), max_size=5))  # fmt: skip
def test_units_of_a_term_base_are_its_terms_by_language(tmp_path_factory, terms):
    def section(code, term):
        escaped = term.replace("&", "&amp;").replace("<", "&lt;")
        tag = f' xml:lang="{code}"' if code else ""
        return f"<langSec{tag}><termSec><term>{escaped}</term></termSec></langSec>"

    body = "".join(section(*each) for each in terms)
    path = tmp_path_factory.mktemp("tbx") / "x.tbx"
    path.write_text(f"<tbx><conceptEntry>{body}</conceptEntry></tbx>", encoding="utf-8")
    expected: dict[str, list[str]] = {}
    for code, term in terms:
        if code and term.split():
            expected.setdefault(code, []).append(" ".join(term.split()))
    reader = TBXTerms(path, BOTH)
    (unit,) = reader.units()
    assert unit == {code: "\n".join(found) for code, found in expected.items()}
    assert reader.mended.total() == sum(not code for code, _ in terms)


# ---- tables and catalogs


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.csv", 'English,Note,German\naccount,n,"Konto, Buchungskonto"\n'),
        ("x.csv", "source;target\naccount;Konto, Buchungskonto\n"),
        ("x.csv", "﻿de-DE;en-US\nKonto, Buchungskonto;account\n"),
        ("x.tsv", "account\tKonto, Buchungskonto\ta remark\n"),
        ("x.txt", "account\tKonto, Buchungskonto\n"),
        ("x.csv", 'id,sourceLang,targetLang,sourceString,targetString\n'
                  '1,en,de_DE,account,"Konto, Buchungskonto"\n'),
        ("x.jsonl", '{"en": "account", "de": "Konto, Buchungskonto"}\n'),
    ],
)  # fmt: skip
def test_tables_are_read_by_their_header_or_else_their_first_columns(write, name, text):
    glossary = Glossary.read(write(name, text), BOTH)
    assert sides(glossary) == [(("account",), ("Konto", "Buchungskonto"))]
    assert not glossary.left_out


def test_table_in_the_encoding_of_office_programs_is_read(write):
    path = write("x.txt", "\ufeffEnglish\tGerman\r\naccount\tMünze\r\n", "utf-16-le")
    assert sides(Glossary.read(path, BOTH)) == [(("account",), ("Münze",))]


def test_glossary_of_omegat_has_comments_and_its_lines_are_named(write):
    text = (
        "# Glossary in tab-separated format -*- coding: utf-8 -*-\n"
        "team project\tGemeinschaftsprojekt\tnot: Teamprojekt\n"
        "# old\talt\n"
        "\n"
        "folder\n"
        "file\t\n"
        '""\t(n)\n'
        "tag\tTag"
    )
    path = write("glossary.txt", text)
    glossary = Glossary.read(path, BOTH)
    assert [(entry.sources[0], entry.place) for entry in glossary] == [
        ("team project", f"{path}, line 2"),
        ("tag", f"{path}, line 8"),
    ]
    assert glossary.left_out == {
        "comments": 2, "blank": 1, "without a translation": 2, "without words": 1,
    }  # fmt: skip


def test_variant_of_a_language_that_has_a_text_is_taken(write):
    text = '{"en-GB": " ", "en-US": "color", "de": "Farbe"}\n{"en-GB": "", "de": "Ton"}\n{"de": ""}'
    rows = "\n".join(f'{{"translation": {row}}}' for row in text.split("\n"))
    glossary = Glossary.read(write("x.jsonl", rows), BOTH)
    assert sides(glossary) == [(("color",), ("Farbe",))]
    assert glossary.left_out == {"without a term": 1, "without both languages": 1}


def test_catalog_is_a_glossary(write):
    text = """msgid ""
msgstr "Language: de\\n"

msgid "account: parent"
msgstr "Konto (übergeordnet); Hauptkonto"

#, fuzzy
msgid "bank"
msgstr "Geld"

msgid "cash"
msgstr ""
"""
    path = write("de.po", text)
    glossary = Glossary.read(path, BOTH)
    assert list(glossary) == [
        GlossaryEntry(("account",), ("Konto", "Hauptkonto"), f"{path}, line 4")
    ]
    assert glossary.left_out == {"fuzzy": 1, "untranslated": 1}


def test_text_that_is_no_utf8_is_said_with_its_line(write):
    path = write("x.tsv", "account\tKonto\ncoin\tMünze\n", "latin-1")
    with pytest.raises(CorpusError, match=r"x\.tsv, line 2"):
        Glossary.read(path, BOTH)
    assert sides(Glossary.read(path, BOTH, errors="replace"))[1] == (("coin",), ("M�nze",))


def test_row_that_cannot_be_read_is_said_with_its_line_or_counted(write):
    path = write("x.csv", 'source,target\naccount,Konto\nledger,"Haupt"buch"\n')
    with pytest.raises(ParallelDataError, match=r"x\.csv, line 3: a cell in quotes .*skip_bad"):
        Glossary.read(path, BOTH)
    glossary = Glossary.read(path, BOTH, skip_bad=True)
    assert sides(glossary) == [(("account",), ("Konto",))]
    assert glossary.left_out == {"with a broken quote": 1}


def test_most_lines_of_a_table_may_be_without_a_translation(write):
    glossary = Glossary.read(write("x.txt", "# x\n" * 9 + "ledger\n\nfile\tDatei\n"), BOTH)
    assert sides(glossary) == [(("file",), ("Datei",))]


def test_file_without_an_entry_in_both_languages_is_refused(write):
    with pytest.raises(ParallelDataError, match=r"x\.tbx: .*'en' and in 'es'.*'de', 'en', 'en-GB'"):
        Glossary.read(write("x.tbx", TBX), ("en", "es"))
    with pytest.raises(ParallelDataError, match=r"y\.tsv, line 1: 2 columns"):
        Glossary.read(write("y.tsv", "a\nb\n"), BOTH)
    with pytest.raises(CorpusNotFoundError, match="no such file"):
        Glossary.read("nothing.tbx", BOTH)
    with pytest.raises(CorpusError, match="XML of another kind"):
        Glossary.read(write("z.xml", "<?xml version='1.0'?><html/>"), BOTH)


@pytest.mark.parametrize("languages", ["en", ("en",), ("en", "en"), ("en", "de", "fr")])
def test_languages_are_two(write, languages):
    with pytest.raises(ConfigError, match="two different languages"):
        Glossary.read(write("x.tbx", TBX), languages)


def test_part_of_a_glossary_is_one(write):
    glossary = Glossary.read(write("x.tbx", TBX), BOTH)
    assert repr(glossary) == "Glossary<en-de: 2 entries>"
    assert list(glossary[:1]) == [glossary[0]]
    assert glossary[:1].left_out == glossary.left_out


# ---- terms that are known


def test_terms_are_known_whatever_their_case_typography_and_variant():
    glossary = Glossary(BOTH, (
        GlossaryEntry(("user’s Account", "login"), ("BENUTZERKONTO", "Konto")),
        GlossaryEntry(("Login",), ("Anmeldung",)),
        GlossaryEntry(("split",), ("Buchungsteil",)),
    ))  # fmt: skip
    terms = listed(
        ("User's account", "Benutzerkonto", "Anmeldung"), ("logins|Login", "Anmeldungen|Anmeldung"),
        ("split", "Teil"), ("bank", "Bank"),
    )  # fmt: skip
    found = marked(terms, glossary)
    assert [term.known for term in found] == [True, True, True, False]
    assert [[each.known for each in term.translations] for term in found] == [
        [True, False], [True], [False], [False],
    ]  # fmt: skip
    # What another glossary said is forgotten, and nothing else is changed.
    assert marked(found, Glossary(BOTH, ())) == terms


def test_small_letters_are_those_of_the_language():
    turkish = TermList(("tr", "en"), listed(("ısı", "heat")).terms)
    for spelt, known in (("ISI", True), ("isi", False)):
        glossary = Glossary(("tr", "en"), (GlossaryEntry((spelt,), ("Heat",)),))
        assert marked(turkish, glossary)[0].known is known


def test_glossary_of_other_languages_is_refused():
    with pytest.raises(ConfigError, match=r"\('en', 'de'\) is wanted.*got one in \('en', 'fr'\)"):
        marked(listed(("a", "b")), Glossary(("en", "fr"), ()))
    regional = Glossary(("en-GB", "deu"), (GlossaryEntry(("a",), ("b",)),))
    assert marked(listed(("a", "b")), regional)[0].translations[0].known


# ---- phrases in text


def test_words_end_where_no_letter_and_no_mark_follows():
    assert stands_in("account", "an account.")
    assert stands_in("account", "sub-account (new)")
    assert not stands_in("account", "accounts account_name subaccount")
    assert stands_in("account", "accounts account")
    assert not stands_in("कर", "करें")
    assert not stands_in("e", "e\u0301")


def test_phrase_stands_anywhere_in_a_script_without_spaces():
    assert PhraseFinder(["账户", "户"]).found_in("新账户名") == {"账户", "户"}
    assert stands_in("账户", "api账户")
    assert stands_in("api", "api账户")
    assert not stands_in("api", "apis账户")
    assert words_of("账户名a b") == {"账", "户", "名", "账户", "户名", "a", "b"}


def test_phrase_is_found_behind_a_sign_of_a_script_without_spaces():
    # Neither is a word of the script by its name in Unicode: a Hangzhou numeral, a radical.
    for sign in "\u3022\u2f00":
        assert words_of(f"{sign}账户") == {sign, "账", "户", f"{sign}账", "账户"}
        assert PhraseFinder(["账户"]).found_in(f"{sign}账户") == {"账户"}


def test_text_is_compared_without_markup_access_keys_and_case():
    assert Normalizer("en")("The _File’s <b>Name</b> &amp;\n more") == "the file's name & more"
    assert Normalizer("zh")("_File 新") == "file 新"


def test_words_to_both_sides_of_a_placeholder_make_no_phrase():
    normal = Normalizer("en")
    assert not stands_in(normal("open file"), normal("Open %s file"))
    assert stands_in(normal("open file"), normal("<b>Open</b> file %s"))
    assert normal("%s files") == normal("files")


@given(
    st.lists(st.text("ab -_.é", min_size=1, max_size=5), max_size=8),
    st.text("ab -_.é", max_size=30),
)
@example(["a b"], "a  b")
def test_phrases_are_found_as_a_regular_expression_finds_them(phrases, text):
    def stands(phrase):
        begin = r"(?<!\w)" if re.match(r"\w", phrase) else ""
        end = r"(?!\w)" if re.match(r"\w", phrase[-1]) else ""
        return re.search(begin + re.escape(phrase) + end, text)

    phrases = {" ".join(phrase.split()) for phrase in phrases if re.search(r"\w", phrase)}
    expected = {phrase for phrase in phrases if stands(phrase)}
    assert PhraseFinder(phrases).found_in(text) == expected


# ---- the report


SEGMENTS = [
    *[("Open the account", "Das Konto öffnen")] * 4,
    *[("A savings account: new", "Ein neues Sparkonto")] * 2,
    *[("Each split of it", "Jeder Posten davon")] * 9,
    ("a split", "ein Buchungsteil"),
    *[("the register", "das Kontobuch")] * 3,
    *[("a rare thing", "ein Ding")] * 1,
    *[("the ledger", "das Hauptbuch")] * 2,
    *[("<b>Ledger</b>", "die Kladde")] * 2,
]

GLOSSARY = Glossary(BOTH, (
    GlossaryEntry(("account",), ("Konto", "Rechnung"), "g, line 1"),
    GlossaryEntry(("savings account",), ("Sparkonto",), "g, line 2"),
    GlossaryEntry(("split",), ("Buchungsteil",), "g, line 3"),
    GlossaryEntry(("register",), ("Register",), "g, line 4"),
    GlossaryEntry(("rare thing",), ("Ding",), "g, line 5"),
    GlossaryEntry(("ledger",), ("Hauptbuch",), "g, line 6"),
    GlossaryEntry(("bank",), ("Bank",), "g, line 7"),
))  # fmt: skip


def test_report_says_of_each_entry_what_the_text_and_the_list_have():
    terms = listed(("accounts|Account", "Buch", "KONTO"), ("split", "Posten"), ("ledger", "Kladde"))
    report = GlossaryReport.of(terms, GLOSSARY, iter(SEGMENTS))
    assert [(each.finding, each.segments) for each in report.entries] == [
        ("found", 6), ("missed", 2), ("translated otherwise", 10), ("contradicted", 3),
        ("unclear", 1), ("translated otherwise", 4), ("not in the text", 0),
    ]  # fmt: skip
    beside = [each.beside for each in report.entries]
    assert beside[0] == (("Konto", 4), ("Rechnung", 0))
    assert beside[2] == (("Buchungsteil", 1),)
    instead = [each.instead for each in report.entries]
    assert instead == [(), (), (("Posten", 9),), (("kontobuch", 3),), (), (("Kladde", 2),), ()]
    # Of single words account and ledger stand beside their translations twice.
    assert report.single == Recall(entries=2, listed=2, found=1, first=0)
    assert report.several == Recall(entries=1, listed=0, found=0, first=0)
    assert (report.single.recall, report.single.precision) == (0.5, 0.0)
    assert (report.several.recall, report.several.precision) == (0.0, 0.0)
    assert report.segments == len(SEGMENTS)
    assert [each.entry.sources for each in report.having("contradicted")] == [("register",)]


def test_report_in_words_names_what_is_to_be_looked_at():
    report = GlossaryReport.of(listed(("split", "Posten")), GLOSSARY, SEGMENTS)
    lines = list(report.lines())
    assert lines[0] == "7 entries, 24 segments"
    assert (
        "  split: in 10 segments, beside it Buchungsteil in 1, but Posten in 9 (g, line 3)" in lines
    )
    assert "not in the text: 1" in lines
    assert repr(report) == "GlossaryReport<en-de: 0 of 7>"


def test_report_names_a_source_once_and_the_most_frequent_first():
    entries = [("ledger", "Buch"), ("split", "Riss"), ("split", "Bruch")]
    glossary = Glossary(BOTH, tuple(
        GlossaryEntry((s,), (t,), f"g, line {i}") for i, (s, t) in enumerate(entries)
    ))  # fmt: skip
    lines = list(GlossaryReport.of(listed(), glossary, SEGMENTS).lines(most=1))
    at = lines.index("contradicted: 3")
    assert lines[at + 1 : at + 3] == [
        "  split: in 10 segments, beside it Riss in 0, Bruch in 0, but posten in 9 "
        "(g, line 1 and 1 more)",
        "  and 1 more",
    ]


def test_entry_is_not_contradicted_where_another_of_its_source_is_right():
    entries = [("split", "Teilung", "g, line 1"), ("split", "Posten", "g, line 2")]
    glossary = Glossary(BOTH, tuple(GlossaryEntry((s,), (t,), p) for s, t, p in entries))
    report = GlossaryReport.of(listed(), glossary, SEGMENTS)
    assert [each.finding for each in report.entries] == ["unclear", "missed"]
    report = GlossaryReport.of(listed(("split", "Posten")), glossary, SEGMENTS)
    assert [each.finding for each in report.entries] == ["unclear", "found"]
    assert report.entries[0].instead == ()


@pytest.mark.parametrize(
    "first", [(), (("split", "Riss"),), (("split", "Riss"), ("ledger", "Kladde"))]
)
def test_entry_is_found_where_any_of_its_sources_has_its_translation(first):
    entry = GlossaryEntry(("split", "ledger", "account"), ("Konto", "Depot"), "g, line 1")
    report = GlossaryReport.of(
        listed(*first, ("account", "Buch", "Konto")), Glossary(BOTH, (entry,)), SEGMENTS
    )
    assert report.entries[0].finding == "found"
    assert report.entries[0].instead == ()
    # Each of its sources that is listed has a first translation.
    assert report.single == Recall(entries=1, listed=1, found=1, first=0)
    report = GlossaryReport.of(
        listed(*first, ("account", "Konto")), Glossary(BOTH, (entry,)), SEGMENTS
    )
    assert report.single == Recall(entries=1, listed=1, found=1, first=1)


def test_text_without_segments_has_no_entry():
    report = GlossaryReport.of(listed(), GLOSSARY, [])
    assert {each.finding for each in report.entries} == {"not in the text"}
    assert report.single == report.several == Recall()


def test_terms_of_mark_up_alone_are_nowhere():
    glossary = Glossary(BOTH, (GlossaryEntry(("%s",), ("<b>",)), GlossaryEntry(("file",), ("%d",))))
    terms = listed(("{0}", "<i>"), ("file", "</i>"))
    assert [term.known for term in marked(terms, glossary)] == [False, True]
    assert not marked(terms, glossary)[1].translations[0].known
    report = GlossaryReport.of(terms, glossary, [("a %s file", "eine <b>Datei</b> %d")] * 3)
    assert [each.finding for each in report.entries] == ["not in the text", "unclear"]


def test_languages_without_spaces_are_compared():
    glossary = Glossary(("en", "zh"), (GlossaryEntry(("account",), ("账户",)),))
    terms = TermList(("en", "zh-CN"), listed(("account", "账户")).terms)
    report = GlossaryReport.of(terms, glossary, [("an account", "新账户名")] * 2)
    assert report.single == Recall(1, 1, 1, 1)


@given(
    st.lists(st.tuples(st.text(max_size=6), st.text(max_size=6)), max_size=3),
    st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), max_size=5),
)
def test_no_text_is_too_odd_to_be_compared(entries, segments):
    glossary = Glossary(BOTH, tuple(GlossaryEntry((s,), (t,)) for s, t in entries))
    terms = listed(("a", "b"), *((s.replace("|", ""), t.replace("|", "")) for s, t in entries))
    report = GlossaryReport.of(terms, glossary, segments)
    assert len(report.entries) == len(marked(terms, glossary)) - 1
    for each in report.entries:
        assert all(count <= each.segments for _, count in (*each.beside, *each.instead))


WORDS = st.lists(st.sampled_from(["a", "b", "c", "ab"]), min_size=1, max_size=3).map(" ".join)


@given(
    st.lists(st.tuples(WORDS, WORDS), max_size=4),
    st.lists(st.tuples(WORDS, WORDS), max_size=12),
    st.dictionaries(WORDS, st.lists(WORDS, min_size=1, max_size=2), max_size=4),
)
def test_recall_is_that_of_counting_one_by_one(entries, segments, found):
    def stands(term, text):
        return bool(re.search(rf"\b{re.escape(term)}\b", text))

    expected = {False: [0, 0, 0, 0], True: [0, 0, 0, 0]}
    for source, target in entries:
        together = sum(stands(source, a) and stands(target, b) for a, b in segments)
        if together >= 2:
            counts = expected[" " in source]
            counts[0] += 1
            counts[1] += source in found
            counts[2] += target in found.get(source, ())
            counts[3] += target == found.get(source, [""])[0]
    glossary = Glossary(BOTH, tuple(GlossaryEntry((s,), (t,)) for s, t in entries))
    report = GlossaryReport.of(listed(*((s, *t) for s, t in found.items())), glossary, segments)
    assert (report.single, report.several) == (Recall(*expected[False]), Recall(*expected[True]))


@given(st.text(string.printable, max_size=300))
def test_any_text_is_a_glossary_or_refused(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("glossary") / "x.tsv"
    path.write_text(text, encoding="utf-8", newline="")
    try:
        glossary = Glossary.read(path, BOTH)
    except (CorpusError, ParallelDataError):
        return
    assert all(entry.sources and entry.targets for entry in glossary)
