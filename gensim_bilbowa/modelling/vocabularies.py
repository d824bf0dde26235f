"""Vocabularies: the words of each language's text are counted, and those to learn are settled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from gensim_bilbowa.corpora import Inputs, open_cache
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.formats.assembly import check_counts
from gensim_bilbowa.modelling.counting import WordCounter
from gensim_bilbowa.modelling.languages import Languages, check_kind, new_language, ngrams_of
from gensim_bilbowa.parameters import check_languages
from gensim_bilbowa.teams import Team

__all__ = ["build_vocabularies", "count_words", "counters_of"]

# Parameters that settle which words are learnt.
_OF_VOCABULARY = ("min_count", "max_final_vocab")


def count_words(
    inputs: Inputs,
    codes: Iterable[str],
    languages: Languages,
    parameters: Mapping[str, Any],
    *,
    team: Team,
    progress_per: int = 10_000,
    trim_rule: Any = None,
) -> dict[str, WordCounter]:
    """Count the words of some languages' text; of a team, rank 0 does.

    Parameters
    ----------
    inputs : Inputs
    codes : iterable of str
        Whose words are counted.
    languages : Languages
        Those that there are already.
    parameters : mapping
        Of the model.
    team : Team
    progress_per : int
        Log after so many sentences.
    trim_rule : callable or None
        As in Word2Vec.
    """
    check_languages({*languages, *inputs.languages})
    open_cache(parameters["cache_dir"])  # if it cannot be used, say so before hours of reading
    size = parameters["max_vocab_size"]
    counters = {code: WordCounter(code, size, progress_per, trim_rule) for code in codes}
    if team.rank:
        pass
    elif size is None:
        inputs.count(counters, parameters["workers"])
    else:
        inputs.read(counters)  # rare words are pruned between sentences
    found = team.broadcast({code: counter.found() for code, counter in counters.items()})
    for code, counter in counters.items():
        counter.take(found[code])
    return counters


def counters_of(
    word_freq: Mapping[str, Mapping[str, int]], sentences: Mapping[str, int]
) -> dict[str, WordCounter]:
    """Return what counters of each language's text would be, of which the counts are known.

    Raises
    ------
    ConfigError
        If they are no counts of words.
    """
    counters = {}
    for code, counts in word_freq.items():
        if strange := [word for word in counts if not isinstance(word, str)]:
            raise ConfigError(f"word_freq of {code!r}: a word must be a string, got {strange[0]!r}")
        if counts:
            check_counts(np.array(list(counts.values())), f"word_freq of {code!r}")
        counters[code] = counter = WordCounter(code, None, 1, None)
        counter.counts.update(counts)
        counter.words = sum(counts.values())
        counter.sentences = sentences.get(code, 0)
    return counters


def build_vocabularies(
    languages: Languages,
    counters: Mapping[str, WordCounter],
    parameters: Mapping[str, Any],
    *,
    update: bool = False,
    **kwargs: Any,
) -> None:
    """Make the languages that are counted, or with `update` add to the words that they have.

    New ones are made first, all of them before one joins: should one fail, those that were there
    before are as they were.
    """
    new = [code for code in counters if not update or code not in languages]
    for code in [code for code in counters if code not in new]:
        check_kind(code, languages[code], parameters)
        for name in _OF_VOCABULARY:  # they may have been changed in the model
            setattr(languages[code], name, parameters[name])
    built = {code: new_language(code, parameters, ngrams_of(code, parameters)) for code in new}
    for code, model in built.items():
        model.make_vocabulary(counters[code], **kwargs)
    for code in counters:
        if code in built:
            languages.wv.aligned.forget(code)
            languages.wv.tokenizers.pop(code, None)
            languages.join(code, built[code])
        else:
            languages[code].make_vocabulary(counters[code], update=True, **kwargs)
