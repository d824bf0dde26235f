"""JSON that is not trusted: parsed, and each value checked against the type that is wanted.

No more is made of it than its size calls for.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import (
    Annotated,
    Any,
    NotRequired,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from gensim_bilbowa.errors import FormatError

__all__ = [
    "MOST_WHOLE",
    "Amount",
    "Count",
    "Range",
    "Share",
    "checked",
    "parse_json",
    "saved_fields",
]

_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


# An empty list takes twenty times the memory of its two signs. Files of ours have far fewer, also
# those with the aligned words of a hundred languages.
_MOST_CONTAINERS = 1 << 16
_CHARACTERS_OF_EACH = 32
# A bracket within a string is none.
_CONTAINER = re.compile(r'"(?:[^"\\]++|\\.)*+"?+|([\[{])', re.DOTALL)


@dataclass(frozen=True)
class Range:
    """Where a number may lie."""

    low: float
    high: float


# Up to where floats have all whole numbers.
MOST_WHOLE = 2**53
Count: TypeAlias = Annotated[int, Range(0, MOST_WHOLE)]
Amount: TypeAlias = Annotated[float, Range(0, sys.float_info.max)]
Share: TypeAlias = Annotated[float, Range(0, 1)]


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; raise ValueError if it has a key twice."""
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise ValueError(f"{key!r:.80} stands twice in one object")
        made[key] = value
    return made


def parse_json(
    text: str | bytes,
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = _unique_keys,
    parse_constant: Callable[[str], Any] | None = None,
) -> Any:
    """Parse JSON, as :func:`json.loads` does; bytes are UTF-8.

    Raises
    ------
    ValueError
        Also for more lists and objects than 65,536 and one for each 32 characters, for values that
        are nested too deep, and for an object that has a key twice, unless another hook is given.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8-sig", "surrogatepass")
    if len(text) > _MOST_CONTAINERS:
        most = _MOST_CONTAINERS + len(text) // _CHARACTERS_OF_EACH
        if text.count("[") + text.count("{") > most and _containers(text) > most:
            raise ValueError(f"more than {most:,} lists and objects")
    try:
        return json.loads(text, object_pairs_hook=object_pairs_hook, parse_constant=parse_constant)
    except RecursionError as error:
        raise ValueError("values within values, too deep to read") from error


def _containers(text: str) -> int:
    return sum(found.lastindex or 0 for found in _CONTAINER.finditer(text))


def checked(kind: Any, value: Any, where: str) -> Any:
    """Return a value as one of a type.

    Parameters
    ----------
    kind : type
        A dataclass or TypedDict, of which a value is an object with no other keys; a number, with
        a `Range` or without, text, truth value or Any; tuples, lists and mappings of such; or one
        of them or None.
    value : object
        As JSON has it.
    where : str
        Where it stands, "" for all of a document.

    Raises
    ------
    FormatError
        If it is none, saying where and what is wanted. Numbers must be finite.
    """
    outer, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return value
    if outer in (Union, UnionType):
        return None if value is None else checked(inner[0], value, where)
    if outer is Annotated:
        number = checked(inner[0], value, where)
        low, high = inner[1].low, inner[1].high
        _want(low <= number <= high, f"a number from {low:,} to {high:,.10g}", value, where)
        return number
    if is_dataclass(kind) or is_typeddict(kind):
        return _record(kind, value, where)
    if outer is tuple:
        return _tuple(inner, value, where)
    if outer is list:
        _want(isinstance(value, list), "a list", value, where)
        # Words, of which there may be millions.
        if inner[0] is str and all(isinstance(one, str) for one in value):
            return value
        return [checked(inner[0], one, f"{where}[{n}]") for n, one in enumerate(value)]
    if outer in (dict, Mapping):
        _want(isinstance(value, dict), "an object", value, where)
        return {key: checked(inner[1], one, f"{where}[{key!r:.80}]") for key, one in value.items()}
    # In Python true is a whole number, too, and a whole number stands for a fraction in JSON.
    fits = isinstance(value, int | float if kind is float else kind)
    _want(fits and (kind is bool or not isinstance(value, bool)), _NAMES[kind], value, where)
    if kind is float:
        _want(abs(value) <= sys.float_info.max, "a finite number", value, where)
        return float(value)
    return value


def saved_fields(record: Any) -> list[Field[Any]]:
    """Return the fields of a dataclass that files have."""
    return [field for field in fields(record) if field.metadata.get("saved", True)]


@cache
def _keys(kind: Any) -> dict[str, tuple[Any, bool]]:
    """Return for each key of an object its type, and whether it must be there."""
    hints = get_type_hints(kind, include_extras=True)
    if is_typeddict(kind):
        optional = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
        return {
            name: (get_args(hint)[0] if name in optional else hint, name not in optional)
            for name, hint in hints.items()
        }
    return {
        field.name: (
            hints[field.name], field.default is MISSING and field.default_factory is MISSING
        )
        for field in saved_fields(kind)
    }  # fmt: skip


def _record(kind: Any, value: Any, where: str) -> Any:
    _want(isinstance(value, dict), "an object", value, where)
    keys = _keys(kind)
    if unknown := [key for key in value if key not in keys]:
        name = kind.__name__.removeprefix("_")
        raise FormatError(f"{where or 'the file'}: a {name} has no {unknown[0]!r:.80}")
    given = {}
    for name, (wanted, needed) in keys.items():
        inner = f"{where}.{name}" if where else name
        if name in value:
            given[name] = checked(wanted, value[name], inner)
        elif needed:
            raise FormatError(f"{inner} is missing")
    return kind(**given)


def _tuple(inner: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    _want(isinstance(value, list), "a list", value, where)
    if inner[-1] is Ellipsis:
        inner = (inner[0],) * len(value)
    _want(len(value) == len(inner), f"a list of {len(inner)}", value, where)
    return tuple(
        checked(kind, one, f"{where}[{number}]")
        for number, (kind, one) in enumerate(zip(inner, value, strict=True))
    )


def _want(fits: bool, wanted: str, value: Any, where: str) -> None:
    if not fits:
        raise FormatError(f"{where or 'the file'}: {wanted} is wanted, got {value!r:.80}")
