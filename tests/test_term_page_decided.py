"""The page to check terms by, in a browser: decisions, where they are kept, exports."""

import csv
import io
import json
from unicodedata import category, normalize
from xml.etree import ElementTree

import pytest
from browser import Tab
from hypothesis import given, settings
from hypothesis import strategies as st
from term_page import chosen, heading, shown, states, status
from terms import TERMS

from gensim_bilbowa.lexicons import Lexicon, LexiconEntry
from gensim_bilbowa.terminology import TermList
from gensim_bilbowa.terminology.page import write_page

pytestmark = pytest.mark.slow

# ---- decisions


def test_keys_move_accept_reject_undo_and_open_again(page):
    page.press("a", "j", "r")
    assert states(page) == ["accepted", "open", "rejected", "open", "open"]
    assert heading(page) == "exit"
    assert status(page) == "Ångström: rejected. 2 of 5 decided."
    page.press("Enter", "ArrowUp", "k", "ArrowDown", "ArrowUp", "k", "a")
    assert states(page) == ["accepted", "accepted", "rejected", "accepted", "open"]
    page.press("u")
    assert states(page) == ["accepted", "open", "rejected", "accepted", "open"]
    assert heading(page) == "café"
    page.press("Home", "o")
    assert states(page) == ["open", "open", "rejected", "accepted", "open"]
    page.press("u", "u", "u")
    assert states(page) == ["accepted", "open", "open", "open", "open"]
    page.press("u", "u")
    assert states(page) == ["open"] * 5
    assert status(page) == "There is nothing to undo."


def test_last_term_can_be_accepted_and_stays_selected(page):
    page.press("End", "a")
    assert states(page)[-1] == "accepted"
    assert heading(page) == "spreadsheet"


def test_digits_choose_among_translations_and_with_shift_add(page):
    page.press("3")
    assert chosen(page) == ["Nutzername"]
    page.press("1", shift=True)
    assert chosen(page) == ["Benutzername", "Nutzername"]
    assert page.texts("#row-0 .target bdi") == ["Nutzername", "Benutzername"]
    page.press("3", shift=True)
    assert chosen(page) == ["Benutzername"]
    page.press("1", shift=True)
    assert chosen(page) == ["Benutzername"]
    assert "reject" in status(page)
    page.press("9")
    assert status(page) == "There is no translation 9."
    page.press("2", "u")
    assert chosen(page) == ["Benutzername"]
    assert heading(page) == "user name"


def test_slash_searches_also_where_it_is_a_digit_with_shift(page):
    page.call("Input.dispatchKeyEvent", type="keyDown", key="/", code="Digit7", modifiers=8)
    assert page.js("document.activeElement.id") == "search"
    assert chosen(page) == ["Benutzername"]


def test_boxes_and_names_choose_too(page):
    page.click("#candidates li:nth-child(2) button")
    assert chosen(page) == ["Anwendername"]
    page.click("#candidate-0")
    assert chosen(page) == ["Benutzername", "Anwendername"]
    assert page.js("document.activeElement.id") == "candidate-0"


def test_translation_is_edited(page):
    page.press("e")
    assert page.js("document.getElementById('edited').value") == "Benutzername"
    page.type("  Login-Name ")
    page.press("Enter")
    assert chosen(page) == ["Login-Name"]
    assert states(page)[0] == "open"
    assert page.texts("#row-0 .own") == ["Login-Name"]
    page.press("e")
    page.type("")
    page.press("Escape")
    page.press("a")
    assert states(page)[:2] == ["accepted", "open"]
    page.value("#search", "login-name")
    assert shown(page) == ["user name"]


def test_empty_translation_is_not_taken(page):
    page.press("e")
    page.type(" ")
    page.press("Enter")
    assert "cannot be empty" in status(page)
    page.press("Escape")
    assert chosen(page) == ["Benutzername"]


def test_keys_typed_into_a_field_are_no_commands(page):
    page.press("/", "a", "r")
    assert states(page) == []
    page.press("Escape")
    assert states(page) == ["open"] * 5
    page.click("#least-count")
    page.press("1", "j")
    assert heading(page) == "user name"


def test_enter_on_a_button_presses_it_and_decides_nothing(page):
    page.js("document.querySelector('#columns .count button').focus()")
    page.press("Enter")
    assert shown(page)[1] == "exit"
    assert states(page) == ["open"] * 5


def test_help_opens_and_closes(page):
    page.press("?")
    assert page.js("document.getElementById('help').open")
    page.press("a")
    page.press("Escape")
    assert not page.js("document.getElementById('help').open")
    assert states(page) == ["open"] * 5


def test_buttons_decide(page):
    page.click("#accept")
    page.click("#reject")
    page.click("#row-0 .source")
    assert heading(page) == "user name"
    assert states(page)[:3] == ["accepted", "rejected", "open"]
    page.click("#open")
    assert states(page)[:3] == ["open", "rejected", "open"]


# ---- decisions are kept


def test_decisions_outlive_the_page(page, tmp_path):
    page.press("2", "a", "r")
    page.reload()
    assert states(page) == ["accepted", "rejected", "open", "open", "open"]
    assert page.texts("#row-0 .target bdi") == ["Anwendername"]
    assert "kept" in status(page)
    write_page(TERMS[1:], tmp_path / "others.html")
    page.go(tmp_path / "others.html")
    assert states(page) == ["open"] * 4


def test_terms_of_the_same_text_have_decisions_of_their_own(tab, tmp_path):
    write_page(TermList(("en", "de"), TERMS[:1].terms * 2), tmp_path / "twice.html")
    tab.go(tmp_path / "twice.html")
    tab.press("j", "r")
    tab.reload()
    assert states(tab) == ["open", "rejected"]


def test_other_window_of_the_same_list_sees_decisions(page):
    page.js("document.body.append(element('iframe'))")
    page.press("a")
    page.js("keepNow()")
    page.js(
        "(() => { const other = JSON.parse(localStorage.getItem(KEY));"
        " other.decisions[0].state = 'rejected'; localStorage.setItem(KEY, JSON.stringify(other));"
        " dispatchEvent(new StorageEvent('storage', {key: KEY})); })()"
    )
    assert states(page)[0] == "rejected"


@pytest.mark.parametrize("fails", ["getItem", "setItem"])
def test_browser_that_keeps_nothing_says_so_and_serves_all_the_same(tab, tmp_path, fails):
    tab.call(
        "Page.addScriptToEvaluateOnNewDocument",
        source=f"Storage.prototype.{fails} = () => {{ throw new Error('not allowed'); }}",
    )
    write_page(TERMS, tmp_path / "terms.html")
    tab.go(tmp_path / "terms.html")
    tab.press("a")
    tab.js("keepNow()")
    assert states(tab)[0] == "accepted"
    assert tab.js("unsaved") is True
    tab.download("#save")
    assert tab.js("unsaved") is False


def test_kept_decisions_that_are_damaged_are_told_of(page):
    page.js("(unsaved = false, localStorage.setItem(KEY, '{'))")
    page.reload()
    assert "cannot be read" in status(page)
    assert states(page) == ["open"] * 5


def load(tab, path):
    tab.js("tell('')")
    tab.upload("#file", path)
    tab.until("byId('status').textContent")
    return status(tab)


def test_decisions_are_saved_and_loaded(page, tmp_path, browser):
    page.press("2", "a", "r", "e")
    page.type("Ångström-Einheit")
    page.press("Enter")
    name, content = page.download("#save")
    assert name == "terms-en-de-decisions.json"
    saved = json.loads(content)
    assert saved["languages"] == ["en", "de"]
    assert saved["decisions"] == [
        {"number": 0, "source": "user name", "state": "accepted", "translations": ["Anwendername"]},
        {"number": 1, "source": "café", "state": "rejected", "translations": ["Kaffeehaus"]},
        {"number": 2, "source": "Ångström", "state": "open", "translations": ["Ångström-Einheit"]},
    ]
    file = tmp_path / "decisions.json"
    file.write_bytes(content)
    other = Tab(browser, tmp_path)
    # A later list, which lacks one of the terms and has the others in another order.
    write_page(TermList(TERMS.languages, TERMS.terms[:1:-1] + TERMS[:1].terms), tmp_path / "b.html")
    other.go(tmp_path / "b.html")
    said = load(other, file)
    assert said == "Decisions on 2 terms loaded. 1 term of the file is not in this list."
    assert shown(other) == ["spreadsheet", "exit", "Ångström", "user name"]
    assert states(other) == ["open", "open", "open", "accepted"]
    assert other.texts("#row-2 .target bdi") == ["Ångström-Einheit"]
    assert other.texts("#row-3 .target bdi") == ["Anwendername"]
    other.press("u")
    assert states(other) == ["open"] * 4
    other.close()


FILE = {"format": "gensim_bilbowa: decisions on terms", "version": 1, "languages": ["en", "de"]}


def decisions(*given, **wrong):
    right = {"source": "exit", "state": "open", "translations": ["verlassen"]}
    return {**FILE, "decisions": [*given, {**right, **wrong}]}


@pytest.mark.parametrize(("content", "said"), [
    ("{", "not JSON"), ("[]", "not a file of decisions"), ("null", "not a file of decisions"),
    ({"decisions": []}, "not a file of decisions"),
    ({**FILE, "version": 2, "decisions": []}, "version 1, not 2"),
    ({**FILE, "languages": ["en", "fr"], "decisions": []}, "terms of en,fr; those here are en,de"),
    (decisions(None), "decision 1 of the file"), (decisions(state="new"), "decision 1"),
    (decisions(translations=[1]), "decision 1"), (decisions(translations=[" "]), "decision 1"),
    (decisions(state="accepted", translations=[]), "decision 1"),
])  # fmt: skip
def test_file_that_holds_no_decisions_is_refused_with_a_reason(page, tmp_path, content, said):
    page.press("a")
    file = tmp_path / "wrong.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    answer = load(page, file)
    assert answer.startswith("wrong.json: ")
    assert said in answer
    assert states(page) == ["accepted", "open", "open", "open", "open"]


# ---- exports


def test_nothing_is_exported_before_something_is_accepted(page):
    for kind in ("tbx", "csv", "omegat"):
        page.js("tell('')")
        page.click(f"#export-{kind}")
        assert "nothing to export" in status(page)
    assert not list(page.downloads.iterdir())


def decide_some(page):
    """Accept two translations of the first term, reject one, and accept one written by hand."""
    page.press("3", shift=True)
    page.press("a", "r", "j", "e")
    page.type('=Ausgang; "A" & <B>')
    page.press("Enter", "a")


def test_csv_has_a_row_for_each_translation_that_is_accepted(page):
    decide_some(page)
    name, content = page.download("#export-csv")
    assert name == "terms-en-de.csv"
    assert content.startswith(b"\xef\xbb\xbfen,de,checked,")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    assert [(row["en"], row["de"], row["checked"]) for row in rows] == [
        ("user name", "Benutzername", "accepted by hand"),
        ("user name", "Nutzername", "accepted by hand"),
        ("exit", '\'=Ausgang; "A" & <B>', "written by hand"),
    ]
    assert rows[0] | {"en": "", "de": "", "checked": ""} == {
        "en": "", "de": "", "checked": "", "score": "2.31", "share": "0.74", "en_count": "128",
        "de_count": "96", "termhood": "7.42", "known": "yes",
        "en_forms": "User Name (12); user names (9)", "de_forms": "Benutzernamen (22)",
        "en_example": "Enter your &user name.", "de_example": "Geben Sie Ihren &Benutzernamen ein.",
        "file": "po/login.po", "unit": "login#12",
    }  # fmt: skip
    assert (rows[1]["score"], rows[1]["share"], rows[1]["known"]) == ("", "0.08", "no")


def is_formula(text):
    seen = [sign for sign in text if category(sign)[0] not in "CZ"]
    first = normalize("NFKC", seen[0]) if seen else ""
    return first in ("=", "+", "-", "@") or text.startswith(("\t", "\r", "\n"))


def test_cells_of_csv_say_what_was_there_and_are_no_formulas(page):
    signs = "=+-@\t\r\n '\"＝＋－＠﹢₌,;a1\u2028\u200b\ufeff"

    # Of newer letters Python and the browser may not know the same.
    letters = st.sampled_from(signs) | st.characters(codec="utf-8", max_codepoint=0x24FF)

    @settings(max_examples=60)
    @given(st.lists(st.text(letters), min_size=1))
    def check(texts):
        line = page.js(f"['', ...{json.dumps(texts)}].map(cell).join(',') + '\\r\\n'")
        ((_, *row),) = csv.reader(io.StringIO(line, newline=""), strict=True)
        for text, read in zip(texts, row, strict=True):
            assert not is_formula(read)
            escaped = read.startswith("'") and is_formula(read.lstrip("'"))
            assert (read[1:] if escaped else read) == text

    check()


def test_tbx_is_built_as_that_of_a_lexicon_and_says_what_a_hand_did(page, tmp_path):
    decide_some(page)
    name, content = page.download("#export-tbx")
    assert name == "terms-en-de.tbx"
    first = TERMS[0].translations[0]
    examples = tuple((example.source, example.target) for example in first.examples)
    written = '=Ausgang; "A" & <B>'
    entries = [
        LexiconEntry("user name", "Benutzername", 2.31, 1, 128, 96, examples),
        LexiconEntry("user name", "Nutzername", 0.0, 2, 128, 0),
        LexiconEntry("exit", written, 0.0, 1, 61, 0),
    ]
    Lexicon(("en", "de"), entries, "hand").save(tmp_path / "lexicon.tbx")
    made, like = ElementTree.fromstring(content), ElementTree.parse(tmp_path / "lexicon.tbx")

    def said(tree):
        return [
            (element.tag, element.attrib, "" if element.tag.endswith(("}p", "}note")) else
             (element.text or "").strip())
            for element in tree.iter()
        ]  # fmt: skip

    assert said(made) == said(like)
    space = "{urn:iso:std:iso:30042:ed-2}"
    assert [note.text for note in made.iter(f"{space}note")] == [
        "accepted by hand; score 2.3100; share 0.7400", "accepted by hand; share 0.0800",
        "written by hand",
    ]  # fmt: skip
    assert "accepted by hand" in made.find(f".//{space}p").text
    assert content.startswith(b'<?xml version="1.0" encoding="utf-8"?>\n<tbx type="TBX-Basic"')


def test_glossary_of_omegat_has_a_line_for_each_translation(page):
    decide_some(page)
    name, content = page.download("#export-omegat")
    assert name == "terms-en-de.utf8"
    assert content.decode("utf-8").split("\n") == [
        "user name\tBenutzername\taccepted by hand", "user name\tNutzername\taccepted by hand",
        'exit\t=Ausgang; "A" & <B>\twritten by hand', "",
    ]  # fmt: skip
