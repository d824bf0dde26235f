"""Documents with labels, from tables and folders."""

from __future__ import annotations

import gzip
import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gensim_bilbowa import Tokenizer
from gensim_bilbowa.errors import CorpusError, CorpusNotFoundError, FormatError
from gensim_bilbowa.evaluation import read_documents

SIB = (
    "index_id\tcategory\ttext\n"
    "12\tsports\tThey won.\n"
    '7\tscience/technology\t"""Now,"" he said."\n'
    "\n"
    '9\tsports\tA "cup" was won\n'
)


def test_columns_are_found_by_the_header(tmp_path):
    (tmp_path / "eng.tsv").write_text(SIB, encoding="utf-8")
    texts, labels = read_documents(tmp_path / "eng.tsv")
    assert texts == [["They", "won."], ['"Now,"', "he", "said."], ["A", '"cup"', "was", "won"]]
    assert labels == ["sports", "science/technology", "sports"]


def test_columns_may_have_other_names(tmp_path):
    (tmp_path / "x.tsv").write_bytes(b"body\tid\ttopic\r\nred house\t1\thomes\r\n")
    assert read_documents(tmp_path / "x.tsv", text="body", label="topic") == (
        [["red", "house"]], ["homes"]
    )  # fmt: skip


def test_packed_file_is_split_by_a_tokenizer(tmp_path):
    (tmp_path / "eng.tsv.gz").write_bytes(gzip.compress(SIB.encode()))
    found = read_documents(tmp_path / "eng.tsv.gz", tokenizer=Tokenizer("en"))
    assert found.texts[0] == ["they", "won", "."]


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\t\r\n"), min_size=1)


@settings(max_examples=25)
@given(rows=st.lists(st.tuples(CELL, CELL.filter(str.strip)), min_size=1))
def test_what_pandas_writes_is_read(tmp_path_factory, rows):
    pandas = pytest.importorskip("pandas")
    path = tmp_path_factory.mktemp("pandas") / "x.tsv"
    pandas.DataFrame(rows, columns=["text", "category"]).to_csv(path, sep="\t", index=False)
    found = read_documents(path, tokenizer=lambda text: [text])
    assert [(text, label) for (text,), label in zip(*found, strict=True)] == rows


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id\ttext\n1\ta\n", r"x.tsv, line 1: one column named 'category' .* \['id', 'text'\]"),
        ("text\ttext\tcategory\n", "line 1: one column named 'text'"),
        ("", "line 1: one column named 'text'"),
        ("text\tcategory\na\tb\nc\n", "line 3: 2 cells are wanted, as in the header, got 1"),
        ("text\tcategory\na\tb\tc\n", "line 2: 2 cells are wanted, as in the header, got 3"),
        ("text\tcategory\n\na\t \n", "line 3: the label is empty"),
        ("text\tcategory\n", "x.tsv: no documents"),
    ],
)
def test_what_is_wrong_in_a_table_is_located(tmp_path, text, message):
    (tmp_path / "x.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_documents(tmp_path / "x.tsv")


def test_missing_file_is_an_error(tmp_path):
    with pytest.raises(CorpusNotFoundError):
        read_documents(tmp_path / "x.tsv")


@pytest.fixture
def folder(tmp_path):
    for path, text in (
        ("train/GCAT/200", "elections\nwere held\n"),
        ("train/CCAT/30", "shares fell"),
        ("train/CCAT/100", ""),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path / "train"


def test_folder_has_a_folder_for_each_class(folder, caplog):
    texts, labels = read_documents(folder)
    assert texts == [[], ["shares", "fell"], ["elections", "were", "held"]]
    assert labels == ["CCAT", "CCAT", "GCAT"]
    assert not caplog.records


def test_what_is_no_document_is_counted_in_the_log(folder, caplog):
    (folder / "README").write_text("about", encoding="utf-8")
    (folder / "GCAT" / ".DS_Store").write_text("x", encoding="utf-8")
    (folder / "GCAT" / "deeper").mkdir()
    (folder / ".git").mkdir()
    with caplog.at_level(logging.WARNING):
        assert len(read_documents(folder).labels) == 3
    assert "passed over 4 files and folders" in caplog.text


def test_file_that_is_not_utf8_is_named(folder):
    (folder / "GCAT" / "200").write_bytes(b"elections\ncaf\xe9\n")
    with pytest.raises(CorpusError, match=r"200, line 2, byte 4: not UTF-8"):
        read_documents(folder)
    assert read_documents(folder, errors="replace").texts[2] == ["elections", "caf\ufffd"]


def test_folder_without_documents_is_an_error(tmp_path):
    with pytest.raises(FormatError, match="no documents"):
        read_documents(tmp_path)
