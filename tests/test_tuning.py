"""The search for parameters keeps what is better by more than luck, within its limits."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from samples import SMALL, made_up_pairs

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.cli import cli
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evaluation import Interval, sentence_retrieval
from gensim_bilbowa.tuning import Suggestion, Trial, suggest
from gensim_bilbowa.tuning import search as search_module
from gensim_bilbowa.tuning.criteria import HeldOut

QUICK = {**SMALL, "epochs": 1, "vector_size": 8}
SEARCHED = ["xling_passes", "align_damping", "xling_weight", "xling_sample", "epochs"]


def text(pairs, languages=("en", "de")):
    return ParallelSentences(pairs, languages=languages)


class FakeModel:
    """Takes the place of BilBOWA, so that a test says what a setting is worth."""

    worth = staticmethod(lambda **setting: 0.5)

    def __init__(self, *texts, callbacks=(), parallel=None, **parameters):
        self.parameters = parameters
        if parallel is not None:
            for callback in callbacks:
                callback.on_progress(self, None)


@pytest.fixture
def worth(monkeypatch):
    """Return a way to say how many of 100 questions a setting gets right."""

    def judge(self, model):
        setting = {name: model.parameters[name] for name in SEARCHED}
        return (np.arange(100) < FakeModel.worth(**setting)).astype(float)

    monkeypatch.setattr(search_module, "BilBOWA", FakeModel)
    monkeypatch.setattr(HeldOut, "words", judge)

    def of(function):
        monkeypatch.setattr(FakeModel, "worth", staticmethod(function))

    return of


def settings_of(found):
    return [tuple(trial.parameters.values()) for trial in found.trials]


def test_defaults_come_first_then_one_change_at_a_time(pairs, worth):
    worth(lambda **setting: 50)
    found = suggest(parallel=text(pairs))
    first, *others = settings_of(found)
    assert first == (3, 0.5, 5.0, 1e-3, 5)
    changed = [
        [name for name, a, b in zip(SEARCHED, first, other, strict=True) if a != b]
        for other in others
    ]
    assert changed == [
        *[["xling_passes"]] * 2, *[["align_damping"]] * 2, *[["xling_weight"]] * 2,
        *[["xling_sample"]] * 2, ["epochs"],
    ]  # fmt: skip
    assert found.finished
    assert found.parameters == dict(zip(SEARCHED, first, strict=True))


def test_better_step_is_kept_and_tried_again(pairs, worth):
    worth(lambda **setting: 20 + 2 * min(setting["xling_passes"], 27))
    found = suggest(parallel=text(pairs), vector_size=20)
    assert [trial.parameters["xling_passes"] for trial in found.trials if trial.better] == [
        3, 9, 27,
    ]  # fmt: skip
    assert found.parameters == {
        "vector_size": 20, "xling_passes": 27, "align_damping": 0.5, "xling_weight": 5.0,
        "xling_sample": 1e-3, "epochs": 5,
    }  # fmt: skip


def test_no_setting_is_tried_twice(pairs, worth):
    worth(lambda **setting: 30 + setting["epochs"] + 20 * (setting["xling_passes"] > 3))
    settings = settings_of(suggest(parallel=text(pairs)))
    assert len(set(settings)) == len(settings)


def test_setting_better_by_luck_only_is_not_kept(pairs, worth):
    worth(lambda **setting: 52 if setting["xling_passes"] > 3 else 50)
    found = suggest(parallel=text(pairs), trials=2)
    assert found.trials[1].score > found.trials[0].score
    assert found.trials[1].gain.low <= 0
    assert found.parameters["xling_passes"] == 3


def test_lower_level_asks_for_less(pairs, worth):
    worth(lambda **setting: 52 if setting["xling_passes"] > 3 else 50)
    found = suggest(parallel=text(pairs), trials=2, level=0.5)
    assert found.parameters["xling_passes"] == 9


def test_weight_of_nothing_stays(pairs, worth):
    worth(lambda **setting: 50)
    tried = suggest(parallel=text(pairs), xling_weight=0).trials
    assert {trial.parameters["xling_weight"] for trial in tried} == {0}


def test_number_of_trials_is_a_limit(pairs, worth):
    worth(lambda **setting: 50)
    found = suggest(parallel=text(pairs), trials=3)
    assert len(found.trials) == 3
    assert not found.finished


def test_without_time_the_first_trial_is_made_all_the_same(pairs, worth):
    worth(lambda **setting: 50)
    found = suggest(parallel=text(pairs), minutes=0)
    assert len(found.trials) == 1
    assert not found.finished


def test_training_is_broken_off_when_time_is_over(pairs, worth, monkeypatch):
    worth(lambda **setting: 50)
    clock = iter(range(1000))
    monkeypatch.setattr(search_module, "perf_counter", lambda: next(clock))
    found = suggest(parallel=text(pairs), minutes=4.5 / 60)
    # Readings: 0 at the start, 1 and 2 around the first trial, 3 before the second, 4 in it, 5
    # after it, 6 before the third, which is not begun.
    assert len(found.trials) == 2
    assert found.trials[1].seconds == 2


def test_each_trial_is_told_when_it_is_done(pairs, worth):
    worth(lambda **setting: 50)
    told = []
    found = suggest(parallel=text(pairs), on_trial=told.append)
    assert told == found.trials


# ---- with real models


def test_same_seed_makes_the_same_trials(pairs):
    runs = [suggest(parallel=text(pairs), trials=3, **QUICK) for _ in range(2)]
    a, b = ([trial.scores.tolist() for trial in found.trials] for found in runs)
    assert a == b


def test_suggestion_trains_a_model_as_the_trial_did(pairs):
    found = suggest(parallel=text(pairs), trials=2, held_out=0.5, **QUICK)
    held = HeldOut([text(pairs)], 0.5, seed=1)
    model = BilBOWA(parallel=held.parallel, **found.parameters)
    np.testing.assert_array_equal(held.words(model), found.best.scores)


def test_words_are_asked_in_both_directions_for_each_pair_of_languages():
    parallel = [text(made_up_pairs()), text(made_up_pairs(), ("sv", "en"))]
    alone = suggest(parallel=parallel[:1], trials=1, held_out=0.5, **QUICK)
    both = suggest(parallel=parallel, trials=1, held_out=0.5, **QUICK)
    assert 40 < alone.questions <= 80
    assert alone.questions < both.questions <= 160


def test_held_out_pairs_and_their_equals_are_not_learnt_from(pairs):
    twice = pairs[:100] * 2
    judge = HeldOut([text(twice)], 0.2, seed=1)
    (learnt,) = judge.parallel
    kept = [(tuple(a), tuple(b)) for a, b in learnt]
    held_out = list(judge.texts[0])
    asked = {(tuple(a), tuple(b)) for a, b in held_out}
    assert len(held_out) == 40
    assert not asked & set(kept)
    assert asked | set(kept) == {(tuple(a), tuple(b)) for a, b in twice}


def test_blank_pairs_are_not_held_out(pairs):
    blank = [([], ["d0"]), (["e0"], [])] * 50
    judge = HeldOut([text([*pairs[:100], *blank])], 0.2, seed=1)
    held_out = list(judge.texts[0])
    assert len(held_out) == 20
    assert all(a and b for a, b in held_out)


def test_scores_of_sentences_are_their_reciprocal_ranks(pairs):
    judge = HeldOut([text(pairs)], 0.1, seed=1)
    model = BilBOWA(parallel=judge.parallel, **QUICK)
    held_out = list(judge.texts[0])
    english, german = ([pair[side] for pair in held_out] for side in (0, 1))
    ranks = [
        sentence_retrieval(model.wv_en, model.wv_de, english, german).ranks,
        sentence_retrieval(model.wv_de, model.wv_en, german, english).ranks,
    ]
    np.testing.assert_array_equal(judge.sentences(model), 1 / np.concatenate(ranks))


def test_monolingual_text_gives_the_vocabulary(pairs):
    english = [a for a, _ in pairs] + [["only", "here"]] * 5
    found = suggest({"en": english}, parallel=text(pairs), trials=1, **QUICK)
    assert found.questions >= 40


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"criterion": "luck"}, "criterion must be 'words' or 'sentences', not 'luck'"),
        ({"minutes": -1}, "minutes must be"),
        ({"trials": 0}, "trials must be"),
        ({"level": 2}, "level must be"),
        ({"held_out": 2}, "held_out must be"),
        ({"epochs": 0}, "epochs must be"),
        ({"parallel": None}, "parallel text is needed"),
        ({"criterion": "sentences", "held_out": 0.01}, "held_out=0.01 of 300 is 3"),
        (
            {
                "parallel": [(["a", "c", f"e{i}"], ["b", "d", f"d{i}"]) for i in range(300)],
                "min_count": 50,
            },
            "at least 20 pairs of words .* are 0",
        ),
    ],
)
def test_what_cannot_work_is_refused(pairs, options, message):
    options = {"parallel": pairs, **options}
    if options["parallel"]:
        options["parallel"] = text(options["parallel"])
    with pytest.raises(ConfigError, match=message):
        suggest(**{**QUICK, **options})


def test_parameter_that_is_none_is_refused(pairs):
    with pytest.raises(TypeError, match="no parameter 'epoch'"):
        suggest(parallel=text(pairs), epoch=3)


# ---- what is reported


def trial(value, scores, gain):
    return Trial({"xling_passes": value}, np.array(scores), gain, 1.25)


SUGGESTION = Suggestion(
    "words", {"min_count": 3, "workers": 4, "hashfxn": hash},
    [trial(3.0, [0.5, 0], None), trial(9.0, [1, 0.5], Interval(0.25, 0.75)),
     trial(27.0, [1, 0], Interval(-0.5, 0.125))],
    finished=True,
)  # fmt: skip


def test_table_has_a_row_for_each_trial():
    assert SUGGESTION.table().splitlines() == [
        "| xling_passes | score | gain | better | seconds |",
        "| --- | --- | --- | --- | --- |",
        "| 3 | 0.250 | - | yes | 1.2 |",
        "| 9 | 0.750 | +0.250 to +0.750 | yes | 1.2 |",
        "| 27 | 0.500 | -0.500 to +0.125 | no | 1.2 |",
    ]


def test_file_has_the_parameters_without_those_of_this_machine(tmp_path):
    SUGGESTION.save(tmp_path / "best.json")
    found = json.loads((tmp_path / "best.json").read_text(encoding="utf-8"))
    assert found["parameters"] == {"min_count": 3, "xling_passes": 9.0}
    assert [trial["score"] for trial in found["trials"]] == [0.25, 0.75, 0.5]
    assert found["trials"][2]["gain"] == [-0.5, 0.125]
    assert (found["criterion"], found["questions"], found["finished"]) == ("words", 2, True)


def test_repr_is_the_best_setting():
    assert repr(SUGGESTION) == "Suggestion<xling_passes=9.0; words: 0.750>"


# ---- the command


@pytest.fixture
def table(pairs, tmp_path):
    path = tmp_path / "both.tsv"
    path.write_text("".join(f"{' '.join(a)}\t{' '.join(b)}\n" for a, b in pairs), encoding="utf-8")
    return path


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)), standalone_mode=False)


def test_command_prints_options_that_train_takes(table, tmp_path):
    start = ["--pairs", f"en,de={table}", "--workers", "1", "-q"]
    quick = ["--min-count", "1", "--vector-size", "8", "--epochs", "1"]
    result = run("tune", *start, *quick, "--trials", "2")
    assert result.exception is None
    header, *rows, blank, options = result.stdout.splitlines()
    assert header.split("\t") == [*SEARCHED, "score", "gain", "better", "seconds"]
    assert len(rows) == 2
    assert blank == ""
    assert options.startswith("--min-count 1 --vector-size 8 ")
    path = tmp_path / "model"
    assert run("train", *start, "-o", path, *options.split()).exception is None
    assert BilBOWA.load(path).vector_size == 8


def test_train_reads_the_file_of_tune_and_options_win(table, tmp_path):
    best, path = tmp_path / "best.json", tmp_path / "model"
    start = ["--pairs", f"en,de={table}", "--workers", "1", "-q"]
    quick = ["--min-count", "1", "--vector-size", "8", "--epochs", "1"]
    result = run("tune", *start, *quick, "--criterion", "sentences", "--trials", "1", "-o", best)
    assert result.exception is None
    result = run("train", *start, "-o", path, "--epochs", "2", "--parameters", best)
    assert result.exception is None
    model = BilBOWA.load(path)
    assert (model.vector_size, model.min_count, model.epochs) == (8, 1, 2)


def test_plain_object_of_parameters_will_do(table, tmp_path):
    given, path = tmp_path / "given.json", tmp_path / "model"
    given.write_text('{"vector_size": 6, "min_count": 1, "epochs": 1}', encoding="utf-8")
    start = ["--pairs", f"en,de={table}", "-q", "-o", path]
    assert run("train", *start, "--parameters", given).exception is None
    assert BilBOWA.load(path).vector_size == 6


def test_parameters_of_a_file_need_not_go_together_without_the_options(table, tmp_path):
    given, path = tmp_path / "given.json", tmp_path / "model"
    given.write_text(
        '{"vector_size": 6, "min_count": 1, "epochs": 1, "negative": 0}', encoding="utf-8"
    )
    start = ["--pairs", f"en,de={table}", "-q", "-o", path, "--parameters", given]
    assert "one of hs and negative" in run("train", *start).exception.format_message()
    assert run("train", *start, "--hs", "1").exception is None


@pytest.mark.parametrize(
    ("given", "printed", "kinds"),
    [
        (["--subwords"], "--subwords", ["SubwordModel", "SubwordModel"]),
        (["--subwords", "de"], "--subwords=de", ["LanguageModel", "SubwordModel"]),
    ],
)
def test_subwords_are_tuned_with_and_trained_with(table, tmp_path, given, printed, kinds):
    best, path = tmp_path / "best.json", tmp_path / "model"
    start = ["--pairs", f"en,de={table}", "--workers", "1", "-q"]
    quick = ["--min-count", "1", "--vector-size", "8", "--epochs", "1", "--min-n", "2"]
    result = run("tune", *start, *quick, "--bucket", "99", *given, "--trials", "1", "-o", best)
    options = result.stdout.splitlines()[-1].split()
    assert options[-1] == printed
    for chosen in (options, ["--parameters", best]):
        assert run("train", *start, "-o", path, *chosen).exception is None
        model = BilBOWA.load(path)
        assert [type(model[code]).__name__ for code in model] == kinds


def test_languages_with_subwords_are_asked_for_once(pairs):
    codes = iter(["de"])
    found = suggest(parallel={("en", "de"): pairs}, trials=2, subwords=codes, bucket=99, **QUICK)
    assert found.to_dict()["parameters"]["subwords"] == ["de"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON"),
        ("[1]", "an object is wanted, got list"),
        ('{"epoch": 1}', "no option sets 'epoch'"),
        ('{"epochs": "many"}', "epochs must be a whole number of 1 to 1,000,000, got 'many'"),
        ('{"epochs": 2.7}', "epochs must be a whole number of 1 to 1,000,000, got 2.7"),
        ('{"epochs": [3]}', r"epochs must be a whole number of 1 to 1,000,000, got [3]"),
        ('{"epochs": true}', "epochs must be a whole number of 1 to 1,000,000, got True"),
        ('{"shrink_windows": "maybe"}', "shrink_windows must be True or False, got 'maybe'"),
        ('{"subwords": "de"}', "subwords must be True, False or a list of language codes"),
    ],
)
def test_file_of_something_else_is_refused(table, tmp_path, content, message):
    given = tmp_path / "given.json"
    given.write_text(content, encoding="utf-8")
    start = ["--pairs", f"en,de={table}", "-q", "-o", tmp_path / "model"]
    result = run("train", *start, "--parameters", given)
    assert message in str(result.exception.format_message())


def test_tune_without_parallel_text_is_wrong_usage():
    assert "parallel text is needed" in run("tune").exception.format_message()


def test_output_in_the_place_of_an_input_is_refused(table):
    result = run("tune", "--pairs", f"en,de={table}", "-o", table)
    assert "is an input file" in result.exception.format_message()


def test_what_alignment_does_is_not_searched_without_it(pairs):
    tried = suggest(parallel=text(pairs), alignment=False, **QUICK).trials
    assert len({trial.parameters["align_damping"] for trial in tried}) == 1
