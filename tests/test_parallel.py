from __future__ import annotations

import numpy as np
import pytest
from gensim.models.word2vec import LineSentence
from hypothesis import given, settings
from hypothesis import strategies as st

from gensim_bilbowa import LineCorpus, ParallelSentences
from gensim_bilbowa.corpora import collect, encode_pairs, encode_sentences
from gensim_bilbowa.errors import ConfigError, CorpusError, ParallelDataError, TokenError

EN_DE = {"languages": ("en", "de")}
PAIRS = [(["a"], ["x", "y"]), ([], ["z"]), (["b", "c"], ["w"])]


@pytest.fixture
def files(tmp_path):
    (tmp_path / "text.en").write_text("a\n\nb c\n", encoding="utf-8")
    (tmp_path / "text.de").write_text("x y\nz\nw\n", encoding="utf-8")
    (tmp_path / "both.tsv").write_text("a\tx y\n\tz\nb c\tw\n", encoding="utf-8")
    return tmp_path


def test_all_forms_give_the_same_pairs(files):
    en, de = files / "text.en", files / "text.de"
    forms = [
        ParallelSentences(en, de, **EN_DE),
        ParallelSentences(str(en), LineSentence(str(de)), **EN_DE),
        ParallelSentences(LineSentence(str(en)), LineCorpus(de), **EN_DE),
        ParallelSentences([p[0] for p in PAIRS], [p[1] for p in PAIRS], **EN_DE),
        ParallelSentences(files / "both.tsv", **EN_DE),
        ParallelSentences(PAIRS, **EN_DE),
    ]
    for form in forms:
        assert list(form) == PAIRS
        assert list(form) == PAIRS


def test_columns_are_chosen(tmp_path):
    path = tmp_path / "tatoeba.tsv"
    path.write_text("1\thello world\t7\thallo welt\n\n2\tbye\t8\ttschüss\n", encoding="utf-8")
    pairs = ParallelSentences(path, **EN_DE, columns=(1, 3))
    assert list(pairs) == [
        (["hello", "world"], ["hallo", "welt"]),
        ([], []),
        (["bye"], ["tschüss"]),
    ]


def test_line_without_its_columns_is_located(tmp_path):
    (tmp_path / "t.tsv").write_text("a\tb\nonly one\n", encoding="utf-8")
    with pytest.raises(ParallelDataError, match=r"t\.tsv, line 2: 2 columns.*got 1"):
        list(ParallelSentences(tmp_path / "t.tsv", **EN_DE))


@pytest.mark.parametrize(("n_en", "n_de"), [(3, 5), (5, 3), (0, 1)])
def test_unequal_sides_name_both_counts_and_files(tmp_path, n_en, n_de):
    (tmp_path / "one").write_text("a\n" * n_en, encoding="utf-8")
    (tmp_path / "two").write_text("b\n" * n_de, encoding="utf-8")
    pairs = ParallelSentences(tmp_path / "one", tmp_path / "two", **EN_DE)
    with pytest.raises(ParallelDataError, match=rf"one\) has {n_en} sent.*two\) has {n_de}"):
        list(pairs)


def test_separators_inside_lines_do_not_shift_pairs(tmp_path):
    (tmp_path / "one").write_text("a\u2028b\nc\x85d\ne\x0cf\n", encoding="utf-8")
    (tmp_path / "two").write_text("x\ny\nz\n", encoding="utf-8")
    pairs = list(ParallelSentences(tmp_path / "one", tmp_path / "two", **EN_DE))
    assert [p[1] for p in pairs] == [["x"], ["y"], ["z"]]


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (("a b", ["x"]), r"en side, sentence 2: a list of tokens"),
        ((["a"], None), r"de side, sentence 2"),
        ((["a"], ["x", None]), r"de side, sentence 2, token 2: a string"),
        ((["a"],), r"pair 2: two token lists"),
        ("ab", r"pair 2: two token lists"),
        (7, r"pair 2: two token lists"),
    ],
)
def test_bad_pair_is_located(pair, message):
    with pytest.raises(CorpusError, match=message):
        list(ParallelSentences([(["a"], ["x"]), pair], **EN_DE))


def test_bad_arguments_are_refused():
    with pytest.raises(ConfigError, match="two different languages"):
        ParallelSentences(PAIRS, languages=("en", "en"))
    with pytest.raises(ConfigError, match="two different languages"):
        ParallelSentences(PAIRS, languages="en")
    with pytest.raises(ConfigError, match="columns"):
        ParallelSentences(PAIRS, **EN_DE, columns=(1, 1))
    with pytest.raises(CorpusError, match="int"):
        ParallelSentences(7, **EN_DE)
    with pytest.raises(TokenError, match="restartable"):
        ParallelSentences(iter(PAIRS), **EN_DE).require_restartable()
    with open(__file__, encoding="utf-8") as stream, pytest.raises(TokenError, match="restartable"):  # noqa: PTH123
        ParallelSentences(PAIRS, stream, **EN_DE).require_restartable()


# ---- what a user passes


def test_texts_and_parallel_texts_are_collected(files):
    pairs = ParallelSentences(PAIRS, **EN_DE)
    got = collect({"fr": [["u"]]}, {"en": files / "text.en"}, [pairs])
    assert got.languages == ["fr", "en", "de"]

    class Sink(list):
        add = list.append

    sinks = {code: Sink() for code in got.languages}
    got.read(sinks)
    assert sinks == {
        "fr": [["u"]], "en": [["a"], [], ["b", "c"]], "de": [["x", "y"], ["z"], ["w"]],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([["a"]], None, None), "must map languages"),
        (({"en": [["a"]]}, {"en": "x"}, None), "both sentences and corpus_file"),
        ((None, {"en": [["a"]]}, None), "must be a path"),
        (({"en": 7}, None, None), "an iterable of token lists"),
        ((None, None, PAIRS), "needs its languages"),
        ((None, None, {"en": PAIRS}), "pair of languages"),
        ((None, None, {("de", "fr"): ParallelSentences(PAIRS, **EN_DE)}), "stands under"),
        ((None, None, [ParallelSentences(PAIRS, **EN_DE), 7]), "mixes"),
    ],
)
def test_what_cannot_be_collected_is_said(arguments, message):
    with pytest.raises((ConfigError, CorpusError), match=message):
        collect(*arguments)


# ---- encoding

SENTENCES = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=6), max_size=30)


@settings(max_examples=60)
@given(SENTENCES, st.sets(st.sampled_from("abcdefgh")), st.sampled_from([0, 40, 10**6]))
def test_encoding_keeps_known_words_in_order(sentences, known, memory_limit):
    words = sorted(known)
    corpus = encode_sentences(sentences, {w: i for i, w in enumerate(words)}, memory_limit)
    decoded = [
        [words[i] for i in corpus.ids[start:stop]]
        for start, stop in zip(corpus.offsets[:-1], corpus.offsets[1:], strict=True)
    ]
    assert decoded == [[w for w in sentence if w in known] for sentence in sentences]
    assert corpus.raw_words == sum(map(len, sentences))
    assert (corpus.ids.dtype, corpus.offsets.dtype) == (np.int32, np.int64)


def test_text_beyond_the_memory_limit_is_mapped():
    sentences = [["a", "b"]] * 100_000
    keys = {"a": 0, "b": 1}
    mapped = encode_sentences(sentences, keys, 1000)
    assert isinstance(mapped.ids, np.memmap)
    np.testing.assert_array_equal(mapped.ids, encode_sentences(sentences, keys, 10**9).ids)


def test_pairs_left_out_are_counted():
    pairs = ParallelSentences(
        [(["a"], ["x"]), ([], ["x"]), (["a"], []), (["?"], ["x"]), ([], []), (["a", "?"], ["x"])],
        **EN_DE,
    )
    encoded = encode_pairs(pairs, ({"a": 0}, {"x": 0}), 10**6)
    assert encoded.usable.tolist() == [0, 5]
    assert (encoded.blank, encoded.unknown) == (3, 1)
