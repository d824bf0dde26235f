"""Counts of aligned words are saved with models and vectors; what is damaged is refused."""

from __future__ import annotations

import copy
import json
import pickle
from itertools import combinations

import numpy as np
import pytest
from click.testing import CliRunner
from gensim.models import KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file
from samples import SMALL, changed, made_up_pairs
from scipy import sparse

from gensim_bilbowa import BilBOWA, CrossLingualVectors, align
from gensim_bilbowa.callbacks import Checkpoint
from gensim_bilbowa.cli import cli
from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.evidence import AlignedCounts
from gensim_bilbowa.formats import folder as folder_module
from gensim_bilbowa.training import evidence

FORMATS = ["text", "binary", "safetensors"]
PAIRS = {("en", "de"): made_up_pairs()}
MORE = {("en", "de"): [(["new", "e1"], ["neu", "d1"])] * 9}


def counts_of(rows):
    return sparse.csr_array(np.array(rows, np.float32))


def keyed(words, seed=0):
    vectors = KeyedVectors(3)
    rows = np.random.default_rng(seed).normal(size=(len(words), 3))
    vectors.add_vectors(list(words), rows.astype(np.float32))
    vectors.expandos["count"] = np.arange(len(words), 0, -1)
    return vectors


def space(aligned=None, **words):
    languages = {code: keyed(some, seed) for seed, (code, some) in enumerate(words.items())}
    return CrossLingualVectors(languages, aligned)


@pytest.fixture
def vectors():
    aligned = AlignedCounts()
    aligned.add("en", "de", counts_of([[1.5, 0, 0.1, 0], [0, 0, 0, 1e-7], [300.25, 2, 0, 0]]), 5)
    aligned.add("fr", "en", counts_of([[0, 0, 1 / 3], [0.25, 0, 0]]))
    return space(
        aligned, en=["house", "red", "dog"], de=["haus", "rot", "köter", "hund"], fr=["un", "rouge"]
    )


def same(found, wanted):
    assert sorted(found) == sorted(wanted)
    for codes, counts in wanted.items():
        assert found[codes].dtype == np.float32
        assert found[codes].has_canonical_format
        assert found[codes].shape == counts.shape
        assert (found[codes] != counts).nnz == 0


@pytest.fixture(scope="module")
def shared():
    return BilBOWA(parallel=PAIRS, **SMALL)


@pytest.fixture
def model(shared):
    return copy.deepcopy(shared)


# ---- the counts by themselves


def test_counts_of_others_than_the_languages_words_are_refused(vectors):
    with pytest.raises(ConfigError, match="aligned words of 'de'; the languages are"):
        space(vectors.aligned, en="abc", fr="b")
    with pytest.raises(ConfigError, match="en-de: aligned words among 4 of 'de', which has 3"):
        space(vectors.aligned, en="abc", de="abc", fr="ab")
    with pytest.raises(ConfigError, match="aligned must be AlignedCounts or None, got dict"):
        space({}, en="abc")
    assert space(vectors.aligned, en="abcd", de="abcd", fr="ab").aligned.keys() == {
        ("en", "de"),
        ("fr", "en"),
    }


@pytest.mark.parametrize("value", [-1, np.nan, np.inf])
def test_counts_that_are_none_are_refused(value):
    aligned = AlignedCounts()
    with pytest.raises(ConfigError, match="counts of 'en' and 'de' must be finite"):
        aligned.add("en", "de", counts_of([[value, 1]]), 3)
    assert not aligned.knows("en", "de", 3)
    assert not aligned


def test_counts_are_kept_in_order_and_none_of_zero():
    given = sparse.csr_array(
        (np.array([1, 0, 2, 3.0]), np.array([2, 0, 1, 2]), np.array([0, 2, 4])), shape=(2, 3)
    )
    aligned = AlignedCounts()
    aligned.add("en", "de", given)
    same(aligned, {("en", "de"): counts_of([[0, 0, 1], [0, 2, 3]])})
    assert given.nnz == 4


def test_space_has_its_own_counts(vectors):
    other = CrossLingualVectors(dict(vectors), vectors.aligned)
    other.aligned.forget("de")
    other.aligned.add("fr", "en", counts_of([[1, 0, 0], [0, 0, 0]]), 9)
    assert vectors.aligned.keys() == {("en", "de"), ("fr", "en")}
    assert not vectors.aligned.knows("fr", "en", 9)


def test_copies_and_pickles_have_the_counts(vectors, model):
    for copied in (copy.copy(vectors), copy.deepcopy(vectors), pickle.loads(pickle.dumps(vectors))):
        same(copied.aligned, vectors.aligned)
        assert copied.aligned.texts("en", "de") == [5]
    for copied in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        same(copied.wv.aligned, model.wv.aligned)
        assert copied.wv.aligned.texts("en", "de") == model.wv.aligned.texts("en", "de")
        copied.wv.aligned.forget("en")
    assert model.wv.aligned


# ---- what changes the words


def test_language_with_other_words_has_no_counts_any_more(vectors):
    again, turned = (space(en=words)["en"] for words in (["house", "red", "dog"], "abc"))
    vectors.join("en", again)
    assert set(vectors.aligned) == {("en", "de"), ("fr", "en")}
    vectors.join("fr", space(fr=["rouge", "un"])["fr"])
    assert set(vectors.aligned) == {("en", "de")}
    vectors.join("en", turned)
    assert not vectors.aligned


def test_new_vocabulary_has_no_counts_and_a_longer_one_keeps_them(model):
    before = model.wv.aligned["en", "de"]
    model.build_vocab(parallel=MORE, update=True)
    assert model.wv.aligned["en", "de"] is before
    model.train(parallel=MORE, epochs=1)
    found = model.wv.aligned["en", "de"]
    assert found.shape == (len(model.wv_en), len(model.wv_de))
    assert len(model.wv.aligned.texts("en", "de")) == 2
    assert found[model.wv_en.key_to_index["new"], model.wv_de.key_to_index["neu"]] > 1
    model.build_vocab({"en": [pair[0] for pair in PAIRS["en", "de"]]})
    assert not model.wv.aligned


def test_refined_and_aligned_vectors_keep_the_counts(model):
    same(model.refine(k=3, max_words=30).aligned, model.wv.aligned)
    words = {f"e{i}": [f"d{i}"] for i in range(30)}
    same(align(model.wv, words).aligned, model.wv.aligned)
    assert not align(dict(model.wv), words).aligned


# ---- models


@pytest.mark.parametrize("mmap", [None, "r", "c"])
@pytest.mark.parametrize("sep_limit", [0, 10**9])
def test_model_comes_back_with_the_counts_and_aligns_no_text_anew(
    model, tmp_path, monkeypatch, mmap, sep_limit
):
    model.save(tmp_path / "m", sep_limit=sep_limit)
    loaded = BilBOWA.load(tmp_path / "m", mmap=mmap)
    same(loaded.wv.aligned, model.wv.aligned)
    assert loaded.wv.aligned.texts("en", "de") == model.wv.aligned.texts("en", "de")
    with monkeypatch.context() as patch:
        patch.setattr(evidence, "align", lambda *_, **__: pytest.fail("aligned again"))
        for each in (model, loaded):
            each.train(parallel=PAIRS, epochs=1)
    np.testing.assert_array_equal(loaded.wv_en.vectors, model.wv_en.vectors)
    loaded.train(parallel={("de", "en"): [(b, a) for a, b in made_up_pairs(seed=9)]}, epochs=1)
    assert len(loaded.wv.aligned.texts("en", "de")) == 2
    loaded.save(tmp_path / "m", sep_limit=sep_limit)
    same(BilBOWA.load(tmp_path / "m").wv.aligned, loaded.wv.aligned)


def test_large_counts_are_mapped(model, tmp_path):
    model.save(tmp_path / "m", sep_limit=0)
    counts = BilBOWA.load(tmp_path / "m", mmap="r").wv.aligned["en", "de"]
    assert not counts.data.flags.writeable
    assert not counts.indices.flags.writeable


def test_model_without_alignment_comes_back(tmp_path):
    BilBOWA(parallel=PAIRS, **SMALL, alignment=False).save(tmp_path / "m")
    assert not BilBOWA.load(tmp_path / "m").wv.aligned


def test_words_that_were_added_to_the_vectors_have_no_counts_in_the_file(model, tmp_path):
    model.wv_en.add_vectors(["added"], np.ones((1, 20)))
    model.save(tmp_path / "m")
    found = BilBOWA.load(tmp_path / "m").wv.aligned["en", "de"]
    assert found.shape == (len(model.wv_en), len(model.wv_de))
    assert found[[-1]].nnz == 0


def test_languages_whose_files_would_share_a_name_come_back(tmp_path):
    pairs = {
        codes: made_up_pairs(30, words=9, seed=seed)
        for seed, codes in enumerate([("x", "y.aligned.z"), ("x.aligned.y", "z"), ("x", "z")])
    }
    model = BilBOWA(parallel=pairs, **SMALL)
    model.save(tmp_path / "m", sep_limit=0)
    same(BilBOWA.load(tmp_path / "m").wv.aligned, model.wv.aligned)
    assert len(model.wv.aligned) == 3


def test_resumed_training_has_the_counts_of_the_checkpoint(tmp_path, monkeypatch):
    whole = BilBOWA(parallel=PAIRS, **SMALL)

    class Ends(Checkpoint):
        def on_epoch_end(self, model):
            super().on_epoch_end(model)
            raise KeyboardInterrupt

    model = BilBOWA(**SMALL)
    model.build_vocab(parallel=PAIRS)
    with pytest.raises(KeyboardInterrupt):
        model.train(parallel=PAIRS, callbacks=[Ends(tmp_path / "c", every_epochs=1)])
    resumed = BilBOWA.load(tmp_path / "c", mmap="r")
    same(resumed.wv.aligned, whole.wv.aligned)
    monkeypatch.setattr(evidence, "align", lambda *_, **__: pytest.fail("aligned again"))
    resumed.train(parallel=PAIRS, resume=True)
    np.testing.assert_array_equal(resumed.wv_de.vectors, whole.wv_de.vectors)
    assert resumed.wv.aligned.texts("en", "de") == whole.wv.aligned.texts("en", "de")


def rewritten(path, change):
    """Change a model file's document, and its arrays, which get checksums anew."""
    from gensim_bilbowa.files.storage import read_model, write_model

    document, arrays = read_model(path)
    change(document, arrays)
    write_model(path, document, arrays, separate_bytes=10**9)


def in_model(name, value):
    """Change one of the arrays: by a function, or to other values of the same type."""

    def change(document, arrays):
        old = arrays[f"en/aligned/de/{name}"]
        arrays[f"en/aligned/de/{name}"] = value(old) if callable(value) else value

    return change


def put(at, value):
    def change(values):
        values[at] = value
        return values

    return change


WRONG_ARRAYS = [
    ("data", lambda v: v.astype(np.float64), "data is float64"),
    ("data", lambda v: v[:-1], "indices is int32 of shape"),
    ("data", lambda v: v.reshape(1, -1), r"data is float32 of shape \(1, \d+\)"),
    ("data", put(3, 0), "a count is not finite and positive"),
    ("data", put(3, -1), "a count is not finite and positive"),
    ("data", put(3, np.nan), "a count is not finite and positive"),
    ("data", put(3, np.inf), "a count is not finite and positive"),
    ("indices", lambda v: v.astype(np.int64), "indices is int64"),
    ("indices", put(0, -1), "indices are not from 0 to 39"),
    ("indices", put(-1, 40), "indices are not from 0 to 39"),
    ("indices", put(-1, 2**31 - 1), "indices are not from 0 to 39"),
    ("indices", put(1, 0), "indices do not ascend"),
    ("indices", lambda v: v[::-1].copy(), "indices do not ascend"),
    ("indptr", lambda v: v.astype(np.int32), "indptr is int32"),
    ("indptr", lambda v: v[:-1], r"indptr is int64 of shape \(40,\)"),
    ("indptr", lambda v: np.append(v, v[-1]), r"indptr is int64 of shape \(42,\)"),
    ("indptr", put(0, 1), "indptr does not rise"),
    ("indptr", put(0, -1), "indptr does not rise"),
    ("indptr", put(-1, 1000), "indptr does not rise"),
    ("indptr", put(5, 2**62), "indptr does not rise"),
    ("indptr", put(slice(5, 7), [2**63 - 1, -(2**63)]), "indptr does not rise"),
]


def aligned_entry(**changes):
    return lambda document, arrays: document["aligned"][0].update(changes)


def pair_twice(document, arrays):
    document["aligned"].append({"languages": ["de", "en"], "texts": []})


@pytest.mark.parametrize(
    ("change", "match"),
    [
        *((in_model(name, value), match) for name, value, match in WRONG_ARRAYS),
        (lambda d, a: a.pop("en/aligned/de/indptr"), "en/aligned/de/indptr"),
        (lambda d, a: d.pop("aligned"), "arrays of aligned words that are no pair's"),
        (lambda d, a: d.update(aligned={}), r"aligned: a list is wanted, got \{\}"),
        (lambda d, a: d["aligned"].append(3), r"aligned\[1\]: an object is wanted, got 3"),
        (lambda d, a: d["aligned"][0].pop("texts"), r"aligned\[0\].texts is missing"),
        (pair_twice, "'de' and 'en' are aligned twice"),
        (aligned_entry(more=1), r"aligned\[0\]: .* has no 'more'"),
        (aligned_entry(languages=["en"]), "does not say"),
        (aligned_entry(languages=["en", "en"]), "does not say"),
        (aligned_entry(languages=["en", "fr"]), "does not say"),
        (aligned_entry(languages=["en", ["de"]]), "a text is wanted"),
        (aligned_entry(languages="en"), "languages: a list is wanted"),
        (aligned_entry(languages=["de", "en"]), "de/aligned/en"),
        (aligned_entry(texts=7), "texts: a list is wanted, got 7"),
        (aligned_entry(texts=[-1]), "from 0 to 4,294,967,295 is wanted, got -1"),
        (aligned_entry(texts=[2**32]), "from 0 to 4,294,967,295"),
        (aligned_entry(texts=[True]), r"texts\[0\]: a whole number is wanted, got True"),
        (aligned_entry(texts=[1.0]), "a whole number is wanted, got 1.0"),
        (lambda d, a: a.update({"en/aligned/fr/data": np.ones(1)}), "that are no pair's"),
    ],
)
def test_model_whose_counts_do_not_fit_is_refused(model, tmp_path, change, match):
    model.save(tmp_path / "m")
    rewritten(tmp_path / "m", change)
    with pytest.raises(FormatError, match=f"m: not a whole model: .*{match}"):
        BilBOWA.load(tmp_path / "m")


@pytest.mark.parametrize("name", ["data", "indices", "indptr"])
@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(0, 7))
def test_flipped_bit_of_mapped_counts_is_refused_or_gives_counts(
    tmp_path_factory, shared, name, byte, bit
):
    folder = tmp_path_factory.mktemp("flip")
    shared.save(folder / "m", sep_limit=0)
    path = next(folder.glob(f"m.*.en.aligned.de.{name}.npy"))
    data = bytearray(path.read_bytes())
    data[byte % len(data)] ^= 1 << bit
    path.write_bytes(data)
    refused = ""
    try:
        same(BilBOWA.load(folder / "m").wv.aligned, shared.wv.aligned)  # "=i8" says "<i8", too
    except FormatError as error:
        refused = str(error)
    assert not refused or "aligned" in refused
    try:
        counts = BilBOWA.load(folder / "m", mmap="r").wv.aligned["en", "de"]
    except FormatError:
        return
    assert counts.toarray().shape == (40, 40)
    assert (counts.data > 0).all()
    assert np.isfinite(counts.data).all()


# ---- vectors by themselves


@pytest.mark.parametrize("format", FORMATS)
def test_vectors_come_back_with_the_counts(vectors, tmp_path, format):
    vectors.save(tmp_path / "x", format)
    same(CrossLingualVectors.load(tmp_path / "x").aligned, vectors.aligned)
    loaded = CrossLingualVectors.load(tmp_path / "x")
    loaded.save(tmp_path / "y", format)
    same(CrossLingualVectors.load(tmp_path / "y").aligned, vectors.aligned)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("limit", [0, 1, 2, 3, 9])
def test_limit_keeps_the_counts_of_the_words_that_are_read(vectors, tmp_path, format, limit):
    vectors.save(tmp_path / "x", format)
    found = CrossLingualVectors.load(tmp_path / "x", limit=limit).aligned
    same(found, {codes: counts[:limit, :limit] for codes, counts in vectors.aligned.items()})


# What a folder can hold: no white space of ASCII, and no byte order mark at the start of all.
WORDS = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=3).filter(
        lambda word: word.encode().split() == [word.encode()]
    ),
    unique=True, max_size=5,
).filter(lambda words: not words or not words[0].startswith("\ufeff"))  # fmt: skip
COUNTS = st.floats(0, width=32, allow_infinity=False)


@pytest.mark.parametrize("format", ["text", "safetensors"])
@settings(max_examples=80)
@given(WORDS, WORDS, st.data())
def test_any_words_and_counts_come_back(tmp_path_factory, format, en, de, data):
    rows = data.draw(
        st.lists(st.lists(COUNTS, min_size=len(de), max_size=len(de)), max_size=len(en))
    )
    aligned = AlignedCounts()
    table = np.array(rows, np.float32).reshape(len(rows), len(de))
    aligned.add("en", "de", sparse.csr_array(table))
    saved = space(aligned, en=en, de=de)
    path = tmp_path_factory.mktemp("any") / "x"
    saved.save(path, format)
    found = CrossLingualVectors.load(path).aligned["en", "de"]
    padded = np.zeros((len(en), len(de)), np.float32)
    padded[: len(rows)] = table
    np.testing.assert_array_equal(found.toarray(), padded)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("limit", ["max", "tiny", "smallest_subnormal", "eps"])
def test_numbers_at_the_limits_come_back(tmp_path, format, limit):
    value = getattr(np.finfo(np.float32), limit)
    aligned = AlignedCounts()
    aligned.add("en", "de", counts_of([[value, np.nextafter(value, 1)]]))
    space(aligned, en="a", de="bc").save(tmp_path / "x", format)
    same(CrossLingualVectors.load(tmp_path / "x").aligned, aligned)


def test_word_with_a_byte_order_mark_may_begin_the_file(tmp_path):
    aligned = AlignedCounts()
    aligned.add("en", "de", counts_of([[0], [2]]))
    vectors = space(aligned, en=["a", "\ufeffb"], de=["c"])
    vectors.save(tmp_path / "x")
    same(CrossLingualVectors.load(tmp_path / "x").aligned, aligned)


def test_file_of_counts_has_a_line_for_each_in_order(vectors, tmp_path):
    vectors.save(tmp_path / "x")
    assert (tmp_path / "x" / "en-de.aligned").read_text("utf-8") == (
        "house\thaus\t1.5\nhouse\tköter\t0.1\nred\thund\t1e-07\ndog\thaus\t300.25\ndog\trot\t2.0\n"
    )
    manifest = json.loads((tmp_path / "x" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["aligned"] == [
        {"languages": ["en", "de"], "file": "en-de.aligned"},
        {"languages": ["fr", "en"], "file": "fr-en.aligned"},
    ]


def test_tensors_of_counts_are_laid_out_as_documented(vectors, tmp_path):
    vectors.save(tmp_path / "x.safetensors")
    tensors = load_file(tmp_path / "x.safetensors")
    found = [tensors[f"fr/aligned/en/{name}"] for name in ("data", "indices", "indptr")]
    assert [array.dtype for array in found] == [np.float32, np.int32, np.int64]
    assert [array.tolist() for array in found[1:]] == [[2, 0], [0, 1, 2]]


def test_pairs_of_languages_with_one_name_get_files_of_their_own(tmp_path):
    aligned, codes = AlignedCounts(), ["a-b", "c", "a", "b-C", "c.2"]
    for number, (one, other) in enumerate(combinations(codes, 2), start=1):
        aligned.add(one, other, counts_of([[number]]))
    vectors = space(aligned, **{code: [code] for code in codes})
    vectors.save(tmp_path / "x")
    names = {path.name.lower() for path in (tmp_path / "x").glob("*.aligned")}
    assert len(names) == 10
    assert {"a-b-c.aligned", "a-b-c.2.aligned"} < names
    same(CrossLingualVectors.load(tmp_path / "x").aligned, aligned)


def test_saving_again_without_counts_removes_their_files(vectors, tmp_path):
    vectors.save(tmp_path / "x")
    vectors.aligned.forget("fr")
    vectors.save(tmp_path / "x")
    assert {path.name for path in (tmp_path / "x").glob("*.aligned")} == {"en-de.aligned"}
    vectors.aligned.forget("en")
    vectors.save(tmp_path / "x")
    assert not list((tmp_path / "x").glob("*.aligned"))
    assert "aligned" not in json.loads(
        (tmp_path / "x" / "manifest.json").read_text(encoding="utf-8")
    )
    (tmp_path / "y").mkdir()
    (tmp_path / "y" / "en-de.aligned").write_text("mine", encoding="utf-8")
    space(aligned_of_two(), en="a", de="b").save(tmp_path / "z")
    with pytest.raises(FileExistsError, match=r"en-de\.aligned is in the way"):
        space(aligned_of_two(), en="a", de="b").save(tmp_path / "y")


def aligned_of_two():
    aligned = AlignedCounts()
    aligned.add("en", "de", counts_of([[1]]))
    return aligned


@pytest.mark.parametrize("format", FORMATS)
def test_counts_of_more_words_than_there_are_are_not_saved(vectors, tmp_path, format):
    vectors.aligned.add("en", "de", sparse.csr_array((9, 4), dtype=np.float32))
    with pytest.raises(ConfigError, match="aligned words among 9 of 'en', which has 3"):
        vectors.save(tmp_path / "x", format)
    assert not list(tmp_path.iterdir())


# ---- folders that were damaged, or changed by hand


def edited(path, text):
    """Replace a file of a folder, and take its checksum out of the manifest."""
    changed(path.parent, lambda manifest: manifest["crc32"].pop(path.name, None))
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ("", "two words and their count"),
        ("red rot 1", "two words and their count"),
        ("red\trot", "two words and their count"),
        ("red\trot\t1\t", "two words and their count"),
        ("red\trot\t1\t2", "two words and their count"),
        ("red\trot\t", "two words and their count"),
        *(
            (f"red\trot\t{count}", "finite and positive")
            for count in ("0", "-1", "nan", "inf", "1e39", "1e-46", "1e999", "1_0", "x", " 1", "١")
        ),
        ("red\tquux\t1", "'quux' is no word of the vectors"),
        ("rot\tred\t1", "'rot' is no word of the vectors"),
        ("house\tköter\t1", r"the words \('house', 'köter'\) have a count in line 2"),
    ],
)
def test_line_that_is_no_count_is_named_with_what_to_do(vectors, tmp_path, line, match):
    vectors.save(tmp_path / "x")
    path = tmp_path / "x" / "en-de.aligned"
    edited(path, path.read_text("utf-8") + line + "\n")
    with pytest.raises(
        FormatError, match=rf"en-de\.aligned, line 6: .*{match}.*; if it was changed on purpose"
    ):
        CrossLingualVectors.load(tmp_path / "x")


@pytest.mark.parametrize("data", [b"a\xff", b"\xff\tb\t1\n", b"\x80\x04x"])
def test_counts_that_are_not_utf8_are_refused(vectors, tmp_path, data):
    vectors.save(tmp_path / "x")
    edited(tmp_path / "x" / "en-de.aligned", data)
    with pytest.raises(FormatError, match=r"en-de\.aligned, line 1, byte \d: not UTF-8"):
        CrossLingualVectors.load(tmp_path / "x")


def test_words_that_are_not_utf8_are_found_by_what_replaces_it(tmp_path):
    space(aligned_of_two(), en="a", de="b").save(tmp_path / "x")
    changed(tmp_path / "x", lambda manifest: manifest["crc32"].clear())
    for name in ("de.vec", "de.counts", "en-de.aligned"):
        path = tmp_path / "x" / name
        path.write_bytes(path.read_bytes().replace(b"b", b"\xff"))
    with pytest.raises(FormatError, match="UTF-8"):
        CrossLingualVectors.load(tmp_path / "x")
    found = CrossLingualVectors.load(tmp_path / "x", errors="replace")
    same(found.aligned, aligned_of_two())


def test_changed_counts_are_read_when_their_checksum_is_taken_out(vectors, tmp_path):
    vectors.save(tmp_path / "x")
    path = tmp_path / "x" / "en-de.aligned"
    path.write_bytes(path.read_bytes().replace(b"1.5", b"2.5"))
    with pytest.raises(FormatError, match=r"en-de\.aligned is damaged.*crc32 in manifest\.json"):
        CrossLingualVectors.load(tmp_path / "x")
    with pytest.raises(FormatError, match=r"en-de\.aligned is damaged"):
        CrossLingualVectors.load(tmp_path / "x", limit=1)
    edited(path, "dog\thund\t7\r\nred\trot\t.5\nhouse\thund\t1E2")
    found = CrossLingualVectors.load(tmp_path / "x").aligned["en", "de"]
    assert found.toarray().tolist() == [[0, 0, 0, 100], [0, 0.5, 0, 0], [0, 0, 0, 7]]


def test_counts_without_an_entry_are_not_read(vectors, tmp_path):
    vectors.save(tmp_path / "x")
    edited(tmp_path / "x" / "en-de.aligned", "nonsense")
    changed(tmp_path / "x", lambda manifest: manifest["aligned"].pop(0))
    assert set(CrossLingualVectors.load(tmp_path / "x").aligned) == {("fr", "en")}
    changed(tmp_path / "x", lambda manifest: manifest.pop("aligned"))
    assert not CrossLingualVectors.load(tmp_path / "x").aligned


def test_missing_file_of_counts_is_named(vectors, tmp_path):
    vectors.save(tmp_path / "x")
    (tmp_path / "x" / "en-de.aligned").unlink()
    with pytest.raises(FileNotFoundError, match=r"en-de\.aligned"):
        CrossLingualVectors.load(tmp_path / "x")


def entry(languages, file):
    return {"languages": languages, "file": file}


@pytest.mark.parametrize(
    ("aligned", "match"),
    [
        ({}, "aligned must be a list, not"),
        (None, "aligned must be a list, not"),
        ([3], "aligned: .* no description"),
        ([{"languages": ["en", "de"]}], "aligned: .* no description"),
        ([entry(["en", "de"], "en-de.aligned") | {"x": 1}], "aligned: .* no description"),
        ([entry(["en"], "en-de.aligned")], "aligned: .* no description"),
        ([entry(["en", "en"], "en-de.aligned")], "aligned: .* no description"),
        ([entry(["en", "es"], "en-de.aligned")], "aligned: .* no description"),
        ([entry(["en", {}], "en-de.aligned")], "aligned: .* no description"),
        ([entry("en", "en-de.aligned")], "aligned: .* no description"),
        ([entry(["en", "de"], "../en-de.aligned")], "aligned: .* no description"),
        ([entry(["en", "de"], "/etc/passwd")], "aligned: .* no description"),
        ([entry(["en", "de"], None)], "aligned: .* no description"),
        ([entry(["en", "de"], "a.aligned"), entry(["de", "en"], "b.aligned")], "aligned: .* twice"),
        ([entry(["en", "de"], "a.aligned"), entry(["fr", "en"], "a.aligned")], "aligned: .* twice"),
    ],
)
def test_manifest_whose_counts_do_not_fit_is_refused(vectors, tmp_path, aligned, match):
    vectors.save(tmp_path / "x")
    changed(tmp_path / "x", lambda manifest: manifest.update(aligned=aligned))
    with pytest.raises(FormatError, match=rf"manifest\.json: .*{match}"):
        CrossLingualVectors.load(tmp_path / "x")
    with pytest.raises(FormatError, match=rf"manifest\.json: .*{match}"):
        vectors.save(tmp_path / "x")


def test_many_pairs_of_languages_take_no_memory_that_their_files_do_not_call_for(
    vectors, tmp_path, monkeypatch
):
    vectors.save(tmp_path / "x")
    monkeypatch.setattr(folder_module, "_LARGEST_ROWS", 0)
    monkeypatch.setattr(folder_module, "_ROWS_PER_BYTE", 0.01)
    with pytest.raises(FormatError, match=r"2 pairs of languages .* with 5 words to look up"):
        CrossLingualVectors.load(tmp_path / "x")


# ---- safetensors that were damaged


def array(of, values):
    return np.array(values, of)


@pytest.mark.parametrize(
    ("name", "value", "match"),
    [
        ("data", None, "there is no tensor data"),
        ("indices", None, "there is no tensor indices"),
        ("indptr", None, "there is no tensor indptr"),
        ("data", array("f8", [1] * 5), r"data is F64 of shape \(5,\)"),
        ("data", array("f4", [1] * 4), r"data is F32 of shape \(4,\), F32 of shape \(5\)"),
        ("data", array("f4", [1, 2, np.inf, 4, 5]), "a count is not finite and positive"),
        ("data", array("f4", [1, 2, -1, 4, 5]), "a count is not finite and positive"),
        ("data", array("f4", [1, 2, 0, 4, 5]), "a count is not finite and positive"),
        ("indices", array("i8", [0, 2, 3, 0, 1]), "indices is I64"),
        ("indices", array("i4", [0, 2, 4, 0, 1]), "indices are not from 0 to 3"),
        ("indices", array("i4", [0, 2, -1, 0, 1]), "indices are not from 0 to 3"),
        ("indices", array("i4", [2, 0, 3, 0, 1]), "indices do not ascend"),
        ("indices", array("i4", [0, 0, 3, 0, 1]), "indices do not ascend"),
        ("indptr", array("i4", [0, 2, 3, 5]), "indptr is I32"),
        ("indptr", array("i8", [0, 2, 5]), r"indptr is I64 of shape \(3,\)"),
        ("indptr", array("i8", [0, 2, 3, 4]), "indptr does not rise"),
        ("indptr", array("i8", [0, 2, 3, 6]), "indptr does not rise"),
        ("indptr", array("i8", [0, 2, 3, -1]), "indptr does not rise"),
        ("indptr", array("i8", [1, 2, 3, 5]), "indptr does not rise"),
        ("indptr", array("i8", [0, 4, 3, 5]), "indptr does not rise"),
        ("indptr", array("i8", [0, 2**63 - 1, -(2**63), 5]), "indptr does not rise"),
    ],
)
def test_tensors_of_counts_that_do_not_fit_are_refused(vectors, tmp_path, name, value, match):
    tensors = saved_tensors(vectors, tmp_path) | {f"en/aligned/de/{name}": value}
    save_file({k: v for k, v in tensors.items() if v is not None}, tmp_path / "x", METADATA)
    with pytest.raises(FormatError, match=rf"x, aligned words of 'en' and 'de': {match}"):
        CrossLingualVectors.load(tmp_path / "x")


METADATA = {
    "format": "gensim_bilbowa.vectors", "version": "1", "languages": '["en", "de", "fr"]',
}  # fmt: skip


def saved_tensors(vectors, tmp_path):
    vectors.save(tmp_path / "x", "safetensors")
    return load_file(tmp_path / "x")


def test_tensors_of_unknown_or_equal_languages_are_refused(vectors, tmp_path):
    tensors = saved_tensors(vectors, tmp_path)
    for codes in ("en/aligned/es", "es/aligned/en", "en/aligned/en", "en/aligned"):
        save_file({**tensors, f"{codes}/data": np.ones(1)}, tmp_path / "x", METADATA)
        with pytest.raises(FormatError, match=f"belong to no language: .*{codes}"):
            CrossLingualVectors.load(tmp_path / "x")


def test_tensors_of_a_pair_in_both_orders_are_refused(vectors, tmp_path):
    tensors = saved_tensors(vectors, tmp_path)
    save_file({**tensors, "de/aligned/en/data": np.ones(1)}, tmp_path / "x", METADATA)
    with pytest.raises(FormatError, match="the words of 'en' and 'de' are aligned twice"):
        CrossLingualVectors.load(tmp_path / "x")


def test_damaged_tensor_of_counts_is_found_by_its_checksum(vectors, tmp_path):
    from safetensors import safe_open

    tensors = saved_tensors(vectors, tmp_path)
    with safe_open(tmp_path / "x", framework="np") as file:
        metadata = file.metadata()
    tensors["en/aligned/de/data"][0] += 1
    save_file(tensors, tmp_path / "x", metadata)
    with pytest.raises(FormatError, match=r"'en' and 'de': data is damaged: .*crc32"):
        CrossLingualVectors.load(tmp_path / "x")


# ---- commands


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)), standalone_mode=False)


@pytest.mark.parametrize("options", [[], ["--refine"]])
@pytest.mark.parametrize("name", ["x", "x.safetensors"])
def test_converted_vectors_keep_the_counts_and_info_tells_how_many(shared, tmp_path, name, options):
    shared.save(tmp_path / "m")
    assert run("convert", tmp_path / "m", tmp_path / name, *options).exception is None
    same(CrossLingualVectors.load(tmp_path / name).aligned, shared.wv.aligned)
    number = shared.wv.aligned["en", "de"].nnz
    for path in ("m", name):
        facts = json.loads(run("info", tmp_path / path, "--json").stdout)
        assert facts["aligned_pairs"] == {"en-de": number}
        assert f"aligned pairs: en-de={number}" in run("info", tmp_path / path).stdout.splitlines()


def test_info_tells_of_no_counts(tmp_path):
    space(en="a", de="b").save(tmp_path / "x")
    assert "aligned pairs: none" in run("info", tmp_path / "x").stdout.splitlines()
