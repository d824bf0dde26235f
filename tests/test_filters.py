"""Pairs of which little can be learnt are left out, and counted."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.errors import ConfigError, ParallelDataError, TokenError

EN_DE = {"languages": ("en", "de")}
SIDE = st.lists(st.sampled_from(["a", "b", "ä", "我", "\udc80"]), max_size=5)
PAIRS = st.lists(st.tuples(SIDE, SIDE), max_size=30)


def parallel(*pairs):
    return ParallelSentences([(a.split(), b.split()) for a, b in pairs], **EN_DE)


def test_pairs_are_left_out_for_the_first_reason_that_holds(caplog):
    pairs = parallel(
        ("a b", "x y"), ("a b", "x y"), ("", "x"), ("a", "x y z"), ("a " * 9, "x " * 9), ("a", "a"),
        ("a b", "y x"), ("a " * 9, ""),
    ).filtered(max_ratio=2, max_words=8, drop_duplicates=True, drop_identical=True)  # fmt: skip
    assert list(pairs) == [(["a", "b"], ["x", "y"]), (["a", "b"], ["y", "x"])]
    assert pairs.dropped == {
        "duplicate": 1, "too short": 2, "unequal in length": 1, "too long": 1, "identical": 1,
    }  # fmt: skip
    assert "parallel text en-de: 2 pairs kept, left out: 1 duplicate, 2 too short" in caplog.text


@given(
    PAIRS,
    st.none() | st.sampled_from([1, 1.5, 2, 3.0]),
    st.integers(0, 3),
    st.none() | st.integers(3, 5),
    st.booleans(),
    st.booleans(),
)
def test_what_is_kept_is_what_the_limits_say(pairs, ratio, least, most, duplicates, identical):
    expected = []
    for a, b in pairs:
        sizes = sorted((len(a), len(b)))
        if (
            sizes[0] >= least
            and (most is None or sizes[1] <= most)
            and (ratio is None or not sizes[0] or sizes[1] / sizes[0] <= ratio)
            and not (identical and a == b)
            and not (duplicates and (a, b) in expected)
        ):
            expected.append((a, b))
    kept = ParallelSentences(pairs, **EN_DE).filtered(
        max_ratio=ratio, min_words=least, max_words=most,
        drop_duplicates=duplicates, drop_identical=identical,
    )  # fmt: skip
    if pairs and not expected:
        with pytest.raises(ParallelDataError, match=f"none of {len(pairs)} pairs is left: "):
            list(kept)
        return
    assert list(kept) == list(kept) == expected
    assert sum(kept.dropped.values()) == len(pairs) - len(expected)


def test_only_blank_pairs_are_left_out_unless_asked():
    pairs = parallel(("a", "x"), ("a", "x"), ("", ""), ("", "x"), ("a " * 99, "a")).filtered()
    assert len(list(pairs)) == 3
    assert pairs.dropped == {"too short": 2}


def test_passes_are_counted_and_logged_once_each(caplog):
    pairs = parallel(("a", "x"), ("", "x")).filtered()
    assert [len(list(pairs)) for _ in range(3)] == [1, 1, 1]
    assert pairs.dropped == {"too short": 1}
    assert caplog.text.count("left out") == 1


def test_a_pass_that_stops_early_counts_nothing():
    pairs = parallel(("", "x"), ("a", "x"), ("b", "y")).filtered()
    next(iter(pairs))
    assert pairs.dropped == {}


def test_counts_of_the_filters_before_and_of_the_file_stay(tmp_path):
    units = [("a", "b"), ("a", ""), ("a b c", "d"), ("e", "e")]
    (tmp_path / "x.tmx").write_text("<tmx><body>" + "".join(
        f'<tu><tuv xml:lang="en"><seg>{a}</seg></tuv><tuv xml:lang="de"><seg>{b}</seg></tuv></tu>'
        for a, b in units
    ) + "</body></tmx>", encoding="utf-8")  # fmt: skip
    memory = ParallelSentences(tmp_path / "x.tmx", **EN_DE)
    kept = memory.filtered(max_ratio=2).filtered(drop_identical=True)
    expected = {"with a blank side": 1, "unequal in length": 1, "identical": 1}
    for _ in range(2):
        assert list(kept) == [(["a"], ["b"])]
        assert kept.dropped == expected
    assert memory.dropped == {"with a blank side": 1}


def test_text_in_files_counts_nothing_as_left_out(tmp_path):
    (tmp_path / "t.tsv").write_text("a\tx\n\n", encoding="utf-8")
    pairs = ParallelSentences(tmp_path / "t.tsv", **EN_DE)
    assert len(list(pairs)) == 2
    assert pairs.dropped == {}


def test_words_are_not_taken_together():
    pairs = [(["a", "b"], ["c"]), (["a"], ["b", "c"]), (["ab"], ["c"]), (["a", "b", "c"], ["c"])]
    kept = ParallelSentences(pairs, **EN_DE).filtered(drop_duplicates=True)
    assert list(kept) == pairs


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"max_ratio": 0.5}, "max_ratio must be a number of 1 or more, got 0.5"),
        ({"max_ratio": float("nan")}, "max_ratio"),
        ({"max_ratio": "2"}, "max_ratio must be a number of 1 or more, got '2'"),
        ({"max_ratio": True}, "max_ratio"),
        ({"min_words": -1}, "min_words must be a whole number of 0 or more, got -1"),
        ({"min_words": None}, "min_words"),
        ({"min_words": 1.5}, "min_words"),
        ({"min_words": True}, "min_words"),
        ({"min_words": 5, "max_words": 4}, "max_words must be a whole number of 5 or more, got 4"),
        ({"max_words": "9"}, "max_words"),
    ],
)
def test_limits_that_cannot_be_are_refused(limits, message):
    with pytest.raises(ConfigError, match=message):
        parallel(("a", "x")).filtered(**limits)


def test_pairs_that_can_be_read_once_are_refused():
    once = ParallelSentences(((["a"], ["b"]) for _ in range(3)), **EN_DE)
    with pytest.raises(TokenError, match="restartable"):
        once.filtered()


def test_model_learns_only_from_what_is_kept():
    pairs = parallel(*[("a b", "x y"), ("c", "c"), ("b a", "y x")] * 20)
    kept = pairs.filtered(drop_identical=True)
    model = BilBOWA(parallel=kept, vector_size=4, min_count=1, epochs=1, workers=1)
    assert Counter(model.wv_en.index_to_key) == Counter("ab")
