"""``bilbowa translate``: the nearest words of another language."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import click

from gensim_bilbowa.cli.opening import open_vectors, standard_input, two_languages
from gensim_bilbowa.cli.options import direction_options, errors_option
from gensim_bilbowa.errors import UnknownWordError
from gensim_bilbowa.vectors.keyed import WORD_METHODS

__all__ = ["translate"]


@click.command()
@click.argument("vectors", type=click.Path(path_type=Path))
@click.argument("words", nargs=-1)
@direction_options
@click.option("-n", "--topn", type=click.IntRange(min=1), default=5, show_default=True)
@click.option(
    "--method",
    type=click.Choice(WORD_METHODS),
    help="Default: hybrid for words of the vocabulary where the model knows its training text, "
    "else csls.",
)
@errors_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a word.")
def translate(
    vectors: Path, words: tuple[str, ...], source: str | None, target: str | None, topn: int,
    method: str | None, errors: str, as_json: bool,
) -> None:  # fmt: skip
    """Translate words.

    VECTORS is a trained model, or vectors that were saved by themselves.

    Words are read from standard input if none are given. Each line of the output is a word, a
    translation and its score, separated by tabs. Exit code 1 says that some word is unknown.

    \b
    Example:
      bilbowa translate en-de.model house cat
      cut -f1 terms.tsv | bilbowa translate en-de.model --from de --to en
    """  # noqa: D301 (\b tells click to keep the lines)
    space = open_vectors(vectors)
    source, target = two_languages(space, source, target)
    words_of = space[source]
    known = words_of.aligned(target) is not None
    unknown = 0
    given: Iterable[str] = words or (
        word for line in standard_input(errors) for word in line.split()
    )
    for word in given:
        try:
            if not words_of.get_vector(word).any():  # of n-grams, and too short for one
                raise UnknownWordError(f"{word!r} has no vector in {source!r}, or one of zeros")
            usual = "hybrid" if known and word in words_of.key_to_index else "csls"
            found = words_of.most_similar_cross(word, topn, target, method or usual)  # type: ignore[arg-type]
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
