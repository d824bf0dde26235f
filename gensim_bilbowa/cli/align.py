"""``bilbowa align``: vectors that were trained apart, joined by a dictionary."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gensim_bilbowa import align as align_vectors
from gensim_bilbowa.cli.options import errors_option, named, vectors_format
from gensim_bilbowa.cli.outputs import check_vectors
from gensim_bilbowa.cli.paths import FilePath
from gensim_bilbowa.formats import read_dictionary
from gensim_bilbowa.formats.word2vec import counts_beside, read_with_counts
from gensim_bilbowa.vectors.alignment import METHODS

__all__ = ["align"]


@click.command()
@click.argument("files", nargs=-1, required=True, callback=named, metavar="LANG=FILE LANG=FILE...")
@click.option(
    "-o",
    "--output",
    type=FilePath(),
    required=True,
    help="Folder to write, or a file *.safetensors.",
)
@click.option(
    "-d",
    "--dictionary",
    "dictionaries",
    multiple=True,
    metavar="FILE or LANG,LANG=FILE",
    help="Translation pairs, a source and a target word on each line, of the first two languages "
    "or those named. May be repeated. Default: words spelt alike.",
)
@click.option("--method", type=click.Choice(METHODS), default=METHODS[0], show_default=True)
@click.option("--lowercase", is_flag=True, help="Lower-case the dictionary.")
@click.option("--limit", type=click.IntRange(min=1), help="Read the first words of each file only.")
@click.option(
    "--refine", is_flag=True, help="Rotate again by the translations that are found, four times."
)
@vectors_format
@errors_option
def align(
    files: Any, output: Path, dictionaries: tuple[str, ...], method: Any, lowercase: bool,
    limit: int | None, refine: bool, kind: Any, errors: str,
) -> None:  # fmt: skip
    """Join word2vec or fastText vectors of several languages in one space.

    All are mapped onto the first language, by the pairs of a dictionary. The words' counts are
    read and kept where they stand beside a file, those of en.vec in en.counts.

    \b
    Example:
      bilbowa align en=wiki.en.vec de=wiki.de.vec -d en-de.txt -o en-de.vectors
    """  # noqa: D301 (\b tells click to keep the lines)
    codes = [code for code, _ in files]
    if len(codes) < 2 or len(set(codes)) < len(codes):
        raise click.UsageError(f"files of two or more languages are wanted, got {codes}")
    pairs: dict[tuple[str, str], list[str]] = {}
    for given in dictionaries:
        languages, equals, path = given.partition("=")
        one, _, other = languages.partition(",") if equals else (codes[0], ",", codes[1])
        if not {one, other} <= set(codes):
            raise click.UsageError(f"--dictionary {given}: two of the languages {codes} are wanted")
        pairs.setdefault((one, other), []).append(path if equals else given)
    inputs = [path for _, path in files]
    inputs += [str(counts) for counts in map(counts_beside, inputs) if counts is not None]
    inputs += [path for group in pairs.values() for path in group]
    check_vectors(output, inputs, kind, codes)
    read = {
        key: read_dictionary(*paths, lowercase=lowercase, errors=errors)
        for key, paths in pairs.items()
    }
    vectors = {code: read_with_counts(path, limit=limit, errors=errors) for code, path in files}
    space = align_vectors(vectors, read or None, method=method)
    if refine:
        # Re-weighting makes less of vectors that were trained apart.
        space = space.refine(reweight=0, always=True)
    space.save(output, kind)
    click.echo(f"{space} saved to {output}", err=True)
