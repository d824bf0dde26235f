"""Vectors of several languages are saved and loaded whole, in every format, or refused."""

from __future__ import annotations

import errno
import json
import logging
import pickle
import sys
import zlib
from contextlib import suppress

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load_file, save_file
from samples import changed

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.formats import folder as folder_module

FORMATS = ["text", "binary", "safetensors"]


def keyed(words, size=4, seed=0, counts=True):
    vectors = KeyedVectors(size)
    matrix = np.random.default_rng(seed).normal(size=(len(words), size)).astype(np.float32)
    vectors.add_vectors(words, matrix)
    if counts:
        vectors.expandos["count"] = np.arange(len(words), 0, -1)
    return vectors


def space(**words):
    return CrossLingualVectors(
        {code: keyed(w, seed=i) for i, (code, w) in enumerate(words.items())}
    )


@pytest.fixture
def vectors():
    return space(en=["house", "red", "dog"], de=["haus", "rot", "köter", "hund"], fr=[])


def same(a, b):
    assert list(a) == list(b)
    for code in a:
        assert a[code].index_to_key == b[code].index_to_key
        assert a[code].vectors.dtype == np.float32
        np.testing.assert_array_equal(a[code].vectors, b[code].vectors)
        assert a[code].expandos.keys() == b[code].expandos.keys()
        for name, values in a[code].expandos.items():
            assert values.dtype == b[code].expandos[name].dtype
            np.testing.assert_array_equal(values, b[code].expandos[name])


def place(tmp_path, format):
    return tmp_path / ("x.safetensors" if format == "safetensors" else "x")


# ---- all formats


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_saved_is_loaded(tmp_path, vectors, format):
    vectors.save(place(tmp_path, format), format)
    same(CrossLingualVectors.load(place(tmp_path, format)), vectors)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("limit", [0, 1, 3, 9])
def test_limit_takes_the_first_words_of_each_language(tmp_path, vectors, format, limit):
    vectors.save(str(tmp_path / "x"), format)
    found = CrossLingualVectors.load(str(tmp_path / "x"), limit=limit)
    for code in vectors:
        assert found[code].index_to_key == vectors[code].index_to_key[:limit]
        np.testing.assert_array_equal(found[code].vectors, vectors[code].vectors[:limit])
        assert (
            found[code].expandos["count"].tolist()
            == vectors[code].expandos["count"][:limit].tolist()
        )


@pytest.mark.parametrize("format", FORMATS)
def test_loaded_vectors_can_be_changed_and_asked(tmp_path, vectors, format):
    vectors.save(tmp_path / "x", format)
    found = CrossLingualVectors.load(tmp_path / "x")
    found["en"].vectors[0] = found["de"].vectors[3]
    found["en"].fill_norms(force=True)
    assert found["en"].most_similar_cross("house", 1, "de")[0][0] == "hund"
    found["en"].set_vecattr("house", "count", 77)
    found["en"].add_vectors(["cat"], np.ones((1, 4)))
    assert "cat" in found["en"]


def test_name_decides_the_format_where_none_is_given(tmp_path, vectors):
    vectors.save(tmp_path / "x.safetensors")
    vectors.save(tmp_path / "x")
    assert (tmp_path / "x.safetensors").is_file()
    assert (tmp_path / "x" / "en.vec").is_file()


@pytest.mark.parametrize("format", FORMATS)
def test_failed_save_leaves_what_was_there(tmp_path, vectors, format, monkeypatch):
    path = place(tmp_path, format)
    vectors.save(path, format)
    later = space(en=["new"], de=["neu"])
    monkeypatch.setattr("os.fsync", lambda descriptor: (_ for _ in ()).throw(OSError("no space")))
    with pytest.raises(OSError, match="no space"):
        later.save(path, format)
    same(CrossLingualVectors.load(path), vectors)
    with pytest.raises(OSError, match="no space"):
        later.save(tmp_path / "new", format)
    assert {p.name for p in tmp_path.iterdir()} == {path.name}


@pytest.mark.parametrize("format", FORMATS)
def test_vectors_of_a_model_are_saved(tmp_path, small_model, format, caplog):
    small_model.wv.save(tmp_path / "x", format)
    assert not caplog.records  # what training makes anew is no loss
    found = CrossLingualVectors.load(tmp_path / "x")
    for code in small_model.languages:
        np.testing.assert_array_equal(found[code].vectors, small_model.wv[code].vectors)
        assert found[code].index_to_key == small_model.wv[code].index_to_key
        assert found[code].get_vecattr(found[code].index_to_key[0], "count") == (
            small_model.wv[code].get_vecattr(found[code].index_to_key[0], "count")
        )


@pytest.mark.parametrize("format", FORMATS)
def test_vectors_of_double_precision_are_saved_in_single_and_that_is_logged(
    tmp_path, format, caplog
):
    kv = keyed(["a"])
    kv.vectors = kv.vectors.astype(np.float64)
    with caplog.at_level(logging.WARNING):
        CrossLingualVectors({"en": kv}).save(tmp_path / "x", format)
    assert "the vectors of 'en' are saved in single precision" in caplog.text
    assert CrossLingualVectors.load(tmp_path / "x")["en"].vectors.dtype == np.float32


@pytest.mark.parametrize("format", FORMATS)
def test_vectors_that_are_not_finite_are_not_saved(tmp_path, vectors, format):
    vectors["de"].vectors[1, 2] = np.nan
    with pytest.raises(ConfigError, match="'de': the vector of 'rot' is not finite"):
        vectors.save(tmp_path / "x", format)
    assert not list(tmp_path.iterdir())


def test_unknown_format_and_no_languages_are_refused(tmp_path, vectors):
    with pytest.raises(ConfigError, match=r"format must be None or one of 'text', .*not 'zip'"):
        vectors.save(tmp_path / "x", "zip")
    with pytest.raises(ConfigError, match="no languages"):
        CrossLingualVectors({}).save(tmp_path / "x")


# ---- what is loaded


def test_files_of_one_language_each_are_loaded_together(tmp_path, vectors):
    vectors["en"].save_word2vec_format(tmp_path / "a.vec")
    vectors["de"].save_word2vec_format(tmp_path / "b.bin", binary=True)
    found = CrossLingualVectors.load({"en": tmp_path / "a.vec", "de": str(tmp_path / "b.bin")})
    assert list(found) == ["en", "de"]
    np.testing.assert_array_equal(found["de"].vectors, vectors["de"].vectors)
    limited = CrossLingualVectors.load({"en": tmp_path / "a.vec"}, limit=1)
    assert limited["en"].index_to_key == ["house"]


def test_files_of_other_sizes_are_refused(tmp_path):
    (tmp_path / "a").write_text("1 2\na 1 2\n", encoding="utf-8")
    (tmp_path / "b").write_text("1 3\nb 1 2 3\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="one vector size"):
        CrossLingualVectors.load({"en": tmp_path / "a", "de": tmp_path / "b"})


def test_file_of_one_language_is_refused_with_the_way_to_load_it(tmp_path):
    (tmp_path / "a.vec").write_text("1 2\na 1 2\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"say which, as in \{'en': 'wiki\.en\.vec'\}"):
        CrossLingualVectors.load(tmp_path / "a.vec")


def test_folder_without_manifest_and_missing_path_are_refused(tmp_path):
    with pytest.raises(FormatError, match=r"has no manifest\.json; for files of word vectors"):
        CrossLingualVectors.load(tmp_path)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        CrossLingualVectors.load(tmp_path / "nowhere")


def test_model_is_refused_with_what_opens_it(tmp_path, small_model):
    small_model.save(tmp_path / "m")
    with pytest.raises(FormatError, match=r"open it with BilBOWA\.load and take its \.wv"):
        CrossLingualVectors.load(tmp_path / "m")
    same(BilBOWA.load(tmp_path / "m").wv, small_model.wv)


def test_gensim_file_is_refused_with_what_opens_it(tmp_path, vectors):
    vectors["en"].save(tmp_path / "en.kv")
    for source in (tmp_path / "en.kv", {"en": tmp_path / "en.kv"}):
        with pytest.raises(FormatError, match=r"en\.kv is a pickle.*trusted=True"):
            CrossLingualVectors.load(source)


class Trap:
    """Its pickle makes a file when it is opened."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


@pytest.mark.parametrize(
    "name", ["x", "x.safetensors", "x.vec", "x.bin", "x.kv", "x.zip", "x/manifest.json"]
)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_is_refused_unopened(tmp_path, name, protocol):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(pickle.dumps(Trap(tmp_path / "sprung"), protocol))
    with pytest.raises(FormatError, match="x"):
        CrossLingualVectors.load(tmp_path / name.partition("/")[0])
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("name", ["en.vec", "en.counts", "de.bin"])
def test_pickle_in_a_folder_is_refused_unopened(tmp_path, vectors, name):
    vectors.save(tmp_path / "x", "binary" if name == "de.bin" else "text")
    (tmp_path / "x" / name).write_bytes(pickle.dumps(Trap(tmp_path / "sprung")))
    with pytest.raises(FormatError, match=name):
        CrossLingualVectors.load(tmp_path / "x")
    assert not (tmp_path / "sprung").exists()


# ---- checksums


def flip(path, byte, bit):
    data = bytearray(path.read_bytes())
    data[byte] ^= 1 << bit
    path.write_bytes(data)


def is_found_or_does_nothing(path, saved):
    """Whether damage is an error; or at most that of a language's code, or of an attribute's."""
    try:
        found = CrossLingualVectors.load(path)
    except (FormatError, FileNotFoundError):
        return True
    return all(
        a.index_to_key == b.index_to_key
        and (a.vectors == b.vectors).all()
        and list(a.expandos["count"]) == list(b.expandos["count"])
        for a, b in zip(found.values(), saved.values(), strict=True)
    )


@pytest.mark.parametrize(
    ("format", "file"),
    [("text", "x/de.vec"), ("text", "x/en.counts"), ("binary", "x/de.bin"), ("safetensors", "x")],
)
@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(0, 7))
def test_flipped_bit_is_found(tmp_path_factory, format, file, byte, bit):
    folder = tmp_path_factory.mktemp("flip")
    saved = space(en=["house", "red", "dog"], de=["haus", "rot", "köter", "hund"])
    saved.save(folder / "x", format)
    path = folder / file
    size = path.stat().st_size
    tensors = size - int.from_bytes(path.read_bytes()[:8], "little") - 8
    byte = size - 1 - byte % tensors if format == "safetensors" else byte % size
    flip(path, byte, bit)
    with pytest.raises(FormatError, match=path.name):
        CrossLingualVectors.load(folder / "x")


@settings(max_examples=100)
@given(st.integers(0, 10_000), st.integers(0, 7))
def test_flipped_bit_in_the_header_of_safetensors_changes_no_numbers(tmp_path_factory, byte, bit):
    path = tmp_path_factory.mktemp("flip") / "x.safetensors"
    saved = space(en=["house", "red"], de=["haus", "rot", "köter"])
    saved.save(path)
    flip(path, byte % (int.from_bytes(path.read_bytes()[:8], "little") + 8), bit)
    assert is_found_or_does_nothing(path, saved)


@pytest.mark.parametrize("format", FORMATS)
def test_flipped_digit_or_bit_names_the_file_and_says_how_to_go_on(tmp_path, vectors, format):
    vectors.save(tmp_path / "x", format)
    if format == "safetensors":
        flip(tmp_path / "x", -1, 0)
        with pytest.raises(FormatError, match=r"x, language '\w+': .* is damaged: .*crc32"):
            CrossLingualVectors.load(tmp_path / "x")
        return
    file = tmp_path / "x" / ("de.vec" if format == "text" else "de.bin")
    flip(file, -2, 0)
    with pytest.raises(FormatError, match=rf"{file.name} is damaged: .* load the files by their"):
        CrossLingualVectors.load(tmp_path / "x")
    assert len(CrossLingualVectors.load({"de": file})["de"]) == 4


@pytest.mark.parametrize("format", FORMATS)
def test_part_that_is_read_for_a_limit_is_not_checked(tmp_path, vectors, format):
    vectors.save(tmp_path / "x", format)
    file = {"text": "x/de.vec", "binary": "x/de.bin", "safetensors": "x"}[format]
    if format != "safetensors":
        flip(tmp_path / file, -2, 0)
    found = CrossLingualVectors.load(tmp_path / "x", limit=3)
    assert found["de"].index_to_key == ["haus", "rot", "köter"]


@pytest.mark.parametrize("format", ["text", "binary"])
def test_folder_without_checksums_is_loaded(tmp_path, vectors, format):
    vectors.save(tmp_path / "x", format)
    manifest = json.loads((tmp_path / "x" / "manifest.json").read_text(encoding="utf-8"))
    del manifest["crc32"]
    (tmp_path / "x" / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    same(CrossLingualVectors.load(tmp_path / "x"), vectors)


@pytest.mark.parametrize("checksums", [None, [1], {"en.vec": "1"}, {"en.vec": True}])
def test_checksums_of_a_folder_that_are_no_numbers_are_refused(tmp_path, vectors, checksums):
    vectors.save(tmp_path / "x")
    manifest = json.loads((tmp_path / "x" / "manifest.json").read_text(encoding="utf-8"))
    manifest["crc32"] = checksums
    (tmp_path / "x" / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(FormatError, match=r"manifest\.json: crc32 must map files to numbers"):
        CrossLingualVectors.load(tmp_path / "x")


def test_safetensors_without_checksums_are_loaded(tmp_path, vectors):
    vectors.save(tmp_path / "x", "safetensors")
    with safe_open(tmp_path / "x", "np") as file:
        metadata = {name: text for name, text in file.metadata().items() if name != "crc32"}
    save_file(load_file(tmp_path / "x"), tmp_path / "x", metadata)
    same(CrossLingualVectors.load(tmp_path / "x"), vectors)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("en/vectors", np.full((2, 3), 2, np.float32)),
        ("en/words", np.frombuffer(b"abd", np.uint8)),
        ("en/word_offsets", np.array([0, 2, 3])),
        ("en/attribute/count", np.array([3, 1])),
    ],
)
def test_tensor_that_is_sound_but_another_one_is_found_by_its_checksum(tmp_path, name, value):
    tensors = tensors_of_two_words()
    checksums = {each: zlib.crc32(array.tobytes()) for each, array in tensors.items()}
    save_file(tensors | {name: value}, tmp_path / "x", METADATA | {"crc32": json.dumps(checksums)})
    with pytest.raises(FormatError, match=f"{name.removeprefix('en/')} is damaged"):
        CrossLingualVectors.load(tmp_path / "x")


@pytest.mark.parametrize("checksums", ["[", "[]", "{}", '{"en/vectors": 1}', "7"])
def test_checksums_of_other_tensors_are_refused(tmp_path, vectors, checksums):
    vectors.save(tmp_path / "x", "safetensors")
    with safe_open(tmp_path / "x", "np") as file:
        metadata = {**file.metadata(), "crc32": checksums}
    save_file(load_file(tmp_path / "x"), tmp_path / "x", metadata)
    with pytest.raises(FormatError, match="x: crc32 in its metadata"):
        CrossLingualVectors.load(tmp_path / "x")


def test_word_added_by_hand_is_loaded_as_the_error_says(tmp_path):
    saved = space(en=["house"], de=["haus"])
    saved.save(tmp_path / "x")
    file = tmp_path / "x" / "en.vec"
    file.write_text(
        file.read_text(encoding="utf-8").replace("1 4\n", "2 4\n") + "cat 1 2 3 4\n",
        encoding="utf-8",
    )
    with (tmp_path / "x" / "en.counts").open("a") as counts:
        counts.write("cat 7\n")
    with pytest.raises(FormatError, match=r"2 words .* 1 of size 4 wanted .* correct manifest\.js"):
        CrossLingualVectors.load(tmp_path / "x")
    found = CrossLingualVectors.load({code: tmp_path / "x" / f"{code}.vec" for code in saved})
    assert found["en"].get_vecattr("cat", "count") == 7
    manifest = json.loads((tmp_path / "x" / "manifest.json").read_text(encoding="utf-8"))
    manifest["languages"]["en"]["words"] = 2
    manifest["crc32"] = {}
    (tmp_path / "x" / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    same(CrossLingualVectors.load(tmp_path / "x"), found)


# ---- folders


def test_files_of_a_folder_are_gensims(tmp_path, vectors):
    vectors.save(tmp_path / "x")
    found = KeyedVectors.load_word2vec_format(
        str(tmp_path / "x" / "de.vec"), fvocab=str(tmp_path / "x" / "de.counts")
    )
    np.testing.assert_array_equal(found.vectors, vectors["de"].vectors)
    assert [found.get_vecattr(w, "count") for w in found.index_to_key] == [4, 3, 2, 1]


def test_manifest_says_what_there_is(tmp_path):
    CrossLingualVectors({"en": keyed(["a"]), "de": keyed([], counts=False)}).save(
        tmp_path / "x", "binary"
    )
    assert json.loads((tmp_path / "x" / "manifest.json").read_text(encoding="utf-8")) == {
        "format": "gensim_bilbowa.vectors", "version": 1, "vector_size": 4,
        "languages": {
            "en": {"file": "en.bin", "binary": True, "words": 1, "counts": "en.counts"},
            "de": {"file": "de.bin", "binary": True, "words": 0, "counts": None},
        },
        "crc32": {
            name: zlib.crc32((tmp_path / "x" / name).read_bytes())
            for name in ("en.bin", "en.counts", "de.bin")
        },
    }  # fmt: skip


def test_saving_again_removes_what_the_earlier_save_wrote_and_no_more(tmp_path, vectors):
    vectors.save(tmp_path / "x")
    (tmp_path / "x" / "notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "x" / "es.vec").write_text("mine", encoding="utf-8")
    space(en=["a"]).save(tmp_path / "x", "binary")
    names = {path.name for path in (tmp_path / "x").iterdir()}
    assert names == {"manifest.json", "en.bin", "en.counts", "notes.txt", "es.vec"}
    assert (tmp_path / "x" / "es.vec").read_text(encoding="utf-8") == "mine"


def test_files_in_the_way_are_left_alone(tmp_path, vectors):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "de.vec").write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError, match=r"de\.vec is in the way"):
        vectors.save(tmp_path / "x")
    (tmp_path / "y").write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError, match="y is a file; the name of a folder"):
        vectors.save(tmp_path / "y")
    (tmp_path / "z").mkdir()
    (tmp_path / "z" / "manifest.json").write_text('{"name": "a web page"}', encoding="utf-8")
    with pytest.raises(FormatError, match=r"z.manifest\.json is no manifest of word vectors"):
        vectors.save(tmp_path / "z")
    assert (
        (tmp_path / "x" / "de.vec").read_text(encoding="utf-8")
        == (tmp_path / "y").read_text(encoding="utf-8")
        == "mine"
    )


@pytest.mark.parametrize("word", ["New York", "", "a\nb", "\ud800"])
@pytest.mark.parametrize("format", ["text", "binary"])
def test_word_that_a_folder_cannot_hold_is_named_with_its_language(tmp_path, word, format):
    with pytest.raises(FormatError, match=r"'de': the word '.*save as safetensors, or by"):
        space(en=["a"], de=["b", word]).save(tmp_path / "x", format)
    assert not list(tmp_path.iterdir())


def test_languages_whose_files_are_one_without_case_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="'en' and 'EN' would share a file"):
        space(en=["a"], EN=["b"]).save(tmp_path / "x")


def test_attributes_that_a_folder_cannot_hold_are_logged(tmp_path, vectors, caplog):
    vectors["en"].expandos["weight"] = np.ones(3)
    with caplog.at_level(logging.WARNING):
        vectors.save(tmp_path / "x")
    assert "1 attributes of the words in 'en' are not saved in this format: weight" in caplog.text


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda m: m.update(format="x"), "no manifest of word vectors"),
        (lambda m: m.update(version=2), "format version 2.*newer release"),
        (lambda m: m.update(vector_size="4"), "vector_size and languages"),
        (lambda m: m.update(vector_size=5), r"en\.vec: 3 words of size 4 found, 3 of size 5"),
        (lambda m: m.update(languages={}), "vector_size and languages"),
        (lambda m: m["languages"].update({"a/b": {}}), "language code 'a/b'"),
        (lambda m: m["languages"].update(es={}), "'es'"),
        (lambda m: m["languages"].update(es=3), "'es'"),
        (lambda m: m["languages"]["en"].update(file="../en.vec"), r"'en': .*\.\./en\.vec"),
        (lambda m: m["languages"]["en"].update(file="/etc/en.vec"), "'en'"),
        (lambda m: m["languages"]["en"].update(counts="..\\en.counts"), "'en'"),
        (lambda m: m["languages"]["en"].update(binary=0), "'en'"),
        (lambda m: m["languages"]["en"].update(words=2), r"en\.vec: 3 words .* 2 of"),
    ],
)
def test_manifest_that_does_not_fit_is_refused(tmp_path, vectors, change, match):
    vectors.save(tmp_path / "x")
    changed(tmp_path / "x", change)
    with pytest.raises(FormatError, match=match):
        CrossLingualVectors.load(tmp_path / "x")


@pytest.mark.parametrize("text", [b"", b"\xff", b"[" * 100_000, b"[]", b"3"])
def test_manifest_that_is_no_json_object_is_refused(tmp_path, text):
    (tmp_path / "manifest.json").write_bytes(text)
    with pytest.raises(FormatError, match=r"manifest\.json is no manifest"):
        CrossLingualVectors.load(tmp_path)


def test_missing_file_of_a_folder_is_named(tmp_path, vectors):
    vectors.save(tmp_path / "x")
    (tmp_path / "x" / "de.vec").unlink()
    with pytest.raises(FileNotFoundError, match=r"de\.vec"):
        CrossLingualVectors.load(tmp_path / "x")


def test_foreign_manifest_makes_no_file_vanish(tmp_path, vectors):
    vectors.save(tmp_path / "x")
    (tmp_path / "mine.vec").write_text("mine", encoding="utf-8")
    changed(tmp_path / "x", lambda m: m["languages"]["en"].update(file="../mine.vec"))
    with pytest.raises(FormatError, match="'en'"):
        vectors.save(tmp_path / "x")
    assert (tmp_path / "mine.vec").exists()
    assert not folder_module.is_folder(tmp_path)


# ---- safetensors

ANY_WORD = st.text(st.characters() | st.characters(categories=["Cs"]), max_size=4)


@settings(max_examples=30)
@given(
    st.lists(ANY_WORD, unique=True, max_size=8),
    st.lists(ANY_WORD, unique=True, max_size=3),
    st.none() | st.integers(0, 9),
)
def test_any_word_survives_in_safetensors(tmp_path_factory, en, de, limit):
    path = tmp_path_factory.mktemp("any") / "x.safetensors"
    vectors = space(en=en, de=de)
    vectors.save(path)
    found = CrossLingualVectors.load(path, limit=limit)
    assert found["en"].index_to_key == en[:limit]
    assert found["de"].index_to_key == de[:limit]
    np.testing.assert_array_equal(found["en"].vectors, vectors["en"].vectors[:limit])


def test_numbers_that_words_have_survive_in_safetensors(tmp_path, vectors):
    de = vectors["de"]
    de.expandos["share"] = np.linspace(0, 1, 4)
    de.expandos["known"] = np.array([True, False, True, True])
    de.expandos["every other"] = np.arange(8, dtype=np.uint32)[::2]
    de.expandos["pair"] = np.asfortranarray(np.arange(8.0).reshape(4, 2))
    vectors.save(tmp_path / "x.safetensors")
    same(CrossLingualVectors.load(tmp_path / "x.safetensors"), vectors)


def test_vectors_that_lie_by_columns_survive_in_safetensors(tmp_path):
    kv = keyed(["a", "b", "c"])
    kv.vectors = np.asfortranarray(kv.vectors)
    CrossLingualVectors({"en": kv}).save(tmp_path / "x.safetensors")
    found = CrossLingualVectors.load(tmp_path / "x.safetensors")
    np.testing.assert_array_equal(found["en"].vectors, kv.vectors)


def test_attributes_that_are_no_numbers_are_logged(tmp_path, vectors, caplog):
    vectors["en"].expandos["tag"] = np.array(["N", "A", "N"], dtype=object)
    with caplog.at_level(logging.WARNING):
        vectors.save(tmp_path / "x.safetensors")
    assert "the attribute 'tag' of the words in 'en' is not saved: object" in caplog.text
    assert "tag" not in CrossLingualVectors.load(tmp_path / "x.safetensors")["en"].expandos


def test_attributes_that_training_makes_anew_are_left_out_and_no_others(tmp_path):
    vectors = space(en=["a", "b"])
    vectors["en"].expandos = {
        name: np.array([1, 2]) for name in ("share", "sample_int", "code", "point", "count")
    }
    vectors.save(tmp_path / "x.safetensors")
    found = CrossLingualVectors.load(tmp_path / "x.safetensors")
    assert found["en"].expandos.keys() == {"share", "count"}


@pytest.mark.parametrize(
    ("said", "number"),
    [("I/O error: No space left on device (os error 28)", errno.ENOSPC), ("?", errno.EIO)],
)
def test_error_of_the_disk_while_safetensors_are_written_is_the_systems(
    tmp_path, vectors, monkeypatch, said, number
):
    def fail(*arguments):
        raise SafetensorError(said)

    monkeypatch.setattr("safetensors.numpy.save_file", fail)
    with pytest.raises(OSError, match=r"x\.safetensors") as caught:
        vectors.save(tmp_path / "x.safetensors")
    assert caught.value.errno == number
    assert not [*tmp_path.iterdir()]


def test_safetensors_are_laid_out_as_documented(tmp_path):
    space(en=["a", "", "bü"]).save(tmp_path / "x.safetensors")
    tensors = load_file(tmp_path / "x.safetensors")
    assert set(tensors) == {"en/vectors", "en/words", "en/word_offsets", "en/attribute/count"}
    assert tensors["en/words"].tobytes().decode() == "abü"
    assert tensors["en/word_offsets"].tolist() == [0, 1, 1, 4]
    with safe_open(tmp_path / "x.safetensors", framework="np") as file:
        assert file.metadata() == {
            "format": "gensim_bilbowa.vectors", "version": "1", "languages": '["en"]',
            "crc32": json.dumps({
                f"en/{name}": zlib.crc32(tensors[f"en/{name}"].tobytes())
                for name in ("vectors", "words", "word_offsets", "attribute/count")
            }),
        }  # fmt: skip


def test_safetensors_are_known_by_their_content(tmp_path, vectors):
    vectors.save(tmp_path / "x", "safetensors")
    same(CrossLingualVectors.load(tmp_path / "x"), vectors)


def tensors_of_two_words():
    return {
        "en/vectors": np.ones((2, 3), np.float32),
        "en/words": np.frombuffer(b"abc", np.uint8),
        "en/word_offsets": np.array([0, 1, 3]),
        "en/attribute/count": np.array([2, 1]),
    }


METADATA = {"format": "gensim_bilbowa.vectors", "version": "1", "languages": '["en"]'}
NAN = np.array([[1, 2, 3], [1, np.nan, 2]], np.float32)


@pytest.mark.parametrize(
    ("name", "value", "match"),
    [
        ("en/vectors", None, "language 'en': there is no tensor vectors"),
        ("en/vectors", np.ones((2, 3)), r"vectors is F64 of shape \(2, 3\), F32 of shape"),
        ("en/vectors", np.ones(6, np.float32), r"vectors is F32 of shape \(6,\)"),
        ("en/vectors", np.ones((2, 0), np.float32), "size 0"),
        ("en/vectors", NAN, "language 'en': the vector of 'bc' is not finite"),
        ("en/vectors", np.ones((3, 3), np.float32), r"word_offsets is I64 of shape \(3,\)"),
        ("en/words", np.ones(3, np.int64), "words is I64"),
        ("en/words", np.frombuffer(b"a\xff\xff", np.uint8), "word 2 is not UTF-8"),
        ("en/words", np.frombuffer(b"abcd", np.uint8), "word_offsets end at 3, words at 4"),
        ("en/word_offsets", np.array([0, 1, 4]), "word_offsets do not rise from 0 to 3"),
        ("en/word_offsets", np.array([0, 4, 3]), "word_offsets do not rise"),
        ("en/word_offsets", np.array([1, 1, 3]), "word_offsets do not rise"),
        ("en/word_offsets", np.array([0, -1, 3]), "word_offsets do not rise"),
        ("en/word_offsets", np.array([0, 1, 3], np.int32), "word_offsets is I32"),
        ("en/words", np.frombuffer(b"", np.uint8), "word_offsets do not rise from 0 to 0"),
        ("en/attribute/count", np.ones(3), r"count is F64 of shape \(3,\)"),
        ("en/attribute/count", np.ones((), np.int64), "count is I64"),
        ("en/attribute/count", np.ones(2, np.complex64), "count is C64"),
        ("de/vectors", np.ones((2, 3), np.float32), r"belong to no language: \['de/vectors'\]"),
    ],
)
def test_tensors_that_do_not_fit_are_refused(tmp_path, name, value, match):
    tensors = tensors_of_two_words() | {name: value}
    try:
        save_file({k: v for k, v in tensors.items() if v is not None}, tmp_path / "x", METADATA)
    except SafetensorError as error:
        pytest.skip(f"for this release of safetensors {error}")
    with pytest.raises(FormatError, match=rf"x.*{match}"):
        CrossLingualVectors.load(tmp_path / "x")


def test_word_that_is_there_twice_is_refused(tmp_path):
    tensors = tensors_of_two_words()
    tensors |= {"en/words": np.frombuffer(b"aa", np.uint8), "en/word_offsets": np.array([0, 1, 2])}
    save_file(tensors, tmp_path / "x", METADATA)
    with pytest.raises(FormatError, match="language 'en': the word 'a' is there twice"):
        CrossLingualVectors.load(tmp_path / "x")


@pytest.mark.parametrize(
    ("metadata", "match"),
    [
        (None, "other tensors than those of word vectors"),
        (METADATA | {"format": "pt"}, "the format 'pt'"),
        (METADATA | {"version": "2"}, "format version '2'.*newer release"),
        (METADATA | {"languages": "en"}, "the languages in its metadata"),
        (METADATA | {"languages": "[]"}, "a list of languages"),
        (METADATA | {"languages": "[3]"}, "language code"),
        (METADATA | {"languages": '["en", "en"]'}, "language"),
        (METADATA | {"languages": '["en", "de"]'}, "language 'de': there is no tensor vectors"),
    ],
)
def test_metadata_that_do_not_fit_are_refused(tmp_path, metadata, match):
    save_file(tensors_of_two_words(), tmp_path / "x", metadata)
    with pytest.raises(FormatError, match=match):
        CrossLingualVectors.load(tmp_path / "x")


@settings(max_examples=60)
@given(st.data())
def test_damaged_safetensors_are_refused_or_whole(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("damaged") / "x.safetensors"
    vectors = space(en=["a", "b"])
    vectors.save(path)
    content = bytearray(path.read_bytes())
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    else:
        content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(content)
    with suppress(FormatError):
        found = CrossLingualVectors.load(path)
        assert all(np.isfinite(found[code].vectors).all() for code in found)


def test_missing_package_is_named(tmp_path, vectors, monkeypatch):
    vectors.save(tmp_path / "x.safetensors")
    for name in ("safetensors", "safetensors.numpy"):
        monkeypatch.setitem(sys.modules, name, None)
    for use in (vectors.save, CrossLingualVectors.load):
        with pytest.raises(ImportError, match=r"pip install 'gensim_bilbowa\[safe\]'"):
            use(tmp_path / "x.safetensors")
