"""A model knows how its text was split into words, and commands split theirs in the same way."""

from __future__ import annotations

import copy
import json
import pickle
import sys
import zipfile

import numpy as np
import pytest
from click.testing import CliRunner
from gensim.models import KeyedVectors
from samples import SMALL, changed, made_up_pairs

from gensim_bilbowa import BilBOWA, CrossLingualVectors, LineCorpus, ParallelSentences, Tokenizer
from gensim_bilbowa.cli import cli
from gensim_bilbowa.errors import ConfigError, FormatError
from gensim_bilbowa.tokenization.tokenizers import Tokenizers

CODES = ("en", "de")
KEEPING = Tokenizer("de", lowercase=False)


def own(text):
    return text.split()


def run(*arguments, text=None):
    return CliRunner().invoke(cli, list(map(str, arguments)), input=text, standalone_mode=False)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Text that is no use unless it is split: each word has a sign at its end."""
    path = tmp_path_factory.mktemp("text") / "both.tsv"
    rows = [["! ".join(side).capitalize() for side in pair] for pair in made_up_pairs(words=20)]
    path.write_text("".join(f"{a}!\t{b}!\n" for a, b in rows), encoding="utf-8")
    return path


def pairs_of(table, tokenizer=None):
    return ParallelSentences(table, languages=CODES, tokenizer=tokenizer)


def trained(*pairs, **options):
    return BilBOWA(parallel=list(pairs), **SMALL | {"epochs": 1} | options)


@pytest.fixture(scope="module")
def model(table, tmp_path_factory):
    made = trained(pairs_of(table, {"en": Tokenizer("en"), "de": KEEPING}))
    made.path = tmp_path_factory.mktemp("saved") / "model"
    made.save(made.path)
    return made


# ---- what is remembered


def test_what_split_each_language_is_remembered(model):
    assert model.tokenizers == {"en": Tokenizer("en"), "de": KEEPING}
    assert model.wv.tokenizers is model.tokenizers


@pytest.mark.parametrize(
    ("tokenizer", "expected"),
    [(None, None), (str.split, None), (own, "own"), (Tokenizer("en"), Tokenizer("en"))],
)
def test_white_space_and_functions_are_told_apart(table, tokenizer, expected):
    assert trained(pairs_of(table, tokenizer)).tokenizers == dict.fromkeys(CODES, expected)


def test_tokenizer_of_a_derived_class_is_the_users_own(table):
    class Mine(Tokenizer):
        pass

    assert trained(pairs_of(table, Mine("en"))).tokenizers["en"] == "own"


@pytest.mark.parametrize(
    "turn",
    [
        lambda pairs: pairs.filtered(max_ratio=50),
        lambda pairs: pairs.with_phrases({}),
        lambda pairs: pairs.filtered(max_words=90).with_phrases({}),
    ],
)
def test_pairs_that_are_made_of_others_are_split_as_those(table, turn):
    pairs = turn(pairs_of(table, Tokenizer("en")))
    assert trained(pairs).tokenizers["de"] == Tokenizer("en")


def test_text_of_one_language_and_sides_of_pairs_are_remembered(table, tmp_path):
    (tmp_path / "x.en").write_text("E0! e1! e2!\n" * 9, encoding="utf-8")
    pairs = pairs_of(table, {"de": KEEPING})
    model = BilBOWA({"en": LineCorpus(tmp_path / "x.en"), "de": pairs.side("de")}, parallel=pairs,
                    **SMALL)  # fmt: skip
    assert model.tokenizers == {"en": None, "de": KEEPING}


def test_translation_memory_is_split_by_a_tokenizer_of_each_language(tmp_path):
    unit = '<tu><tuv lang="en"><seg>The dog!</seg></tuv><tuv lang="de"><seg>Hund?</seg></tuv></tu>'
    (tmp_path / "x.tmx").write_text(
        f'<tmx version="1.4"><header/><body>{unit * 9}</body></tmx>', encoding="utf-8"
    )
    model = trained(ParallelSentences(tmp_path / "x.tmx", languages=CODES))
    assert model.tokenizers == {code: Tokenizer(code, markup=True) for code in CODES}


def test_vocabulary_that_is_built_anew_is_of_the_new_text(table):
    model = trained(pairs_of(table, Tokenizer("en")))
    model.build_vocab(parallel=pairs_of(table))
    model.train(parallel=pairs_of(table))
    assert model.tokenizers["en"] is None


# ---- different ways


def test_text_that_is_split_in_different_ways_is_warned_about(table, caplog):
    model = trained(pairs_of(table, {"en": Tokenizer("en")}), pairs_of(table))
    (message,) = [text for text in caplog.messages if "in different ways" in text]
    assert message.startswith("'en': text is split")
    assert message.count("both.tsv") == 2
    assert "; the model remembers Tokenizer('en'). --tokenize" in message
    assert model.tokenizers == {"en": Tokenizer("en"), "de": None}


def test_training_on_with_text_that_is_split_in_another_way_is_warned_about(model, table, caplog):
    later = copy.deepcopy(model)
    later.train(parallel=pairs_of(table, {"en": Tokenizer("en"), "de": KEEPING}))
    assert "in different ways" not in caplog.text
    later.train(parallel=pairs_of(table, {"en": Tokenizer("eng"), "de": Tokenizer("de")}))
    assert [text[:4] for text in caplog.messages if "in different ways" in text] == ["'de'"]
    assert later.tokenizers["de"] == KEEPING


def test_lists_of_tokens_may_be_split_by_anything(table, caplog):
    pairs = ParallelSentences([*pairs_of(table, Tokenizer("en"))], languages=CODES)
    model = trained(pairs_of(table, Tokenizer("en")), pairs)
    assert "in different ways" not in caplog.text
    assert model.tokenizers["en"] == Tokenizer("en")
    assert trained(pairs).tokenizers == dict.fromkeys(CODES)


# ---- saved, copied, damaged


@pytest.mark.parametrize("way", [pickle.dumps, copy.deepcopy])
def test_copies_remember(model, way):
    copied = pickle.loads(way(model)) if way is pickle.dumps else way(model)
    assert copied.tokenizers == model.tokenizers
    assert pickle.loads(pickle.dumps(model.wv)).tokenizers == model.tokenizers


def test_pickled_model_of_an_earlier_version_remembers_nothing(model):
    state = model.__getstate__()
    del state["tokenizers"]
    old = BilBOWA.__new__(BilBOWA)
    old.__setstate__(copy.deepcopy(state))
    assert not old.tokenizers


def test_saved_model_remembers(model):
    assert BilBOWA.load(model.path).tokenizers == {"en": Tokenizer("en"), "de": KEEPING}


@pytest.mark.parametrize("name", ["folder", "x.safetensors"])
def test_saved_vectors_remember(model, tmp_path, name):
    space = CrossLingualVectors(dict(model.wv), tokenizers={"en": Tokenizer("en"), "de": own})
    space.save(tmp_path / name)
    assert CrossLingualVectors.load(tmp_path / name).tokenizers == {
        "en": Tokenizer("en"), "de": "own",
    }  # fmt: skip


def test_refined_vectors_remember(model):
    assert model.refine(always=True).tokenizers == model.tokenizers


def test_model_can_be_loaded_where_the_package_of_a_tokenizer_is_missing(monkeypatch):
    document = {"zh": {"lang": "zh"}}
    monkeypatch.setitem(sys.modules, "jieba", None)
    ways = Tokenizers.of_document(document, ["zh"], "x")
    assert ways.document() == document
    with pytest.raises(ImportError, match="pip install jieba"):
        ways["zh"]


def test_all_parameters_of_a_tokenizer_are_saved():
    given = {"lang": "zh", "lowercase": False, "characters": True, "normalization": "NFKC",
             "diacritics": False}  # fmt: skip
    assert Tokenizers({"zh": Tokenizer(**given)}).document()["zh"].items() >= given.items()


BAD = [
    ([], "must map languages"),
    ({"fr": None}, "must map languages"),
    ({"en": "theirs"}, "parameters, 'own' or null"),
    ({"en": 1}, "parameters, 'own' or null"),
    ({"en": {"lang": "en", "command": "rm"}}, r"no parameters \['command'\]"),
    ({"en": {"lang": ["en"]}}, "lang must be a language code"),
    ({"en": {"lowercase": "yes"}}, "lowercase must be True or False"),
    ({"en": {"normalization": "x" * 999}}, "normalization must be"),
    ({"en": {"lang": "en", "characters": True}}, "'en' has spaces"),
]


@pytest.mark.parametrize(("entry", "message"), BAD)
def test_hostile_entries_of_a_model_are_refused(model, tmp_path, entry, message):
    with zipfile.ZipFile(model.path) as old, zipfile.ZipFile(tmp_path / "m", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "model.json":
                manifest = json.loads(data)
                manifest["model"]["tokenizers"] = entry
                data = json.dumps(manifest)
            new.writestr(name, data)
    with pytest.raises(FormatError, match=message):
        BilBOWA.load(tmp_path / "m")


@pytest.mark.parametrize(("entry", "message"), BAD)
def test_hostile_entries_of_a_folder_are_refused(model, tmp_path, entry, message):
    model.wv.save(tmp_path / "x")
    changed(tmp_path / "x", lambda manifest: manifest.update(tokenizers=entry))
    with pytest.raises(FormatError, match=rf"manifest\.json: .*{message}"):
        CrossLingualVectors.load(tmp_path / "x")


@pytest.mark.parametrize("text", ["{", "[]", '{"en": 1}', '{"en": null, "en": null}'])
def test_hostile_entries_of_a_safetensors_file_are_refused(model, tmp_path, text, monkeypatch):
    monkeypatch.setattr(Tokenizers, "document", lambda self: "PLACE")
    model.wv.save(tmp_path / "x.safetensors")
    data = (tmp_path / "x.safetensors").read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header["__metadata__"]["tokenizers"] = text
    new = json.dumps(header).encode()
    new += b" " * (-len(new) % 8)
    (tmp_path / "x.safetensors").write_bytes(
        len(new).to_bytes(8, "little") + new + data[8 + length :]
    )
    with pytest.raises(FormatError, match=r"x\.safetensors.*tokenizer"):
        CrossLingualVectors.load(tmp_path / "x.safetensors")


def test_what_splits_nothing_cannot_be_set(model):
    with pytest.raises(ConfigError, match="must be a Tokenizer"):
        copy.deepcopy(model).tokenizers["en"] = 5


# ---- commands


def asked(path, *words, text=None, options=()):
    result = run("translate", path, *words, "-n", 1, *options, text=text)
    return [line.split("\t")[0] for line in result.stdout.splitlines()], result.stderr


def test_phrases_are_split_as_the_text_was_and_that_is_said(model):
    words, log = asked(model.path, "E1! e2!")
    assert words == ["e1", "!", "e2", "!"]
    assert "'E1! e2!' is looked up as 'e1' '!' 'e2' '!'" in log


def test_lines_of_standard_input_are_split_as_the_text_was(model):
    words, log = asked(model.path, text="E1! e2\n\ne3\n")
    assert (words, log) == (["e1", "!", "e2", "e3"], "")


def cased(tmp_path, words, code="en"):
    space = {code: KeyedVectors(3), "x": KeyedVectors(3)}
    space[code].add_vectors(words, np.eye(3, dtype=np.float32)[: len(words)])
    space["x"].add_vectors(["a", "b", "c"], np.eye(3, dtype=np.float32))
    CrossLingualVectors(space).save(tmp_path / "v")
    return tmp_path / "v"


@pytest.mark.parametrize(
    ("code", "typed", "known"),
    [("en", "House", "house"), ("en", "nato", "NATO"), ("de", "straße", "Straße"),
     ("tr", "ISI", "ısı"), ("tr", "İZMİR", "izmir"), ("el", "ΣΟΦΙΑ", "σοφια")],
)  # fmt: skip
def test_word_that_is_unknown_for_its_case_alone_is_translated(tmp_path, code, typed, known):
    words, log = asked(cased(tmp_path, ["other", known], code), typed)
    assert words == [typed]
    assert log == f"bilbowa: {typed!r} is not in the {code!r} vocabulary; {known!r} is taken\n"


def test_case_of_a_word_is_said_once(tmp_path):
    words, log = asked(cased(tmp_path, ["house", "cat"]), text="House cat House nonsense")
    assert words == ["House", "cat", "House"]
    assert log.count("is taken") == 1


def test_most_frequent_of_several_cases_is_taken_and_a_known_word_stays(tmp_path):
    path = cased(tmp_path, ["March", "march", "may"])
    assert "'March' is taken" in asked(path, "MARCH")[1]
    assert asked(path, "march", "March") == (["march", "March"], "")


def test_neighbours_of_a_word_in_another_case_are_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    path = cased(tmp_path, ["house", "cat", "dog"])
    result = run("plot", path, "-o", tmp_path / "x.svg", "--kind", "neighbours", "--word", "House")
    assert result.exception is None
    assert "'house' is taken" in result.stderr


@pytest.fixture(scope="module")
def sides(table, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sides")
    for number, code in enumerate(CODES):
        lines = table.read_text(encoding="utf-8").splitlines()
        text = "".join(line.split("\t")[number] + "\n" for line in lines)
        (folder / code).write_text(text, encoding="utf-8")
    return [f"{code}={folder / code}" for code in CODES]


def test_sentences_are_split_as_the_text_was(model, sides, caplog):
    assert len(run("sentences", model.path, *sides).stdout.splitlines()) == 300
    assert "300 of 300 have no word" not in caplog.text
    run("sentences", model.path, *sides, "--no-tokenize")
    assert "300 of 300 have no word" in caplog.text


def test_evaluation_splits_sentences_as_the_text_was(model, sides):
    rows = run("evaluate", model.path, "--sentences", *sides, "--json").stdout.splitlines()
    assert json.loads(rows[0])["unknown"] == 0
    assert run("evaluate", model.path, "--sentences", *sides, "--no-tokenize").exception


def test_lexicon_counts_words_of_text_that_is_split_as_the_models(model, sides):
    def words(*options):
        shown = run("lexicon", model.path, "--parallel", *sides, "--method", "llr", *options)
        return {line.split("\t")[0] for line in shown.stdout.splitlines()}

    assert "e1" in words()
    assert "e1" not in words("--no-tokenize")


def test_update_splits_text_as_the_model_did(model, table, tmp_path, caplog):
    run("train", "-o", tmp_path / "m", "--update", model.path, "--pairs", f"en,de={table}", "-q",
        "--min-count", 1)  # fmt: skip
    assert "in different ways" not in caplog.text
    updated = BilBOWA.load(tmp_path / "m")
    assert updated.wv_de.index_to_key == model.wv_de.index_to_key
    assert updated.tokenizers == model.tokenizers


def test_function_of_the_users_own_cannot_be_applied_and_that_is_said_once(table, sides, tmp_path):
    trained(pairs_of(table, own)).save(tmp_path / "m")
    log = run("sentences", tmp_path / "m", *sides).stderr
    assert log.count("a function of the user's own has split the 'en' text") == 1
    for option in ("--tokenize", "--no-tokenize"):
        log = run("sentences", tmp_path / "m", *sides, option).stderr
        assert "a function of the user's own" not in log


def test_converted_vectors_and_their_description_have_the_tokenizers(model, tmp_path):
    run("convert", model.path, tmp_path / "x")
    for path in (model.path, tmp_path / "x"):
        facts = json.loads(run("info", path, "--json").stdout)
        assert facts["tokenizers"] == {"en": "Tokenizer('en')",
                                       "de": "Tokenizer('de', lowercase=False)"}  # fmt: skip
