"""The research data that quality is measured on: sentences, dictionaries, judgements, topics."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from gensim_bilbowa import Tokenizer
from gensim_bilbowa.evaluation import invert, read_dictionary
from gensim_bilbowa.reproduction.mixing import mixed_text

DATA = Path(__file__).parents[1] / "../shared/data"
# Where the large mixed text is made if it is not there.
LARGE = Path(__file__).parents[1] / "build/large"

Sentences = list[list[str]]
Pairs = list[tuple[list[str], list[str]]]
Dictionary = dict[str, set[str]]

_PARTS = ("train", "dev", "test")
# In this order, of which the shuffling depends.
_MIXED = (
    "tatoeba", "libreoffice-help", "libreoffice-ui", "wesnoth", "kde", "technical",
    "debian-descriptions", "apt-dpkg", "europarl-sample", "debian-installer-manual", "python-docs",
    "git-manpages", "ted-iwslt2017",
)  # fmt: skip
# Lists of similarities: the same two in each language, as far as they are there.
SIMILARITIES = {
    "en": {
        "ws353-sim": "wordsim353-sim.csv",
        "ws353-rel": "wordsim353-rel.csv",
        "simlex": "simlex999.csv",
    },
    "de": {"simlex": "msimlex999.txt"},
}


class AbsentError(Exception):
    """Some of the data is not there."""


def there(path: Path) -> Path:
    if not path.exists():
        raise AbsentError(f"{path} is not there")
    return path


def lines(path: Path) -> Iterator[str]:
    with gzip.open(there(path), "rt", encoding="utf-8", newline="\n") as stream:
        yield from stream


def captions(data: Path, code: str, part: str = "train") -> Path:
    return there(data / f"multi30k/{part}.{code}.gz")


@cache
def caption_pairs(data: Path, codes: tuple[str, str], part: str = "train") -> Pairs:
    sides = ([line.split() for line in lines(captions(data, c, part))] for c in codes)
    return list(zip(*sides, strict=True))


@cache
def wikipedia(data: Path, code: str) -> Sentences:
    """Sentences of NLLB-Seed, which is in the same order in all languages."""
    split = Tokenizer()
    return [split(line) for line in lines(data / f"nllb-seed/{code}.gz")]


@cache
def topics(data: Path, code: str) -> dict[str, dict[str, tuple[list[str], str]]]:
    """Sentences of SIB-200 with their topics, by part and number."""
    split, found = Tokenizer(), {}
    for part in _PARTS:
        path = there(data / f"sib-200/{code}.{part}.tsv")
        with path.open(encoding="utf-8", newline="") as stream:
            rows = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
            found[part] = {row["index_id"]: (split(row["text"]), row["category"]) for row in rows}
    return found


def topic_sentences(data: Path, codes: tuple[str, str]) -> tuple[Sentences, Sentences]:
    """All sentences of SIB-200 in two languages, in the same order."""
    one, other = (
        {number: tokens for part in topics(data, code).values()
         for number, (tokens, _) in part.items()}
        for code in codes
    )  # fmt: skip
    numbers = sorted(one.keys() & other.keys())
    return [one[n] for n in numbers], [other[n] for n in numbers]


def news(data: Path, codes: tuple[str, str]) -> tuple[Sentences, Sentences]:
    folder = data / f"pud/{'-'.join(codes)}"
    one, other = (
        [Tokenizer(code)(line) for line in lines(folder / f"test.{code}.gz")] for code in codes
    )
    return one, other


def printed_dictionary(data: Path, codes: tuple[str, str]) -> Dictionary:
    """One of frequent words, empty if there is none of these languages."""
    files = sorted((data / "dictionaries").glob(f"{'-'.join(codes)}.*.tsv"))
    return read_dictionary(*files, lowercase=True)


def muse(data: Path, codes: tuple[str, str]) -> Dictionary:
    return read_dictionary(
        there(data / f"muse/{'-'.join(codes)}/train.0-5000.tsv.gz"), lowercase=True
    )


@cache
def wiktionary(data: Path, codes: tuple[str, str]) -> tuple[Dictionary, Dictionary]:
    """One of single words in both directions, as it is written but for case."""
    gold: Dictionary = {}
    for line in lines(data / f"wechsel-dict/{'-'.join(codes)}/full.tsv.gz"):
        cells = line.rstrip("\n").lower().split("\t")
        if len(cells) == 2 and all(len(cell.split()) == 1 for cell in cells):
            gold.setdefault(cells[0].strip(), set()).add(cells[1].strip())
    return gold, invert(gold)


def similarities(data: Path, code: str, name: str) -> list[tuple[str, str, float]]:
    """Word pairs with judgements, from lists of several forms: the score's column differs."""
    text = there(data / f"wordsim/{code}/{name}").read_text(encoding="utf-8").splitlines()
    rows = list(csv.reader(text, delimiter=":" if ":" in text[0] else ","))
    header = [cell.lower().lstrip("#") for cell in rows[0]]
    columns = [
        next(header.index(wanted) for wanted in names if wanted in header)
        for names in (
            ("word1",), ("word2",), ("average score", "similarity", "value", "goldstandard"),
        )
    ]  # fmt: skip
    cells = ([row[column] for column in columns] for row in rows[1:] if row)
    # Two of the lists end in a row without words.
    return [(one, other, float(score)) for one, other, score in cells if one]


def large(data: Path, codes: tuple[str, str], folder: Path) -> tuple[Path, Path]:
    """Files of the large mixed text, which is made once: tokenised, shuffled, without repeats."""
    name = "-".join(codes)
    there(data / f"tatoeba/{name}")
    folders = (f"{text}/{name}" for text in _MIXED)
    return mixed_text(data, tuple(f for f in folders if (data / f).exists()), codes, folder)
