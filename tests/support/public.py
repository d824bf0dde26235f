"""What of the package is public: what the reference in docs/ names, with parameters, as lines.

``python tests/support/public.py`` writes them to ``tests/public.txt``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa.cli import cli

__all__ = ["LIST", "lines"]

_ROOT = Path(__file__).parents[2]
LIST = _ROOT / "tests" / "public.txt"
_DIRECTIVE = re.compile(r"^\.\. (currentmodule|auto\w+|data):: (\S+)\n((?:   .*\n|\n)*)", re.M)
_MEMBERS = re.compile(r"^   :members:(.*)$", re.M)
_ALSO = re.compile(r"^   \.\. automethod:: (\w+)$", re.M)


def lines() -> list[str]:
    """Return a line for each public name, member of a class and option of a command, in order."""
    members = {}
    for page in (_ROOT / "docs" / "reference").glob("*.rst"):
        members |= _named_on(page.read_text("utf-8") + "\n")
    found = {name: _object(name) for name in members}
    classes = {made for made in found.values() if inspect.isclass(made)}
    described = {
        line
        for name, made in found.items()
        for line in (
            _of_class(name, made, members[name], classes)
            if made in classes
            else [f"{name}{_parameters(made) if callable(made) else ''}"]
        )
    }
    return sorted({*described, *_of_commands()})


def _named_on(page: str) -> dict[str, list[str]]:
    """Return the names on a page, with the members that are named of each; "*" is for all."""
    module = ""
    found: dict[str, list[str]] = {}
    for directive, name, options in _DIRECTIVE.findall(page):
        full = name if name.startswith("gensim_bilbowa") else f"{module}.{name}"
        given = _MEMBERS.search(options)
        if directive == "currentmodule":
            module = name
        elif directive != "automodule":
            members = [] if given is None else re.findall(r"\w+", given[1]) or ["*"]
            found[full] = members + _ALSO.findall(options)
        elif given is not None:
            found |= {f"{full}.{each}": [] for each in import_module(full).__all__}
    return found


def _object(name: str) -> Any:
    module, _, last = name.rpartition(".")
    return getattr(import_module(module), last)


def _of_class(name: str, made: type, members: list[str], public: set[type]) -> Iterator[str]:
    own = [base for base in made.__mro__ if base.__module__.startswith("gensim_bilbowa")]
    # How other classes are made changes from Python to Python.
    made_here = any({"__init__", "__new__"} & vars(base).keys() for base in own)
    yield f"{name}{_parameters(made) if made_here else ''}"
    for base in made.__mro__[1:]:
        foreign = base not in own and any(base in each.__bases__ for each in own)
        if base in public or (foreign and base.__name__ not in {"ABC", "object"}):
            yield f"{name} is a {base.__name__}"
    inherited = {each for base in own[1:] if base in public for each in base.__mro__}
    for member in members:
        if member != "*":
            yield f"{name}.{member}{_parameters_of_member(made, member)}"
            continue
        for each in {each for base in own if base not in inherited for each in vars(base)}:
            if each[0] != "_":
                yield f"{name}.{each}{_parameters_of_member(made, each)}"


def _parameters_of_member(owner: type, name: str) -> str:
    member = inspect.getattr_static(owner, name)
    if isinstance(member, classmethod | staticmethod):
        return _parameters(getattr(owner, name))
    return _parameters(member, first=1) if inspect.isfunction(member) else ""


def _parameters(made: Any, first: int = 0) -> str:
    """Return the parameters of a callable, without their types."""
    plain = [
        each.replace(
            annotation=each.empty,
            default=each.empty if each.default is each.empty else _Default(each.default),
        )
        for each in list(inspect.signature(made).parameters.values())[first:]
    ]
    return str(inspect.Signature(plain))


class _Default:
    """A default, whose text is the same with each Python and in each run."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        parts = self._value if isinstance(self._value, tuple) else [self._value]
        if all(isinstance(part, bool | int | float | str | None) for part in parts):
            return repr(self._value)
        return "..."


def _of_commands() -> Iterator[str]:
    """Yield the commands with their arguments and options."""
    context = click.Context(cli)
    for command in (cli, *(cli.get_command(context, name) for name in cli.list_commands(context))):
        name = "bilbowa" if command is cli else f"bilbowa {command.name}"
        yield name
        for parameter in command.params:
            yield f"{name} {', '.join([*parameter.opts, *parameter.secondary_opts])}"


if __name__ == "__main__":
    LIST.write_text("".join(f"{line}\n" for line in lines()), "utf-8", newline="\n")
