"""Each field of each file is checked where it is read: what loads can be saved and loaded again."""

from __future__ import annotations

import copy
import json
import struct
import zipfile
from dataclasses import dataclass
from typing import Any

import pytest
from samples import made_up_pairs

from gensim_bilbowa import BilBOWA, CrossLingualVectors, Tokenizer, staging
from gensim_bilbowa.callbacks import Checkpoint
from gensim_bilbowa.errors import BilBOWAError
from gensim_bilbowa.terminology import Form, Term, TermExample, TermList, Translation

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


def trained(**more):
    model = BilBOWA(parallel=pairs(), **QUICK, **more)
    model.tokenizers["en"] = Tokenizer("en")
    return model


def model(folder):
    trained(subwords=["en"], bucket=20).save(folder / "m")
    return folder / "m"


def checkpoint(folder):
    """A model whose training has ended in the midst of an epoch."""
    checkpoint = Checkpoint(folder / "c", every_minutes=0, keep=100)
    BilBOWA(parallel=pairs(), callbacks=[checkpoint], batch_words=20, **QUICK)
    return next(
        path for path in checkpoint.paths
        if get_manifest(path)["model"]["run"]["position"]["tally"]
    )  # fmt: skip


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
    "checkpoint": Format(checkpoint, get_manifest, put_manifest, BilBOWA.load),
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


@pytest.mark.parametrize("name", FORMATS)
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
