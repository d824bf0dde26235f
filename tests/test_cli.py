"""The command line as a person meets it: files in, tables out, plain words for what is wrong."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from gensim.models import FastText
from processes import BILBOWA, running
from samples import SMALL, made_up_pairs, write_pairs

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.cli import cli
from gensim_bilbowa.cli.train import train
from gensim_bilbowa.errors import BilBOWAError

QUICK = ["--min-count", "1", "--vector-size", "8", "--epochs", "2", "--workers", "1", "-q"]

posix_only = pytest.mark.skipif(os.name == "nt", reason="needs POSIX pipes, signals or terminals")


def run(*arguments, text=None):
    """Run a command in this process; errors that `main` puts into words come back as they are."""
    return CliRunner().invoke(cli, list(map(str, arguments)), input=text, standalone_mode=False)


def process(*arguments, **options):
    return subprocess.run(
        [BILBOWA, *map(str, arguments)], capture_output=True, check=False, **options
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    write_pairs(folder, made_up_pairs(200, words=30))
    for text in (folder / "text.en", folder / "text.de"):
        Path(f"{text}.gz").write_bytes(gzip.compress(text.read_bytes()))
    return folder


@pytest.fixture(scope="module")
def sides(folder):
    return ["--parallel", f"en={folder}/text.en", f"de={folder}/text.de"]


@pytest.fixture(scope="module")
def model(folder, sides):
    path = folder / "en-de.model"
    assert run("train", "-o", path, *sides, *QUICK).exception is None
    return path


# ---- train


def test_two_files_a_table_and_archives_train_the_same_model(folder, sides, model, tmp_path):
    archives = ["--parallel", f"en={folder}/text.en.gz", f"de={folder}/text.de.gz"]
    for number, source in enumerate((["--pairs", f"en,de={folder}/both.tsv"], archives)):
        path = tmp_path / str(number)
        assert run("train", "-o", path, *source, *QUICK).exception is None
        assert (BilBOWA.load(path).wv_en.vectors == BilBOWA.load(model).wv_en.vectors).all()


def test_text_gives_its_language_the_vocabulary(folder, sides, tmp_path):
    (tmp_path / "more.en").write_text("e1 e2 only\n" * 20, encoding="utf-8")
    result = run("train", "-o", tmp_path / "m", *sides, "--text", f"en={tmp_path}/more.en", *QUICK)
    assert result.exception is None
    assert set(BilBOWA.load(tmp_path / "m").wv_en.index_to_key) == {"e1", "e2", "only"}


def test_several_parallel_texts_make_a_model_of_three_languages(folder, sides, tmp_path):
    (tmp_path / "de-fr").write_text(
        "".join(f"d{n} d1\tf{n} f1\n" for n in range(20)), encoding="utf-8"
    )
    result = run(
        "train", "-o", tmp_path / "m", *sides, "--pairs", f"de,fr={tmp_path}/de-fr", *QUICK
    )
    assert result.exception is None
    assert BilBOWA.load(tmp_path / "m").languages == ["en", "de", "fr"]


@pytest.mark.parametrize(
    ("options", "kinds"),
    [
        ([], (False, False)),
        (["--subwords"], (True, True)),
        (["--subwords", "de", "--bucket", "500"], (False, True)),
        (["--subwords", "de", "--subwords", "en"], (True, True)),
    ],
)
def test_subwords_are_of_all_languages_or_those_named(sides, tmp_path, options, kinds):
    small = ["--bucket", "100"] if "--bucket" not in options else []
    result = run("train", *options, "-o", tmp_path / "m", *sides, *QUICK, *small, "--min-n", "2")
    assert result.exception is None
    model = BilBOWA.load(tmp_path / "m")
    assert tuple(isinstance(model[code], FastText) for code in ("en", "de")) == kinds


def test_options_reach_the_model(sides, tmp_path):
    options = ["--xling-weight", "2.5", "--xling-gradient", "exact", "--window", "3", "--seed", "9",
               "--xling-passes", "0.5", "--max-final-vocab", "12"]  # fmt: skip
    assert run("train", "-o", tmp_path / "m", *sides, *QUICK, *options).exception is None
    loaded = BilBOWA.load(tmp_path / "m")
    assert (loaded.xling_weight, loaded.xling_gradient, loaded.window) == (2.5, "exact", 3)
    assert (loaded.seed, loaded.xling_passes) == (9, 0.5)
    assert len(loaded.wv_en) <= 12


def test_bad_bytes_are_located_or_replaced(folder, tmp_path):
    (tmp_path / "text.en").write_bytes(b"e1 e2 \xff\n" * 9)
    (tmp_path / "text.de").write_text("d1 d2\n" * 9, encoding="utf-8")
    sides = ["--parallel", f"en={tmp_path}/text.en", f"de={tmp_path}/text.de"]
    result = run("train", "-o", tmp_path / "m", *sides, *QUICK)
    assert re.search(r"text\.en, line 1, byte 7: not UTF-8", str(result.exception))
    assert (
        run("train", "-o", tmp_path / "m", *sides, *QUICK, "--errors", "ignore").exception is None
    )
    assert sorted(BilBOWA.load(tmp_path / "m").wv_en.index_to_key) == ["e1", "e2"]


def test_equals_sign_may_stand_in_a_file_name(folder, tmp_path):
    (tmp_path / "a=b.tsv").write_text(
        (folder / "both.tsv").read_text(encoding="utf-8"), encoding="utf-8"
    )
    for code, suffix in (("en", "en"), ("de", "de")):
        (tmp_path / f"x={code}").write_text(
            (folder / f"text.{suffix}").read_text(encoding="utf-8"), encoding="utf-8"
        )
    sides = ["--parallel", f"en={tmp_path}/x=en", f"de={tmp_path}/x=de"]
    assert run("train", "-o", tmp_path / "m", *sides, *QUICK).exception is None


@pytest.mark.parametrize("bad", ["en", "=file", "en=", "", "en:file"])
@pytest.mark.parametrize("option", ["--parallel", "--text"])
def test_what_is_no_language_and_file_is_shown(sides, tmp_path, bad, option):
    given = [bad, "de=x"] if option == "--parallel" else [bad]
    result = run("train", "-o", tmp_path / "m", *sides, option, *given)
    assert isinstance(result.exception, click.UsageError)
    assert f"LANG=FILE is wanted, as in en=text.en.gz; got {bad!r}" in result.exception.message


@pytest.mark.parametrize("output", ["no/such/folder/m", ".", "text.en/m"])
def test_output_that_cannot_be_is_said_before_anything_is_read(folder, monkeypatch, output):
    monkeypatch.chdir(folder)
    result = run("train", "-o", output, "--parallel", "en=nowhere", "de=nowhere", *QUICK)
    assert isinstance(result.exception, click.UsageError)
    assert "--output" in result.exception.message


@pytest.mark.parametrize("name", ["text.en", "text.de", "table", "more"])
def test_corpus_is_not_overwritten_by_the_model(sides, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for path in ("text.en", "text.de", "table", "more"):
        Path(path).write_text("a b\tx y\n", encoding="utf-8")
    corpora = ["--parallel", "en=text.en", "de=text.de", "--pairs", "en,de=table", "--text",
               "en=more"]  # fmt: skip
    result = run("train", "-o", tmp_path / name, *corpora, *QUICK)
    assert isinstance(result.exception, click.UsageError)
    assert "is an input file" in result.exception.message
    assert Path(name).read_text(encoding="utf-8") == "a b\tx y\n"


def test_failed_training_leaves_the_earlier_model(folder, sides, tmp_path):
    (tmp_path / "m").write_text("earlier", encoding="utf-8")
    (tmp_path / "short").write_text("d1\n", encoding="utf-8")
    uneven = ["--parallel", f"en={folder}/text.en", f"de={tmp_path}/short"]
    result = run("train", "-o", tmp_path / "m", *uneven, *QUICK)
    assert re.search(r"text\.en\) has 200 sentences, .*short\) has 1", str(result.exception))
    assert (tmp_path / "m").read_text(encoding="utf-8") == "earlier"


@pytest.mark.slow
@posix_only
def test_standard_input_cannot_be_read_twice_and_is_refused(folder, tmp_path):
    text = (folder / "both.tsv").read_bytes()
    result = process(
        "train", "-o", tmp_path / "m", "--pairs", "en,de=/dev/stdin", *QUICK, input=text
    )
    assert result.returncode == 1
    assert b"bilbowa: parallel text en-de: /dev/stdin is a pipe" in result.stderr


def test_machine_with_many_cores_gets_as_many_workers_as_are_allowed():
    (workers,) = [option for option in train.params if option.name == "workers"]
    assert 1 <= workers.default <= 256


# ---- translate


def test_each_word_gets_its_best_translations(model):
    result = run("translate", model, "e1", "e2", "-n", 2, "--method", "cosine")
    expected = [
        f"{word}\t{other}\t{score:.4f}"
        for word in ("e1", "e2")
        for other, score in BilBOWA.load(model).wv_en.most_similar_cross(word, 2)
    ]
    assert result.stdout.splitlines() == expected


def by_default(path, *words):
    lines = run("translate", path, *words).stdout.splitlines()
    return [(other, float(score)) for _, other, score in (line.split("\t") for line in lines)]


def test_hybrid_and_five_words_are_the_default_of_a_model(model):
    expected = BilBOWA.load(model).wv_en.most_similar_cross("e1", 5, method="hybrid")
    assert by_default(model, "e1") == [(word, pytest.approx(s, abs=1e-4)) for word, s in expected]


def test_csls_is_the_default_where_nothing_is_known_of_the_text(model, tmp_path):
    vectors = CrossLingualVectors(BilBOWA.load(model).wv)
    vectors.save(tmp_path / "vectors")
    expected = vectors["en"].most_similar_cross("e1", 5, method="csls")
    found = by_default(tmp_path / "vectors", "e1")
    assert found == [(word, pytest.approx(score, abs=1e-4)) for word, score in expected]


def test_csls_is_the_default_for_words_that_ngrams_alone_make(tmp_path):
    pairs = {("en", "de"): made_up_pairs(50)}
    model = BilBOWA(parallel=pairs, **{**SMALL, "epochs": 1}, subwords=True, min_n=2, bucket=50)
    model.save(tmp_path / "m")
    expected = [
        *model.wv_en.most_similar_cross("e999", 5, method="csls"),
        *model.wv_en.most_similar_cross("e1", 5, method="hybrid"),
    ]
    found = by_default(tmp_path / "m", "e999", "e1")
    assert found == [(word, pytest.approx(score, abs=1e-4)) for word, score in expected]
    result = run("translate", tmp_path / "m", "e999", "--method", "hybrid")
    assert "bilbowa: 'e999' is not in the 'en' vocabulary" in result.stderr


def test_direction_is_chosen(model):
    rows = run("translate", model, "d1", "--from", "de").stdout.splitlines()
    assert all(line.split("\t")[1].startswith("e") for line in rows)


def test_words_are_read_from_standard_input_as_they_come(model):
    result = run("translate", model, "-n", 1, text="e1  e2\n\n\te3\r\n")
    assert [line.split("\t")[0] for line in result.stdout.splitlines()] == ["e1", "e2", "e3"]


def test_answers_come_before_the_next_word_is_typed(model):
    with running([BILBOWA, "translate", str(model), "-n", "1"],
                 stdin=subprocess.PIPE, stdout=subprocess.PIPE) as command:  # fmt: skip
        for word in (b"e1", b"e2"):
            command.stdin.write(word + b"\n")
            command.stdin.flush()
            assert command.stdout.readline().startswith(word + b"\t")


def test_no_words_give_no_lines(model):
    result = run("translate", model, text="")
    assert (result.stdout, result.exception) == ("", None)


@pytest.mark.slow
def test_standard_input_that_is_not_utf_8_is_located(model):
    result = process(
        "translate", model, input=b"e1\n\xff\n", env={**os.environ, "LC_ALL": "C.UTF-8"}
    )
    assert result.returncode == 1
    message, _, advice = result.stderr.partition(b"; ")
    assert message == b"bilbowa: standard input, line 2, byte 1: not UTF-8"
    assert b"--errors replace" in advice


def test_json_lines_hold_words_of_all_scripts_as_they_are(tmp_path):
    pairs = [(["猫", '"a\\'], ["Köter", "🐈"])] * 9
    BilBOWA(parallel={("zh", "de"): pairs}, min_count=1, vector_size=4, workers=1).save(
        tmp_path / "m"
    )
    result = run("translate", tmp_path / "m", "猫", '"a\\', "nowhere", "--json")
    entries = [json.loads(line) for line in result.stdout.splitlines()]
    assert [entry["word"] for entry in entries] == ["猫", '"a\\', "nowhere"]
    assert {t["word"] for t in entries[0]["translations"]} == {"Köter", "🐈"}
    assert entries[2]["translations"] == []
    assert "Köter" in result.stdout


def test_unknown_words_are_all_named_and_the_known_answered(model):
    result = run("translate", model, "nowhere", "e1", "d1", "-n", 1)
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "bilbowa: 'nowhere' is not in the 'en' vocabulary (30 words)",
        "bilbowa: 'd1' is not in the 'en' vocabulary (30 words); it is a word of 'de'",
    ]
    assert result.stdout.startswith("e1\t")


def test_wrong_language_is_said_before_words_are_read(model):
    for options, message in ((["--to", "fr"], "no other language 'fr'"),
                             (["--to", "en"], "no other language 'en'"),
                             (["--from", "fr"], "no language 'fr'")):  # fmt: skip
        result = run("translate", model, *options, text="e1\n")
        assert isinstance(result.exception, BilBOWAError)
        assert message in str(result.exception)
        assert result.stdout == ""


def test_third_language_makes_to_necessary(tmp_path):
    pairs = made_up_pairs(30, words=8)
    BilBOWA(parallel={("en", "de"): pairs, ("en", "fr"): pairs}, min_count=1, vector_size=4,
            workers=1, epochs=1).save(tmp_path / "m")  # fmt: skip
    assert "['de', 'fr']" in str(run("translate", tmp_path / "m", "e1").exception)
    assert run("translate", tmp_path / "m", "e1", "--to", "fr").exception is None


def test_model_saved_before_training_is_said_to_be_empty(tmp_path):
    BilBOWA(vector_size=4).save(tmp_path / "m")
    assert "has no vocabulary yet" in str(run("translate", tmp_path / "m", "e1").exception)
