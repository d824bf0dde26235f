"""The page to check terms by, as a file: its data, and that nothing in them breaks out."""

import math
from dataclasses import replace

import pytest
from html_pages import Parsed
from hypothesis import given
from hypothesis import strategies as st
from terms import EVIL, TERMS, found

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files import pages
from gensim_bilbowa.terminology import Form, Term, TermExample, TermList, Translation
from gensim_bilbowa.terminology.page import write_page


def parsed(folder, terms, title=None):
    write_page(terms, folder / "terms.html", title)
    return Parsed((folder / "terms.html").read_text(encoding="utf-8"))


def list_of(data):
    """Build the list that a page's data are of."""

    def forms(given):
        return tuple(Form(**form) for form in given)

    def translation(given):
        examples = tuple(TermExample(**example) for example in given["examples"])
        return Translation(**{**given, "variants": forms(given["variants"]), "examples": examples})

    def term(given):
        return Term(**{
            **given,
            "translations": tuple(map(translation, given["translations"])),
            "others": tuple(map(tuple, given["others"])),
            "variants": forms(given["variants"]),
        })  # fmt: skip

    return TermList(tuple(data["languages"]), tuple(map(term, data["terms"])), data["left_out"])


texts = st.text(st.characters(), min_size=1) | st.sampled_from(EVIL)
shares = st.floats(0, 1)
forms = st.lists(st.builds(Form, texts, st.integers(1)), max_size=2).map(tuple)
examples = st.lists(st.builds(TermExample, texts, texts, texts, texts), max_size=2).map(tuple)
finite = st.floats(allow_nan=False, allow_infinity=False)
translations = st.builds(
    Translation, texts, st.integers(1), finite, shares, finite, forms, examples, st.booleans()
)
any_terms = st.builds(
    Term, texts, st.integers(1), finite,
    st.lists(translations, min_size=1, max_size=2).map(tuple),
    st.lists(st.tuples(texts, shares), max_size=2).map(tuple), forms, st.booleans(),
)  # fmt: skip


@given(st.lists(any_terms, max_size=2), texts)
def test_data_of_the_page_are_the_list_whatever_it_says(tmp_path_factory, terms, title):
    folder = tmp_path_factory.mktemp("page")
    given = TermList(("en", "zh_TW"), tuple(terms), {title: 3})
    made = parsed(folder, given, title)
    assert list_of(made.data) == given
    assert made.tags == parsed(folder, TERMS).tags


def test_page_is_named_by_the_languages_or_as_told(tmp_path):
    assert parsed(tmp_path, TERMS).title == "Terms, en to de"
    title = "</title><script>alert(1)</script>{{data}}\ud800"
    assert parsed(tmp_path, TERMS, title).title == title.replace("\ud800", "?")


def test_page_loads_nothing_and_forbids_it(tmp_path):
    made = parsed(tmp_path, TERMS)
    text = (tmp_path / "terms.html").read_text(encoding="utf-8")
    assert made.addresses == ["data:,"]
    assert "default-src 'none'" in text
    assert "://" not in text


def test_same_list_gives_the_same_page(tmp_path):
    parsed(tmp_path, TERMS)
    before = (tmp_path / "terms.html").read_bytes()
    parsed(tmp_path, TERMS)
    assert (tmp_path / "terms.html").read_bytes() == before


def test_decisions_go_with_terms_and_translations_whatever_their_scores(tmp_path):
    def key(terms):
        return parsed(tmp_path, terms).data["list"]

    first = TERMS[0]
    again = replace(first, count=7, translations=tuple(
        replace(translation, score=0.5, examples=()) for translation in first.translations
    ))  # fmt: skip
    assert key(TermList(TERMS.languages, (again, *TERMS[1:]))) == key(TERMS)
    assert key(TermList(("en", "de_AT"), TERMS.terms)) != key(TERMS)
    assert key(TERMS[1:]) != key(TERMS)
    other = replace(first, translations=first.translations[1:])
    assert key(TermList(TERMS.languages, (other, *TERMS[1:]))) != key(TERMS)


@pytest.mark.parametrize("wrong", [
    Term("one", 1, math.inf, (found("eins"),)),
    Term("one", 1, 1.0, (found("eins", score=math.nan),)),
    Term("one", 1, 1.0, (found("eins", share=-math.inf),)),
    Term("one", 1, 1.0, (found("eins"),), (("zwei", math.nan),)),
])  # fmt: skip
def test_number_that_is_not_finite_is_refused_and_the_earlier_page_stays(tmp_path, wrong):
    parsed(tmp_path, TERMS)
    before = (tmp_path / "terms.html").read_bytes()
    with pytest.raises(FormatError, match="the term 'one' has a number that is not finite"):
        write_page(TermList(("en", "de"), (wrong,)), tmp_path / "terms.html")
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [before]


def test_place_of_a_template_that_nothing_fills_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.resources.files", lambda package: tmp_path)
    (tmp_path / "page.html").write_text("{{title}}: {{data}} {{parts.css}}", encoding="utf-8")
    with pytest.raises(FileNotFoundError, match=r"parts\.css"):
        pages.fill("anything", "page.html", title="a", data=1)
    (tmp_path / "parts.css").write_text("{{data}} is left as it is", encoding="utf-8")
    page = pages.fill("anything", "page.html", title="a<", data=["<"])
    assert page == 'a&lt;: ["\\u003c"] {{data}} is left as it is'
