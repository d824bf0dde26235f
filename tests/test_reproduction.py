"""The reproduction of the paper's experiments, on made-up data in both layouts."""

from __future__ import annotations

import gzip
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from experiments import (
    SMALL,
    WORDS,
    pairs,
    tasks,
    write,
    write_dictionary,
    write_multi30k,
    write_paper,
    write_sib,
)
from hypothesis import given
from hypothesis import strategies as st

import gensim_bilbowa
from gensim_bilbowa import BilBOWA, ParallelSentences, Tokenizer
from gensim_bilbowa.baselines import Association, EditDistance, ranked_translation
from gensim_bilbowa.errors import ConfigError, CorpusNotFoundError, ParallelDataError
from gensim_bilbowa.evaluation import (
    Documents,
    document_classification,
    invert,
    read_dictionary,
    read_documents,
    sentence_retrieval,
    word_translation,
)
from gensim_bilbowa.reproduction import TASKS, markdown, processes, published, reproduce, sources
from gensim_bilbowa.reproduction.documents import tfidf
from gensim_bilbowa.reproduction.measures import Data, _drawn, run_unit
from gensim_bilbowa.reproduction.mixing import mixed_text
from gensim_bilbowa.reproduction.plan import CURVES, Plan
from gensim_bilbowa.reproduction.questions import Setting, Words
from gensim_bilbowa.reproduction.systems import FOLDS, SYSTEMS
from gensim_bilbowa.reproduction.tables import Figure, Table, as_json, leaders, summary
from gensim_bilbowa.reproduction.tasks import Parameters, read_text
from gensim_bilbowa.reproduction.units import Unit

TRANSLATION = tasks("multi30k.en-de")
CLASSIFICATION = tasks("sib-200.eng-fur")
SYSTEM = {system.name: system for system in SYSTEMS}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    write_multi30k(folder)
    write_sib(folder)
    return folder


@pytest.fixture(scope="module")
def translation(data, tmp_path_factory):
    """The folder with the results of word translation, and what was returned."""
    output = tmp_path_factory.mktemp("translation")
    found = reproduce(
        data, output, only="translation", seeds=2, workers=1, tasks=TRANSLATION + CLASSIFICATION
    )
    return output, found


@pytest.fixture(scope="module")
def classification(data, tmp_path_factory):
    """What was returned for document classification, of the quick systems."""
    chosen = tuple(SYSTEM[name] for name in ("majority", "ibm1", "apart", "bilbowa"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Plan.units, "__defaults__", (chosen,))
        return reproduce(
            data, tmp_path_factory.mktemp("classification"), only="classification", seeds=1,
            workers=1, tasks=CLASSIFICATION,
        )  # fmt: skip


MIXED = {
    (name, code): ["", *pairs(n - 1, [code], seed)[0]]
    for name, n, seed in (("tatoeba", 150, 8), ("kde", 40, 9))
    for code in ("en", "es")
}
MIXED = {key: [*lines[:-1], lines[1]] for key, lines in MIXED.items()}  # one twice


@pytest.fixture
def mixed(tmp_path):
    """A folder with text of two sets and two dictionaries, and its task."""
    folder = tmp_path / "mixed"
    for (name, code), lines in MIXED.items():
        write(folder / f"{name}/en-es/train.{code}.gz", lines)
    write_dictionary(folder / "muse/en-es/train.0-5000.tsv.gz", ("en", "es"), range(20))
    write_dictionary(folder / "muse/es-en/train.0-5000.tsv.gz", ("es", "en"), range(12))
    write(folder / "wechsel-dict/en-es/full.tsv.gz", [
        line for i in range(WORDS) for line in (f"en{i}\tes{i}", f"two en{i}\tes{i}")
    ])  # fmt: skip
    (task,) = tasks("mixed.en-es", mixed=("tatoeba/en-es", "kde/en-es"))
    return folder, task


@pytest.fixture
def few(monkeypatch):
    """Two quick systems in place of all, and the names of the units that are run."""
    chosen = (SYSTEM["spelling"], SYSTEM["bilbowa"])
    monkeypatch.setattr(Plan.units, "__defaults__", (chosen,))
    names = []
    real = processes.run_unit

    def counted(unit, data):
        names.append(unit.name)
        return real(unit, data)

    monkeypatch.setattr(processes, "run_unit", counted)
    return names


def cells(table, row):
    return dict(zip(table.columns[1:], dict(table.rows)[row], strict=True))


def trained(data, seed, **changes):
    files = [data / f"multi30k/train.{code}.gz" for code in ("en", "de")]
    parallel = ParallelSentences(*files, languages=("en", "de"))
    return BilBOWA(parallel=parallel, seed=seed, workers=1, **vars(SMALL), **changes)


def gold(data):
    return read_dictionary(*sorted((data / "dictionaries").glob("*")), lowercase=True)


# ---- word translation


@pytest.mark.slow
@pytest.mark.parametrize(("row", "method", "changes"), [
    ("BilBOWA, as in the paper", "csls", {"alignment": False}),
    ("BilBOWA", "csls", {}),
    ("BilBOWA, hybrid lexicon", "hybrid", {}),  # of what the model knows of its text
])  # fmt: skip
def test_figures_of_word_translation_are_those_of_the_evaluation(
    data, translation, row, method, changes
):
    found = cells(translation[1].tables["translation"][0], row)
    for source, target, right in (("en", "de", gold(data)), ("de", "en", invert(gold(data)))):
        scores = []
        for seed in (1, 2):
            model = trained(data, seed, **changes)
            scores.append(word_translation(model.wv[source], right, method=method))
        for k in (1, 5):
            figure = found[f"{source}→{target} P@{k}"]
            each = [score.precision[k] for score in scores]
            assert figure.mean == pytest.approx(np.mean(each))
            assert figure.spread == pytest.approx(abs(each[0] - each[1]) / np.sqrt(2))
            assert (figure.runs, figure.questions) == (2, 36)


@pytest.mark.slow
def test_systems_without_chance_are_run_once_and_measured_as_by_themselves(data, translation):
    table = translation[1].tables["translation"][0]
    files = [data / f"multi30k/train.{code}.gz" for code in ("en", "de")]
    ranker = Association(ParallelSentences(*files, languages=("en", "de")), "dice", min_count=1)
    figure = cells(table, "Dice")["en→de P@1"]
    assert figure.mean == pytest.approx(ranked_translation(ranker, gold(data)).precision[1])
    assert (figure.runs, figure.spread) == (1, None)


def test_interval_is_that_of_a_single_system(data, translation):
    words = [[f"{code}{i}" for i in range(40)] for code in ("en", "de")]
    ranker = EditDistance(*words, languages=("en", "de"))
    score = ranked_translation(ranker, gold(data))
    figure = cells(translation[1].tables["translation"][0], "Edit distance")["en→de P@5"]
    assert 0 < figure.low <= figure.mean <= figure.high <= 1
    assert figure.questions == score.words


def test_every_system_of_the_plan_has_its_rows(translation):
    names = [name for name, _ in translation[1].tables["translation"][0].rows]
    assert names == [row for system in SYSTEMS for row in system.translation]
    assert {"Edit distance", "CCA", "Procrustes", "BilBOWA"} <= set(names)


def test_all_systems_are_asked_the_same_words(translation):
    asked = {
        figure.questions
        for _, row in translation[1].tables["translation"][0].rows
        for figure in row
        if isinstance(figure, Figure)
    }
    assert asked == {36}


def test_figures_of_the_paper_stand_beside(translation):
    table = translation[1].tables["translation"][0]
    assert cells(table, "BilBOWA, as in the paper")["paper, en→es P@1 / P@5"] == "39 / 51"
    assert cells(table, "BilBOWA")["paper, en→es P@1 / P@5"] is None
    assert cells(table, "Edit distance")["paper, es→en P@1 / P@5"] == "18 / 27"
    assert cells(table, "Dice")["paper, en→es P@1 / P@5"] is None


def test_rows_that_the_paper_has_are_rows_of_systems():
    for experiment, printed in (
        ("translation", published.TRANSLATION), ("classification", published.ACCURACY),
    ):  # fmt: skip
        rows = {row for system in SYSTEMS for row in system.rows(experiment)}
        assert set(printed) <= rows
    assert set(published.MINUTES) <= {system.title for system in SYSTEMS}


def test_no_word_is_asked_of_a_system_that_saw_its_translations(data, monkeypatch):
    seen = []

    def spy(sentences, seeds, **_):
        seen.append(set(seeds))
        words = [[f"{code}{i}" for i in range(40)] for code in sentences]
        return EditDistance(*words, languages=tuple(sentences))

    monkeypatch.setattr("gensim_bilbowa.reproduction.systems.ContextVectors", spy)
    setting = Setting(read_text(data, TRANSLATION[0], data), SMALL, seed=1)
    ask = SYSTEM["contexts"].translation["Word co-occurrence"]
    score = ask(setting, Words(setting, "en", "de", gold(data), None))
    assert len(seen) == FOLDS
    unseen = [set(gold(data)) - seeds for seeds in seen]
    assert sorted(word for part in unseen for word in part) == sorted(gold(data))
    assert score.words == 36


def test_given_seed_dictionary_replaces_cross_validation(data, monkeypatch):
    seen = []

    def spy(sentences, seeds, **_):
        seen.append(seeds)
        return EditDistance(["en1", "en2"], ["de1", "de2"], languages=("en", "de"))

    monkeypatch.setattr("gensim_bilbowa.reproduction.systems.ContextVectors", spy)
    setting = Setting(read_text(data, TRANSLATION[0], data), SMALL, seed=1)
    words = Words(setting, "en", "de", {"en1": {"de1"}, "en2": {"de2"}}, {"en9": {"de9"}})
    ask = SYSTEM["contexts"].translation["Word co-occurrence"]
    assert ask(setting, words).precision[1] == 1.0
    assert seen == [{"en9": {"de9"}}]


# ---- document classification


@pytest.mark.slow
def test_figures_of_classification_are_those_of_the_evaluation(data, classification):
    codes = ("eng", "fur")
    split = {code: Tokenizer(code) for code in codes}
    files = [data / f"nllb-seed/{code}" for code in codes]
    parallel = ParallelSentences(*files, languages=codes, tokenizer=split)
    model = BilBOWA(parallel=parallel, seed=1, workers=1, **vars(SMALL))
    documents = {
        (code, part): read_documents(data / f"sib-200/{code}.{part}.tsv", tokenizer=split[code])
        for code in codes
        for part in ("train", "dev", "test")
    }
    for source, target in (codes, codes[::-1]):
        scores = document_classification(
            model.wv[source], model.wv[target], documents[source, "train"],
            documents[target, "test"],
        )  # fmt: skip
        overview, each = classification.tables["classification"][:2]
        for score in scores:
            figure = cells(each, "BilBOWA")[f"{source}→{target}, {score.size}"]
            assert figure.mean == pytest.approx(score.mean)
            assert figure.spread == pytest.approx(score.spread)
            assert (figure.low, figure.high) == pytest.approx(tuple(score.interval()))
        assert cells(overview, "BilBOWA")[f"{source}→{target}"] == figure
        texts = [
            [text for part in ("dev", "test", "train") for text in sorted_texts(data, code, part)]
            for code in (source, target)
        ]
        score = sentence_retrieval(model.wv[source], model.wv[target], *texts)
        column = f"sentences {source}→{target}, P@1"
        assert cells(each, "BilBOWA")[column].mean == pytest.approx(score.precision[1])
        answers = model.wv[source].most_similar_sentences_batch(*texts, 1, target)
        right = [
            texts[1][found[0][0]] == text for found, text in zip(answers, texts[1], strict=True)
        ]
        assert cells(each, "BilBOWA with words")[column].mean == pytest.approx(np.mean(right))


def sorted_texts(data, code, part):
    """The sentences of a table in the order of their ids."""
    path = data / f"sib-200/{code}.{part}.tsv"
    rows = read_documents(path, label="index_id", tokenizer=Tokenizer(code))
    return [text for _, text in sorted(zip(rows.labels, rows.texts, strict=True))]


def test_majority_is_the_share_of_the_most_frequent_label(data, classification):
    train, test = (read_documents(data / f"sib-200/{name}.tsv").labels
                   for name in ("eng.train", "fur.test"))  # fmt: skip
    most = max(set(train), key=train.count)
    figure = cells(classification.tables["classification"][0], "Majority class")["eng→fur"]
    assert figure.mean == pytest.approx(test.count(most) / len(test))


def test_words_of_one_language_are_told_by_all_systems_that_translate(classification):
    # The topics have words of their own, which are translated one to one.
    table = classification.tables["classification"][0]
    assert cells(table, "Glossed")["eng→fur"].mean > 0.9
    assert cells(table, "MT, word by word")["fur→eng"].mean > 0.9
    assert cells(table, "Glossed")["paper, en→de"] == 65.1


def test_search_with_words_has_no_figure_of_topics(classification):
    overview, each = classification.tables["classification"][:2]
    assert "BilBOWA with words" not in dict(overview.rows)
    row = cells(each, "BilBOWA with words")
    assert {column for column, cell in row.items() if cell is not None} == {
        "sentences eng→fur, P@1", "sentences fur→eng, P@1",
    }  # fmt: skip


def test_guides_come_last_and_do_not_lead(classification):
    table = classification.tables["classification"][0]
    assert table.rows[-1][0] == "BilBOWA within one language"
    assert all(row != table.rows[-1][0] for row, _ in leaders(table))


def test_tfidf_knows_the_words_of_the_training_documents():
    train = Documents([["a", "b"], ["a"]], ["x", "y"])
    (learned, _), (asked, labels) = tfidf(train, Documents([["b", "new"]], ["x"]))
    # idf of scikit-learn: log((1 + n) / (1 + df)) + 1
    row = np.array([1, np.log(3 / 2) + 1])
    np.testing.assert_allclose(learned.toarray()[0], row / np.linalg.norm(row))
    np.testing.assert_allclose(asked.toarray(), [[0, 1]])
    assert labels == ["x"]


@pytest.mark.parametrize("seed", range(20))
def test_documents_drawn_have_two_labels(seed):
    documents = Documents([[f"w{i}"] for i in range(20)], ["x"] * 18 + ["y"] * 2)
    drawn = _drawn(documents, 2, seed)
    assert sorted(drawn.labels) == ["x", "y"]
    assert all(documents.labels[int(text[0][1:])] == label
               for text, label in zip(drawn.texts, drawn.labels, strict=True))  # fmt: skip


# ---- text that is made of many files


def test_mixed_text_is_that_of_its_files_shuffled_each_pair_once(mixed, tmp_path):
    folder, task = mixed
    text = read_text(folder, task, tmp_path)
    found = list(text.parallel)
    split = [Tokenizer(code) for code in ("en", "es")]
    wanted = {
        (tuple(split[0](a)), tuple(split[1](b)))
        for name in ("tatoeba", "kde")
        for a, b in zip(MIXED[name, "en"], MIXED[name, "es"], strict=True)
    }
    assert {(tuple(a), tuple(b)) for a, b in found} == wanted - {((), ())}
    assert len(found) == len(wanted) - 1
    assert [a for a, _ in found] != [split[0](line) for line in MIXED["tatoeba", "en"]]
    assert list(text.sentences["es"]) == [b for _, b in found]


def test_mixed_text_is_made_once_and_anew_if_a_file_has_changed(mixed, tmp_path, monkeypatch):
    folder, task = mixed
    first = mixed_text(folder, task.mixed, task.languages, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("gensim_bilbowa.reproduction.mixing.Tokenizer", None)
        assert mixed_text(folder, task.mixed, task.languages, tmp_path) == first
    for code in ("en", "es"):
        write(folder / f"kde/en-es/more.{code}.gz", [f"{code} new"])
    second = mixed_text(folder, task.mixed, task.languages, tmp_path)
    assert second != first
    before, after = (
        gzip.decompress(sides[0].read_bytes()).decode().splitlines() for sides in (first, second)
    )
    assert sorted(after) == sorted([*before, "en new"])


def test_sides_of_other_lengths_are_not_mixed(mixed, tmp_path):
    folder, task = mixed
    write(folder / "kde/en-es/train.es.gz", MIXED["kde", "es"][:-1])
    with pytest.raises(ParallelDataError, match=r"train\.es\.gz has 39 lines, .*train\.en\.gz has"):
        mixed_text(folder, task.mixed, task.languages, tmp_path)
    for code in ("en", "es"):
        write(folder / f"kde/en-es/train.{code}.gz", [])
    with pytest.raises(CorpusNotFoundError, match="no sentence pairs of en and es in kde/en-es"):
        mixed_text(folder, ("kde/en-es",), task.languages, tmp_path)


def test_large_text_is_trained_on_once_and_asked_two_dictionaries(mixed, tmp_path, few):
    folder, task = mixed
    task = replace(task, too_slow={"contexts": "a day", "bilbowa-paper": "an hour"})
    found = reproduce(
        folder, tmp_path, only="translation", seeds=3, workers=1, tasks=[task]
    )  # fmt: skip
    assert few == ["mixed.en-es.spelling.seed1", "mixed.en-es.bilbowa.seed1"]
    table = found.tables["translation"][0]
    row = cells(table, "BilBOWA")
    # Each direction of the first by its own file; of the second every tenth of the single words.
    assert row["MUSE en→es P@1"].questions == 20
    assert row["MUSE es→en P@1"].questions == 12
    assert row["Wiktionary en→es P@5"].questions == 4
    assert row["Wiktionary es→en P@5"].questions == 4
    assert "`tatoeba/en-es`, `kde/en-es` (tokenised" in table.notes[0]
    assert table.notes[-1] == (
        "Not run on this text: Word co-occurrence: a day; BilBOWA, as in the paper: an hour."
    )
    space = BilBOWA(
        parallel=read_text(folder, task, tmp_path / "texts").parallel, seed=1, workers=1,
        **vars(SMALL),
    ).wv  # fmt: skip
    asked = {f"es{i}": {f"en{i}"} for i in range(12)}
    score = word_translation(space["es"], asked, method="csls")
    assert row["MUSE es→en P@5"].mean == pytest.approx(score.precision[5])


def test_systems_that_are_too_slow_for_a_text_are_not_of_its_plan(mixed):
    _, task = mixed
    names = [unit.system.name for unit in Plan(3).units(replace(task, too_slow={"bicvm": ""}))]
    everything = [unit.system.name for unit in Plan(3).units(replace(task, too_slow={}))]
    assert len(everything) == len(set(everything))  # one seed
    assert names == [name for name in everything if name != "bicvm"]


def test_no_curve_is_drawn_over_the_large_text(mixed, tmp_path, few):
    folder, task = mixed
    assert not reproduce(folder, tmp_path, only="curves", workers=1, tasks=[task]).trained


# ---- results that are kept


def once(data, output, task=TRANSLATION, **changes):
    settings = {"only": "translation", "seeds": 2, "workers": 1, "tasks": task} | changes
    return reproduce(data, output, **settings)


def test_nothing_is_trained_twice(data, tmp_path, few):
    first = once(data, tmp_path)
    assert few == [f"multi30k.en-de.{name}" for name in
                   ("spelling.seed1", "bilbowa.seed1", "bilbowa.seed2")]  # fmt: skip
    again = once(data, tmp_path)
    assert (len(few), first.trained, again.trained) == (3, 3, 0)
    assert again.tables == first.tables


def test_more_seeds_need_only_their_own_trainings(data, tmp_path, few):
    once(data, tmp_path, seeds=1)
    few.clear()
    once(data, tmp_path, seeds=3)
    assert few == ["multi30k.en-de.bilbowa.seed2", "multi30k.en-de.bilbowa.seed3"]


@pytest.mark.parametrize("change", [
    {"task": [replace(TRANSLATION[0], parameters=replace(SMALL, epochs=3))]},
    {"task": [replace(TRANSLATION[0], lines=100)]},
    {"fresh": True},
])  # fmt: skip
def test_changed_inputs_are_trained_anew(data, tmp_path, few, change):
    once(data, tmp_path, seeds=1)
    assert once(data, tmp_path, seeds=1, **change).trained == 2


def test_changed_file_is_trained_anew(tmp_path, few):
    write_multi30k(tmp_path)
    once(tmp_path, tmp_path / "out", seeds=1)
    write_multi30k(tmp_path, n=140)
    assert once(tmp_path, tmp_path / "out", seeds=1).trained == 2


def test_damaged_result_is_made_again(data, tmp_path, few):
    once(data, tmp_path)
    (tmp_path / "results/multi30k.en-de.bilbowa.seed2.json").write_text(
        '{"fingerprint": ', encoding="utf-8"
    )
    assert once(data, tmp_path).trained == 1


def test_interrupted_run_leaves_its_results_and_goes_on(data, tmp_path, few, monkeypatch):
    counted = processes.run_unit

    def interrupted(unit, data):
        if unit.seed == 2:
            raise KeyboardInterrupt
        return counted(unit, data)

    with monkeypatch.context() as patch:
        patch.setattr(processes, "run_unit", interrupted)
        with pytest.raises(KeyboardInterrupt):
            once(data, tmp_path)
    assert sorted(p.name for p in (tmp_path / "results").iterdir()) == [
        "multi30k.en-de.bilbowa.seed1.json", "multi30k.en-de.spelling.seed1.json",
    ]  # fmt: skip
    assert not list(tmp_path.glob("*.md"))
    few.clear()
    once(data, tmp_path)
    assert few == ["multi30k.en-de.bilbowa.seed2"]


def test_folder_of_documents_is_part_of_the_fingerprint(tmp_path):
    write_paper(tmp_path, n=5)
    unit = Unit(tasks("rcv.en-de")[0], SYSTEM["bilbowa"], 1)
    before = unit.fingerprint(tmp_path)
    assert unit.fingerprint(tmp_path) == before
    write(tmp_path / "rcv/en/train/topic0/new.txt", ["en1"])
    assert unit.fingerprint(tmp_path) != before


def test_changed_code_of_a_system_is_trained_anew_and_only_that(data, tmp_path, few, monkeypatch):
    once(data, tmp_path, seeds=1)
    few.clear()
    real = sources.code_mark
    monkeypatch.setattr(
        "gensim_bilbowa.reproduction.units.code_mark",
        lambda names: real(names) + ("changed" if "model.py" in names else ""),
    )
    once(data, tmp_path, seeds=1)
    assert few == ["multi30k.en-de.bilbowa.seed1"]


@pytest.mark.parametrize(("after", "same"), [
    ('"""Other."""\n\n\ndef f(x):\n    return x + 1\n', True),
    ('"""Adds."""\ndef f(x):\n    """Adds."""\n    return x + 1  # one\n', True),
    ('"""Adds."""\ndef f(x):\n    return x + 2\n', False),
])  # fmt: skip
def test_mark_of_code_does_not_change_with_docstrings_and_comments(
    tmp_path, monkeypatch, after, same
):
    monkeypatch.setattr(sources, "_PACKAGE", tmp_path)
    marks = []
    for text in ('"""Adds."""\ndef f(x):\n    return x + 1\n', after):
        (tmp_path / "part").mkdir(exist_ok=True)
        (tmp_path / "part/module.py").write_text(text, encoding="utf-8")
        marks.append(sources.code_mark.__wrapped__(("part",)))
    assert (marks[0] == marks[1]) == same


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_baselines_that_a_system_imports_are_part_of_its_code(system):
    package = Path(gensim_bilbowa.__file__).parent
    for name in (name for name in system.code if name.startswith("baselines/")):
        text = (package / name).read_text(encoding="utf-8")
        imported = set(re.findall(r"^from gensim_bilbowa\.(baselines\.\w+) import", text, re.M))
        assert {f"{module.replace('.', '/')}.py" for module in imported} <= set(system.code)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_code_that_a_system_names_is_there(system):
    package = Path(gensim_bilbowa.__file__).parent
    assert all((package / name).exists() for name in system.code)


def test_results_do_not_depend_on_how_many_are_trained_at_a_time(
    data, tmp_path, caplog, monkeypatch
):
    chosen = tuple(SYSTEM[name] for name in ("autoencoder", "bilbowa"))
    monkeypatch.setattr(Plan.units, "__defaults__", (chosen,))
    caplog.set_level("INFO", "gensim_bilbowa")
    tables = {}
    for workers in (1, 2):
        found = once(data, tmp_path / str(workers), seeds=1, workers=workers)
        tables[workers] = found.tables["translation"][0]
        assert found.trained == 2
        said = [record.getMessage() for record in caplog.records]
        assert any(text.startswith("epoch 1: mean loss of a pair of bags") for text in said)
        caplog.clear()
    assert tables[1] == tables[2]


def test_paths_are_those_of_the_working_folder_of_each_call(tmp_path, few, monkeypatch):
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        write_multi30k(Path(f"{name} data"))
        assert once(Path(f"{name} data"), Path("out"), seeds=1, workers=2).trained == 2


# ---- curves


def test_curves_have_a_row_for_each_value_and_the_figure_is_drawn(data, tmp_path, monkeypatch):
    curves = (
        replace(CURVES[0], values=(0.001, None)),
        *(replace(curve, values=(50, None)) for curve in CURVES[1:3]),
    )
    monkeypatch.setattr("gensim_bilbowa.reproduction.plan.CURVES", curves)
    monkeypatch.setattr("gensim_bilbowa.reproduction.plan.DOCUMENTS", (2, 500))
    once_curves = {"only": "curves", "workers": 1, "tasks": TRANSLATION + CLASSIFICATION}
    found = reproduce(data, tmp_path, **once_curves)
    weight, few_pairs, paper_pairs, learning = found.tables["curves"]
    assert [name for name, _ in weight.rows] == ["0.001", "default"]
    assert [name for name, _ in few_pairs.rows] == ["50", "all"]
    # The default and all pairs are the same training, and that of the table.
    assert weight.rows[1] == ("default", paper_pairs.rows[1][1])
    assert weight.title.endswith(", BilBOWA, as in the paper, multi30k.en-de")
    assert few_pairs.title == "Sentence pairs, beside all text, BilBOWA, multi30k.en-de"
    assert found.trained == 6
    assert cells(weight, "default")["en→de P@1"].mean > cells(weight, "0.001")["en→de P@1"].mean
    assert [name for name, _ in learning.rows] == ["2"]  # there are not 500
    assert (cells(learning, "2")["eng→fur"].runs, cells(learning, "2")["fur→eng"].runs) == (10, 10)
    assert (tmp_path / "subsampling.svg").read_text(encoding="utf-8").startswith("<?xml")
    drawn = (tmp_path / "subsampling.svg").stat().st_mtime_ns
    assert reproduce(data, tmp_path, **once_curves).trained == 0
    assert (tmp_path / "subsampling.svg").stat().st_mtime_ns == drawn


def test_learning_curve_is_the_mean_over_draws(data):
    unit = Unit(CLASSIFICATION[0], SYSTEM["bilbowa"], 1, (("documents", (5, 10, 500)),))
    read = Data(data, unit.task, data)
    curve = run_unit(unit, read)["rows"]["BilBOWA"]["eng-fur"]
    assert [point["size"] for point in curve] == [5, 10]  # there are not 500
    text = read.text
    model = BilBOWA(text.sentences, parallel=text.parallel, seed=1, workers=1, **vars(SMALL))
    train, test = read.documents["eng"][0], read.documents["fur"][1]
    for draw in range(10):
        few = _drawn(train, 10, draw)
        (score,) = document_classification(
            model.wv["eng"], model.wv["fur"], few, test, sizes=[10], seeds=[draw]
        )
        assert curve[1]["accuracies"][draw] == pytest.approx(score.mean)


def test_documents_of_one_label_have_no_learning_curve(data):
    unit = Unit(CLASSIFICATION[0], SYSTEM["bilbowa"], 1, (("documents", (5,)),))
    read = Data(data, unit.task, data)
    read.documents = {
        code: (Documents(train.texts, ["one"] * len(train.texts)), test)
        for code, (train, test) in read.documents.items()
    }
    with pytest.raises(ConfigError, match="have one label all, 'one'"):
        run_unit(unit, read)


def test_fewer_pairs_leave_all_text_of_each_language(data):
    text = read_text(data, TRANSLATION[0], data).cut(50)
    assert len(list(text.parallel)) == 50
    assert [len(list(text.sentences[code])) for code in ("en", "de")] == [150, 150]


def test_figure_is_left_out_without_the_extra(data, tmp_path, monkeypatch):
    monkeypatch.setattr("gensim_bilbowa.reproduction.plan.CURVES", ())
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    found = reproduce(data, tmp_path, only="curves", workers=1, tasks=TRANSLATION)
    assert found.left_out[0].startswith("the figure on subsampling: ")
    assert "gensim_bilbowa[plot]" in found.left_out[0]
    assert not (tmp_path / "subsampling.svg").exists()


# ---- tables


def test_summary_is_the_mean_with_the_spread_over_runs():
    hits = np.array([[1, 0, 1, 1], [1, 0, 0, 0]], float)
    figure = summary(hits.mean(axis=0), hits.mean(axis=1).tolist())
    assert figure.mean == 0.5
    assert figure.spread == pytest.approx(np.std([0.75, 0.25], ddof=1))
    assert (figure.runs, figure.questions) == (2, 4)


def test_leaders_are_the_best_and_those_in_its_interval():
    best, near, far = (
        Figure(mean, None, mean - 0.1, mean + 0.1, 1, 9) for mean in (0.8, 0.75, 0.6)
    )
    rows = (("a", (best,)), ("b", (near,)), ("c", (far,)), ("guide", (replace(best, mean=0.9),)))
    table = Table("t", ("System", "P@1"), rows, guides=("guide",))
    assert leaders(table) == {("a", "P@1"), ("b", "P@1")}
    assert leaders(replace(table, compared=False)) == set()
    assert "| a | **80.0** (70.0–90.0) |" in markdown([table])


shares = st.floats(0, 1)


@given(shares, st.none() | shares, shares, shares)
def test_figures_are_written_in_percent_with_a_decimal(mean, spread, low, high):
    table = Table("t", ("System", "P@1"), (("a", (Figure(mean, spread, low, high, 3, 9),)),))
    ((_, _, ((_, cell),)),) = parsed(markdown([table]))
    wanted = [100 * share for share in (mean, spread, low, high) if share is not None]
    assert numbers(cell) == pytest.approx(wanted, abs=0.0501)
    assert ("±" in cell) == (spread is not None)


def parsed(text):
    """Tables of a Markdown text: title, columns, and rows of numbers."""
    tables = []
    for block in text.split("\n\n"):
        lines = block.splitlines()
        if lines[0].startswith("## "):
            title = lines[0].removeprefix("## ")
        elif lines[0].startswith("| "):
            rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
            tables.append((title, rows[0], rows[2:]))
    return tables


def numbers(cell):
    return [float(n) for n in re.findall(r"\d+(?:\.\d+)?", cell.replace(",", ""))]


def test_markdown_and_json_have_the_same_numbers(translation):
    output, found = translation
    document = json.loads((output / "translation.json").read_text(encoding="utf-8"))
    text = (output / "translation.md").read_text(encoding="utf-8")
    assert document["tables"] == as_json(found.tables["translation"])
    read = parsed(text)
    assert len(read) == len(document["tables"]) == 2
    for (title, columns, rows), table in zip(read, document["tables"], strict=True):
        assert (title, columns) == (table["title"], table["columns"])
        assert [row[0] for row in rows] == [row["name"] for row in table["rows"]]
        for row, wanted in zip(rows, table["rows"], strict=True):
            for cell, value in zip(row[1:], wanted["cells"].values(), strict=True):
                if isinstance(value, dict):
                    shares = [value[key] for key in ("mean", "spread", "low", "high")]
                    expected = [100 * share for share in shares if share is not None]
                    assert cell.startswith("**") == value["leads"]
                elif value is None:
                    expected = []
                else:
                    expected = numbers(value) if isinstance(value, str) else [value]
                assert numbers(cell) == pytest.approx(expected, abs=0.0501)


def test_training_times_are_told_as_ratios_to_bilbowa(translation):
    output, found = translation
    table = found.tables["translation"][-1]
    seconds = [
        json.loads(
            (output / f"results/multi30k.en-de.bilbowa.seed{seed}.json").read_text(encoding="utf-8")
        )
        for seed in (1, 2)
    ]
    ours = cells(table, "BilBOWA")
    assert ours["multi30k.en-de, CPU s"] == pytest.approx(
        np.mean([result["cpu_seconds"] for result in seconds])
    )
    assert ours["all, s by the clock"] == pytest.approx(
        np.mean([result["seconds"] for result in seconds])
    )
    assert ours["ratio to BilBOWA"] == 1
    assert cells(table, "BilBOWA, as in the paper")["paper, ratio"] == 1
    assert cells(table, "BiCVM")["paper, ratio"] == 2.5  # 15 minutes and 6
    other = cells(table, "Skip-gram, to be mapped")
    assert other["ratio to BilBOWA"] == pytest.approx(
        other["multi30k.en-de, CPU s"] / ours["multi30k.en-de, CPU s"]
    )


# ---- data


def test_texts_that_are_not_there_are_left_out_and_named(data, tmp_path, few):
    found = reproduce(
        data, tmp_path, workers=1, seeds=1, only="translation",
        tasks=[*TRANSLATION, *tasks("wmt11.en-es")],
    )  # fmt: skip
    (line,) = found.left_out
    assert line.startswith("wmt11.en-es: wmt11/europarl.en, ")
    assert f"- Left out: {line}\n" in (tmp_path / "translation.md").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "translation.json").read_text(encoding="utf-8"))["left_out"] == [
        line
    ]


def test_texts_on_demand_are_not_missed(data, tmp_path, few):
    extra = tasks("multi30k.en-fr")
    assert extra[0].extra
    assert not once(data, tmp_path, [*TRANSLATION, *extra], seeds=1).left_out
    found = once(data, tmp_path, [*TRANSLATION, *extra], seeds=1, extra=True)
    assert found.left_out[0].startswith("multi30k.en-fr: multi30k/train.fr")


def test_folder_without_any_experiment_is_an_error(tmp_path):
    with pytest.raises(CorpusNotFoundError, match=r"no experiment .*multi30k\.en-de: multi30k/t"):
        reproduce(tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [({"only": "all"}, "only must be"), ({"seeds": 0}, "seeds"), ({"workers": 0}, "workers")],
)
def test_parameters_are_checked(data, tmp_path, change, message):
    with pytest.raises(ConfigError, match=message):
        reproduce(data, tmp_path / "out", **change)


def test_only_the_first_lines_are_read(data):
    assert len(list(read_text(data, replace(TRANSLATION[0], lines=30), data).parallel)) == 30
    assert len(list(read_text(data, replace(CLASSIFICATION[0], lines=30), data).parallel)) == 30


def test_paper_tasks_have_its_size_and_lines():
    ours = {task.name: task for task in TASKS}
    for name in ("wmt11.en-es", "rcv.en-de"):
        assert ours[name].parameters.vector_size == 40
        assert ours[name].lines == 500_000
    assert ours["multi30k.en-de"].parameters == Parameters(100, 3, 20)


def test_data_of_the_paper_take_the_place_of_open_data(tmp_path):
    write_paper(tmp_path)
    found = reproduce(
        tmp_path, tmp_path / "out", seeds=1, workers=1, only="translation",
        tasks=tasks("multi30k.en-de", "wmt11.en-es"),
    )  # fmt: skip
    assert [line.split(":")[0] for line in found.left_out] == ["multi30k.en-de"]
    table, times = found.tables["translation"]
    assert table.title == "Word translation, wmt11.en-es"
    figure = cells(table, "Procrustes")["en→es P@1"]
    assert figure.questions == 15  # those of the test dictionary
    assert [name for name, _ in times.rows][-1] == "BilBOWA"


def test_documents_of_the_paper_are_read_from_folders(tmp_path, few):
    write_paper(tmp_path)
    found = reproduce(
        tmp_path, tmp_path / "out", seeds=1, workers=1, only="classification",
        tasks=tasks("rcv.en-de"),
    )  # fmt: skip
    overview, each, _ = found.tables["classification"]
    assert overview.columns[1:3] == ("en→de", "de→en")
    assert each.columns[1:] == ("en→de, 60", "de→en, 60")
    assert cells(overview, "BilBOWA")["en→de"].questions == 30


def test_quick_run_leaves_the_results_of_a_full_one(data, tmp_path, few):
    full = once(data, tmp_path, seeds=1)
    quick = once(data, tmp_path, seeds=1, quick=True)
    assert (full.folder, quick.folder) == (tmp_path, tmp_path / "quick")
    assert once(data, tmp_path, seeds=1).trained == 0


def test_quick_is_one_short_training_of_the_first_text(tmp_path, few):
    write_multi30k(tmp_path)
    found = reproduce(tmp_path, tmp_path / "out", seeds=3, workers=1, quick=True,
                      only="translation", tasks=TRANSLATION * 2)  # fmt: skip
    assert found.trained == 2
    assert "the first 2,000 pairs" in found.tables["translation"][0].notes[0]


def test_text_of_a_language_may_be_other_than_the_pairs(tmp_path):
    write_paper(tmp_path)
    (task,) = tasks("wmt11.en-es")
    text = read_text(tmp_path, task, tmp_path)
    sides = pairs(150, ["es"], seed=5)[0]
    assert [" ".join(sentence) for sentence in text.sentences["es"]] == sides
