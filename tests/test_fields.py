"""Each field of each file is checked where it is read: what loads can be saved and loaded again."""

from __future__ import annotations

import copy
import json
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner
from samples import made_up_pairs

from gensim_bilbowa import BilBOWA, CrossLingualVectors, Tokenizer
from gensim_bilbowa.callbacks import Checkpoint
from gensim_bilbowa.cli import cli
from gensim_bilbowa.cli.train import _OPTIONS
from gensim_bilbowa.corpora import cache
from gensim_bilbowa.corpora.encoded import EncodedCorpus, EncodedSide
from gensim_bilbowa.errors import BilBOWAError, ConfigError, CorpusNotFoundError, FormatError
from gensim_bilbowa.files import staging
from gensim_bilbowa.files.storage import read_model, write_model
from gensim_bilbowa.formats import dispatch
from gensim_bilbowa.modelling import persistence
from gensim_bilbowa.terminology import Form, Term, TermExample, TermList, Translation
from gensim_bilbowa.vectors.counts import word_counts

DEEP: Any = "deep"
MISSING: Any = "missing"
WRONG = [
    None, True, 0, 1, -1, -5, 1.5, float("nan"), float("inf"), 2**31, 2**53 + 1, 2**64, 10**400,
    -(10**400), "", "x", "\ud800", "9" * 5000, [], [1], ["x"], {}, {"x": 1}, DEEP, MISSING,
]  # fmt: skip
QUICK = {"vector_size": 3, "epochs": 2, "workers": 1, "min_count": 1, "negative": 2}


def as_json(document):
    return json.dumps(document).replace(json.dumps(DEEP), "[" * 5000 + "]" * 5000)


def places(value, path=()):
    """Where values stand in a document, of a list the first ones."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else []
    inner = list(enumerate(value))[:2] if isinstance(value, list) else inner
    for key, one in inner:
        yield from places(one, (*path, key))


def changed(document, path, value):
    document = copy.deepcopy(document)
    *outer, last = path
    inner = document
    for key in outer:
        inner = inner[key]
    if value is MISSING:
        del inner[last]
    else:
        inner[last] = value
    return document


# ---- the formats: how a document of each is read from a file, and put in its place


@dataclass(frozen=True)
class Format:
    """A file with JSON in it, how it is loaded, and saved again."""

    make: Any  # writes it into a folder, and returns its path
    get: Any
    put: Any
    load: Any
    save: Any = lambda found, path: found.save(path)


def members(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def get_manifest(path):
    return json.loads(members(path)["model.json"])


def put_manifest(path, text):
    found = members(path) | {"model.json": text.encode()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in found.items():
            archive.writestr(name, data)


def pairs():
    return {("en", "de"): made_up_pairs(20, words=6)}


def trained():
    model = BilBOWA(parallel=pairs(), **QUICK)
    model.tokenizers["en"] = Tokenizer("en")
    return model


def model(folder):
    """One whose training has ended in the midst of its second epoch."""
    checkpoint = Checkpoint(folder / "c", every_minutes=0, keep=100)
    model = BilBOWA(subwords=["en"], bucket=20, batch_words=20, **QUICK)
    model.tokenizers["en"] = Tokenizer("en")
    model.build_vocab(parallel=pairs())
    model.train(parallel=pairs(), callbacks=[checkpoint])
    for path in checkpoint.paths:
        said = get_manifest(path)["model"]
        if said["loss_history"] and said["run"]["position"]["tally"]:
            break
    return path


def vectors(folder):
    trained().wv.save(folder / "v")
    return folder / "v"


def safe(folder):
    trained().wv.save(folder / "v.safetensors")
    return folder / "v.safetensors"


def get_metadata(path):
    data = path.read_bytes()
    header = json.loads(data[8 : 8 + struct.unpack("<Q", data[:8])[0]])
    metadata = header["__metadata__"]
    return {
        name: json.loads(text) if text.startswith(("[", "{")) else text
        for name, text in metadata.items()
    }


def put_metadata(path, text):
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    # JSON within JSON, cut by hand since what is within may be too deep to parse.
    parts = {name: as_json(value) for name, value in text.items()}
    header["__metadata__"] = {
        name: value if isinstance(text[name], dict | list) or text[name] is DEEP
        else json.loads(value) if isinstance(text[name], str) else value
        for name, value in parts.items()
    }  # fmt: skip
    made = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(made)) + made + data[8 + length :])


def term_list(folder):
    example = TermExample("a dog", "ein Hund", "de.po", "7")
    hund = Translation("Hund", 8, 6.5, 0.93, 1.7, (Form("Hunde", 2),), (example,), True)
    dog = Term("dog", 7, 3.2, (hund,), (("Köter", 0.1),), (Form("dogs", 3),), True)
    TermList(("en", "de"), (dog,), {"one letter": 3}).save(folder / "t.json")
    return folder / "t.json"


def of_text(name=None):
    def get(path):
        return json.loads((path / name if name else path).read_text(encoding="utf-8"))

    def put(path, text):
        (path / name if name else path).write_text(text, encoding="utf-8")

    return get, put


FORMATS = {
    "model": Format(model, get_manifest, put_manifest, BilBOWA.load),
    "folder": Format(vectors, *of_text("manifest.json"), CrossLingualVectors.load),
    "safetensors": Format(safe, get_metadata, put_metadata, CrossLingualVectors.load),
    "term list": Format(term_list, *of_text(), TermList.load),
}
TEXT_IN_JSON = {"safetensors"}


def refused_or_loaded(load, path):
    try:
        return load(path)
    except (BilBOWAError, FileNotFoundError) as error:  # the latter of another file that it names
        if str(path) not in str(error):
            raise
    return None


@pytest.fixture(autouse=True)
def swift(monkeypatch):
    """Let no save wait for the disk."""
    monkeypatch.setattr(staging, "sync", lambda path: None)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name == "model" else ()) for name in FORMATS],
)
def test_wrong_value_anywhere_is_refused_by_file_or_can_be_saved_and_loaded(name, tmp_path):
    form = FORMATS[name]
    path = form.make(tmp_path)
    document = form.get(path)
    again = tmp_path / f"again{path.suffix}"
    loaded = 0
    for place in places(document):
        for value in WRONG:
            if value is MISSING and isinstance(place[-1], int):
                continue
            other = changed(document, place, value)
            form.put(path, other if name in TEXT_IN_JSON else as_json(other))
            try:
                found = refused_or_loaded(form.load, path)
                if found is not None:
                    loaded += 1
                    form.save(found, again)
                    form.load(again)
            except Exception as error:
                error.add_note(f"{place}: {value!r:.40}")
                raise
    assert loaded  # where a value is as good as the one before


# ---- files of the command


@pytest.mark.parametrize("name", [*_OPTIONS, "subwords", "parameters", "strange"])
def test_wrong_parameter_in_a_file_is_wrong_usage_or_is_taken(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for value in WRONG:
        text = as_json({} if value is MISSING else {name: value})
        Path("p.json").write_text(text, encoding="utf-8")
        arguments = ["train", "-o", "m", "--pairs", "en,de=none.tsv", "--parameters", "p.json"]
        error = CliRunner().invoke(cli, arguments, standalone_mode=False).exception
        if isinstance(error, click.BadParameter):
            assert "p.json" in str(error)
        else:  # of several parameters; or the text is not there
            assert isinstance(error, click.UsageError | ConfigError | CorpusNotFoundError), value


@pytest.mark.parametrize("text", ["[" * 5000, "[1]", "7", "null", '{"a": 1, "a": 1}', "", "\ufeff"])
def test_wrong_record_of_options_is_refused_by_file(tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    Path("t.tsv").write_text(
        "".join(f"{' '.join(a)}\t{' '.join(b)}\n" for a, b in made_up_pairs(20, words=6)),
        encoding="utf-8",
    )
    BilBOWA(parallel=pairs(), callbacks=[Checkpoint("m.checkpoints", every_epochs=1)], **QUICK)
    Path("m.checkpoints/bilbowa-train.json").write_text(text, encoding="utf-8")
    arguments = ["train", "-o", "m", "--pairs", "en,de=t.tsv", "--resume"]
    error = CliRunner().invoke(cli, arguments, standalone_mode=False).exception
    assert isinstance(error, FormatError), error
    assert "bilbowa-train.json: the options" in str(error)


# ---- what a program gives


SET = {
    "epochs_trained": [-5, 1.5, 10**400, None],
    "total_train_time": [-1.0, float("nan"), float("inf"), 10**400, "x"],
    "running_training_loss": [float("nan"), 10**400, None],
    "loss_history": [None, [{}], [{"epoch": 1}]],
    "alpha": [-1, float("nan"), 10**400, "x"],
    "epochs": [0, 10**400, 1.5],
    "comment": [7],
}


@pytest.mark.parametrize(("name", "value"), [(name, v) for name in SET for v in SET[name]])
def test_model_that_could_not_be_loaded_again_is_not_saved(tmp_path, name, value):
    model = trained()
    model.save(tmp_path / "m")
    before = (tmp_path / "m").read_bytes()
    setattr(model, name, value)
    with pytest.raises((ConfigError, FormatError), match=name):
        model.save(tmp_path / "m")
    assert (tmp_path / "m").read_bytes() == before


@pytest.mark.parametrize("name", ["alpha", "xling_clip", "sample", "epochs", "align_pulls"])
@pytest.mark.parametrize("value", [10**400, -(10**400), 2**1030, float("nan")])
def test_number_that_no_float_holds_is_refused_by_name(name, value):
    with pytest.raises(ConfigError, match=f"{name} must be a"):
        BilBOWA(**{name: value})


COUNTS = {
    "negative": np.array([9] * 5 + [-1]), "of fractions": np.ones(6, np.float32),
    "of truth": np.ones(6, bool), "too large": np.full(6, 2**62),
    "too large for a sign": np.full(6, 2**63 + 5, np.uint64), "of rows": np.ones((6, 2), int),
}  # fmt: skip


@pytest.mark.parametrize("name", COUNTS)
def test_counts_that_are_none_are_refused_wherever_they_come_from(tmp_path, monkeypatch, name):
    model = trained()
    space = model.wv
    good, bad = space["en"].expandos["count"], COUNTS[name]
    assert len(good) == len(bad)
    with monkeypatch.context() as patch:
        for module in (dispatch, persistence):
            patch.setattr(module, "check_counts", lambda *arguments: None)
        patch.setattr(persistence, "check_start", lambda languages, besides: None)
        space["en"].expandos["count"] = bad
        space.save(tmp_path / "v.safetensors")
        model.save(tmp_path / "m")
    for load, path in ((CrossLingualVectors.load, "v.safetensors"), (BilBOWA.load, "m")):
        with pytest.raises(FormatError, match=rf"{path}.*'en'.*the counts are"):
            load(tmp_path / path)
    for use in (
        lambda: space.save(tmp_path / "v"), lambda: model.save(tmp_path / "m2"),
        lambda: space.save(tmp_path / "v2.safetensors"), lambda: word_counts(space["en"]),
        lambda: model.train(parallel=pairs()), lambda: space["en"].sentence_vectors([["e1"]]),
        lambda: BilBOWA.from_models({"en": space["en"]}, parallel=pairs(), **QUICK),
    ):  # fmt: skip
        with pytest.raises(ConfigError, match="'en': the counts are"):
            use()
    space["en"].expandos["count"] = good
    assert word_counts(space["en"]) is not None


@pytest.mark.parametrize("name", ["syn1neg", "vectors_lockf"])
def test_weights_that_are_not_finite_are_neither_saved_nor_loaded(tmp_path, name):
    model = trained()
    model.save(tmp_path / "m")
    document, arrays = read_model(tmp_path / "m")
    arrays[f"en/{name}"][...] = np.nan
    write_model(tmp_path / "m", document, arrays, separate_bytes=1 << 30)
    with pytest.raises(FormatError, match=f"'en': {name} .* not finite|'en': {name} is not finite"):
        BilBOWA.load(tmp_path / "m")
    owner = model["en"] if name == "syn1neg" else model["en"].wv
    getattr(owner, name)[...] = np.nan
    with pytest.raises(ConfigError, match=f"{name}.* is not finite"):
        model.save(tmp_path / "m2")


def test_number_of_a_callers_own_kind_is_saved_with_a_training(tmp_path):
    checkpoint = Checkpoint(tmp_path, every_epochs=1, keep=9)
    model = BilBOWA(**QUICK)
    model.build_vocab(parallel=pairs())
    model.train(parallel=pairs(), total_words=np.int64(500), callbacks=[checkpoint])
    assert BilBOWA.load(checkpoint.paths[1]).unfinished


# ---- encoded text


@pytest.mark.parametrize("field", ["lines", "tokens", "raw words"])
@pytest.mark.parametrize("number", [-1, 1, 2**62, -(2**63)])
def test_header_of_encoded_text_that_says_what_is_not_there_is_refused(tmp_path, field, number):
    corpus = EncodedCorpus(np.array([0, 1, 2, 1], np.int32), np.array([0, 3, 4]), 5)
    cache._write(tmp_path / "e", EncodedSide(corpus, np.array([False, False])))
    data = bytearray((tmp_path / "e").read_bytes())
    place = 16 + 8 * ["lines", "tokens", "raw words"].index(field)
    struct.pack_into("<q", data, place, number)
    data[56:64] = bytes(8)
    struct.pack_into("<q", data, 56, zlib.crc32(data))
    with pytest.raises(ValueError, match="header"):
        cache._unpack(np.frombuffer(data, np.uint8), None)
