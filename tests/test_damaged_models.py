"""Files of models that are damaged, or made to do harm, are refused."""

from __future__ import annotations

import io
import json
import os
import pickle
import random
import struct
import tracemalloc
import zipfile
import zlib

import numpy as np
import pytest
from saved import assert_same, rewrite

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.errors import FormatError


def test_damage_is_found(small_model, tmp_path):
    small_model.save(tmp_path / "m", sep_limit=0)
    small_model.save(tmp_path / "whole", sep_limit=10**9)
    rng = np.random.default_rng(0)
    for path in sorted(tmp_path.iterdir()):
        data = path.read_bytes()
        cuts = [data[: len(data) // 2], data[:-1], b""]
        flips = [
            data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
            for at in rng.integers(0, len(data), 30)
        ]
        for damaged in cuts + flips:
            path.write_bytes(damaged)
            name = tmp_path / ("whole" if path.name == "whole" else "m")
            try:
                loaded = BilBOWA.load(name)
            except FormatError:
                continue
            assert_same(small_model, loaded)  # the bit was one that carries no meaning
        path.write_bytes(data)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.update(version=99), "a newer release"),
        (lambda m: m.update(format="other"), "is not a gensim_bilbowa model"),
        (lambda m: m.update(arrays=None), "lacks its parts"),
        (lambda m: m["arrays"]["en/vectors"].update(file="../secret.npy"), "not in the model's"),
        (lambda m: m["arrays"]["en/vectors"].update(shape=[10**12, 10**6]), "recorded"),
        (lambda m: m["arrays"]["en/vectors"].update(dtype="|O"), "objects"),
        (lambda m: m["arrays"]["en/vectors"].update(crc32=1), "checksum"),
        (lambda m: m["arrays"].pop("en/vectors"), "not a whole model"),
        (lambda m: m["model"]["parameters"].update(alpha="x"), "alpha must be"),
        (lambda m: m["model"]["parameters"].update(nonsense=1), "nonsense"),
        (lambda m: m["model"].update(epochs_trained="x"), "epochs_trained"),
        (lambda m: m["model"].update(loss_history=5), "loss_history"),
        (lambda m: m["model"]["languages"]["en"].update(corpus_count="x"), "corpus_count"),
        (lambda m: m["model"]["languages"]["en"]["words"].append("more"), "shape"),
        (lambda m: m["model"]["languages"]["en"]["words"].__setitem__(1, "e0"), "twice"),
    ],
)
def test_hostile_descriptions_are_refused(small_model, tmp_path, change, message):
    small_model.save(tmp_path / "m")
    rewrite(tmp_path / "m", change)
    with pytest.raises(FormatError, match=message):
        BilBOWA.load(tmp_path / "m")


def test_pickle_is_refused_without_running_it(tmp_path):
    class Bomb:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "exploded"),)

    (tmp_path / "m").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(FormatError, match="from_models"):
        BilBOWA.load(tmp_path / "m")
    assert not (tmp_path / "exploded").exists()


@pytest.fixture
def saved(tiny_model, tmp_path):
    tiny_model.save(tmp_path / "m")
    return tmp_path / "m"


def test_cut_off_file_is_refused_wherever_it_is_cut(saved):
    data = saved.read_bytes()
    cuts = {*range(0, 60), *range(len(data) - 60, len(data)), *range(0, len(data), 997)}
    for cut in cuts:
        saved.write_bytes(data[:cut])
        with pytest.raises(FormatError):
            BilBOWA.load(saved)


def loads_the_same_or_is_refused(path, model, **options):
    try:
        loaded = BilBOWA.load(path, **options)
    except FormatError:
        return False
    assert_same(loaded, model)
    return True


def test_flipped_bits_are_refused_or_without_meaning(saved, tiny_model):
    data = saved.read_bytes()
    picked = random.Random(5)
    places = [picked.randrange(len(data)) for _ in range(60)]
    places += [len(data) - picked.randrange(1, 1200) for _ in range(60)]  # names and offsets
    for place in places:
        damaged = bytearray(data)
        damaged[place] ^= 1 << picked.randrange(8)
        saved.write_bytes(damaged)
        loads_the_same_or_is_refused(saved, tiny_model)


def test_bytes_added_at_either_end_do_no_harm(saved, tiny_model):
    data = saved.read_bytes()
    for damaged in (b"x" * 7 + data, data + b"x" * 7, data + b"\0" * 100_000, data + data[:-1]):
        saved.write_bytes(damaged)
        loads_the_same_or_is_refused(saved, tiny_model)


@pytest.fixture
def saved_apart(tiny_model, tmp_path):
    tiny_model.save(tmp_path / "m", sep_limit=0)
    return tmp_path / "m"


def test_flipped_number_in_an_array_file_is_refused(saved_apart):
    (path,) = saved_apart.parent.glob("m.*.en.vectors.npy")
    data = bytearray(path.read_bytes())
    data[-3] ^= 16
    path.write_bytes(data)
    with pytest.raises(FormatError, match="en/vectors is damaged: checksum mismatch"):
        BilBOWA.load(saved_apart)


@pytest.mark.parametrize("mmap", [None, "r", "c"])
def test_cut_off_array_file_is_refused(saved_apart, mmap):
    (path,) = saved_apart.parent.glob("m.*.en.vectors.npy")
    data = path.read_bytes()
    for cut in (0, 5, 100, 128, len(data) - 1):
        path.write_bytes(data[:cut])
        with pytest.raises(FormatError, match="en/vectors is damaged"):
            BilBOWA.load(saved_apart, mmap=mmap)
        assert len(path.read_bytes()) == cut


@pytest.mark.parametrize("mmap", ["r", "c"])
def test_mapped_array_file_that_lies_by_columns_is_refused(saved_apart, mmap):
    (file,) = saved_apart.parent.glob("m.*.en.vectors.npy")
    data = file.read_bytes()
    assert b"'fortran_order': False" in data
    file.write_bytes(data.replace(b"'fortran_order': False", b"'fortran_order': True "))
    with pytest.raises(FormatError, match="not laid out as it was written"):
        BilBOWA.load(saved_apart, mmap=mmap)


@pytest.mark.parametrize("mmap", ["r", "c"])
def test_mapped_array_files_with_damaged_heads_are_refused(saved_apart, tiny_model, mmap):
    (path,) = saved_apart.parent.glob("m.*.en.vectors.npy")
    data = path.read_bytes()
    for place in range(128):
        damaged = bytearray(data)
        damaged[place] ^= 4
        path.write_bytes(damaged)
        loads_the_same_or_is_refused(saved_apart, tiny_model, mmap=mmap)


@pytest.mark.parametrize("file", ["../x.npy", "/etc/passwd", "a/b.npy", "..", ".", "", 7, ["x"]])
def test_array_file_outside_the_folder_is_refused(saved_apart, file):
    np.save(saved_apart.parent.parent / "x.npy", np.zeros((30, 8), np.float32))
    rewrite(saved_apart, lambda m: m["arrays"]["en/vectors"].update(file=file))
    with pytest.raises(FormatError, match="en/vectors is damaged"):
        BilBOWA.load(saved_apart)


def header(shape, descr="<f4"):
    """The head of a .npy file, which says what the body lacks."""
    text = str({"descr": descr, "fortran_order": False, "shape": shape}).ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


@pytest.mark.parametrize("shape", [(10**13, 8), (2**62, 4), (2**40, 2**40), (-1, 8), (10**30,)])
@pytest.mark.parametrize("apart", [False, True])
def test_array_larger_than_its_file_takes_no_memory(saved, shape, apart):
    entry = {"shape": list(shape), "dtype": "<f4", "crc32": 0}
    if apart:
        entry["file"] = "lie.npy"
        (saved.parent / "lie.npy").write_bytes(header(shape) + b"\0" * 64)
    rewrite(
        saved,
        lambda m: m["arrays"].update({"en/vectors": entry}),
        {"en/vectors.npy": header(shape) + b"\0" * 64},
    )
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match="en/vectors is damaged"):
            BilBOWA.load(saved)
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()


def test_array_whose_head_says_more_than_the_manifest_is_refused(saved):
    rewrite(saved, members={"en/vectors.npy": header((10**13, 8)) + b"\0" * 64})
    with pytest.raises(FormatError, match="recorded"):
        BilBOWA.load(saved)


def test_array_in_a_later_version_of_the_npy_format_is_refused(saved, tiny_model):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, tiny_model.wv_en.vectors, version=(2, 0))
    rewrite(saved, members={"en/vectors.npy": stream.getvalue()})
    with pytest.raises(FormatError, match=r"another version of the \.npy format"):
        BilBOWA.load(saved)


def test_compressed_members_are_refused(saved):
    rewrite(saved, compression=zipfile.ZIP_DEFLATED)
    with pytest.raises(FormatError, match="is compressed"):
        BilBOWA.load(saved)


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


@pytest.mark.parametrize("apart", [False, True])
def test_array_of_objects_is_refused_and_runs_nothing(saved, tmp_path, apart):
    class Bomb:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "exploded"),)

    data = npy(np.array([Bomb()] * 30, dtype=object))
    entry = {"shape": [30], "dtype": "|O", "crc32": zlib.crc32(data)}
    if apart:
        entry["file"] = "bomb.npy"
        (tmp_path / "bomb.npy").write_bytes(data)
    rewrite(
        saved, lambda m: m["arrays"].update({"en/attribute/x": entry}), {"en/attribute/x.npy": data}
    )
    with pytest.raises(FormatError, match="objects"):
        BilBOWA.load(saved)
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize("name", ["sentences", "corpus_file", "parallel", "callbacks", "trim_rule",
                                  "hashfxn", "self", "nonsense"])  # fmt: skip
def test_parameters_that_would_read_or_run_something_are_refused(saved, tmp_path, name):
    (tmp_path / "text").write_text("a b c\n", encoding="utf-8")
    value = {"en": str(tmp_path / "text"), "de": str(tmp_path / "text")}
    rewrite(saved, lambda m: m["model"]["parameters"].update({name: value}))
    with pytest.raises(FormatError, match=f"no parameters of a model: .*{name}"):
        BilBOWA.load(saved)


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m["model"]["parameters"].update(alpha=float("nan")),
        lambda m: m["model"]["parameters"].update(vector_size=2**70),
        lambda m: m["model"]["parameters"].update(epochs=float("inf")),
        lambda m: m["model"].update(parameters=[]),
        lambda m: m["model"].update(languages=[]),
        lambda m: m["model"].pop("languages"),
        lambda m: m["model"]["languages"].update({"../en": {}}),
        lambda m: m["model"]["languages"]["en"].update(words="x" * 30),
        lambda m: m["model"]["languages"]["en"].update(words=list(range(30))),
        lambda m: m["model"]["languages"]["en"].update(words=None),
        lambda m: m["model"]["languages"]["en"].update(attributes={"a": [1]}),
        lambda m: m["model"]["languages"]["en"].update(attributes=[1]),
        lambda m: m["arrays"].update({"en/vectors": None}),
        lambda m: m["arrays"]["en/vectors"].pop("dtype"),
        lambda m: m["arrays"]["en/vectors"].update(dtype="nonsense"),
        lambda m: m["arrays"]["en/vectors"].update(shape="wide"),
        lambda m: m["arrays"].update({f"x{n}": {} for n in range(100_000)}),
        lambda m: m.update(version="1"),
    ],
)
def test_description_that_makes_no_sense_is_refused(saved, change):
    rewrite(saved, change)
    with pytest.raises(FormatError):
        BilBOWA.load(saved)


@pytest.mark.parametrize("place", [20, 24])
def test_member_that_is_said_to_have_two_sizes_takes_no_memory(tiny_copy, tmp_path, place):
    tiny_copy.save(tmp_path / "m")
    data = bytearray((tmp_path / "m").read_bytes())
    at = data.index(b"PK\x01\x02") + place  # of the first member, where its sizes stand
    data[at : at + 4] = (800 << 20).to_bytes(4, "little")
    (tmp_path / "m").write_bytes(data)
    tracemalloc.start()
    with pytest.raises(FormatError, match=r"two sizes|overlap"):
        BilBOWA.load(tmp_path / "m")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50 << 20


@pytest.mark.parametrize(
    "manifest",
    [{}, {"arrays": {}}, {"model": {}}, {"arrays": [], "model": {}}, {"arrays": {}, "model": []}],
)
def test_manifest_without_its_parts_is_refused(tmp_path, manifest):
    with zipfile.ZipFile(tmp_path / "m", "w") as archive:
        archive.writestr(
            "model.json", json.dumps({"format": "gensim_bilbowa", "version": 1, **manifest})
        )
    with pytest.raises(FormatError, match="the manifest lacks its parts"):
        BilBOWA.load(tmp_path / "m")


@pytest.mark.parametrize("text", ["[" * 100_000, "null", "7", "", '{"format": "gensim_bilbowa"}'])
def test_manifest_that_is_no_manifest_is_refused(tmp_path, text):
    with zipfile.ZipFile(tmp_path / "m", "w") as archive:
        archive.writestr("model.json", text)
    with pytest.raises(FormatError):
        BilBOWA.load(tmp_path / "m")


def replace_array(path, name, array):
    def change(manifest):
        manifest["arrays"][name] = {"shape": list(array.shape), "dtype": array.dtype.str,
                                    "crc32": zlib.crc32(array.tobytes())}  # fmt: skip

    rewrite(path, change, {f"{name}.npy": npy(array)})


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("en/attribute/count", np.full(30, -5), "the counts are -5 to -5"),
        ("en/attribute/count", np.array([9] * 29 + [-1]), "the counts are -1 to 9"),
        ("en/attribute/count", np.zeros(30, np.int64), "the counts are 0 to 0"),
        ("en/attribute/count", np.full(30, np.nan), "the counts are float64"),
        ("en/attribute/count", np.array(["many"] * 30), "the counts are <U4"),
        ("en/attribute/count", np.ones((30, 2)), r"the counts are float64 \(30, 2\)"),
        ("en/attribute/sample_int", np.ones(7, np.uint32), "an attribute has another length"),
        ("en/vectors", np.zeros((30, 9), np.float32), r"vectors .* \(30, 9\)"),
        ("en/vectors", np.array([["x"] * 8] * 30), "vectors .*<U1"),
        ("en/syn1neg", np.zeros((29, 8), np.float32), r"syn1neg .* \(29, 8\)"),
        ("en/syn1neg", np.zeros((30, 8), np.int32), "syn1neg .*int32"),
        ("en/vectors_lockf", np.zeros(0, np.float32), "vectors_lockf is float32"),
        ("en/vectors_lockf", np.zeros((2, 2), np.float32), r"vectors_lockf is float32 \(2, 2\)"),
        ("en/vectors_lockf", np.array(["x"]), "vectors_lockf is <U1"),
    ],
)
def test_array_of_the_wrong_kind_is_refused(saved, name, array, message):
    replace_array(saved, name, array)
    with pytest.raises(FormatError, match=rf"'en'.*{message}"):
        BilBOWA.load(saved)


def test_model_of_a_later_version_is_named(saved):
    rewrite(saved, lambda m: m.update(version=2))
    with pytest.raises(FormatError, match=r"format version 2; .* reads version 1: a newer release"):
        BilBOWA.load(saved)


@pytest.mark.parametrize("kind", ["word2vec", "vectors"])
def test_gensim_file_is_refused_with_the_way_to_load_it(tiny_model, tmp_path, kind):
    (tiny_model["en"] if kind == "word2vec" else tiny_model.wv_en).save(tmp_path / "m")
    with pytest.raises(FormatError, match=r"a pickle, .*BilBOWA\.from_models .* trusted=True"):
        BilBOWA.load(tmp_path / "m")


@pytest.mark.parametrize(
    "data", [b"", b"text\n", pickle.dumps([1], 0), npy(np.zeros(3)), b"PK\5\6"]
)
def test_other_files_are_refused(tmp_path, data):
    (tmp_path / "m").write_bytes(data)
    with pytest.raises(FormatError, match="is not a gensim_bilbowa model"):
        BilBOWA.load(tmp_path / "m")
