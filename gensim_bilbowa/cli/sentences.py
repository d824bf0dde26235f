"""``bilbowa sentences``: similar sentences of two languages, and translation pairs among them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa.cli.models import open_vectors, standard_input, two_languages
from gensim_bilbowa.cli.options import (
    errors_option,
    markup_option,
    min_score_option,
    named,
    tokenize_option,
    tokenizers,
    whole_number,
)
from gensim_bilbowa.cli.paths import FilePath
from gensim_bilbowa.cli.reading_bar import show_reading
from gensim_bilbowa.corpora.files import read_lines
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.vectors.counts import word_counts
from gensim_bilbowa.vectors.mining import MARGINS, mine
from gensim_bilbowa.vectors.points import nonzero
from gensim_bilbowa.vectors.retrieval import most_similar
from gensim_bilbowa.vectors.sentence_points import LEXICAL, compared

__all__ = ["sentences"]

_WEIGHTINGS = ("mean", "idf", "sif")


@click.command()
@click.argument("vectors", type=FilePath())
@click.argument("texts", nargs=2, callback=named, metavar="LANG=FILE LANG=FILE")
@click.option(
    "--mine",
    "mining",
    is_flag=True,
    help="Find the pairs that translate each other, each sentence in one at most.",
)
@whole_number(
    "-n",
    "--topn",
    least=1,
    default=1,
    text="Sentences to show for each of the first file, without --mine.",
)
@min_score_option
@click.option(
    "--margin",
    type=click.Choice(MARGINS),
    default="distance",
    show_default=True,
    help="How --mine scores a pair against its neighbours.",
)
@click.option(
    "--weighting",
    type=click.Choice(_WEIGHTINGS),
    default=_WEIGHTINGS[0],
    show_default=True,
    help="What weights the words of a sentence by their counts; mean takes all alike.",
)
@click.option(
    "--keep-common",
    is_flag=True,
    help="Keep what all sentences have in common, which is found by the words' counts.",
)
@click.option(
    "--lexical",
    type=click.FloatRange(0, 1),
    default=LEXICAL,
    show_default=True,
    metavar="SHARE",
    help="Share of the score that the words' translations have, where VECTORS has counts of "
    "aligned words; 0 takes the sentences' vectors alone.",
)
@tokenize_option
@markup_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a pair.")
@errors_option
def sentences(
    vectors: Path, texts: Any, mining: bool, topn: int, min_score: float | None, margin: Any,
    weighting: Any, keep_common: bool, lexical: float, tokenize: bool | None, as_json: bool,
    errors: str,
) -> None:  # fmt: skip
    """Find for each sentence of one text the nearest of another, or mine both for pairs.

    VECTORS is a trained model, or vectors that were saved by themselves. Each line of the output
    is a sentence, one of the other text and the score, separated by tabs; `bilbowa train --pairs`
    can read it. One FILE may be "-", for standard input.

    \b
    Example:
      bilbowa sentences en-de.model en=news.en de=news.de --mine --min-score 0.07 > pairs.tsv
    """  # noqa: D301 (\b tells click to keep the lines)
    (source, first), (target, second) = texts
    if first == second == "-":
        raise click.UsageError("standard input can be one of the texts, not both")
    space = open_vectors(vectors)
    two_languages(space, source, target)
    for code in (source, target):
        if word_counts(space[code]) is None and not (keep_common and weighting == "mean"):
            raise ConfigError(
                f"{vectors} has no counts of the words of {code!r}: pass --weighting mean "
                f"--keep-common, which need none (`bilbowa align` keeps those in {code}.counts "
                f"beside {code}.vec)"
            )
    show_reading()
    lines = [
        list(standard_input(errors) if path == "-" else read_lines(path, errors=errors))
        for path in (first, second)
    ]
    split = tokenizers((source, target), tokenize, space.tokenizers)
    tokens, other_tokens = (
        list(map(split.get(code, str.split), text))
        for code, text in zip((source, target), lines, strict=True)
    )
    asked, others = compared(
        space[source], space[target], tokens, other_tokens, weighting,
        remove_common=not keep_common, lexical=lexical,
    )  # fmt: skip
    if mining:
        pairs = mine(asked, others, margin=margin, min_score=min_score)
    else:
        known = nonzero(asked)  # others are counted in a warning
        pairs = [
            (row, other, score)
            for row, answer in enumerate(most_similar(asked, others, topn))
            if known[row]
            for other, score in answer
            if min_score is None or score >= min_score
        ]
    for row, other, score in pairs:
        left, right = (
            text[i].replace("\t", " ") for text, i in zip(lines, (row, other), strict=True)
        )
        if as_json:
            entry = {source: left, target: right, "score": score}
            click.echo(json.dumps(entry, ensure_ascii=False))
        else:
            click.echo(f"{left}\t{right}\t{score:.4f}")
