"""What each parameter may be, checked before anything is read or allocated."""

from __future__ import annotations

import math
import numbers
import os
import sys
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from gensim_bilbowa.documents import MOST_WHOLE
from gensim_bilbowa.errors import ConfigError

__all__ = [
    "LOCAL_PARAMETERS",
    "MOST_WORKERS",
    "NGRAMS",
    "PARAMETERS",
    "WORD2VEC",
    "attribute_name",
    "check_choice",
    "check_errors",
    "check_languages",
    "check_number",
    "check_parameters",
    "check_subwords",
    "check_values",
    "two_languages",
]

# Word2Vec's own parameters, each language's model is made with them.
WORD2VEC = (
    "vector_size", "alpha", "window", "min_count", "max_vocab_size", "sample", "workers",
    "min_alpha", "sg", "hs", "negative", "ns_exponent", "cbow_mean", "hashfxn", "epochs",
    "null_word", "sorted_vocab", "batch_words", "compute_loss", "comment", "max_final_vocab",
    "shrink_windows",
)  # fmt: skip
# FastText's, of a language with subwords.
NGRAMS = ("min_n", "max_n", "bucket")
_OURS = (
    "shared_negatives", "xling_weight", "xling_sample", "xling_passes", "xling_clip",
    "xling_gradient", "alignment", "align_pulls", "align_rate", "align_context_rate",
    "align_damping", "align_spelling",
)  # fmt: skip
PARAMETERS = (*WORD2VEC, "seed", *_OURS, "subwords", *NGRAMS, "corpus_memory", "cache_dir")
# Of this process or machine, not of a saved model.
LOCAL_PARAMETERS = {"hashfxn", "cache_dir"}

MOST_WORKERS = 256
# What no text calls for: with more, rates and weights overflow, plans fill the memory, and a
# training would end in no lifetime.
_MOST_TIMES = 1_000_000
_HUGE = 1e15
# Bytes of a language's code, which stands in names of files, in some together with another one.
_LONGEST_CODE = 60

# Parameter: (whole number?, lowest, highest, is None allowed?); without a highest what compiled
# code takes.
_RANGES: dict[str, tuple[bool, float, float | None, bool]] = {
    "vector_size": (True, 1, 10_000, False),
    "alpha": (False, 0, _HUGE, False),
    "min_alpha": (False, 0, _HUGE, False),
    "window": (True, 1, 2**30, False),
    "min_count": (True, 0, None, False),
    "max_vocab_size": (True, 1, None, True),
    "max_final_vocab": (True, 1, None, True),
    "sample": (False, 0, _HUGE, False),
    "seed": (True, 0, 2**32 - 1, False),
    "workers": (True, 1, MOST_WORKERS, False),
    "sg": (True, 0, 1, False),
    "hs": (True, 0, 1, False),
    "negative": (True, 0, 1_000, False),
    "ns_exponent": (False, -_HUGE, _HUGE, False),
    "cbow_mean": (True, 0, 1, False),
    "epochs": (True, 1, _MOST_TIMES, False),
    "null_word": (True, 0, 1, False),
    "sorted_vocab": (True, 0, 1, False),
    "batch_words": (True, 1, None, False),
    "xling_weight": (False, 0, _HUGE, False),
    "xling_sample": (False, 0, _HUGE, False),
    "xling_passes": (False, 0, _MOST_TIMES, False),
    "xling_clip": (False, 0, math.inf, False),  # which clips nothing
    "align_pulls": (True, 0, 10_000, False),
    "align_rate": (False, 0, 1, False),
    "align_context_rate": (False, 0, 1, False),
    "align_damping": (False, 0, _HUGE, False),
    "align_spelling": (False, 0, _HUGE, False),
    "min_n": (True, 1, 1_000, False),
    "max_n": (True, 1, 1_000, False),
    "bucket": (True, 1, 2**31 - 1, False),
    "corpus_memory": (True, 0, None, False),
}

# gensim takes booleans for these.
_SWITCHES = {"sg", "hs", "cbow_mean", "null_word", "sorted_vocab"}


def check_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values, numbers as int and float; raise ConfigError for one that cannot work.

    Each is looked at by itself, so that they need not be all.
    """
    checked = dict(values)
    for name, (whole, low, high, optional) in _RANGES.items():
        if name in values and not (optional and values[name] is None):
            checked[name] = check_number(name, values[name], whole, low, high)
    comment = values.get("comment")
    if comment is not None and not isinstance(comment, str):
        raise ConfigError(f"comment must be a string or None, got {comment!r}")
    folder = values.get("cache_dir")
    if folder is not None and (not isinstance(folder, str | os.PathLike) or not os.fspath(folder)):
        raise ConfigError(f"cache_dir must be the path of a folder or None, got {folder!r}")
    for name in ("alignment", "shrink_windows", "shared_negatives"):
        if name not in values:
            continue
        value = values[name]
        if not isinstance(value, bool | np.bool_ | numbers.Real) or value not in (0, 1):
            raise ConfigError(f"{name} must be True or False, got {_shown(value)}")
        checked[name] = bool(value)
    if "subwords" in values:
        checked["subwords"] = check_subwords(values["subwords"])
    check_choice("xling_gradient", values.get("xling_gradient", "delta"), ("delta", "exact"))
    return checked


def check_parameters(values: Mapping[str, Any]) -> dict[str, Any]:
    """Do as :func:`check_values`, and refuse values that do not go together."""
    checked = check_values(values)
    if checked.get("min_n", 0) > checked.get("max_n", math.inf):
        raise ConfigError(
            f"max_n must be min_n={values['min_n']} or more, got {values['max_n']}: there would be "
            "no n-grams"
        )
    if not values.get("hs", 0) and values.get("negative") == 0:
        raise ConfigError("one of hs and negative must be positive: with neither nothing is learnt")
    return checked


def check_number(
    name: str, value: Any, whole: bool, low: float = 0, high: float | None = None
) -> int | float:
    """Return a number as int or float; raise ConfigError if it is none or out of range.

    Without `high` any finite number will do; of whole ones, up to 2^53.
    """
    kind: Any = numbers.Integral if whole else numbers.Real
    largest = MOST_WHOLE if whole else sys.float_info.max
    number = math.nan
    if isinstance(value, kind) and not (isinstance(value, bool) and name not in _SWITCHES):
        with suppress(OverflowError):  # beyond all floats
            number = int(value) if whole else float(value)
    if not max(low, -largest) <= number <= (largest if high is None else high):
        upper = " or more" if high is None or math.isinf(high) else f" to {high:,.10g}"
        lower = f" of {low:,.10g}{upper}" if math.isfinite(low) else ""
        raise ConfigError(
            f"{name} must be a {'whole ' if whole else ''}number{lower}, got {_shown(value)}"
        )
    return number


def _shown(value: Any) -> str:
    """Return a value as it is written, but no number whose digits Python refuses to write."""
    long = isinstance(value, int) and value.bit_length() > 2 * sys.float_info.max_exp
    return f"a number of {value.bit_length():,} bits" if long else repr(value)


def check_choice(name: str, value: object, choices: Collection[str]) -> None:
    """Raise ConfigError for a value that is none of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ConfigError(f"{name} must be {' or '.join(map(repr, choices))}, not {value!r}")


def check_subwords(subwords: Any) -> bool | list[str]:
    """Return which languages have subwords: all (True), none (False), or those of a list."""
    if isinstance(subwords, bool | np.bool_):
        return bool(subwords)
    if isinstance(subwords, str) or not isinstance(subwords, Iterable):
        raise ConfigError(
            f"subwords must be True, False or a list of language codes, got {subwords!r}"
        )
    codes = list(subwords)
    check_languages(codes)
    return list(dict.fromkeys(codes))


def check_errors(errors: object) -> None:
    """Raise ConfigError for what is no way to read bytes that are not UTF-8."""
    if errors not in ("strict", "replace", "ignore"):
        raise ConfigError(f"errors must be 'strict', 'replace' or 'ignore', not {errors!r}")


def attribute_name(language: str) -> str:
    """Return a language code as part of an identifier: ``pt-BR`` becomes ``pt_BR``."""
    return "".join(c if c.isalnum() else "_" for c in language)


def check_languages(languages: Iterable[str]) -> None:
    """Check language codes, and that no two of them share an attribute name."""
    seen: dict[str, str] = {}
    for code in languages:
        if not isinstance(code, str) or not attribute_name(code).strip("_"):
            raise ConfigError(f"a language code such as 'en' or 'pt-BR' is wanted, got {code!r}")
        if not all(c.isalnum() or c in "-_." for c in code):
            raise ConfigError(f"language code {code!r}: only letters, digits, '-', '_' and '.'")
        if len(code.encode()) > _LONGEST_CODE:
            raise ConfigError(
                f"language code {code!r:.80}: no more than {_LONGEST_CODE} bytes are wanted"
            )
        name = attribute_name(code)
        if name in seen and seen[name] != code:
            raise ConfigError(f"languages {seen[name]!r} and {code!r} are both 'wv_{name}'")
        seen[name] = code


def two_languages(languages: Any) -> tuple[str, str]:
    """Return the codes of two languages in their order; raise ConfigError if they are not two."""
    ordered = isinstance(languages, Iterable) and not isinstance(languages, str | set | frozenset)
    codes = tuple(languages) if ordered else ()
    if len(codes) != 2 or codes[0] == codes[1]:
        raise ConfigError(f"languages must name two different languages, got {languages!r}")
    return codes
