"""Types of the compiled modules, which have no source that a type checker reads."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

_Floats: TypeAlias = NDArray[np.float32]
_Doubles: TypeAlias = NDArray[np.float64]
_Ints: TypeAlias = NDArray[np.int32]
_Longs: TypeAlias = NDArray[np.int64]
_Unsigned: TypeAlias = NDArray[np.uint32]
_Flags: TypeAlias = NDArray[np.bool_]

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
    def array(self) -> _Floats: ...
    @property
    def whole(self) -> _Floats: ...
    def lay_out(self, padded: bool, owner: object, name: str) -> None: ...

def alias_table(weights: _Doubles) -> _Unsigned: ...

class Subwords:
    def __init__(
        self, ngrams: Matrix, offsets: _Longs, ids: _Ints, own_lockf: _Floats, ngrams_lockf: _Floats
    ) -> None: ...

class Tree:
    def __init__(self, nodes: Matrix, offsets: _Longs, ids: _Ints, signs: _Floats) -> None: ...

class Parameters:
    rows: int
    def __init__(
        self,
        vectors: Matrix,
        outputs: Matrix | None,
        lockf: _Floats,
        noise: _Unsigned | None,
        subwords: Subwords | None = None,
        tree: Tree | None = None,
    ) -> None: ...

class Text:
    def __init__(self, ids: _Ints, offsets: _Longs, keep: _Unsigned) -> None: ...

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
    stop: _Ints,
    *,
    sg: bool = True,
    cbow_mean: bool = True,
) -> tuple[int, int, float]: ...
def train_pairs(
    a: Parameters,
    text_a: Text,
    b: Parameters,
    text_b: Text,
    order: _Longs,
    alpha: float,
    weights: tuple[float, float],
    clip: float,
    exact: bool,
    seed: int,
    stop: _Ints,
) -> tuple[int, int, int, float]: ...

_Sent: TypeAlias = _Floats | NDArray[np.uint16]

def write_changes(common: _Floats, now: _Floats, changes: _Sent) -> None: ...
def add_up(blocks: _Sent, momentum: float, velocity: _Floats, step: _Sent) -> None: ...
def take_step(step: _Sent, common: _Floats, now: _Floats) -> None: ...

class WordTable:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def count(self, text: bytes, base: int = 0) -> tuple[int, int]: ...
    def number(self, text: bytes) -> tuple[_Ints, _Longs, list[str]]: ...
    def merge(self, other: WordTable) -> None: ...
    def counts(self) -> dict[str, int]: ...

class Vocabulary:
    def __init__(self, key_to_index: Mapping[str, int]) -> None: ...
    def __len__(self) -> int: ...
    def encode(self, text: bytes) -> tuple[_Ints, _Longs, _Flags, int]: ...

def take_column(text: bytes, column: int, wanted: int) -> bytes | int: ...

class Spelling:
    starts: _Longs
    pieces: _Ints
    words: int
    size: int
    def __init__(self, starts: _Longs, pieces: _Ints, size: int) -> None: ...
    def most_alike(self, others: Spelling) -> tuple[_Ints, _Floats]: ...
    def add_likeness(
        self, others: Spelling, first: int, last: int, weight: float, scores: _Floats
    ) -> None: ...

class Alike:
    def __init__(self, weight: float, source: Spelling, target: Spelling) -> None: ...

_Both: TypeAlias = tuple[_Floats, _Floats]

class Rows:
    first: int
    starts: _Longs
    columns: _Ints
    values: _Floats
    def __init__(self, first: int, starts: _Longs, columns: _Ints, values: _Floats) -> None: ...

class Classes:
    def __init__(self, source: _Ints, target: _Ints, rows: Rows, sums: _Doubles) -> None: ...

class Bitext:
    pairs: int
    tokens: tuple[int, int]
    words: tuple[int, int]
    source_offsets: _Longs
    target_offsets: _Longs
    starts: _Longs
    work: _Longs
    def __init__(
        self,
        source: _Ints,
        source_offsets: _Longs,
        target: _Ints,
        target_offsets: _Longs,
        source_words: int,
        target_words: int,
        position: float,
    ) -> None: ...
    def norms(self, first: int, last: int, norms: _Floats) -> None: ...
    def begin(self, first: int, last: int, null_share: float, back: _Floats) -> None: ...
    def reordered(self, values: _Floats, *, by_token: bool) -> _Floats: ...
    def copy(
        self, first: int, last: int, places: _Floats, some: _Floats, *, back: bool
    ) -> None: ...
    def gains(
        self,
        first: int,
        last: int,
        rows: list[Rows],
        sums: _Doubles,
        norms: _Floats,
        null_share: float,
        null: _Both,
        gains: _Both,
        asked: bool,
        stop: _Ints,
    ) -> tuple[_Doubles, _Doubles, float]: ...
    def rows(
        self,
        first: int,
        last: int,
        gains: _Both,
        stop: _Ints,
        *,
        before: Rows | None = None,
        sums: _Doubles | None = None,
        classes: Classes | None = None,
        alike: Alike | None = None,
        least: float = 0.0,
        floor: float = 0.0,
        t: bool = True,
    ) -> tuple[Rows, _Doubles]: ...

class Entries:
    shape: tuple[int, int]
    def __init__(
        self, shape: tuple[int, int], starts: _Longs, columns: _Ints, forth: _Floats, back: _Floats
    ) -> None: ...

class SpannedSide:
    terms: int
    longest: int
    most_spans: int
    def __init__(
        self,
        ids: _Ints,
        offsets: _Longs,
        spans: _Ints,
        span_offsets: _Longs,
        frequencies: _Floats,
        counts: _Flags,
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
    stop: _Ints,
    *,
    terms: Entries | None = None,
    position: float = 0.0,
    null_share: float = 0.0,
    least: float = 0.0,
) -> NDArray[Any]: ...
def add_products(out: _Floats, rows: Any, columns: Any) -> None: ...
def best_columns(scores: _Floats, k: int) -> tuple[_Longs, _Floats]: ...
def keep_largest(block: _Floats, of_rows: _Floats, of_columns: _Floats) -> None: ...
