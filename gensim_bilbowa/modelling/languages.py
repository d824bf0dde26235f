"""The languages of a model: made by its parameters, and held together by one space."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from gensim_bilbowa.errors import ConfigError, UnknownLanguageError
from gensim_bilbowa.modelling.language import LanguageModel
from gensim_bilbowa.modelling.subwords import SubwordModel
from gensim_bilbowa.parameters import NGRAMS, WORD2VEC, check_subwords
from gensim_bilbowa.vectors import CrossLingualVectors

__all__ = [
    "Languages",
    "check_kind",
    "check_subword_languages",
    "codes_of",
    "estimate_memory",
    "new_language",
    "ngrams_of",
    "require_two",
]


class Languages(dict[str, LanguageModel]):
    """Each language's gensim model, in the order in which they joined.

    Attributes
    ----------
    wv : CrossLingualVectors
        The vectors of all of them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.wv = CrossLingualVectors({})

    def __missing__(self, code: str) -> NoReturn:
        raise UnknownLanguageError(f"no language {code!r}; there are {list(self) or 'none'}")

    def join(self, code: str, model: LanguageModel) -> None:
        """Add a language, or put another model in its place."""
        self[code] = model
        self.wv.join(code, model.wv)

    def frozen(self, freeze: Iterable[str], learning: Iterable[str]) -> frozenset[str]:
        """Return the languages to freeze; refuse unknown ones, and to freeze all that learn."""
        frozen = codes_of(freeze)
        if unknown := sorted(frozen - self.keys()):
            raise ConfigError(f"freeze: no language {unknown}; there are {list(self)}")
        if frozen.issuperset(learning):
            raise ConfigError(f"freeze: all languages of the text are frozen: {sorted(frozen)}")
        return frozen


def new_language(
    code: str, parameters: Mapping[str, Any], ngrams: Mapping[str, int] | None = None
) -> LanguageModel:
    """Return a language without vocabulary, a FastText if `ngrams` are given."""
    ours = {name: parameters[name] for name in WORD2VEC}
    if ngrams is None:
        return LanguageModel(code, parameters["seed"], **ours)
    return SubwordModel(code, parameters["seed"], **ngrams, **ours)


def ngrams_of(code: str, parameters: Mapping[str, Any]) -> dict[str, int] | None:
    """Return what n-grams a new language shall have, or None."""
    subwords = check_subwords(parameters["subwords"])
    wanted = subwords if isinstance(subwords, bool) else code in subwords
    return {name: parameters[name] for name in NGRAMS} if wanted else None


def estimate_memory(
    languages: Languages,
    vocab_size: int | Mapping[str, int] | None,
    parameters: Mapping[str, Any],
    report: Mapping[str, int],
) -> dict[str, int]:
    """Estimate the bytes of a model, by what they are for, and in total, with those of the report.

    `vocab_size` is as in :meth:`gensim_bilbowa.BilBOWA.estimate_memory`.
    """
    if vocab_size is None:
        sizes = [(code, len(model.wv)) for code, model in languages.items()]
    elif isinstance(vocab_size, Mapping):
        sizes = list(vocab_size.items())
    else:
        sizes = [(code, vocab_size) for code in languages or ("one", "other")]
    total = dict(report)
    for code, size in sizes:
        language = new_language(code, parameters, ngrams_of(code, parameters))
        for name, value in language.estimate_memory(size).items():
            if name != "total":
                total[name] = total.get(name, 0) + value
    total["total"] = sum(value for name, value in total.items() if name != "total")
    return total


def codes_of(freeze: Iterable[str]) -> frozenset[str]:
    """Return the codes in what users give, which may be a single one."""
    return frozenset([freeze] if isinstance(freeze, str) else freeze)


def require_two(languages: Iterable[str]) -> None:
    """Refuse fewer languages than a space is of."""
    codes = list(languages)
    if len(codes) < 2:
        raise ConfigError(f"at least two languages are needed, got {codes or 'none'}")


def check_subword_languages(languages: Iterable[str], parameters: Mapping[str, Any]) -> None:
    """Refuse `subwords` of languages that there are not."""
    subwords = check_subwords(parameters["subwords"])
    named, known = set(subwords if isinstance(subwords, list) else ()), list(languages)
    if unknown := sorted(named.difference(known)):
        raise ConfigError(f"subwords names {unknown}; the languages are {known}")


def check_kind(code: str, model: LanguageModel, parameters: Mapping[str, Any]) -> None:
    """Refuse `subwords` of a language that was built without."""
    if ngrams_of(code, parameters) and not isinstance(model, SubwordModel):
        raise ConfigError(
            f"subwords: {code!r} was built without, and stays so; a new model is wanted, or "
            "subwords of other languages alone"
        )
