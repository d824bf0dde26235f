"""``bilbowa translate``: the nearest words of another language."""

from __future__ import annotations

import json
from functools import partial
from itertools import chain
from pathlib import Path

import click

from gensim_bilbowa.cli.models import open_vectors, standard_input, two_languages
from gensim_bilbowa.cli.options import (
    direction_options,
    errors_option,
    tokenize_option,
    tokenizers,
)
from gensim_bilbowa.cli.paths import FilePath
from gensim_bilbowa.cli.words import Asked
from gensim_bilbowa.errors import UnknownWordError
from gensim_bilbowa.vectors.keyed import WORD_METHODS

__all__ = ["translate"]


@click.command()
@click.argument("vectors", type=FilePath())
@click.argument("words", nargs=-1)
@direction_options
@click.option("-n", "--topn", type=click.IntRange(min=1), default=5, show_default=True)
@click.option(
    "--method",
    type=click.Choice(WORD_METHODS),
    help="Default: hybrid for words of the vocabulary where the model knows its training text, "
    "else csls.",
)
@tokenize_option
@errors_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a word.")
def translate(
    vectors: Path, words: tuple[str, ...], source: str | None, target: str | None, topn: int,
    method: str | None, tokenize: bool | None, errors: str, as_json: bool,
) -> None:  # fmt: skip
    """Translate words.

    VECTORS is a trained model, or vectors that were saved by themselves.

    Words are read from standard input if none are given. Text is split into words as that of the
    training was, and a word that is unknown but for its case is looked up in the case that is
    known, which is said. Each line of the output is a word, a translation and its score, separated
    by tabs. Exit code 1 says that some word is unknown.

    \b
    Example:
      bilbowa translate en-de.model house cat
      cut -f1 terms.tsv | bilbowa translate en-de.model --from de --to en
    """  # noqa: D301 (\b tells click to keep the lines)
    space = open_vectors(vectors)
    source, target = two_languages(space, source, target)
    words_of = space[source]
    asked = Asked(words_of, partial(tokenizers, [source], tokenize, space.tokenizers))
    known = words_of.aligned(target) is not None
    unknown = 0
    # An argument is a question by itself; of a text's lines it need not be said how they are split.
    typed = map(asked.typed, words) if words else map(asked.words, standard_input(errors))
    for word in chain.from_iterable(typed):
        form = asked.known(word)
        try:
            if not words_of.get_vector(form).any():  # of n-grams, and too short for one
                raise UnknownWordError(f"{form!r} has no vector in {source!r}, or one of zeros")
            usual = "hybrid" if known and form in words_of.key_to_index else "csls"
            found = words_of.most_similar_cross(form, topn, target, method or usual)  # type: ignore[arg-type]
        except UnknownWordError as error:
            click.echo(f"bilbowa: {error}", err=True)
            unknown += 1
            found = []
        if as_json:
            entry = {
                "word": word,
                "translations": [{"word": other, "score": score} for other, score in found],
            }
            click.echo(json.dumps(entry, ensure_ascii=False))
            continue
        for other, score in found:
            click.echo(f"{word}\t{other}\t{score:.4f}")
    if unknown:
        raise SystemExit(1)
