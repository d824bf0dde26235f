"""``bilbowa lexicon``: a dictionary from a trained model."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa.cli.models import open_vectors, two_languages
from gensim_bilbowa.cli.options import (
    direction_options,
    min_score_option,
    parallel_options,
    parallel_texts,
    reading_options,
    text_files,
    whole_number,
    wrong_usage,
)
from gensim_bilbowa.cli.outputs import check_output
from gensim_bilbowa.cli.paths import FilePath
from gensim_bilbowa.cli.reading_bar import show_reading
from gensim_bilbowa.evidence import SPELLING_WEIGHT
from gensim_bilbowa.lexicons import FORMATS, LEXICON_METHODS, extract_lexicon, file_format

__all__ = ["lexicon"]

_REFINE: dict[str, Any] = {"auto": "auto", "always": True, "never": False}


@click.command()
@click.argument("vectors", type=FilePath())
@direction_options
@click.option(
    "-o",
    "--output",
    type=FilePath(),
    help="File to write, .tsv, .csv or .tbx. Default: a table on standard output.",
)
@click.option("--format", "kind", type=click.Choice(FORMATS), help="Default: the file's suffix.")
@click.option(
    "--method",
    type=click.Choice(LEXICON_METHODS),
    default="hybrid",
    show_default=True,
    help="Score by vectors, by counts in parallel text, or by both and spelling.",
)
@click.option(
    "--mutual/--all",
    default=True,
    show_default=True,
    help="Only pairs in which each word is among the best of the other one.",
)
@whole_number("-n", "--topn", least=1, default=1, text="Most translations of a word.")
@min_score_option
@whole_number(
    "--min-count", least=1, default=1, text="Leave out words that are rarer, on both sides."
)
@click.option(
    "--spelling",
    type=click.FloatRange(min=0),
    default=SPELLING_WEIGHT,
    show_default=True,
    help="Weight of likeness in spelling; 0 leaves it out.",
)
@click.option(
    "--refine",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Refine the vectors first; auto if more words then find each other.",
)
@parallel_options
@whole_number(
    "--examples", least=0, default=0, text="Sentence pairs for each entry, from the parallel text."
)
@click.option(
    "--delimiter",
    metavar="TEXT",
    help="What joins the parts of multi-word terms in the vocabulary; shown as a space.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object an entry.")
@reading_options
def lexicon(
    vectors: Path, source: str | None, target: str | None, output: Path | None,
    kind: str | None, parallel: Any, tables: Any, tokenize: bool | None, errors: str,
    as_json: bool, refine: str, **options: Any,
) -> None:  # fmt: skip
    """Make a dictionary: for each word its translations, with scores.

    VECTORS is a trained model, or vectors that were saved by themselves.

    \b
    Example:
      bilbowa lexicon en-de.model -o words.tbx --parallel en=a.en de=a.de --examples 2
    """  # noqa: D301 (\b tells click to keep the lines)
    if as_json and (output is not None or kind is not None):
        raise click.UsageError("--json is for standard output, without --output or --format")
    if output is not None:
        check_output(output, [vectors, *text_files(parallel, tables)])
        with wrong_usage():
            kind = file_format(output, kind)
    elif kind == "tbx":
        raise click.UsageError("--format tbx needs a file: --output")
    if not (parallel or tables):
        for option, counts in (("--method llr", options["method"] == "llr"),
                               ("--examples", options["examples"])):  # fmt: skip
            if counts:
                raise click.UsageError(f"{option} is of parallel text: give --parallel or --pairs")
    space = open_vectors(vectors)
    languages = two_languages(space, source, target)
    show_reading()
    texts = parallel_texts(parallel, tables, errors, tokenize, space.tokenizers)
    found = extract_lexicon(
        space,
        *languages,
        parallel=texts or None,
        refine=_REFINE[refine],
        progress=sys.stderr.isatty(),
        **options,
    )
    if output is not None:
        found.save(output, kind)
        click.echo(f"{found} saved to {output}", err=True)
        return
    if as_json:
        for entry in found:
            click.echo(json.dumps(entry._asdict(), ensure_ascii=False))
        return
    found.write_table(sys.stdout, kind or "tsv")
