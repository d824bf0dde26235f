"""Files that are made to fill the memory: what reading them takes is what SECURITY.md says."""

from __future__ import annotations

import gzip
import json
import lzma
import struct
import zipfile
import zlib

import numpy as np
import pytest
from memory import grown, measures_memory

from gensim_bilbowa import BilBOWA

pytestmark = [measures_memory, pytest.mark.slow]

MIB = 1 << 20


def packed(path, *pieces):
    """Write pieces, each a text and how often it comes; return the bytes they unpack to.

    A large text is given as what makes it, so that it is there for its test alone.
    """
    size = 0
    with gzip.open(path, "wb", compresslevel=9) as stream:
        for text, times in pieces:
            made = text() if callable(text) else text
            data = made.encode() if isinstance(made, str) else made
            size += len(data) * times
            block = max(1, MIB // max(1, len(data)))
            for start in range(0, times, block):
                stream.write(data * min(block, times - start))
    return size


# ---- XML


HEAD = '<tmx><body><tu><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="de"><seg>b</seg>'
UNIT = f"{HEAD}</tuv></tu>\n"
TMX = "sum(1 for _ in TMXPairs(path, pair))"
XLIFF = "sum(1 for _ in XLIFFPairs(path, pair))"


def numbered(form, times):
    return lambda: "".join(form.format(number) for number in range(times))


# A text of which each word is another one.
WORDS = numbered("{:x} ", MIB)


@pytest.mark.parametrize(
    ("pieces", "says"),
    [
        ([(numbered("<a{}/>", 300_000), 1)], "more than 10,000 names"),
        ([("<!--", 1), ("x <", 3 * MIB), ("-->", 1), (numbered("<a{}/>", 300_000), 1)],
         "more than 10,000 names"),
        ([("<!--", 1), ("x <", 3 * MIB), ("--><tu ", 1), (numbered('a{}="" ', 300_000), 1)],
         "more than 10,000 names|more than 20,000 attributes"),
        ([(numbered("<a{}/>", 1), 1), *[(f"<{chr(97 + i) * 900_000}/>", 1) for i in range(26)]],
         "names of elements and attributes of 1,048,576 characters"),
        ([('<tu x="', 1), ("y", 40 * MIB)], "a tag or comment longer than 1,048,576 bytes"),
        ([("<!--", 1), ("y ", 20 * MIB)], "a tag or comment longer than 16,777,216 bytes"),
        ([("<!-- ", 1), ("y ", 6 * MIB), ("-->", 1)] * 5, "not well-formed"),
        ([("<tu>", 1), (numbered('<tuv xml:lang="a{}"><seg>x</seg></tuv>', 100_000), 1)],
         "a unit in more than 1,000 languages"),
        ([("<tu>", 1), ('<tuv xml:lang="de"><seg/></tuv>', MIB)], "not well-formed"),
        ([('<tu><tuv xml:lang="en"><seg>', 1), (WORDS, 1)], "a text longer than 1,048,576"),
        ([('<tu><tuv xml:lang="en"><seg>', 1), ("\U0001f600" * 1000, 30_000)],
         "a text longer than 1,048,576"),
        ([(f'<tu><tuv xml:lang="{"x" * 500_000}{i}"><seg>a</seg></tuv></tu>', 1)
          for i in range(150)], "not well-formed"),
    ],
    ids=["names", "names-after-comment", "attributes-after-comment", "long-names", "tag",
         "comment", "comments", "languages", "segments", "words", "emoji", "long-languages"],
)  # fmt: skip
def test_translation_memory(tmp_path, pieces, says):
    packed(tmp_path / "x.tmx.gz", (UNIT, 1), *pieces)
    said, mib = grown(tmp_path / "x.tmx.gz", TMX)
    assert any(part in said for part in says.split("|"))
    assert mib < 100


def nested(depth):
    begin = "".join(f'<mrk mtype="seg" mid="{i}">' for i in range(depth))
    text = "x" * 500_000
    return [
        ('<xliff><file source-language="en" target-language="de"><body><trans-unit>', 1),
        (f"<source>{begin}{text}{'</mrk>' * depth}</source><target>b</target>", 1),
        ("</trans-unit></body></file></xliff>", 1),
    ]


def test_nested_segments(tmp_path):
    packed(tmp_path / "x.xlf.gz", *nested(150))
    _, mib = grown(tmp_path / "x.xlf.gz", XLIFF)
    assert mib < 100


# ---- catalogs and tables


PO = 'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "a"\nmsgstr "b"\n\n'


MO_HEAD = b"", b"Language: de\n"


def mo(*messages):
    """Return an MO file; messages are pairs of bytes."""
    tables, data = bytearray(), bytearray()
    start = 28 + 16 * len(messages)
    for side in zip(*messages, strict=True):
        for text in side:
            tables += struct.pack("<2I", len(text), start + len(data))
            data += text + b"\0"
    count = len(messages)
    return struct.pack("<7I", 0x950412DE, 0, count, 28, 28 + 8 * count, 0, 0) + tables + data


def mo_of_many_forms():
    return mo(MO_HEAD, (b"a\0b", b"\0" * 60 * MIB), (b"c", b"d"))


def mo_of_many_messages():
    return mo(MO_HEAD, *[(b"%05d" % i, b"x") for i in range(10**5)])


@pytest.mark.parametrize(
    ("suffix", "read", "pieces", "says"),
    [
        ("po", "POPairs", [(PO, 1), ('msgid "c"\nmsgstr ""\n', 1), ('"ab"\n', 10 * MIB)],
         "a text of more than 65,536 strings"),
        ("po", "POPairs", [(PO, 1), ('msgid "', 1), ("\U0001f600", 12 * MIB)],
         "longer than 4,194,304 characters"),
        ("po", "POPairs", [(PO, 1), ('msgid "\U0001f600', 1), ("ab ", MIB), ('"\nmsgstr "c"\n', 1)],
         "1"),
        ("po", "POPairs", [(PO, 1), ("# \U0001f600\n", 4 * MIB)], "1"),
        ("mo", "MOPairs", [(mo_of_many_forms, 1)], "1"),
        ("mo", "MOPairs", [(mo_of_many_messages, 1)], "1"),
    ],
    ids=["po-strings", "po-line", "po-text", "po-emoji", "mo-forms", "mo"],
)  # fmt: skip
def test_catalog(tmp_path, suffix, read, pieces, says):
    path = tmp_path / f"x.{suffix}.gz"
    size = packed(path, *pieces) / MIB
    said, mib = grown(path, f"sum(1 for _ in {read}(path, pair))")
    assert any(part in said for part in says.split("|"))
    assert mib < 50 + 8 * size


TABLE = "sum(1 for _ in ParallelSentences(path, languages=pair, skip_bad=True))"
ROW = '{"en": "a", "de": "b"}\n'
LONG_ROW = '{"en": "c", "de": "d", "x": ['


@pytest.mark.parametrize(
    ("suffix", "pieces", "says"),
    [
        ("jsonl", [(ROW, 9), (LONG_ROW, 1), ("{},", MIB), ("0]}\n", 1)], "9"),
        ("jsonl", [(ROW, 9), (LONG_ROW, 1), ('"ab",', 800_000), ("0]}\n", 1)], "10"),
        ("jsonl", [(ROW, 9), ("x" * 1000, 30_000)], "longer than 4,194,304"),
        ("jsonl", [(ROW, 9), *[(f'{{"{"k" * 4 * 10**6}{i}": 1}}\n', 1) for i in range(100)]], "9"),
        ("csv", [("en,de\n" + "a,b\n" * 9, 1), ("c," * (2 * MIB - 10) + "\n", 1)], "10"),
        ("csv", [("en,de\n" + "a,b\n" * 9, 1), ("ab,", 4 * MIB // 3 - 1), ("\n", 1)], "10"),
        ("tsv", [("a\tb\n", 9), ("ab\t", 4 * MIB // 3 - 1), ("\n", 1)], "10"),
        ("tsv", [("a\tb\n", 9), ("ab ", 4 * MIB // 3 - 10), ("\tb\n", 1)], "9"),
    ],
    ids=["json-objects", "json-strings", "line", "keys", "cells", "strings", "tabs", "words"],
)  # fmt: skip
def test_table(tmp_path, suffix, pieces, says):
    path = tmp_path / f"x.{suffix}.gz"
    packed(path, *pieces)
    said, mib = grown(path, TABLE)
    assert any(part in said for part in says.split("|"))
    assert mib < 250


# ---- text


LINES = "sum(1 for _ in LineCorpus(path))"
PAIRS = "sum(1 for _ in ParallelSentences(path, languages=pair))"


@pytest.mark.parametrize(
    ("pieces", "read"),
    [
        ([("ab ", 16 * MIB // 3 - 10), ("\n", 1)] * 3, LINES),
        # Letters beyond Latin-1 are objects each, and one wide character makes a line wide.
        ([("\U0001f600 ", 1), ("\u0436 ", 16 * MIB // 3 - 10), ("\n", 1)] * 3, LINES),
        ([("\u0436\t", 16 * MIB // 3 - 10), ("\n", 1)] * 3, PAIRS),
    ],
    ids=["words", "letters", "cells"],
)
def test_long_lines(tmp_path, pieces, read):
    size = packed(tmp_path / "x.gz", *pieces) / MIB
    said, mib = grown(tmp_path / "x.gz", read)
    assert said == "3"
    assert mib < min(50 + 32 * size, 1.1 * 1024)


def test_line_without_end_is_refused(tmp_path):
    packed(tmp_path / "x.gz", ("a b\n", 9), ("\U0001f600", 12 * MIB))
    said, mib = grown(tmp_path / "x.gz", LINES)
    assert "line 10: longer than 16,777,216 bytes" in said
    assert mib < 100


# ---- text, packed in ways of its own


def xz_of_large_dictionary(path, size):
    """Write text that says to need a dictionary of 1.5 GiB."""
    packer = lzma.LZMACompressor(preset=0)
    piece = b"a b c d\n" * (MIB // 8)
    data = bytearray(b"".join(packer.compress(piece) for _ in range(size)) + packer.flush())
    # The head of the first block: its size, flags, the filter with its one property, a checksum.
    end = 12 + 4 * (data[12] + 1)
    data[data.index(b"\x21\x01", 12) + 2] = 37
    data[end - 4 : end] = struct.pack("<I", zlib.crc32(data[12 : end - 4]))
    path.write_bytes(data)


def test_xz_file_that_wants_a_large_dictionary_is_refused(tmp_path):
    xz_of_large_dictionary(tmp_path / "x.xz", 200)
    said, mib = grown(tmp_path / "x.xz", "sum(1 for _ in LineCorpus(path))")
    assert "more than 134,217,728 bytes of memory are needed to unpack it" in said
    assert mib < 50


VECTORS = "len(read_vectors(path))"


@pytest.mark.parametrize(
    ("pieces", "read"),
    [
        ([("a b c d\n", 14 * MIB)], "sum(1 for _ in LineCorpus(path))"),
        ([("w " + "0 " * 1000 + "\n", 55_000)], VECTORS),
    ],
    ids=["text", "vectors"],
)
def test_file_that_holds_far_more_than_it_was_packed_to_is_refused(tmp_path, pieces, read):
    packed(tmp_path / "x.gz", *pieces)
    said, mib = grown(tmp_path / "x.gz", read)
    assert "200 times as much" in said
    assert mib < 50


# ---- vectors and dictionaries


def words(count, form="{:x}"):
    return map(form.format, range(count))


@pytest.mark.parametrize(
    ("text", "read", "factor"),
    [
        (lambda: "200000 1\n" + "".join(f"{word} 0\n" for word in words(200_000)), VECTORS, 50),
        (lambda: "".join(f"{word}{' 0' * 300}\n" for word in words(50_000)), VECTORS, 5),
        (lambda: "".join(f"{word} {word}\n" for word in words(200_000)),
         "len(read_dictionary(path))", 60),
        (lambda: "en,de\n" + "".join(f"{word},b\n" for word in words(200_000)),
         "len(Glossary.read(path, pair))", 120),
    ],
    ids=["vectors-of-one", "vectors-of-zeros", "dictionary", "glossary"],
)  # fmt: skip
def test_words(tmp_path, text, read, factor):
    path = tmp_path / "x.txt"
    path.write_text(text(), encoding="utf-8")
    size = path.stat().st_size / MIB
    _, mib = grown(path, read)
    assert mib < 50 + factor * size


# ---- models


LOAD = "read_model(path)[0] and 1"


def with_manifest(path, document):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model.json", document)


@pytest.mark.parametrize("element", ["{}", '{"":0}', "[0]", '["[",[]]'])
def test_manifest_of_a_model_with_objects_without_end_is_refused(tmp_path, element):
    document = "[" + ",".join([element] * (9 * 10**6 // (len(element) + 1))) + "]"
    with_manifest(tmp_path / "x.model", document)
    said, mib = grown(tmp_path / "x.model", LOAD)
    assert "lists and objects" in said
    assert mib < 60


def test_manifest_of_a_model_takes_memory_for_its_words(tmp_path):
    words = [f"[{number:x}{{" for number in range(500_000)]
    document = {"format": "gensim_bilbowa", "version": 1, "arrays": {}, "model": {"words": words}}
    with_manifest(tmp_path / "x.model", json.dumps(document))
    said, mib = grown(tmp_path / "x.model", LOAD)
    assert said == "1"
    assert mib < 50 + 20 * (tmp_path / "x.model").stat().st_size / MIB


def local_header(name, data):
    head = struct.pack("<4s5H3I2H", b"PK\3\4", 20, 0, 0, 0, 33, zlib.crc32(data), len(data),
                       len(data), len(name), 0)  # fmt: skip
    return head + name


def overlapping(path, count, size):
    """Write a model each of whose arrays has all that follow it in its data."""
    entries, directory, blob = {}, b"", np.random.default_rng(0).bytes(size)
    ends = []
    for number in range(count):
        header = np.lib.format.header_data_from_array_1_0(np.frombuffer(blob, np.uint8))
        shown = b"\x93NUMPY\1\0v\0" + repr(header).encode().ljust(117) + b"\n"
        name = f"x{number}.npy".encode()
        entries[f"x{number}"] = {
            "shape": [len(blob)], "dtype": "|u1", "crc32": zlib.crc32(blob),
        }  # fmt: skip
        data = shown + blob
        ends.append((name, struct.pack("<I", zlib.crc32(data)), len(data)))
        blob = local_header(name, data) + data
    manifest = {"format": "gensim_bilbowa", "version": 1, "arrays": entries, "model": {}}
    document = json.dumps(manifest).encode()
    whole = blob + local_header(b"model.json", document) + document
    for name, crc, length in ends:
        at = len(blob) - length - 30 - len(name)
        directory += central_header(name, crc, length, at)
    crc = struct.pack("<I", zlib.crc32(document))
    directory += central_header(b"model.json", crc, len(document), len(blob))
    numbers = 0, 0, count + 1, count + 1, len(directory), len(whole), 0
    path.write_bytes(whole + directory + struct.pack("<4s4H2IH", b"PK\5\6", *numbers))


def central_header(name, crc, length, at):
    head = struct.pack("<4s6H", b"PK\1\2", 20, 20, 0, 0, 0, 33) + crc
    return head + struct.pack("<2I5H2I", length, length, len(name), 0, 0, 0, 0, 0, at) + name


def test_members_of_a_model_that_overlap_are_refused(tmp_path):
    overlapping(tmp_path / "x.model", 100, 2 * MIB)
    said, mib = grown(tmp_path / "x.model", LOAD)
    assert "overlap" in said.lower()
    assert mib < 50


def test_arrays_of_a_model_that_share_a_file_by_links_are_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros(5 * MIB))
    entry = {"shape": [5 * MIB], "dtype": "<f8", "crc32": zlib.crc32(bytes(40 * MIB))}
    entries = {}
    for number in range(10):
        (tmp_path / f"{number}.npy").symlink_to("a.npy")
        entries[f"{number}"] = {**entry, "file": f"{number}.npy"}
    document = {"format": "gensim_bilbowa", "version": 1, "arrays": entries, "model": {}}
    with_manifest(tmp_path / "x.model", json.dumps(document))
    said, mib = grown(tmp_path / "x.model", LOAD)
    assert "two arrays are said to be in one file" in said
    assert mib < 50


def with_ngrams(path, word, **ngrams):
    pairs = {("en", "de"): [(["a", "b"], ["c", "d"])] * 5}
    model = BilBOWA(parallel=pairs, subwords=True, bucket=10, vector_size=1, min_count=1, epochs=1)
    model.save(path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(members.pop("model.json"))
    manifest["model"]["languages"]["en"].update(ngrams)
    manifest["model"]["languages"]["en"]["words"][0] = word
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        archive.writestr("model.json", json.dumps(manifest))


@pytest.mark.parametrize(
    ("word", "ngrams", "says"),
    [
        ("x" * 10_000, {"max_n": 1000}, "have more than 1,048,576 characters"),
        ("x" * 100_000, {}, "have more than 1,048,576 characters"),
        ("x" * 10_000, {}, "read"),
    ],
)
def test_ngrams_of_a_word_of_a_model(tmp_path, word, ngrams, says):
    with_ngrams(tmp_path / "x.model", word, **ngrams)
    said, mib = grown(tmp_path / "x.model", "BilBOWA.load(path)")
    assert says in said
    assert mib < 60


# ---- words of a text


def test_words_of_a_text_that_are_none_are_left_out(tmp_path, caplog):
    sentences = [["a", "b", "x" * 1001]] * 5
    model = BilBOWA(
        sentences={"en": sentences, "de": sentences[:1]}, min_count=1, epochs=1, alignment=False
    )
    assert sorted(model["en"].wv.index_to_key) == ["a", "b"]
    assert "1 words of more than 1000 characters are left out" in caplog.text
