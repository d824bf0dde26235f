"""Words a second of reading text: counting and encoding, beside gensim's own counting.

    python benchmarks/reading.py text.en text.en.gz [--workers 1 2] [--min-count 5]

All of a row runs in one process, one after the other; the best of three runs counts. With one
worker, reading goes on in a thread of its own: pin the process to a core (taskset) to see what
one core does.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from time import perf_counter
from typing import Any

from gensim.models import Word2Vec
from gensim.models.word2vec import LineSentence

from gensim_bilbowa import LineCorpus
from gensim_bilbowa.corpora import EncodingCache
from gensim_bilbowa.corpora.encode import encode_files
from gensim_bilbowa.corpora.reading import TextFile, count_words


def best(call: Callable[[], Any]) -> tuple[float, Any]:
    seconds = []
    for _ in range(3):
        start = perf_counter()
        result = call()
        seconds.append(perf_counter() - start)
    return min(seconds), result


def measure(path: str, workers: int, min_count: int) -> list[float]:
    """Million words a second: gensim's count, ours, encoding, and encoded text found again."""
    files = [TextFile(LineCorpus(path))]
    gensim, (words, _) = best(lambda: Word2Vec(max_final_vocab=None).scan_vocab(LineSentence(path)))
    counting, (counts,) = best(lambda: count_words(files, workers, lambda *_: None))
    common = [word for word, count in counts.items() if count >= min_count]
    keys = {word: index for index, word in enumerate(common)}
    encoding, _ = best(lambda: encode_files(files, [keys], 1 << 32, workers=workers))
    with tempfile.TemporaryDirectory() as folder:
        cache = EncodingCache(folder)
        encode_files(files, [keys], 1 << 32, workers=workers, cache=cache)
        found, _ = best(lambda: encode_files(files, [keys], 1 << 32, cache=cache))
    speeds = [words / seconds / 1e6 for seconds in (gensim, counting, encoding, found)]
    return [words / 1e6, len(counts), len(keys), *speeds]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--workers", type=int, nargs="+", default=[1])
    parser.add_argument("--min-count", type=int, default=5)
    given = parser.parse_args()
    print("| file | words (M) | types | kept | workers | gensim | count | encode | cached |")
    print("|---|---|---|---|---|---|---|---|---|")
    for path in given.files:
        for workers in given.workers:
            words, types, kept, *speeds = measure(path, workers, given.min_count)
            cells = " | ".join(f"{speed:.1f}" for speed in speeds)
            print(f"| {path} | {words:.1f} | {types:.0f} | {kept:.0f} | {workers} | {cells} |")


if __name__ == "__main__":
    main()
