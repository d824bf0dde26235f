"""Dataclasses as JSON and back, each value checked."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.files.documents import checked, parse_json, saved_fields
from gensim_bilbowa.files.filesystem import reachable

__all__ = ["read_json", "write_json"]

_Record = TypeVar("_Record")

_HALF = re.compile("[\ud800-\udfff]")


def write_json(record: Any, path: Path) -> None:
    """Write a dataclass as one object of JSON, in UTF-8.

    Raises
    ------
    FormatError
        If a value is not what `read_json` wants, such as a count below 0; it says where.
    """
    try:
        text = json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False, default=_as_json)
    except ValueError as error:
        raise FormatError(f"JSON holds finite numbers alone: {error}") from error
    checked(type(record), json.loads(text), "")
    # Half characters, as paths may have them, are no UTF-8, but JSON has escapes for them.
    text = _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def _as_json(value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    return {field.name: getattr(value, field.name) for field in saved_fields(value)}


def read_json(path: str | os.PathLike[str], kind: type[_Record]) -> _Record:
    """Read what `write_json` wrote.

    Raises
    ------
    FormatError
        If the file is no JSON, or has not what the dataclass wants; it says where.
    """
    try:
        text = Path(reachable(path)).read_bytes().decode("utf-8-sig")
        read: _Record = checked(kind, parse_json(text, parse_constant=_no_number), "")
        return read
    except UnicodeDecodeError as error:
        raise FormatError(f"{os.fspath(path)}: no JSON in UTF-8: {error}") from error
    except json.JSONDecodeError as error:
        raise FormatError(
            f"{os.fspath(path)}, line {error.lineno}, column {error.colno}: no JSON: {error.msg}"
        ) from error
    except ValueError as error:
        raise FormatError(f"{os.fspath(path)}: {error}") from error


def _no_number(name: str) -> None:
    raise FormatError(f"{name} is no number of JSON")
