"""Commands that read pairs leave out those that options say, and count them."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner
from samples import made_up_pairs

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.cli import cli

QUICK = ["--min-count", "1", "--vector-size", "8", "--epochs", "1", "--workers", "1", "-q"]
ALL = ["--max-ratio", "2", "--max-words", "7", "--drop-duplicates", "--drop-identical"]
LIMITS = {"max_ratio": 2, "max_words": 7, "drop_duplicates": True, "drop_identical": True}
COUNTS = {"unequal in length": 1, "too long": 1, "duplicate": 1, "identical": 2}


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)), standalone_mode=False)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("filters") / "pairs.tsv"
    distinct = dict.fromkeys(
        f"{' '.join(a[:7])}\t{' '.join(b[:7])}" for a, b in made_up_pairs(60, words=8)
    )
    first = next(iter(distinct))
    flaws = [first, "x\tx", "y y\ty y", "e1\td1 d1 d1", f"{'e1 ' * 8}\t{'d1 ' * 8}"]
    path.write_text("".join(f"{line}\n" for line in [*distinct, *flaws]), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def filtered(table):
    return ParallelSentences(table, languages=("en", "de")).filtered(**LIMITS)


def test_model_learns_from_what_is_left_and_the_rest_is_counted(table, filtered, tmp_path, caplog):
    options = [f"en,de={table}", *QUICK, *ALL]
    assert run("train", "-o", tmp_path / "m", "--pairs", *options).exception is None
    words = {word for pair in filtered for word in pair[0]}
    assert filtered.dropped == COUNTS
    assert set(BilBOWA.load(tmp_path / "m").wv_en.index_to_key) == words
    for reason, count in COUNTS.items():
        assert f"{count} {reason}" in caplog.text


def test_lexicon_and_evaluation_count_what_is_left(table, filtered, tmp_path, caplog):
    run("train", "-o", tmp_path / "m", "--pairs", f"en,de={table}", *QUICK)
    shown = run("lexicon", tmp_path / "m", "--pairs", f"en,de={table}", *ALL)
    assert "pairs kept, left out: " in caplog.text
    expected = BilBOWA.load(tmp_path / "m").lexicon("en", "de", parallel=filtered)
    assert shown.stdout.splitlines() == ["\t".join(row) for row in expected.rows()]
    (tmp_path / "d").write_text("e1 d1\ne2 d2\n", encoding="utf-8")
    caplog.clear()
    options = ["-d", tmp_path / "d", "--pairs", f"en,de={table}", *ALL]
    assert run("evaluate", tmp_path / "m", *options).exception is None
    assert "pairs kept, left out: " in caplog.text


@pytest.mark.parametrize(
    "limit",
    [["--max-ratio", "0.5"], ["--max-ratio", "nan"], ["--max-ratio", "inf"], ["--max-words", "0"]],
)
def test_limits_that_cannot_be_are_wrong_usage(table, tmp_path, limit):
    result = run("train", "-o", tmp_path / "m", "--pairs", f"en,de={table}", *limit)
    assert isinstance(result.exception, click.UsageError)
    assert limit[0] in result.exception.format_message()


def test_limits_without_parallel_text_are_wrong_usage(table, tmp_path):
    run("train", "-o", tmp_path / "m", "--pairs", f"en,de={table}", *QUICK)
    result = run("lexicon", tmp_path / "m", "--max-ratio", "2", "--drop-identical")
    assert isinstance(result.exception, click.UsageError)
    assert "--max-ratio, --drop-identical: for parallel text" in result.exception.message


def test_nothing_left_is_an_error(table, tmp_path):
    (tmp_path / "same.tsv").write_text("a\ta\n" * 5, encoding="utf-8")
    options = ["--pairs", f"en,de={tmp_path}/same.tsv", "--drop-identical"]
    result = run("train", "-o", tmp_path / "m", *options, *QUICK)
    assert "none of 5 pairs is left: 5 identical" in str(result.exception)
