"""Term lists as TBX: the structure that each edition asks for, and what readers find in it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from term_lists import ACCOUNT, HOUSE, KONTO, TERMS, of_text
from translate.storage.tbx import tbxfile

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.terminology import Form, TermExample, TermList
from gensim_bilbowa.tokenization.codes import tag

KINDS = ["tbx", "tbx2008"]
NAMESPACE = "{urn:iso:std:iso:30042:ed-2}"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"

AUX = "(descrip|descripGrp|admin|adminGrp|transacGrp|note|ref|xref)"
# Children of each element in their order, as the grammar of each edition has them.
CHILDREN = {
    "tbx": "(ROOT)",
    "HEADER": "fileDesc (encodingDesc )?(revisionDesc )?",
    "fileDesc": "(titleStmt )?(publicationStmt )?(sourceDesc )+",
    "sourceDesc": "(p )+",
    "encodingDesc": "(p )+",
    "text": "body (back )?",
    "body": "(CONCEPT )+",
    "CONCEPT": f"({AUX} )*(LANGUAGE )+",
    "LANGUAGE": f"({AUX} )*(TERM )+",
    "TERM": f"term ((termNote|termNoteGrp) )*({AUX} )*",
    "descripGrp": "descrip ((descripNote|admin|adminGrp|transacGrp|note|ref|xref) )*",
    "ROOT": "HEADER text ",
    **dict.fromkeys(["p", "term", "termNote", "descrip", "admin", "note"], ""),
}
NAMES = {
    "tbx": ["tbx", "tbxHeader", "conceptEntry", "langSec", "termSec"],
    "tbx2008": ["martif", "martifHeader", "termEntry", "langSet", "tig"],
}
PLACES = ["ROOT", "HEADER", "CONCEPT", "LANGUAGE", "TERM"]
# Attributes that an element has, all of them.
ATTRIBUTES = {
    "tbx": {"ROOT": {"type", "style", LANG}, "p": set()},
    "tbx2008": {"ROOT": {"type", LANG}, "p": {"type"}},
}
EVERYWHERE = {
    "CONCEPT": {"id"},
    "LANGUAGE": {LANG},
    "termNote": {"type"},
    "descrip": {"type"},
    "admin": {"type"},
}
# The categories that the dialect has among those written here, and where; None: any text.
CATEGORIES = {
    ("termNote", "termType"): {
        *("fullForm", "acronym", "abbreviation", "shortForm", "variant", "phrase")
    },
    ("descrip", "context"): None,
    ("admin", "source"): None,
}
STATUS = {("termNote", "processStatus"): {"unprocessed", "provisionallyProcessed", "finalized"}}


def check(element, kind, seen):
    """Assert that an element and all within are what the grammar of an edition allows."""
    places = dict(zip(NAMES[kind], PLACES, strict=True))

    def place(one):
        plain = one.tag.removeprefix(NAMESPACE)
        assert (one.tag == NAMESPACE + plain) == (kind == "tbx"), one.tag
        return places.get(plain, plain)

    name = place(element)
    assert re.fullmatch(CHILDREN[name], "".join(f"{place(child)} " for child in element)), name
    if len(element):
        assert not (element.text or "").strip()
        assert not any((child.tail or "").strip() for child in element)
    wanted = {**EVERYWHERE, **ATTRIBUTES[kind]}.get(name, set())
    if name == "p" and "type" in wanted and not element.attrib:
        wanted = set()  # in the description of the source
    assert set(element.attrib) == wanted, name
    if name == "CONCEPT":
        assert re.fullmatch(r"[A-Za-z_][\w.-]*", element.get("id"))
        assert element.get("id") not in seen
        seen.add(element.get("id"))
    if "type" in element.attrib and name not in ("ROOT", "p"):
        categories = CATEGORIES | (STATUS if kind == "tbx2008" else {})
        values = categories[name, element.get("type")]
        assert values is None or element.text in values
    for child in element:
        check(child, kind, seen)


def saved(terms, path, kind):
    terms.save(path, kind)
    root = ET.parse(path).getroot()
    check(root, kind, set())
    return root


def texts(root, name):
    return [one.text for one in root.iter() if one.tag.removeprefix(NAMESPACE) == name]


@pytest.mark.parametrize("kind", KINDS)
def test_list_has_the_structure_of_its_edition(tmp_path, kind):
    root = saved(TERMS, tmp_path / "x.tbx", kind)
    assert root.get(LANG) == "en"
    assert texts(root, "term") == [
        *("account", "accounts", "Konto", "Konten", "Kontos", "Buchung"),
        *("new house", "Neubau"),
    ]
    assert "not checked by hand" in texts(root, "p")[0]


def test_editions_say_what_they_are(tmp_path):
    root = saved(TERMS, tmp_path / "x.tbx", "tbx")
    assert (root.get("type"), root.get("style")) == ("TBX-Basic", "dca")
    old = saved(TERMS, tmp_path / "y.tbx", "tbx2008")
    assert old.get("type") == "TBX"
    assert old.find("martifHeader/encodingDesc/p[@type='XCSURI']").text == "TBXXCSV02.xcs"


def test_suffix_alone_is_the_newer_edition_and_martif_the_older(tmp_path):
    TERMS.save(tmp_path / "x.tbx")
    TERMS.save(tmp_path / "x.martif")
    assert ET.parse(tmp_path / "x.tbx").getroot().tag == f"{NAMESPACE}tbx"
    assert ET.parse(tmp_path / "x.martif").getroot().tag == "martif"


@pytest.mark.parametrize("kind", KINDS)
def test_examples_stand_with_their_source(tmp_path, kind):
    root = saved(TERMS, tmp_path / "x.tbx", kind)
    account, konto, buchung = (
        [
            (group[0].text, *(one.text for one in group[1:]))
            for group in term
            if group.tag.removeprefix(NAMESPACE) == "descripGrp"
        ]
        for term in root.iter()
        if len(term) and term[0].text in ("account", "Konto", "Buchung")
    )
    # That of both translations once with the term, and one of no file without a source.
    assert account == [
        ("Close the account.", "po/de.po, 12"),
        ("Your accounts", "po/de.po, menu/7"),
        ("Post to the account",),
    ]
    assert konto == [
        ("Schließen Sie das Konto.", "po/de.po, 12"),
        ("Ihre Konten & <b>mehr</b>", "po/de.po, menu/7"),
    ]
    assert buchung == [("Schließen Sie das Konto.", "po/de.po, 12"), ("Auf das Konto buchen",)]


@pytest.mark.parametrize("kind", KINDS)
def test_notes_tell_what_was_counted(tmp_path, kind):
    notes = texts(saved(TERMS, tmp_path / "x.tbx", kind), "note")
    assert notes[:3] == [
        "120 times in the text; termhood 3.2100; other translations: Vorgang 5%; Kunde <1%; "
        "in the glossary",
        "form of account; 12 times in the text",
        "score 1.2346; translates 83% of account; aligned 99.8 times; 1,300 times in the text; "
        "in the glossary",
    ]
    assert notes[-2:] == [
        "9 times in the text; termhood 2.0000",
        "score 1.5000; translates 94% of new house; aligned 8.5 times; 10 times in the text",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_forms_are_variants_and_no_term_has_a_status_that_nobody_gave(tmp_path, kind):
    found = texts(saved(TERMS, tmp_path / "x.tbx", kind), "termNote")
    assert found.count("variant") == 3
    assert found.count("unprocessed") == (5 if kind == "tbx2008" else 0)
    assert len(found) == found.count("variant") + found.count("unprocessed")


def test_translate_toolkit_reads_the_older_edition(tmp_path):
    TERMS.save(tmp_path / "x.martif")
    with (tmp_path / "x.martif").open("rb") as stream:
        read = tbxfile(stream)
    units = read.units
    assert [(unit.getid(), unit.source, unit.target) for unit in units] == [
        ("c1", "account", "Konto"),
        ("c2", "new house", "Neubau"),
    ]
    nodes = units[0].getlanguageNodes()
    assert [node.get(LANG) for node in nodes] == ["en", "de"]
    assert [[term.text for term in node.iter("term")] for node in nodes] == [
        ["account", "accounts"],
        ["Konto", "Konten", "Kontos", "Buchung"],
    ]
    assert "Schließen Sie das Konto." in units[0].getnotes("definition")
    assert "form of Konto; 30 times in the text" in units[0].getnotes()
    assert not any(unit.isobsolete() for unit in units)


def glossary_of(path, source, target):
    """Return term pairs and what is said of them, by the elements that OmegaT looks at.

    Of each entry it pairs each term of one language with each of the other; a term is the first
    one of its section, and it shows descriptions, those in groups too, and notes.
    """
    pairs = []
    for entry in ET.parse(path).getroot().iterfind("text/body/termEntry"):
        terms = {source: [], target: []}
        said = []
        for language in entry.iterfind("langSet"):
            sections = language.findall("tig")
            terms[language.get(LANG)] += [section.find("term").text for section in sections]
            for section in sections:
                said += [one.text for one in section.iterfind("descripGrp/descrip")]
                said += [one.text for one in section.iterfind("note")]
        pairs += [(one, other, said) for one in terms[source] for other in terms[target]]
    return pairs


def test_omegat_finds_each_form_with_each_translation(tmp_path):
    TERMS.save(tmp_path / "x.tbx", "tbx2008")
    pairs = glossary_of(tmp_path / "x.tbx", "en", "de")
    assert [pair[:2] for pair in pairs] == [
        *((one, other) for one in ("account", "accounts")
          for other in ("Konto", "Konten", "Kontos", "Buchung")),
        ("new house", "Neubau"),
    ]  # fmt: skip
    assert "Ihre Konten & <b>mehr</b>" in pairs[0][2]


@pytest.mark.parametrize("kind", KINDS)
def test_empty_list_is_refused_and_the_old_file_stays(tmp_path, kind):
    path = tmp_path / "x.tbx"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(FormatError, match="an empty term list cannot be a TBX file"):
        TERMS[:0].save(path, kind)
    assert path.read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bad", ["\0", "\x1b", "\ufffe", "\ud800"])
def test_what_xml_cannot_hold_is_refused_wherever_it_stands(tmp_path, kind, bad):
    example = TermExample("x", "y", "a.po", bad)
    for terms in (
        of_text(bad),
        TermList(("en", "de"), (replace(HOUSE, variants=(Form(bad, 1),)),)),
        TermList(("en", "de"), (replace(HOUSE, others=((bad, 0.1),)),)),
        TermList(("en", "de"), (replace(HOUSE, translations=(replace(KONTO, text=bad),)),)),
        TermList(
            ("en", "de"), (replace(HOUSE, translations=(replace(KONTO, examples=(example,)),)),)
        ),
        TermList(("en", bad), (ACCOUNT,)),
    ):
        with pytest.raises(FormatError, match="XML cannot hold the character"):
            terms.save(tmp_path / "x.tbx", kind)
    assert list(tmp_path.iterdir()) == []


@settings(max_examples=50)
@given(
    text=st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1)
    | st.sampled_from(["]]>", "<!--", "a\rb", "a\r\nb", "&amp;", "\t", "x" * 100_000]),
    kind=st.sampled_from(KINDS),
)
def test_any_text_is_read_as_it_was_written(tmp_path_factory, text, kind):
    text = re.sub("[\ufffe\uffff]", "", text) or "x"
    root = saved(of_text(text), tmp_path_factory.mktemp("tbx") / "x.tbx", kind)
    assert set(texts(root, "term")) == set(texts(root, "descrip")) == {text}
    assert set(texts(root, "admin")) == {f"{text}, {text}"}


def test_name_of_a_file_that_is_no_text_is_shown_with_escapes(tmp_path):
    example = TermExample("a", "b", "caf\udce9.po", "7")
    found = replace(KONTO, examples=(example,))
    root = saved(
        TermList(("en", "de"), (replace(HOUSE, translations=(found,)),)), tmp_path / "x", "tbx"
    )
    assert texts(root, "admin") == ["caf\\udce9.po, 7"] * 2


def test_codes_of_languages_are_those_of_bcp_47(tmp_path):
    root = saved(TermList(("pt_BR", "sr@latin"), (ACCOUNT,)), tmp_path / "x.tbx", "tbx")
    assert {one.get(LANG) for one in root.iter() if one.get(LANG)} == {"pt-BR", "sr-Latn"}


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        *(("en", "en"), ("EN_us", "en-US"), ("deu", "de"), ("no", "no"), ("zh_hant", "zh-Hant")),
        *(("sr_RS@latin", "sr-Latn-RS"), ("de.UTF-8", "de"), ("src", "src")),
        *(("ca@valencia", "ca-valencia"), ("my_own_invention", "my-own-invention")),
        *(("no such code", "no such code"), ("", "")),
    ],
)
def test_code_is_written_as_bcp_47_has_it(code, wanted):
    assert tag(code) == wanted
