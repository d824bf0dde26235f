"""Words, names of files and streams of the command are UTF-8 in every locale."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from gensim.models import KeyedVectors
from processes import BILBOWA

from gensim_bilbowa import CrossLingualVectors

COMMANDS = {
    "bilbowa": [BILBOWA],
    "module": [sys.executable, "-P", "-m", "gensim_bilbowa"],  # not of the folder that it is in
}
LOCALES = [
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0",
     "PYTHONIOENCODING": "latin-1"},
    {"LANG": "C"},
    {"LC_ALL": "C.UTF-8"},
]  # fmt: skip
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="arguments are Unicode on Windows"),
]


@pytest.fixture
def vectors(tmp_path):
    space = {}
    for code, words in {"de": ["straße", "猫"], "en": ["street", "cat"]}.items():
        space[code] = KeyedVectors(2)
        space[code].add_vectors(words, np.eye(2, dtype=np.float32))
    CrossLingualVectors(space).save(tmp_path / "wörter.safetensors")
    return str(tmp_path / "wörter.safetensors")


def run(locale, *arguments, command="bilbowa", text=""):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LA"))}
    return subprocess.run(
        [*COMMANDS[command], *(argument.encode() for argument in arguments)], env=kept | locale,
        input=text.encode(), capture_output=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("locale", LOCALES, ids=str)
@pytest.mark.parametrize("command", COMMANDS)
def test_words_of_the_command_line_are_those_of_standard_input(vectors, locale, command):
    given = run(locale, "translate", vectors, "straße", "猫", "-n", "1", command=command)
    piped = run(locale, "translate", vectors, "-n", "1", command=command, text="straße 猫")
    assert given.stdout == piped.stdout
    assert [line.split("\t")[:2] for line in given.stdout.decode().splitlines()] == [
        ["straße", "street"], ["猫", "cat"],
    ]  # fmt: skip


@pytest.mark.parametrize("locale", LOCALES, ids=str)
def test_what_is_unknown_is_named_in_utf8_in_every_locale(vectors, locale):
    log = run(locale, "translate", vectors, "blödsinn").stderr.decode()
    assert log.startswith("bilbowa: 'blödsinn' is not in the 'de' vocabulary")
    assert "fehlt_ä" in run(locale, "translate", "fehlt_ä", "x").stderr.decode()
