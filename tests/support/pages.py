"""The blocks of code on a Markdown page, run from top to bottom as a reader would run them.

What is run: ``python`` and ``pycon`` blocks, in one namespace, and the ``$`` lines of ``console``
blocks. Where a page shows output, it must be the output, up to decimal numbers, which differ
between processors. Two comments, which readers do not see, say what is beside the text::

    <!-- setup
    Python that makes the files and variables which the page speaks of.
    -->

    <!-- not run: why the next block is only shown -->
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pytest
from click.testing import CliRunner

from gensim_bilbowa.cli import cli

__all__ = ["RUN", "Block", "blocks", "links", "run"]

RUN = ("python", "pycon", "console")
_BLOCK = re.compile(
    r"<!-- (?P<setup>setup)\n(?P<prepared>.*?)^-->"
    r"|(?:^<!-- not run: (?P<reason>[^\n]*) -->\n\n?)?"
    r"^(?P<indent> *)(?P<fence>```+)(?P<language>[^\n]*)\n(?P<code>.*?)^(?P=indent)(?P=fence)$",
    re.S | re.M,
)
_PAGE_LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)")
_SAME = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A block of code, or of what is made ready for it ("setup")."""

    language: str
    code: str
    line: int
    reason: str | None = None

    @property
    def runs(self) -> bool:
        """Whether readers see it and it is run."""
        return self.language in RUN and self.reason is None


def blocks(page: Path) -> Iterator[Block]:
    """Yield the blocks of a page in their order."""
    text = page.read_text("utf-8")
    for found in _BLOCK.finditer(text):
        name = "prepared" if found["setup"] else "code"
        line = text.count("\n", 0, found.start(name)) + 1
        code = textwrap.dedent(found[name])
        yield Block(found["setup"] or found["language"], code, line, found["reason"])


def links(page: Path) -> Iterator[tuple[str, str | None]]:
    """Yield path and anchor of each link to another page or another place, outside of code."""
    text = _BLOCK.sub("", page.read_text("utf-8"))
    for path, anchor in _PAGE_LINK.findall(text):
        yield path, anchor or None


def run(page: Path) -> int:
    """Run the blocks of a page in the current folder; return how many of them readers see."""
    names: dict[str, object] = {"__name__": "page"}
    seen = 0
    for block in blocks(page):
        if block.language == "setup" or (block.runs and block.language == "python"):
            # Line numbers in a traceback are those of the page.
            exec(compile("\n" * (block.line - 1) + block.code, str(page), "exec"), names)
        elif block.runs and block.language == "pycon":
            _run_session(block, page, names)
        elif block.runs:
            _run_commands(block, page)
        seen += block.runs
    return seen


def _run_session(block: Block, page: Path, names: dict[str, object]) -> None:
    for example in doctest.DocTestParser().get_examples(block.code):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(compile(example.source, str(page), "single"), names)
        _compare(output.getvalue(), example.want, f"{page}:{block.line + example.lineno}")


def _run_commands(block: Block, page: Path) -> None:
    parts = re.split(r"^\$ ", block.code.replace("\\\n", " "), flags=re.M)
    assert not parts[0].strip(), f"{page}:{block.line}: output before the first command"
    for part in parts[1:]:
        command, _, shown = part.partition("\n")
        output, log = _run_line(command)
        if shown.strip():
            # A command that prints nothing says at the end of its log what it did.
            _compare(output or log.splitlines()[-1], shown, f"{page}: {command}")


def _compare(printed: str, shown: str, where: str) -> None:
    given, wanted = (
        # Scores, and how many are high enough, differ between processors.
        re.sub(r"-?\d+\.\d+(e-\d+)?|[\d,]+(?= pairs| terms)", "#", text).strip()
        for text in (printed, shown)
    )
    assert doctest.OutputChecker().check_output(f"{wanted}\n", f"{given}\n", _SAME), (
        f"{where} prints\n{printed}\nbut the page shows\n{shown}"
    )


def _run_line(line: str) -> tuple[str, str]:
    """Run programs joined by pipes, the output perhaps into a file; return both their streams."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|>")
    lexer.whitespace_split = True
    words = list(lexer)
    target = None
    if ">" in words:
        *words, _, target = words
    output = log = ""
    for is_pipe, program in groupby(words, key="|".__eq__):
        if not is_pipe:
            output, log = _run_program(list(program), output)
    if target is not None:
        Path(target).write_text(output, "utf-8")
        output = ""
    return output, log


def _run_program(program: list[str], text: str) -> tuple[str, str]:
    if program[0] == "bilbowa":
        # In this process: it takes seconds to import all that a command needs.
        result = CliRunner().invoke(cli, program[1:], input=text)
        if result.exception is not None:
            raise AssertionError(f"{shlex.join(program)}: {result.output}") from result.exception
        return result.stdout, result.stderr
    if program[0] == "python":
        program = [sys.executable, "-P", *program[1:]]
    elif shutil.which(program[0]) is None:
        pytest.skip(f"no {program[0]} here")
    result = subprocess.run(program, input=text, capture_output=True, text=True, check=True)
    return result.stdout, result.stderr
