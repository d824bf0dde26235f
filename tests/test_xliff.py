"""What of an XLIFF file is its units' own: against matches, deletions, other files and segments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gensim_bilbowa.corpora.xliff import XLIFFPairs
from gensim_bilbowa.errors import CorpusError, ParallelDataError

ONE = "urn:oasis:names:tc:xliff:document:1.2"
TWO = "urn:oasis:names:tc:xliff:document:2.0"
SDL = "http://sdl.com/FileTypes/SdlXliff/1.0"
OTHERS = f'xmlns:mq="MQXliff" xmlns:sdl="{SDL}" xmlns:x="urn:x"'
CODES = 'source-language="en" target-language="de"'


def unit(source, target, attributes=""):
    sides = f"<source>{source}</source><target>{target}</target>"
    return f"<trans-unit {attributes}>{sides}</trans-unit>\n"


def file_of(*units, codes=CODES, header=""):
    return f"<file {codes}>{header}<body>{''.join(units)}</body></file>"


@pytest.fixture
def pairs(tmp_path):
    def pairs(*parts, languages=("en", "de"), attributes=f'xmlns="{ONE}"'):
        inner = "".join(parts)
        inner = inner if "<file" in inner else file_of(inner)
        text = f'<?xml version="1.0"?><xliff version="1.2" {attributes} {OTHERS}>{inner}</xliff>'
        (tmp_path / "x.xlf").write_text(text, encoding="utf-8")
        return XLIFFPairs(tmp_path / "x.xlf", languages)

    return pairs


@pytest.fixture
def second(tmp_path):
    def second(inner, root=f'xmlns="{TWO}" srcLang="en" trgLang="de"'):
        text = f'<xliff version="2.0" {root} xmlns:mtc="urn:m"><file id="f">{inner}</file></xliff>'
        (tmp_path / "x.xliff").write_text(text, encoding="utf-8")
        return XLIFFPairs(tmp_path / "x.xliff", ("en", "de"))

    return second


# ---- the unit's own


INNER = "<source>old car</source><target>altes Auto</target>"


@pytest.mark.parametrize(
    "beside",
    [
        f"<mq:insertedmatch>{INNER}</mq:insertedmatch>",
        f"<mq:historical-unit><trans-unit>{INNER}</trans-unit></mq:historical-unit>",
        f"<alt-trans>{INNER}</alt-trans>",
        f"<x:a><x:b>{INNER}</x:b></x:a>",
        f"<unknown>{INNER}</unknown>",
        "<note>old car</note><x:target>altes Auto</x:target>",
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_what_stands_beside_is_not_the_units(pairs, beside, first):
    own = "<source>new</source><target>neu</target>"
    inner = beside + own if first else own + beside
    assert list(pairs(f"<trans-unit>{inner}</trans-unit>")) == [("new", "neu")]


def test_foreign_elements_within_text_go(pairs):
    assert list(pairs(unit("a<x:note>old</x:note> b", "c"))) == [("a b", "c")]


def test_deletions_go_and_insertions_stay(pairs):
    text = '{}<mrk mtype="x-sdl-deleted">{} <g>{}</g></mrk><mrk mtype="x-sdl-added">{} </mrk>{}'
    found = pairs(unit(text.format("the ", "old", "x", "new", "dog"), "der neue Hund"))
    assert list(found) == [("the new dog", "der neue Hund")]


@pytest.mark.parametrize("namespace", ["", f'xmlns="{ONE}"', 'xmlns="urn:of:a:tool"'])
def test_namespace_is_that_of_the_root(pairs, namespace):
    assert list(pairs(unit("a", "b"), attributes=namespace)) == [("a", "b")]


def test_prefixes_differ(tmp_path):
    path = tmp_path / "x.xlf"
    path.write_text(
        f'<y:xliff xmlns:y="{ONE}" xmlns="urn:z"><y:file {CODES}><y:body><y:trans-unit>'
        "<y:source>a<y:x id='1'/></y:source><y:target>b</y:target><target>c</target>"
        "</y:trans-unit></y:body></y:file></y:xliff>",
        encoding="utf-8",
    )
    assert list(XLIFFPairs(path, ("en", "de"))) == [("a", "b")]


def test_matches_of_version_2_are_not_the_units(second):
    match = f"<mtc:matches><mtc:match>{INNER}</mtc:match></mtc:matches>"
    own = "<segment><source>new</source><target>neu</target></segment>"
    assert list(second(f"<unit id='u'>{match}{own}{match}</unit>")) == [("new", "neu")]


def test_units_that_are_not_to_be_translated_are_counted(pairs):
    yes, no = ("translate='yes'", "translate='no'")
    group = f"<group {no}>{unit('x', 'x')}{unit('c', 'd', attributes=yes)}</group>"
    found = pairs(unit("a", "b"), unit("x", "x", attributes=no), group)
    assert list(found) == [("a", "b"), ("c", "d")]
    assert found.dropped == {'with translate="no"': 2}


def test_units_that_memoq_has_not_begun_are_counted(pairs):
    found = pairs(unit("a", "b"), unit("a", "a", attributes='mq:status="NotStarted"'))
    assert list(found) == [("a", "b")]
    assert found.dropped == {"untranslated": 1}


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        ('state="needs-translation"', "untranslated"),
        ('state="needs-review-translation" state-qualifier="fuzzy-match"', "fuzzy"),
        ('state-qualifier="rejected-inaccurate"', "rejected by reviewers"),
        ('state-qualifier="rejected-grammar"', "rejected by reviewers"),
    ],
)
def test_targets_whose_state_says_that_they_are_wrong_are_counted(pairs, attributes, reason):
    wrong = f"<trans-unit><source>a</source><target {attributes}>b</target></trans-unit>"
    found = pairs(unit("c", "d"), wrong)
    assert list(found) == [("c", "d")]
    assert found.dropped == {reason: 1}


@pytest.mark.parametrize(
    "attributes",
    [
        'state="needs-review-translation"',
        'state="final" state-qualifier="exact-match"',
        'state-qualifier="leveraged-tm"',
        'state-qualifier="x-tool"',
    ],
)
def test_other_states_are_those_of_translations(pairs, attributes):
    own = f"<trans-unit><source>a</source><target {attributes}>b</target></trans-unit>"
    assert list(pairs(own)) == [("a", "b")]


def test_units_that_reviewers_reject_in_memoq_are_counted(pairs):
    found = pairs(unit("a", "b"), unit("c", "d", attributes='mq:status="Rejected"'))
    assert list(found) == [("a", "b")]
    assert found.dropped == {"rejected by reviewers": 1}


# ---- codes


@pytest.mark.parametrize(
    "code",
    [
        '<x id="1" ctype="lb"/>',
        '<x id="LINE_BREAK"/>',
        '<x id="1" equiv-text="&lt;br/&gt;"/>',
        '<x id="1" ctype="x-html-br"/>',
        '<ph id="1">&lt;br /&gt;</ph>',
        '<ph id="1">&lt;/p&gt;</ph>',
        '<ph id="1">&amp;lt;br/&amp;gt;</ph>',
        '<ph id="1">\\n</ph>',
        '<ph id="1">&#10;</ph>',
        '<ph id="1">\\t</ph>',
        '<ph id="1">{\\tab }</ph>',
        '<ph id="1">&lt;w:br/&gt;</ph>',
        '<ph id="1">&lt;mq:ch val="&amp;#10;"/&gt;</ph>',
        '<it id="1" pos="open">&lt;p&gt;</it>',
        '<bpt id="1">\\par </bpt><ept id="1"/>',
        '<bx id="1" ctype="x-paragraph"/>',
        '<g id="1" ctype="x-html-li"/>',
        '<x id="1"/>',
        '<ph id="1">{0}</ph>',
    ],
)
def test_codes_that_part_words_become_a_space(pairs, code):
    assert next(iter(pairs(unit(f"one{code}two{code} three{code}", "x"))))[0] == "one two three"


@pytest.mark.parametrize(
    "code",
    [
        '<g id="1">{}</g>',
        '<g id="1" ctype="bold">{}</g>',
        '<mrk mtype="term">{}</mrk>',
        '<bpt id="1">&lt;b&gt;</bpt>{}<ept id="1">&lt;/b&gt;</ept>',
        '<bpt id="1">{{\\b </bpt>{}<ept id="1">}}</ept>',
        '<bx id="1"/>{}<ex id="1"/>',
        '<ph id="1">&lt;span class="a"&gt;</ph>{}<ph id="2">&lt;/span&gt;</ph>',
        '<x id="1" ctype="x-b" equiv-text="&lt;b&gt;"/>{}<x id="1" ctype="x-b"/>',
        '<ph id="1" ctype="x-font">&lt;cf size=8&gt;</ph>{}<ph id="2" ctype="bold"/>',
        '{}<x id="1" ctype="x-softhyphen"/>',
    ],
)
def test_paired_codes_within_a_word_do_not_cut_it(pairs, code):
    found = list(pairs(unit(f"un{code.format('believ')}able", "x")))
    assert found == [("unbelievable", "x")]


@pytest.mark.parametrize(
    "code", ['<x id="1"/>', '<x id="1" ctype="lb"/>', '<g id="1" ctype="x-p"/>']
)
def test_code_alone_is_no_text(pairs, code):
    found = pairs(unit("a", "b"), unit(code, code))
    assert list(found) == [("a", "b")]
    assert found.dropped == {"untranslated": 1}


def test_codes_of_version_2_are_told_by_what_they_refer_to(second):
    data = "<originalData><data id='d'>&lt;br/&gt;</data><data id='e'>\\n</data></originalData>"
    text = "a<ph id='1' dataRef='d'/>b<sc id='2' dataRef='e'/>c<ph id='3' disp='&lt;br&gt;'/>d"
    more = "<ph id='4' type='fmt' subType='xlf:lb'/>e<ph id='5' equiv='LINE_BREAK'/>f"
    segment = f"<segment><source>{text}{more}</source><target>x</target></segment>"
    assert list(second(f"<unit>{data}{segment}</unit>")) == [("a b c d e f", "x")]


def test_codes_of_trados_are_told_by_their_definitions(pairs):
    header = (
        f'<header><tag-defs xmlns="{SDL}"><tag id="7"><ph name="br">&lt;br/&gt;</ph></tag>'
        '<tag id="8"><bpt name="b">&lt;b&gt;</bpt><ept name="b">&lt;/b&gt;</ept></tag>'
        '<tag id="9"><st name="wbr">&lt;wbr/&gt;</st></tag></tag-defs></header>'
    )
    text = 'One.<x id="7"/>Two<g id="8">th</g>ree<x id="9"/>four'
    assert list(pairs(file_of(unit(text, "x"), header=header))) == [("One. Twothreefour", "x")]


def test_characters_given_by_number_are_left_out_and_counted(second):
    segment = "<segment><source>a<cp hex='001F'/>b<cp hex='000B'/>c</source><target>x</target>"
    found = second(f"<unit>{segment}</segment></unit>")
    assert list(found) == [("ab c", "x")]
    assert found.mended == {"characters that XML forbids": 2}


# ---- segments


def seg(mid, text):
    return f'<mrk mtype="seg" mid="{mid}">{text}</mrk>'


def segmented(source, target, defs=""):
    return (
        f"<trans-unit><source>whole</source><seg-source>{source}</seg-source>"
        f"<target>{target}</target>{defs}</trans-unit>"
    )


def test_segments_are_paired_by_their_ids(pairs):
    source = f"<g id='1'>{seg(1, 'one')} {seg(2, 'two')}</g>{seg(3, '<g>thr</g>ee')}"
    found = pairs(segmented(source, f"{seg(2, 'zwei')}{seg(3, 'drei')}<g>{seg(1, 'eins')}</g>"))
    assert list(found) == [("one", "eins"), ("two", "zwei"), ("three", "drei")]


def test_segments_without_a_translation_are_counted(pairs):
    source = "".join(seg(i, f"s{i}") for i in range(4))
    found = pairs(segmented(source, seg(1, "t1") + seg(2, " ") + seg(9, "t9")))
    assert list(found) == [("s1", "t1")]
    assert found.dropped == {"untranslated": 3, "without a source": 1}


def test_segments_that_trados_calls_untranslated_or_rejected_are_counted(pairs):
    ids = range(1, 5)
    says = ['origin="not-translated"', 'conf="Draft" percent="98"', 'conf="RejectedSignOff"', ""]
    defs = "".join(f'<sdl:seg id="{i}" {say}/>' for i, say in zip(ids, says, strict=True))
    source, target = ("".join(seg(i, f"{side}{i}") for i in ids) for side in "st")
    found = pairs(segmented(source, target, f"<sdl:seg-defs>{defs}</sdl:seg-defs>"))
    assert list(found) == [("s2", "t2"), ("s4", "t4")]
    assert found.dropped == {"untranslated": 1, "rejected by reviewers": 1}


def test_segment_in_parts_is_one(pairs):
    source = f"<g>{seg(1, 'one')}</g> {seg(2, 'two')} {seg(1, 'more')}"
    found = pairs(segmented(source, seg(2, "zwei") + seg(1, "eins") + seg(1, "mehr")))
    assert list(found) == [("one more", "eins mehr"), ("two", "zwei")]


def test_target_without_segments_is_that_of_the_whole(pairs):
    assert list(pairs(segmented(seg(1, "a") + seg(2, "b"), "ganz"))) == [("whole", "ganz")]


def test_segments_that_touch_do_not_glue_words(pairs):
    found = pairs(unit("one two", seg(1, "eins") + seg(2, "zwei")))
    assert list(found) == [("one two", "eins zwei")]


@given(st.permutations(range(6)), st.sets(st.integers(0, 5), min_size=1))
def test_any_order_of_segments_is_paired(tmp_path_factory, order, translated):
    source = "".join(seg(i, f"s{i}") for i in range(6))
    target = "".join(seg(i, f"t{i}") for i in order if i in translated)
    path = tmp_path_factory.mktemp("xliff") / "x.xlf"
    path.write_text(
        f'<xliff xmlns="{ONE}">{file_of(segmented(source, target))}</xliff>', encoding="utf-8"
    )
    pairs = XLIFFPairs(path, ("en", "de"))
    assert list(pairs) == [(f"s{i}", f"t{i}") for i in sorted(translated)]
    assert pairs.dropped.get("untranslated", 0) == 6 - len(translated)


def test_endless_segments_are_refused_with_their_line(pairs):
    with pytest.raises(CorpusError, match=r"x\.xlf, line 1: a unit of more than 10,000 segments"):
        list(pairs(unit("a", "".join(seg(i, "") for i in range(10_001)))))


def test_endless_id_of_a_segment_is_refused_with_its_line(pairs):
    with pytest.raises(CorpusError, match=r"x\.xlf, line 1: a segment whose id has more than 200"):
        list(pairs(unit("a", seg("1" * 201, "b"))))


# ---- languages


def test_languages_of_one_file_are_not_those_of_the_next(pairs):
    found = pairs(
        file_of(unit("a", "b")),
        file_of(unit("c", "d"), codes='source-language="en"'),
        file_of(unit("e", "f"), codes=""),
    )
    assert list(found) == [("a", "b")]
    assert found.dropped == {"in a file that does not name its languages": 2}


def test_file_without_a_language_before_one_with_it_is_counted(pairs):
    found = pairs(file_of(unit("a", "b"), codes='source-language="en"'), file_of(unit("c", "d")))
    assert list(found) == [("c", "d")]
    assert found.dropped == {"in a file that does not name its languages": 1}


@pytest.mark.parametrize(
    ("codes", "order"),
    [
        ('source-language="en-US"', 1),
        ('source-language="de"', -1),
        ('target-language="de"', 1),
    ],
)
def test_language_that_no_file_names_is_the_other_one(pairs, codes, order):
    found = pairs(file_of(unit("a", "b"), codes=codes), file_of(unit("c", "d"), codes=codes))
    assert list(found) == [("a", "b")[::order], ("c", "d")[::order]]


def test_languages_of_version_2_hold_for_all_files(second):
    segment = "<unit><segment><source>{}</source><target>{}</target></segment></unit>"
    inner = segment.format("a", "b") + "</file><file id='g'>" + segment.format("c", "d")
    assert list(second(inner)) == [("a", "b"), ("c", "d")]


def test_source_of_a_third_language_leaves_the_target_unknown(pairs):
    with pytest.raises(ParallelDataError, match="1 in a file that does not name its languages"):
        list(pairs(file_of(unit("a", "b"), codes='source-language="fr"')))


def test_language_of_the_text_itself_comes_first(pairs):
    text = "<trans-unit><source>a</source><target xml:lang='de'>b</target></trans-unit>"
    assert list(pairs(file_of(text, codes='source-language="en" target-language="fr"'))) == [
        ("a", "b")
    ]
