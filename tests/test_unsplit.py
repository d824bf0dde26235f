"""Text of scripts without spaces that nobody has split is told by the words that were counted."""

from __future__ import annotations

import pytest
from samples import SMALL

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.corpora.unsplit import warn_unsplit

SENTENCES = {
    "zh": "我爱北京天安门{}，天安门上太阳升。",
    "ja": "東京タワーは{}とても高いですね。",
    "th": "ฉันรักประเทศไทย{}มากที่สุด",
    "lo": "ຂ້ອຍຮັກປະເທດລາວ{}ຫຼາຍທີ່ສຸດ",
    "km": "ខ្ញុំស្រលាញ់{}ប្រទេសកម្ពុជា",
    "my": "မြန်မာနိုင်ငံသည်{}အရှေ့တောင်အာရှတွင်ရှိသည်",
}


@pytest.mark.parametrize("code", SENTENCES)
def test_sentences_that_are_one_word_each_are_warned_about_with_the_way_out(code, caplog):
    warn_unsplit("e", [SENTENCES[code].format(number) for number in range(20)])
    (message,) = caplog.messages
    assert message.startswith("'e': whole sentences are taken for words")
    assert f"Tokenizer('{code}'" in message


@pytest.mark.parametrize(
    "words",
    [
        ["我", "爱", "北京", "天安门", "中华人民共和国国务院"],
        ["コミュニケーション", "は", "大切"],
        ["internationalisation"] * 3,
        ["донаудампфшиффарт", "ист", "ланг"],
        ["a", "b", SENTENCES["zh"]],
        ["한국어는띄어쓰기를합니다"] * 3,
        [],
    ],
)
def test_words_are_not_taken_for_sentences(words, caplog):
    warn_unsplit("e", words)
    assert not caplog.messages


@pytest.mark.parametrize("from_files", [True, False])
def test_model_warns_once_for_such_text_of_any_source(tmp_path, caplog, from_files):
    lines = [(f"word number {n % 7}", SENTENCES["zh"].format(n % 7)) for n in range(40)]
    pairs = [([*a.split()], [b]) for a, b in lines]
    if from_files:
        (tmp_path / "x.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in lines), encoding="utf-8")
        pairs = tmp_path / "x.tsv"
    BilBOWA(parallel=ParallelSentences(pairs, languages=("en", "zh")), **SMALL)
    found = [message for message in caplog.messages if "whole sentences" in message]
    assert len(found) == 1
    assert found[0].startswith("'zh'")
