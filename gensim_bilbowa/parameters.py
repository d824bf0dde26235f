"""The parameters of a model: what each may be, checked before anything is read or allocated.

:data:`PARAMETERS` is the one table of them. The checks, the options of the command line and what
is saved come from it; the constructor's signature and documentation are held to it by a test.
"""

from __future__ import annotations

import math
import numbers
import os
import sys
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.files.documents import MOST_WHOLE

__all__ = [
    "LOCAL_PARAMETERS",
    "MOST_WORKERS",
    "NGRAMS",
    "PARAMETERS",
    "WORD2VEC",
    "Parameter",
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

MOST_WORKERS = 256
# What no text calls for: with more, rates and weights overflow, plans fill the memory, and a
# training would end in no lifetime.
_MOST_TIMES = 1_000_000
_HUGE = 1e15
# Bytes of a language's code, which stands in names of files, in some together with another one.
_LONGEST_CODE = 60


@dataclass(frozen=True)
class Parameter:
    """What a parameter of :class:`~gensim_bilbowa.BilBOWA` is.

    Attributes
    ----------
    default : object
    kind : type or None
        Of its values: int, float, bool or str; None for what is neither, as a function.
    low, high : float, optional
        Bounds of a number; without `high` what compiled code takes.
    help : str
        A line for the command line; empty for what has no option of its own there.
    optional : bool
        Whether None is a value, too.
    switch : bool
        Whether a number of 0 or 1 may be a boolean, as in gensim.
    choices : tuple of str
        All values of a string.
    gensim : bool
        Whether each language's ``Word2Vec`` is made with it.
    local : bool
        Whether it is of this process or machine, and not of a saved model.
    """

    default: Any
    kind: type | None
    low: float = -math.inf
    high: float | None = None
    help: str = ""
    optional: bool = False
    switch: bool = False
    choices: tuple[str, ...] = ()
    gensim: bool = False
    local: bool = False

    def check(self, name: str, value: Any) -> Any:
        """Return a value, a number as int or float; raise ConfigError for one that cannot work."""
        if value is None and self.optional:
            return None
        if self.kind is int or self.kind is float:
            if self.switch and isinstance(value, bool):
                value = int(value)
            return check_number(name, value, self.kind is int, self.low, self.high)
        if self.kind is bool:
            if not isinstance(value, bool | np.bool_ | numbers.Real) or value not in (0, 1):
                raise ConfigError(f"{name} must be True or False, got {_shown(value)}")
            return bool(value)
        if self.choices:
            check_choice(name, value, self.choices)
        if self.kind is str and not isinstance(value, str):
            raise ConfigError(f"{name} must be a string or None, got {value!r}")
        return value


_gensims = partial(Parameter, gensim=True)

# fmt: off
PARAMETERS: dict[str, Parameter] = {
    "vector_size": _gensims(100, int, 1, 10_000, help="Dimensions of the word vectors."),
    "epochs": _gensims(5, int, 1, _MOST_TIMES, help="Passes over the monolingual text."),
    "window": _gensims(5, int, 1, 2**30,
        help="Most words between a word and its context, to either side."),
    "negative": _gensims(15, int, 0, 1_000, help="Noise words for each window, or context word."),
    "min_count": _gensims(5, int, 0, help="Leave out words that are rarer than this."),
    "max_vocab_size": _gensims(None, int, 1, optional=True,
        help="Prune rare words while counting beyond so many."),
    "max_final_vocab": _gensims(None, int, 1, optional=True,
        help="Raise min-count until at most so many words are left."),
    "sample": _gensims(1e-3, float, 0, _HUGE,
        help="Subsampling threshold of the monolingual text."),
    "alpha": _gensims(0.1, float, 0, _HUGE, help="Learning rate at the start."),
    "min_alpha": _gensims(0.0001, float, 0, _HUGE, help="Learning rate at the end."),
    "seed": Parameter(1, int, 0, 2**32 - 1, help="Seed of all random numbers."),
    "sg": _gensims(1, int, 0, 1, switch=True, help="1 for skip-gram, 0 for CBOW."),
    "hs": _gensims(0, int, 0, 1, switch=True, help="1 for hierarchical softmax."),
    "cbow_mean": _gensims(1, int, 0, 1, switch=True,
        help="1 for the mean of the context in CBOW, 0 for the sum."),
    "ns_exponent": _gensims(0.75, float, -_HUGE, _HUGE,
        help="Power of the word frequencies that noise words are drawn by."),
    "shrink_windows": _gensims(True, bool, help="Draw the size of each window from 1 to --window."),
    "shared_negatives": Parameter(True, bool,
        help="One set of noise words for a window, or one for each context word."),
    "batch_words": _gensims(10_000, int, 1, help="Words in one job of a worker."),
    "xling_weight": Parameter(5.0, float, 0, _HUGE, help="Weight of the cross-lingual term."),
    "xling_sample": Parameter(1e-3, float, 0, _HUGE,
        help="Subsampling threshold of the parallel text."),
    "xling_passes": Parameter(3, float, 0, _MOST_TIMES,
        help="Passes over the parallel text in an epoch."),
    "xling_clip": Parameter(0.1, float, 0, math.inf,
        help="Bound on each component of a cross-lingual update."),
    "xling_gradient": Parameter("delta", str, choices=("delta", "exact"),
        help="Step by the difference of means, or by the exact gradient."),
    "alignment": Parameter(True, bool,
        help="Align words in the sentence pairs, and learn from that; the paper does not."),
    "align_pulls": Parameter(20, int, 0, 10_000,
        help="How often in a run words move towards their translations."),
    "align_rate": Parameter(0.25, float, 0, 1, help="How far they move at most, from 0 to 1."),
    "align_context_rate": Parameter(0.7, float, 0, 1, help="The same of their context vectors."),
    "align_damping": Parameter(0.5, float, 0, _HUGE,
        help="How much less words move that have less evidence than their translations."),
    "align_spelling": Parameter(3.0, float, 0, _HUGE,
        help="What likeness in spelling is worth, for words without evidence."),
    "min_n": Parameter(3, int, 1, 1_000,
        help="Characters of the shortest n-grams, with --subwords."),
    "max_n": Parameter(6, int, 1, 1_000, help="Characters of the longest n-grams."),
    "bucket": Parameter(200_000, int, 1, 2**31 - 1, help="Rows of n-gram vectors in a language."),
    "corpus_memory": Parameter(1 << 30, int, 0,
        help="Bytes of encoded text to keep in memory; more goes to a file."),
    "workers": _gensims(3, int, 1, MOST_WORKERS),
    "null_word": _gensims(0, int, 0, 1, switch=True),
    "sorted_vocab": _gensims(1, int, 0, 1, switch=True),
    "compute_loss": _gensims(False, None),
    "hashfxn": _gensims(hash, None, local=True),
    "comment": _gensims(None, str, optional=True),
    "subwords": Parameter(False, None),
    "cache_dir": Parameter(None, None, local=True),
}
# fmt: on
# Word2Vec's own, each language's model is made with them; FastText's, of one with subwords.
WORD2VEC = tuple(name for name, parameter in PARAMETERS.items() if parameter.gensim)
NGRAMS = ("min_n", "max_n", "bucket")
LOCAL_PARAMETERS = {name for name, parameter in PARAMETERS.items() if parameter.local}


def check_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values, numbers as int and float; raise ConfigError for one that cannot work.

    Each is looked at by itself, so that they need not be all.
    """
    checked = dict(values)
    for name, parameter in PARAMETERS.items():
        if name in values:
            checked[name] = parameter.check(name, values[name])
    folder = values.get("cache_dir")
    if folder is not None and (not isinstance(folder, str | os.PathLike) or not os.fspath(folder)):
        raise ConfigError(f"cache_dir must be the path of a folder or None, got {folder!r}")
    if "subwords" in values:
        checked["subwords"] = check_subwords(values["subwords"])
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
    if isinstance(value, kind) and not isinstance(value, bool):
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
