"""BilBOWA: word vectors of several languages, learned jointly in one space."""

from __future__ import annotations

import copy
import logging
import os
import threading
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, get_args

from gensim_bilbowa import training
from gensim_bilbowa.corpora import Files, Inputs, Parallel, Texts, collect
from gensim_bilbowa.errors import AlreadyTrainingError, ConfigError
from gensim_bilbowa.files.filesystem import reachable
from gensim_bilbowa.lexicons import Lexicon, extract_lexicon
from gensim_bilbowa.modelling import persistence
from gensim_bilbowa.modelling.language import LanguageModel
from gensim_bilbowa.modelling.languages import (
    Languages,
    check_subword_languages,
    codes_of,
    estimate_memory,
    require_two,
)
from gensim_bilbowa.modelling.starting import begin_languages
from gensim_bilbowa.modelling.starts import Source, StartVocabulary, read_starts
from gensim_bilbowa.modelling.subwords import adopt_model
from gensim_bilbowa.modelling.vocabularies import build_vocabularies, count_words, counters_of
from gensim_bilbowa.parameters import (
    PARAMETERS,
    attribute_name,
    check_choice,
    check_languages,
    check_number,
    check_parameters,
)
from gensim_bilbowa.running.limits import enough_memory
from gensim_bilbowa.teams import Team, working_together
from gensim_bilbowa.tokenization.tokenizers import Tokenizers
from gensim_bilbowa.vectors import CrossLingualKeyedVectors, CrossLingualVectors

__all__ = ["BilBOWA"]

logger = logging.getLogger(__name__)


class BilBOWA:
    """Train word vectors of two or more languages in one space (Gouws et al. 2015).

    A skip-gram model with negative sampling for each language learns from monolingual text; in
    between, sentence pairs pull the means of their word vectors together. Added to the paper's
    method, words are aligned in the sentence pairs before training, and now and then move towards
    their translations (`alignment`); nobody has to give alignments or a dictionary. Given corpora,
    the constructor trains at once; without, call :meth:`build_vocab` and :meth:`train`.

    Parameters
    ----------
    sentences : dict from str to corpus, optional
        Monolingual text for each language code: a path (plain or packed, or a URL; one
        sentence a line), gensim's ``LineSentence``, or a restartable iterable of token lists.
        A language without an entry learns from its sides of the parallel text.
    corpus_file : dict from str to path, optional
        The same, as paths only (gensim's name).
    parallel : ParallelSentences, list of them, or dict, optional
        Sentence-aligned text for any set of language pairs. A dict maps pairs of codes to two
        paths, one tab-separated path or an iterable of pairs. With two languages in `sentences`
        the codes may be left out.
    vector_size, window, min_count, max_vocab_size, max_final_vocab, sample, seed, workers, \
sorted_vocab, null_word, ns_exponent, cbow_mean, hashfxn, batch_words, shrink_windows, comment
        As in :class:`gensim.models.Word2Vec`. `hashfxn` is not saved.
    alpha, min_alpha : float
        Learning rate at the start and at the end; it falls linearly over all the work, of both
        kinds. It is far larger than gensim's, as in the paper.
    sg, hs, negative : int
        As in Word2Vec; the default is skip-gram with negative sampling. All run by this package's
        own steps: CBOW (``sg=0``), hierarchical softmax (``hs=1``), and both kinds of output at
        once.
    shared_negatives : bool
        Whether the context words of a window share their negatives and are moved together, which
        is several times faster and as accurate. Otherwise each context word draws its own and every
        target is updated at once, as in word2vec. In CBOW, where one vector stands for the context
        words, they always share.
    epochs : int
        Passes over the monolingual text.
    compute_loss : bool
        Kept for gensim's sake: losses are always computed, see `loss_history`.
    callbacks : iterable of gensim.models.callbacks.CallbackAny2Vec
        Called with this model. A callback with a method ``on_progress(model, progress)`` gets a
        :class:`~gensim_bilbowa.training.Progress` about ten times a second. One with
        ``wants_pause()`` is asked as often, and once that is true ``on_pause(model)`` is called
        while no worker is at work: so does :class:`~gensim_bilbowa.callbacks.Checkpoint`.
    trim_rule : callable, optional
        As in Word2Vec.
    xling_weight : float
        Weight lambda of the cross-lingual term. A language in the pairs of several others moves
        less with each of them, and they more: with s the share of two languages' pairs, in words,
        in all pairs of a language, the two weights are as s squared, and lambda is their mean.
    xling_sample : float
        Subsampling threshold for the words of sentence pairs; 0 keeps all. The paper finds frequent
        words drawn together without it; on captions and talks they were nearer to each other with
        it, and rarer words nearer to their translations.
    xling_passes : float
        Passes over the parallel text in an epoch.
    xling_clip : float
        Bound on each component of a cross-lingual update; a word that stands k times in a
        sentence is updated k times.
    xling_gradient : {"delta", "exact"}
        "delta" moves each word by the difference of the sentence means, as the original program
        does; "exact" by the loss's gradient, in which that is divided by the sentence's length.
        It needs a weight about ten times larger.
    alignment : bool
        Whether words are aligned in the sentence pairs before training (see
        :func:`~gensim_bilbowa.evidence.align`), and the space learns from that. False is the method
        of the paper.
    align_pulls : int
        How often in a run, at places spread over it evenly, all words move towards the mean of
        their translations, and their context vectors towards the mean of theirs (see
        :class:`~gensim_bilbowa.training.Pulls`). In the first quarter whole languages turn towards
        each other before.
    align_rate, align_context_rate : float
        How far a pull moves a word and its context vector at most, from 0 (not) to 1 (all the way).
    align_damping : float
        How much less words move whose translations have more evidence than they have. 0 moves all
        alike.
    align_spelling : float
        What likeness in spelling, 0 to 1, is worth in counts of alignment, for words that sentence
        pairs tell little of and that are each other's most alike.
    subwords : bool or iterable of str
        Which languages are trained as gensim's :class:`~gensim.models.fasttext.FastText`: all,
        none, or those whose codes are given. The vector of a word is then the mean of its own and
        of its n-grams' vectors, so that words which were never seen have vectors of the same
        space. It pays where there is little text or many forms of each word.
    min_n, max_n : int
        Characters of the shortest and longest n-grams, counted with ``<`` and ``>`` for the word's
        ends.
    bucket : int
        Rows of n-gram vectors in each language with subwords: n-grams are hashed to them, and
        several may share one. A row takes 4 bytes for each dimension, so that the default takes
        80 MB with 100 dimensions; gensim's is 2,000,000, for large vocabularies.
    corpus_memory : int
        Bytes that one encoded corpus may take in memory; a larger one goes to a temporary file
        that is mapped into memory.
    cache_dir : str or path-like, optional
        Folder in which encoded text files are kept, to be mapped into memory by later runs with
        the same file and vocabulary instead of being read again. It is made if it is not there;
        nothing in it is ever removed, but old entries may be deleted by hand. Not saved.
    team : MPITeam, optional
        Processes that build and train the model together, each of which makes the same call; see
        :class:`~gensim_bilbowa.teams.MPITeam`. Not kept: give it to :meth:`build_vocab` and
        :meth:`train`, too.

    Attributes
    ----------
    wv : CrossLingualVectors
        Mapping from language code to ``KeyedVectors``; ``model.wv_en`` is ``model.wv["en"]``.
    loss_history : list of dict
        One entry for each epoch: ``epoch``, ``alpha``, ``monolingual`` (mean loss for each
        trained word, by language), ``crosslingual`` (mean squared distance of sentence means, by
        "en-de" pair), ``words``, ``trained_words``, ``pairs``, ``emptied_pairs``, ``translations``
        (by "en-de" pair the share of words that the vectors translate as the parallel text does,
        see :ref:`translations-while-training`), ``seconds``.

    Raises
    ------
    ConfigError, CorpusError, CorpusFileError
        For parameters and text that cannot be used; see :mod:`gensim_bilbowa.errors`.

    Examples
    --------
    >>> from gensim_bilbowa import BilBOWA
    >>> from gensim_bilbowa.datasets import SyntheticCorpus
    >>> corpus = SyntheticCorpus(2000, seed=1)
    >>> model = BilBOWA(
    ...     parallel={("en", "de"): corpus.pairs("en", "de")}, vector_size=40, epochs=5, seed=1,
    ...     workers=1)
    >>> [word for word, score in model.wv_en.most_similar_cross("dog", topn=1)]
    ['Hund']
    """

    def __init__(
        self,
        sentences: Texts | None = None,
        corpus_file: Files | None = None,
        parallel: Parallel | None = None,
        *,
        vector_size: int = 100,
        alpha: float = 0.1,
        window: int = 5,
        min_count: int = 5,
        max_vocab_size: int | None = None,
        sample: float = 1e-3,
        seed: int = 1,
        workers: int = 3,
        min_alpha: float = 0.0001,
        sg: int = 1,
        hs: int = 0,
        negative: int = 15,
        ns_exponent: float = 0.75,
        cbow_mean: int = 1,
        hashfxn: Callable[..., int] = hash,
        epochs: int = 5,
        null_word: int = 0,
        trim_rule: Callable[[str, int, int], int] | None = None,
        sorted_vocab: int = 1,
        batch_words: int = 10_000,
        compute_loss: bool = False,
        callbacks: Iterable[Any] = (),
        comment: str | None = None,
        max_final_vocab: int | None = None,
        shrink_windows: bool = True,
        shared_negatives: bool = True,
        xling_weight: float = 5.0,
        xling_sample: float = 1e-3,
        xling_passes: float = 3,
        xling_clip: float = 0.1,
        xling_gradient: str = "delta",
        alignment: bool = True,
        align_pulls: int = 20,
        align_rate: float = 0.25,
        align_context_rate: float = 0.7,
        align_damping: float = 0.5,
        align_spelling: float = 3.0,
        subwords: bool | Iterable[str] = False,
        min_n: int = 3,
        max_n: int = 6,
        bucket: int = 200_000,
        corpus_memory: int = 1 << 30,
        cache_dir: str | os.PathLike[str] | None = None,
        team: Team | None = None,
    ) -> None:
        given = locals()
        vars(self).update(check_parameters({name: given[name] for name in PARAMETERS}))
        self._start()
        inputs = collect(sentences, corpus_file, parallel)
        if inputs.languages:
            inputs.require_restartable()
            require_two(inputs.languages)
            check_subword_languages(inputs.languages, self._parameters)
            with working_together(team) as team:
                self._build(inputs, team=team, trim_rule=trim_rule)
                self._train(inputs, {}, team=team, counted=True, callbacks=callbacks)
        elif trim_rule is not None or tuple(callbacks):
            logger.warning(
                "trim_rule and callbacks are used when the model is built and trained; without "
                "text give them to build_vocab() and train()"
            )

    def _start(self) -> None:
        self._languages = Languages()
        self._training = threading.Lock()
        self.wv = self._languages.wv
        self._run: training.RunState | None = None
        self.loss_history: list[dict[str, Any]] = []
        self.epochs_trained = 0
        self.running_training_loss = 0.0
        self.total_train_time = 0.0

    # ---- languages

    @property
    def languages(self) -> list[str]:
        """Codes of the languages, in the order in which they were given."""
        return list(self._languages)

    @property
    def tokenizers(self) -> Tokenizers:
        """What splits the text of each language, as in training: ``tokenizers["en"](text)``."""
        return self.wv.tokenizers

    def __getitem__(self, language: str) -> LanguageModel:
        """Return the gensim ``Word2Vec`` of a language, with subwords a ``FastText``."""
        return self._languages[language]

    def __contains__(self, language: object) -> bool:
        return language in self._languages

    def __iter__(self) -> Iterator[str]:
        return iter(self._languages)

    def __getattr__(self, name: str) -> CrossLingualKeyedVectors:
        if name.startswith("wv_"):
            for code, model in self.__dict__.get("_languages", {}).items():
                if name == "wv_" + attribute_name(code):
                    return model.wv  # type: ignore[no-any-return]
            raise AttributeError(
                f"no language for {name!r}; there are {self.languages or 'none yet'}"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *("wv_" + attribute_name(code) for code in self._languages)]

    def __str__(self) -> str:
        inner = ", ".join(f"{code}: {len(m.wv):,} words" for code, m in self._languages.items())
        return f"BilBOWA<{inner or 'no vocabulary yet'}; vector_size={self.vector_size}>"

    __repr__ = __str__

    @property
    def _parameters(self) -> dict[str, Any]:
        return {name: vars(self)[name] for name in PARAMETERS}

    @property
    def corpus_count(self) -> int:
        """Sentences that each vocabulary was built from or last updated by, all together."""
        return sum(model.corpus_count or 0 for model in self._languages.values())

    @property
    def corpus_total_words(self) -> int:
        """Words that each vocabulary was built from or last updated by, all together."""
        return sum(model.corpus_total_words or 0 for model in self._languages.values())

    # ---- vocabulary

    def build_vocab(
        self,
        corpus_iterable: Texts | None = None,
        corpus_file: Files | None = None,
        parallel: Parallel | None = None,
        *,
        update: bool = False,
        lockf: float | None = None,
        freeze: Iterable[str] = (),
        progress_per: int = 10_000,
        keep_raw_vocab: bool = False,
        trim_rule: Callable[[str, int, int], int] | None = None,
        team: Team | None = None,
        **kwargs: Any,
    ) -> None:
        """Build the vocabulary of each language that has text here.

        Parameters
        ----------
        corpus_iterable, corpus_file, parallel
            As the constructor's `sentences`, `corpus_file` and `parallel`. An iterable that can
            be read once will do here. The vocabulary of a language with text of its own is that
            text's; other words of the parallel text are not learnt.
        update : bool
            Add new words to vocabularies that exist, keeping vectors; counts are added up. A
            language that the model does not have yet is added to it.
        lockf : float, optional
            With `update`, the factor on later updates of the words that were there before, in the
            languages that have text here: with 0 their vectors stay and only new words learn. It
            is gensim's ``vectors_lockf`` of those words, with subwords ``vectors_vocab_lockf`` and
            the ``vectors_ngrams_lockf`` of their n-grams, and stays in force until these are set
            anew. Default: as it was, which is 1 unless you have set it.
        freeze : iterable of str
            With `update`, languages that get no new words and counts. Name those here that
            :meth:`train` is to freeze: a new word would stay where chance has put it.
        progress_per : int
            Log after so many sentences.
        keep_raw_vocab : bool
            Keep the counts of all words.
        trim_rule : callable, optional
            As in Word2Vec.
        team : MPITeam, optional
            Of whose ranks the first one counts the words.
        **kwargs
            As :meth:`gensim.models.Word2Vec.prepare_vocab`.
        """
        inputs = collect(corpus_iterable, corpus_file, parallel)
        inputs.require_text()
        if lockf is not None:
            check_number("lockf", lockf, whole=False)
            if not update:
                raise ConfigError("lockf is of words that were there before: it needs update=True")
            kwargs["lockf"] = lockf
        if not update and codes_of(freeze):
            raise ConfigError("freeze is of languages that were there before: it needs update=True")
        frozen = self._languages.frozen(freeze, inputs.languages)
        with working_together(team) as team:
            self._build(
                inputs, team=team, update=update, frozen=frozen, progress_per=progress_per,
                keep_raw_vocab=keep_raw_vocab, trim_rule=trim_rule, **kwargs,
            )  # fmt: skip

    @enough_memory()
    def _build(
        self, inputs: Inputs, *, team: Team, update: bool = False, frozen: Container[str] = (),
        progress_per: int = 10_000, **kwargs: Any,
    ) -> None:  # fmt: skip
        with self._busy():
            codes = [code for code in inputs.languages if code not in frozen]
            counters = count_words(
                inputs, codes, self._languages, self._parameters, team=team,
                progress_per=progress_per, trim_rule=kwargs.get("trim_rule"),
            )  # fmt: skip
            self._run = None  # an unfinished one was of the vocabularies as they were
            build_vocabularies(self._languages, counters, self._parameters, update=update, **kwargs)

    @enough_memory()
    def build_vocab_from_freq(
        self,
        word_freq: Mapping[str, Mapping[str, int]],
        keep_raw_vocab: bool = False,
        corpus_count: Mapping[str, int] | None = None,
        trim_rule: Callable[[str, int, int], int] | None = None,
        update: bool = False,
    ) -> None:
        """Build vocabularies from word counts, as gensim's method of this name.

        Parameters
        ----------
        word_freq : dict from str to dict from str to int
            For each language its words and their counts.
        corpus_count : dict from str to int, optional
            For each language the number of sentences.
        keep_raw_vocab, trim_rule, update
            As in :meth:`build_vocab`.

        Raises
        ------
        ConfigError
            If words are no strings, or counts no whole numbers of 0 or more.
        """
        check_languages({*self._languages, *word_freq})
        with self._busy():
            self._run = None
            build_vocabularies(
                self._languages, counters_of(word_freq, corpus_count or {}), self._parameters,
                update=update, keep_raw_vocab=keep_raw_vocab, trim_rule=trim_rule,
            )  # fmt: skip

    def estimate_memory(
        self,
        vocab_size: int | Mapping[str, int] | None = None,
        report: dict[str, int] | None = None,
    ) -> dict[str, int]:
        """Estimate the bytes that the model needs, as gensim's method of this name.

        Parameters
        ----------
        vocab_size : int or dict from str to int, optional
            Words of each language; a number stands for each of the model's languages, or for
            each of two where there are none yet. Default: the vocabularies as built.
        report : dict, optional
            Further entries to include in the total.

        Returns
        -------
        dict from str to int
            ``vocab``, ``vectors``, ``syn1neg`` and (or) ``syn1``, with subwords
            ``vectors_vocab`` and ``vectors_ngrams``, and ``total``.
        """
        return estimate_memory(self._languages, vocab_size, self._parameters, report or {})

    # ---- training

    def train(
        self,
        corpus_iterable: Texts | None = None,
        corpus_file: Files | None = None,
        parallel: Parallel | None = None,
        *,
        total_examples: int | None = None,
        total_words: int | None = None,
        epochs: int | None = None,
        start_alpha: float | None = None,
        end_alpha: float | None = None,
        freeze: Iterable[str] = (),
        word_count: int = 0,
        queue_factor: int = 2,
        report_delay: float = 1.0,
        compute_loss: bool = False,
        callbacks: Iterable[Any] = (),
        resume: bool = False,
        team: Team | None = None,
    ) -> tuple[int, int]:
        """Train on text and parallel text; the vocabularies must have been built.

        Parameters
        ----------
        corpus_iterable, corpus_file, parallel
            As the constructor's `sentences`, `corpus_file` and `parallel`.
        total_examples, total_words : int, optional
            Sentences or words of an epoch, all languages together, over which the learning rate
            is planned to fall. Not needed here, since the text is counted before training.
        epochs : int, optional
            Default: the model's `epochs`.
        start_alpha, end_alpha : float, optional
            Learning rates of this call; default: the model's `alpha` and `min_alpha`, of a model
            that was trained before, too.
        freeze : iterable of str
            Languages whose vectors stay as they are, to the bit; the others are fitted to them.
            Their own text is not read, nor are pairs of two of them. Their output weights stay,
            too.
        word_count : int
            Words already trained, as part of the fall of the learning rate.
        queue_factor : int
            Jobs waiting in the queue for each worker.
        report_delay : float
            Seconds between two lines of progress in the log.
        compute_loss : bool
            Losses are always computed.
        callbacks : iterable of gensim.models.callbacks.CallbackAny2Vec
        resume : bool
            Go on with the `unfinished` training of a checkpoint, at the place and with the
            parameters, epochs, rates and frozen languages that it has. The text must be the same;
            other arguments may be left out, or be the same. `workers` and `team` may differ.
            Without, a new training begins, from the vectors as they are.
        team : MPITeam, optional
            Processes that train together, each with a model that has the same vocabulary and
            vectors; in the end all have the same again. `callbacks` are called on rank 0 alone.

        Returns
        -------
        (int, int)
            Words of monolingual text trained on, after subsampling and unknown words, and before;
            with `resume` of the whole training.

        Raises
        ------
        AlreadyTrainingError
            If the model is being trained.
        ConfigError, CorpusError
            With `resume`, if there is nothing to go on with, or parameters or text differ.
        TrainingDivergedError
            If losses or vectors are no longer finite numbers.
        """
        inputs = collect(corpus_iterable, corpus_file, parallel)
        inputs.require_text()
        inputs.require_restartable()
        check_number("queue_factor", queue_factor, whole=True)
        check_number("report_delay", report_delay, whole=False)
        given = {
            "epochs": epochs, "alpha": start_alpha, "min_alpha": end_alpha,
            "total_examples": total_examples, "total_words": total_words,
            "word_count": word_count or None, "freeze": sorted(codes_of(freeze), key=str) or None,
        }  # fmt: skip
        with working_together(team) as team:
            return self._train(
                inputs, {name: value for name, value in given.items() if value is not None},
                team=team, callbacks=callbacks, resume=resume, queue_factor=queue_factor,
                report_delay=report_delay,
            )  # fmt: skip

    @enough_memory()
    def _train(
        self,
        inputs: Inputs,
        given: Mapping[str, Any],
        *,
        team: Team,
        counted: bool = False,
        callbacks: Iterable[Any] = (),
        resume: bool = False,
        **pace: Any,
    ) -> tuple[int, int]:
        callbacks = () if team.rank else tuple(callbacks)
        earlier = training.to_resume(self._run, vars(self), given) if resume else None
        values = training.settle(self._parameters, given, earlier)
        inputs, frozen = training.find_learning(self._languages, inputs, values)
        languages = {code: self._languages[code] for code in inputs.languages}
        with self._busy():
            training.make_ready(languages, values)
            self.tokenizers.take_note(inputs.ways())
            encoded = training.encode(inputs, languages, values, team)
            state = earlier or training.RunState.planned(values)
            schedule = training.plan(encoded, values, state, self.epochs_trained)
            if counted:
                training.warn_changed(schedule, self._languages)
            if self.unfinished and not earlier:
                logger.warning(
                    "a new training begins; resume=True would go on with the unfinished one"
                )
            state.begin(schedule, team.size)
            training.check_alike(team, state, languages, self.wv.aligned, self.epochs_trained)
            self._run = state
            for callback in callbacks:
                if isinstance(callback, training.Checkpoint):
                    callback.run = state.name
                callback.on_train_begin(self)
            if not earlier:
                self.running_training_loss = 0.0

            def on_epoch(tally: Any, entry: dict[str, Any]) -> None:
                state.trained_words += tally.trained_words
                self.running_training_loss += tally.monolingual_loss
                self.loss_history.append(entry)
                self.epochs_trained += 1

            training.run(
                languages, schedule, training.Settings.of(values), state, self.wv.aligned,
                frozen=frozen, team=team, workers=values["workers"], callbacks=callbacks,
                model=self, on_epoch=on_epoch, **pace,
            )  # fmt: skip
            for code, model in languages.items():
                model.train_count += code not in frozen
            self.total_train_time += state.seconds
            self._run = None
            logger.info(
                "trained on %i raw words (%i effective words) in %i epochs, took %.1fs",
                schedule.raw_words, state.trained_words, schedule.epochs, state.seconds,
            )  # fmt: skip
        for callback in callbacks:
            callback.on_train_end(self)
        return state.trained_words, schedule.raw_words

    @property
    def unfinished(self) -> bool:
        """Whether :meth:`train` with ``resume=True`` has a training to go on with.

        So it is with a model that was loaded from a checkpoint, and after an error between two
        jobs: a callback's, that is. What ended in the midst of a job, as by Ctrl-C, can only go
        on from a checkpoint.
        """
        return self._run is not None and self._run.position is not None

    @contextmanager
    def _busy(self) -> Iterator[None]:
        if not self._training.acquire(blocking=False):
            raise AlreadyTrainingError("this model is being built or trained")
        try:
            yield
        finally:
            self._training.release()

    def get_latest_training_loss(self) -> float:
        """Sum of the monolingual losses of the latest :meth:`train`, all languages together."""
        return self.running_training_loss

    # ---- using the vectors

    def lexicon(self, source: str, target: str, **options: Any) -> Lexicon:
        """Make a lexicon: for each word of one language its best translations in another.

        Parameters
        ----------
        source, target : str
            Codes of the two languages.
        **options
            As for :func:`~gensim_bilbowa.lexicons.extract_lexicon`: `method`, `mutual`, `topn`,
            `min_score`, `min_count`, `k`, `beta`, `parallel`, `examples`, `delimiter`, `spelling`,
            `refine`, `workers` and `progress`. The default of `workers` is the model's.

        Returns
        -------
        Lexicon

        Examples
        --------
        >>> from gensim_bilbowa.datasets import SyntheticCorpus
        >>> pairs = {("en", "de"): SyntheticCorpus(2000, seed=1).pairs("en", "de")}
        >>> model = BilBOWA(parallel=pairs, vector_size=40, epochs=5, workers=1)
        >>> model.lexicon("en", "de", parallel=pairs).to_dict()["dog"]
        ['Hund']
        """
        return extract_lexicon(
            self.wv, source, target, **{"workers": self._parameters["workers"], **options}
        )

    def refine(self, **options: Any) -> CrossLingualVectors:
        """Return vectors refined by the translations that the model finds, if that is better.

        Parameters
        ----------
        **options
            As for :func:`~gensim_bilbowa.vectors.refine`: `rounds`, `k`, `max_words`, `reweight`,
            `spelling`, `parallel`, `always`.

        Returns
        -------
        CrossLingualVectors
            `wv` itself, if it is no worse; else what `wv` is, of the words in the vocabularies:
            with `subwords`, too, other words have no refined vectors. The model and its vectors
            stay as they are.
        """
        return self.wv.refine(**options)

    # ---- starting from models, saving and loading

    @classmethod
    @enough_memory()
    def from_models(
        cls,
        models: Mapping[str, Source],
        sentences: Texts | None = None,
        corpus_file: Files | None = None,
        parallel: Parallel | None = None,
        *,
        vocabulary: StartVocabulary = "start",
        freeze: Iterable[str] = (),
        callbacks: Iterable[Any] = (),
        trim_rule: Callable[[str, int, int], int] | None = None,
        trusted: bool = False,
        team: Team | None = None,
        **parameters: Any,
    ) -> BilBOWA:
        """Start from trained gensim models or vectors, and train if text is given.

        Parameters
        ----------
        models : dict from str to Word2Vec, KeyedVectors or path
            For each language a gensim model, vectors, or a word2vec, fastText or GloVe text or
            binary file, as :func:`~gensim_bilbowa.formats.read_vectors` reads it. Vocabularies,
            vectors, and a model's output weights, are copied. Vectors have no output weights:
            these start from zero. Languages of the text that are not among them start anew. A
            ``FastText`` stays one, with its own n-grams, whatever `subwords` says; what is none
            cannot become one.
        sentences, corpus_file, parallel, callbacks, trim_rule
            As for the constructor.
        vocabulary : {"start", "text"}
            Whose words the languages in `models` have. "start": those of `models`, all of them;
            other words of the text are not learnt, unless
            ``build_vocab(..., update=True)`` adds them. Where `models` has no counts, the text's
            are taken. "text": those of the text, as if there were no start; words that the start
            lacks begin at random, and the log says how many there are.
        freeze : iterable of str
            As for :meth:`train`, of languages in `models`. With ``vocabulary="text"`` a frozen
            language has those words of the text that its start has.
        trusted : bool
            Also read paths of files that gensim's ``save`` wrote. Such a file is a pickle: reading
            it **runs any code that is in it**. Give True only for files that you, or people whom
            you trust, have made.
        **parameters
            As for the constructor, with its defaults, not those of `models`; `vector_size` is
            the models'.

        Returns
        -------
        BilBOWA

        Raises
        ------
        ConfigError
            If sizes differ, a vector is not finite, or no word of the text is in the start.
        FormatError
            If a file is no whole file of vectors, or a pickle that is not `trusted`.

        Examples
        --------
        >>> from gensim.models import Word2Vec
        >>> en = Word2Vec([["a", "house"], ["a", "cat"]], min_count=1, vector_size=8)
        >>> de = Word2Vec([["ein", "haus"], ["eine", "katze"]], min_count=1, vector_size=8)
        >>> model = BilBOWA.from_models({"en": en, "de": de}, negative=5)
        >>> model
        BilBOWA<en: 3 words, de: 4 words; vector_size=8>
        """
        check_choice("vocabulary", vocabulary, get_args(StartVocabulary))
        with working_together(team) as team:
            starts = read_starts(models, parameters.get("vector_size"), trusted=trusted)
            for start in starts.values():
                parameters["vector_size"] = start.wv.vector_size
            model = cls(**parameters)
            inputs = collect(sentences, corpus_file, parallel)
            inputs.require_restartable()
            frozen = codes_of(freeze)
            begin_languages(
                model._languages, starts, inputs, model._parameters, vocabulary=vocabulary,
                frozen=frozen, trim_rule=trim_rule, team=team,
            )  # fmt: skip
            if inputs.languages:
                model._train(inputs, {"freeze": sorted(frozen)}, team=team, callbacks=callbacks)
            return model

    def save(self, path: str | os.PathLike[str], *, sep_limit: int = 10 * 1024**2) -> None:
        """Save the model, to go on training or to query it.

        Parameters
        ----------
        path : str or path-like
            Vocabularies, parameters and small arrays go to this file. If it exists, it and the
            arrays that belong to it are replaced once all is written, else left as they are.
        sep_limit : int
            Arrays of so many bytes go to files of their own, named after `path`, that
            ``load(mmap="r")`` can map. Move or copy all of them together.

        See Also
        --------
        gensim_bilbowa.CrossLingualKeyedVectors.save : one language, for plain gensim.
        """
        persistence.save(
            path, self._languages, self._parameters,
            {name: vars(self)[name] for name in persistence.HISTORY}, self._run,
            separate_bytes=sep_limit,
        )  # fmt: skip

    @classmethod
    def load(cls, path: str | os.PathLike[str], mmap: str | None = None) -> BilBOWA:
        """Load a saved model. Nothing in the file is run.

        Parameters
        ----------
        path : str or path-like
            A saved model, or a folder of checkpoints, of which the newest that is whole is loaded.
        mmap : {None, "r", "c"}
            Map the large arrays into memory, shared between processes, instead of reading them.
            Training copies mapped arrays.

        Raises
        ------
        FormatError
            If the file is damaged or no model of this package.
        """
        if (folder := Path(reachable(path))).is_dir():
            return training.load_newest(folder, partial(cls.load, mmap=mmap))
        with persistence.opened(path, mmap=mmap) as saved:
            model = cls(**saved.parameters)
            vars(model).update(saved.history)
            saved.restore(model._languages, model._parameters)
            model._run = saved.run(model._languages)
        return model

    def __copy__(self) -> BilBOWA:
        # Arrays in two models, and norms in each of them, would not stay in step.
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        state = vars(self) | {"_languages": dict(self._languages)}
        del state["_training"]
        wv = state.pop("wv")
        return state | {"aligned": wv.aligned, "tokenizers": wv.tokenizers}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._start()
        for name in ("aligned", "tokenizers"):  # earlier versions have not the latter
            setattr(self.wv, name, state.pop(name, getattr(self.wv, name)))
        for code, model in state.pop("_languages").items():
            self._languages.join(code, adopt_model(model, code))
        vars(self).update(state)
