"""Other ways to a bilingual term list: counting words, and phrases of aligned words.

Each takes sentence pairs as lists of tokens, and returns the translations of each source term, the
best first, in tokens with a space between them. All are given the same tokens.
"""

from __future__ import annotations

import contextlib
import io
import shutil
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from itertools import product
from pathlib import Path

__all__ = ["PEERS", "Pairs", "TermTable"]

Pairs = Sequence[tuple[list[str], list[str]]]
TermTable = dict[str, list[str]]
Link = tuple[int, int]

# Of a term, and of its translation; translations that are kept of a term, and how often each one
# stands in the text at least.
LONGEST = 4
MOST = 5
LEAST = 2
_NEIGHBOURS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]


def word2word(pairs: Pairs) -> TermTable:
    """Words by co-occurrence, less what collocates explain (word2word's CPE score)."""
    from word2word.methods import rerank
    from word2word.tokenization import get_vocab, update_dicts

    sources, targets = [list(side) for side in zip(*pairs, strict=True)]
    with quiet():
        ids, words, counts = get_vocab(sources)
        target_ids, target_words, _ = get_vocab(targets)
        beside, _, together, _ = update_dicts(sources, targets, ids, target_ids, cutoff=5000)
        found = rerank(together, counts, beside, width=100, n_trans=MOST)
    return {
        words[source]: [target_words[target] for target in best]
        for source, best in found.items()
        if counts[source] >= LEAST
    }


def eflomal(pairs: Pairs) -> TermTable:
    """Phrases of words that eflomal aligns in both directions, joined by grow-diag."""
    from eflomal import Aligner

    sources, targets = (
        [" ".join(side) + "\n" for side in sides] for sides in zip(*pairs, strict=True)
    )
    with tempfile.TemporaryDirectory() as folder:
        places = [Path(folder, name) for name in ("forward", "reverse")]
        Aligner().align(sources, targets, *map(str, places))
        links = [place.read_text(encoding="ascii") for place in places]
    return phrases(pairs, joined(*links))


def fast_align(pairs: Pairs) -> TermTable:
    """Phrases of words that fast_align aligns in both directions, joined by grow-diag."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as stream:
        for source, target in pairs:
            stream.write(f"{' '.join(source)} ||| {' '.join(target)}\n")
        stream.flush()
        # As its authors recommend: near the diagonal, the tension of that learnt, sparse.
        command = ["fast_align", "-i", stream.name, "-d", "-o", "-v"]
        links = [
            subprocess.run([*command, *more], check=True, capture_output=True, text=True).stdout
            for more in ([], ["-r"])
        ]
    return phrases(pairs, joined(*links))


def joined(forward: str, reverse: str) -> list[set[Link]]:
    """Return the links of each pair from both directions, which aligners write as "0-0 1-2"."""
    both = zip(forward.splitlines(), reverse.splitlines(), strict=True)
    return [grown(*map(links_of, lines)) for lines in both]


def links_of(line: str) -> set[Link]:
    return {(int(s), int(t)) for s, t in (link.split("-") for link in line.split())}


def grown(forward: set[Link], reverse: set[Link]) -> set[Link]:
    """Return the links of both directions, and those of one that touch them (grow-diag)."""
    links = forward & reverse
    others = (forward | reverse) - links
    sources, targets = {s for s, _ in links}, {t for _, t in links}
    added = True
    while added:
        added = False
        for source, target in sorted(links):
            for down, right in _NEIGHBOURS:
                link = source + down, target + right
                is_new = link in others and link not in links
                if is_new and not (link[0] in sources and link[1] in targets):
                    links.add(link)
                    sources.add(link[0])
                    targets.add(link[1])
                    added = True
    return links


def phrases(pairs: Pairs, alignment: Sequence[set[Link]]) -> TermTable:
    """Return phrases whose words are aligned with none outside, most frequent translations first.

    Words without links may stand within a phrase, but neither begin nor end it.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for (source, target), links in zip(pairs, alignment, strict=True):
        by_source: dict[int, list[int]] = defaultdict(list)
        by_target: dict[int, list[int]] = defaultdict(list)
        for s, t in links:
            by_source[s].append(t)
            by_target[t].append(s)
        for begin in by_source:
            for end in range(begin, min(begin + LONGEST, len(source))):
                if end not in by_source:
                    continue
                reached = [t for s in range(begin, end + 1) for t in by_source.get(s, ())]
                first, last = min(reached), max(reached)
                back = [s for t in range(first, last + 1) for s in by_target.get(t, ())]
                if last - first < LONGEST and begin <= min(back) and max(back) <= end:
                    term = " ".join(source[begin : end + 1])
                    counts[term][" ".join(target[first : last + 1])] += 1
    return {
        term: best
        for term, found in counts.items()
        if (best := [text for text, count in found.most_common(MOST) if count >= LEAST])
    }


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep bars of progress off the terminal."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def _is_there(package: str) -> bool:
    return find_spec(package) is not None


# By name: what makes the list, None where it is not installed.
PEERS: dict[str, Callable[[Pairs], TermTable] | None] = {
    "word2word": word2word if _is_there("word2word") else None,
    "eflomal": eflomal if _is_there("eflomal") else None,
    "fast_align": fast_align if shutil.which("fast_align") else None,
}
