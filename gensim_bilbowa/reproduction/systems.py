"""The systems that are compared: how each is trained, and how it is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.baselines import (
    IBM1,
    Association,
    ContextVectors,
    EditDistance,
    Ranker,
    WordByWord,
    autoencoder,
    best_translations,
    bicvm,
    glossed,
    klementiev,
    ranked_translation,
)
from gensim_bilbowa.baselines.bitext import read_bitext
from gensim_bilbowa.baselines.mapped import MAPPED_ALPHA
from gensim_bilbowa.baselines.skipgram import skip_grams
from gensim_bilbowa.evaluation import (
    ClassificationScore,
    Documents,
    RetrievalScore,
    TranslationScore,
    document_classification,
    word_translation,
)
from gensim_bilbowa.evaluation.ranks import MRR_DEPTH, first_right
from gensim_bilbowa.evidence import MEASURES, Measure
from gensim_bilbowa.lexicons import LexiconMethod, extract_lexicon
from gensim_bilbowa.reproduction.documents import tfidf
from gensim_bilbowa.reproduction.questions import Setting, Transfer, Words
from gensim_bilbowa.reproduction.tasks import Experiment
from gensim_bilbowa.vectors import CrossLingualVectors
from gensim_bilbowa.vectors.alignment import AlignmentMethod, align

__all__ = ["BILBOWA", "FOLDS", "GUIDES", "PAPER", "SYSTEMS", "System"]

FOLDS = 5


Classification: TypeAlias = list[ClassificationScore]
Texts: TypeAlias = list[list[str]]


@dataclass(frozen=True)
class System:
    """A way to train, and the rows of the tables that come of it.

    Attributes
    ----------
    name : str
        Of the files of results.
    title : str
        In the table of training times.
    train : callable
        What it returns is handed to the functions below.
    translation : dict from str to callable
        For each row of the table of word translation, what measures it.
    classification : dict from str to callable
        For each row of the table of document classification, what measures it.
    spaces : dict from str to callable
        Further rows of it: what returns vectors of one space, which classify documents and find
        sentences by them.
    sentences : dict from str to callable
        Further rows of it that find sentences only: what does so.
    code : tuple of str
        Its own files and folders of the package, for :func:`.sources.code_mark`.
    most_seeds : int, optional
        At most so many trainings: one where nothing depends on chance, or where it takes long.
    timed : bool
        Whether it is a trained system, whose time is told.
    """

    name: str
    title: str
    train: Callable[[Setting], Any]
    translation: Mapping[str, Callable[[Any, Words], TranslationScore]] = field(
        default_factory=dict
    )
    classification: Mapping[str, Callable[[Any, Transfer], Classification]] = field(
        default_factory=dict
    )
    spaces: Mapping[str, Callable[[Any, Transfer], CrossLingualVectors]] = field(
        default_factory=dict
    )
    sentences: Mapping[str, Callable[[Any, Transfer, Texts, Texts], RetrievalScore]] = field(
        default_factory=dict
    )
    code: tuple[str, ...] = ()
    most_seeds: int | None = None
    timed: bool = True

    def rows(self, experiment: Experiment) -> tuple[str, ...]:
        """Return the names of its rows in the table of an experiment."""
        if experiment == "translation":
            return tuple(self.translation)
        return (*self.classification, *self.spaces, *self.sentences)


# ---- word translation


def _by(method: LexiconMethod) -> Callable[[CrossLingualVectors, Words], TranslationScore]:
    def ask(space: CrossLingualVectors, words: Words) -> TranslationScore:
        return word_translation(
            space[words.source], words.dictionary, lang=words.target, method=method
        )

    return ask


def _ranked(rankers: Callable[[str, str], Ranker], words: Words) -> TranslationScore:
    return ranked_translation(rankers(words.source, words.target), words.dictionary)


def _seeded(ask: Callable[[Any, Words], TranslationScore]) -> Callable[..., TranslationScore]:
    """Ask with the seed dictionary; where there is none, by cross-validation.

    The source words are dealt to five folds, the same ones for every system and seed. Those of each
    fold are asked of a system that has seen the translations of the others.
    """

    def cross_validated(trained: Any, words: Words) -> TranslationScore:
        if words.seeds is not None:
            return ask(trained, words)
        order = np.random.default_rng(0).permutation(sorted(words.dictionary)).tolist()
        scores = []
        for fold in range(FOLDS):
            asked = order[fold::FOLDS]
            others = {w: t for w, t in words.dictionary.items() if w not in set(asked)}
            asking = {w: words.dictionary[w] for w in asked}
            scores.append(ask(trained, replace(words, dictionary=asking, seeds=others)))
        return TranslationScore(
            np.concatenate([score.ranks for score in scores]), scores[0].precision_at,
            unknown=sum(score.unknown for score in scores),
            unanswerable=sum(score.unanswerable for score in scores),
        )  # fmt: skip

    return cross_validated


def _contexts(_: Setting, words: Words) -> TranslationScore:
    sentences = words.setting.text.sentences
    assert words.seeds is not None
    ranker = ContextVectors(
        {code: sentences[code] for code in (words.source, words.target)}, words.seeds,
        min_count=words.setting.parameters.min_count,
    )  # fmt: skip
    return ranked_translation(ranker, words.dictionary)


def _mapped(method: AlignmentMethod) -> Callable[[CrossLingualVectors, Words], TranslationScore]:
    def ask(apart: CrossLingualVectors, words: Words) -> TranslationScore:
        # The first language keeps its space: the source is mapped to the target.
        vectors = {code: apart[code] for code in (words.target, words.source)}
        space = align(vectors, {(words.source, words.target): words.seeds}, method=method)
        return word_translation(
            space[words.source], words.dictionary, lang=words.target, method="csls"
        )

    return ask


# ---- document classification


def _as_trained(space: CrossLingualVectors, _: Transfer) -> CrossLingualVectors:
    return space


def _within(space: CrossLingualVectors, task: Transfer) -> Classification:
    return document_classification(space[task.target], space[task.target], task.own, task.test)


def _majority(_: Setting, task: Transfer) -> Classification:
    from sklearn.dummy import DummyClassifier

    train, test = (
        (np.ones((len(documents.labels), 1)), documents.labels)
        for documents in (task.train, task.test)
    )
    classifier = DummyClassifier(strategy="most_frequent")
    return document_classification(None, None, train, test, classifier=classifier)


def _glossed(rankers: Callable[[str, str], Ranker], task: Transfer) -> Classification:
    words = best_translations(rankers(task.target, task.source))
    test = Documents(glossed(task.test.texts, words), task.test.labels)
    return document_classification(None, None, *tfidf(task.train, test))


def _word_by_word(rankers: Callable[[str, str], Any], task: Transfer) -> Classification:
    text = task.setting.text.parallel.side(task.source)
    machine = WordByWord(rankers(task.target, task.source), text)
    test = Documents(machine.translate(task.test.texts), task.test.labels)
    return document_classification(None, None, *tfidf(task.train, test))


def _mapped_by_counts(apart: CrossLingualVectors, task: Transfer) -> CrossLingualVectors:
    vectors = {code: apart[code] for code in (task.target, task.source)}
    pairs = extract_lexicon(
        CrossLingualVectors(vectors), task.source, task.target, method="llr",
        parallel=task.setting.text.parallel,
    )  # fmt: skip
    return align(
        vectors, {(task.source, task.target): [(entry.source, entry.target) for entry in pairs]}
    )


# ---- sentences


def _with_words(
    space: CrossLingualVectors, task: Transfer, sentences: Texts, translations: Texts
) -> RetrievalScore:
    """Search as users do: by vectors and by the words that were aligned in training."""
    found = space[task.source].most_similar_sentences_batch(
        sentences, translations, MRR_DEPTH, task.target
    )
    answers = ([translations[position] for position, _ in row] for row in found)
    return RetrievalScore(
        first_right(answers, ([text] for text in translations)), (1, 5), unknown=0
    )


# ---- training


def _spelling(setting: Setting) -> Callable[[str, str], Ranker]:
    text = read_bitext(setting.text.parallel, setting.parameters.min_count)
    words = dict(zip(text.languages, text.vocabularies, strict=True))
    return lambda source, target: EditDistance(
        words[source], words[target], languages=(source, target), workers=1
    )


def _association(measure: Measure) -> Callable[[Setting, Words], TranslationScore]:
    def ask(setting: Setting, words: Words) -> TranslationScore:
        ranker = Association(
            setting.text.parallel, measure, source=words.source,
            min_count=setting.parameters.min_count,
        )  # fmt: skip
        return ranked_translation(ranker, words.dictionary)

    return ask


def _itself(setting: Setting) -> Setting:
    return setting


def _ibm1(setting: Setting) -> Callable[[str, str], Ranker]:
    rankers = {
        code: IBM1(setting.text.parallel, source=code, min_count=setting.parameters.min_count)
        for code in setting.text.languages
    }
    return lambda source, _: rankers[source]


def _common(setting: Setting) -> dict[str, Any]:
    """Return the parameters that all trained systems share; others are at their defaults."""
    wanted = setting.parameters
    return {
        "vector_size": wanted.vector_size, "min_count": wanted.min_count, "seed": setting.seed,
    }  # fmt: skip


def _apart(setting: Setting) -> CrossLingualVectors:
    return skip_grams(
        setting.text.sentences, alpha=MAPPED_ALPHA, epochs=setting.parameters.epochs, workers=1,
        **_common(setting),
    ).wv  # fmt: skip


def _of_pairs(
    train: Callable[..., CrossLingualVectors],
) -> Callable[[Setting], CrossLingualVectors]:
    return lambda setting: train(setting.text.parallel, **_common(setting))


def _klementiev(setting: Setting) -> CrossLingualVectors:
    text = setting.text
    return klementiev(text.parallel, text.sentences, workers=1, **_common(setting))


def _bilbowa(setting: Setting) -> CrossLingualVectors:
    text = setting.text
    parameters = {
        **_common(setting), "epochs": setting.parameters.epochs, "workers": 1, **setting.changes,
    }  # fmt: skip
    return BilBOWA(text.sentences, parallel=text.parallel, **parameters).wv


def _bilbowa_paper(setting: Setting) -> CrossLingualVectors:
    return _bilbowa(replace(setting, changes={"alignment": False, **setting.changes}))


_BY_VECTORS = (
    "vectors/points.py", "vectors/retrieval.py", "vectors/sentences.py", "vectors/joined.py",
    "vectors/keyed.py",
)  # fmt: skip
_SKIP_GRAM = ("model.py", "modelling", "training", "kernels")
_BITEXT = "baselines/bitext.py"
_RANKED = (_BITEXT, "baselines/ranking.py")
_IBM1 = ("baselines/ibm1.py", *_RANKED)


def _vectors(
    name: str, title: str, train: Callable[[Setting], CrossLingualVectors], *code: str,
    most_seeds: int | None = None,
) -> System:  # fmt: skip
    """Return a system that trains vectors of one space."""
    return System(
        name, title, train, translation={title: _by("csls")}, spaces={title: _as_trained},
        code=(*code, *_BY_VECTORS), most_seeds=most_seeds,
    )  # fmt: skip


_NAMES = {"llr": "Log-likelihood ratio", "dice": "Dice", "chi2": "Chi-square", "t": "t-score"}

BILBOWA = System(
    "bilbowa", "BilBOWA", _bilbowa,
    translation={"BilBOWA": _by("csls"), "BilBOWA, hybrid lexicon": _by("hybrid")},
    classification={"BilBOWA within one language": _within},
    spaces={"BilBOWA": _as_trained}, sentences={"BilBOWA with words": _with_words},
    code=(*_SKIP_GRAM, *_BY_VECTORS, "vectors/sentence_points.py", "evidence", "lexicons"),
)  # fmt: skip
# Without the alignment of words, which is the package's own.
PAPER = _vectors(
    "bilbowa-paper", "BilBOWA, as in the paper", _bilbowa_paper, *_SKIP_GRAM, "evidence"
)

SYSTEMS = (
    System(
        "majority", "Majority class", _itself, classification={"Majority class": _majority},
        most_seeds=1, timed=False,
    ),
    System(
        "spelling", "Edit distance", _spelling, translation={"Edit distance": _ranked},
        code=("baselines/spelling.py", *_RANKED), most_seeds=1, timed=False,
    ),
    System(
        "contexts", "Word co-occurrence", _itself,
        translation={"Word co-occurrence": _seeded(_contexts)},
        code=("baselines/contexts.py", *_RANKED), most_seeds=1, timed=False,
    ),
    System(
        "association", "Association", _itself,
        translation={_NAMES[measure]: _association(measure) for measure in MEASURES},
        code=("baselines/counting.py", "evidence/cooccurrence.py", *_RANKED), most_seeds=1,
        timed=False,
    ),
    System(
        "ibm1", "IBM model 1, both directions", _ibm1, translation={"IBM model 1": _ranked},
        classification={"Glossed": _glossed, "MT, word by word": _word_by_word},
        code=(*_IBM1, "baselines/documents.py", "reproduction/documents.py"), most_seeds=1,
    ),
    System(
        "apart", "Skip-gram, to be mapped", _apart,
        translation={
            "Translation matrix": _seeded(_mapped("translation_matrix")),
            "CCA": _seeded(_mapped("cca")),
            "Procrustes": _seeded(_mapped("procrustes")),
        },
        spaces={"Procrustes, pairs by counts": _mapped_by_counts},
        code=(
            "baselines/mapped.py", "baselines/skipgram.py", "vectors/alignment.py",
            "vectors/mapping.py", "evidence", "lexicons", *_SKIP_GRAM, *_BY_VECTORS,
        ),
    ),
    _vectors(
        "klementiev", "Klementiev et al.", _klementiev, "baselines/klementiev.py",
        "baselines/skipgram.py", *_IBM1, *_SKIP_GRAM,
    ),
    _vectors(
        "autoencoder", "Bilingual autoencoder", _of_pairs(autoencoder),
        "baselines/autoencoder.py", "baselines/descent.py", _BITEXT, most_seeds=1,
    ),
    _vectors(
        "bicvm", "BiCVM", _of_pairs(bicvm), "baselines/bicvm.py", "baselines/descent.py", _BITEXT,
        most_seeds=1,
    ),
    PAPER,
    BILBOWA,
)  # fmt: skip

# Rows that show what could be reached, and do not compete.
GUIDES = ("BilBOWA within one language",)
