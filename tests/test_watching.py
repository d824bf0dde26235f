"""Who watches how far files are read, and the bar that shows it."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import re
import sys
import threading
from functools import partial

import pytest
from click.testing import CliRunner
from prepared import write_memory

from gensim_bilbowa import BilBOWA, LineCorpus, ParallelSentences
from gensim_bilbowa.cli import cli
from gensim_bilbowa.cli.reading_bar import ReadingBar
from gensim_bilbowa.corpora.files import read_lines, read_pieces
from gensim_bilbowa.corpora.watching import watch_readings
from gensim_bilbowa.errors import CorpusFileError

PACK = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": partial(lzma.compress, preset=0),
}
posix_only = pytest.mark.skipif(os.name == "nt", reason="needs a pipe with a name")


@pytest.fixture
def seen():
    """What a watcher was told: file, bytes read, size, whether it ended."""
    told = []

    def watcher(reading):
        name = os.path.basename(reading.path)  # noqa: PTH119
        told.append((name, reading.done, reading.size, reading.ended))

    with watch_readings(watcher):
        yield told


def noise(n, seed=1):
    """A line that no archive makes small."""
    return random.Random(seed).randbytes(n).hex().encode() + b"\n"


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("read", [read_lines, read_pieces])
def test_bytes_of_the_file_on_disk_are_told_from_nought_to_its_size(tmp_path, seen, suffix, read):
    packed = PACK[suffix](b"".join(noise(5000, seed) for seed in range(250)))
    (tmp_path / f"text{suffix}").write_bytes(packed)
    for _ in read(tmp_path / f"text{suffix}"):
        pass
    done = [entry[1] for entry in seen]
    assert {(name, size) for name, _, size, _ in seen} == {(f"text{suffix}", len(packed))}
    assert done == sorted(done)
    assert done[0] == 0
    assert done[-1] == len(packed)
    assert any(0 < n < len(packed) for n in done)
    assert [entry[3] for entry in seen] == [False] * (len(seen) - 1) + [True]


def test_reading_that_is_given_up_has_ended(tmp_path, seen):
    (tmp_path / "text").write_bytes(noise(1000) * 1000)
    lines = read_lines(tmp_path / "text")
    next(lines)
    assert not seen[-1][3]
    lines.close()
    assert seen[-1][3]
    assert seen[-1][1] < seen[-1][2]


def test_damaged_archive_has_ended_when_its_error_is_raised(tmp_path, seen):
    packed = gzip.compress(noise(10_000))
    (tmp_path / "text.gz").write_bytes(packed[:5000])
    with pytest.raises(CorpusFileError, match="cannot be read to its end"):
        list(read_pieces(tmp_path / "text.gz"))
    assert seen[-1][3]


@posix_only
def test_pipe_has_no_size_and_its_bytes_are_counted(tmp_path, seen):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(b"a b\nc\n",))
    writer.start()
    assert list(LineCorpus(tmp_path / "pipe")) == [["a", "b"], ["c"]]
    writer.join()
    assert seen[0] == ("pipe", 0, None, False)
    assert seen[-1] == ("pipe", 6, None, True)


def test_nobody_is_told_after_the_watch(tmp_path):
    (tmp_path / "text").write_text("a\n", encoding="utf-8")
    told = []
    with watch_readings(told.append):
        pass
    assert list(LineCorpus(tmp_path / "text")) == [["a"]]
    assert not told


def test_training_reads_each_file_of_a_pair_under_watch(tmp_path, seen):
    for code in ("en", "de"):
        (tmp_path / code).write_text("a b c\n" * 50, encoding="utf-8")
    pairs = ParallelSentences(tmp_path / "en", tmp_path / "de", languages=("en", "de"))
    BilBOWA(parallel=pairs, vector_size=4, workers=2, epochs=1)
    assert {entry[0] for entry in seen} == {"en", "de"}
    assert sum(entry[3] for entry in seen) == 4  # counted, then encoded


# ---- the bar


@pytest.fixture
def shown():
    return io.StringIO()


def frames(shown):
    return [frame.strip() for frame in shown.getvalue().split("\r") if frame.strip()]


def bar(shown):
    return ReadingBar(file=shown, delay=0, mininterval=0, miniters=1, ncols=100)


def test_bar_shows_share_rate_and_remaining_time_and_goes(tmp_path, shown):
    (tmp_path / "text").write_bytes(noise(1000) * 2000)
    with bar(shown):
        list(read_lines(tmp_path / "text"))
    share = re.compile(r"reading text: +\d+%\|.*\| [\d.]+[kM]/3.82M \[00:00<[\d:?]+, .*B/s\]")
    assert any(share.fullmatch(frame) for frame in frames(shown)), frames(shown)[:3]
    assert "100%" in frames(shown)[-1]
    assert re.search(r"\r +\r$", shown.getvalue())


def test_files_read_side_by_side_have_one_bar(tmp_path, shown):
    for code in ("en", "de"):
        (tmp_path / code).write_bytes(noise(1000) * 1000)
    with bar(shown):
        for _ in ParallelSentences(tmp_path / "en", tmp_path / "de", languages=("en", "de")):
            pass
    assert any(re.match(r"reading 2 files: +\d+%.*/3.82M", frame) for frame in frames(shown))
    assert "100%" in frames(shown)[-1]


@posix_only
def test_bar_of_a_pipe_shows_count_and_rate_only(tmp_path, shown):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(noise(1000) * 200,))
    writer.start()
    with bar(shown):
        list(read_lines(tmp_path / "pipe"))
    writer.join()
    assert re.match(r"reading pipe: [\d.]+[kM]B \[00:00, .*B/s\]", frames(shown)[-1])
    assert "%" not in shown.getvalue()


def test_each_pass_over_a_file_has_a_bar_of_its_own(tmp_path, shown):
    (tmp_path / "text").write_bytes(noise(1000) * 200)
    with bar(shown):
        list(read_lines(tmp_path / "text"))
        before = len(frames(shown))
        list(read_lines(tmp_path / "text"))
    assert re.match(r"reading text: +0%", frames(shown)[before])


def test_reading_closed_after_the_bar_opens_no_other_one(tmp_path, shown):
    (tmp_path / "text").write_bytes(noise(1000) * 1000)
    with bar(shown):
        lines = read_lines(tmp_path / "text")
        next(lines)
    before = shown.getvalue()
    lines.close()
    assert shown.getvalue() == before


@pytest.mark.parametrize("quiet", [[], ["-q"], ["-v"]])
def test_train_shows_no_bar_where_there_is_no_terminal(tmp_path, quiet):
    write_memory(tmp_path / "memory.tmx", "en", "de")
    arguments = ["--pairs", f"en,de={tmp_path}/memory.tmx", "--epochs", 1, "--workers", 1]
    result = CliRunner().invoke(
        cli, ["train", "-o", f"{tmp_path}/m", *map(str, arguments), *quiet], catch_exceptions=False
    )
    assert "reading" not in result.stderr
    assert result.stdout == ""


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("option", "bars"), [([], True), (["-q"], False), (["-v"], False)])
def test_train_shows_bars_for_reading_and_for_training_on_a_terminal(
    tmp_path, monkeypatch, capsys, option, bars
):
    write_memory(tmp_path / "memory.tmx", "en", "de")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("gensim_bilbowa.cli.reading_bar._DELAY", 0)
    cli.main(
        ["train", "-o", f"{tmp_path}/m", "--pairs", f"en,de={tmp_path}/memory.tmx", "--epochs",
         "20", "--workers", "1", "--lexicon", f"{tmp_path}/terms.tsv", *option],
        standalone_mode=False,
    )  # fmt: skip
    text = terminal.getvalue()
    assert bool(re.search(r"epoch \d+/20: +\d+%.*words/s", text)) is bars
    assert bool(re.search(r"reading memory.tmx: +\d+%.*B/s", text)) is bars
    assert capsys.readouterr().out == ""


def test_other_commands_that_read_show_bars_on_a_terminal(tmp_path, monkeypatch, capsys):
    write_memory(tmp_path / "memory.tmx", "en", "de")
    for code in ("en", "de"):
        (tmp_path / code).write_text(
            "".join(f"{code}1 {code}{2 + n % 3}\n" for n in range(30)), encoding="utf-8"
        )
    parallel = {("en", "de"): (tmp_path / "en", tmp_path / "de")}
    BilBOWA(parallel=parallel, vector_size=4, min_count=1, epochs=1, workers=1).save(tmp_path / "m")
    monkeypatch.setattr("gensim_bilbowa.cli.reading_bar._DELAY", 0)
    sides = [f"{code}={tmp_path}/{code}" for code in ("en", "de")]
    for command in (["lexicon", "--parallel", *sides], ["sentences", *sides],
                    ["evaluate", "--sentences", *sides]):  # fmt: skip
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        cli.main([command[0], f"{tmp_path}/m", *command[1:]], standalone_mode=False)
        assert re.search(r"reading (en|2 files): +\d+%.*B/s", terminal.getvalue())
    assert "en1" in capsys.readouterr().out
