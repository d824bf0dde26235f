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
from samples import keyed

from gensim_bilbowa import CrossLingualVectors
from gensim_bilbowa.cli import main


@pytest.fixture
def run(monkeypatch):
    """Run the command line as from a shell in this process; return exit code and output."""

    def call(*arguments, encoding="utf-8", text=b""):
        streams = [io.TextIOWrapper(io.BytesIO(), encoding, write_through=True) for _ in range(2)]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text), encoding))
        monkeypatch.setattr(sys, "stdout", streams[0])
        monkeypatch.setattr(sys, "stderr", streams[1])
        monkeypatch.setattr(sys, "argv", ["bilbowa", *map(str, arguments)])
        monkeypatch.setattr(signal, "signal", lambda *_: None)
        with pytest.raises(SystemExit) as end:
            main()
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


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_ctrl_c_while_the_command_is_imported_is_quiet():
    command = [sys.executable, "-X", "importtime", "-m", "gensim_bilbowa", "--version"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if line.endswith(" numpy\n"):
                break
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        assert process.wait(timeout=30) == 130
    assert rest.splitlines()[-1] == "interrupted"
    assert "Traceback" not in rest
