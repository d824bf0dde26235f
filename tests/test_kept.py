"""Text that was read and split once is kept for later passes, and gives the same."""

from __future__ import annotations

import errno
import os
import pickle
import tempfile
import zipfile
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gensim_bilbowa import BilBOWA, ParallelSentences, Tokenizer
from gensim_bilbowa.corpora import kept as kept_module
from gensim_bilbowa.corpora.kept import KeptPairs

SENTENCES = st.lists(st.text(max_size=4), max_size=6)


class Counting:
    """Pairs that count how often they are read."""

    def __init__(self, pairs):
        self.pairs = pairs
        self.reads = 0

    def __call__(self):
        self.reads += 1
        return iter(self.pairs)


@pytest.fixture
def path(tmp_path):
    (tmp_path / "file").write_text("here", encoding="utf-8")
    return str(tmp_path / "file")


PAIRS = [(["a", "b"], ["c"]), ([], []), (["a"], ["b", "a", "d"])]


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(SENTENCES, SENTENCES), max_size=30), st.sampled_from([1, 7, 1 << 18]))
def test_later_passes_give_the_same_without_reading(path, pairs, at_once):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_module, "_AT_ONCE", min(at_once, 500))
        patch.setattr(kept_module, "_WRITTEN_AT_ONCE", at_once)
        read = Counting(pairs)
        kept = KeptPairs([path], read)
        assert [list(kept) for _ in range(3)] == [pairs] * 3
        assert read.reads == 1


def test_sentences_that_a_caller_changes_come_back_as_they_were(path):
    kept = KeptPairs([path], Counting(PAIRS))
    list(kept)
    for left, _ in kept:
        left.append("changed")
    assert list(kept) == PAIRS


def test_a_pass_that_ends_early_keeps_nothing(path):
    read = Counting(PAIRS)
    kept = KeptPairs([path], read)
    assert list(islice(kept, 2)) == PAIRS[:2]
    assert list(kept) == list(kept) == PAIRS
    assert read.reads == 2


def test_passes_may_go_on_beside_each_other(path, monkeypatch):
    monkeypatch.setattr(kept_module, "_WRITTEN_AT_ONCE", 1)
    read = Counting(PAIRS)
    kept = KeptPairs([path], read)
    assert list(zip(kept, kept, strict=True)) == [(pair, pair) for pair in PAIRS]
    assert list(zip(kept, kept, strict=True)) == [(pair, pair) for pair in PAIRS]
    assert read.reads == 2


def test_a_file_that_changed_is_read_anew(path):
    read = Counting(PAIRS)
    kept = KeptPairs([path], read)
    list(kept)
    with open(path, "a", encoding="utf-8") as stream:  # noqa: PTH123
        stream.write("more")
    read.pairs = PAIRS[:1]
    assert list(kept) == list(kept) == PAIRS[:1]
    assert read.reads == 2


def test_a_file_that_changes_while_it_is_read_is_read_anew(path):
    def read():
        yield PAIRS[0]
        os.utime(path, (1, 1))
        yield PAIRS[1]

    kept = KeptPairs([path], read)
    assert list(kept) == PAIRS[:2]
    os.utime(path, (2, 2))
    assert list(kept) == PAIRS[:2]


@pytest.mark.parametrize("places", [["https://example.org/x.tmx"], []])
def test_what_is_no_file_here_is_read_anew(path, places):
    read = Counting(PAIRS)
    kept = KeptPairs(places or [f"{path}.gone"], read)
    assert list(kept) == list(kept) == PAIRS
    assert read.reads == 2


class Full:
    """A file on a full disk."""

    def write(self, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    def close(self):
        pass


def test_on_a_full_disk_text_is_read_anew_and_it_is_said(path, monkeypatch, caplog):
    monkeypatch.setattr(kept_module, "_WRITTEN_AT_ONCE", 1)
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **options: Full())
    read = Counting(PAIRS)
    kept = KeptPairs([path], read)
    assert list(kept) == list(kept) == PAIRS
    assert read.reads == 2
    assert "read anew in each pass, it cannot be kept: [Errno 28] No space" in caplog.text


@pytest.mark.parametrize("limit", ["_MOST_WORDS", "_MOST_CHARACTERS"])
def test_more_words_than_may_be_kept_are_read_anew(path, monkeypatch, limit):
    monkeypatch.setattr(kept_module, limit, 2)
    read = Counting(PAIRS)
    kept = KeptPairs([path], read)
    assert list(kept) == list(kept) == PAIRS
    assert read.reads == 2


# ---- texts that a tokenizer splits

TEXTS = st.lists(st.tuples(*[st.text(max_size=30)] * 2), max_size=12)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, st.sampled_from([1, 5, 1 << 18]), st.sampled_from(["fr", "tr"]))
def test_texts_have_the_tokens_that_the_tokenizer_gives_in_all_passes(path, texts, at_once, lang):
    splits = Tokenizer("en", markup=True), Tokenizer(lang, lowercase=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_module, "_AT_ONCE", min(at_once, 500))
        patch.setattr(kept_module, "_WRITTEN_AT_ONCE", at_once)
        read = Counting(texts)
        kept = KeptPairs([path], read, splits)
        expected = [tuple(split(side) for split, side in zip(splits, pair, strict=True))
                    for pair in texts]  # fmt: skip
        assert [list(kept) for _ in range(3)] == [expected] * 3
        assert read.reads == 1


def test_words_are_not_remembered_once_they_are_too_many_to_be_kept(path, monkeypatch):
    monkeypatch.setattr(kept_module, "_AT_ONCE", 1)
    monkeypatch.setattr(kept_module, "_MOST_CHARACTERS", 10)
    remembered = []
    numbers = kept_module.Pieces.numbers
    monkeypatch.setattr(
        kept_module.Pieces, "numbers",
        lambda self, texts: remembered.extend(texts) or numbers(self, texts),
    )  # fmt: skip
    texts = [(f"a{i}, b", f"c {i}.") for i in range(50)]
    kept = KeptPairs([path], lambda: iter(texts), (Tokenizer("en"), Tokenizer("de")))
    assert list(kept) == [(Tokenizer("en")(a), Tokenizer("de")(b)) for a, b in texts]
    assert len(remembered) < 10


def test_long_texts_are_not_all_in_memory_at_once(path, monkeypatch):
    monkeypatch.setattr(kept_module, "_SIZE_AT_ONCE", 100)
    ahead = 0

    def read():
        nonlocal ahead
        for _ in range(50):
            ahead += 1
            yield "long " * 20, "text"

    for _ in KeptPairs([path], read, (Tokenizer("en"), Tokenizer("de"))):
        assert ahead <= 1
        ahead = 0


def test_what_a_language_without_spaces_has_between_them_is_not_kept(tmp_path):
    (tmp_path / "a.tsv").write_text("the house\t房子很小\n", encoding="utf-8")
    split = {"en": Tokenizer("en"), "zh": Tokenizer("zh", characters=True)}
    pairs = ParallelSentences(tmp_path / "a.tsv", languages=("en", "zh"), tokenizer=split)
    assert list(pairs) == list(pairs) == [(["the", "house"], list("房子很小"))]
    assert pairs._kept._splits is None


def test_half_a_character_is_replaced_as_no_file_can_have_it(path):
    kept = KeptPairs([path], Counting([("a \ud800b\nc", "d")]), (Tokenizer("en"), Tokenizer("de")))
    assert list(kept) == list(kept) == [(["a", "\ufffd", "b", "c"], ["d"])]


@pytest.mark.parametrize("splits", [None, (Tokenizer("en"), Tokenizer("de"))])
def test_pairs_before_an_error_come_first(path, splits):
    def read():
        yield from [("a", "b")] * 3 if splits else PAIRS
        raise ValueError("damaged")

    found = []
    with pytest.raises(ValueError, match="damaged"):
        found.extend(KeptPairs([path], read, splits))
    assert len(found) == 3


# ---- of files


@pytest.fixture
def tables(tmp_path):
    for name, rows in (("a.tsv", "The house\tDas Haus\n"), ("b.tsv", "The dog\tDer Hund\n")):
        (tmp_path / name).write_text(rows, encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "both.zip", "w") as archive:
        for name in ("a.tsv", "b.tsv"):
            archive.write(tmp_path / name, name)
    return tmp_path


@pytest.mark.parametrize(("name", "texts"), [("a.tsv", 2), ("*.tsv", 4), ("both.zip", 4)])
def test_a_model_and_its_lexicon_split_each_text_once(tables, name, texts):
    split = []

    def tokenizer(text):
        split.append(text)
        return text.lower().split()

    pairs = ParallelSentences(str(tables / name), languages=("en", "de"), tokenizer=tokenizer)
    model = BilBOWA(parallel=pairs, min_count=1, vector_size=8, epochs=2, workers=1)
    model.lexicon("en", "de", parallel=pairs, examples=1)
    assert len(split) == len(set(split)) == texts


def test_pairs_that_were_kept_can_be_pickled(tables):
    pairs = ParallelSentences(tables / "a.tsv", languages=("en", "de"))
    list(pairs)
    assert list(pickle.loads(pickle.dumps(pairs))) == list(pairs)
