"""bilbowa evaluate: each measure, as Python gives it."""

from __future__ import annotations

import json
import sys

import click
import pytest
from click.testing import CliRunner
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.cli import cli
from gensim_bilbowa.errors import ConfigError, UnknownLanguageError
from gensim_bilbowa.evaluation import (
    document_classification,
    invert,
    read_documents,
    sentence_retrieval,
    word_similarity,
    word_translation,
)


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)), standalone_mode=False)


def rows(*arguments):
    result = run("evaluate", *arguments, "--json")
    assert result.exception is None
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("evaluate")
    pairs = made_up_pairs(150)
    BilBOWA(parallel={("en", "de"): pairs}, **SMALL).wv.save(folder / "vectors")
    for side, (code, letter) in enumerate((("en", "e"), ("de", "d"))):
        lines = [" ".join(pair[side]) for pair in pairs]
        (folder / f"text.{code}").write_text(
            "".join(f"{line}\n" for line in lines[:40]), encoding="utf-8"
        )
        table = [f"{'first' if f'{letter}1 ' in line else 'rest'}\t{line}\n" for line in lines]
        (folder / f"{code}.tsv").write_text("".join(["category\ttext\n", *table]), encoding="utf-8")
    (folder / "similar.tsv").write_text(
        "".join(f"e{i}\td{i % 7}\t{i % 5}\n" for i in range(20)), encoding="utf-8"
    )
    (folder / "capital.tsv").write_text(
        "".join(f"E{i}\tD{i}\n" for i in range(45)), encoding="utf-8"
    )
    (folder / "gold.tsv").write_text("E1\td1\ne2\tD2\ne3\td3\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def vectors(folder):
    return CrossLingualVectors.load(folder / "vectors")


def test_scores_are_those_of_word_translation(folder, vectors):
    options = ["-d", folder / "capital.tsv", "--lowercase"]
    found = rows(folder / "vectors", *options)
    gold = {f"e{i}": {f"d{i}"} for i in range(45)}
    expected = [
        (method, f"{a}-{b}", word_translation(vectors[a], words, method=method))
        for method in ("cosine", "csls")
        for a, b, words in (("en", "de", gold), ("de", "en", invert(gold)))
    ]
    assert [(row["method"], row["direction"]) for row in found] == [e[:2] for e in expected]
    for row, (_, _, score) in zip(found, expected, strict=True):
        assert row["p_at_1"] == score.precision[1]
        assert row["p_at_5"] == score.precision[5]
        assert (row["mrr"], row["words"], row["coverage"]) == (
            score.mrr, score.words, score.coverage
        )  # fmt: skip


def test_table_has_percentages(folder):
    shown = run("evaluate", folder / "vectors", "-d", folder / "capital.tsv", "--lowercase",
                "--method", "cosine").stdout  # fmt: skip
    head, *shares = [line.split("\t") for line in shown.splitlines()]
    assert head == ["method", "direction", "P@1", "95%", "P@5", "MRR", "words", "coverage"]
    assert [row[:2] for row in shares] == [["cosine", "en-de"], ["cosine", "de-en"]]
    assert all(0 <= float(cell) <= 100 for row in shares for cell in row[2:3] + row[4:])
    for row in shares:
        low, high = map(float, row[3].split(" to "))
        assert low <= float(row[2]) <= high


def test_parallel_text_adds_the_methods_that_count(folder):
    sides = ["--parallel", f"en={folder}/text.en", f"de={folder}/text.de"]
    shown = run("evaluate", folder / "vectors", "-d", folder / "capital.tsv", "--lowercase", *sides)
    methods = [line.split("\t")[0] for line in shown.stdout.splitlines()[1:]]
    assert methods[::2] == ["cosine", "csls", "inverted_softmax", "hybrid", "llr"]


def test_dictionary_of_other_words_is_an_error(folder):
    result = run("evaluate", folder / "vectors", "-d", folder / "capital.tsv")
    assert isinstance(result.exception, ConfigError)
    assert "none of the dictionary's 45 words" in str(result.exception)


def test_similarity_of_two_languages_is_that_of_word_similarity(folder, vectors):
    path = folder / "similar.tsv"
    (row,) = rows(folder / "vectors", "--similarity", f"en,de={path}")
    score = word_similarity(vectors["en"], vectors["de"], path)
    assert row == {
        "measure": "similarity", "languages": "en,de", "file": str(path),
        "spearman": score.spearman, "spearman_interval": list(score.interval()),
        "pairs": 20, "coverage": 1.0,
    }  # fmt: skip


def test_similarity_within_a_language_needs_one_code(folder):
    path = folder / "within.tsv"
    path.write_text("e1\te2\t3\nE3\te4\t1\ne5\te9\t2\ne2\te7\t2.5\n", encoding="utf-8")
    (row,) = rows(folder / "vectors", "--similarity", f"en={path}")
    assert (row["languages"], row["pairs"], row["coverage"]) == ("en", 3, 0.75)


def test_sentences_are_searched_in_both_directions(folder, vectors):
    sides = [folder / "text.en", folder / "text.de"]
    found = rows(folder / "vectors", "--sentences", f"en={sides[0]}", f"de={sides[1]}")
    assert [(r["method"], r["direction"]) for r in found] == [
        ("cosine", "en-de"), ("cosine", "de-en"), ("csls", "en-de"), ("csls", "de-en"),
    ]  # fmt: skip
    score = sentence_retrieval(vectors["de"], vectors["en"], *sides[::-1], method="csls")
    assert found[3] == {
        "measure": "sentences", "method": "csls", "direction": "de-en",
        "p_at_1": score.precision[1], "p_at_1_interval": list(score.interval()),
        "p_at_5": score.precision[5], "mrr": score.mrr, "sentences": 40, "unknown": 0,
    }  # fmt: skip


def test_methods_that_count_words_do_not_search_sentences(folder):
    sides = [f"en={folder}/text.en", f"de={folder}/text.de"]
    found = rows(folder / "vectors", "--sentences", *sides, "--method", "cosine", "--method", "llr")
    assert [row["method"] for row in found] == ["cosine"] * 2


def test_documents_of_one_language_teach_those_of_the_other(folder, vectors):
    found = rows(folder / "vectors", "--documents", f"en={folder}/en.tsv", f"de={folder}/de.tsv")
    scores = document_classification(
        vectors["en"], vectors["de"],
        read_documents(folder / "en.tsv"), read_documents(folder / "de.tsv"),
    )  # fmt: skip
    assert [row["size"] for row in found] == [100, 150]
    for row, score in zip(found, scores, strict=True):
        assert row == {
            "measure": "documents", "direction": "en-de", "size": score.size,
            "accuracy": score.mean, "accuracy_interval": list(score.interval()),
            "spread": score.spread, "majority": score.majority, "unknown_train": 0,
            "unknown_test": 0,
        }  # fmt: skip


def test_columns_of_documents_can_be_named(folder):
    for code in ("en", "de"):
        text = (
            (folder / f"{code}.tsv")
            .read_text(encoding="utf-8")
            .replace("category\ttext", "topic\tbody")
        )
        (folder / f"named.{code}.tsv").write_text(text, encoding="utf-8")
    sides = [f"en={folder}/named.en.tsv", f"de={folder}/named.de.tsv"]
    assert (
        len(rows(folder / "vectors", "--document-columns", "body", "topic", "--documents", *sides))
        == 2
    )


def test_case_policies_are_those_of_word_translation(folder, vectors):
    given = ["-d", folder / "gold.tsv", "--method", "csls"]
    gold = {"E1": ["d1"], "e2": ["D2"], "e3": ["d3"]}
    for options, case in (([], "exact"), (["--case", "fallback"], "fallback"),
                          (["--lowercase"], "lower")):  # fmt: skip
        row, _ = rows(folder / "vectors", *given, *options)
        score = word_translation(vectors["en"], gold, case=case)
        assert (row["words"], row["coverage"]) == (score.words, score.coverage)


def test_interval_of_a_single_word_is_left_open(folder):
    row, _ = rows(folder / "vectors", "-d", folder / "gold.tsv", "--method", "csls")
    assert (row["words"], row["p_at_1_interval"]) == (1, None)
    shown = run("evaluate", folder / "vectors", "-d", folder / "gold.tsv", "--method", "csls")
    assert shown.stdout.splitlines()[1].split("\t")[3] == "-"


def test_each_measure_has_a_table(folder):
    shown = run(
        "evaluate", folder / "vectors", "--similarity", f"en,de={folder}/similar.tsv",
        "--sentences", f"en={folder}/text.en", f"de={folder}/text.de",
        "--documents", f"en={folder}/en.tsv", f"de={folder}/de.tsv",
    )  # fmt: skip
    tables = [table.splitlines() for table in shown.stdout.split("\n\n")]
    assert [len(table) for table in tables] == [2, 5, 3]
    assert tables[0][0] == "languages\tfile\tSpearman\t95%\tpairs\tcoverage"
    for table in tables:
        assert len({line.count("\t") for line in table}) == 1


def test_text_is_tokenized_if_asked(folder):
    for code, letter in (("en", "E"), ("de", "D")):
        (folder / f"running.{code}").write_text(
            "".join(f"{letter}{i}.\n" for i in range(9)), encoding="utf-8"
        )
    sides = ["--sentences", f"en={folder}/running.en", f"de={folder}/running.de"]
    assert rows(folder / "vectors", *sides, "--tokenize")[0]["unknown"] == 0
    assert isinstance(run("evaluate", folder / "vectors", *sides).exception, ConfigError)


def test_nothing_to_measure_by_is_wrong_usage(folder):
    error = run("evaluate", folder / "vectors").exception
    assert isinstance(error, click.UsageError)
    assert "--dictionary, --similarity, --sentences or --documents" in error.message


def test_three_languages_have_no_similarity(folder):
    error = run("evaluate", folder / "vectors", "--similarity", "en,de,fr=x.tsv").exception
    assert isinstance(error, click.UsageError)


def test_unknown_language_is_an_error(folder):
    sides = [f"en={folder}/text.en", f"fr={folder}/text.de"]
    error = run("evaluate", folder / "vectors", "--sentences", *sides).exception
    assert isinstance(error, UnknownLanguageError)


def test_missing_library_is_named(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    sides = [f"en={folder}/en.tsv", f"de={folder}/de.tsv"]
    error = run("evaluate", folder / "vectors", "--documents", *sides).exception
    assert isinstance(error, click.ClickException)
    assert "gensim_bilbowa[eval]" in error.message
