"""Full disks, hostile files and endless lines: a clear error, little memory, old files intact."""

from __future__ import annotations

import json
import re
import struct
import sys
import tempfile
import tracemalloc
import zipfile
from contextlib import contextmanager

import numpy as np
import pytest
from processes import in_a_child
from samples import PACKERS, SMALL

from gensim_bilbowa import BilBOWA, CrossLingualVectors, LineCorpus
from gensim_bilbowa.corpora import cache, encode
from gensim_bilbowa.errors import CorpusError, FormatError
from gensim_bilbowa.files.storage import read_model, write_model
from gensim_bilbowa.formats import read_dictionary, read_vectors
from gensim_bilbowa.terminology import Term, TermList, Translation

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files")


# ---- full disks


@contextmanager
def disk_of(size):
    """No file can get longer than this; of a process that does not matter afterwards."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, -1))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))


def snapshot(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


TERMS = TermList(("en", "de"), (Term("dog", 7, 3.2, (Translation("Hund", 8, 6.5, 0.9, 1.7),)),) * 9)
SAVES = {
    "model": lambda model, path: model.save(path),
    "model and arrays": lambda model, path: model.save(path, sep_limit=0),
    "folder": lambda model, path: model.wv.save(path),
    "binary": lambda model, path: model.wv.save(path, "binary"),
    "x.safetensors": lambda model, path: model.wv.save(path),
    "vectors": lambda model, path: model.wv_en.save(path),
    "language": lambda model, path: model["en"].save(path),
    "text": lambda model, path: model.wv_en.save_word2vec_format(path),
    "x.tsv": lambda model, path: model.lexicon("en", "de").save(path),
    "x.tbx": lambda model, path: model.lexicon("en", "de").save(path),
    "terms.xlsx": lambda model, path: TERMS.save(path),
    "terms.json": lambda model, path: TERMS.save(path),
}


@linux_only
@pytest.mark.parametrize("name", SAVES)
def test_disk_that_is_full_anywhere_in_a_save_is_named_and_leaves_the_old(
    tmp_path, small_model, name
):
    save, path = SAVES[name], tmp_path / name
    save(small_model, path)
    before = snapshot(tmp_path)
    largest = max(map(len, before.values()))

    def save_anew():
        for size in (0, 1, *range(100, largest - 1, largest // 4), largest - 1):
            with disk_of(size):
                try:
                    save(small_model, path)
                except OSError as error:
                    if str(path) not in str(error):
                        raise
                else:
                    return f"no error at {size}"
            if snapshot(tmp_path) != before:
                return f"other files after {size}"
        save(small_model, path)
        return "all right"

    assert in_a_child(save_anew) == "all right"


@linux_only
def test_disk_that_is_full_while_text_is_encoded_is_named(tmp_path, monkeypatch, pairs):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    model = BilBOWA(**SMALL, corpus_memory=0)
    model.build_vocab(parallel={("en", "de"): pairs})

    def train():
        for size in (0, 1, 1000, 2000):
            with disk_of(size), pytest.raises(OSError, match=re.escape(str(tmp_path))):
                model.train(parallel={("en", "de"): pairs})
        model.train(parallel={("en", "de"): pairs})
        return model.epochs_trained

    assert in_a_child(train) == "3"
    assert list(tmp_path.iterdir()) == []


@linux_only
def test_disk_that_is_full_while_text_is_kept_changes_nothing_but_says_so(tmp_path, caplog):
    (tmp_path / "pairs.tsv").write_text("a b\tc d\nb\td c\n" * 200, encoding="utf-8")
    options = {"parallel": {("en", "de"): tmp_path / "pairs.tsv"}, "min_count": 1,
               "vector_size": 4, "epochs": 1, "workers": 1}  # fmt: skip
    plain = BilBOWA(**options)

    def train():
        for size in (0, 100, 1000):
            with disk_of(size):
                model = BilBOWA(**options, cache_dir=tmp_path / "cache")
            np.testing.assert_array_equal(model.wv_en.vectors, plain.wv_en.vectors)
            assert list((tmp_path / "cache").iterdir()) == []
        return caplog.text.count("cannot keep the encoded text in")

    assert in_a_child(train) == str(3 * 2)


# ---- lines and archives without end


def test_line_of_four_million_characters_is_trained_whole(tmp_path):
    path = tmp_path / "long.en"
    path.write_text("word other " * 380_000 + "\nword\n", encoding="utf-8")
    pairs = [(["word", "other"], ["Wort", "anderes"])] * 9
    model = BilBOWA({"en": path}, parallel={("en", "de"): pairs},
                    **{**SMALL, "epochs": 1, "vector_size": 2, "negative": 1})  # fmt: skip
    assert path.stat().st_size > 4_000_000
    assert model.loss_history[0]["words"] == 2 * 380_000 + 1 + 9 * 2


BOMB = b"1 1\n" + b"a" * (64 << 20)


@pytest.mark.slow
@pytest.mark.parametrize("read", [
    lambda path: list(LineCorpus(path)),
    lambda path: BilBOWA({"en": path}, parallel={("en", "de"): [(["a"], ["b"])]}),
    read_vectors,
    read_dictionary,
], ids=["LineCorpus", "BilBOWA", "read_vectors", "read_dictionary"])  # fmt: skip
@pytest.mark.parametrize("suffix", PACKERS)
def test_archive_of_one_endless_line_takes_little_memory(tmp_path, suffix, read):
    path = tmp_path / f"bomb{suffix}"
    path.write_bytes(PACKERS[suffix](BOMB))
    assert path.stat().st_size < 1 << 20
    tracemalloc.start()
    try:
        with pytest.raises((CorpusError, FormatError), match=rf"bomb\{suffix}.*line 2: longer th"):
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()


# ---- hostile heads


def safetensors(tensors, body=b"\0" * 8, languages='["en"]'):
    """A file with this header, which may lie."""
    meta = {"format": "gensim_bilbowa.vectors", "version": "1", "languages": languages}
    head = tensors
    if isinstance(tensors, dict):
        head = json.dumps({"__metadata__": meta, **tensors}).encode()
    return struct.pack("<Q", len(head)) + head + body


def tensor(shape, start=0, end=8):
    return {"dtype": "F32", "shape": shape, "data_offsets": [start, end]}


HEADS = {
    "length of 2^60": struct.pack("<Q", 1 << 60) + b"{}",
    "negative length": struct.pack("<q", -1) + b"{}",
    "length of more than there is": struct.pack("<Q", 100_000) + b"{}",
    "shape that overflows": safetensors({"en/vectors": tensor([1 << 60, 32])}),
    "negative shape": safetensors({"en/vectors": tensor([-1, 2])}),
    "offsets past the end": safetensors({"en/vectors": tensor([1 << 20, 2], 0, 8 << 20)}),
    "offsets that overlap": safetensors({"en/vectors": tensor([1, 2]), "en/x": tensor([1, 2])}),
    "negative offsets": safetensors({"en/vectors": tensor([1, 2], -8, 0)}),
    "nested JSON": safetensors(b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
    "nested metadata": safetensors({}, b"", "[" * 100_000),
    "a key twice": safetensors({}, b"", '[{"en": 1, "en": 2}]'),
}


def refused_at_once(load, message):
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=message):
            load()
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("head", HEADS)
def test_head_of_safetensors_that_lies_is_refused_at_once(tmp_path, head):
    path = tmp_path / "x.safetensors"
    path.write_bytes(HEADS[head])
    refused_at_once(lambda: CrossLingualVectors.load(path), r"x\.safetensors")


def test_a_million_tensors_are_refused_unread(tmp_path):
    path = tmp_path / "x.safetensors"
    entries = ",".join(f'"{n}":{{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}'
                       for n in range(1_000_000))  # fmt: skip
    path.write_bytes(safetensors(f"{{{entries}}}".encode(), b""))
    refused_at_once(lambda: CrossLingualVectors.load(path), "the header has 5.,...,... bytes, more")


@pytest.fixture
def saved(tmp_path, small_model):
    small_model.save(tmp_path / "m", sep_limit=0)
    return tmp_path / "m"


def rewritten(path, change):
    """Write the description of a model anew, as text."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["model.json"] = change(members["model.json"].decode()).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def test_key_that_stands_twice_in_a_description_is_refused(saved):
    rewritten(saved, lambda text: text.replace('"version": 1', '"version": 2, "version": 1'))
    refused_at_once(lambda: BilBOWA.load(saved), "stands twice in one object")


@pytest.mark.slow
def test_arrays_that_share_a_file_are_refused_unread(saved):
    def share(text):
        manifest = json.loads(text)
        entry = manifest["arrays"]["en/vectors"]
        manifest["arrays"].update({f"x{n}": entry for n in range(10_000)})
        return json.dumps(manifest)

    rewritten(saved, share)
    refused_at_once(lambda: BilBOWA.load(saved), "two arrays are said to be in one file")


@pytest.mark.parametrize("size", [0xFFFFFFF0, 0x7FFFFFFF])
def test_member_that_is_said_to_be_longer_than_the_file_takes_no_memory(saved, size):
    data = bytearray(saved.read_bytes())
    entry = data.rindex(b"PK\x01\x02")  # the last one in the directory: the description
    data[entry + 20 : entry + 28] = struct.pack("<II", size, size)
    saved.write_bytes(data)
    refused_at_once(lambda: BilBOWA.load(saved), "longer than the file")


@pytest.mark.parametrize("value", [np.nan, -np.inf])
def test_model_with_a_vector_that_is_not_finite_is_refused_by_word(saved, value):
    document, arrays = read_model(saved)
    arrays["en/vectors"][3, 1] = value
    write_model(saved, document, arrays, separate_bytes=0)
    with pytest.raises(FormatError, match="the vector of 'e3' is not finite"):
        BilBOWA.load(saved)


@pytest.mark.parametrize(("lines", "tokens"), [(-1, 0), (1 << 60, 0), (0, -1), (0, 1 << 62)])
def test_head_of_a_kept_encoding_that_lies_is_damage(tmp_path, lines, tokens):
    (tmp_path / "text").write_text("a b\n", encoding="utf-8")
    file = encode.TextFile(LineCorpus(tmp_path / "text"))
    kept = cache.EncodingCache(tmp_path / "cache")
    ((corpus, _),) = encode.encode_files([file], [{"a": 0}], 10**6, cache=kept)
    (entry,) = kept.entries([file], [{"a": 0}])
    data = np.fromfile(entry.path, np.int64, 8)
    data[2:4] = lines, tokens
    entry.path.write_bytes(data.tobytes() + entry.path.read_bytes()[64:])
    assert entry.load() is None
    assert corpus.ids.tolist() == [0]
