"""Types of the compiled modules, which have no source that a type checker reads."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

def level() -> str: ...
def levels() -> list[str]: ...
def use_level(name: str) -> None: ...

class Matrix:
    rows: int
    columns: int
    stride: int
    padded: bool
    def __init__(self, rows: int, columns: int) -> None: ...
    @staticmethod
    def of(array: NDArray[Any]) -> Matrix | None: ...
    @property
    def array(self) -> NDArray[np.float32]: ...
    @property
    def whole(self) -> NDArray[np.float32]: ...
    def lay_out(self, padded: bool, owner: object, name: str) -> None: ...

def alias_table(weights: NDArray[np.float64]) -> NDArray[np.uint32]: ...

class Subwords:
    def __init__(
        self,
        ngrams: Matrix,
        offsets: NDArray[np.int64],
        ids: NDArray[np.int32],
        own_lockf: NDArray[np.float32],
        ngrams_lockf: NDArray[np.float32],
    ) -> None: ...

class Tree:
    def __init__(
        self,
        nodes: Matrix,
        offsets: NDArray[np.int64],
        ids: NDArray[np.int32],
        signs: NDArray[np.float32],
    ) -> None: ...

class Parameters:
    rows: int
    def __init__(
        self,
        vectors: Matrix,
        outputs: Matrix | None,
        lockf: NDArray[np.float32],
        noise: NDArray[np.uint32] | None,
        subwords: Subwords | None = None,
        tree: Tree | None = None,
    ) -> None: ...

class Text:
    def __init__(
        self, ids: NDArray[np.int32], offsets: NDArray[np.int64], keep: NDArray[np.uint32]
    ) -> None: ...

def train_text(
    params: Parameters,
    text: Text,
    first: int,
    last: int,
    window: int,
    shrink_windows: bool,
    negative: int,
    shared_negatives: bool,
    alpha: float,
    seed: int,
    stop: NDArray[np.int32],
    *,
    sg: bool = True,
    cbow_mean: bool = True,
) -> tuple[int, int, float]: ...
def train_pairs(
    a: Parameters,
    text_a: Text,
    b: Parameters,
    text_b: Text,
    order: NDArray[np.int64],
    alpha: float,
    weights: tuple[float, float],
    clip: float,
    exact: bool,
    seed: int,
    stop: NDArray[np.int32],
) -> tuple[int, int, int, float]: ...

_Rows = NDArray[np.float32]
_Sent = NDArray[np.float32] | NDArray[np.uint16]

def write_changes(common: _Rows, now: _Rows, changes: _Sent) -> None: ...
def add_up(blocks: _Sent, momentum: float, velocity: _Rows, step: _Sent) -> None: ...
def take_step(step: _Sent, common: _Rows, now: _Rows) -> None: ...

class WordTable:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def count(self, text: bytes, base: int = 0) -> tuple[int, int]: ...
    def number(self, text: bytes) -> tuple[NDArray[np.int32], NDArray[np.int64], list[str]]: ...
    def merge(self, other: WordTable) -> None: ...
    def counts(self) -> dict[str, int]: ...

class Vocabulary:
    def __init__(self, key_to_index: Mapping[str, int]) -> None: ...
    def __len__(self) -> int: ...
    def encode(
        self, text: bytes
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.bool_], int]: ...

def take_column(text: bytes, column: int, wanted: int) -> bytes | int: ...

class Spelling:
    starts: NDArray[np.int64]
    pieces: NDArray[np.int32]
    words: int
    size: int
    def __init__(self, starts: NDArray[np.int64], pieces: NDArray[np.int32], size: int) -> None: ...
    def most_alike(self, others: Spelling) -> tuple[NDArray[np.int32], NDArray[np.float32]]: ...
    def add_likeness(
        self, others: Spelling, first: int, last: int, weight: float, scores: NDArray[np.float32]
    ) -> None: ...

class Alike:
    def __init__(self, weight: float, source: Spelling, target: Spelling) -> None: ...

_Both: TypeAlias = tuple[NDArray[np.float32], NDArray[np.float32]]

class Rows:
    first: int
    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: NDArray[np.float32]
    def __init__(
        self,
        first: int,
        starts: NDArray[np.int64],
        columns: NDArray[np.int32],
        values: NDArray[np.float32],
    ) -> None: ...

class Classes:
    def __init__(
        self,
        source: NDArray[np.int32],
        target: NDArray[np.int32],
        rows: Rows,
        sums: NDArray[np.float64],
    ) -> None: ...

class Bitext:
    pairs: int
    tokens: tuple[int, int]
    words: tuple[int, int]
    source_offsets: NDArray[np.int64]
    target_offsets: NDArray[np.int64]
    starts: NDArray[np.int64]
    work: NDArray[np.int64]
    def __init__(
        self,
        source: NDArray[np.int32],
        source_offsets: NDArray[np.int64],
        target: NDArray[np.int32],
        target_offsets: NDArray[np.int64],
        source_words: int,
        target_words: int,
        position: float,
    ) -> None: ...
    def norms(self, first: int, last: int, norms: NDArray[np.float32]) -> None: ...
    def begin(
        self, first: int, last: int, null_share: float, back: NDArray[np.float32]
    ) -> None: ...
    def reordered(self, values: NDArray[np.float32], *, by_token: bool) -> NDArray[np.float32]: ...
    def copy(
        self,
        first: int,
        last: int,
        places: NDArray[np.float32],
        some: NDArray[np.float32],
        *,
        back: bool,
    ) -> None: ...
    def gains(
        self,
        first: int,
        last: int,
        rows: list[Rows],
        sums: NDArray[np.float64],
        norms: NDArray[np.float32],
        null_share: float,
        null: _Both,
        gains: _Both,
        asked: bool,
        stop: NDArray[np.int32],
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], float]: ...
    def rows(
        self,
        first: int,
        last: int,
        gains: _Both,
        stop: NDArray[np.int32],
        *,
        before: Rows | None = None,
        sums: NDArray[np.float64] | None = None,
        classes: Classes | None = None,
        alike: Alike | None = None,
        least: float = 0.0,
        floor: float = 0.0,
        t: bool = True,
    ) -> tuple[Rows, NDArray[np.float64]]: ...

class Entries:
    shape: tuple[int, int]
    def __init__(
        self,
        shape: tuple[int, int],
        starts: NDArray[np.int64],
        columns: NDArray[np.int32],
        forth: NDArray[np.float32],
        back: NDArray[np.float32],
    ) -> None: ...

class SpannedSide:
    terms: int
    longest: int
    most_spans: int
    def __init__(
        self,
        ids: NDArray[np.int32],
        offsets: NDArray[np.int64],
        spans: NDArray[np.int32],
        span_offsets: NDArray[np.int64],
        frequencies: NDArray[np.float32],
        counts: NDArray[np.bool_],
        terms: int,
    ) -> None: ...
    @property
    def sentences(self) -> int: ...
    @property
    def words(self) -> int: ...

def span_links(
    source: SpannedSide,
    target: SpannedSide,
    words: Entries,
    first: int,
    last: int,
    stop: NDArray[np.int32],
    *,
    terms: Entries | None = None,
    position: float = 0.0,
    null_share: float = 0.0,
    least: float = 0.0,
) -> NDArray[Any]: ...
def add_products(out: NDArray[np.float32], rows: Any, columns: Any) -> None: ...
def best_columns(
    scores: NDArray[np.float32], k: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]: ...
def keep_largest(
    block: NDArray[np.float32], of_rows: NDArray[np.float32], of_columns: NDArray[np.float32]
) -> None: ...
