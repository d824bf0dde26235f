"""What goes wrong around a command is one line and an exit code, and output is always UTF-8."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from processes import running
from samples import keyed

from gensim_bilbowa import CrossLingualVectors
from gensim_bilbowa.cli import main


@pytest.fixture
def run(monkeypatch):
    """Run the command line as from a shell in this process; return exit code and output."""

    def call(*arguments, encoding="utf-8", text=b"", closed=False):
        streams = [io.TextIOWrapper(io.BytesIO(), encoding, write_through=True) for _ in range(2)]
        stdin = None if text is None else io.TextIOWrapper(io.BytesIO(text), encoding)
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr(sys, "stdout", None if closed else streams[0])
        monkeypatch.setattr(sys, "stderr", streams[1])
        monkeypatch.setattr(sys, "argv", ["bilbowa", *map(str, arguments)])
        monkeypatch.setattr(signal, "signal", lambda *_: None)
        with pytest.raises(SystemExit) as end:
            main()
        if closed:
            sys.stdout.close()
        return end.value.code or 0, *(stream.buffer.getvalue() for stream in streams)

    return call


@pytest.fixture
def vectors(tmp_path):
    space = {"en": keyed("we\u00e4\u732b", np.eye(3)), "de": keyed("\u0434", np.eye(3))}
    CrossLingualVectors(space).save(tmp_path / "x")
    return tmp_path / "x"


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252", "utf-8"])
def test_standard_output_is_utf8_in_every_locale(run, vectors, encoding):
    code, output, log = run("translate", vectors, "weä猫0", "-n", 1, encoding=encoding)
    assert (code, log) == (0, b"")
    assert output.decode("utf-8").split("\t")[:2] == ["weä猫0", "д0"]
    code, output, _ = run("lexicon", vectors, encoding=encoding)
    assert code == 0
    assert "weä猫0\tд0" in output.decode("utf-8")


def test_half_a_character_is_written_as_json_has_it(run, tmp_path):
    space = {"en": keyed("e", np.eye(2)), "de": keyed("\ud800", np.eye(2))}
    CrossLingualVectors(space).save(tmp_path / "x.safetensors")
    code, output, _ = run("translate", tmp_path / "x.safetensors", "e1", "-n", 1, "--json")
    assert code == 0
    assert json.loads(output)["translations"][0]["word"] == "\ud8001"


def test_missing_package_is_one_line_that_says_what_to_install(run, vectors, monkeypatch):
    monkeypatch.setitem(sys.modules, "safetensors", None)
    code, _, log = run("convert", vectors, vectors.with_name("y.safetensors"))
    assert code == 1
    assert log.decode().startswith("bilbowa: safetensors files need the package safetensors")
    assert log.decode().count("\n") == 1


@pytest.mark.parametrize("workers", ["0", "-1", "257", "two"])
@pytest.mark.parametrize("command", ["lexicon", "evaluate", "train", "demo"])
def test_number_of_workers_is_checked_first(run, command, workers):
    code, _, log = run(command, "--workers", workers)
    assert code == 2
    assert b"--workers" in log


def test_closed_streams_are_said_or_take_nothing(run, vectors):
    code, _, log = run("translate", vectors, text=None)
    assert (code, log) == (1, b"bilbowa: standard input is closed; it should have lines of text\n")
    for command in (["lexicon", vectors], ["info", vectors]):
        assert run(*command, closed=True)[0] == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "-o", "m", "--pairs", "en,de=x", "--alpha", "nan"],
        ["train", "-o", "m", "--pairs", "en,de=x", "--vector-size", "0"],
        ["train", "-o", "m", "--pairs", "en,de=x", "--lexicon", "x.pdf"],
        ["train", "-o", "m", "--pairs", "en,en=x"],
        ["train", "-o", os.devnull, "--pairs", "en,de=x"],
        ["lexicon", "m", "-o", "x.pdf"],
        ["convert", "m", __file__],
        ["convert", "m", os.devnull, "--format", "safetensors"],
        ["align", "en=x", "de=x", "-o", __file__],
        ["demo", "--seed", "-1"],
    ],
)
def test_wrong_usage_is_said_before_anything_is_read(run, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    code, output, log = run(*arguments)
    assert (code, output) == (2, b"")
    assert b"\nError: " in log


def test_file_of_one_languages_vectors_is_no_model_and_it_is_said_what_is(run, vectors):
    for command in (["info"], ["translate"], ["lexicon"]):
        code, _, log = run(*command, vectors / "en.vec")
        assert code == 1
        assert b"or vectors that `bilbowa convert` or `bilbowa align` wrote" in log


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_ctrl_c_while_the_command_is_imported_is_quiet():
    command = [sys.executable, "-X", "importtime", "-m", "gensim_bilbowa", "info", "nowhere"]
    with running(command, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if line.endswith(" numpy\n"):
                break
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        assert process.wait() == 130
    assert rest.splitlines()[-1] == "interrupted"
    assert "Traceback" not in rest
