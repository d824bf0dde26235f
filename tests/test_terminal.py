"""Signs that steer a terminal are shown on it, not obeyed; pipes and files get what there is."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import BILBOWA, on_a_terminal
from samples import SMALL, made_up_pairs
from tqdm import tqdm

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.cli.terminal import Terminal

# Each sets a title, the clipboard or a colour, goes back, or turns the direction.
STEERING = {
    "title": "\x1b]0;mine\x07", "clipboard": "\x1b]52;c;bWluZQ==\x1b\\", "colour": "\x1b[31m",
    "back": "safe\runsafe", "up": "\x1b[1A\x1b[2K", "csi": "\x9b31m", "osc": "\x9d0;mine\x9c",
    "next line": "a\x85b", "del": "a\x7f\x7fb", "backspace": "a\b\bb", "nul": "a\0b",
    "override": "a\u202etxt.exe", "isolate": "\u2066a\u2069", "line": "a\u2028b",
}  # fmt: skip
OBEYED = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
# What a bar and the terminal itself write.
BAR = re.compile(r"\r|\x1b\[A")

posix_only = pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")


def escaped(text):
    return "".join(f"\\u{ord(c):04x}" if OBEYED.fullmatch(c) else c for c in text)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model of steering words, and text of them in a file of such a name."""
    folder = tmp_path_factory.mktemp("terminal")
    pairs = [
        ([STEERING[word] for word in STEERING], [f"ü{word}{text}" for word, text in
                                                 STEERING.items()])
    ] * 20  # fmt: skip
    BilBOWA(parallel={("en", "de"): pairs}, **SMALL).save(folder / "m")
    lines = "".join(f"{' '.join(a)}\t{' '.join(b)}\n" for a, b in made_up_pairs(200, words=30))
    (folder / f"{STEERING['title']}.tsv").write_text(lines, encoding="utf-8")
    return folder


COMMANDS = {
    "info": ["info", "m"],
    "info as JSON": ["info", "m", "--json"],
    "translate": ["translate", "m", "-n", "20", *(w for w in STEERING.values() if "\0" not in w)],
    "lexicon": ["lexicon", "m", "--all"],
    "unknown word": ["translate", "m", f"x{STEERING['title']}"],
    "no such file": ["info", f"x{STEERING['csi']}"],
    "no such option": ["info", f"--{STEERING['title']}"],
    "log": [
        "train", "-v", "-o", STEERING["colour"], "--pairs", f"en,de={STEERING['title']}.tsv",
        "--epochs", "1", "--vector-size", "4", "--min-count", "1", "--checkpoint-every", "1h",
    ],
}  # fmt: skip


@pytest.mark.slow
@posix_only
@pytest.mark.parametrize("name", COMMANDS)
def test_terminal_is_shown_what_would_steer_it(folder, name):
    with contextlib.chdir(folder):
        arguments = [BILBOWA, *COMMANDS[name]]
        _, shown = on_a_terminal(arguments)
        piped = subprocess.run(arguments, capture_output=True, check=False)
    shown = shown.replace("\r\n", "\n")
    assert not OBEYED.search(shown), ascii(shown)
    assert "\\u00" in shown or "\\x" in shown  # the latter of a word in quotes
    assert escaped(piped.stdout.decode()) in shown


@pytest.mark.slow
def test_pipe_gets_the_words_as_they_are(folder):
    for arguments in (["lexicon", "m", "--all", "--topn", "20"], COMMANDS["translate"]):
        found = subprocess.run([BILBOWA, *arguments], cwd=folder, capture_output=True, check=True)
        for word in STEERING.values():
            assert word in found.stdout.decode()


def shown_by(action, *, bars):
    stream = io.BytesIO()
    terminal = Terminal(
        io.TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace"), bars=bars
    )
    action(terminal)
    terminal.flush()
    return stream.getvalue().decode()


@given(texts=st.lists(st.text(st.one_of(st.characters(), st.sampled_from("\r\n\t\x1b[A\x9b")))))
def test_text_comes_with_nothing_that_steers_and_all_else(texts):
    found = shown_by(lambda stream: stream.writelines(texts), bars=False)
    text = "".join(texts).encode("utf-8", "backslashreplace").decode()
    assert found == escaped(text)
    found = shown_by(lambda stream: [print(text, file=stream) for text in texts], bars=False)
    assert not OBEYED.search(found)


def test_bars_move_and_what_they_say_does_not_steer():
    def bars(stream):
        with (
            tqdm(total=3, desc=STEERING["title"], file=stream, mininterval=0, ascii=True) as one,
            tqdm(total=3, desc=STEERING["back"], file=stream, mininterval=0, position=1) as other,
        ):
            for bar in (one, other, one):
                bar.update()
                bar.set_postfix_str(STEERING["up"])

    found = shown_by(bars, bars=True)
    assert {"\r", "\x1b[A"} <= set(BAR.findall(found))
    assert not OBEYED.search(BAR.sub("", found))
    assert escaped(STEERING["up"]) in found
    assert f"\r{escaped(STEERING['back'])}" in found


def test_terminal_is_a_stream_like_another():
    stream = io.BytesIO()
    terminal = Terminal(io.TextIOWrapper(stream, "utf-8", "backslashreplace"), bars=True)
    assert terminal.write("a\x1b\n") == 3
    assert stream.getvalue() == b"a\\u001b\n"  # a line is not kept back
    assert (terminal.encoding, terminal.errors, terminal.isatty()) == (
        "utf-8", "backslashreplace", False,
    )  # fmt: skip
