"""``bilbowa reproduce``: the paper's experiments on open data."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa import reproduction
from gensim_bilbowa.cli.options import whole_number, workers_option
from gensim_bilbowa.cli.outputs import check_folder
from gensim_bilbowa.cli.paths import FilePath

__all__ = ["reproduce"]


@click.command()
@click.argument("data", type=FilePath())
@click.option(
    "-o", "--output", type=FilePath(),
    default=Path("build/reproduce"), show_default=True, help="Folder for tables and results.",
)  # fmt: skip
@click.option(
    "--only", type=click.Choice(reproduction.PARTS), help="The only part to be done. Default: all."
)
@whole_number(
    "--seeds", least=1, default=3, text="Trainings of each system that depends on chance."
)
@click.option("--quick", is_flag=True, help="Look whether all works: short trainings, a text each.")
@click.option("--all", "extra", is_flag=True, help="Also English-French, and more languages.")
@click.option("--fresh", is_flag=True, help="Do anew what is there.")
@workers_option
def reproduce(
    data: Path, output: Path, only: Any, seeds: int, quick: bool, extra: bool, fresh: bool,
    workers: int,
) -> None:  # fmt: skip
    """Run the experiments of the paper, and print their tables beside the paper's.

    DATA is a folder with the texts, dictionaries and documents that the documentation's page on
    reproduction lists; what has no files there is left out, and said to be. Each result is written
    at once: after Ctrl-C the same command goes on where it was. The tables are also written to the
    output folder, as Markdown and as JSON. It needs the extra "baselines".

    \b
    Example:
      bilbowa reproduce ../shared/data --quick
      bilbowa reproduce ../shared/data -o build/reproduce --only translation
    """  # noqa: D301 (\b tells click to keep the lines)
    check_folder(output, [data])
    output.mkdir(parents=True, exist_ok=True)
    # The bar stays alone on the terminal; what is left out of texts is read here.
    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(message)s", filename=output / "log.txt"
    )
    logging.getLogger("gensim").setLevel(logging.WARNING)
    try:
        found = reproduction.reproduce(
            data, output, only=only, seeds=seeds, workers=workers, quick=quick, extra=extra,
            fresh=fresh, progress=sys.stderr.isatty(),
        )  # fmt: skip
    except ImportError as error:
        raise click.ClickException(str(error)) from error
    for tables in found.tables.values():
        click.echo(reproduction.markdown(tables))
    for line in found.left_out:
        click.echo(f"left out: {line}", err=True)
    click.echo(f"saved to {found.folder}", err=True)
