"""Many files as one: folders, patterns, lists, archives; and which reader each file gets."""

from __future__ import annotations

import gzip
import logging
import lzma
import os
import random
import tarfile
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from gensim_bilbowa import BilBOWA, LineCorpus, ParallelSentences, Tokenizer
from gensim_bilbowa.cli import cli
from gensim_bilbowa.corpora.kinds import reader_of, text_of
from gensim_bilbowa.corpora.po import POPairs
from gensim_bilbowa.corpora.tmx import TMXPairs
from gensim_bilbowa.corpora.watching import watch_readings
from gensim_bilbowa.corpora.xliff import XLIFFPairs
from gensim_bilbowa.errors import (
    ConfigError,
    CorpusError,
    CorpusFileError,
    CorpusNotFoundError,
    ParallelDataError,
)

EN_DE = {"languages": ("en", "de")}


def tmx(*pairs, codes=("en", "de")):
    units = "".join(
        "<tu>" + "".join(
            f'<tuv xml:lang="{code}"><seg>{text}</seg></tuv>'
            for code, text in zip(codes, pair, strict=True)
        ) + "</tu>" for pair in pairs
    )  # fmt: skip
    return f'<?xml version="1.0"?>\n<tmx version="1.4"><header/><body>{units}</body></tmx>'


XLIFF = (
    '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">'
    '<file source-language="en" target-language="de"><body><trans-unit id="1">'
    "<source>the dog</source><target>der Hund</target></trans-unit></body></file></xliff>"
)
PO = """# A catalog.
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\nLanguage: LANG\\n"

msgid "the cat"
msgstr "die Katze"
"""


def po(language="de"):
    return PO.replace("LANG", language)


@pytest.fixture
def folder(tmp_path):
    """Three files with a pair each, one of another language, and what is no text at all."""
    place = tmp_path / "texts"
    (place / "deeper").mkdir(parents=True)
    (place / "a.tmx").write_text(tmx(("the house", "das Haus")), encoding="utf-8")
    (place / "b.xlf").write_text(XLIFF, encoding="utf-8")
    (place / "deeper/de.po").write_text(po(), encoding="utf-8")
    (place / "deeper/fr.po").write_text(po("fr"), encoding="utf-8")
    (place / "README").write_text("read me\n", encoding="utf-8")
    (place / "picture.svg").write_text('<?xml version="1.0"?><svg/>', encoding="utf-8")
    return place


PAIRS = [
    (["the", "house"], ["das", "haus"]),
    (["the", "dog"], ["der", "hund"]),
    (["the", "cat"], ["die", "katze"]),
]


# ---- which reader


@pytest.mark.parametrize(
    ("content", "reader"),
    [
        (tmx(), TMXPairs),
        ("<!-- <xliff> -->\n<!DOCTYPE tmx SYSTEM 'tmx14.dtd'>\n" + tmx().split("\n")[1], TMXPairs),
        ('<t:tmx xmlns:t="x"/>', TMXPairs),
        (XLIFF, XLIFFPairs),
        (po(), POPairs),
        ("\n#, fuzzy\n\n" + 'msgctxt "menu"\nmsgid "a"\nmsgstr "b"\n', POPairs),
        ("msgid\tmessages\n", None),
        ("# a heading\tin a table\n", None),
        ("<b>bold</b>\t<b>fett</b>\n", None),
        ("a house\tein Haus\n", None),
        ("", None),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_what_is_in_a_file_says_which_reader_it_gets(tmp_path, content, reader, encoding, pack):
    path = tmp_path / "some.file"
    path.write_bytes(pack(content.encode(encoding)))
    assert reader_of(str(path)) is reader


def test_utf_16_without_a_mark_is_told(tmp_path):
    for encoding in ("utf-16-le", "utf-16-be"):
        (tmp_path / "x").write_bytes(tmx().encode(encoding))
        assert reader_of(str(tmp_path / "x")) is TMXPairs


@pytest.mark.parametrize(
    ("name", "reader"),
    [("a.tmx", TMXPairs), ("A.TMX.GZ", TMXPairs), ("a.sdlxliff", XLIFFPairs), ("a.po", POPairs),
     ("a.tsv", None), ("a.tmx.txt", None)],
)  # fmt: skip
def test_where_nothing_can_be_read_the_name_says_it(tmp_path, name, reader):
    assert reader_of(str(tmp_path / name)) is reader


def test_type_script_is_no_translation_file(tmp_path):
    (tmp_path / "main.ts").write_text("export const a = 1;\n", encoding="utf-8")
    (tmp_path / "a.tmx").write_text(tmx(("a house", "ein Haus")), encoding="utf-8")
    assert list(ParallelSentences(tmp_path, **EN_DE)) == [(["a", "house"], ["ein", "haus"])]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.po", 'msgid "a"\nmsgstr "b"\n', "line 1: the header names no language; 'de' is wanted"),
        (
            "b.po",
            'msgid ""\nmsgstr "Language: fr\\n"\n\nmsgid "a"\nmsgstr "b"\n',
            "line 2: the header says that the translations are in 'fr'; 'de' is wanted",
        ),
        (
            "c.ts",
            "<TS><message><source>a</source><translation>b</translation></message></TS>",
            "1 without this language",
        ),
    ],
)
def test_text_of_one_language_is_none_of_a_file_that_does_not_name_it(tmp_path, name, text, says):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(ParallelDataError, match=says):
        list(text_of(tmp_path / name, "de"))


def test_what_is_mended_in_text_of_one_language_is_told(tmp_path, caplog):
    (tmp_path / "a.tmx").write_text(tmx(("a house", "ein &#1;Haus")), encoding="utf-8")
    text = text_of(tmp_path / "a.tmx", "de")
    for _ in range(2):
        assert list(text) == [["ein", "haus"]]
    assert caplog.text.count("mended: 1 characters that XML forbids") == 1


def test_content_goes_before_the_name(tmp_path):
    (tmp_path / "a.po").write_text(tmx(("a house", "ein Haus")), encoding="utf-8")
    pairs = ParallelSentences(tmp_path / "a.po", **EN_DE)
    assert list(pairs) == [(["a", "house"], ["ein", "haus"])]


def test_xml_of_another_kind_is_refused_by_name(tmp_path):
    (tmp_path / "terms.xml").write_text(
        '<?xml version="1.0"?><martif type="TBX"/>', encoding="utf-8"
    )
    with pytest.raises(CorpusError, match=r"terms\.xml: XML of another kind \(<martif>\)"):
        ParallelSentences(tmp_path / "terms.xml", **EN_DE)


# ---- many files


def test_files_that_are_split_alike_are_split_as_one(folder, monkeypatch):
    pairs = ParallelSentences(folder, **EN_DE)
    assert pairs._kept._splits == (Tokenizer("en", markup=True), Tokenizer("de", markup=True))
    assert list(pairs) == list(pairs) == PAIRS
    assert [part.ways for part in pairs.parts] == [pairs.ways] * 4


def test_a_file_of_another_kind_with_the_suffix_of_catalogs_is_left_out(folder, caplog):
    (folder / "package.mo").write_text("model Package\n", encoding="utf-8")
    assert list(ParallelSentences(folder, **EN_DE)) == PAIRS
    assert "1 .mo" in caplog.text


def test_a_folder_gives_the_pairs_of_all_translation_files_in_it(folder, caplog):
    caplog.set_level(logging.INFO)
    pairs = ParallelSentences(folder, **EN_DE)
    assert list(pairs) == PAIRS
    assert [report.pairs for report in pairs.reports] == [1, 1, 1, 0]
    assert [report.path for report in pairs.reports] == [
        str(folder / name) for name in ("a.tmx", "b.xlf", "deeper/de.po", "deeper/fr.po")
    ]
    assert pairs.dropped == {"in 'fr' by the header": 1}
    assert "2 files of other kinds are left out" in caplog.text
    assert "3 pairs of 4 files, 1 of them without any" in caplog.text
    assert list(pairs) == PAIRS  # as often as one likes


def test_a_pattern_gives_the_files_that_match(folder):
    pairs = ParallelSentences(str(folder / "**/*.po"), **EN_DE)
    assert list(pairs) == PAIRS[2:]
    with pytest.raises(CorpusNotFoundError, match=r"no file matches .*\*\.nothing"):
        ParallelSentences(str(folder / "*.nothing"), **EN_DE)


def test_a_name_with_the_signs_of_a_pattern_is_that_file(tmp_path):
    path = tmp_path / ("a[1].tmx" if os.name == "nt" else "a[1]*.tmx")
    path.write_text(tmx(("the house", "das Haus")), encoding="utf-8")
    assert list(ParallelSentences(path, **EN_DE)) == PAIRS[:1]


def test_a_name_with_the_signs_of_a_pattern_in_an_archive_is_that_file(tmp_path):
    path = tmp_path / "b.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a [1].tmx", tmx(("the house", "das Haus")))
        archive.writestr("b [2].tmx", tmx(("the dog", "der Hund")))
    assert list(ParallelSentences(path, **EN_DE)) == PAIRS[:2]


def test_hidden_files_are_left_out_of_folders_and_counted(folder, caplog):
    (folder / "._a.tmx").write_bytes(b"\0\5\26\7")
    (folder / ".git").mkdir()
    (folder / ".git" / "x.tsv").write_text("no table\n", encoding="utf-8")
    assert list(ParallelSentences(folder, **EN_DE)) == PAIRS
    assert "4 files of other kinds are left out" in caplog.text


def test_what_is_left_out_of_a_folder_is_said_once_with_its_kinds(tmp_path, caplog):
    (tmp_path / "a.tsv").write_text("the dog\tder Hund\n", encoding="utf-8")
    (tmp_path / "b.xlsx").write_bytes(b"x")
    (tmp_path / "c.zip").write_bytes(b"x")
    list(ParallelSentences(tmp_path, **EN_DE))
    messages = [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]
    assert messages == [f"{tmp_path}: 2 files of other kinds are left out: 1 .xlsx, 1 .zip"]


def test_packed_files_in_an_archive_are_unpacked(tmp_path):
    path = tmp_path / "b.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.tmx.gz", gzip.compress(tmx(("the house", "das Haus")).encode()))
        archive.writestr("b.tmx.xz", lzma.compress(tmx(("the dog", "der Hund")).encode()))
    assert list(ParallelSentences(path, **EN_DE)) == PAIRS[:2]


def test_a_packed_file_in_an_archive_that_ends_too_early_is_named(tmp_path):
    data = gzip.compress(random.Random(1).randbytes(9999).hex().encode())
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("a.gz", data[:5000])
    with pytest.raises(CorpusFileError, match=r"b\.zip[/\\]a\.gz cannot be read"):
        list(LineCorpus(tmp_path / "b.zip" / "a.gz"))


def test_an_archive_in_an_archive_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.tsv", "a\tb\n")
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.write(tmp_path / "a.zip", "a.zip")
    with pytest.raises(CorpusFileError, match=r"b\.zip/a\.zip is an archive in an archive; unpack"):
        list(ParallelSentences(tmp_path / "b.zip", **EN_DE))


def test_an_archive_without_files_is_refused(tmp_path):
    zipfile.ZipFile(tmp_path / "a.zip", "w").close()
    with pytest.raises(CorpusFileError, match=r"a\.zip is an archive without files"):
        list(ParallelSentences(tmp_path / "a.zip", **EN_DE))


@pytest.mark.parametrize("name", ["[Content_Types].xml", "content.xml"])
def test_an_office_file_is_told_from_other_archives(tmp_path, name):
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/x")
        archive.writestr(name, "<x/>")
    with pytest.raises(CorpusFileError, match="save the sheet as CSV UTF-8"):
        ParallelSentences(path, **EN_DE)
    with pytest.raises(CorpusFileError, match="save the sheet as CSV UTF-8"):
        list(LineCorpus(path))


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.4\n%abc\n", "a PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), "an old office file"),
        (b"SQLite format 3\0" + bytes(99), "a database; of a translation memory .* export TMX"),
        (b"PAR1\x15\4", "a Parquet file"),
        (b"7z\xbc\xaf\x27\x1c\0\4", "a 7z archive"),
        (b"Rar!\x1a\x07\0", "a RAR archive"),
    ],
)
def test_files_that_are_no_text_are_refused_by_kind(tmp_path, data, kind):
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(CorpusFileError, match=f"a is {kind}"):
        list(ParallelSentences(tmp_path / "a", **EN_DE))
    with pytest.raises(CorpusFileError, match=f"a is {kind}"):
        list(LineCorpus(tmp_path / "a"))


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz"])
def test_a_tar_archive_is_not_read_as_lines(tmp_path, mode):
    (tmp_path / "a.txt").write_text("the house\n", encoding="utf-8")
    with tarfile.open(tmp_path / "a.tgz", mode) as archive:
        archive.add(tmp_path / "a.txt", "a.txt")
    with pytest.raises(CorpusFileError, match=r"a\.tgz is a tar archive; unpack it"):
        list(LineCorpus(tmp_path / "a.tgz"))


def test_several_texts_of_an_archive_are_not_mixed(tmp_path):
    path = tmp_path / "corpus.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("a.en", "a.de", "b.en", "b.de"):
            archive.writestr(name, f"{name}\n")
    with pytest.raises(
        CorpusFileError, match=r"has 2 texts in .* --parallel en=.*/a\.en de=.*a\.de"
    ):
        ParallelSentences(path, **EN_DE)


def test_sides_of_an_archive_have_the_same_name_but_for_the_language(tmp_path):
    path = tmp_path / "corpus.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("b.en", "a.en", "a.de"):
            archive.writestr(name, f"{name}\n")
    assert list(ParallelSentences(path, **EN_DE)) == [(["a.en"], ["a.de"])]


def test_a_list_of_paths_gives_all_of_them(folder):
    paths = [folder / "b.xlf", str(folder / "a.tmx")]
    assert list(ParallelSentences(paths, **EN_DE)) == [PAIRS[1], PAIRS[0]]


def test_an_archive_gives_the_pairs_of_its_files(folder, tmp_path):
    path = tmp_path / "texts.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("a.tmx", "b.xlf", "README"):
            archive.write(folder / name, f"texts/{name}")
    pairs = ParallelSentences(path, **EN_DE)
    assert list(pairs) == PAIRS[:2]
    assert [report.path for report in pairs.reports] == [
        f"{path}/texts/a.tmx", f"{path}/texts/b.xlf"
    ]  # fmt: skip


def test_two_files_of_an_archive_named_by_languages_are_the_two_sides(tmp_path):
    path = tmp_path / "corpus.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("README", "about it")
        archive.writestr("Corpus.de-en.de", "das Haus\nder Hund\n")
        archive.writestr("Corpus.de-en.en", "the house\nthe dog\n")
    pairs = ParallelSentences(path, **EN_DE)
    assert list(pairs) == [(["the", "house"], ["das", "Haus"]), (["the", "dog"], ["der", "Hund"])]
    assert pairs.files is not None  # read by compiled code


def test_tables_among_the_files_are_read_as_tables(tmp_path):
    (tmp_path / "a.tmx").write_text(tmx(("The house", "Das Haus")), encoding="utf-8")
    (tmp_path / "b.tsv").write_text("The dog\tDer Hund\n", encoding="utf-8")
    pairs = ParallelSentences(tmp_path, **EN_DE)
    assert list(pairs) == [PAIRS[0], (["The", "dog"], ["Der", "Hund"])]
    upper = ParallelSentences(tmp_path, tokenizer=lambda text: [text.upper()], **EN_DE)
    assert list(upper) == [(["THE HOUSE"], ["DAS HAUS"]), (["THE DOG"], ["DER HUND"])]


def test_files_without_any_pair_are_an_error_with_the_reasons(folder):
    pairs = ParallelSentences(folder / "deeper", languages=("en", "es"))
    reasons = r"none of 2 files has pairs; left out: 1 in 'de' by the header, 1 in 'fr' by the"
    with pytest.raises(ParallelDataError, match=reasons):
        list(pairs)


def test_a_folder_without_any_translation_file_is_an_error(tmp_path):
    (tmp_path / "README").write_text("read me\n", encoding="utf-8")
    with pytest.raises(CorpusNotFoundError, match=r"no translation file or table in .*1 files"):
        ParallelSentences(tmp_path, **EN_DE)


def test_a_damaged_file_among_many_is_named(folder):
    (folder / "a.tmx").write_text(tmx(("the house", "das Haus"))[:-20], encoding="utf-8")
    with pytest.raises(CorpusError, match=r"a\.tmx, line 2: not well-formed"):
        list(ParallelSentences(folder, **EN_DE))


def test_damaged_files_among_many_are_left_out_and_counted_if_one_says_so(folder, caplog):
    (folder / "a.tmx").write_text(tmx(("the house", "das Haus"))[:-20], encoding="utf-8")
    (folder / "c.po").write_bytes(po().encode()[:-2])
    pairs = ParallelSentences(folder, skip_bad=True, **EN_DE)
    assert list(pairs) == PAIRS[1:]
    assert pairs.dropped["damaged files from the damage on"] == 2
    assert "left out from here on: " in caplog.text
    assert "a.tmx, line 2: not well-formed" in caplog.text


def test_all_are_told_as_one_batch(folder):
    seen = []
    with watch_readings(seen.append):
        list(ParallelSentences(folder, **EN_DE))
    batches = {reading.batch for reading in seen}
    assert len(batches) == 1
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.suffix in
               (".tmx", ".xlf", ".po"))  # fmt: skip
    (one,) = batches
    assert (one.files, one.size) == (4, size)


def test_filters_and_phrases_go_over_all_of_them(folder):
    kept = ParallelSentences(folder, **EN_DE).filtered(max_words=2, drop_duplicates=True)
    assert list(kept) == PAIRS


# ---- one side of a translation file


def test_a_translation_file_gives_its_texts_of_one_language(folder):
    text = text_of(folder / "a.tmx", "de")
    assert list(text) == [["das", "haus"]]
    assert list(text_of(folder / "deeper/de.po", "de")) == [["die", "katze"]]
    assert list(text_of(folder / "b.xlf", "en", tokenizer=str.split)) == [["the", "dog"]]


def test_texts_of_a_language_that_a_file_lacks_are_an_error(folder):
    with pytest.raises(ParallelDataError, match=r"a\.tmx: no unit has text in 'fr'; 1 units \(1"):
        list(text_of(folder / "a.tmx", "fr"))


def test_units_without_the_language_are_counted(tmp_path, caplog):
    units = tmx(("the house", "das Haus"), (" ", "der Hund"))
    french = tmx(("the cat", "le chat"), codes=("en", "fr"))
    body = french[french.index("<tu>") : french.index("</body>")]
    (tmp_path / "a.tmx").write_text(units.replace("</body>", body + "</body>"), encoding="utf-8")
    for code, found, dropped in (
        ("de", 2, {"without this language": 1}), ("en", 2, {"blank": 1}),
    ):  # fmt: skip
        text = text_of(tmp_path / "a.tmx", code)
        assert len(list(text)) == found
        assert text.dropped == dropped
        assert f"'{code}': 2 texts, left out: 1 " in caplog.text


def test_a_model_learns_from_its_side(folder, tmp_path):
    model = BilBOWA(
        {"en": folder / "a.tmx"}, parallel={("en", "de"): folder / "b.xlf"}, min_count=1,
        vector_size=8, epochs=1, workers=1,
    )  # fmt: skip
    assert set(model.wv_en.index_to_key) == {"the", "house"}
    assert set(model.wv_de.index_to_key) == {"der", "hund"}


def test_a_translation_file_for_one_side_of_pairs_is_refused(folder):
    with pytest.raises(ConfigError, match=r"a\.tmx is a translation file, .* --pairs en,de=.*a\."):
        ParallelSentences(folder / "a.tmx", folder / "b.xlf", **EN_DE)


# ---- on the command line


def train(*arguments):
    options = ["--vector-size", "8", "--epochs", "1", "--min-count", "1", "--workers", "1"]
    return CliRunner().invoke(cli, ["train", *map(str, arguments), *options], standalone_mode=False)


@pytest.mark.parametrize("verbose", [[], ["-v"]])
def test_command_says_what_many_files_gave(folder, tmp_path, verbose):
    result = train("-o", tmp_path / "m", "--pairs", f"en,de={folder}", *verbose)
    assert result.exit_code == 0
    assert "en-de: 3 pairs of 4 files, 1 of them without any; left out: 1 in 'fr'" in result.stderr
    told = f"{Path('deeper/fr.po')}; left out: 1 in 'fr' by the header" in result.stderr
    assert told == bool(verbose)


def test_command_takes_a_pattern_that_the_shell_left(folder, tmp_path):
    result = train("-o", tmp_path / "m", "--pairs", f"en,de={folder}/deeper/*.po")
    assert result.exit_code == 0
    assert "1 pairs of 2 files" in result.stderr


def test_command_leaves_damaged_files_out_if_one_says_so(folder, tmp_path):
    (folder / "a.tmx").write_text(tmx(("the house", "das Haus"))[:-20], encoding="utf-8")
    given = ["-o", tmp_path / "m", "--pairs", f"en,de={folder}"]
    assert "a.tmx, line 2" in str(train(*given).exception)
    result = train(*given, "--skip-bad")
    assert result.exit_code == 0
    assert "1 damaged files from the damage on" in result.stderr
    alone = train("-o", tmp_path / "m", "--pairs", f"en,de={folder}/b.xlf", "--skip-bad")
    assert "--skip-bad: for tables or many files of --pairs" in alone.exception.message


def test_model_may_not_replace_a_file_of_the_pattern(folder):
    result = train("-o", folder / "deeper/de.po", "--pairs", f"en,de={folder}/deeper/*.po")
    assert "is an input file, which it would replace" in result.exception.message


def test_languages_are_still_two(folder):
    with pytest.raises(ConfigError, match="two different languages"):
        ParallelSentences(folder, languages=("en", "en"))


def test_command_takes_its_side_of_a_translation_file(folder, tmp_path):
    result = train(
        "-o", tmp_path / "m", "--pairs", f"en,de={folder}/b.xlf", "--text", f"en={folder}/a.tmx"
    )
    assert result.exit_code == 0
    result = train("-o", tmp_path / "m", "--parallel", f"en={folder}/a.tmx", f"de={folder}/b.xlf")
    assert "--pairs en,de=" in str(result.exception)


@pytest.mark.parametrize("tokenizer", [None, str.split])
def test_archives_of_a_file_for_each_language_are_parts_of_a_list(tmp_path, tokenizer):
    for name, texts in (("a", ("the house", "das Haus")), ("b", ("a dog", "ein Hund"))):
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as archive:
            for code, text in zip(("en", "de"), texts, strict=True):
                archive.writestr(f"{name}.{code}", f"{text}\n")
    paths = [tmp_path / "a.zip", tmp_path / "b.zip"]
    pairs = ParallelSentences(paths, **EN_DE, tokenizer=tokenizer)
    expected = [(["the", "house"], ["das", "Haus"]), (["a", "dog"], ["ein", "Hund"])]
    assert list(pairs) == list(pairs) == expected
    assert [pair for part in paths for pair in ParallelSentences(part, **EN_DE)] == expected
    model = BilBOWA(parallel=pairs, vector_size=4, min_count=1, epochs=1, workers=1)
    assert sorted(model.wv_de.index_to_key) == ["Haus", "Hund", "das", "ein"]
