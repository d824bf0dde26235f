"""Mark-up in text: what of it is no word, and what stays."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from work import little_work

from gensim_bilbowa import ParallelSentences, Tokenizer
from gensim_bilbowa.corpora.po import POPairs

SPLIT = Tokenizer("en", markup=True)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("&File", "file"),
        ("Sa&ve", "save"),
        ("E&xit, Zoom &In", "exit , zoom in"),
        ("Öff&nen", "öffnen"),
        ("&Save the _File and E&xit", "save the file and exit"),
        ("Datei &speichern und _Be&enden", "datei speichern und beenden"),
        ("Save _As", "save as"),
        ("E_xit", "exit"),
        ("{my_name} _File", "file"),
        ("~Edit", "edit"),
        ("Sa~ve", "save"),
        ("文件(&F)...", "文件 . . ."),
        ("ファイル(_F) 編集（&E）", "ファイル 編集"),
        ("Save && E&xit", "save & exit"),
    ],
)
def test_access_keys_vanish_without_cutting_words(text, tokens):
    assert SPLIT(text) == tokens.split()


@pytest.mark.parametrize(
    "text",
    [
        *("R&D", "AT&T", "Q & A", "x&y", "B&B", "q&a", "a & b"),
        *("a_b", "snake_case", "__init__", "_x and _y", "Foo_Bar", "Foo_bar_baz", "1_000", "A_1"),
        *("~ 5", "~5 km", "~a~b", "a < b", "x<y>z", "i < 3 and j > 4", "<3", "a <- b", "x <= y"),
        *("git add <file>", "<object> or <path>", "vector<int>", "< b >", "5 < x>", "<>", "</>"),
        *(
            r"C:\new C:\dir\table",
            r"dir\readme.txt",
            r"\\host\new",
            r"\d+",
            "''x''",
            "50 % of",
            "100%",
            "100% sure",
            "20%discount",
            "% s",
            "5 %, 6 %",
        ),
        *("{", "}", "{ name }", "{a, b}", "$5", "US$ 5", "US$5", "5$", "a$b", "$", "a $ b"),
        *("& foo ;", "& amp ;", "&#x;", "@name", "me_too@a.org", "#hash"),
        "http://a.org/x?a=1&lang=de&copy=%20b%s/{id}/_x/~me",
    ],
)
def test_what_may_be_text_stays(text):
    assert SPLIT(text) == Tokenizer("en")(text)


@pytest.mark.parametrize(
    "placeholder",
    [
        *("%s", "%d", "%1$d", "%-5.2f", "%05d", "%+.3e", "%lu", "%zd", "%*d", "%@", "%1$s", "%'d"),
        *("%(name)s", "%(count)03d", "%{name}", "%1", "%L1", "%12", "%1%", "%n", "%name"),
        *("{}", "{0}", "{name}", "{count:d}", "{0:N2}", "{a.b[0]}", "{name!r}", "{name!r:>10}"),
        *("${x}", "$x$", "$HOME", "$(ARG1)", "$[officename]", "#{x}", "{{name}}", "{{ a.b }}"),
        *("{0,number,#.##}", "{0,date,short}", "{x, time}", "%name%", "%USER_NAME%", "%<PRIu64>"),
        *("%<count>d", "%#@files@", "%1$#@files@", "{% if name %}"),
        "{b}{/b}",
    ],
)
def test_placeholders_are_no_words(placeholder):
    assert SPLIT(f"a {placeholder} b") == ["a", "b"]
    assert SPLIT(f"({placeholder}), 5 {placeholder}") == ["(", ")", ",", "5"]
    assert SPLIT(placeholder) == []


def test_doubled_signs_stand_for_one():
    assert SPLIT("%d%%, 5%% && 6") == ["%", ",", "5", "%", "&", "6"]


def test_words_glued_to_a_placeholder_stay_words():
    assert SPLIT("Click %1$shere%2$s or {b}there{/b}") == ["click", "here", "or", "there"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("<b>Bold</b> text", "bold text"),
        ("W<i>or</i>d <SPAN class='x'>sp</SPAN>an", "word span"),
        ('<a href="http://a.org/?b=c&d" title=x>Li</a>nk', "link"),
        ("one<br>two<br/>three<BR />four", "one two three four"),
        ("<p>one</p><p>two<ul><li>three<li>four</ul>", "one two three four"),
        ("<tr><td>one</td><td>two</td></tr>", "one two"),
        ("<f0>The d</f0>og<br1/>runs<f2>", "the dog runs"),
        ("<h1>one</h1>two", "one two"),
        ("<ahelp hid=\".\">one</ahelp>two <emph>x</emph>", "one two x"),
        ("<x:tag>a</x:tag>b <image id=\"1\"/>c", "a b c"),
        ("<a %s>here</a> <a {attrs}>there</a>", "here there"),
        ("a<!-- not -- <b>this</b> -->b <!DOCTYPE html>c<?xml version='1'?>d", "a b c d"),
        ("<![CDATA[a", "a"),
        ("<0>The d</0>og<1/>runs <2>", "the dog runs < 2 >"),
        ("a<%= @user.name -%>b<?= $user->name ?>c<?php echo $x->y ?>d", "a b c d"),
        ("{1>The {b>d<b}og<1} {2}runs", "the dog runs"),
        ("<1} ends here {^>2<^}", "ends here 2"),
    ],
)  # fmt: skip
def test_tags_are_no_words_and_cut_them_where_lines_or_cells_end(text, tokens):
    assert SPLIT(text) == tokens.split()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("go on &amp; close&nbsp;it &#8211; now &#x41;", "go on & close it – now a"),
        ("&lt;b&gt;Sa&lt;/b&gt;ve &lt;br&gt;now", "save now"),
        ("&amp;nbsp; a &amp;lt;b&amp;gt;c&amp;lt;/b&amp;gt;", "a c"),
        ("a &lt; b &gt; c", "a < b > c"),
        ("caf&eacute; co&shy;op &quot;it&#39;s&quot;", 'café coop " it\'s "'),
        ("&amp;File AT&amp;T", "file at & t"),
        ("&notit; &unknown;", "notit ; unknown ;"),
        ("&#0; &#xD800; &#9999999; &#1;", "\ufffd \ufffd \ufffd"),
    ],
)
def test_entities_are_the_characters_they_stand_for(text, tokens):
    assert SPLIT(text) == tokens.split()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (
            "{n, plural, =0 {no item} one {# item} other {{n} items}} left",
            "no item item items left",
        ),
        ("{n,plural,offset:1 one{day}few{days}}", "day days"),
        ("{ n, selectordinal, one {#st} other {#th}} time", "st th time"),
        (
            "{g, select, male {He has} other {{n, plural, one {a <b>d</b>og} other {{n} dogs}}}}.",
            "he has a dog dogs .",
        ),
        ("{n, plural, other {x}", "{ n , plural , other"),
        ("{n, plural, other {x}}}", "{ n , plural , other } }"),
    ],
)
def test_of_choices_all_texts_are_read_and_nothing_else(text, tokens):
    assert SPLIT(text) == tokens.split()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (r"Don\'t say \"hi\"\nNow", 'don\'t say " hi " now'),
        (r"one\\ntwo\tThree\r\n", "one two three"),
        (r"Loading\u2026 it\u2019s \u003cb\u003eth\u003c/b\u003eere", "loading … it's there"),
        (r"<a href=\"x\">Li</a>nk", "link"),
        (r"\ud83d\udc15 \u005c \u0001 a", "a"),
        ("It''s l''homme", "it's l'homme"),
    ],
)
def test_escapes_are_the_characters_they_stand_for(text, tokens):
    assert SPLIT(text) == tokens.split()


def test_mark_up_is_text_unless_asked():
    assert Tokenizer("en")("<b>&File %s</b>") == [*"<b>&", "file", *"%s</b>"]


def test_characters_of_full_width_are_mark_up_if_they_are_made_plain():
    assert Tokenizer(normalization="NFKC", markup=True)("＆File ＿As") == ["file", "as"]


def test_texts_without_spaces_are_read_without_mark_up():
    split = Tokenizer("zh", characters=True, markup=True)
    assert split("<b>文</b>件(&F)%s在www.a.org/a_b下") == ["文", "件", "在", "www.a.org/a_b", "下"]


def test_choice_is_kept_by_pickles():
    assert pickle.loads(pickle.dumps(SPLIT))("<b>a</b>") == ["a"]


PARTS = [
    *"aLqzé'-.,:/@_+·\"5٣ \t\u200c\u200d\u0301\u00ad<>&%{}$~();#!=sd中ก＿＆",
    *("www.", "http://", "<b>", "</b>", "<br/>", "<x>", "</x>", '<x y="', "<!--", "-->", "&amp;"),
    *("\\", "\\n", "\\u003c", "''", "{a,plural,", "{1>", "<1}", "<1>", "<%", "%>", "%<a>", "%a%"),
    *("&lt;", "&#95;", "&shy;", "&nbsp;", "%s", "%(a)s", "{0}", "${x}", "{{", "(_F)", "1.5", "E_x"),
]
TEXT = st.text() | st.lists(st.sampled_from(PARTS), max_size=12).map("".join)
TOKENIZERS = [
    Tokenizer(lang, lowercase=lower, normalization=form, characters=lang == "zh", markup=True)
    for lang in (None, "fr", "zh")
    for lower in (False, True)
    for form in ("NFC", "NFKC")
]


@settings(max_examples=500)
@given(text=TEXT)
@example("1.5_L")
@example("-_L a\u00ad_L")
@example("\u0301_L")
@example("l'http://_L")
@example("中_L www.a.org中_L")
@example("_\u00adL")
@example("＿L")
@example("1.5E_x")
@example("0\u200cWWW._A")
def test_text_of_tokens_is_split_into_them(text):
    for split in TOKENIZERS:
        tokens = split(text)
        assert split(" ".join(tokens)) == tokens


@given(text=st.text(st.characters(exclude_characters="<&%{$_~\\'", codec="utf-8")))
def test_text_without_its_signs_is_split_as_before(text):
    assert SPLIT(text) == Tokenizer("en")(text)


UNITS = [
    *"<&%{$_~(", *("<a", "<a ", "<a b=", '<a b="', "<a b='x' ", '<a b="<"', "<!--", "<!-"),
    *("</a", "<?a", "<b>", "<x></x>", "&a", "&#1", "&amp;", "&a;", "&lt;", "a&", "é&", " &"),
    *("%(", "%(a", "%1", "%0", "%-", "%.", "{a", "{{", "{a:", "{0}", "${", "$(", "$a", "$$"),
    *("a_", "a~", "www.&", "a@&", "\\", "\\n", "\\u0041", "a''", "{a,plural,"),
    *("{a,plural,b{", "{a,date", "<1", "<1}", "<%", "<%=%", "<?=?", "{%", "{%%", "%<a", "%#@a"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_no_text_takes_long(unit):
    with little_work():
        for start in ("", "<a ", "www.", "a@b.c "):
            SPLIT(start + unit * (100_000 // len(unit)))


@pytest.mark.slow
@pytest.mark.parametrize("sign", "<&{%")
def test_no_megabyte_of_signs_takes_long(sign):
    with little_work():
        SPLIT(sign * 1_000_000)


# ---- in readers


PO = r"""msgid ""
msgstr ""
"Language: de\n"
"Content-Type: text/plain; charset=UTF-8\n"

msgid "&Save the _File and E&xit"
msgstr "Datei &speichern und _Be&enden"

msgid "<b>Bold</b> text for %(name)s, %s and {count} at $HOME"
msgstr "<b>Fetter</b> Text für %(name)s, %s und {count} in $HOME"

msgid "Line one\nLine two\tTab"
msgstr "Zeile eins\nZeile zwei\tTab"
"""


def test_words_of_catalogs_have_no_mark_up(tmp_path):
    (tmp_path / "x.po").write_text(PO, encoding="utf-8")
    pairs = ParallelSentences(tmp_path / "x.po", languages=("en", "de"))
    assert [tuple(map(" ".join, pair)) for pair in pairs] == [
        ("save the file and exit", "datei speichern und beenden"),
        ("bold text for , and at", "fetter text für , und in"),
        ("line one line two tab", "zeile eins zeile zwei tab"),
    ]


@pytest.mark.parametrize(
    ("segment", "tokens"),
    [
        (
            "Click &lt;b&gt;Save&lt;/b&gt;&lt;br&gt;to go on &amp;amp; close&amp;nbsp;it "
            "&amp;#8211; now",
            "click save to go on & close it – now",
        ),
        ("&lt;f0&gt;The dog&lt;/f0&gt; runs", "the dog runs"),
        ("- &lt;b&gt;a girl has played .&lt;/b&gt;&amp;nbsp;- Item 0", "- a girl has played . - "
         "item 0"),
    ],
)  # fmt: skip
def test_words_of_memories_have_no_mark_up(tmp_path, segment, tokens):
    sides = "".join(
        f"<tuv xml:lang='{code}'><seg>{segment}</seg></tuv>" for code in ("en-US", "DE-de")
    )
    text = f"<tmx version='1.4'><header/><body><tu>{sides}</tu></body></tmx>"
    (tmp_path / "x.tmx").write_text(text, encoding="utf-8")
    pairs = ParallelSentences(tmp_path / "x.tmx", languages=("en", "de"))
    assert list(pairs) == [(tokens.split(), tokens.split())]


def test_texts_of_units_are_as_they_are_written(tmp_path):
    (tmp_path / "x.po").write_text(PO, encoding="utf-8")
    assert next(iter(POPairs(tmp_path / "x.po", ("en", "de"))))[0] == "&Save the _File and E&xit"
