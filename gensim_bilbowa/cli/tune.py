"""``bilbowa tune``: parameters for a text that has no dictionary."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa.cli.options import (
    parallel_options,
    parallel_texts,
    reading_options,
    text_files,
    wrong_usage,
)
from gensim_bilbowa.cli.outputs import check_output
from gensim_bilbowa.cli.paths import FilePath
from gensim_bilbowa.cli.reporting import progress
from gensim_bilbowa.cli.train import model_options, monolingual_texts, on_command_line, text_option
from gensim_bilbowa.parameters import check_parameters
from gensim_bilbowa.tuning import CRITERIA, Trial, suggest
from gensim_bilbowa.tuning.suggestion import shown

__all__ = ["tune"]


@click.command()
@parallel_options
@text_option
@click.option(
    "--criterion", type=click.Choice(CRITERIA), default="words", show_default=True,
    help="Of sentence pairs that are held out: judge by translations of the words that go "
    "together most in them, or by retrieval of the sentences.",
)  # fmt: skip
@click.option(
    "--minutes", type=click.FloatRange(min=0), default=10.0, show_default=True,
    help="Time for all trials. The first one is always finished.",
)  # fmt: skip
@click.option("--trials", type=click.IntRange(min=1), help="Most trials. Default: no limit.")
@click.option(
    "-o", "--output", type=FilePath(),
    help="Write all trials as JSON, which `bilbowa train --parameters` reads.",
)  # fmt: skip
@reading_options
@click.option(
    "--cache-dir", type=FilePath(file_okay=False),
    help="Folder to keep encoded text in, so that not every trial reads it.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.option("-v", "--verbose", is_flag=True, help="Show the whole log.")
@model_options
def tune(
    parallel: Any, tables: Any, tokenize: bool | None, texts: Any, criterion: Any,
    minutes: float, trials: int | None, output: Path | None, errors: str, workers: int,
    cache_dir: Path | None, quiet: bool, verbose: bool, **parameters: Any,
) -> None:  # fmt: skip
    """Find parameters for a text, without a dictionary.

    Models are trained with one parameter after the other changed; a change is kept if it is better
    by more than luck. The trials, and at the end the options for `bilbowa train`, are written to
    standard output. Options of `bilbowa train` say where the search starts, and how all models are
    trained.

    \b
    Example:
      bilbowa tune --pairs en,de=memory.tmx --min-count 3 --minutes 5 -o best.json
      bilbowa train --pairs en,de=memory.tmx --parameters best.json -o en-de.model
    """  # noqa: D301 (\b tells click to keep the lines)
    pairs = parallel_texts(parallel, tables, errors, tokenize)
    if not pairs:
        raise click.UsageError("parallel text is needed: --parallel or --pairs")
    monolingual = monolingual_texts(texts, errors, tokenize)
    if output is not None:
        check_output(output, [*text_files(parallel, tables), *(path for _, path in texts)])
    with wrong_usage():
        check_parameters(parameters)
    given = on_command_line(parameters)
    rows: list[Trial] = []

    def show(trial: Trial) -> None:
        if not rows:
            click.echo("\t".join([*trial.parameters, "score", "gain", "better", "seconds"]))
        rows.append(trial)
        click.echo("\t".join(trial.cells()))

    found = suggest(
        monolingual, parallel=pairs, criterion=criterion, minutes=minutes, trials=trials,
        on_trial=show, callbacks=progress(quiet, verbose), workers=workers, cache_dir=cache_dir,
        **given,
    )  # fmt: skip
    if output is not None:
        found.save(output)
    chosen = {**given, **found.best.parameters}
    subwords = chosen.pop("subwords", [])
    options = [
        part
        for name, value in chosen.items()
        for part in (f"--{name.replace('_', '-')}", shown(value))
    ]
    # Without a language it must not stand before what would be taken for one.
    options += ["--subwords"] if subwords is True else [f"--subwords={code}" for code in subwords]
    click.echo(f"\n{shlex.join(options)}")
