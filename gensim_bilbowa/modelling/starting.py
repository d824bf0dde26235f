"""A model's languages begun from trained vectors, and from nothing."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Set
from typing import Any

from gensim_bilbowa.corpora import Inputs
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.modelling.counting import WordCounter
from gensim_bilbowa.modelling.language import LanguageModel
from gensim_bilbowa.modelling.languages import Languages, new_language, ngrams_of
from gensim_bilbowa.modelling.starts import Start, StartVocabulary
from gensim_bilbowa.modelling.vocabularies import build_vocabularies, count_words
from gensim_bilbowa.parameters import NGRAMS
from gensim_bilbowa.teams import Team
from gensim_bilbowa.vectors.ngrams import has_subwords

__all__ = ["begin_languages"]

logger = logging.getLogger(__name__)


def begin_languages(
    languages: Languages,
    starts: Mapping[str, Start],
    inputs: Inputs,
    parameters: Mapping[str, Any],
    *,
    vocabulary: StartVocabulary,
    frozen: Set[str],
    trim_rule: Any,
    team: Team,
) -> None:
    """Begin the languages that have a start, and then those of the text that have none.

    Parameters
    ----------
    languages : Languages
        To which they are added.
    starts : mapping from str to Start
    inputs : Inputs
    parameters : mapping
        Of the model.
    vocabulary : {"start", "text"}
        Whose words the languages with a start have.
    frozen : set of str
        Languages that will not be trained at first: they have no words that their start lacks,
        since these would stay where chance has put them.
    trim_rule : callable or None
        As in Word2Vec, of the words of the text.
    team : Team
    """
    if strange := sorted(frozen - starts.keys()):
        raise ConfigError(
            f"freeze: no model of {strange} that could stay as it is; there are models of "
            f"{list(starts)}"
        )
    uncounted = [
        code for code in inputs.languages
        if code not in starts or vocabulary == "text" or not starts[code].counted
    ]  # fmt: skip
    counters = count_words(inputs, uncounted, languages, parameters, team=team, trim_rule=trim_rule)
    for code, start in starts.items():
        language = new_language(code, parameters, _ngrams(start, parameters))
        counter = counters.pop(code, None)
        if vocabulary == "start":
            language.start_from(start, counter)
        else:
            _begin_with_text(language, start, counter, code in frozen, trim_rule)
        languages.join(code, language)
    build_vocabularies(languages, counters, parameters, trim_rule=trim_rule)


def _ngrams(start: Start, parameters: Mapping[str, Any]) -> dict[str, int] | None:
    """Return the n-grams of what a language starts from, None if it has none."""
    if has_subwords(start.wv):
        return {name: getattr(start.wv, name) for name in NGRAMS}
    if ngrams_of(start.code, parameters):
        raise ConfigError(
            f"models[{start.code!r}] is no FastText with n-grams: subwords cannot be true for "
            f"{start.code!r}, give the codes of other languages or False"
        )
    return None


def _begin_with_text(
    language: LanguageModel, start: Start, counter: WordCounter | None, frozen: bool, trim_rule: Any
) -> None:
    """Give a language the words of its text, and of these those that the start has its vectors."""
    if has_subwords(start.wv):
        raise ConfigError(
            f"vocabulary='text': models[{start.code!r}] is a FastText, which starts with all of "
            "its words; build_vocab(..., update=True) adds those of the text"
        )
    if counter is None:
        raise ConfigError(f"vocabulary='text': there is no text of {start.code!r}")
    known = counter.counts.keys() & start.wv.key_to_index.keys()
    if not known:
        raise start.strange(len(counter.counts))
    if frozen:
        for word in counter.counts.keys() - known:
            del counter.counts[word]
    language.make_vocabulary(counter, trim_rule=trim_rule)
    _give_rows(start, language)


def _give_rows(start: Start, language: LanguageModel) -> None:
    """Give the words of a language that are in the start its vectors, and output weights if any."""
    wv, given = language.wv, start.wv
    words = [word for word in wv.index_to_key if word in given.key_to_index]
    if not words:
        raise start.strange(len(wv))
    ours = [wv.key_to_index[word] for word in words]
    theirs = [given.key_to_index[word] for word in words]
    wv.vectors[ours] = given.vectors[theirs]
    if start.syn1neg is not None and language.negative:
        language.syn1neg[ours] = start.syn1neg[theirs]
    logger.info(
        "%s: %i of %i words have a vector to start from, the others start at random; %i of the "
        "start's %i words are not in the text",
        start.code, len(words), len(wv), len(given) - len(words), len(given),
    )  # fmt: skip
