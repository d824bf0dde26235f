"""``bilbowa train``: from text files to a saved model."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.cli.models import open_model
from gensim_bilbowa.cli.options import (
    each_once,
    named,
    parallel_options,
    parallel_texts,
    reading_options,
    text_files,
    together,
    tokenizers,
    wrong_usage,
)
from gensim_bilbowa.cli.outputs import check_output, leads_through
from gensim_bilbowa.cli.paths import FilePath
from gensim_bilbowa.cli.reading_bar import show_reading
from gensim_bilbowa.cli.reporting import progress
from gensim_bilbowa.cli.resuming import Resumable, resuming_options
from gensim_bilbowa.cli.teams import mpi_options, team_of
from gensim_bilbowa.corpora import Sentences
from gensim_bilbowa.corpora.kinds import text_of
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.files.documents import parse_json
from gensim_bilbowa.lexicons import file_format
from gensim_bilbowa.parameters import NGRAMS, PARAMETERS, check_parameters, check_values

__all__ = ["model_options", "monolingual_texts", "on_command_line", "text_option", "train"]

# What stands for no language, since every code has a letter or a digit.
_ALL = "*"
_OPTIONS = {name: parameter for name, parameter in PARAMETERS.items() if parameter.help}

# Of a model that is there: its arrays are of that size, its vocabularies settled.
_SETTLED = ("vector_size", "max_final_vocab")


def _languages(
    ctx: click.Context, param: click.Parameter, value: tuple[str, ...]
) -> bool | list[str]:
    return True if _ALL in value else list(value)


# One for each model parameter, with the model's default.
model_options = together(
    *(
        click.option(
            f"--{name.replace('_', '-')}",
            type=click.Choice(parameter.choices) if parameter.choices else parameter.kind,
            default=parameter.default, show_default=parameter.default is not None,
            help=parameter.help,
        )
        for name, parameter in _OPTIONS.items()
    ),
    click.option(
        "--subwords", multiple=True, is_flag=False, flag_value=_ALL, metavar="[LANG]",
        callback=_languages, help="Make word vectors of n-grams, as fastText, so that unseen words "
        "have some, too: in one language, or without LANG in all. May be repeated.",
    ),
)  # fmt: skip


text_option = click.option(
    "--text", "texts", multiple=True, metavar="LANG=FILE", callback=named,
    help="Monolingual text, a sentence a line, or a translation file, whose texts of LANG are "
    "taken. A language without learns from its side of the parallel text.",
)  # fmt: skip


def monolingual_texts(
    texts: Any, errors: str, tokenize: bool | None, known: Mapping[str, Any] | None = None
) -> dict[str, Sentences]:
    """Return what --text names."""
    files = each_once("--text", texts)
    split = tokenizers(files, tokenize, known)
    return {code: text_of(path, code, errors, split.get(code)) for code, path in files.items()}


def _read_parameters(ctx: click.Context, param: click.Parameter, path: Path | None) -> None:
    """Make the parameters of a file the defaults of the options."""
    if path is None:
        return
    try:
        found = parse_json(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise click.BadParameter(f"{path} is not JSON: {error}") from error
    if isinstance(found, dict) and isinstance(found.get("parameters"), dict):
        found = found["parameters"]
    if not isinstance(found, dict):
        raise click.BadParameter(f"{path}: an object is wanted, got {type(found).__name__}")
    if strange := sorted(set(found) - {*_OPTIONS, "subwords"}):
        raise click.BadParameter(f"{path}: no option sets {', '.join(map(repr, strange))}")
    try:
        found = check_values(found)  # which click would make fit: 3 of 3.7
    except ConfigError as error:
        raise click.BadParameter(f"{path}: {error}") from error
    if isinstance(found.get("subwords"), bool):
        found["subwords"] = [_ALL] * found["subwords"]
    ctx.default_map = {**(ctx.default_map or {}), **found}


@click.command()
@click.option(
    "-o",
    "--output",
    type=FilePath(),
    required=True,
    help="Where to save the model.",
)
@parallel_options
@text_option
@click.option(
    "--lexicon", type=FilePath(),
    help="Also write a dictionary, .tsv, .csv or .tbx, of the first two languages, with examples; "
    "for a list of terms see `bilbowa terms`.",
)  # fmt: skip
@click.option(
    "--update", type=FilePath(exists=True, dir_okay=False), metavar="MODEL",
    help="Go on with this model: learn the new words of the text, and new languages. Options that "
    "are not given are the model's.",
)  # fmt: skip
@click.option(
    "--lockf", type=click.FloatRange(min=0),
    help="With --update: factor on the updates of words that were there before. 0 keeps them.",
)  # fmt: skip
@click.option(
    "--start", "starts", multiple=True, metavar="LANG=FILE", callback=named,
    help="Start a language from vectors: a word2vec, fastText (.vec) or GloVe file.",
)  # fmt: skip
@click.option(
    "--start-vocabulary", "vocabulary", type=click.Choice(["start", "text"]), default="start",
    show_default=True, help="With --start: learn the words of that file, or those of the text.",
)  # fmt: skip
@click.option(
    "--freeze", multiple=True, metavar="LANG",
    help="Keep a language's vectors as they are, of --update or --start. May be repeated.",
)  # fmt: skip
@reading_options
@click.option(
    "--cache-dir", type=FilePath(file_okay=False),
    help="Folder to keep encoded text in, for later runs with the same files and vocabularies.",
)  # fmt: skip
@resuming_options
@mpi_options
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.option("-v", "--verbose", is_flag=True, help="Show the whole log.")
@click.option(
    "--parameters", type=FilePath(exists=True, dir_okay=False), is_eager=True,
    callback=_read_parameters, expose_value=False,
    help="JSON file of `bilbowa tune`, or an object of parameters, that takes the place of the "
    "defaults.",
)  # fmt: skip
@model_options
def train(
    output: Path, parallel: Any, tables: Any, tokenize: bool | None, texts: Any,
    lexicon: Path | None, update: Path | None, lockf: float | None, starts: Any, vocabulary: Any,
    freeze: Any, errors: str, workers: int, cache_dir: Path | None, minutes: float | None,
    resume: bool, mpi: bool, mpi_merges: int | None, mpi_bf16: bool, mpi_owners: bool | None,
    quiet: bool, verbose: bool, **parameters: Any,
) -> None:  # fmt: skip
    """Train a model on parallel and monolingual text.

    \b
    Files may be plain or packed: .gz, .bz2, .xz, .zst, .lz4. Example:
      bilbowa train -o en-de.model --parallel en=europarl.en.gz de=europarl.de.gz
      bilbowa train -o en-de.model --pairs en,de=memory.tmx --lexicon words.tsv
      bilbowa train -o newer.model --update en-de.model --pairs en,de=news.tsv
      bilbowa train -o en-fur.model --start en=wiki.en.vec --freeze en --pairs en,fur=both.tsv
      mpirun -n 8 bilbowa train -o en-de.model --parallel en=web.en.gz de=web.de.gz --mpi
    """  # noqa: D301 (\b tells click to keep the lines)
    team = team_of(mpi, mpi_merges, mpi_bf16, mpi_owners)

    def texts_as(known: Mapping[str, Any] | None) -> tuple[Any, Any]:
        pairs = parallel_texts(parallel, tables, errors, tokenize, known)
        return monolingual_texts(texts, errors, tokenize, known), pairs

    monolingual, pairs = texts_as(None)
    if not pairs:
        raise click.UsageError("parallel text is needed: --parallel or --pairs")
    begun_from = each_once("--start", starts)
    if update is not None and starts:
        raise click.UsageError("--update goes on with a model, --start begins one: give one")
    if lockf is not None and update is None:
        raise click.UsageError("--lockf is of the words of a model that is there: give --update")
    if freeze and update is None and not starts:
        raise click.UsageError("--freeze: of what --update or --start has, and neither is given")
    files = [*text_files(parallel, tables), *(path for _, path in (*texts, *starts))]
    files += [] if update is None else [str(update)]
    if not team.rank:  # which writes them
        check_output(output, files)
    if lexicon is not None:
        if not team.rank:
            check_output(lexicon, files, "--lexicon")
        with wrong_usage():
            file_format(lexicon)
    for option, other in (("--lexicon", lexicon), ("--cache-dir", cache_dir)):
        if other is not None and leads_through(other, output):
            raise click.UsageError(f"{option} {other} would be in the place of --output {output}")
    if update is None:
        with wrong_usage():
            check_parameters(parameters)
    callbacks = progress(quiet or team.rank > 0, verbose)
    if callbacks:
        show_reading()
    written = (minutes or resume) and not team.rank
    resumable = Resumable(output, minutes, resume) if written else None
    settings: dict[str, Any] = {"workers": workers, "cache_dir": cache_dir}
    with ExitStack() as stack:
        if resumable is not None:
            callbacks.append(resumable.checkpoint)
            stack.enter_context(resumable.training(team))
        begun = team.broadcast(
            resumable.checkpoint.folder if resumable is not None and resumable.begun else None
        )
        if begun is not None:
            model = BilBOWA.load(begun)
            vars(model).update(settings)
            if update is not None:
                monolingual, pairs = texts_as(open_model(update).tokenizers)
            model.train(monolingual, parallel=pairs, callbacks=callbacks, resume=True, team=team)
        elif update is not None:
            languages = {*monolingual, *(code for text in pairs for code in text.languages)}
            model = _opened(update, settings | on_command_line(parameters), languages)
            if strange := sorted(set(freeze).difference(model)):
                raise click.UsageError(
                    f"--freeze: {update} has no {strange}, it has {model.languages}"
                )
            monolingual, pairs = texts_as(model.tokenizers)
            model.build_vocab(
                monolingual, parallel=pairs, update=True, lockf=lockf, freeze=freeze, team=team
            )
            model.train(monolingual, parallel=pairs, freeze=freeze, callbacks=callbacks, team=team)
        elif starts:
            if "vector_size" not in on_command_line(parameters):
                del parameters["vector_size"]  # that of the start
            model = BilBOWA.from_models(
                begun_from, monolingual, parallel=pairs, vocabulary=vocabulary, freeze=freeze,
                callbacks=callbacks, team=team, **settings, **parameters,
            )  # fmt: skip
        else:
            model = BilBOWA(
                monolingual, parallel=pairs, callbacks=callbacks, team=team, **settings,
                **parameters,
            )  # fmt: skip
    if team.rank:
        return
    for languages, share in model.loss_history[-1]["translations"].items():
        click.echo(
            f"{languages}: {share:.0%} of the words asked are translated as in the parallel text",
            err=True,
        )
    model.save(output)
    click.echo(f"{model} saved to {output}", err=True)
    if resumable is not None:
        resumable.remove()
    if lexicon is not None:
        found = model.lexicon(*pairs[0].languages, parallel=pairs, examples=1)
        found.save(lexicon)
        click.echo(f"{found} saved to {lexicon}", err=True)


def on_command_line(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters that stand on the command line."""
    source = click.get_current_context().get_parameter_source
    return {
        name: value for name, value in parameters.items()
        if source(name) is not ParameterSource.DEFAULT
    }  # fmt: skip


def _opened(path: Path, settings: dict[str, Any], languages: set[str]) -> BilBOWA:
    """Load a model to be updated by text of some languages, and change its parameters."""
    model = open_model(path)
    for name in (*_SETTLED, *(NGRAMS if languages.issubset(model) else ())):
        if name in settings and settings[name] != vars(model)[name]:
            raise click.UsageError(
                f"--{name.replace('_', '-')}: that of the model stays when it is updated"
            )
    with wrong_usage():
        vars(model).update(check_parameters({**vars(model), **settings}))
    return model
