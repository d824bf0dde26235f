"""The command that finds similar and parallel sentences."""

from __future__ import annotations

import json

import click
import pytest
from click.testing import CliRunner
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.cli import cli
from gensim_bilbowa.errors import ConfigError, CorpusError, UnknownLanguageError
from gensim_bilbowa.vectors.sentence_points import LEXICAL


def run(*arguments, **options):
    runner = CliRunner()
    return runner.invoke(cli, ["sentences", *map(str, arguments)], standalone_mode=False, **options)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sentences")
    pairs = made_up_pairs()
    BilBOWA(parallel={("en", "de"): pairs}, **{**SMALL, "epochs": 20}).save(folder / "model")
    for side, code in enumerate(("en", "de")):
        text = [" ".join(pair[side]) for pair in pairs[:30]][:: 1 if code == "en" else -1]
        (folder / f"text.{code}").write_text("\n".join(text) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def texts(folder):
    return [f"en={folder}/text.en", f"de={folder}/text.de"]


def rows(result):
    assert result.exception is None, result.exception
    return [line.split("\t") for line in result.stdout.splitlines()]


def is_translation(row):
    return sorted(word[1:] for word in row[0].split()) == sorted(w[1:] for w in row[1].split())


def test_each_sentence_gets_its_nearest(folder, texts):
    shown = rows(run(folder / "model", *texts))
    assert [row[0] for row in shown] == (folder / "text.en").read_text(
        encoding="utf-8"
    ).splitlines()
    assert sum(map(is_translation, shown)) >= 24


def test_several_are_shown_best_first(folder, texts):
    shown = rows(run(folder / "model", *texts, "-n", 3))
    assert len(shown) == 90
    for start in range(0, 90, 3):
        scores = [float(row[2]) for row in shown[start : start + 3]]
        assert scores == sorted(scores, reverse=True)


def test_mined_pairs_are_those_of_the_model_and_can_be_trained_on(folder, texts, tmp_path):
    result = run(folder / "model", *texts, "--mine", "--min-score", 0.01)
    shown = rows(result)
    model = BilBOWA.load(folder / "model")
    text = {
        code: (folder / f"text.{code}").read_text(encoding="utf-8").splitlines()
        for code in ("en", "de")
    }
    tokens = {code: [line.split() for line in lines] for code, lines in text.items()}
    mined = model.wv_en.mine_sentences(tokens["en"], tokens["de"], min_score=0.01)
    assert shown == [[text["en"][i], text["de"][j], f"{score:.4f}"] for i, j, score in mined]
    assert len({row[0] for row in shown}) == len(shown) > 15
    (tmp_path / "pairs.tsv").write_text(result.stdout, encoding="utf-8")
    pairs = ParallelSentences(tmp_path / "pairs.tsv", languages=("en", "de"))
    assert [" ".join(pair[0]) for pair in pairs] == [row[0] for row in shown]


def test_words_are_compared_as_by_the_method_and_their_share_is_an_option(folder, texts):
    model = BilBOWA.load(folder / "model")
    tokens = [
        [
            line.split()
            for line in (folder / f"text.{code}").read_text(encoding="utf-8").splitlines()
        ]
        for code in ("en", "de")
    ]
    shown = []
    for given, lexical in (([], LEXICAL), (["--lexical", 0.3], 0.3), (["--lexical", 0], 0)):
        expected = model.wv_en.most_similar_sentences_batch(*tokens, 1, lexical=lexical)
        shown.append([row[2] for row in rows(run(folder / "model", *texts, *given))])
        assert shown[-1] == [f"{answer[0][1]:.4f}" for answer in expected]
    assert shown[0] != shown[1] != shown[2]
    result = run(folder / "model", *texts, "--lexical", 2)
    assert isinstance(result.exception, click.UsageError)


def test_first_text_may_come_from_standard_input(folder, texts):
    text = (folder / "text.en").read_text(encoding="utf-8")
    assert run(folder / "model", "en=-", texts[1], input=text).stdout == (
        run(folder / "model", *texts).stdout
    )
    result = run(folder / "model", "en=-", texts[1], input=b"e1\n\xff\n")
    assert isinstance(result.exception, CorpusError)
    assert "standard input, line 2, byte 1" in str(result.exception)


def test_lines_without_known_words_have_no_answer_and_are_counted(folder, texts, caplog):
    shown = rows(run(folder / "model", "en=-", texts[1], input="e1 e2\n\nunheard of\n"))
    assert [row[0] for row in shown] == ["e1 e2"]
    assert "2 of 3 have no word" in caplog.text


def test_json_has_an_object_for_each_pair(folder, texts):
    lines = run(folder / "model", *texts, "--mine", "--json").stdout.splitlines()
    first = json.loads(lines[0])
    assert set(first) == {"en", "de", "score"}
    assert is_translation([first["en"], first["de"]])


def test_wrong_languages_are_named(folder, texts):
    result = run(folder / "model", texts[0], f"xx={folder}/text.de")
    assert isinstance(result.exception, UnknownLanguageError)
    assert "LANG=FILE is wanted" in str(run(folder / "model", "text.en", "text.de").exception)


@pytest.mark.parametrize(
    "options", [["--weighting", "idf"], ["--weighting", "sif", "--keep-common"]]
)
def test_words_are_weighted_as_by_sentence_vectors(folder, texts, options):
    model = BilBOWA.load(folder / "model")
    tokens = [
        [
            line.split()
            for line in (folder / f"text.{code}").read_text(encoding="utf-8").splitlines()
        ]
        for code in ("en", "de")
    ]
    asked, others = (
        model.wv[code].sentence_vectors(text, options[1], remove_common=len(options) == 2)
        for code, text in zip(("en", "de"), tokens, strict=True)
    )
    expected = model.wv_en.most_similar_sentences_batch(asked, others, 1)
    shown = rows(run(folder / "model", *texts, *options, "--lexical", 0))
    assert [row[2] for row in shown] == [f"{answer[0][1]:.4f}" for answer in expected]


def test_vectors_without_counts_can_be_asked_and_it_is_said_how(folder, texts, tmp_path):
    space = BilBOWA.load(folder / "model").wv
    for code in space:
        space[code].expandos.pop("count")
    space.save(tmp_path / "x")
    for given in ([], ["--keep-common", "--weighting", "idf"]):
        result = run(tmp_path / "x", *texts, *given)
        assert isinstance(result.exception, ConfigError)
        assert "has no counts of the words of 'en': pass --weighting mean" in str(result.exception)
    shown = rows(run(tmp_path / "x", *texts, "--weighting", "mean", "--keep-common"))
    assert sum(map(is_translation, shown)) >= 24


# ---- standard input


def test_standard_input_is_read_as_a_file_is(folder, texts):
    text = (folder / "text.en").read_bytes().replace(b"\r\n", b"\n")
    for given, options in (
        (b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"), []),
        (text.replace(b" ", b" \xff ", 1), ["--errors", "ignore"]),
    ):
        result = run(folder / "model", "en=-", texts[1], *options, input=given)
        scores = [row[2] for row in rows(result)]
        assert scores == [row[2] for row in rows(run(folder / "model", *texts))]
    result = run(folder / "model", "en=-", texts[1], input=b"\xef\xbb\xbfe1 \xff\n")
    assert "standard input, line 1, byte 7: not UTF-8" in str(result.exception)
    assert "--errors replace" in str(result.exception)


def test_standard_input_cannot_be_both_texts(folder):
    result = run(folder / "model", "en=-", "de=-", input="e1\n")
    assert isinstance(result.exception, click.UsageError)


@pytest.mark.parametrize("score", ["nan", "inf", "-inf", "x"])
def test_lowest_score_is_a_number(folder, texts, score):
    result = run(folder / "model", *texts, "--min-score", score)
    assert isinstance(result.exception, click.UsageError)
