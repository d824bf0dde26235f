"""``bilbowa convert``: vectors in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gensim_bilbowa.cli.models import open_vectors
from gensim_bilbowa.cli.options import vectors_format
from gensim_bilbowa.cli.outputs import check_vectors
from gensim_bilbowa.cli.paths import FilePath

__all__ = ["convert"]


@click.command()
@click.argument("vectors", type=FilePath())
@click.argument("output", type=FilePath())
@vectors_format
@click.option(
    "--refine",
    is_flag=True,
    help="Refine the vectors first, by the translations that they find themselves, if that is "
    "better.",
)
def convert(vectors: Path, output: Path, kind: Any, refine: bool) -> None:
    """Write the vectors of a model, or of another format, to a folder or file.

    A folder has a word2vec file and one of counts for each language, which gensim, fastText, MUSE
    and VecMap read, and one of aligned words for each pair of languages; a file *.safetensors holds
    all.

    \b
    Example:
      bilbowa convert en-de.model en-de.safetensors
      bilbowa convert en-de.safetensors en-de.vectors --format binary
    """  # noqa: D301 (\b tells click to keep the lines)
    check_vectors(output, [vectors], kind)
    space = open_vectors(vectors)
    if refine:
        check_vectors(output, [vectors], kind, space)
        refined = space.refine()
        if refined is space:
            click.echo("not refined: not enough words would find each other", err=True)
        space = refined
    space.save(output, kind)
    click.echo(f"{space} saved to {output}", err=True)
