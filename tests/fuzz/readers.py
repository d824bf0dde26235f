"""The readers of files, what they are fed with, and what they may do with it.

A reader returns or raises one of the package's errors or an OSError. It does not crash, hang, or
take memory that the file's size does not call for.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import struct
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from gensim.models import KeyedVectors
from mutations import in_cache, in_gzip, in_safetensors, in_zip, mutated
from scipy import sparse

from gensim_bilbowa import BilBOWA, CrossLingualVectors, LineCorpus, ParallelSentences
from gensim_bilbowa.callbacks import Checkpoint
from gensim_bilbowa.corpora.cache import EncodingCache, Entry, _write
from gensim_bilbowa.corpora.compiled_reading import TextFile
from gensim_bilbowa.corpora.encoded import EncodedCorpus, EncodedSide
from gensim_bilbowa.corpora.mo import MOPairs
from gensim_bilbowa.corpora.ts import TSPairs
from gensim_bilbowa.errors import BilBOWAError
from gensim_bilbowa.evaluation import read_documents, read_similarities
from gensim_bilbowa.evidence import AlignedCounts
from gensim_bilbowa.files import moving, records, staging
from gensim_bilbowa.formats import read_dictionary, read_vectors, write_dictionary
from gensim_bilbowa.formats.word2vec import read_counts
from gensim_bilbowa.kernels import Text
from gensim_bilbowa.terminology import Form, Glossary, Term, TermExample, TermList, Translation
from gensim_bilbowa.terminology.general import GeneralLanguage

ALLOWED = BilBOWAError, OSError


@dataclass(frozen=True)
class Reader:
    """A reader and files that it reads, as `make` writes them to a path."""

    suffix: str
    make: Callable[[Path], object]
    read: Callable[[Path], object]
    damage: Callable = mutated

    @property
    def seed(self) -> bytes:
        return _seed(self)

    def feed(self, data: bytes, folder: Path) -> None:
        """Let it read what it may not like."""
        path = folder / f"fed{self.suffix}"
        path.write_bytes(data)
        try:
            self.read(path)
        except ALLOWED as error:
            if not str(error):
                raise AssertionError("an error without a message") from error


@cache
def _seed(reader):
    # On Windows a file cannot be removed before what is mapped of it is gone.
    with TemporaryDirectory(ignore_cleanup_errors=os.name == "nt") as folder:
        path = Path(folder) / f"seed{reader.suffix}"
        reader.make(path)
        reader.read(path)  # as it is, it is read
        return path.read_bytes()


LINES = [f"a{i} b{i % 3} ein Wörtchen 日本 {i}" for i in range(12)]


def lines(path):
    path.write_text("\n".join(LINES), encoding="utf-8")


def zipped_lines(path):
    path.write_bytes(gzip.compress("\n".join(LINES).encode()))


def archive(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a.tsv", "en\tde\n" + "a house\tein Haus\n" * 9)
        packed.writestr("b/c.po", PO)
        packed.writestr("d.tmx.gz", gzip.compress(TMX.encode()))


def columns(path):
    path.write_text("".join(f"{line}\t{line[::-1]}\n" for line in LINES), encoding="utf-8")


def pairs(path):
    return [*ParallelSentences(path, languages=("en", "de"))]


def glossary(path):
    return Glossary.read(path, ("en", "de"))


def as_text(text):
    return lambda path: path.write_text(text, encoding="utf-8")


TMX = """<?xml version="1.0" encoding="UTF-8"?>
<!-- a memory --><tmx version="1.4"><header srclang="en"/><body>
<tu tuid="1"><tuv xml:lang="en"><seg>a <b>house</b> &amp; &#233;</seg></tuv>
<tuv xml:lang="de"><seg>ein Haus <ph x="1"/></seg></tuv></tu>
<tu><tuv lang="EN-us"><seg>two</seg></tuv><tuv lang="de"><seg><![CDATA[zwei]]></seg></tuv></tu>
</body></tmx>
"""
XLIFF = """<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="a" source-language="en" target-language="de" datatype="plaintext"><body>
<trans-unit id="1"><source>a <g id="1">house</g></source><target state="final">ein Haus</target>
</trans-unit><trans-unit id="2"><source>two</source><seg-source><mrk mtype="seg" mid="1">two</mrk>
</seg-source><target><mrk mtype="seg" mid="1">zwei<x id="1" ctype="lb"/></mrk></target></trans-unit>
</body></file></xliff>
"""
TS = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE TS><TS version="2.1" sourcelanguage="en" language="de_DE"><context><name>a</name>
<message numerus="yes"><source>a <byte value="x1b"/>house</source><comment>b</comment>
<translation><numerusform>ein Haus</numerusform><numerusform>zwei</numerusform></translation>
</message><message><source>two</source><translation type="unfinished"/></message></context></TS>
"""
TBX = """<?xml version="1.0" encoding="UTF-8"?>
<tbx type="TBX-Basic" style="dca" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2"><text><body>
<conceptEntry id="c1"><langSec xml:lang="en"><termSec><term>a <hi>house</hi></term></termSec>
</langSec><langSec xml:lang="de"><descrip type="definition">x</descrip><termSec><term>Haus</term>
<termNote type="administrativeStatus">preferredTerm-admn-sts</termNote></termSec></langSec>
</conceptEntry><termEntry><langSet lang="en"><ntig><termGrp><term>two</term></termGrp></ntig>
</langSet><langSet lang="de"><tig><term>zwei &amp; 2</term></tig></langSet></termEntry>
</body></text></tbx>
"""
GLOSSARY = """# a glossary
house (n)\tHaus, Gebäude (n)\ta remark
to post; book\tbuchen/verbuchen\t
account: parent\tKonto &amp; Co; 1,5

two\t
"""
PO = r"""# a catalogue
msgid ""
msgstr ""
"Language: de\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

#, fuzzy
msgctxt "menu"
msgid "a \"house\""
msgstr "ein Haus\n"
"und noch eins"

msgid "one"
msgid_plural "%d"
msgstr[0] "eins"
msgstr[1] "%d"
"""


def compiled(path):
    """Write the messages of an MO file, with a header, a context and a plural."""
    strings = [
        (b"", b"Language: de\nContent-Type: text/plain; charset=UTF-8\n"),
        (b"menu\x04house", b"Haus"),
        (b"one\0%d", b"eins\0%d"),
    ]
    table, data = [[], []], b""
    for side in (0, 1):
        for pair in strings:
            table[side] += len(pair[side]), 28 + 16 * len(strings) + len(data)
            data += pair[side] + b"\0"
    header = 0x950412DE, 0, len(strings), 28, 28 + 8 * len(strings), 0, 0
    path.write_bytes(struct.pack(f"<{7 + 4 * len(strings)}I", *header, *table[0], *table[1]) + data)


def keyed(prefix="w"):
    vectors = KeyedVectors(5)
    rows = np.random.default_rng(1).normal(size=(8, 5)).astype(np.float32)
    vectors.add_vectors([f"{prefix}{i}" for i in range(8)], rows)
    for i in range(8):
        vectors.set_vecattr(f"{prefix}{i}", "count", 100 - i)
    return vectors


def glove(path):
    vectors = keyed()
    rows = (" ".join(map(repr, map(float, row))) for row in vectors.vectors)
    names = vectors.index_to_key
    path.write_text(
        "".join(f"{w} {r}\n" for w, r in zip(names, rows, strict=True)), encoding="utf-8"
    )


def space():
    aligned = AlignedCounts()
    table = np.random.default_rng(2).exponential(size=(8, 8)).round().astype(np.float32)
    aligned.add("en", "de", sparse.csr_array(table))
    return CrossLingualVectors({"en": keyed("e"), "de": keyed("d")}, aligned)


def in_folder(name, binary=False):
    """A folder of vectors of which one file is damaged, and its checksum taken away."""

    def make(path):
        folder = path.parent / "folder"
        space().save(folder, format="binary" if binary else "text")
        path.write_bytes((folder / name).read_bytes())

    def read(path):
        folder = path.parent / "folder"
        if not folder.exists():
            space().save(folder, format="binary" if binary else "text")
            manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
            manifest["crc32"] = {}
            (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        path.replace(folder / name)
        found = CrossLingualVectors.load(folder)
        path.write_bytes((folder / name).read_bytes())
        return found

    return make, read


TRAINED_ON = [(["a", "b", "c"], ["x", "y"]), (["b", "a"], ["y", "x", "z"])] * 3


def trained(**more):
    options = {"vector_size": 4, "min_count": 1, "epochs": 1, "workers": 1, "negative": 2}
    return BilBOWA(parallel={("en", "de"): TRAINED_ON}, **options, **more)


def model(path):
    trained().save(path)


def model_of_ngrams(path):
    trained(subwords=["en"], bucket=50, min_n=2, max_n=3).save(path)


def checkpoint(path):
    folder = path.parent / "checkpoints"
    trained(callbacks=[Checkpoint(folder, keep=1)])
    path.write_bytes(Checkpoint(folder).paths[-1].read_bytes())


def gone_on_with(path):
    """Load a checkpoint and train as far as it lets."""
    model = BilBOWA.load(path)
    if model.unfinished:
        model.train(parallel={("en", "de"): TRAINED_ON}, resume=True)


def array_of_a_model(name):
    """An array that is a file of its own; the model is in a folder beside it."""

    def make(path):
        folder = path.parent / "parts"
        folder.mkdir(exist_ok=True)
        if not list(folder.iterdir()):
            trained().save(folder / "model", sep_limit=0)
        path.write_bytes(next(folder.glob(f"*.{name}.npy")).read_bytes())

    def read(path):
        folder = path.parent / "parts"
        if not folder.exists():
            make(path.parent / "whole")
        next(folder.glob(f"*.{name}.npy")).write_bytes(path.read_bytes())
        mapped = BilBOWA.load(folder / "model", mmap="r")  # no checksum is taken, so all is read
        assert mapped.wv_en.vectors.shape == (3, 4)
        assert mapped.wv.aligned["en", "de"].toarray().shape == (3, 3)
        with suppress(BilBOWAError):  # of a vector that is not finite
            mapped.wv_en.most_similar_cross("a")
        return BilBOWA.load(folder / "model")

    return make, read


def encoded(path):
    corpus = EncodedCorpus(np.array([0, 1, 2, 1], np.int32), np.array([0, 3, 3, 4]), 5)
    _write(path, EncodedSide(corpus, np.array([False, True, False])))


def entry(path):
    file = TextFile(LineCorpus(path))
    side = Entry(EncodingCache(path.parent), path, file, "", None, words=3).load()
    if side is not None:
        corpus, blank = side
        assert len(corpus) == len(blank)
        Text(corpus.ids, corpus.offsets, np.zeros(3, np.uint32))  # what training makes of it


def term_list(path):
    example = TermExample("a dog", "ein Hund", "de.po", "7")
    hund = Translation("Hund", 8, 6.5, 0.93, 1.7, (Form("Hunde", 2),), (example,), True)
    dog = Term("dog", 7, 3.2, (hund,), (("Köter", 0.1),), (Form("dogs", 3),), True)
    TermList(("en", "de"), (dog, dog), {"one letter": 3}).save(path)


def kill_save(folder):
    """Leave what a save does that is killed when it has begun to move its files."""
    folder.mkdir()
    for name, text in (("m", "old"), ("m.0.npy", "old"), ("notes.txt", "mine")):
        (folder / name).write_text(text, encoding="utf-8")
    left = folder / ".m.0123abcd.partial"
    left.mkdir()
    for name in ("m.1.npy", "m"):
        (left / name).write_text("new", encoding="utf-8")
    with moving.turn(folder, "m", bool) as turn:
        turn.begin(left, ["m.1.npy", "m"], ["m.0.npy"])


def record_of_moves(path):
    with TemporaryDirectory() as folder:
        kill_save(Path(folder) / "killed")
        path.write_bytes((Path(folder) / "killed" / ".m.turn" / "record.json").read_bytes())


def finished_save(path):
    """Read what a record says is new, and save; what is no file of such a save stays."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary) / "killed"
        kill_save(folder)
        (folder / ".m.turn" / "record.json").write_bytes(path.read_bytes())
        found = records.read_together(folder, "m", lambda find: find("m").read_text("utf-8"))
        assert found in ("old", "new")
        with staging.staged(folder / "m") as (new,):
            new.write_text("newer", encoding="utf-8")
        assert (folder / "m").read_text("utf-8") == "newer"
        assert (folder / "notes.txt").read_text("utf-8") == "mine"
        assert not list(folder.glob(".*"))


READERS = {
    "lines": Reader(".txt", lines, lambda path: [*LineCorpus(path)]),
    "gzip": Reader(".gz", zipped_lines, lambda path: [*LineCorpus(path)], in_gzip),
    "bzip2": Reader(
        ".bz2", lambda path: path.write_bytes(bz2.compress("\n".join(LINES).encode())),
        lambda path: [*LineCorpus(path)],
    ),
    "xz": Reader(
        ".xz", lambda path: path.write_bytes(lzma.compress("\n".join(LINES).encode())),
        lambda path: [*LineCorpus(path)],
    ),
    "archive": Reader(".zip", archive, pairs),
    "archive of damaged files": Reader(".zip", archive, pairs, in_zip),
    "columns": Reader(".tsv", columns, pairs),
    "csv": Reader(".csv", as_text('en;de\n"a ""b""\nc";"d;e"\nf;g\n' * 3), pairs),
    "columns in quotes": Reader(".tsv", as_text('en\tde\n"a ""b""\nc"\td\nf\tg\n'), pairs),
    "unicode text": Reader(
        ".txt", lambda path: path.write_text("en\tde\r\nä b\tö\r\n", encoding="utf-16"), pairs
    ),
    "json lines": Reader(
        ".jsonl", as_text('{"translation": {"en": "a \\ud83d\\ude00", "de": "b"}, "n": 1}\n' * 3),
        pairs,
    ),
    "tmx": Reader(".tmx", as_text(TMX), pairs),
    "xliff": Reader(".xlf", as_text(XLIFF), pairs),
    "ts": Reader(".ts", as_text(TS), lambda path: [*TSPairs(path, ("en", "de"))]),
    "po": Reader(".po", as_text(PO), pairs),
    "tbx": Reader(".tbx", as_text(TBX), glossary),
    "glossary": Reader(".txt", as_text(GLOSSARY), glossary),
    "mo": Reader(".mo", compiled, lambda path: [*MOPairs(path, ("en", "de"))]),
    "word2vec text": Reader(
        ".vec", lambda path: keyed().save_word2vec_format(path), lambda path: read_vectors(path)
    ),
    "word2vec binary": Reader(
        ".bin", lambda path: keyed().save_word2vec_format(path, binary=True),
        lambda path: read_vectors(path, binary=True),
    ),
    "glove": Reader(".txt", glove, lambda path: read_vectors(path)),
    "guessed vectors": Reader(
        ".bin", lambda path: keyed().save_word2vec_format(path, binary=True),
        lambda path: read_vectors(path),
    ),
    "counts": Reader(
        ".counts", as_text("".join(f"w{i} {100 - i}\n" for i in range(8))),
        lambda path: read_counts(path, keyed(), "strict"),
    ),
    "manifest": Reader(".json", *in_folder("manifest.json")),
    "folder of text": Reader(".part", *in_folder("en.vec")),
    "aligned words": Reader(".part", *in_folder("en-de.aligned")),
    "folder of binaries": Reader(".part", *in_folder("en.bin", binary=True)),
    "safetensors": Reader(
        ".safetensors", lambda path: space().save(path),
        lambda path: CrossLingualVectors.load(path), in_safetensors,
    ),
    "model": Reader(".model", model, BilBOWA.load, in_zip),
    "model as bytes": Reader(".model", model, BilBOWA.load),
    "checkpoint": Reader(".model", checkpoint, gone_on_with, in_zip),
    "model of n-grams": Reader(".model", model_of_ngrams, BilBOWA.load, in_zip),
    "array of a model": Reader(".npy", *array_of_a_model("en.vectors")),
    "data of aligned words": Reader(".npy", *array_of_a_model("en.aligned.de.data")),
    "indices of aligned words": Reader(".npy", *array_of_a_model("en.aligned.de.indices")),
    "indptr of aligned words": Reader(".npy", *array_of_a_model("en.aligned.de.indptr")),
    "term list": Reader(".json", term_list, TermList.load),
    "labelled documents": Reader(
        ".tsv", as_text("category\ttext\n" + "a\tein Haus\nb\t\"zwei\"\n" * 4), read_documents
    ),
    "similar words": Reader(
        ".tsv", as_text("# words\n" + "dog\tHund\t9.5\ncat\tHaus\t1e-3\n" * 4), read_similarities
    ),
    "general counts": Reader(
        ".txt", as_text("".join(f"w{i}\t{100 - i}\n" for i in range(60))),
        lambda path: GeneralLanguage.of(path, "en"),
    ),
    "dictionary": Reader(
        ".txt", lambda path: write_dictionary(path, {"dog": ["hund"], "cat": ["katze", "kater"]}),
        lambda path: read_dictionary(path),
    ),
    "record of moves": Reader(".json", record_of_moves, finished_save),
    "encoded text": Reader(".encoded", encoded, entry, in_cache),
}  # fmt: skip
