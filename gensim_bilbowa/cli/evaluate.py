"""``bilbowa evaluate``: how often the nearest words are translations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa.cli.opening import open_vectors, two_languages
from gensim_bilbowa.cli.options import parallel_options, parallel_texts, reading_options
from gensim_bilbowa.evaluation import invert, read_dictionary, word_translation
from gensim_bilbowa.lexicons import LEXICON_METHODS, count_pairs

__all__ = ["evaluate"]


@click.command()
@click.argument("vectors", type=click.Path(path_type=Path))
@click.option(
    "-d",
    "--dictionary",
    "dictionaries",
    multiple=True,
    required=True,
    metavar="FILE",
    help="Right translations, a source and a target word on each line. May be repeated.",
)
@click.option(
    "--from",
    "source",
    metavar="LANG",
    help="Of the first word on a line. Default: the first language.",
)
@click.option(
    "--to", "target", metavar="LANG", help="Of the second word. Default: the only other language."
)
@click.option(
    "--method",
    "methods",
    type=click.Choice(LEXICON_METHODS),
    multiple=True,
    help="May be repeated. Default: cosine and csls, and with parallel text llr and hybrid.",
)
@click.option("--lowercase", is_flag=True, help="Lower-case the dictionary.")
@parallel_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object a row.")
@reading_options
def evaluate(
    vectors: Path, dictionaries: tuple[str, ...], source: str | None, target: str | None,
    methods: tuple[Any, ...], lowercase: bool, parallel: Any, tables: Any, tokenize: bool,
    as_json: bool, errors: str, workers: int,
) -> None:  # fmt: skip
    """Translate the words of a dictionary in both directions, and compare.

    For each method and direction: the share of words with a right translation first (P@1) and
    among the first five (P@5), the mean reciprocal rank, the words asked, and their share of the
    dictionary. VECTORS is a trained model, or vectors that were saved by themselves.

    \b
    Example:
      bilbowa evaluate en-de.model --dictionary en-de.tsv --lowercase
    """  # noqa: D301 (\b tells click to keep the lines)
    space = open_vectors(vectors)
    one, other = two_languages(space, source, target)
    right = read_dictionary(*dictionaries, lowercase=lowercase, errors=errors)
    texts = parallel_texts(parallel, tables, errors, tokenize)
    counts = count_pairs(texts, space[one], space[other], workers=workers) if texts else None
    directions = (
        (one, other, right, counts),
        (other, one, invert(right), counts and counts.turned()),
    )
    usual = LEXICON_METHODS if texts else ("cosine", "csls")
    if not as_json:
        click.echo("method\tdirection\tP@1\tP@5\tMRR\twords\tcoverage")
    for method in methods or usual:
        for start, end, gold, counted in directions:
            score = word_translation(space[start], gold, lang=end, method=method, parallel=counted)
            row = {
                "method": method, "direction": f"{start}-{end}",
                "p_at_1": score.precision[1], "p_at_5": score.precision[5], "mrr": score.mrr,
                "words": score.words, "coverage": score.coverage,
            }  # fmt: skip
            if as_json:
                click.echo(json.dumps(row))
                continue
            shares = (f"{100 * row[n]:.1f}" for n in ("p_at_1", "p_at_5", "mrr"))
            cells = [method, row["direction"], *shares, row["words"], f"{100 * score.coverage:.1f}"]
            click.echo("\t".join(map(str, cells)))
