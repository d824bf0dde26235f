"""Commands leave mark-up out of translation files, and of other text if asked."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.cli import cli

PO = r"""msgid ""
msgstr "Language: de\n"

msgid "Open <b>&File</b> %s"
msgstr "Das <b>&Datei</b> %s"
"""
PLAIN = {"open", "file"}
MARKED = {"open", "<", "b", ">", "&", "file", "/", "%", "s"}


def trained(tmp_path, *options):
    result = CliRunner().invoke(
        cli,
        ["train", "-o", str(tmp_path / "m"), "--min-count", "1", "--vector-size", "4",
         "--epochs", "1", "--workers", "1", "-q", *map(str, options)],
        standalone_mode=False,
    )  # fmt: skip
    if result.exception is not None:
        raise result.exception
    return set(BilBOWA.load(tmp_path / "m").wv_en.index_to_key)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], PLAIN),
        (["--tokenize"], PLAIN),
        (["--tokenize", "--markup"], PLAIN),
        (["--no-markup"], MARKED),
        (["--tokenize", "--no-markup"], MARKED),
    ],
)
def test_translation_files_are_read_without_markup_unless_it_is_wanted(tmp_path, options, words):
    (tmp_path / "x.po").write_text(PO, encoding="utf-8")
    assert trained(tmp_path, "--pairs", f"en,de={tmp_path}/x.po", *options) == words


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--tokenize"], MARKED),
        (["--tokenize", "--markup"], PLAIN),
        (["--tokenize", "--no-markup"], MARKED),
        (["--no-markup"], {"Open", "<b>&File</b>", "%s"}),
    ],
)
def test_other_text_is_read_without_markup_if_asked(tmp_path, options, words):
    (tmp_path / "en").write_text("Open <b>&File</b> %s\n", encoding="utf-8")
    (tmp_path / "de").write_text("Das <b>&Datei</b> %s\n", encoding="utf-8")
    (tmp_path / "x.tsv").write_text(
        "Open <b>&File</b> %s\tDas <b>&Datei</b> %s\n", encoding="utf-8"
    )
    sides = ("--parallel", f"en={tmp_path}/en", f"de={tmp_path}/de")
    for source in (sides, ("--pairs", f"en,de={tmp_path}/x.tsv")):
        text = ("--text", f"en={tmp_path}/en")
        assert trained(tmp_path, *source, *text, *options) == words


def test_markup_of_text_that_is_not_split_cannot_be_left_out(tmp_path):
    (tmp_path / "x.tsv").write_text("a\tb\n", encoding="utf-8")
    with pytest.raises(click.UsageError, match="--tokenize is wanted"):
        trained(tmp_path, "--pairs", f"en,de={tmp_path}/x.tsv", "--markup")


def test_sentences_are_compared_without_markup_if_asked(tmp_path):
    (tmp_path / "x.po").write_text(PO + '\nmsgid "dog"\nmsgstr "Hund"\n', encoding="utf-8")
    trained(tmp_path, "--pairs", f"en,de={tmp_path}/x.po")
    (tmp_path / "en").write_text("&File\n", encoding="utf-8")
    (tmp_path / "de").write_text("&Datei\n", encoding="utf-8")
    result = CliRunner().invoke(
        cli,
        ["sentences", str(tmp_path / "m"), f"en={tmp_path}/en", f"de={tmp_path}/de",
         "--tokenize", "--markup"],
        standalone_mode=False,
    )  # fmt: skip
    assert result.exception is None
    assert result.stdout.startswith("&File\t&Datei\t")
