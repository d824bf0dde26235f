"""The command as a process: signals, pipes, terminals and exit codes."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys

import pytest
from processes import BILBOWA, on_a_terminal, running
from samples import made_up_pairs, write_pairs

QUICK = ["--min-count", "1", "--vector-size", "8", "--epochs", "1", "--workers", "1"]


posix_only = pytest.mark.skipif(os.name == "nt", reason="needs POSIX pipes, signals or terminals")


def bilbowa(*arguments, **options):
    return subprocess.run(
        [BILBOWA, *map(str, arguments)], capture_output=True, text=True, check=False, **options
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("command")
    write_pairs(folder, made_up_pairs())
    return folder


@pytest.fixture(scope="module")
def sides(folder):
    return ["--parallel", f"en={folder}/text.en", f"de={folder}/text.de"]


@pytest.fixture(scope="module")
def model(folder, sides):
    path = folder / "trained.model"
    result = bilbowa("train", "-o", path, *sides, *QUICK)
    assert result.returncode == 0, result.stderr
    assert "EPOCH 1: training on" in result.stderr  # plain log lines, since this is no terminal
    assert result.stdout == ""
    return path


def test_words_are_translated(model):
    result = bilbowa("translate", model, "e1", "e2", "-n", 3)
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert [row[0] for row in rows] == ["e1"] * 3 + ["e2"] * 3
    assert all(row[1].startswith("d") and float(row[2]) < 2 for row in rows)
    assert (result.returncode, result.stderr) == (0, "")


def test_words_come_from_standard_input(model):
    result = bilbowa("translate", model, "--from", "de", "--to", "en", "-n", 1, input="d1 d2\nd3\n")
    assert [line.split("\t")[0] for line in result.stdout.splitlines()] == ["d1", "d2", "d3"]


@pytest.mark.slow
def test_json_has_an_object_for_each_word(model):
    result = bilbowa("translate", model, "e1", "nowhere", "--json", "-n", 2)
    entries = [json.loads(line) for line in result.stdout.splitlines()]
    assert [entry["word"] for entry in entries] == ["e1", "nowhere"]
    assert [len(entry["translations"]) for entry in entries] == [2, 0]


@pytest.mark.slow
def test_unknown_word_is_said_and_the_others_go_on(model):
    result = bilbowa("translate", model, "d5", "e1", "-n", 1)
    assert result.returncode == 1
    assert "'d5' is not in the 'en' vocabulary" in result.stderr
    assert "it is a word of 'de'" in result.stderr
    assert result.stdout.startswith("e1\t")


@pytest.mark.slow
def test_table_and_text_train_too(folder):
    path = folder / "table.model"
    result = bilbowa("train", "-o", path, "--pairs", f"en,de={folder}/both.tsv", "--text",
                     f"en={folder}/text.en", "-q", *QUICK)  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "en: 40 words" in result.stderr
    assert path.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["train", "-o", "x"], 2, "parallel text is needed"),
        (["train", "--parallel", "en=a", "de=b"], 2, "--output"),
        (["train", "-o", "x", "--parallel", "en", "de=b"], 2, "LANG=FILE is wanted"),
        (["train", "-o", "x", "--parallel", "en=nowhere", "de=nowhere"], 1, "no such file"),
        (["train", "-o", "no/x", "--parallel", "en=a", "de=b"], 2, "no such folder"),
        (["train", "-o", ".", "--parallel", "en=a", "de=b"], 2, "is a folder"),
        (["train", "-o", "x", "--parallel", "en=a", "de=b", "--workers", "0"], 2, "--workers"),
        (["train", "-o", "x", "--pairs", "en=text.en"], 2, "LANG,LANG=FILE"),
        (["train", "-o", "x", "--parallel", "en=text.en", "de=text.de", "--text", "en=a", "--text",
          "en=b"], 2, "more than once"),
        (["translate", "nowhere", "x"], 1, "no such model file"),
        (["translate", "text.en", "x"], 1, "is not a gensim_bilbowa model"),
        (["translate", "trained.model", "e1", "--to", "fr"], 1, "no other language 'fr'"),
        (["translate", "trained.model", "e1", "--from", "fr"], 1, "no language 'fr'"),
        (["translate", "trained.model", "e1", "-n", "0"], 2, "-n"),
    ],
)  # fmt: skip
def test_errors_are_one_message_and_an_exit_code(folder, model, arguments, code, message):
    result = bilbowa(*arguments, cwd=folder)
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert result.returncode == code


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("yes") is None, reason="no `yes` here")
def test_reader_that_closes_early_is_no_error(model):
    with running(["yes", "e1"], stdout=subprocess.PIPE) as words, running(
        [BILBOWA, "translate", model], stdin=words.stdout, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    ) as command:  # fmt: skip
        assert command.stdout.readline().startswith("e1\t")
        command.stdout.close()
        assert command.wait() == 1
        assert command.stderr.read() == ""
        words.kill()


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_ctrl_c_ends_training_at_once_and_quietly(folder):
    arguments = ["train", "-o", folder / "never", "--parallel", f"en={folder}/text.en",
                 f"de={folder}/text.de", "--epochs", "1000000", "--min-count", "1"]  # fmt: skip
    with running([BILBOWA, *map(str, arguments)], stderr=subprocess.PIPE, text=True) as command:
        for line in command.stderr:
            if "EPOCH 2:" in line:
                break
        command.send_signal(signal.SIGINT)
        rest = command.stderr.read()
        code = command.wait()
    assert (code, rest.splitlines()[-1]) == (130, "interrupted")
    assert "Traceback" not in rest
    assert not (folder / "never").exists()


@pytest.mark.slow
def test_demo_translates_well(tmp_path):
    result = bilbowa("demo", "--sentences", 8000, "-o", tmp_path / "demo", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    rows = {line.split()[0]: line.split() for line in result.stdout.splitlines() if "-" in line[:3]}
    assert set(rows) == {"en-de", "de-en", "en-es", "es-en", "de-es", "es-de"}
    assert all(float(row[1]) > 70 and float(row[2]) > 80 for row in rows.values())
    assert (tmp_path / "demo").exists()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_terminal_gets_a_bar_instead_of_a_log(folder):
    code = """
import os, pty, sys, termios, fcntl, struct
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    os.execv(sys.argv[1], sys.argv[1:])
output = b""
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:
        break
    if not piece:
        break
    output += piece
os.waitpid(pid, 0)
sys.stdout.buffer.write(output)
"""
    sides = [f"en={folder}/text.en", f"de={folder}/text.de"]
    arguments = [BILBOWA, "train", "-o", folder / "bar.model", "--parallel", *sides, *QUICK]
    arguments += ["--epochs", "200"]
    result = subprocess.run(
        [sys.executable, "-P", "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.search(r"epoch \d+/200: +\d+%", result.stdout)
    assert "pairs/s" in result.stdout
    assert "EPOCH" not in result.stdout


@pytest.mark.slow
def test_word_too_short_for_an_ngram_is_unknown(folder):
    path = folder / "short.model"
    result = bilbowa("train", "-o", path, "--pairs", f"en,de={folder}/both.tsv", "-q", *QUICK,
                     "--subwords", "--bucket", 99, "--min-n", 4)  # fmt: skip
    assert result.returncode == 0, result.stderr
    result = bilbowa("translate", path, "x", "unseen", "-n", 1)
    assert result.returncode == 1
    assert "'x' has no vector in 'en'" in result.stderr
    assert [line.split("\t")[0] for line in result.stdout.splitlines()] == ["unseen"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["train", "-o", "m", "--parallel", "en=nowhere", "de=text.de"], 1,
         "bilbowa: no such file: nowhere"),
        (["translate", "both.tsv", "x"], 1, "bilbowa: both.tsv is not a gensim_bilbowa model"),
        (["translate"], 2, "Missing argument 'VECTORS'"),
    ],
)  # fmt: skip
def test_error_is_said_without_a_traceback(folder, arguments, code, message):
    result = bilbowa(*arguments, cwd=folder)
    assert result.returncode == code
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


@pytest.mark.slow
@posix_only
def test_head_may_close_the_pipe(model):
    command = f"yes e1 | head -3000 | {BILBOWA} translate '{model}' | head -1"
    result = subprocess.run(["sh", "-c", command], capture_output=True, check=True)
    assert result.stdout.startswith(b"e1\t")
    assert result.stdout.count(b"\n") == 1
    assert result.stderr == b""


def endless(sides, output):
    arguments = [BILBOWA, "train", "-o", str(output), *sides, "--min-count", "1", "--workers", "2",
                 "--epochs", "1000000"]  # fmt: skip
    return running(arguments, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
@posix_only
@pytest.mark.parametrize(
    ("number", "code", "last"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, None)],
)
def test_signal_ends_training_at_once_without_a_traceback(sides, tmp_path, number, code, last):
    (tmp_path / "m").write_text("earlier", encoding="utf-8")
    with endless(sides, tmp_path / "m") as command:
        lines = iter(command.stderr.readline, "")
        assert any("EPOCH 2" in line for line in lines)
        command.send_signal(number)
        rest = command.stderr.read()
        assert command.wait() == code
    assert "Traceback" not in rest
    assert last is None or rest.splitlines()[-1] == last
    assert [path.name for path in tmp_path.iterdir()] == ["m"]
    assert (tmp_path / "m").read_text(encoding="utf-8") == "earlier"


@pytest.mark.slow
@posix_only
def test_terminal_shows_a_bar_that_ctrl_c_ends(sides, tmp_path):
    arguments = [BILBOWA, "train", "-o", str(tmp_path / "m"), *sides, "--min-count", "1",
                 "--workers", "1", "--epochs", "1000000"]  # fmt: skip
    code, shown = on_a_terminal(arguments, r"epoch \d+/1000000: .*pairs/s", signal.SIGINT)
    assert re.search(r"epoch \d+/1000000: +\d+%", shown)
    assert "EPOCH" not in shown
    assert "Traceback" not in shown
    assert code == 130
    assert "interrupted" in shown.splitlines()
