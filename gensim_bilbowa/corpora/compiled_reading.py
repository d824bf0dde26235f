"""Text files read by compiled code: blocks of whole lines, in several threads, kept in order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import count, zip_longest
from queue import SimpleQueue
from typing import Any, TypeGuard, TypeVar

from gensim_bilbowa import kernels
from gensim_bilbowa.corpora.files import Block, LineCorpus, not_utf8
from gensim_bilbowa.errors import ParallelDataError
from gensim_bilbowa.running.interrupts import uninterrupted
from gensim_bilbowa.running.limits import enough_threads

__all__ = ["TextFile", "count_words", "is_plain", "lacks_columns", "read_sides"]

Job = TypeVar("Job")
Result = TypeVar("Result")

# Blocks that wait while each worker has one.
_AHEAD = 2


@dataclass(frozen=True)
class TextFile:
    """A file with a sentence on each line, or with two of them in tab-separated columns."""

    corpus: LineCorpus
    columns: tuple[int, int] | None = None

    def sides(self, block: Block) -> list[bytes]:
        """Return a block's text, or the texts of its columns; of as many lines, and UTF-8.

        UnicodeDecodeError is raised here or, if there are no columns, left to who reads the text.
        """
        data = block.data
        if self.corpus.errors != "strict":
            # With an end, since a line whose bytes are all left out is a line.
            data = data.removesuffix(b"\n") + b"\n"
            data = data.decode("utf-8", self.corpus.errors).encode()
        if self.columns is None:
            return [data]
        failure = None
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            failure = error
            data = data[: data.rfind(b"\n", 0, error.start) + 1]
        wanted = max(self.columns) + 1
        sides = []
        for column in self.columns:
            cells = kernels.take_column(data, column, wanted)
            if isinstance(cells, int):
                line = data.split(b"\n", cells + 1)[cells].removesuffix(b"\r").decode("utf-8")
                raise lacks_columns(self.corpus.path, block.line + cells, line, wanted)
            sides.append(cells)
        if failure is not None:
            raise failure
        return sides


def lacks_columns(path: str, number: int, line: str, wanted: int) -> ParallelDataError:
    """Return the error for a line with fewer than `wanted` cells."""
    return ParallelDataError(
        f"{path}, line {number}: {wanted} columns separated by tabs are wanted, got "
        f"{line.count(chr(9)) + 1}: {line[:60]!r}; skip_bad=True (--skip-bad) leaves such lines "
        "out and counts them"
    )


def is_plain(text: object) -> TypeGuard[LineCorpus]:
    """Whether compiled code reads a text just as Python would."""
    # A derived class may change the sentences as they are read.
    return type(text) is LineCorpus and text.tokenizer is None


def read_sides(
    files: Sequence[TextFile], work: Callable[[int, int, bytes], Result], workers: int
) -> Generator[tuple[int, Result], None, None]:
    """Read one file with columns, or any number of files without, side by side.

    Parameters
    ----------
    files : sequence of TextFile
    work : callable (side, place, text) -> result
        Run in `workers` threads for a text of whole lines. `side` is the number of the file or
        of the column. Texts are numbered by `place` in the order in which they stand in a file.

    Yields
    ------
    (int, result)
        Of all texts: the side, and the result, in the order of their places. Of several errors
        the one for the earliest block is raised.
    """

    def jobs() -> Generator[tuple[int, int, Block], None, None]:
        places = count()
        with ExitStack() as stack:
            readings = [stack.enter_context(closing(file.corpus.blocks())) for file in files]
            for row in zip_longest(*readings):
                for number, block in enumerate(row):
                    if block is not None:
                        yield number, next(places), block

    def run(job: tuple[int, int, Block]) -> list[tuple[int, Result]]:
        number, place, block = job
        try:
            texts = files[number].sides(block)
            return [(side, work(side, place, text)) for side, text in enumerate(texts, number)]
        except UnicodeDecodeError as error:
            raise not_utf8(files[number].corpus.path, block) from error

    with closing(jobs()) as blocks, closing(_in_order(run, blocks, workers)) as results:
        for result in results:
            yield from result


def _in_order(
    work: Callable[[Job], Result], jobs: Iterator[Job], workers: int
) -> Generator[Result, None, None]:
    """Do jobs in threads; yield results, or raise an error, in the order of the jobs."""
    # The queue's own code cannot be interrupted half way, unlike that of futures.
    done: SimpleQueue[tuple[int, Result | None, BaseException | None]] = SimpleQueue()
    early: dict[int, list[Any]] = {}
    begun = ended = 0
    more = True
    pool = ThreadPoolExecutor(workers, thread_name_prefix="bilbowa-reader")

    def run(number: int, job: Job) -> None:
        try:
            done.put((number, work(job), None))
        except BaseException as error:
            done.put((number, None, error))

    try:
        while more or ended < begun:
            while more and begun - ended < workers + _AHEAD:
                try:
                    job = next(jobs)
                except StopIteration:
                    more = False
                    break
                except Exception as error:  # what came before it is yielded first
                    early[begun] = [None, error]
                    more = False
                else:
                    with uninterrupted(), enough_threads(workers):  # one may be started
                        pool.submit(run, begun, job)
                begun += 1
            if ended < begun:
                while ended not in early:
                    number, *outcome = done.get()
                    early[number] = outcome
                result, wrong = early.pop(ended)
                ended += 1
                if wrong is not None:
                    raise wrong
                yield result
    finally:
        # What has not begun is left out, and the threads are waited for. If Ctrl-C comes just
        # before, they end with the pool, which is in no cycle of references.
        with uninterrupted():
            pool.shutdown(cancel_futures=True)


def count_words(
    files: Sequence[TextFile], workers: int, on_block: Callable[[int, int, int], None]
) -> list[dict[str, int]]:
    """Count the words of files as :func:`read_sides` reads them.

    Parameters
    ----------
    files : sequence of TextFile
    workers : int
    on_block : callable (side, sentences, words)
        Told of each block that was counted.

    Returns
    -------
    list of dict from str to int
        For each side its words in the order in which they first appear, and their counts.
    """
    sides = sum(2 if file.columns else 1 for file in files)
    tables = [[kernels.WordTable() for _ in range(sides)] for _ in range(workers)]
    free: SimpleQueue[list[kernels.WordTable]] = SimpleQueue()
    for table in tables:
        free.put(table)

    def work(side: int, place: int, text: bytes) -> tuple[int, int]:
        mine = free.get()
        try:
            return mine[side].count(text, place << 32)
        finally:
            free.put(mine)

    with closing(read_sides(files, work, workers)) as results:
        for side, (sentences, words) in results:
            on_block(side, sentences, words)
    first, *others = tables
    for other in others:
        for side in range(sides):
            first[side].merge(other[side])
    return [table.counts() for table in first]
