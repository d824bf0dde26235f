"""Columns of tables as parallel text."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.corpora import columns
from gensim_bilbowa.errors import ConfigError, CorpusError, ParallelDataError, TokenError

EN_DE = {"languages": ("en", "de")}
NAMES = ("english", "german")
ROWS = [
    {"id": 1, "english": "A house", "german": "Ein Haus"},
    {"id": 2, "english": None, "german": "Nichts"},
    {"id": 3, "english": "a dog", "german": " "},
    {"id": 4, "english": "Σκύλος 我爱 हिन्दी", "german": "كلب หมา"},
]
PAIRS = [(["A", "house"], ["Ein", "Haus"]), (["Σκύλος", "我爱", "हिन्दी"], ["كلب", "หมา"])]
LEFT_OUT = {"with a missing value": 1, "with a blank side": 1}


class Rows:
    """Rows that start anew each time, as a streamed dataset, whose columns are not known."""

    column_names = None

    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        return iter(self.rows)


class Dataset(Rows):
    """As a dataset of Hugging Face's: named columns, of which some are selected."""

    @property
    def column_names(self):
        return list(self.rows[0])

    def select_columns(self, names):
        self.selected = names
        return Dataset([{name: row[name] for name in names} for row in self.rows])


def arrow_table(rows):
    return pytest.importorskip("pyarrow").Table.from_pylist(rows)


def arrow_dataset(rows):
    return pytest.importorskip("pyarrow.dataset").dataset(arrow_table(rows))


def polars_frame(rows):
    return pytest.importorskip("polars").DataFrame(rows)


class Frame:
    """As a frame of polars': named columns, in slices; iterated, it yields columns."""

    def __init__(self, rows):
        self.rows = pd.DataFrame(rows)
        self.columns = list(rows[0])

    def __iter__(self):
        return iter(self.rows[name] for name in self.columns)

    def iter_slices(self, n_rows):
        for start in range(0, len(self.rows), n_rows):
            yield self.rows.iloc[start : start + n_rows]


TABLES = [list, Rows, Dataset, pd.DataFrame, arrow_table, arrow_dataset, polars_frame, Frame]


@pytest.mark.parametrize("table", TABLES)
def test_rows_of_any_table_are_pairs_again_and_again(table, caplog):
    pairs = ParallelSentences.from_columns(table(ROWS), NAMES, **EN_DE)
    assert list(pairs) == list(pairs) == PAIRS
    assert pairs.dropped == LEFT_OUT
    assert caplog.text.count("2 units, left out: 1 with a missing value, 1 with a blank") == 1
    assert pairs.files is None


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("languages", [("en", "de"), ("de", "en")])
def test_one_column_may_hold_all_translations(table, languages):
    rows = [
        {"translation": {"en": "a", "de": "b"}},
        {"translation": {"en": "c", "de": None}},
        {"translation": None},
    ]
    pairs = ParallelSentences.from_columns(table(rows), "translation", languages=languages)
    assert list(pairs) == [(["a"], ["b"])[:: 1 if languages[0] == "en" else -1]]
    assert pairs.dropped == {"without both languages": 1, "with a missing value": 1}


def test_cells_may_say_more_than_translations():
    rows = [{"translation": {"en-GB": "a", "de": "b", "score": 0.5, 7: None, "tags": ["x"], 8: 9}}]
    pairs = ParallelSentences.from_columns(rows, "translation", **EN_DE)
    assert list(pairs) == [(["a"], ["b"])]
    rows[0]["translation"]["de"] = 7
    with pytest.raises(CorpusError, match="row 1, column 'translation': a text is wanted, got int"):
        list(pairs)


def test_translations_in_other_languages_are_named():
    rows = [{"translation": {"en": "a", "fr": "b"}}]
    with pytest.raises(ParallelDataError, match=r"list, 'translation': no unit .*\['en', 'fr'\]"):
        list(ParallelSentences.from_columns(rows, "translation", **EN_DE))


@pytest.mark.parametrize(
    "missing", [None, float("nan"), np.nan, pd.NA, pd.NaT], ids=["None", "nan", "np", "NA", "NaT"]
)
def test_every_missing_value_of_pandas_is_missing(missing):
    frame = pd.DataFrame({"english": ["a", missing, "b"], "german": ["c", "d", missing]})
    pairs = ParallelSentences.from_columns(frame, NAMES, **EN_DE)
    assert list(pairs) == [(["a"], ["c"])]
    assert pairs.dropped == {"with a missing value": 2}


@pytest.mark.parametrize("kind", [object, "string", "category"])
@pytest.mark.parametrize("index", [[7, 7, 8], [2.5, 0.5, 1.5], ["x", "y", "z"]])
def test_frame_of_any_type_and_index_is_read_in_order(kind, index):
    frame = pd.DataFrame({0: list("abc"), 1: list("def")}, index=index, dtype=kind)
    pairs = ParallelSentences.from_columns(frame, (0, 1), **EN_DE)
    assert list(pairs) == [([a], [b]) for a, b in zip("abc", "def", strict=True)]


@given(cells=st.lists(st.tuples(*[st.none() | st.text("ab \u00e4我\u0000", max_size=4)] * 2)))
@pytest.mark.parametrize("table", [pd.DataFrame, Rows, arrow_table])
def test_blocks_do_not_show(table, cells):
    cells = [("x", "y"), *cells]
    rows = [dict(zip(NAMES, pair, strict=True)) for pair in cells]
    expected = [
        (a.split(), b.split())
        for a, b in cells
        if a is not None and b is not None and a.strip() and b.strip()
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "_BLOCK_ROWS", 3)
        assert list(ParallelSentences.from_columns(table(rows), NAMES, **EN_DE)) == expected


def test_tables_in_pieces_are_one():
    pa = pytest.importorskip("pyarrow")
    table = pa.concat_tables([pa.Table.from_pylist(ROWS[:1]), pa.Table.from_pylist(ROWS[1:])])
    assert list(ParallelSentences.from_columns(table, NAMES, **EN_DE)) == PAIRS


def test_dataset_is_asked_for_the_wanted_columns_alone():
    table = Dataset(ROWS)
    list(ParallelSentences.from_columns(table, NAMES, **EN_DE))
    assert table.selected == list(NAMES)


def test_tokenizer_splits_the_texts():
    split = {"en": lambda text: text.lower().split()}
    pairs = ParallelSentences.from_columns(ROWS[:1], NAMES, **EN_DE, tokenizer=split)
    assert list(pairs) == [(["a", "house"], ["Ein", "Haus"])]


# ---- what is refused


@pytest.mark.parametrize("table", [Dataset, pd.DataFrame, arrow_table, arrow_dataset])
def test_missing_column_is_named_with_those_there_are(table):
    wanted = r"no column is named 'French'; the table has \['id', 'english', 'german'\]"
    with pytest.raises(ConfigError, match=wanted):
        ParallelSentences.from_columns(table(ROWS), ("english", "French"), **EN_DE)


@pytest.mark.parametrize("table", [list, Rows])
def test_row_without_a_column_is_located(table):
    rows = [*ROWS, {"id": 5, "english": "a"}]
    pairs = ParallelSentences.from_columns(table(rows), NAMES, **EN_DE)
    with pytest.raises(CorpusError, match=r"row 5 has no column 'german'; it has \['id', 'engl"):
        list(pairs)


def test_column_that_stands_twice_is_refused():
    frame = pd.DataFrame([["a", "b", "c"]], columns=["english", "german", "german"])
    with pytest.raises(ConfigError, match="2 columns are named 'german'"):
        ParallelSentences.from_columns(frame, NAMES, **EN_DE)


@pytest.mark.parametrize("table", TABLES)
def test_cell_that_is_no_text_is_located(table):
    numbers = [{"english": "a", "german": 1}, {"english": "b", "german": 2}]
    pairs = ParallelSentences.from_columns(table(numbers), NAMES, **EN_DE)
    with pytest.raises(CorpusError, match="row 1, column 'german': a text is wanted, got int 1"):
        list(pairs)
    pairs = ParallelSentences.from_columns(table(numbers), "english", **EN_DE)
    with pytest.raises(CorpusError, match=r"row 1, column 'english': a dict of tr.* got str 'a'"):
        list(pairs)


@pytest.mark.parametrize(
    ("table", "names", "error", "message"),
    [
        ({"train": ROWS}, NAMES, ConfigError, r"one table .* mapping with the keys \['train'\]"),
        ("a.csv", NAMES, ConfigError, "got str 'a.csv'"),
        (7, NAMES, ConfigError, "got int 7"),
        (ROWS, ("a", "b", "c"), ConfigError, "columns must be two different names"),
        (ROWS, (), ConfigError, "columns must be two different names"),
        (ROWS, ["english"], ConfigError, "columns must be two different names"),
        (ROWS, ("id", "english", "id"), ConfigError, "columns must be two different names"),
        (ROWS, ("english", "english"), ConfigError, "columns must be two different names"),
        (ROWS, None, ConfigError, "columns must be two different names, .*; got None"),
        (ROWS, 0, ConfigError, "columns must be two different names, .*; got 0"),
        (iter(ROWS), NAMES, TokenError, "restartable"),
    ],
)
def test_what_is_no_table_is_refused(table, names, error, message):
    with pytest.raises(error, match=message):
        ParallelSentences.from_columns(table, names, **EN_DE)


@pytest.mark.parametrize("languages", ["en", ("en",), ("en", "en"), ("en", "de", "fr")])
def test_two_languages_are_wanted(languages):
    with pytest.raises(ConfigError, match="two different languages"):
        ParallelSentences.from_columns(ROWS, NAMES, languages=languages)


def test_query_that_is_no_table_yet_is_refused_with_the_way_out():
    class LazyFrame:
        def collect(self):
            return Frame(ROWS)

    with pytest.raises(ConfigError, match=r"got LazyFrame .*; its collect\(\) gives a table"):
        ParallelSentences.from_columns(LazyFrame(), NAMES, **EN_DE)


def test_row_that_is_no_mapping_is_located():
    pairs = ParallelSentences.from_columns([ROWS[0], ("a", "b")], NAMES, **EN_DE)
    with pytest.raises(CorpusError, match=r"row 2: a mapping .* got tuple \('a', 'b'\)"):
        list(pairs)


def test_model_is_trained_on_a_frame():
    words = {"dog": "hund", "cat": "katze", "house": "haus", "red": "rot"}
    frame = pd.DataFrame([(f"{a} {b}", f"{words[a]} {words[b]}") for a in words for b in words] * 9)
    pairs = ParallelSentences.from_columns(frame, (0, 1), **EN_DE)
    model = BilBOWA(parallel=pairs, vector_size=8, min_count=1, epochs=2, workers=1, seed=1)
    assert set(model.wv_de.index_to_key) == set(words.values())
