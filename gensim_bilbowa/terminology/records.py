"""Dataclasses as JSON and back, each value checked."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.filesystem import reachable

__all__ = ["read_json", "write_json"]

_Record = TypeVar("_Record")

_HALF = re.compile("[\ud800-\udfff]")
_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


def write_json(record: Any, path: Path) -> None:
    """Write a dataclass as one object of JSON, in UTF-8.

    Raises
    ------
    FormatError
        If a number is not finite, which JSON cannot hold.
    """
    try:
        text = json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False, default=_as_json)
    except ValueError as error:
        raise FormatError(f"JSON holds finite numbers alone: {error}") from error
    # Half characters, as paths may have them, are no UTF-8, but JSON has escapes for them.
    text = _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def _as_json(value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    return {field.name: getattr(value, field.name) for field in _saved(value)}


def _saved(record: Any) -> list[Field[Any]]:
    """Return the fields of a dataclass that files have."""
    return [field for field in fields(record) if field.metadata.get("saved", True)]


def read_json(path: str | os.PathLike[str], kind: type[_Record]) -> _Record:
    """Read what `write_json` wrote.

    Raises
    ------
    FormatError
        If the file is no JSON, or has not what the dataclass wants; it says where.
    """
    try:
        text = Path(reachable(path)).read_bytes().decode("utf-8-sig")
        found = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
        read: _Record = _checked(kind, found, "")
        return read
    except UnicodeDecodeError as error:
        raise FormatError(f"{os.fspath(path)}: no JSON in UTF-8: {error}") from error
    except json.JSONDecodeError as error:
        raise FormatError(
            f"{os.fspath(path)}, line {error.lineno}, column {error.colno}: no JSON: {error.msg}"
        ) from error
    except RecursionError as error:
        raise FormatError(f"{os.fspath(path)}: values within values, too deep to read") from error
    except ValueError as error:
        raise FormatError(f"{os.fspath(path)}: {error}") from error


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise FormatError(f"{key!r:.80} stands twice in one object")
        found[key] = value
    return found


def _no_number(name: str) -> None:
    raise FormatError(f"{name} is no number of JSON")


def _checked(kind: Any, value: Any, where: str) -> Any:
    """Return a value as one of a type, one of those that the fields of a record may have."""
    if is_dataclass(kind):
        return _record(kind, value, where)
    outer, inner = get_origin(kind), get_args(kind)
    if outer is tuple:
        return _tuple(inner, value, where)
    if outer is Mapping:
        _want(isinstance(value, dict), "an object", value, where)
        return {key: _checked(inner[1], one, f"{where}[{key!r:.80}]") for key, one in value.items()}
    # In Python true is a whole number, too, and a whole number stands for a fraction in JSON.
    fits = type(value) is kind or (kind is float and type(value) is int)
    _want(fits, _NAMES[kind], value, where)
    if kind is float:
        _want(abs(value) <= sys.float_info.max, "a finite number", value, where)
        return float(value)
    return value


# To read the hints of a class takes longer than to read a record of it.
_hints = cache(get_type_hints)


def _record(kind: Any, value: Any, where: str) -> Any:
    _want(isinstance(value, dict), "an object", value, where)
    hints = _hints(kind)
    names = {field.name for field in _saved(kind)}
    if unknown := [key for key in value if key not in names]:
        raise FormatError(f"{where or 'the file'}: a {kind.__name__} has no {unknown[0]!r:.80}")
    given = {}
    for field in _saved(kind):
        inner = f"{where}.{field.name}" if where else field.name
        if field.name in value:
            given[field.name] = _checked(hints[field.name], value[field.name], inner)
        elif field.default is MISSING and field.default_factory is MISSING:
            raise FormatError(f"{inner} is missing")
    return kind(**given)


def _tuple(inner: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    _want(isinstance(value, list), "a list", value, where)
    if inner[-1] is Ellipsis:
        inner = (inner[0],) * len(value)
    _want(len(value) == len(inner), f"a list of {len(inner)}", value, where)
    return tuple(
        _checked(kind, one, f"{where}[{number}]")
        for number, (kind, one) in enumerate(zip(inner, value, strict=True))
    )


def _want(fits: bool, wanted: str, value: Any, where: str) -> None:
    if not fits:
        raise FormatError(f"{where or 'the file'}: {wanted} is wanted, got {value!r:.80}")
