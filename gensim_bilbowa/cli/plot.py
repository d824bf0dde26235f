"""``bilbowa plot``: a picture of a model, or a page to explore it."""

from __future__ import annotations

import logging
import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa import BilBOWA, CrossLingualVectors
from gensim_bilbowa.cli.models import is_vectors, open_vectors, two_languages
from gensim_bilbowa.cli.options import direction_options, tokenizers
from gensim_bilbowa.cli.outputs import check_output
from gensim_bilbowa.cli.paths import FilePath
from gensim_bilbowa.cli.words import Asked
from gensim_bilbowa.plotting import (
    PROJECTIONS,
    figure_format,
    plot_loss,
    plot_neighbours,
    plot_translations,
    save_figure,
    write_page,
)

__all__ = ["plot"]

_KINDS = ("translations", "neighbours", "loss")


@click.command()
@click.argument("vectors", type=FilePath())
@click.option(
    "-o",
    "--output",
    type=FilePath(),
    required=True,
    help="File to write: .png or .svg, or .html for a page to explore.",
)
@click.option("--kind", type=click.Choice(_KINDS), help="What to draw. Default: translations.")
@direction_options
@click.option("--word", help="The word in the middle of --kind neighbours.")
@click.option(
    "--words",
    type=click.IntRange(min=1),
    help="How many to draw. Default: 60 with their translations, 10 neighbours in each language, "
    "1000 of each language on a page.",
)
@click.option(
    "--method",
    type=click.Choice(PROJECTIONS),
    help="How vectors are projected. Default: tsne, of neighbours pca.",
)
@click.option("--seed", type=click.IntRange(min=0, max=2**32 - 1), default=1, show_default=True)
def plot(
    vectors: Path, output: Path, kind: str | None, source: str | None, target: str | None,
    word: str | None, words: int | None, method: str | None, seed: int,
) -> None:  # fmt: skip
    """Draw words and their translations, the neighbours of a word, or the losses of training.

    VECTORS is a trained model, or vectors that were saved by themselves; losses need a model.
    A page has all languages unless --from or --to is given. Pictures need the extra "plot":
    pip install 'gensim_bilbowa[plot]'.

    \b
    Example:
      bilbowa plot en-de.model -o map.png --words 100
      bilbowa plot en-de.model -o map.html
      bilbowa plot en-de.model -o dog.svg --kind neighbours --word dog
      bilbowa plot en-de.model -o loss.png --kind loss
    """  # noqa: D301 (\b tells click to keep the lines)
    page = output.suffix.lower() in (".html", ".htm")
    if page and kind is not None:
        raise click.UsageError(f"--kind {kind} is a figure: --output with .png or .svg is wanted")
    kind = kind or "translations"
    if (word is not None) != (kind == "neighbours"):
        raise click.UsageError("--kind neighbours needs --word, and no other kind has it")
    if kind == "neighbours" and target is not None:
        raise click.UsageError("--to is not for --kind neighbours, which draws all languages")
    if kind == "loss" and any(given is not None for given in (source, target, words, method)):
        raise click.UsageError("--kind loss takes no languages, words or method")
    if kind == "loss" and is_vectors(vectors):
        raise click.UsageError(f"--kind loss: a model is wanted, {vectors} holds vectors alone")
    check_output(output, [vectors])
    if not page:
        figure_format(output)
    # What takes long says what it does.
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    logging.getLogger("gensim_bilbowa.plotting").setLevel(logging.INFO)
    options: dict[str, Any] = {"n": words, "method": method}
    options = {name: value for name, value in options.items() if value is not None}
    try:
        if kind == "loss":
            save_figure(plot_loss(BilBOWA.load(vectors, mmap="r")), output)
        else:
            space = open_vectors(vectors)
            if page:
                chosen = source is not None or target is not None
                languages = two_languages(space, source, target) if chosen else None
                write_page(output, space, languages, seed=seed, **options)
            elif word is not None:
                language, word = _in_vocabulary(space, word, source)
                save_figure(plot_neighbours(space, word, language, seed=seed, **options), output)
            else:
                languages = two_languages(space, source, target)
                save_figure(plot_translations(space, *languages, seed=seed, **options), output)
    except ImportError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"saved to {output}", err=True)


def _in_vocabulary(
    space: CrossLingualVectors, word: str, source: str | None
) -> tuple[str | None, str]:
    """Return a word as the vocabulary of the first language writes it that has it."""
    codes = [source] if source else list(space)
    if any(word in space[code].key_to_index for code in codes):
        return source, word
    for code in codes:
        asked = Asked(space[code], partial(tokenizers, [code], None, space.tokenizers))
        words = asked.words(word)
        form = asked.known(words[0] if len(words) == 1 else word)
        if form in space[code].key_to_index:
            return code, form
    return source, word
