"""What of a BilBOWA model is saved, and how it is put together again.

For each language ``L`` there are arrays ``L/vectors``, ``L/syn1neg`` and so on, and for each pair
of languages ``L`` and ``M`` whose words were aligned ``L/aligned/M/data``, ``.../indices`` and
``.../indptr`` (:mod:`gensim_bilbowa.formats.aligned`); ``aligned`` in the document lists the pairs,
each with the numbers of the texts that were counted, and is left out if there are none, as is
``tokenizers``, what has split the text of each language (:mod:`gensim_bilbowa.tokenizers`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.documents import Amount, Count, Range, checked
from gensim_bilbowa.errors import BilBOWAError, ConfigError, FormatError
from gensim_bilbowa.evidence import AlignedCounts
from gensim_bilbowa.formats.aligned import PARTS, is_pair, join_parts, parts_of
from gensim_bilbowa.formats.assembly import check_counts, check_finite
from gensim_bilbowa.language import WEIGHTS
from gensim_bilbowa.parameters import check_languages, check_parameters
from gensim_bilbowa.storage import read_model, write_model
from gensim_bilbowa.subwords import NGRAMS, SubwordModel, check_ngrams, check_room
from gensim_bilbowa.tokenizers import Tokenizers
from gensim_bilbowa.training import RunDocument, RunState, check_start

if TYPE_CHECKING:
    from gensim_bilbowa.language import LanguageModel
    from gensim_bilbowa.model import BilBOWA

__all__ = ["load", "save"]

_MODEL_STATE = ("loss_history", "epochs_trained", "running_training_loss", "total_train_time")
_LANGUAGE_STATE = ("corpus_count", "corpus_total_words", "effective_min_count", "train_count")
# With n-grams the words' vectors are made anew from these.
_OF_NGRAMS = ("vectors_vocab", "vectors_ngrams", "vectors_vocab_lockf", "vectors_ngrams_lockf")
# Made anew from the counts.
_DERIVED = {"code", "point"}


class _Epoch(TypedDict):
    """An entry of ``loss_history``."""

    epoch: Count
    alpha: Amount
    monolingual: dict[str, float]
    crosslingual: dict[str, float]
    words: Count
    trained_words: Count
    pairs: Count
    emptied_pairs: Count
    translations: dict[str, float]
    seconds: Amount


class _Language(TypedDict):
    words: list[str]
    attributes: dict[str, list[Any]]
    min_n: NotRequired[int]
    max_n: NotRequired[int]
    bucket: NotRequired[int]
    corpus_count: Count | None
    corpus_total_words: Count | None
    effective_min_count: Count | None
    train_count: Count | None


class _Aligned(TypedDict):
    languages: list[str]
    texts: list[Annotated[int, Range(0, 2**32 - 1)]]


class _Document(TypedDict):
    """What is saved of a model besides arrays."""

    gensim_bilbowa: str
    parameters: dict[str, Any]
    loss_history: list[_Epoch]
    epochs_trained: Count
    running_training_loss: float
    total_train_time: Amount
    run: NotRequired[RunDocument]
    languages: dict[str, _Language]
    aligned: NotRequired[list[_Aligned]]
    tokenizers: NotRequired[Any]


def save(model: BilBOWA, path: str | os.PathLike[str], *, separate_bytes: int) -> None:
    """Write a model to a file; see :mod:`gensim_bilbowa.storage` for the format."""
    from gensim_bilbowa.model import LOCAL_PARAMETERS, PARAMETERS

    arrays: dict[str, NDArray[Any]] = {}
    languages: dict[str, Any] = {}
    for code in model.languages:
        language = model[code]
        language.fit_arrays()
        wv = language.wv
        check_finite(wv, repr(code))
        _check_counts(language)
        check_start({code: language})
        ngrams = isinstance(language, SubwordModel)
        for name in _locks(language):
            language.check_lockf(name)
        for name in (*(_OF_NGRAMS if ngrams else ("vectors",)), "vectors_lockf"):
            arrays[f"{code}/{name}"] = getattr(wv, name)
        for name in WEIGHTS:
            if getattr(language, name, None) is not None:
                arrays[f"{code}/{name}"] = getattr(language, name)
        lists = {}
        for name, values in wv.expandos.items():
            if name in _DERIVED:
                continue
            if values.dtype.hasobject:
                lists[name] = values.tolist()
            else:
                arrays[f"{code}/attribute/{name}"] = values
        languages[code] = {
            "words": list(wv.index_to_key),
            "attributes": lists,
            **({name: getattr(wv, name) for name in NGRAMS} if ngrams else {}),
            **{name: _plain(getattr(language, name, None)) for name in _LANGUAGE_STATE},
        }
    run = model._run if model._run and model._run.position else None
    if run:
        arrays |= _velocities(model, run.velocity)
    aligned = _aligned_to(model, arrays)
    document = {
        "gensim_bilbowa": version("gensim-bilbowa"),
        "parameters": check_parameters(
            {name: _plain(vars(model)[name]) for name in PARAMETERS if name not in LOCAL_PARAMETERS}
        ),
        **{name: getattr(model, name) for name in _MODEL_STATE},
        **({"run": run.document()} if run else {}),
        "languages": languages,
        **({"aligned": aligned} if aligned else {}),
        **({"tokenizers": model.tokenizers.document()} if model.tokenizers else {}),
    }
    checked(_Document, document, "the model")
    write_model(path, document, arrays, separate_bytes=separate_bytes)


def _aligned_to(model: BilBOWA, arrays: dict[str, NDArray[Any]]) -> list[dict[str, Any]]:
    """Add the counts of aligned words to the arrays; return what the document says of them."""
    aligned = model.wv.aligned
    sizes = {code: len(wv) for code, wv in model.wv.items()}
    aligned.check(sizes)
    entries = []
    for one, other in list(aligned):
        counts = aligned.between(one, other, (sizes[one], sizes[other]))
        for name, values in parts_of(counts).items():
            arrays[f"{one}/aligned/{other}/{name}"] = values
        entries.append({"languages": [one, other], "texts": aligned.texts(one, other)})
    return entries


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def load(cls: type[BilBOWA], path: str | os.PathLike[str], *, mmap: str | None) -> BilBOWA:
    """Read a model from a file."""
    from gensim_bilbowa.model import LOCAL_PARAMETERS, PARAMETERS

    if mmap not in (None, "r", "c"):
        reason = "; 'r+' would change the saved model as this one learns" if mmap == "r+" else ""
        raise ConfigError(f"mmap must be None, 'r' or 'c', not {mmap!r}{reason}")
    found, arrays = read_model(path, mmap=mmap)
    try:
        document = checked(_Document, found, "")
        # Text and callbacks are arguments of the class, too: no file may name any.
        foreign = document["parameters"].keys() - (set(PARAMETERS) - LOCAL_PARAMETERS)
        if foreign:
            raise FormatError(f"no parameters of a model: {sorted(foreign)}")
        model = cls(**document["parameters"])
        for name in _MODEL_STATE:
            setattr(model, name, document[name])
        if "run" in document:
            model._run = RunState.from_document(document["run"])
        check_languages(document["languages"])
        for code, state in document["languages"].items():
            model._join(code, _language(model, code, state, arrays))
        if model._run is not None:
            model._run.velocity = _velocity_of(model, arrays)
        model.wv.aligned = _aligned_of(model, document.get("aligned", []), arrays)
        model.wv.tokenizers = Tokenizers.of_document(
            document.get("tokenizers", {}), model.languages, "the document"
        )
    except MemoryError:
        raise
    except Exception as error:  # what is wrong may show anywhere, gensim's routines included
        reason = str(error) if isinstance(error, BilBOWAError) else repr(error)
        raise FormatError(f"{os.fspath(path)}: not a whole model: {reason}") from error
    return model


def _language(
    model: BilBOWA, code: str, state: dict[str, Any], arrays: dict[str, NDArray[Any]]
) -> LanguageModel:
    ngrams = {name: state[name] for name in NGRAMS if name in state}
    language = model._new_language(code, check_ngrams(**ngrams) if ngrams else None)
    wv = language.wv
    wv.index_to_key = state["words"]
    wv.key_to_index = {word: index for index, word in enumerate(wv.index_to_key)}
    wv.next_index = len(wv.index_to_key)
    # The small arrays are copied where they are mapped, since gensim changes them in place.
    wv.vectors_lockf = np.array(arrays[f"{code}/vectors_lockf"])
    prefix = f"{code}/attribute/"
    for name, values in arrays.items():
        if name.startswith(prefix):
            wv.expandos[name.removeprefix(prefix)] = np.array(values)
    for name, values in state["attributes"].items():
        wv.expandos[name] = np.array([*values, None], dtype=object)[:-1]
    shape = (len(wv.index_to_key), wv.vector_size)
    if len(wv.key_to_index) != shape[0]:
        raise FormatError(f"{code!r} has a word twice")
    shapes = dict.fromkeys(("vectors", "vectors_vocab", *WEIGHTS), shape)
    if ngrams:
        shapes["vectors_ngrams"] = (ngrams["bucket"], wv.vector_size)
    for name, wanted in shapes.items():
        array = arrays.get(f"{code}/{name}")
        if array is not None and (array.shape != wanted or array.dtype.kind != "f"):
            raise FormatError(
                f"{code!r}: {name} has shape {array.shape}, {array.dtype}, not {wanted}"
            )
    if isinstance(language, SubwordModel):
        for name in _OF_NGRAMS[2:]:
            setattr(wv, name, np.array(arrays[f"{code}/{name}"]))
        rows = [arrays[f"{code}/{name}"] for name in _OF_NGRAMS[:2]]
        given = sum(map(len, wv.index_to_key)) + sum(array.nbytes for array in rows)
        check_room(wv.index_to_key, ngrams, given)
        language.restore_ngrams(*rows)
    else:
        wv.vectors = arrays[f"{code}/vectors"]
    if not isinstance(wv.vectors, np.memmap):  # a map is read only where it is used
        check_finite(wv, repr(code), FormatError)
    for name in shapes:
        array = arrays.get(f"{code}/{name}")
        if not isinstance(array, np.memmap | None) and not np.isfinite(array.sum(dtype=np.float64)):
            raise FormatError(f"{code!r}: {name} has numbers that are not finite")
    for name in _locks(language):
        lockf = getattr(wv, name)
        if lockf.ndim != 1 or not len(lockf) or lockf.dtype != np.float32:
            raise FormatError(f"{code!r}: {name} is {lockf.dtype} {lockf.shape}")
        language.check_lockf(name)
    _check_counts(language, FormatError)
    if any(len(values) != shape[0] for values in wv.expandos.values()):
        raise FormatError(f"{code!r}: an attribute has another length than the vocabulary")
    for name in _LANGUAGE_STATE:
        setattr(language, name, state[name])
    language.restore_tables(**{name: arrays.get(f"{code}/{name}") for name in WEIGHTS})
    return language


def _check_counts(
    language: LanguageModel, error: type[ConfigError | FormatError] = ConfigError
) -> None:
    counts = language.wv.expandos.get("count", np.zeros(0, np.int64))
    check_counts(counts, repr(language.language), error)
    if len(counts) and counts.max() == 0:
        raise error(f"{language.language!r}: the counts are 0 to 0")


def _locks(language: LanguageModel) -> tuple[str, ...]:
    """Return the names of a language's lock factors."""
    return ("vectors_lockf", *(_OF_NGRAMS[2:] if isinstance(language, SubwordModel) else ()))


def _velocities(
    model: BilBOWA, velocity: Mapping[str, NDArray[np.float32]]
) -> dict[str, NDArray[np.float32]]:
    """Return the velocities by the names of their arrays; words that were added since have none."""
    found = {}
    for code in model.languages:
        for owner, name, _ in model[code].matrices():
            rows = velocity.get(f"{code}/{name}")
            if rows is not None:
                more = len(getattr(owner, name)) - len(rows)
                found[f"{code}/velocity/{name}"] = (
                    np.pad(rows, ((0, more), (0, 0))) if more else rows
                )
    return found


def _velocity_of(model: BilBOWA, arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """Return what a team's merges go on from, which is of the shapes of the trained arrays."""
    found = {}
    for code in model.languages:
        for owner, name, _ in model[code].matrices():
            velocity = arrays.get(f"{code}/velocity/{name}")
            if velocity is None:
                continue
            shape = getattr(owner, name).shape
            if velocity.shape != shape or velocity.dtype != np.float32:
                raise FormatError(f"{code!r}: the velocity of {name} is {velocity.dtype} "
                                  f"{velocity.shape}, not {shape}")  # fmt: skip
            if not np.isfinite(velocity.sum(dtype=np.float64)):
                raise FormatError(f"{code!r}: the velocity of {name} is not finite")
            found[f"{code}/{name}"] = velocity
    return found


def _aligned_of(model: BilBOWA, entries: Any, arrays: dict[str, NDArray[Any]]) -> AlignedCounts:
    """Put together the counts of aligned words; mapped arrays are looked through, too."""
    aligned = AlignedCounts()
    names: set[str] = set()
    for entry in entries:
        if not is_pair(entry["languages"], model.wv):
            raise FormatError(f"{entry!r:.100} does not say whose words are aligned in which text")
        one, other = entry["languages"]
        if (one, other) in aligned or (other, one) in aligned:
            raise FormatError(f"the words of {one!r} and {other!r} are aligned twice")
        parts = {name: arrays[f"{one}/aligned/{other}/{name}"] for name in PARTS}
        names.update(f"{one}/aligned/{other}/{name}" for name in PARTS)
        sizes = len(model.wv[one]), len(model.wv[other])
        where = f"aligned words of {one!r} and {other!r}"
        aligned.add(one, other, join_parts(parts, sizes, where), *entry["texts"])
    surplus = {name for name in arrays if name.split("/")[1:2] == ["aligned"]} - names
    if surplus:
        raise FormatError(f"arrays of aligned words that are no pair's: {sorted(surplus)[:3]}")
    return aligned
