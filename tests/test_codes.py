"""Codes of languages: the many ways to write one are one, and what is no code is itself."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gensim_bilbowa import ParallelSentences, Tokenizer
from gensim_bilbowa.tokenization.codes import matching, matching_both, primary

GERMAN = ["de", "DE", " de ", "deu", "ger", "deu_Latn", "de-Latn"]
CHINESE = ["zh", "zho", "chi", "cmn", "zho_Hans", "zh-Hans", "zh-cmn"]
codes = st.text(st.sampled_from("adehnruzLXx12-_@. é"), max_size=12)


@pytest.mark.parametrize("ways", [GERMAN, CHINESE, ["fr", "fra", "fre"], ["he", "iw", "heb"],
                                  ["nb", "no", "nob", "nor"], ["ja", "jpn", "jpn_Jpan"],
                                  ["tr", "tur", "tur_Latn"], ["ar", "arb", "ara", "arb_Arab"],
                                  ["sr-Latn", "sr@latin", "srp_Latn", "sh"],
                                  ["de-DE", "de_DE.UTF-8", "GER-DE", "de_DE@euro", "deu_Latn_DE"],
                                  ["en-US", "en_us", " en-US ", "ENG-US", "en-Latn-US"],
                                  ["yue", "zh-yue"]])  # fmt: skip
def test_all_ways_to_write_a_language_match_each_other(ways):
    assert all(matching(one, ["xx", other]) == other for one in ways for other in ways)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("zh", "yue"), ("zh-Hans", "zh-TW"), ("zh-Hant", "zh"), ("zho_Hans", "zho_Hant"),
        ("sr", "sv"), ("sr-Cyrl", "sr@latin"), ("no", "nn"), ("de-AT", "de"), ("de-AT", "de-DE"),
        ("en", "enm"), ("fur", "fur2"), ("e", "en"), ("src", "sc"), ("x-klingon", "x-dothraki"),
        ("de", ""), ("", "de"), ("fr", "f r"),
    ],
)  # fmt: skip
def test_different_languages_do_not_match(wanted, found):
    assert matching(wanted, [found]) is None


@pytest.mark.parametrize(
    ("wanted", "found", "expected"),
    [
        ("de", ["de-AT", "deu"], "deu"),
        ("deu", ["de-AT", "de-DE"], "de-AT"),
        ("ger", ["fr", "de_CH.UTF-8"], "de_CH.UTF-8"),
        ("zh", ["zh-TW", "zh-CN"], "zh-TW"),
        ("zh", ["yue", "zh-Hant"], "zh-Hant"),
        ("zh-Hant", ["zh-CN", "zh-HK"], "zh-HK"),
        ("zho_Hans", ["zh-TW", "zh-SG"], "zh-SG"),
        ("de_Latn", ["de-AT"], "de-AT"),
        ("es", ["es-419"], "es-419"),
        ("en", ["en-yoda"], "en-yoda"),
        ("nb", ["no", "nb"], "nb"),
        ("ca", ["ca@valencia"], "ca@valencia"),
        ("pa-Arab", ["pa", "pa-PK"], "pa-PK"),
    ],
)
def test_closest_code_is_taken_and_of_equals_the_first(wanted, found, expected):
    assert matching(wanted, found) == expected


@pytest.mark.parametrize(
    ("wanted", "found", "expected"),
    [
        (("pt", "pt-BR"), ["pt-BR", "pt-PT"], ("pt-PT", "pt-BR")),
        (("pt", "pt-BR"), ["pt-BR"], None),
        (("por", "pt_br"), ["pt-BR", "pt"], ("pt", "pt-BR")),
        (("zh", "zh-Hant"), ["zh-TW", "zh-CN"], ("zh-CN", "zh-TW")),
        (("zh-Hans", "zh-Hant"), ["zh-TW", "zh-CN"], ("zh-CN", "zh-TW")),
        (("no", "nn"), ["nn", "nb"], ("nb", "nn")),
        (("sr", "sr-Latn"), ["sr@latin", "sr"], ("sr", "sr@latin")),
        (("zh", "zh-Hant"), ["zh", "zh-TW"], ("zh", "zh-TW")),
        (("src", "tgt"), ["tgt", "src"], ("src", "tgt")),
    ],
)
def test_two_languages_never_share_a_code(wanted, found, expected):
    assert matching_both(wanted, found) == expected
    turned = None if expected is None else expected[::-1]
    assert matching_both(wanted[::-1], found) == turned


@given(codes, st.lists(codes, max_size=4))
def test_any_text_matches_itself_in_any_case(code, others):
    written = code.upper().replace("-", "_")
    match = matching(code, [*others, written])
    assert match is not None
    assert matching(match, [written]) == written


@given(codes)
def test_language_of_any_text_is_that_of_itself(code):
    assert primary(primary(code)) == primary(code)


def test_endless_code_is_a_code_like_any_other():
    assert matching("de-" * 1000, ["de", "DE-" * 1000]) == "DE-" * 1000


def test_no_code_is_no_language():
    assert primary(None) == ""


@pytest.mark.parametrize(("one", "other"), [("eng", "deu"), ("ENG-US", "GER-DE"),
                                            (" en-US ", "de-DE ")])  # fmt: skip
def test_translation_memory_is_read_by_any_code(tmp_path, one, other):
    (tmp_path / "x.tmx").write_text(
        '<tmx version="1.4"><header/><body><tu>'
        f'<tuv xml:lang="{one}"><seg>the house</seg></tuv>'
        f'<tuv xml:lang="{other}"><seg>das Haus</seg></tuv></tu></body></tmx>',
        encoding="utf-8",
    )
    pairs = ParallelSentences(tmp_path / "x.tmx", languages=("en", "de"))
    assert list(pairs) == [(["the", "house"], ["das", "haus"])]


@pytest.mark.parametrize("lang", ["tr", "tur", "tur_Latn", "tr_TR.UTF-8", "azj"])
def test_tokenizer_knows_a_language_by_any_code(lang):
    assert Tokenizer(lang)("ISI") == ["ısı"]
    assert Tokenizer(lang).lang == lang


@pytest.mark.parametrize("lang", ["jpn_Jpan", "zho_Hans", "zh-TW", "cmn", "lao", "khm", "mya"])
def test_text_without_spaces_is_split_by_any_code(lang):
    assert Tokenizer(lang, characters=True)("我爱") == ["我", "爱"]


@pytest.mark.parametrize("lang", ["e", "src", "x-klingon", "fur2", "tgt"])
def test_tokenizer_takes_a_code_that_nobody_knows(lang):
    assert Tokenizer(lang)("Don't") == ["don't"]


def test_package_that_knows_codes_is_imported_no_sooner_than_it_is_asked():
    code = "import sys, gensim_bilbowa.tokenization.codes; print('langcodes' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, check=True, text=True
    )
    assert found.stdout.strip() == "False"
