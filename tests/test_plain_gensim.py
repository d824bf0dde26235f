"""What languages save is opened by plain gensim, and word2vec's format keeps what it can."""

from __future__ import annotations

import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samples import space
from saved import PARALLEL

from gensim_bilbowa import CrossLingualVectors
from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.formats import read_vectors


def test_plain_gensim_opens_what_a_language_saves(small_model, tmp_path):
    for limit in (0, 10**9):
        small_model.wv_en.save(tmp_path / f"kv{limit}", sep_limit=limit)
        small_model["en"].save(tmp_path / f"w2v{limit}", sep_limit=limit)
    code = f"""
        import sys
        sys.modules["gensim_bilbowa"] = None
        from pathlib import Path
        from gensim.models import KeyedVectors, Word2Vec
        for limit in (0, 10**9):
            for mmap in (None, "r"):
                kv = KeyedVectors.load({str(tmp_path)!r} + f"/kv{{limit}}", mmap=mmap)
                assert type(kv) is KeyedVectors
                model = Word2Vec.load({str(tmp_path)!r} + f"/w2v{{limit}}", mmap=mmap)
                assert type(model) is Word2Vec and type(model.wv) is KeyedVectors
                assert (model.wv.vectors == kv.vectors).all()
                print(kv.most_similar("e1"))
        model = Word2Vec.load({str(tmp_path)!r} + "/w2v0")
        model.train([["e1", "e2", "e3"]] * 50, total_examples=50, epochs=1)
    """
    result = subprocess.run(
        [sys.executable, "-P", "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = result.stdout.splitlines()
    assert len(lines) == 4
    assert set(lines) == {str(small_model.wv_en.most_similar("e1"))}


@pytest.mark.parametrize("binary", [False, True])
def test_word2vec_format_keeps_vectors_and_counts(small_model, tmp_path, binary):
    wv = small_model.wv_en
    wv.save_word2vec_format(tmp_path / "en", fvocab=tmp_path / "counts", binary=binary)
    plain = KeyedVectors.load_word2vec_format(
        str(tmp_path / "en"), fvocab=str(tmp_path / "counts"), binary=binary
    )
    assert plain.index_to_key == wv.index_to_key
    np.testing.assert_array_equal(plain.vectors, wv.vectors)
    np.testing.assert_array_equal(plain.expandos["count"], wv.expandos["count"])
    assert {p.name for p in tmp_path.iterdir()} == {"en", "counts"}
    space = CrossLingualVectors({"en": plain, "de": small_model.wv_de})
    assert space["en"].most_similar_cross("e1") == wv.most_similar_cross("e1")


@pytest.mark.parametrize("binary", [False, True])
def test_vectors_of_a_file_are_taken_over_and_locked(small_model, pairs, tmp_path, binary):
    other = KeyedVectors(20)
    other.add_vectors(["e3", "nowhere", "e1"], np.arange(60, dtype=np.float32).reshape(3, 20) / 9)
    other.save_word2vec_format(str(tmp_path / "other"), binary=binary)
    small_model.wv_en.fill_norms()
    small_model.wv_en.intersect_word2vec_format(tmp_path / "other", binary=binary)
    small_model.train(parallel={("en", "de"): pairs}, epochs=1)
    np.testing.assert_array_equal(small_model.wv_en["e3"], other["e3"])
    np.testing.assert_array_equal(small_model.wv_en["e1"], other["e1"])
    assert "nowhere" not in small_model.wv_en
    assert small_model.wv_en.similarity("e1", "e3") <= 1.0001


@pytest.mark.parametrize("factor", [0.0, 0.5])
def test_words_that_a_file_lacks_learn_on_in_vectors_of_no_model(tmp_path, factor):
    (tmp_path / "other").write_text("2 3\nen1 1 2 3\nstranger 4 5 6\n", encoding="utf-8")
    vectors = space(en=np.ones((3, 3)))["en"]
    vectors.intersect_word2vec_format(tmp_path / "other", lockf=factor)
    assert vectors.vectors.tolist() == [[1, 1, 1], [1, 2, 3], [1, 1, 1]]
    assert vectors.vectors_lockf.tolist() == [1, factor, 1]


@pytest.mark.parametrize("word", ["New York", "", "a\nb", "a\td", " ", "\ud800"])
def test_word_that_the_word2vec_format_cannot_hold_is_named(small_model, tmp_path, word):
    wv = small_model.wv_en
    (tmp_path / "en").write_text("old", encoding="utf-8")
    wv.index_to_key[3] = word
    wv.key_to_index = {w: i for i, w in enumerate(wv.index_to_key)}
    with pytest.raises(FormatError, match=r"the 'en' vectors: the word .* cannot hold"):
        wv.save_word2vec_format(tmp_path / "en")
    assert (tmp_path / "en").read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("word", ["1\u00a0000", "a\u2028b", "\u3000"])
def test_white_space_beyond_ascii_is_part_of_words_for_gensim_and_here(
    small_model, tmp_path, word, binary
):
    wv = small_model.wv_en
    wv.index_to_key[3] = word
    wv.key_to_index = {w: i for i, w in enumerate(wv.index_to_key)}
    wv.save_word2vec_format(tmp_path / "en", binary=binary)
    for read in (KeyedVectors.load_word2vec_format, read_vectors):
        found = read(str(tmp_path / "en"), binary=binary)
        np.testing.assert_array_equal(found[word], wv[word])


def run_without_us(code, folder):
    code = 'import sys\nsys.modules["gensim_bilbowa"] = None\n' + textwrap.dedent(code)
    result = subprocess.run([sys.executable, "-P", "-W", "error", "-c", code], cwd=folder,
                            capture_output=True, text=True, check=False)  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_plain_gensim_maps_and_trains_what_each_language_saved(tiny_model, tmp_path):
    tiny_model.wv_pt_BR.save(tmp_path / "wv", sep_limit=0)
    tiny_model["pt-BR"].save(str(tmp_path / "w2v"), sep_limit=0)
    with (tmp_path / "handle").open("wb") as stream:
        tiny_model.wv_pt_BR.save(stream)
    (tmp_path / "pickle").write_bytes(pickle.dumps([tiny_model.wv_pt_BR, tiny_model["pt-BR"]]))
    names = {path.name for path in tmp_path.iterdir()}
    assert {"wv.vectors.npy", "w2v.wv.vectors.npy", "w2v.syn1neg.npy"} <= names
    printed = run_without_us(
        """
        import pickle
        import numpy as np
        from gensim.models import KeyedVectors, Word2Vec

        wv = KeyedVectors.load("wv", mmap="r")
        assert isinstance(wv.vectors, np.memmap)
        model = Word2Vec.load("w2v", mmap="r")
        assert isinstance(model.wv.vectors, np.memmap)
        others = [KeyedVectors.load("handle"), model.wv]
        with open("pickle", "rb") as stream:
            loaded = pickle.load(stream)
        for other in [*others, loaded[0], loaded[1].wv]:
            assert type(other) is KeyedVectors
            assert (other.vectors == wv.vectors).all()
            assert other.get_vecattr("d1", "count") == wv.get_vecattr("d1", "count")
            for name in ("language", "in_training", "_space", "_crowding"):
                assert not hasattr(other, name)
        for model in (Word2Vec.load("w2v"), loaded[1]):
            model.build_vocab([["d1", "novo", "novo"]] * 5, update=True)
            model.train([["d1", "d2", "novo"]] * 5, total_examples=5, epochs=1)
        print(wv.most_similar("d1", topn=3))
        """,
        tmp_path,
    )
    assert printed.strip() == str(tiny_model.wv_pt_BR.most_similar("d1", topn=3))


def test_saving_a_part_leaves_it_part_of_the_model(tiny_copy, tmp_path):
    tiny_copy.wv_en.save(tmp_path / "wv", sep_limit=0)
    tiny_copy["en"].save(tmp_path / "w2v", sep_limit=0)
    assert tiny_copy.wv_en is tiny_copy["en"].wv is tiny_copy.wv["en"]
    assert tiny_copy.wv_en.most_similar_cross("e1", 1)
    tiny_copy.train(parallel=PARALLEL, epochs=1)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=5, unique=True), st.booleans()
)
def test_words_come_back_from_word2vec_format_or_are_refused(tmp_path, words, binary):
    plain = KeyedVectors(2)
    plain.add_vectors(words, np.arange(2 * len(words), dtype=np.float32).reshape(-1, 2) / 3)
    path = tmp_path / "wv"
    path.write_text("old", encoding="utf-8")
    vectors = CrossLingualVectors({"en": plain})["en"]
    vectors.expandos["count"] = np.arange(len(words), 0, -1)
    fit = all(word.encode().split() == [word.encode()] for word in words)
    if not fit or words[0].startswith("\ufeff"):
        with pytest.raises(FormatError, match="white space"):
            vectors.save_word2vec_format(path, binary=binary)
        assert path.read_text(encoding="utf-8") == "old"
        return
    counts = tmp_path / "counts"
    vectors.save_word2vec_format(path, fvocab=counts, binary=binary)
    ours = read_vectors(path, counts=counts, binary=binary)
    # gensim's reader of counts knows more white space than its reader of vectors.
    theirs = KeyedVectors.load_word2vec_format(
        str(path),
        fvocab=str(counts) if all(word.split() == [word] for word in words) else None,
        binary=binary,
    )
    for loaded in (ours, theirs):
        assert loaded.index_to_key == words
        np.testing.assert_array_equal(loaded.vectors, plain.vectors)
        np.testing.assert_array_equal(loaded.expandos["count"], vectors.expandos["count"])


@pytest.mark.parametrize("number", ["nan", "inf"])
def test_word2vec_file_with_numbers_that_are_not_finite_is_not_taken_over(
    tiny_copy, tmp_path, number
):
    (tmp_path / "wv").write_text(f"2 8\ne0{' 1' * 8}\ne1{' 1' * 7} {number}\n", encoding="utf-8")
    before = tiny_copy.wv_en.vectors.copy()
    with pytest.raises(FormatError, match=r"wv: the vector of 'e1' is not finite"):
        tiny_copy.wv_en.intersect_word2vec_format(tmp_path / "wv")
    np.testing.assert_array_equal(tiny_copy.wv_en.vectors, before)


def test_half_a_character_is_refused_by_name(tiny_copy, tmp_path):
    wv = tiny_copy.wv_en
    wv.index_to_key[3] = "a\ud800"
    wv.key_to_index = {word: index for index, word in enumerate(wv.index_to_key)}
    (tmp_path / "wv").write_text("old", encoding="utf-8")
    with pytest.raises(FormatError, match=r"a\\ud800"):
        wv.save_word2vec_format(tmp_path / "wv")
    assert (tmp_path / "wv").read_text(encoding="utf-8") == "old"


def test_gensims_options_of_word2vec_format_are_kept(tiny_model, tmp_path):
    tiny_model.wv_en.save_word2vec_format(tmp_path / "wv", prefix="en/", write_header=False)
    lines = (tmp_path / "wv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(tiny_model.wv_en)
    assert lines[0].startswith(f"en/{tiny_model.wv_en.index_to_key[0]} ")
    tiny_model.wv_en.save_word2vec_format(tmp_path / "wv", append=True, write_header=False)
    assert len((tmp_path / "wv").read_text(encoding="utf-8").splitlines()) == 2 * len(
        tiny_model.wv_en
    )
