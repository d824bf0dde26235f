from __future__ import annotations

import numpy as np
import pytest
from gensim.models import KeyedVectors

from gensim_bilbowa import CrossLingualVectors
from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.evaluation import invert, read_dictionary, word_translation


def test_dictionaries_are_read(tmp_path):
    (tmp_path / "tabs").write_text(
        "dog\tHund\ndog\tKöter\n\nNew York\tNeu York\n", encoding="utf-8"
    )
    (tmp_path / "muse").write_text("cat Katze\ndog hund\n", encoding="utf-8")
    assert read_dictionary(tmp_path / "tabs") == {
        "dog": {"Hund", "Köter"},
        "New York": {"Neu York"},
    }
    both = read_dictionary(tmp_path / "tabs", tmp_path / "muse", lowercase=True)
    assert both["dog"] == {"hund", "köter"}
    assert both["cat"] == {"katze"}


@pytest.mark.parametrize("line", ["one", "a b c", "a\tb\tc", "a\t", "\tb"])
def test_line_that_is_no_pair_is_located(tmp_path, line):
    (tmp_path / "d").write_text(f"a\tb\n{line}\n")
    with pytest.raises(FormatError, match="d, line 2: two words"):
        read_dictionary(tmp_path / "d")


def test_inverting_keeps_every_pair():
    assert invert({"a": {"x", "y"}, "b": {"x"}}) == {"x": {"a", "b"}, "y": {"a"}}


def words_on_a_circle(code, angles):
    kv = KeyedVectors(2)
    kv.add_vectors([f"{code}{i}" for i in range(len(angles))],
                   np.array([[np.cos(a), np.sin(a)] for a in angles], np.float32))  # fmt: skip
    return kv


def test_scores_are_those_counted_by_hand():
    vectors = CrossLingualVectors({
        "en": words_on_a_circle("e", [0.0, 0.2, 0.4, 0.6]),
        "de": words_on_a_circle("d", [0.01, 0.21, 0.41, 0.61]),
    })  # fmt: skip
    gold = {
        "e0": {"d0"},  # rank 1
        "e1": {"d0", "nowhere"},  # rank 2: d1, d0, d2, d3
        "e2": {"d0"},  # rank 4: d2, d1 or d3, d0
        "e3": {"nowhere"},  # no target has a vector
        "nowhere": {"d0"},
    }
    score = word_translation(vectors["en"], gold, method="cosine", precision_at=(1, 2, 4))
    assert score.words == 3
    assert score.coverage == pytest.approx(3 / 5)
    assert score.precision == pytest.approx({1: 1 / 3, 2: 2 / 3, 4: 1.0})
    assert score.mrr == pytest.approx((1 + 1 / 2 + 1 / 4) / 3)
    assert word_translation(vectors["en"], {"e0": {"d0"}}, method="csls").precision[1] == 1


def test_nothing_to_ask_is_an_error():
    vectors = CrossLingualVectors({"en": words_on_a_circle("e", [0.0]),
                                   "de": words_on_a_circle("d", [0.0])})  # fmt: skip
    with pytest.raises(ConfigError, match="none of the dictionary's 1 words"):
        word_translation(vectors["en"], {"d0": {"e0"}})
    with pytest.raises(ConfigError, match="none of the dictionary's 0 words"):
        word_translation(vectors["en"], {})
