"""The page to check terms by, in a browser: what it shows and finds, whatever the text."""

import csv
import io
import json
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from term_page import ALL, heading, shown, status
from terms import EVIL, TERMS, found

from gensim_bilbowa.terminology import Form, Term, TermExample, TermList
from gensim_bilbowa.terminology.page import write_page

pytestmark = pytest.mark.slow

# ---- what is shown


def test_terms_are_shown_in_the_order_of_the_list_with_what_is_known_of_them(page):
    assert shown(page) == ALL
    cells = page.texts("#row-0 td")
    assert cells == [
        "1", "open", "user name G: in the glossary", "Benutzername G: so in the glossary",
        "2.31", "74%", "128", "7.42", "Nutzername 8.0%, Name 3.0%",
    ]  # fmt: skip
    assert page.texts("#columns th") == [
        "#", "State", "English", "German", "Score", "Share", "Count", "Termhood", "Others",
    ]  # fmt: skip
    assert page.texts("#shown") == ["5 terms"]
    assert page.texts("#left-out li") == ["fewer than 3 times in the text: 4,120"]


def test_selected_term_is_shown_with_forms_translations_and_examples(page):
    assert heading(page) == "user name"
    facts = "open · 128 times · termhood 7.42 · in the glossary · inconsistent"
    assert page.texts("#heading .facts") == [facts]
    assert page.texts("#heading .forms") == ["also User Name 12, user names 9"]
    assert page.texts("#candidates button") == [
        "Benutzername", "Anwendername", "Nutzername", "Name",
    ]  # fmt: skip
    assert page.texts("#candidates .share") == ["74%", "11%", "8.0%", "3.0%"]
    assert page.texts("#candidates li:first-child .forms") == ["also Benutzernamen 22"]
    assert page.texts("#examples h3 bdi") == ["Benutzername", "Anwendername"]
    assert page.texts(".place bdi") == ["po/login.po", "login#12", "po/account.po", "17"]
    assert page.texts("#examples li:first-child p:first-child")[0] == "Enter your &user name."


def test_terms_are_marked_in_examples_as_they_stand_there(page):
    marked = page.texts("#examples mark")
    assert marked == [
        "user name", "Benutzernamen", "user</b> name", "U_ser Name", "Benutzername", "user name",
        "Anwendername",
    ]  # fmt: skip


@pytest.mark.parametrize(("form", "text", "marks"), [
    ("exit", "E_xit, &Exit, E&xit, Exits, re-exit!", ["E_xit", "Exit", "E&xit", "exit"]),
    ("exit", r"Bye\nExit, %sexit exit_code e&amp;xit", ["Exit", "e&amp;xit"]),
    ("exit", "<b>E</b>xit exit\xads ex\xadit", ["E</b>xit", "ex\xadit"]),
    ("at & t", "AT&T and AT&amp;T and at & t", ["AT&T", "AT&amp;T", "at & t"]),
    ("don 't", "Don't, don\u2019t, don\\'t", ["Don't", "don\u2019t", "don\\'t"]),
    ("e mail", "E-mail, e mail, email", ["E-mail", "e mail"]),
    ("c++", "C++ or c++98", ["C++", "c++"]),
    ("größe", "GRÖSSE Gro\u0308ße Größen", ["Gro\u0308ße"]),
    ("(a|b)*[c]\\$^", "x (a|b)*[c]\\$^ x", ["(a|b)*[c]\\$^"]),
    ("文件 管理", "打开文件管理器", ["文件管理"]),
    ("usb 接口", "连接USB接口。USB 接口", ["USB接口", "USB 接口"]),
    ("ملف", "افتح ملف، الملف", ["ملف"]),
    ("कम", "काम कम", ["कम"]),
    ("ไฟล์", "เปิดไฟล์ใหม่", ["ไฟล์"]),
    ("\ud800", "a\ud800b", ["\ud800"]),
    ("   ", "   ", []), ("", "a", []),
])  # fmt: skip
def test_what_is_found_of_a_form(page, form, text, marks):
    found = page.js(
        f"JSON.stringify(marked({json.dumps(text)}, formsPattern([{json.dumps(form)}]))"
        ".filter((part) => part instanceof Element).map((part) => part.textContent))"
    )
    assert json.loads(found) == marks


def test_marks_leave_the_text_as_it_was_whatever_it_is(page):
    @settings(max_examples=60)
    @given(st.text(st.sampled_from("ab &_~<>/\\-'’%(é界\n\u0301\ud800")), st.text())
    def check(text, form):
        forms = json.dumps([form, text[1:3], text[:4].upper()])
        for one in range(3):
            parts = page.js(
                f"JSON.stringify(marked({json.dumps(text)}, formsPattern([{forms}[{one}]]))"
                ".map((part) => part.textContent ?? part))"
            )
            assert "".join(json.loads(parts)) == text

    check()


def test_term_that_is_too_much_for_marks_is_shown_all_the_same(page):
    many = "Array.from({length: 30000}, (_, i) => `form ${i}`)"
    marks = page.js(f"marked('form 7, form 29999', formsPattern(['x'.repeat(1e6), ...{many}]))[1]")
    assert marks is not None
    assert page.js("marked('<&x'.repeat(1e5), formsPattern(['x x x y', 'x<'])).length") >= 1


def test_longest_form_is_marked(page):
    marks = page.js("marked('the user name', formsPattern(['user', 'user name'])).length")
    assert marks == 3


# ---- search, order, filters


def test_search_that_finds_nothing_does_not_lose_the_place(page):
    page.press("j", "j", "/")
    page.type("nothing like that")
    assert page.texts("#heading") == ["No term is selected."]
    page.press("Escape")
    assert heading(page) == "Ångström"


@pytest.mark.parametrize(("asked", "fit"), [
    ("cafe", ["café"]), ("ANGSTROM", ["Ångström"]), ("grosse", ["Ångström"]),
    ("kaffee", ["café"]), ("verlassen", ["exit"]), ("benutzernamen", ["user name"]),
    ("names", ["user name"]), ("name user", ["user name"]), ("user tabelle", []),
    ("  ", ALL), ("(", []),
])  # fmt: skip
def test_search_finds_both_sides_and_all_forms_without_case_and_accents(page, asked, fit):
    page.press("/")
    page.type(asked)
    assert shown(page) == fit
    assert page.js("document.getElementById('nothing').hidden") == bool(fit)
    assert page.texts("#shown") == ["5 terms" if fit == ALL else f"{len(fit)} of 5 terms"]
    if fit:
        assert heading(page) == fit[0]
    page.press("Escape")
    assert shown(page) == ALL
    assert page.js("document.activeElement.id") == "table"


def test_columns_sort_and_sort_back(page):
    def sorted_by(column):
        page.click(f"#columns .{column} button")
        return shown(page), page.js(
            f"document.querySelector('#columns .{column}').getAttribute('aria-sort')"
        )

    by_count = ["user name", "exit", "spreadsheet", "café", "Ångström"]
    assert sorted_by("count") == (by_count, "descending")
    assert sorted_by("count") == (by_count[::-1], "ascending")
    by_text = ["Ångström", "café", "exit", "spreadsheet", "user name"]
    assert sorted_by("source") == (by_text, "ascending")
    assert sorted_by("source") == (by_text[::-1], "descending")
    assert page.js("document.querySelector('#columns .count').getAttribute('aria-sort')") == "none"
    # German: beenden, Benutzername, Größe, Kaffeehaus, Tabelle
    by_translation = ["exit", "user name", "Ångström", "café", "spreadsheet"]
    assert sorted_by("target") == (by_translation, "ascending")
    assert sorted_by("score")[0] == ["user name", "spreadsheet", "exit", "Ångström", "café"]
    assert sorted_by("share")[0] == ["Ångström", "café", "user name", "exit", "spreadsheet"]
    assert sorted_by("termhood")[0] == ["user name", "exit", "spreadsheet", "Ångström", "café"]
    assert sorted_by("others")[0] == ["exit", "user name", "café", "Ångström", "spreadsheet"]
    assert sorted_by("number") == (ALL, "ascending")


def test_decision_moves_no_row_until_it_is_sorted_again(page):
    page.click("#columns .state button")
    page.press("j", "a")
    assert shown(page) == ALL
    page.click("#columns .state button")
    assert shown(page)[0] == "café"


@pytest.mark.parametrize(("field", "value", "fit"), [
    ("#least-score", "1", ["user name", "exit", "spreadsheet"]),
    ("#least-count", "55", ["user name", "exit", "spreadsheet"]),
    ("#glossary", "known", ["user name", "spreadsheet"]),
    ("#glossary", "unknown", ["café", "Ångström", "exit"]),
    ("#glossary", "differs", ["spreadsheet"]),
])  # fmt: skip
def test_filters(page, field, value, fit):
    page.value(field, value)
    assert shown(page) == fit
    page.click("#show-all")
    assert shown(page) == ALL


def test_filter_of_terms_with_more_than_one_frequent_translation(page):
    page.click("#inconsistent")
    assert shown(page) == ["user name", "exit"]


def test_filter_of_states_lets_a_term_go_when_it_is_decided(page):
    page.click("#states label:nth-of-type(2)")
    page.click("#table")
    page.press("Home", "a")
    assert shown(page) == ALL[1:]
    assert heading(page) == "café"
    page.press("End", "r")
    assert shown(page) == ["café", "Ångström", "exit"]
    assert heading(page) == "exit"
    assert page.texts("#states b") == ["5", "3", "1", "1"]
    page.click("#states label:nth-of-type(4)")
    assert shown(page) == ["spreadsheet"]


# ---- text of any kind


@pytest.fixture
def hostile(tab, tmp_path):
    terms = tuple(
        Term(
            text, 3, 1.0,
            (found(text, variants=(Form(text, 1),), examples=(TermExample(*[text] * 4),)),),
            ((f"{text} ", 0.5),), (Form(text, 2),),
        )
        for text in EVIL
    )  # fmt: skip
    write_page(
        TermList(("en", "de"), terms, dict.fromkeys(EVIL, 1)), tmp_path / "evil.html", EVIL[0]
    )
    tab.go(tmp_path / "evil.html")
    return tab


def test_text_is_shown_as_it_is_and_runs_nothing(hostile):
    unwanted = "script, img, iframe, b:not(#states b)"
    assert len(hostile.texts(unwanted)) == 2  # the data and the page's own code
    for number, text in enumerate(EVIL):
        hostile.js(f"select(terms[{number}])")
        shown = hostile.js(
            "JSON.stringify([...document.querySelectorAll('h2[lang], .examples p[lang], .place bdi,"
            " #candidates li:first-child button')].map((found) => found.textContent))"
        )
        assert json.loads(shown) == [text] * 6
    hostile.press("Home", "a", "r", "u", "1", "2", "e", "Escape", "?")
    assert hostile.js("window.hacked === undefined")
    assert hostile.js("document.title") == EVIL[0]


def test_exports_hold_any_text_and_tell_of_what_a_format_cannot(hostile):
    hostile.js(
        "(decide(terms.map((term) => ({term, state: 'accepted', chosen: term.chosen}))), refresh())"
    )
    _, content = hostile.download("#export-tbx")
    unfit = [re.sub("[\0\x1b\ud800]", "\ufffd", text) for text in EVIL]
    space = "{urn:iso:std:iso:30042:ed-2}"
    terms = [term.text for term in ElementTree.fromstring(content).iter(f"{space}term")]
    assert terms == [text for text in unfit for _ in range(2)]
    assert "12 characters that the file cannot hold became \ufffd" in status(hostile)
    _, content = hostile.download("#export-csv")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True))
    unfit = [text.replace("\ud800", "\ufffd") for text in EVIL]
    assert [row[0] for row in rows[1:]] == unfit
    _, content = hostile.download("#export-omegat")
    lines = content.decode("utf-8").split("\n")[:-1]
    assert [line.split("\t")[0] for line in lines] == [
        re.sub("[\t\r\n\u2028\u2029]+", " ", text) for text in unfit
    ]


def test_codes_of_languages_that_are_none_are_text_too(tab, tmp_path):
    odd = '"><b>x</b>'
    write_page(TermList((odd, "d e"), TERMS.terms), tmp_path / "odd.html")
    tab.go(tmp_path / "odd.html")
    assert tab.texts("#columns th")[2:4] == [odd, "d e"]
    tab.press("a")
    _, content = tab.download("#export-tbx")
    assert ElementTree.fromstring(content).get("{http://www.w3.org/XML/1998/namespace}lang") == odd
    tab.click("#columns .source button")
    assert shown(tab)[0] == "Ångström"


def test_line_of_omegat_is_no_comment(page):
    line = page.js("glossary([{text: '#include', chosen: ['#x'], offered: []}])")
    assert line == " #include\t#x\twritten by hand\n"


def test_text_of_either_direction_is_set_by_its_own_letters(tab, tmp_path):
    example = TermExample("Open the file", "افتح الملف")
    file = Term("file", 3, 1.0, (found("الملف", examples=(example,)),))
    write_page(TermList(("en", "ar"), (file,)), tmp_path / "ar.html")
    tab.go(tmp_path / "ar.html")
    directions = tab.js(
        "[...document.querySelectorAll('[lang=ar]')].map((e) => getComputedStyle(e).direction)"
    )
    assert directions
    assert set(directions) == {"rtl"}
    assert tab.texts("mark") == ["file", "الملف"]


def test_empty_list_is_a_page_too(tab, tmp_path):
    write_page(TermList(("en", "de"), ()), tmp_path / "empty.html")
    tab.go(tmp_path / "empty.html")
    tab.press("j", "a", "r", "u", "o", "e", "1", "End")
    assert tab.texts("#nothing") == ["No term is like that."]
    assert tab.texts("#shown") == ["0 terms"]
    assert tab.js("byId('accept').disabled")


# ---- many terms, and who cannot see them


def test_twenty_thousand_terms_open_with_as_many_rows_as_can_be_seen(tab, tmp_path):
    many = TermList(("en", "de"), tuple(
        Term(f"term {i}", i + 1, 1.0, (found(f"Begriff {i}", examples=(
            TermExample(f"This is the term {i}.", f"Das ist der Begriff {i}.", "a.po", str(i)),
        )),))
        for i in range(20_000)
    ))  # fmt: skip
    write_page(many, tmp_path / "many.html")
    tab.go(tmp_path / "many.html")
    assert tab.texts("#shown") == ["20,000 terms"]
    assert tab.js("rows.childElementCount") < 100
    assert tab.js("table.getAttribute('aria-rowcount')") == "20001"
    tab.press("End")
    assert heading(tab) == "term 19999"
    assert shown(tab)[-1] == "term 19999"
    row, box = tab.js(
        "[byId(table.getAttribute('aria-activedescendant')), scroller]"
        ".map((part) => part.getBoundingClientRect()).map(({top, bottom}) => [top, bottom])"
    )
    assert box[0] <= row[0] < row[1] <= box[1] + 1
    tab.js("scroller.scrollTop = 10000 * ROW")
    tab.until("rows.textContent.includes('term 10001')")
    assert tab.js("rows.childElementCount") < 100
    tab.press("/")
    tab.type("begriff 12345")
    assert shown(tab) == ["term 12345"]


def test_every_control_has_a_role_and_a_name(page):
    page.press("e")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    seen = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"]
    ]
    controls = {"button", "textbox", "searchbox", "spinbutton", "combobox", "checkbox", "radio"}
    assert controls <= {role for role, _ in seen}
    assert all(name for role, name in seen if role in {*controls, "grid", "columnheader"})
    assert ("grid", "Terms") in seen
    assert ("complementary", "The selected term") in seen


def test_all_controls_are_reached_by_tab_and_show_the_focus(page):
    page.js("document.activeElement.blur()")
    reached = set()
    for _ in range(60):
        page.press("Tab")
        reached.add(page.js("document.activeElement.id"))
    wanted = {"export-tbx", "save", "load", "search", "least-score", "glossary", "inconsistent",
              "table", "accept", "edit", "candidate-0"}  # fmt: skip
    assert wanted <= reached
    page.js("byId('accept').focus()")
    page.press("Tab")
    outline = page.js("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
