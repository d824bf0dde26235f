"""Bilingual term lists, measured by glossaries that people made for the same text.

An entry counts if a translation of it stands beside its source in two segments of the text or more.
Of these are measured, for entries of one word and of several apart:

first
    Those whose first translation in the list is such a one, in percent of all.
found
    Those of which any translation in the list is.
P@1
    Those whose first translation is right, in percent of those that are in the list.

Of the list that users get, rows were judged by reading them once (`term_judgements/`): whether the
translation is right in this text, and whether the source is a term of it, as a terminologist would
keep in a list. Told is how many of the first 100 and 500 rows are both, in percent of those judged.

CPU seconds are those of all threads and processes, from the text in tokens, or from the files
(terms, lexicon), to the list.

Every system is given the same tokens in small letters, and compared by them; inflected forms are
not taken for each other. The systems:

terms
    `gensim_bilbowa.terms`, as it is. Of grouped forms only the first is compared.
terms --all
    The same with all forms, five translations, and words that are no terms, as the others have.
lexicon
    A model of this package (20 epochs, min_count 3) of text whose phrases are joined by gensim, and
    its lexicon with five translations of each word.
eflomal, fast_align
    Phrases of up to four words that are aligned with none outside (grow-diag), with the five most
    frequent translations, each there twice or more.
word2word
    Words by its score of co-occurrence (CPE).

Peers are measured where they are installed: `pip install eflomal word2word wget requests`, and the
program fast_align on the path.

Text and glossaries are those in the research data (GnuCash's, TICO-19's), and any folder that
`--more` names: each folder in it has `languages` ("en de"), `glossary.*`, and text in `text/`. Free
programs that are translated with a glossary have both in their source, as GnuCash's po/ and
po/glossary/ in many languages (`apt-get source gnucash`).

With `--large` the command is also run on a memory of 300,000 pairs, English and German: help and
manuals of LibreOffice and others, messages, package descriptions, and with what is then wanting
from Wesnoth and Tatoeba.

Usage:

    python benchmarks/terms.py [--data ../shared/data] [--more FOLDER] [--only gnucash ...]
        [--systems terms eflomal ...] [--large]
"""

from __future__ import annotations

import argparse
import csv
import logging
import os
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from material import memory
from term_peers import PEERS, Pairs, TermTable

import gensim_bilbowa
from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.terminology import (
    Glossary,
    GlossaryEntry,
    GlossaryReport,
    Recall,
    Term,
    TermList,
    Translation,
)

__all__ = ["Collection", "collections", "table"]

JUDGEMENTS = Path(__file__).parent / "term_judgements"
DATA = Path(__file__).parents[1] / "../shared/data"
EPOCHS, MIN_COUNT, TRANSLATIONS = 20, 3, 5
LARGE_PAIRS = 300_000
LARGE_TEXTS = (
    "libreoffice-help", "technical", "software", "kde", "debian-descriptions", "libreoffice-ui",
    "wesnoth", "tatoeba",
)  # fmt: skip


@dataclass(frozen=True)
class Collection:
    """A text with the glossary that people made for it.

    Attributes
    ----------
    name : str
    languages : (str, str)
    texts : tuple of Path
        Files of the text, or the folder of them.
    glossary : Path
    """

    name: str
    languages: tuple[str, str]
    texts: tuple[Path, ...]
    glossary: Path

    def sentences(self) -> ParallelSentences:
        """Return the text in tokens."""
        return ParallelSentences(list(map(str, self.texts)), languages=self.languages)


def collections(data: Path, more: Path | None = None) -> Iterator[Collection]:
    """Yield the collections in the research data and in a folder of folders."""
    gnucash = data / "glossaries/gnucash"
    tico = data / "tm-files/tico19"
    known = [
        Collection("gnucash", ("en", "de"), (gnucash / "de.po",), gnucash / "glossary.de.po"),
        Collection("tico19-es", ("en", "es"), (tico / "all.en-es-LA.tmx",),
                   tico / "terminology/g_en_es-419.csv"),
        Collection("tico19-fr", ("en", "fr"), (tico / "all.en-fr.tmx",),
                   tico / "terminology/f_en-fr_XX.csv"),
    ]  # fmt: skip
    names = {each.name for each in known}
    yield from (each for each in known if each.glossary.exists())
    for place in sorted(more.glob("*/languages") if more else ()):
        folder = place.parent
        source, target = place.read_text(encoding="utf-8").split()
        glossary = next(iter(sorted(folder.glob("glossary.*"))), None)
        if glossary is None:
            sys.exit(f"{folder}: a file glossary.* is wanted beside languages")
        if folder.name not in names:
            texts = tuple(sorted((folder / "text").iterdir()))
            yield Collection(folder.name, (source, target), texts, glossary)


# ---- the systems of this package


def lexicon(collection: Collection) -> TermTable:
    """Words and joined phrases by the lexicon of a model."""
    from gensim.models.phrases import Phrases

    pairs = collection.sentences()
    source, target = collection.languages
    phrases = {
        code: Phrases(pairs.side(code), min_count=3, threshold=1) for code in pairs.languages
    }
    joined = pairs.with_phrases(phrases)
    model = BilBOWA(parallel=joined, epochs=EPOCHS, min_count=MIN_COUNT)
    entries = model.lexicon(
        source, target, parallel=joined, min_count=MIN_COUNT, mutual=False, topn=TRANSLATIONS,
        delimiter="_",
    )  # fmt: skip
    found: TermTable = defaultdict(list)
    for entry in sorted(entries, key=lambda entry: -entry.score):
        found[entry.source].append(entry.target)
    return found


def terms(collection: Collection, **options: Any) -> TermTable:
    """Terms as the package makes a list of them."""
    found = gensim_bilbowa.terms(
        list(map(str, collection.texts)), languages=collection.languages, **options
    )
    table: TermTable = defaultdict(list)
    for term in found:
        table[term.text] += [each.text for each in term.translations]
    return table


OURS: dict[str, Callable[[Collection], TermTable]] = {
    "terms": terms,
    "terms --all": partial(terms, all=True, group=False, topn=TRANSLATIONS),
    "lexicon": lexicon,
}
SYSTEMS = (*OURS, *PEERS)


# ---- measuring


def measured(
    collection: Collection, systems: Sequence[str] = SYSTEMS
) -> Iterator[tuple[str, int, float, Recall, Recall, list[str]]]:
    """Yield of each system that is there: terms, CPU seconds, recall of one word and of more, and
    lines on what was judged."""
    logging.disable(logging.WARNING)
    sentences = collection.sentences()
    splits = sentences.ways
    # Of signs alone nothing may be left, with which aligners cannot do.
    pairs: Pairs = [pair for pair in sentences if all(pair)]
    segments = [(" ".join(source), " ".join(target)) for source, target in pairs]

    def tokenized(texts: Iterable[str], side: int) -> tuple[str, ...]:
        return tuple(" ".join(splits[side](text)) for text in texts)

    glossary = Glossary(collection.languages, tuple(
        GlossaryEntry(tokenized(entry.sources, 0), tokenized(entry.targets, 1), entry.place)
        for entry in Glossary.read(collection.glossary, collection.languages)
    ))  # fmt: skip
    for name in systems:
        start = cpu_seconds()
        if ours := OURS.get(name):
            found = ours(collection)
        elif peer := PEERS.get(name):
            found = peer(pairs)
        else:
            continue
        seconds = cpu_seconds() - start
        listed = TermList(collection.languages, tuple(
            Term(source, 0, 0.0, tuple(
                Translation(target, 0, 0.0, 0.0, 0.0) for target in tokenized(targets, 1)
            ))
            for (source,), targets in ((tokenized([text], 0), best) for text, best in found.items())
        ))  # fmt: skip
        report = GlossaryReport.of(listed, glossary, segments)
        verdicts = [*judged(collection.name, found)] if name == "terms" else []
        yield name, len(found), seconds, report.single, report.several, verdicts


def judged(name: str, found: TermTable) -> Iterator[str]:
    """Yield how many of the first rows of a list are right, and terms, where that was judged."""
    path = JUDGEMENTS / f"{name}.tsv"
    if not path.exists():
        return
    with path.open(encoding="utf-8", newline="") as stream:
        verdicts = {
            (row["source"], row["target"]): row["right"] == row["term"] == "1"
            for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        }
    rows = [(source, target) for source, targets in found.items() for target in targets]
    for first in (100, 500):
        known = [verdicts[row] for row in rows[:first] if row in verdicts]
        rest = f", {len(rows[:first]) - len(known)} not judged" if len(known) < first else ""
        share = sum(known) / max(len(known), 1)
        yield f"  of the first {first} rows {share:.1%} are right, and terms{rest}"


def cpu_seconds() -> float:
    """Return what this process and those that it started have taken of processors."""
    return sum(os.times()[:4])


def table(
    data: Path = DATA,
    more: Path | None = None,
    only: Sequence[str] = (),
    systems: Sequence[str] = SYSTEMS,
) -> Iterator[str]:
    """Yield the lines of a table for each collection, as it is measured."""
    absent = [name for name in systems if OURS.get(name) is None and PEERS.get(name) is None]
    if absent:
        yield f"not there, and left out: {', '.join(absent)}"
    for collection in collections(data, more):
        if only and collection.name not in only:
            continue
        rows = measured(collection, systems)
        for number, (name, size, seconds, *recalls, verdicts) in enumerate(rows):
            if not number:
                one, several = (recall.entries for recall in recalls)
                yield f"\n{collection.name} ({'-'.join(collection.languages)}), percent of entries"
                heads = f"{f'one word: {one}':^24}{f'several words: {several}':^24}"
                yield f"{'':36}{heads}"
                yield f"{'terms':>26}{'CPU s':>8}  " + f"{'first':>8}{'found':>8}{'P@1':>8}" * 2
            yield f"  {name:14}{size:>10,}{seconds:>8.1f}  " + "".join(map(_cells, recalls))
            yield from verdicts


def large(data: Path) -> str:
    """Return what the command takes of time and memory for a large memory."""
    with tempfile.TemporaryDirectory() as folder:
        files = {code: Path(folder, f"{code}.gz") for code in ("en", "de")}
        for code, file in files.items():  # packed texts in a row are one
            parts = (data / f"{name}/en-de/train.{code}.gz" for name in LARGE_TEXTS)
            file.write_bytes(b"".join(part.read_bytes() for part in parts))
        path = memory(files, Path(folder, "memory.tmx"), LARGE_PAIRS)
        command = (sys.executable, "-P", "-m", "gensim_bilbowa", "terms", str(path),
                   "--languages", "en,de", "-q", "-o", f"{folder}/terms.tsv")  # fmt: skip
        start = perf_counter()
        subprocess.run(command, check=True)
        seconds = perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
    return f"{LARGE_PAIRS:,} pairs: {seconds:.0f} s by the clock, {peak:.2f} GB at most"


def _cells(recall: Recall) -> str:
    entries = max(recall.entries, 1)
    numbers = (recall.first / entries, recall.recall, recall.precision)
    return "".join(f"{100 * number:>8.1f}" for number in numbers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--more", type=Path)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), choices=SYSTEMS)
    parser.add_argument("--large", action="store_true")
    given = parser.parse_args()
    told = 0
    for line in table(given.data, given.more, given.only, given.systems):
        told += not line.startswith("not there")
        print(line, flush=True)
    if given.large:
        print(f"\n{large(given.data)}", flush=True)
    elif not told:
        sys.exit("nothing was measured: there are no glossaries with text")


if __name__ == "__main__":
    main()
