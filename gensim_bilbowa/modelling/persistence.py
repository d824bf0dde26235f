"""What of a BilBOWA model is saved, and how it is put together again.

For each language ``L`` there are arrays ``L/vectors``, ``L/syn1neg`` and so on, and for each pair
of languages ``L`` and ``M`` whose words were aligned ``L/aligned/M/data``, ``.../indices`` and
``.../indptr`` (:mod:`gensim_bilbowa.formats.aligned`); ``aligned`` in the document lists the pairs,
each with the numbers of the texts that were counted, and is left out if there are none, as is
``tokenizers``, what has split the text of each language
(:mod:`gensim_bilbowa.tokenization.tokenizers`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from typing import Annotated, Any, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.errors import BilBOWAError, ConfigError, FormatError
from gensim_bilbowa.evidence import AlignedCounts
from gensim_bilbowa.files.documents import Amount, Count, Range, checked
from gensim_bilbowa.files.storage import read_model, write_model
from gensim_bilbowa.formats.aligned import PARTS, is_pair, join_parts, parts_of
from gensim_bilbowa.formats.assembly import check_counts, check_finite
from gensim_bilbowa.modelling.language import WEIGHTS, LanguageModel
from gensim_bilbowa.modelling.languages import Languages, new_language
from gensim_bilbowa.modelling.matrices import lock_names
from gensim_bilbowa.modelling.subwords import SubwordModel, check_ngrams, check_room
from gensim_bilbowa.parameters import (
    LOCAL_PARAMETERS,
    NGRAMS,
    PARAMETERS,
    check_languages,
    check_parameters,
)
from gensim_bilbowa.tokenization.tokenizers import Tokenizers
from gensim_bilbowa.training import RunState, check_start
from gensim_bilbowa.vectors import CrossLingualVectors

__all__ = ["HISTORY", "SavedModel", "opened", "save"]

# What a model knows of its trainings.
HISTORY = ("loss_history", "epochs_trained", "running_training_loss", "total_train_time")
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
    run: NotRequired[RunState]
    languages: dict[str, _Language]
    aligned: NotRequired[list[_Aligned]]
    tokenizers: NotRequired[Any]


def save(
    path: str | os.PathLike[str],
    languages: Languages,
    parameters: Mapping[str, Any],
    history: Mapping[str, Any],
    run: RunState | None,
    *,
    separate_bytes: int,
) -> None:
    """Write a model to a file; see :mod:`gensim_bilbowa.files.storage` for the format.

    Parameters
    ----------
    path : str or path-like
    languages : Languages
    parameters : mapping
        Of the model.
    history : mapping
        A value for each name in `HISTORY`.
    run : RunState or None
        Saved with the model if it can be gone on with.
    separate_bytes : int
        Arrays of so many go to files of their own.
    """
    arrays: dict[str, NDArray[Any]] = {}
    entries = {code: _entry(language, arrays) for code, language in languages.items()}
    unfinished = run if run and run.position else None
    if unfinished:
        arrays |= _velocities(languages, unfinished.velocity)
    aligned = _aligned_to(languages.wv, arrays)
    tokenizers = languages.wv.tokenizers
    document = {
        "gensim_bilbowa": version("gensim-bilbowa"),
        "parameters": check_parameters(
            {name: _plain(parameters[name]) for name in PARAMETERS if name not in LOCAL_PARAMETERS}
        ),
        **history,
        **({"run": unfinished.document()} if unfinished else {}),
        "languages": entries,
        **({"aligned": aligned} if aligned else {}),
        **({"tokenizers": tokenizers.document()} if tokenizers else {}),
    }
    checked(_Document, document, "the model")
    write_model(path, document, arrays, separate_bytes=separate_bytes)


def _entry(language: LanguageModel, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """Add a language's arrays; return what the document says of it."""
    code, wv = language.language, language.wv
    language.fit_arrays()
    check_finite(wv, repr(code))
    check_start({code: language}, besides="vectors")
    _check_some_counted(language)
    for name in lock_names(language.wv):
        language.check_lockf(name)
    ngrams = isinstance(language, SubwordModel)
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
    return {
        "words": list(wv.index_to_key),
        "attributes": lists,
        **({name: getattr(wv, name) for name in NGRAMS} if ngrams else {}),
        **{name: _plain(getattr(language, name, None)) for name in _LANGUAGE_STATE},
    }


def _aligned_to(
    space: CrossLingualVectors, arrays: dict[str, NDArray[Any]]
) -> list[dict[str, Any]]:
    """Add the counts of aligned words to the arrays; return what the document says of them."""
    aligned = space.aligned
    sizes = {code: len(wv) for code, wv in space.items()}
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


class SavedModel:
    """What a file has of a model: its parameters, and all that is put together by these.

    Attributes
    ----------
    parameters : dict
        As saved, not all of `PARAMETERS` if an earlier version saved them.
    history : dict
        A value for each name in `HISTORY`.
    """

    def __init__(self, document: Any, arrays: dict[str, NDArray[Any]]) -> None:
        self._document: _Document = checked(_Document, document, "")
        self._arrays = arrays
        self.parameters = self._document["parameters"]
        # Text and callbacks are arguments of the model, too: no file may name any.
        if foreign := self.parameters.keys() - (set(PARAMETERS) - LOCAL_PARAMETERS):
            raise FormatError(f"no parameters of a model: {sorted(foreign)}")
        self.history = {name: self._document[name] for name in HISTORY}

    def restore(self, languages: Languages, parameters: Mapping[str, Any]) -> None:
        """Add the languages to a model that has none, and what is known of their words."""
        check_languages(self._document["languages"])
        for code, entry in self._document["languages"].items():
            languages.join(code, _language(code, entry, parameters, self._arrays))
        space = languages.wv
        space.aligned = _aligned_of(space, self._document.get("aligned", []), self._arrays)
        space.tokenizers = Tokenizers.of_document(
            self._document.get("tokenizers", {}), list(languages), "the document"
        )

    def run(self, languages: Languages) -> RunState | None:
        """Return the training of these languages that can be gone on with, if there is one."""
        run = self._document.get("run")
        if run is not None:
            run.check()
            run.velocity = _velocity_of(languages, self._arrays)
        return run


@contextmanager
def opened(path: str | os.PathLike[str], *, mmap: str | None) -> Iterator[SavedModel]:
    """Yield what a file has; what shows to be wrong with it in the block is a FormatError."""
    if mmap not in (None, "r", "c"):
        reason = "; 'r+' would change the saved model as this one learns" if mmap == "r+" else ""
        raise ConfigError(f"mmap must be None, 'r' or 'c', not {mmap!r}{reason}")
    document, arrays = read_model(path, mmap=mmap)
    try:
        yield SavedModel(document, arrays)
    except MemoryError:
        raise
    except Exception as error:  # what is wrong may show anywhere, gensim's routines included
        reason = str(error) if isinstance(error, BilBOWAError) else repr(error)
        raise FormatError(f"{os.fspath(path)}: not a whole model: {reason}") from error


def _language(
    code: str, state: Mapping[str, Any], parameters: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
) -> LanguageModel:  # fmt: skip
    ngrams = {name: state[name] for name in NGRAMS if name in state}
    language = new_language(code, parameters, check_ngrams(**ngrams) if ngrams else None)
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
        check_finite(wv, repr(code))
    del shapes["vectors"]  # which are looked at
    for name in shapes:
        array = arrays.get(f"{code}/{name}")
        if not isinstance(array, np.memmap | None) and not np.isfinite(array.sum(dtype=np.float64)):
            raise FormatError(f"{code!r}: {name} has numbers that are not finite")
    for name in lock_names(language.wv):
        lockf = getattr(wv, name)
        if lockf.ndim != 1 or not len(lockf) or lockf.dtype != np.float32:
            raise FormatError(f"{code!r}: {name} is {lockf.dtype} {lockf.shape}")
        language.check_lockf(name)
    check_counts(wv.expandos.get("count", np.zeros(0, np.int64)), repr(code))
    _check_some_counted(language)
    if any(len(values) != shape[0] for values in wv.expandos.values()):
        raise FormatError(f"{code!r}: an attribute has another length than the vocabulary")
    for name in _LANGUAGE_STATE:
        setattr(language, name, state[name])
    language.restore_tables(**{name: arrays.get(f"{code}/{name}") for name in WEIGHTS})
    return language


def _check_some_counted(language: LanguageModel) -> None:
    counts = language.wv.expandos.get("count", ())
    if len(counts) and counts.max() == 0:
        raise ConfigError(f"{language.language!r}: the counts are 0 to 0")


def _velocities(
    languages: Languages, velocity: Mapping[str, NDArray[np.float32]]
) -> dict[str, NDArray[np.float32]]:
    """Return the velocities by the names of their arrays; words that were added since have none."""
    found = {}
    for code, language in languages.items():
        for owner, name, _ in language.matrices():
            rows = velocity.get(f"{code}/{name}")
            if rows is not None:
                more = len(getattr(owner, name)) - len(rows)
                found[f"{code}/velocity/{name}"] = (
                    np.pad(rows, ((0, more), (0, 0))) if more else rows
                )
    return found


def _velocity_of(
    languages: Languages, arrays: Mapping[str, NDArray[Any]]
) -> dict[str, NDArray[np.float32]]:
    """Return what a team's merges go on from, which is of the shapes of the trained arrays."""
    found = {}
    for code, language in languages.items():
        for owner, name, _ in language.matrices():
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


def _aligned_of(
    space: CrossLingualVectors, entries: Any, arrays: Mapping[str, NDArray[Any]]
) -> AlignedCounts:
    """Put together the counts of aligned words; mapped arrays are looked through, too."""
    aligned = AlignedCounts()
    names: set[str] = set()
    for entry in entries:
        if not is_pair(entry["languages"], space):
            raise FormatError(f"{entry!r:.100} does not say whose words are aligned in which text")
        one, other = entry["languages"]
        if (one, other) in aligned or (other, one) in aligned:
            raise FormatError(f"the words of {one!r} and {other!r} are aligned twice")
        parts = {name: arrays[f"{one}/aligned/{other}/{name}"] for name in PARTS}
        names.update(f"{one}/aligned/{other}/{name}" for name in PARTS)
        sizes = len(space[one]), len(space[other])
        where = f"aligned words of {one!r} and {other!r}"
        aligned.add(one, other, join_parts(parts, sizes, where), *entry["texts"])
    surplus = {name for name in arrays if name.split("/")[1:2] == ["aligned"]} - names
    if surplus:
        raise FormatError(f"arrays of aligned words that are no pair's: {sorted(surplus)[:3]}")
    return aligned
