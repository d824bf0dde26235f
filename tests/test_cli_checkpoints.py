"""``bilbowa train`` with checkpoints: ended, and gone on with by the same command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest
from click import Abort, UsageError
from click.testing import CliRunner
from processes import BILBOWA, running
from samples import made_up_pairs

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.callbacks import Checkpoint
from gensim_bilbowa.cli import cli
from gensim_bilbowa.errors import FormatError

QUICK = ["--min-count", "1", "--vector-size", "8", "--epochs", "2", "--workers", "1",
         "--batch-words", "200", "-q"]  # fmt: skip


def run(*arguments):
    return CliRunner().invoke(cli, ["train", *map(str, arguments)], standalone_mode=False)


@pytest.fixture
def command(tmp_path):
    lines = [f"{' '.join(a)}\t{' '.join(b)}\n" for a, b in made_up_pairs()]
    (tmp_path / "both.tsv").write_text("".join(lines), encoding="utf-8")
    return ["-o", tmp_path / "m", "--pairs", f"en,de={tmp_path}/both.tsv", *QUICK]


@pytest.fixture
def dying(monkeypatch):
    """Let a training end as by Ctrl-C when so many checkpoints were written."""

    def ended(*arguments, after=3):
        written = []
        original = Checkpoint.on_pause

        def on_pause(self, model):
            original(self, model)
            written.append(1)
            if len(written) == after:
                raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(Checkpoint, "on_pause", on_pause)
            return run(*arguments, "--checkpoint-every", "0.001s")

    return ended


def assert_same(path, other):
    one, other = BilBOWA.load(path), BilBOWA.load(other)
    for code in one:
        np.testing.assert_array_equal(one.wv[code].vectors, other.wv[code].vectors)
    assert one.epochs_trained == other.epochs_trained


def whole(command, tmp_path, *more):
    result = run(*command, *more, "-o", tmp_path / "whole")
    assert result.exception is None
    return tmp_path / "whole"


def test_resumed_command_saves_the_model_of_one_that_was_not_ended(command, dying, tmp_path):
    ended = dying(*command)
    assert isinstance(ended.exception, Abort)
    assert "the same command with --resume goes on from" in ended.stderr
    assert not (tmp_path / "m").exists()
    result = run(*command, "--resume")
    assert result.exception is None
    assert_same(tmp_path / "m", whole(command, tmp_path))
    assert not (tmp_path / "m.checkpoints").exists()


@pytest.mark.parametrize("kind", ["update", "start"])
def test_update_and_start_are_resumed(command, dying, tmp_path, kind):
    old = [*command, "-o", tmp_path / "old"]
    assert run(*old).exception is None
    BilBOWA.load(tmp_path / "old").wv_en.save_word2vec_format(str(tmp_path / "en.vec"))
    more = {
        "update": ["--update", tmp_path / "old", "--lockf", "0.5", "--freeze", "de"],
        "start": ["--start", f"en={tmp_path}/en.vec", "--freeze", "en"],
    }[kind]
    sizes = ["--vector-size", "8"]
    command = [part for part in command if part not in sizes] if kind == "update" else command
    assert isinstance(dying(*command, *more).exception, Abort)
    assert run(*command, *more, "--resume").exception is None
    assert_same(tmp_path / "m", whole(command, tmp_path, *more))


def test_resume_without_a_checkpoint_begins_and_says_so(command, tmp_path):
    result = run(*command, "--resume")
    assert result.exception is None
    assert f"no checkpoint in {tmp_path / 'm.checkpoints'}: training begins" in result.stderr
    assert not (tmp_path / "m.checkpoints").exists()


@pytest.mark.parametrize("which", ["folder", "newest"])
def test_checkpoints_are_described_and_asked_like_a_model(command, dying, tmp_path, which):
    dying(*command)
    folder = tmp_path / "m.checkpoints"
    path = folder if which == "folder" else Checkpoint(folder).paths[-1]
    facts = json.loads(CliRunner().invoke(cli, ["info", str(path), "--json"]).stdout)
    assert (facts["kind"], facts["unfinished"]) == ("model", True)
    assert facts["epochs_trained"] == BilBOWA.load(folder).epochs_trained
    answer = CliRunner().invoke(cli, ["translate", str(path), "e1", "--from", "en"])
    assert answer.stdout.startswith("e1\t")


def test_unfinished_training_is_not_begun_anew_without_a_word(command, dying, tmp_path):
    dying(*command)
    before = sorted((tmp_path / "m.checkpoints").iterdir())
    result = run(*command, "--checkpoint-every", "1h")
    assert isinstance(result.exception, UsageError)
    assert "--resume, or remove that folder" in str(result.exception)
    assert sorted((tmp_path / "m.checkpoints").iterdir()) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--window", "3"], "--window is 3, .* begun with 5"),
        (["--epochs", "9"], "--epochs is 9, .* begun with 2"),
        (["--min-count", "2"], "--min-count is 2, .* begun with 1"),
        (["--subwords", "en"], r"--subwords is \['en'\], .* begun with \[\]"),
        (["--start", "en=other.vec"], "--start is"),
    ],
)
def test_options_that_differ_are_refused(command, dying, options, message):
    dying(*command)
    result = run(*command, *options, "--resume")
    assert isinstance(result.exception, UsageError)
    with pytest.raises(UsageError, match=message):
        raise result.exception


def test_options_of_this_machine_may_differ(command, dying, tmp_path):
    dying(*command)
    result = run(*command, "--resume", "--workers", "2", "--cache-dir", tmp_path / "cache",
                 "--checkpoint-every", "1h")  # fmt: skip
    assert result.exception is None
    assert BilBOWA.load(tmp_path / "m").workers == 2


def test_text_may_be_elsewhere_but_must_be_the_same(command, dying, tmp_path):
    dying(*command)
    lines = (tmp_path / "both.tsv").read_text(encoding="utf-8")
    moved = [f"en,de={tmp_path}/moved.tsv" if "both.tsv" in str(p) else p for p in command]
    (tmp_path / "moved.tsv").write_text(lines.replace("e1 ", "e2 "), encoding="utf-8")
    result = run(*moved, "--resume")
    assert "the 'en' text differs" in str(result.exception)
    (tmp_path / "moved.tsv").write_text(lines, encoding="utf-8")
    assert run(*moved, "--resume").exception is None


def test_missing_record_of_options_is_said(command, dying, tmp_path):
    dying(*command)
    (tmp_path / "m.checkpoints" / "bilbowa-train.json").unlink()
    result = run(*command, "--resume")
    assert isinstance(result.exception, FormatError)
    assert "missing or damaged" in str(result.exception)


def test_record_of_options_that_cannot_be_written_leaves_the_earlier_one(
    command, tmp_path, monkeypatch
):
    record = tmp_path / "m.checkpoints" / "bilbowa-train.json"
    record.parent.mkdir()
    record.write_text("{}", encoding="utf-8")
    write_text = Path.write_text

    def failing(self, text, **options):
        write_text(self, text[:1], **options)
        raise OSError("no space left")

    monkeypatch.setattr(Path, "write_text", failing)
    assert "no space left" in str(run(*command, "--checkpoint-every", "1h").exception)
    assert [(path, path.read_text("utf-8")) for path in record.parent.iterdir()] == [(record, "{}")]


def test_training_that_fails_before_it_begins_leaves_nothing(command, tmp_path):
    result = run(*command, "--pairs", "en,fr=nowhere", "--checkpoint-every", "1h")
    assert "nowhere" in str(result.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["both.tsv"]


@pytest.mark.parametrize("time", ["0", "10 days", "-1m", "", "m"])
def test_what_is_no_time_is_refused(command, time):
    result = run(*command, "--checkpoint-every", time)
    assert isinstance(result.exception, UsageError)
    assert "as 90s, 10m or 1h" in str(result.exception)


@pytest.mark.parametrize(
    ("time", "seconds"), [("90s", 90), ("10m", 600), ("10", 600), ("1.5h", 5400)]
)
def test_times_have_units(command, monkeypatch, time, seconds):
    found = []
    monkeypatch.setattr(Checkpoint, "on_train_begin", lambda self, _: found.append(self._seconds))
    assert run(*command, "--checkpoint-every", time).exception is None
    assert found == [pytest.approx(seconds)]


def test_signal_handlers_are_put_back(command):
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    assert run(*command, "--resume").exception is None
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_second_ctrl_c_ends_at_once_and_leaves_the_earlier_checkpoint(
    command, tmp_path, monkeypatch
):
    sent = []
    fsync, wants_pause = os.fsync, Checkpoint.wants_pause

    def first(self):
        if not sent:
            sent.append(1)
            signal.raise_signal(signal.SIGINT)
        return wants_pause(self)

    def second(descriptor):
        fsync(descriptor)
        if sent:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoint, "wants_pause", first)
        patch.setattr(os, "fsync", second)
        result = run(*command, "--checkpoint-every", "1h")
    checkpoint = Checkpoint(tmp_path / "m.checkpoints")
    assert isinstance(result.exception, Abort)
    assert len(checkpoint.paths) == 1
    names = {path.name for path in checkpoint.folder.iterdir()}
    assert names == {checkpoint.paths[0].name, "bilbowa-train.json"}
    assert run(*command, "--resume").exception is None
    assert_same(tmp_path / "m", whole(command, tmp_path))


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signal_writes_a_last_checkpoint(command, tmp_path, number, code):
    endless = [part for part in command if part != "-q"]
    endless[endless.index("--epochs") + 1] = "1000000"
    arguments = [BILBOWA, "train", *map(str, endless), "--checkpoint-every", "1h"]
    with running(arguments, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if "EPOCH 2:" in line:
                break
        process.send_signal(number)
        rest = process.stderr.read()
        assert process.wait() == code
    assert "Traceback" not in rest
    assert f"--resume goes on from {tmp_path / 'm.checkpoints'}/checkpoint-" in rest
    folder = tmp_path / "m.checkpoints"
    assert [path.name[-12:-6] for path in Checkpoint(folder).paths] == ["000001", "000002"]
    assert len(list(folder.iterdir())) == 3  # these and the options
    assert BilBOWA.load(folder).epochs_trained >= 2
