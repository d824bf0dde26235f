from __future__ import annotations

import ast
import contextlib
import doctest
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
PROGRAMS = {
    "python": [sys.executable, "-P"],
    "bilbowa": [str(Path(sys.executable).with_name("bilbowa"))],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("readme")


def commands():
    text = "\n".join(re.findall(r"^```\n(\$ .*?)^```", README.read_text("utf-8"), re.S | re.M))
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        command, *output = part.splitlines()
        yield shlex.split(command), "\n".join(output).strip()


def stable(output):
    """Leave out scores, and how many are high enough, which differ between processors and runs."""
    return re.sub(r"\d\.\d+$|[\d,]+(?= pairs)", "#", output, flags=re.M)


def test_commands_print_what_the_readme_shows(folder):
    seen = 0
    for command, shown in commands():
        program = PROGRAMS.get(command[0], command[:1])
        result = subprocess.run(
            [*program, *command[1:]], cwd=folder, capture_output=True, text=True, check=True
        )
        printed = (result.stdout or result.stderr.splitlines()[-1] if shown else "").strip()
        assert stable(printed) == stable(shown)
        seen += 1
    assert seen == 5


def test_python_prints_what_the_readme_shows(folder, monkeypatch):
    monkeypatch.chdir(folder)
    (block,) = re.findall(r"```pycon\n(.*?)```", README.read_text("utf-8"), re.S)
    names: dict[str, object] = {}
    shown = 0
    for example in doctest.DocTestParser().get_examples(block):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(compile(example.source, "README.md", "single"), names)
        if example.want:
            printed, wanted = (ast.literal_eval(t) for t in (output.getvalue(), example.want))
            assert [word for word, _ in printed] == [word for word, _ in wanted]
            shown += 1
    assert shown == 2
