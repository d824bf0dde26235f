"""What the pages, docstrings and help texts say of defaults, limits and names is so."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import tomllib
from pathlib import Path

import click
import pytest
from gensim.models import Word2Vec

import gensim_bilbowa
from gensim_bilbowa import BilBOWA, terms
from gensim_bilbowa.callbacks import Checkpoint
from gensim_bilbowa.cli import cli, resuming
from gensim_bilbowa.cli import terms as terms_command
from gensim_bilbowa.corpora import files
from gensim_bilbowa.evaluation import classification, document_classification, ranks
from gensim_bilbowa.evidence import aligned, alignment_weights, evidence, spelling
from gensim_bilbowa.formats import folder
from gensim_bilbowa.lexicons import extract_lexicon, extraction
from gensim_bilbowa.parameters import NGRAMS, PARAMETERS
from gensim_bilbowa.plotting import drawing, plot_neighbours, plot_translations, write_page
from gensim_bilbowa.teams import team
from gensim_bilbowa.terminology import candidates, listing, scoring, termhood, vectors
from gensim_bilbowa.training import Settings, checkpoints, dealing, pulls, translations
from gensim_bilbowa.tuning import criteria, search, suggest
from gensim_bilbowa.vectors import align, mining, refine, refinement, sentence_points, sentences

TURNING = importlib.import_module("gensim_bilbowa.training.run")._TURNING
ROOT = Path(__file__).parents[1]
PAGES = {
    str(path.relative_to(ROOT)): path.read_text("utf-8")
    for path in (ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md")))
}
PROSE = {
    name: re.sub(r"^ *```.*?^ *```$|<!--.*?-->", "", text, flags=re.S | re.M)
    for name, text in PAGES.items()
}
IN_CODE = {name: re.findall(r"`([^`\n]+)`", text) for name, text in PROSE.items()}


def default(function, name):
    return inspect.signature(function).parameters[name].default


def written(text):
    """The value that stands in a text, as 20,000 or 1e-3 or 'mean'."""
    try:
        return ast.literal_eval(re.sub(r"(?<=\d),(?=\d{3})", "", text))
    except (ValueError, SyntaxError):
        return text


def callables():
    """All functions, classes and methods of the package, by their names."""
    found = {}
    for module in pkgutil.walk_packages(gensim_bilbowa.__path__, "gensim_bilbowa."):
        if module.name.endswith("__main__"):
            continue
        names = vars(importlib.import_module(module.name))
        for name in names.get("__all__", ()):
            made = names.get(name)
            if inspect.isclass(made):
                methods = inspect.getmembers(made, inspect.isroutine)
                found |= {f"{name}.{each}": method for each, method in methods if each[0] != "_"}
            if inspect.isclass(made) or inspect.isroutine(made):
                found[name] = made
    return found


CALLABLES = callables()


def parameters(function):
    try:
        return inspect.signature(function).parameters
    except (ValueError, TypeError):  # of gensim's compiled ones
        return {}


COMMANDS = {name: cli.get_command(click.Context(cli), name) for name in cli.list_commands(None)}


def test_parameters_of_the_constructor_are_those_of_the_table():
    calls = {"sentences", "corpus_file", "parallel", "trim_rule", "callbacks", "team"}
    signature = {
        name: parameter.default
        for name, parameter in inspect.signature(BilBOWA).parameters.items()
        if name not in calls
    }
    assert signature == {name: parameter.default for name, parameter in PARAMETERS.items()}
    assert all(type(signature[name]) is type(each.default) for name, each in PARAMETERS.items())


def test_documentation_of_the_constructor_has_each_parameter_of_the_table():
    section = inspect.getdoc(BilBOWA).split("Attributes\n---")[0]
    heads = re.findall(r"^\S.*?(?=(?: : .*)?$)", section, re.M)
    named = {name for head in heads for name in head.split(" : ")[0].split(", ")}
    assert named >= PARAMETERS.keys()


def test_settings_of_a_training_are_parameters_of_the_table():
    kinds = {name: field.type for name, field in Settings.__dataclass_fields__.items()}
    assert kinds == {name: PARAMETERS[name].kind.__name__ for name in kinds}


def test_defaults_of_the_table_are_values_of_their_parameters():
    assert all(
        each.check(name, each.default) == each.default
        for name, each in PARAMETERS.items()
        if each.default is not None
    )


def test_options_that_are_handed_on_are_all_those_of_the_function_that_takes_them():
    checked, wrong = 0, []
    for name, function in CALLABLES.items():
        for taker, said in re.findall(
            r"^\s*As for :func:`~?[\w.]*?(\w+)`: ((?:`\w+`|[,\s]|and )+)",
            inspect.getdoc(function) or "", re.M,
        ):  # fmt: skip
            checked += 1
            taken = [each.name for each in parameters(CALLABLES[taker]).values()
                     if each.kind is each.KEYWORD_ONLY]  # fmt: skip
            if re.findall(r"\w+(?=`)", said) != taken:
                wrong.append(f"{name}: options of {taker} are {taken}")
    assert not wrong, "\n".join(wrong)
    assert checked >= 3


def test_defaults_in_docstrings_are_those_of_the_signatures():
    checked, wrong = 0, []
    for name, function in CALLABLES.items():
        for names, said in re.findall(
            r"^\s*([\w, ]+) : .*, default (\S+)$", inspect.getdoc(function) or "", re.M
        ):
            for each in names.split(", "):
                checked += 1
                if default(function, each) != written(said):
                    wrong.append(f"{name}: {each} is {default(function, each)!r}, not {said}")
    assert not wrong
    assert checked > 8


@pytest.mark.parametrize(
    ("command", "function"),
    [
        ("train", BilBOWA),
        ("tune", suggest),
        ("lexicon", extract_lexicon),
        ("terms", terms),
        ("align", align),
        ("sentences", mining.mine),
        ("sentences", sentences.sentence_vectors),
        ("plot", plot_translations),
    ],
)
def test_defaults_of_options_are_those_of_functions(command, function):
    """But for the threads, of which a command takes all."""
    named = parameters(function)
    options = {
        option.name: option.default
        for option in COMMANDS[command].params
        if isinstance(option.default, int | float | str) and option.name != "workers"
    }
    both = options.keys() & named.keys()
    assert both
    assert {name: options[name] for name in both} == {name: named[name].default for name in both}


def test_command_that_trains_has_an_option_for_each_parameter():
    own = {"sentences", "corpus_file", "parallel", "hashfxn", "trim_rule", "sorted_vocab",
           "null_word", "compute_loss", "callbacks", "comment", "team", "workers", "subwords",
           "cache_dir"}  # fmt: skip
    wanted = parameters(BilBOWA).keys() - own
    assert wanted <= {option.name for option in COMMANDS["train"].params}


def test_help_of_pictures_tells_the_numbers_of_words():
    said = {option.name: option.help for option in COMMANDS["plot"].params}
    numbers = [default(f, "n") for f in (plot_translations, plot_neighbours, write_page)]
    assert re.findall(r"\d+", said["words"]) == list(map(str, numbers))
    methods = {default(f, "method") for f in (plot_translations, write_page)}
    assert said["method"].endswith(
        f"Default: {methods.pop()}, of neighbours {default(plot_neighbours, 'method')}."
    )
    assert not methods


def test_parameters_of_gensim_have_its_defaults_but_for_those_in_the_table():
    page = PROSE["docs/uses/from-gensim.md"]
    rows = re.findall(r"^\| `(\w+)` \| (\S+?),? [^|]*\| (\S+?),? [^|]*\|$", page, re.M)
    others = {name: (written(theirs), written(ours)) for name, theirs, ours in rows
              if name in parameters(BilBOWA) and name in parameters(Word2Vec)
              and isinstance(written(theirs), int | float)}  # fmt: skip
    both = parameters(BilBOWA).keys() & (parameters(Word2Vec).keys() - {"callbacks", "hashfxn"})
    differ = {
        name: (default(Word2Vec, name), default(BilBOWA, name))
        for name in both
        if default(Word2Vec, name) != default(BilBOWA, name)
    }
    assert differ == others
    said = re.search(r"^(`vector_size`.*?)are gensim's", page, re.M | re.S)
    assert set(re.findall(r"`(\w+)`", said[1])) <= both


def test_defaults_of_the_original_programs_table_are_the_models():
    page = PROSE["docs/uses/from-bilbowa.md"]
    rows = re.findall(r"^\|[^|]*\| `(\w+)`, ([\d.]+)[ ;|]", page, re.M)
    assert len(rows) > 8
    assert [(name, default(BilBOWA, name)) for name, _ in rows] == [
        (n, written(v)) for n, v in rows
    ]
    assert "`sample` of text and `xling_sample` of pairs, both 1e-3" in page
    assert default(BilBOWA, "sample") == default(BilBOWA, "xling_sample") == 1e-3


def test_defaults_that_were_measured_are_the_models():
    said = re.search(
        r"The defaults are those of `BilBOWA\(\)`:(.*?`)\.\n", PROSE["docs/parameters.md"], re.S
    )
    found = re.findall(r"`(\w+)=([^`]+)`", said[1])
    assert len(found) > 10
    assert {n: default(BilBOWA, n) for n, _ in found} == {n: written(v) for n, v in found}


def test_defaults_in_the_table_of_terms_are_those_of_terms():
    rows = re.findall(r"^\| `(\w+)` \| (\S[^|]*) \|", PROSE["docs/guide/terms.md"], re.M)
    in_words = {
        "none": None,
        "wordfreq": None,
        "trained": None,
        "all cores": None,
        "yes": True,
        "no": False,
    }
    found = {name: in_words.get(said, written(said)) for name, said in rows}
    assert found == {name: default(terms, name) for name in found}
    assert found.keys() == parameters(terms).keys() - {"source", "languages", "progress", "reading"}


def test_named_extras_exist():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].keys()
    sources = [path.read_text("utf-8") for path in (ROOT / "gensim_bilbowa").rglob("*.py")]
    for text in (*PAGES.values(), *sources):
        for named in re.findall(r"gensim[-_]bilbowa\[([\w,]+)\]", text):
            assert set(named.split(",")) <= extras
    shown = re.search(r"^Extras: (.*?)^\n", PAGES["README.md"], re.M | re.S)[1]
    assert set(re.findall(r"`(\w+)`", shown)) <= extras


# Of other programs, and of programs beside the package.
FOREIGN = {"docs/uses/from-muse-vecmap.md", "docs/uses/from-bilbowa.md", "docs/reproduce.md"}
FOREIGN_OPTIONS = {"--kill-on-bad-exit", "--export", "--no-build-isolation", "--install"}


def test_options_on_the_pages_are_options_of_the_command():
    known = {name for command in (cli, *COMMANDS.values()) for option in command.params
             for name in (*option.opts, *option.secondary_opts)}  # fmt: skip
    for page, spans in IN_CODE.items():
        found = {
            option for span in spans for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", span)
        }
        assert page in FOREIGN or found <= known | FOREIGN_OPTIONS, page
    for command in COMMANDS.values():
        text = " ".join(
            [
                command.help,
                *(
                    option.help or ""
                    for option in command.params[1:]
                    if isinstance(option, click.Option)
                ),
            ]
        )
        assert set(re.findall(r"(?<![\w-])--[a-z][\w-]*[a-z]", text)) <= known | {"--to"}


def test_keywords_on_the_pages_are_parameters():
    known = {name for function in CALLABLES.values() for name in parameters(function)}
    known |= set(NGRAMS)
    known |= {"GENSIM_BILBOWA_LEVEL", "OPENBLAS_NUM_THREADS", "DATA", "TESTS", "CC"}
    known |= {"en", "de", "fr", "es"}  # of LANG=FILE
    known |= {"class_weight"}  # scikit-learn's
    for page, spans in IN_CODE.items():
        found = {
            name
            for span in spans
            for name in re.findall(r"(?<![-\w\"'.])([A-Za-z_]\w*)=(?!=)", span)
        }
        assert found <= known, page


WORDS = {0.1: "a tenth", 0.25: "quarter", 0.5: "half", 1: "a", 2: "two", 3: "three", 4: "four",
         5: "five", 10: "ten"}  # fmt: skip


def word(number):
    return WORDS[round(number, 6)]


# Page, what stands there, and the constants that make it so.
FIGURES = [
    ("docs/guide/lexicons.md", "sentence pairs of about {} words",
     [word(extraction._EXAMPLE_WORDS)]),
    ("docs/guide/lexicons.md", "Where fewer than {} of a language's", [word(extraction._MOSTLY)]),
    ("docs/guide/terms.md", "sequences of one to {} words", [word(candidates.LONGEST)]),
    ("docs/guide/checkpoints.md", "The newest {} are kept", [word(default(Checkpoint, "keep"))]),
    ("docs/guide/checkpoints.md", "end within {} second", [word(checkpoints._PATIENCE_SECONDS)]),
    ("docs/parameters.md", "That is {} trials if nothing helps", [word(len(search._STEPS) + 1)]),
    ("docs/guide/machines.md", "with more than {} above the mean", [word(dealing._UNEVEN - 1)]),
    ("docs/how-it-works.md", "in the first {} of the run", [word(TURNING)]),
    ("docs/how-it-works.md", "the words' first {} letters", [word(spelling._STEM)]),
    ("docs/how-it-works.md", "Words with less than {} counts", [word(alignment_weights.LITTLE)]),
    ("docs/guide/training.md", "with fewer than {} there is no number",
     [word(translations._FEWEST_WORDS)]),
    ("SECURITY.md", "takes {} bytes for each word of the first one", [folder._ROW_BYTES]),
    ("docs/guide/pictures.md", "A figure has room for {:,} labels", [drawing._MOST_LABELS]),
    ("docs/guide/evaluation.md", "nothing beyond rank {}", [ranks.MRR_DEPTH]),
    ("docs/guide/evaluation.md", "from {} documents to all", [classification._SIZES[0]]),
    ("docs/guide/sentences.md", "`lexical=` sets the share of the words ({})",
     [sentence_points.LEXICAL]),
    ("docs/guide/text.md", "lines over {} MiB", [files._LONGEST_LINE >> 20]),
    ("docs/guide/alignment.md", "what has {:.0f}% more words", [100 * refinement._WORTH - 100]),
    ("docs/guide/lexicons.md", "{} times the likeness in spelling", [evidence.SPELLING_WEIGHT]),
    ("docs/guide/lexicons.md", r"${} \log(1 + a) + {}\,a / \sqrt{{bc}}$",
     [evidence._COUNT_WEIGHT, evidence._SHARE_WEIGHT]),
    ("docs/guide/machines.md", "At {} places for each rank", [team._MERGES]),
    ("docs/how-it-works.md", "$p_0 = {}$", [aligned._NULL]),
    ("docs/how-it-works.md", "times $e^{{{:.0f} s}}$", [aligned._LIKENESS]),
    ("docs/how-it-works.md", "keeps what is {} or more", [aligned._FLOOR]),
    ("docs/how-it-works.md", r"$a\,(a/m)^{{m/(m+{:.0f})}}$", [alignment_weights._SHARPNESS]),
    ("docs/how-it-works.md", r"\max_k a_{{jk}}\bigr)^{{{}}}", [pulls._RELATIVE]),
    ("docs/parameters.md", "A tenth of the sentence pairs, at most {:,}, is held out",
     [criteria._MOST_HELD_OUT]),
    ("docs/parameters.md", "the {:.0f}% bootstrap interval", [100 * default(suggest, "level")]),
    ("docs/guide/training.md", "counted in at most {:,} sentence pairs. At most {} of them",
     [translations._MOST_SENTENCES, translations._MOST_WORDS]),
    ("docs/guide/terms.md", r"{}\,\mathrm{{CSLS}} + {} \log(1 + a) + {}\,a / \sqrt{{bc}}",
     [scoring._CSLS_WEIGHT, evidence._COUNT_WEIGHT, evidence._SHARE_WEIGHT]),
    ("docs/guide/terms.md", r"\frac{{{:.0f}}}{{{:.0f} + g_i}}", [termhood._COMMON] * 2),
    ("docs/guide/terms.md", "are in `others`, five at most, from {:.0%} on",
     [listing._LEAST_OTHER_SHARE]),
    ("docs/guide/terms.md", "with {1} epochs up to {0:,}\npairs, {3} up to {2:,}, and {4} above",
     [n for pair in vectors._PAIRS_AND_EPOCHS for n in pair] + [vectors._FEWEST_EPOCHS]),
    ("docs/uses/term-list.md", "`--verbose` names all entries, else {} of each finding",
     [terms_command._MOST_REPORTED]),
    ("SECURITY.md", "all pairs together at most {} MiB\n  and {} times",
     [folder._LARGEST_ROWS >> 20, folder._ROWS_PER_BYTE]),
]  # fmt: skip


@pytest.mark.parametrize(("page", "text", "values"), FIGURES)
def test_figures_in_the_text_are_those_of_the_code(page, text, values):
    said = text.format(*values)
    assert " ".join(said.split()) in " ".join(PAGES[page].split())


@pytest.mark.parametrize(
    ("command", "said", "values"),
    [
        ("align", "by the translations that are found, {} times",
         [word(default(refine, "rounds"))]),
        ("evaluate", "its spread over {} draws",
         [word(len(default(document_classification, "seeds")))]),
        ("train", "every {:.0f}m unless --checkpoint-every says more", [resuming._DEFAULT_MINUTES]),
        ("train", "By default {} times for each process", [team._MERGES]),
    ],
)  # fmt: skip
def test_figures_in_the_help_are_those_of_the_code(command, said, values):
    options = (getattr(option, "help", None) or "" for option in COMMANDS[command].params)
    text = " ".join(" ".join([COMMANDS[command].help, *options]).split())
    assert said.format(*values) in text
