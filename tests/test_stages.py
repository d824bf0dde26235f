"""Stages of work that tell how far they are, and the bars that show it."""

from __future__ import annotations

import io

import numpy as np
import pytest
from click.testing import CliRunner
from prepared import write_memory
from samples import SMALL, made_up_pairs, space

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.cli import cli
from gensim_bilbowa.corpora import kept
from gensim_bilbowa.corpora.watching import watch_readings
from gensim_bilbowa.evidence import Evidence
from gensim_bilbowa.lexicons import extract_lexicon
from gensim_bilbowa.running import stages
from gensim_bilbowa.running.stages import adding, stage, step_of
from gensim_bilbowa.vectors import retrieval
from gensim_bilbowa.vectors.refinement import mutual_neighbours, refined_if_better, refined_with

EN_DE = ("en", "de")


class Bars(list):
    """Takes tqdm's place: keeps what each bar was told."""

    class Bar:
        def __init__(self, desc, total, **options):
            self.name, self.total, self.options = desc, total, options
            self.n, self.told, self.open = 0, [], True

        def update(self, more):
            assert more > 0
            self.n += more
            self.told.append(self.n)

        def __enter__(self):
            return self

        def __exit__(self, *exc_info):
            self.open = False

    def __call__(self, **options):
        assert not any(bar.open for bar in self)
        self.append(self.Bar(**options))
        return self[-1]


@pytest.fixture
def bars(monkeypatch):
    bars = Bars()
    monkeypatch.setattr(stages, "tqdm", bars)
    return bars


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(retrieval, "_TILE", (5, 7))
    monkeypatch.setattr(retrieval, "_BLOCK_BYTES", 4 * 100)


def noted(work):
    """Return what some work reports."""
    told = []
    work(told.append)
    return told


def rises_to_one(told):
    return told == sorted(told) and told[0] > 0 and told[-1] == pytest.approx(1)


# ---- bars


def test_bar_goes_to_its_end_and_never_back(bars):
    with stage("alignment", shown=True) as report:
        for done in (0, 0.5, 0.25, 0.5, 0.75):
            report(done)
        assert bars[0].open
    (bar,) = bars
    assert (bar.name, bar.told, bar.open) == ("alignment", [0.5, 0.75, 1.0], False)
    with stage("encoding", shown=True, total=None, unit=" pairs") as report:
        report(3)
    assert (bars[1].told, bars[1].total, bars[1].options["unit"]) == ([3], None, " pairs")


def test_bar_of_an_interrupted_stage_is_closed_where_it_was(bars):
    def interrupted():
        with stage("x", shown=True) as report:
            report(0.5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert (bars[0].n, bars[0].open) == (0.5, False)


def test_no_bar_is_made_unless_it_is_shown(bars):
    with stage("x", shown=False) as report:
        report(0.5)
    assert bars == []


@pytest.mark.parametrize("unit", ["", " words"])
def test_bar_is_written_and_goes(monkeypatch, unit):
    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    monkeypatch.setattr(stages, "_DELAY", 0)
    with stage("alignment", shown=True, total=4.0, unit=unit) as report:
        report(2)
    assert "alignment:   0%" in written.getvalue()
    assert written.getvalue().rpartition("\r")[2].strip() == ""


def test_steps_and_sums_are_parts():
    told = []
    step_of(told.append, 1, 4)(0.5)
    add = adding(told.append)
    add(2)
    add(3)
    assert told == [0.375, 2, 5]


# ---- what reports


def points(n, seed):
    return retrieval.at_length_one(np.random.default_rng(seed).normal(size=(n, 4)))


@pytest.mark.usefixtures("small_blocks")
def test_retrieval_reports_rise_to_one():
    a, b = points(23, 1), points(31, 2)
    assert rises_to_one(noted(lambda report: retrieval.neighbourhoods(a, b, 3, report)))
    assert rises_to_one(noted(lambda report: retrieval.log_partition(a, b, 3.0, report)))
    assert rises_to_one(noted(lambda report: retrieval.nearest(a, b, 3, report=report)))
    told = noted(lambda report: mutual_neighbours(a, b, 3, report=report))
    assert rises_to_one(told)
    assert len(told) > 30


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("refine", [refined_with, refined_if_better])
def test_refinement_reports_rise_to_one(refine):
    vectors = space(en=points(30, 1), de=points(30, 1), fr=points(30, 2))
    pairs = [("en", "de"), ("en", "fr"), ("de", "fr")]
    evidences = {pair: Evidence() for pair in pairs}
    told = noted(lambda report: refine(vectors, evidences, k=3, rounds=2, report=report))
    assert rises_to_one(told)


@pytest.mark.usefixtures("small_blocks")
def test_what_is_kept_is_not_computed_again():
    vectors = space(en=points(30, 1), de=points(30, 2))
    assert rises_to_one(noted(lambda report: vectors["de"].crowding("en", 3, report=report)))
    assert noted(lambda report: vectors["en"].crowding("de", 3, report=report)) == []


# ---- lexicons


@pytest.fixture(scope="module")
def model():
    return BilBOWA(parallel={EN_DE: made_up_pairs()}, **SMALL)


def test_each_stage_of_a_lexicon_has_a_bar(bars, model):
    pairs = made_up_pairs(5000, seed=2)
    options = {"parallel": {EN_DE: pairs}, "refine": True, "k": 3}
    shown = extract_lexicon(model.wv, *EN_DE, progress=True, **options)
    names = ["encoding", "alignment", "refinement", "neighbourhoods", "en-de", "de-en"]
    assert [bar.name for bar in bars] == names
    assert bars[0].told == [4096]
    for bar in bars[1:]:
        assert not bar.open
        assert bar.told == sorted(bar.told)
        assert bar.n == pytest.approx(bar.total)
    assert shown.entries == extract_lexicon(model.wv, *EN_DE, **options).entries
    assert len(bars) == len(names)


def test_each_method_has_its_bars(bars, model):
    expected = {
        "cosine": ["en-de"], "csls": ["neighbourhoods", "en-de"],
        "inverted_softmax": ["neighbourhoods", "en-de"],
    }  # fmt: skip
    for method, names in expected.items():
        bars.clear()
        extract_lexicon(model.wv, *EN_DE, method=method, mutual=False, refine=False, progress=True)
        assert [bar.name for bar in bars] == names


def test_who_watches_files_being_read_sees_no_second_bar(bars, model):
    with watch_readings(lambda reading: None):
        extract_lexicon(model.wv, *EN_DE, parallel={EN_DE: made_up_pairs(5000)}, progress=True)
    assert "encoding" not in [bar.name for bar in bars]


def test_command_shows_no_bar_without_a_terminal(bars, model, tmp_path):
    model.save(tmp_path / "model")
    result = CliRunner().invoke(cli, ["lexicon", str(tmp_path / "model")], standalone_mode=False)
    assert result.exception is None
    assert bars == []


# ---- text that is kept


@pytest.mark.parametrize("written_at_once", [1, 1 << 18])
def test_text_that_is_kept_is_told_as_a_reading(tmp_path, monkeypatch, written_at_once):
    monkeypatch.setattr(kept, "_WRITTEN_AT_ONCE", written_at_once)
    monkeypatch.setattr(kept, "_AT_ONCE", 50)
    write_memory(str(tmp_path / "memory.tmx"), "en", "de")
    pairs = ParallelSentences(tmp_path / "memory.tmx", languages=EN_DE)
    first = list(pairs)
    told = []
    with watch_readings(lambda reading: told.append((reading.done, reading.size, reading.ended))):
        assert list(pairs) == first
    size = told[0][1]
    done = [each[0] for each in told]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, size)
    assert len({each[0] for each in told}) > 3
    assert [each[2] for each in told] == [*[False] * (len(told) - 1), True]
    assert {each[1] for each in told} == {size}
