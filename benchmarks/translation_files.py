"""Translation files of many tools, read here and by translate-toolkit.

Each file is read in the languages that it names: of XLIFF and PO the source and the target, of TMX
the first two. Texts are compared without white space and codes, those of all pairs of a file after
each other, so that units that one reader takes whole and the other by segments are the same.

    pip install translate-toolkit
    python benchmarks/translation_files.py [--data ../shared/data/tm-files] > table.md
"""

from __future__ import annotations

import argparse
import logging
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from translate.storage import pypo, tmx, xliff
from translate.storage import xliff2 as second_xliff

from gensim_bilbowa.corpora.po import POPairs
from gensim_bilbowa.corpora.tmx import TMXPairs
from gensim_bilbowa.corpora.units import UnitPairs
from gensim_bilbowa.corpora.xliff import XLIFFPairs
from gensim_bilbowa.errors import BilBOWAError

KINDS: dict[str, type[UnitPairs]] = {
    ".tmx": TMXPairs,
    ".xlf": XLIFFPairs,
    ".xliff": XLIFFPairs,
    ".sdlxliff": XLIFFPairs,
    ".po": POPairs,
}
LANGUAGES = re.compile(r"""\b(?:(?:source|target)-language|srcLang|trgLang)=["']([^"']*)""")
LANGUAGE = re.compile(r'^"Language: *([\w@-]+)', re.MULTILINE)
# What stands for a language that a file does not name.
UNKNOWN = "und"
XML = "http://www.w3.org/XML/1998/namespace"


@dataclass
class Found:
    """What a reader gives of a file: its pairs, the reasons for the rest, or its error."""

    pairs: list[tuple[str, str]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    mended: Counter[str] = field(default_factory=Counter)
    error: str = ""

    @property
    def texts(self) -> tuple[str, str]:
        """Both sides of all pairs without white space."""
        source, target = (squeezed(pair[side] for pair in self.pairs) for side in (0, 1))
        return source, target


def squeezed(texts: Iterable[str]) -> str:
    return "".join("".join(texts).split())


def languages_of(path: Path) -> tuple[str, str]:
    """Return the languages that a file names first, of which TMX needs none."""
    text = path.read_bytes()[: 1 << 16].replace(b"\0", b"").decode("utf-8", "replace")
    codes = list(dict.fromkeys(filter(None, LANGUAGES.findall(text) + LANGUAGE.findall(text))))
    source, target = [*(codes or ["en"]), UNKNOWN][:2]
    return source, target


def first_two(unit: dict[str, str]) -> tuple[str, str]:
    """Return the texts of the first two languages, in an order that both readers have."""
    one, other = sorted(unit)[:2]
    return unit[one], unit[other]


def read_here(path: Path) -> Found:
    found = Found()
    codes = languages_of(path)
    if path.suffix == ".po":
        codes = ("en", codes[0])
    reader = KINDS[path.suffix](path, codes)
    try:
        for unit in reader.units():
            if isinstance(unit, str):
                found.left_out[unit] += 1
            elif len(unit) < 2:
                found.left_out["in one language"] += 1
            else:
                source, target = first_two(unit) if path.suffix == ".tmx" else unit.values()
                if source.strip() and target.strip():
                    found.pairs.append((source, target))
                else:
                    found.left_out["with a blank side"] += 1
    except BilBOWAError as error:
        said = str(error).replace(str(path), path.name)
        found.error = said.partition(": ")[2] or said
    found.mended = reader.mended
    return found


CODES = {"bpt", "ept", "it", "ph", "ut", "sub", "x", "bx", "ex", "sc", "ec", "cp"}


def text_of(node: Any) -> str:
    """Return the text of an element of the peer's without codes, which both leave out of words."""
    if node is None:
        return ""
    text = node.text or ""
    for child in node:
        if local(child) and local(child) not in CODES:
            text += text_of(child)
        text += child.tail or ""
    return text


def read_by_peer(path: Path) -> Found:
    found = Found()
    try:
        for source, target in peer_units(path):
            if source.strip() and target.strip():
                found.pairs.append((source, target))
    except Exception as error:
        found.error = f"{type(error).__name__}: {error}"
    return found


def peer_units(path: Path) -> Iterator[tuple[str, str]]:
    if path.suffix == ".po":
        for unit in pypo.pofile.parsefile(str(path)).units:
            if unit.istranslated() and not unit.isheader():
                yield str(unit.source), str(unit.target)
        return
    if path.suffix == ".tmx":
        for unit in tmx.tmxfile.parsefile(str(path)).units:
            texts: dict[str, str] = {}
            for node in unit.getlanguageNodes():
                segments = [text_of(child) for child in node if local(child) == "seg"]
                language = node.get(f"{{{XML}}}lang") or node.get("lang") or ""
                texts.setdefault(language, "".join(segments[:1]))
            if len(texts) > 1:
                yield first_two(texts)
        return
    second = b"oasis:names:tc:xliff:document:2" in path.read_bytes()
    store: Any = second_xliff.Xliff2File if second else xliff.xlifffile
    for unit in store.parsefile(str(path)).units:
        yield text_of(unit.source_dom), text_of(unit.target_dom)


def local(node: Any) -> str:
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def subsequence(short: str, long: str) -> bool:
    rest = iter(long)
    return all(character in rest for character in short)


def difference(ours: Found, peer: Found) -> str:
    """Return in words how two readings of a file differ."""
    if ours.error or peer.error:
        if not (ours.error and peer.error):
            return "only the peer reads it" if ours.error else "only we read it"
        return f"neither reads it: {re.sub('0x..', '0x..', ours.error).partition(':')[0]}"
    if not ours.pairs and not peer.pairs:
        return "the same: no pairs"
    sides = list(zip(ours.texts, peer.texts, strict=True))
    if all(a == b for a, b in sides):
        same = len(ours.pairs) == len(peer.pairs)
        return "the same" if same else "the same text, here by its segments"
    if all(sorted(a) == sorted(b) for a, b in sides):
        return "the same text, its segments in the order of the source here"
    if all(subsequence(a, b) for a, b in sides):
        reasons = " and ".join(sorted(ours.left_out)) or "nothing that is counted"
        return f"less here: left out are units {reasons}"
    return "more here" if all(subsequence(b, a) for a, b in sides) else "other text"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/tm-files"))
    data = parser.parse_args().data
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    folders: dict[str, list[tuple[Found, Found]]] = defaultdict(list)
    differences: dict[str, list[str]] = defaultdict(list)
    for path in sorted(data.rglob("*")):
        if path.suffix in KINDS:
            ours, peer = read_here(path), read_by_peer(path)
            folders[str(path.parent.relative_to(data))].append((ours, peer))
            differences[difference(ours, peer)].append(path.name)
    print(TITLE.format(version=version("translate-toolkit")))
    for folder, found in folders.items():
        sides = list(zip(*found, strict=True))
        read = [sum(not one.error for one in side) for side in sides]
        pairs = [sum(len(one.pairs) for one in side) for side in sides]
        print(f"| {folder} | {len(found)} | {read[0]} | {read[1]} | {pairs[0]:,} | {pairs[1]:,} |")
    print("\n| difference | files | such as |\n|---|---|---|")
    for what, names in sorted(differences.items(), key=lambda item: -len(item[1])):
        print(f"| {what} | {len(names)} | {names[0][-50:]} |")


TITLE = """# Translation files of many tools

Made by `benchmarks/translation_files.py` with translate-toolkit {version}. A pair has text on both
sides; texts are compared without white space and codes.

| folder | files | read here | by the peer | pairs here | by the peer |
|---|---|---|---|---|---|"""


if __name__ == "__main__":
    main()
