"""What is measured, and on which files: open data in the paper's place, and the paper's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Literal, TypeAlias

from gensim_bilbowa import LineCorpus, ParallelSentences, Tokenizer
from gensim_bilbowa.corpora import Corpus
from gensim_bilbowa.corpora.files import read_lines
from gensim_bilbowa.evaluation import (
    Dictionary,
    Documents,
    invert,
    read_dictionary,
    read_documents,
)
from gensim_bilbowa.reproduction.files import find
from gensim_bilbowa.reproduction.mixing import mixed_text

__all__ = [
    "TASKS",
    "Asked",
    "Experiment",
    "First",
    "Parameters",
    "Task",
    "Text",
    "read_asked",
    "read_dictionaries",
    "read_labelled",
    "read_parallel_documents",
    "read_text",
]

Experiment: TypeAlias = Literal["translation", "classification"]


@dataclass(frozen=True)
class Parameters:
    """Of training; all else is at each system's defaults.

    Attributes
    ----------
    vector_size, min_count : int
        Of every system.
    epochs : int
        Of BilBOWA.
    """

    vector_size: int = 100
    min_count: int = 3
    epochs: int = 20


@dataclass(frozen=True)
class Asked:
    """A dictionary whose words are to be translated.

    Attributes
    ----------
    forth : tuple of str
        Files of the first language's words with their translations, used as one.
    back : tuple of str, optional
        The same of the second language's; default: `forth`, inverted.
    name : str
        In the table, where there are several dictionaries.
    every : int
        Ask only every so many-th of the words that are single words, as are their translations.
    """

    forth: tuple[str, ...]
    back: tuple[str, ...] = ()
    name: str = ""
    every: int = 1


@dataclass(frozen=True)
class Task:
    """A text to train on, and what is asked then.

    All files are named relative to the data folder; each may also be there with ``.gz``.

    Attributes
    ----------
    name : str
    experiment : {"translation", "classification"}
    languages : (str, str)
    pairs : (str, str)
        The two sides of the parallel text, line by line.
    mixed : tuple of str
        Folders whose files make up the parallel text, in place of `pairs`: see
        ``mixing.mixed_text``.
    raw : bool
        Whether the text is running text, to be tokenised as the documents are.
    lines : int, optional
        Read only so many lines of the parallel text.
    monolingual : (str, str), optional
        Text of each language; default: the sides of the parallel text.
    dictionaries : tuple of Asked
        The translations to be asked.
    seeds : tuple of str
        The translations that systems which need some may see; where there are none, such systems
        are cross-validated on `dictionaries`.
    documents : dict from str to (str, str)
        Labelled documents of each language, for training and for the test.
    sentences : dict from str to tuple of str
        Tables whose rows with the same ``index_id`` translate each other.
    parameters : Parameters
    most_seeds : int, optional
        At most so many trainings of each system.
    too_slow : dict from str to str
        Names of systems that are not run, and what they would take.
    extra : bool
        Whether this task is one of those that are done on demand only.
    """

    name: str
    experiment: Experiment
    languages: tuple[str, str]
    pairs: tuple[str, str] | None = None
    mixed: tuple[str, ...] = ()
    raw: bool = False
    lines: int | None = None
    monolingual: tuple[str, str] | None = None
    dictionaries: tuple[Asked, ...] = ()
    seeds: tuple[str, ...] = ()
    documents: dict[str, tuple[str, str]] = field(default_factory=dict)
    sentences: dict[str, tuple[str, ...]] = field(default_factory=dict)
    parameters: Parameters = Parameters()
    most_seeds: int | None = None
    too_slow: dict[str, str] = field(default_factory=dict)
    extra: bool = False

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def directions(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Both orders of the languages."""
        a, b = self.languages
        return (a, b), (b, a)

    @property
    def questions(self) -> tuple[tuple[str, tuple[str, str], Asked], ...]:
        """What is asked of word translation: its name in results, the direction, the words."""
        return tuple(
            ("-".join(way) + (asked.name and f".{asked.name}"), way, asked)
            for asked in self.dictionaries
            for way in self.directions
        )

    @property
    def files(self) -> tuple[str, ...]:
        """All files and folders that are read, each once."""
        labelled = [name for names in self.documents.values() for name in names]
        tables = [name for names in self.sentences.values() for name in names]
        asked = [name for one in self.dictionaries for name in (*one.forth, *one.back)]
        names = (*(self.pairs or ()), *self.mixed, *(self.monolingual or ()), *asked, *self.seeds,
                 *labelled, *tables)  # fmt: skip
        return tuple(dict.fromkeys(names))

    def missing(self, folder: Path) -> list[str]:
        """Return the files that are not in a data folder."""
        return [name for name in self.files if find(folder, name) is None]


def _path(folder: Path, name: str) -> Path:
    return find(folder, name) or folder / name  # whoever reads it says that it is not there


@dataclass(frozen=True)
class Text:
    """Parallel text, and text of each language.

    Attributes
    ----------
    languages : (str, str)
    parallel : ParallelSentences
    sentences : dict from str to corpus
    """

    languages: tuple[str, str]
    parallel: ParallelSentences
    sentences: dict[str, Corpus]

    def cut(self, pairs: int) -> Text:
        """Return the same with only the first sentence pairs, and all text of each language."""
        few = ParallelSentences(First(self.parallel, pairs), languages=self.languages)
        return Text(self.languages, few, self.sentences)


class First:
    """The first items of something that can be read again.

    Parameters
    ----------
    items : iterable
    number : int
    """

    def __init__(self, items: Iterable[tuple[list[str], list[str]]], number: int) -> None:
        self._items = items
        self._number = number

    def __iter__(self) -> Iterator[tuple[list[str], list[str]]]:
        return islice(iter(self._items), self._number)


def read_text(folder: Path, task: Task, texts: Path) -> Text:
    """Open a task's text; running text is tokenised here, once for all systems.

    Parameters
    ----------
    folder : path
        Of the data.
    task : Task
    texts : path
        Folder for text that is made of several files.
    """
    parallel = _parallel(folder, task, texts)
    if task.lines is not None:
        parallel = ParallelSentences(First(parallel, task.lines), languages=task.languages)
    sentences: dict[str, Corpus] = {code: parallel.side(code) for code in task.languages}
    if task.monolingual is not None:
        sentences = {
            code: LineCorpus(_path(folder, name))
            for code, name in zip(task.languages, task.monolingual, strict=True)
        }
    return Text(task.languages, parallel, sentences)


def _parallel(folder: Path, task: Task, texts: Path) -> ParallelSentences:
    if task.pairs is None:
        one, other = mixed_text(folder, task.mixed, task.languages, texts)
    else:
        one, other = (_path(folder, name) for name in task.pairs)
    if not task.raw:
        return ParallelSentences(one, other, languages=task.languages)
    sides = [
        [split(line) for line in islice(read_lines(path), task.lines)]
        for path, split in zip((one, other), map(Tokenizer, task.languages), strict=True)
    ]
    return ParallelSentences(sides[0], sides[1], languages=task.languages)


def read_dictionaries(folder: Path, names: Iterable[str]) -> Dictionary:
    """Read dictionaries as one, lower-cased as the text is."""
    return read_dictionary(*(_path(folder, name) for name in names), lowercase=True)


def read_asked(folder: Path, asked: Asked) -> tuple[Dictionary, Dictionary]:
    """Read what is asked of each direction."""
    forth = read_dictionaries(folder, asked.forth)
    back = read_dictionaries(folder, asked.back) if asked.back else None
    if asked.every > 1:
        forth = _single(forth)
    back = invert(forth) if back is None else _single(back) if asked.every > 1 else back
    return _some(forth, asked.every), _some(back, asked.every)


def _single(dictionary: Dictionary) -> Dictionary:
    """Return the single words that are translated by single words."""
    kept = {
        word: {one for one in translations if len(one.split()) == 1}
        for word, translations in dictionary.items()
        if len(word.split()) == 1
    }
    return {word: translations for word, translations in kept.items() if translations}


def _some(dictionary: Dictionary, every: int) -> Dictionary:
    return {word: dictionary[word] for word in list(dictionary)[::every]}


def read_labelled(folder: Path, task: Task) -> dict[str, tuple[Documents, Documents]]:
    """Read the documents of each language, for training and for the test.

    Documents of tables are running text and are tokenised; those in folders are split at white
    space, as the paper's are.
    """
    found = {}
    for code, names in task.documents.items():
        paths = [_path(folder, name) for name in names]
        train, test = (
            read_documents(path, tokenizer=None if path.is_dir() else Tokenizer(code))
            for path in paths
        )
        found[code] = train, test
    return found


def read_parallel_documents(folder: Path, task: Task) -> dict[str, list[list[str]]]:
    """Read the sentences of each language that stand in both, in one order."""
    tables: dict[str, dict[str, list[str]]] = {}
    for code, names in task.sentences.items():
        tables[code] = {}
        for name in names:
            rows = read_documents(_path(folder, name), label="index_id", tokenizer=Tokenizer(code))
            tables[code].update(zip(rows.labels, rows.texts, strict=True))
    common = set.intersection(*map(set, tables.values())) if tables else set()
    return {code: [table[key] for key in sorted(common)] for code, table in tables.items()}


def _multi30k(target: str, extra: bool = False) -> Task:
    return Task(
        f"multi30k.en-{target}", "translation", ("en", target),
        ("multi30k/train.en", f"multi30k/train.{target}"),
        dictionaries=(Asked((
            f"dictionaries/en-{target}.test.freq.2k.tsv",
            f"dictionaries/en-{target}.train.freq.5k.tsv",
        )),),
        extra=extra,
    )  # fmt: skip


def _mixed(target: str, *sets: str, extra: bool = False) -> Task:
    way = f"en-{target}"
    return Task(
        f"mixed.{way}", "translation", ("en", target),
        mixed=tuple(f"{name}/{way}" for name in sets),
        dictionaries=(
            Asked(
                (f"muse/{way}/train.0-5000.tsv",), (f"muse/{target}-en/train.0-5000.tsv",),
                name="MUSE",
            ),
            Asked((f"wechsel-dict/{way}/full.tsv",), name="Wiktionary", every=10),
        ),
        parameters=Parameters(min_count=5, epochs=5), most_seeds=1, too_slow=_TOO_SLOW,
        extra=extra,
    )  # fmt: skip


def _sib(target: str, pairs: tuple[str, str], *, raw: bool, extra: bool = False) -> Task:
    languages = ("eng", target)
    return Task(
        f"sib-200.eng-{target}", "classification", languages, pairs, raw=raw, extra=extra,
        documents={
            code: (f"sib-200/{code}.train.tsv", f"sib-200/{code}.test.tsv") for code in languages
        },
        sentences={
            code: tuple(f"sib-200/{code}.{part}.tsv" for part in ("train", "dev", "test"))
            for code in languages
        },
    )  # fmt: skip


def _seed(target: str, extra: bool = False) -> Task:
    return _sib(target, ("nllb-seed/eng", f"nllb-seed/{target}"), raw=True, extra=extra)


# As the paper says: 40 dimensions, and the first 500,000 lines of Europarl. It does not say how
# rare the words may be or how many epochs there are; these are the package's defaults.
_PAPER = Parameters(vector_size=40, min_count=5, epochs=5)
_EUROPARL_LINES = 500_000

# Of the large texts: what would take more than ten minutes of a core.
_TOO_SLOW = {
    "autoencoder": "45 minutes of a core and more, by the time that 8,000 of the pairs took"
}

TASKS = (
    _multi30k("de"),
    _multi30k("fr", extra=True),
    _mixed(
        "es", "tatoeba", "libreoffice-help", "libreoffice-ui", "wesnoth", "kde", "technical",
        "debian-descriptions", "apt-dpkg", "europarl-sample", "debian-installer-manual",
        "python-docs", "git-manpages",
    ),
    _mixed(
        "de", "tatoeba", "libreoffice-help", "libreoffice-ui", "wesnoth", "kde", "technical",
        "debian-descriptions", "apt-dpkg", "europarl-sample", "debian-installer-manual",
        "git-manpages", "ted-iwslt2017",
    ),
    Task(
        "wmt11.en-es", "translation", ("en", "es"), ("wmt11/europarl.en", "wmt11/europarl.es"),
        lines=_EUROPARL_LINES, monolingual=("wmt11/en.txt", "wmt11/es.txt"),
        dictionaries=(Asked(("wmt11/en-es.test.txt",)),), seeds=("wmt11/en-es.train.txt",),
        parameters=_PAPER,
    ),
    _seed("fur"),
    _seed("vec"),
    _seed("szl"),
    _seed("crh"),
    _sib("deu", ("ted/de-en.en", "ted/de-en.de"), raw=False),
    *(_seed(code, extra=True) for code in ("lij", "lim", "lmo", "ltg", "scn", "srd")),
    Task(
        "rcv.en-de", "classification", ("en", "de"),
        ("europarl/europarl-v7.de-en.en", "europarl/europarl-v7.de-en.de"),
        lines=_EUROPARL_LINES,
        documents={code: (f"rcv/{code}/train", f"rcv/{code}/test") for code in ("en", "de")},
        parameters=_PAPER,
    ),
)  # fmt: skip
