"""Feed a reader, or all in turn, with what atheris finds.

with_atheris.py READER|all [options of libFuzzer, such as -max_total_time=60]
"""

from __future__ import annotations

import multiprocessing
import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import atheris

with atheris.instrument_imports(include=["gensim_bilbowa"]):
    from readers import READERS


def main() -> None:
    name, *options = sys.argv[1:]
    for reader in READERS if name == "all" else [name]:
        print(reader, flush=True)
        # Forked, since it takes a minute to instrument the package.
        child = multiprocessing.get_context("fork").Process(target=fuzz, args=(reader, options))
        child.start()
        child.join()
        if child.exitcode:
            sys.exit(f"{reader}: exit status {child.exitcode}")


def fuzz(name: str, options: list[str]) -> None:
    """Feed a reader until the options say that it is enough, and end the process."""
    reader = READERS[name]
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        corpus = folder / "corpus"
        corpus.mkdir()
        (corpus / "seed").write_bytes(reader.seed)
        work = folder / "work"
        work.mkdir()

        def mutate(data: bytes, limit: int, seed: int) -> bytes:
            rng = random.Random(seed)
            if rng.random() < 0.5:
                return bytes(atheris.Mutate(data, limit))
            try:
                return bytes(reader.damage(data, rng)[:limit])
            except Exception:  # what it was made of is no such file any more
                return bytes(reader.damage(reader.seed, rng)[:limit])

        atheris.Setup(
            [sys.argv[0], "-rss_limit_mb=2048", "-timeout=20", "-max_len=20000", *options,
             str(corpus)],
            lambda data: reader.feed(data, work),
            custom_mutator=mutate,
        )  # fmt: skip
        atheris.Fuzz()


if __name__ == "__main__":
    main()
