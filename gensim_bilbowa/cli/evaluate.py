"""``bilbowa evaluate``: measures of the vectors, with their intervals."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa import CrossLingualVectors, LineCorpus
from gensim_bilbowa.cli.models import open_vectors, two_languages
from gensim_bilbowa.cli.options import (
    named,
    parallel_options,
    parallel_texts,
    reading_options,
    tokenizers,
)
from gensim_bilbowa.cli.paths import FilePath
from gensim_bilbowa.cli.reading_bar import show_reading
from gensim_bilbowa.evaluation import (
    Documents,
    document_classification,
    invert,
    read_dictionary,
    read_documents,
    sentence_retrieval,
    word_similarity,
    word_translation,
)
from gensim_bilbowa.evaluation.case import CASES
from gensim_bilbowa.evaluation.ranks import RankedScore
from gensim_bilbowa.lexicons import LEXICON_METHODS, count_pairs
from gensim_bilbowa.tokenization.tokenizers import Split
from gensim_bilbowa.vectors.retrieval import METHODS

__all__ = ["evaluate"]

_METHODS = ("cosine", "csls")
# What a row of a measure is, for a program, and the titles of the columns that people see.
Row = dict[str, Any]
_TITLES = {
    "method": "method", "direction": "direction", "languages": "languages", "file": "file",
    "size": "size", "p_at_1": "P@1", "p_at_1_interval": "95%", "p_at_5": "P@5", "mrr": "MRR",
    "spearman": "Spearman", "accuracy": "accuracy", "accuracy_interval": "95%",
    "spearman_interval": "95%", "spread": "spread", "majority": "majority", "words": "words",
    "sentences": "sentences", "pairs": "pairs", "coverage": "coverage", "unknown": "unknown",
    "unknown_train": "unknown in training", "unknown_test": "unknown in test",
}  # fmt: skip


@click.command()
@click.argument("vectors", type=FilePath())
@click.option(
    "-d",
    "--dictionary",
    "dictionaries",
    multiple=True,
    metavar="FILE",
    help="Word translation: a source and a target word on each line. May be repeated.",
)
@click.option(
    "--from",
    "source",
    metavar="LANG",
    help="Of the first word on a line of the dictionary. Default: the first language.",
)
@click.option(
    "--to", "target", metavar="LANG", help="Of the second word. Default: the only other language."
)
@click.option(
    "--method",
    "methods",
    type=click.Choice(LEXICON_METHODS),
    multiple=True,
    help="Of word translation and, if it counts no words, of sentence retrieval. May be repeated. "
    "Default: cosine and csls, and with parallel text llr and hybrid.",
)
@click.option(
    "--similarity",
    multiple=True,
    metavar="LANG[,LANG]=FILE",
    callback=named,
    help="Word similarity: on each line two words, of one language or of two, and how similar "
    "people find them. May be repeated.",
)
@click.option(
    "--sentences", "texts", nargs=2, multiple=True, metavar="LANG=FILE LANG=FILE", callback=named,
    help="Sentence retrieval: two files that translate each other line by line. May be repeated.",
)  # fmt: skip
@click.option(
    "--documents", nargs=2, multiple=True, metavar="LANG=TRAIN LANG=TEST", callback=named,
    help="Document classification: labelled documents to learn from, and others to be told; a file "
    "with columns each, or a folder with a sub-folder a class. May be repeated.",
)  # fmt: skip
@click.option(
    "--document-columns", "columns", nargs=2, default=("text", "category"), show_default=True,
    metavar="TEXT LABEL", help="Columns of the files with documents.",
)  # fmt: skip
@click.option(
    "--case",
    type=click.Choice(CASES),
    default="exact",
    show_default=True,
    help="How words of dictionaries and word pairs are looked up: as they are written, "
    "lower-cased, or as they are written and else lower-cased.",
)
@click.option("--lowercase", "case", flag_value="lower", help="The same as --case lower.")
@parallel_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object a row.")
@reading_options
def evaluate(
    vectors: Path, dictionaries: tuple[str, ...], source: str | None, target: str | None,
    methods: tuple[Any, ...], similarity: Any, texts: Any, documents: Any,
    columns: tuple[str, str], case: Any, parallel: Any, tables: Any, tokenize: bool | None,
    as_json: bool, errors: str, workers: int,
) -> None:  # fmt: skip
    """Measure the vectors of a model by what they are for, with 95% intervals.

    Words of a dictionary and sentences are translated in both directions: the share with a right
    translation first (P@1) and among the first five (P@5), and the mean reciprocal rank. Word
    pairs: the rank correlation with people's judgements. Documents: the accuracy of a classifier
    that learned from so many documents of the one language in the other, its spread over ten
    draws, and what the most frequent label has. Shares are in percent; with --json from 0 to 1.
    VECTORS is a trained model, or vectors that were saved by themselves.

    \b
    Examples:
      bilbowa evaluate en-de.model --dictionary en-de.tsv --lowercase
      bilbowa evaluate en-de.model --sentences en=test.en de=test.de \\
          --documents en=train.en.tsv de=test.de.tsv --similarity en,de=similar.tsv
    """  # noqa: D301 (\b tells click to keep the lines)
    if not (dictionaries or similarity or texts or documents):
        raise click.UsageError(
            "nothing to measure by: --dictionary, --similarity, --sentences or --documents is "
            "wanted"
        )
    space = open_vectors(vectors)
    show_reading()

    def tokenizer(code: str) -> Split | None:
        return tokenizers([code], tokenize, space.tokenizers).get(code)

    def read_sentences(code: str, path: str) -> list[list[str]]:
        return list(LineCorpus(path, errors=errors, tokenizer=tokenizer(code)))

    def read_labelled(code: str, path: str) -> Documents:
        text, label = columns
        return read_documents(
            path, text=text, label=label, tokenizer=tokenizer(code), errors=errors
        )

    measures: dict[str, Iterable[Row]] = {}
    if dictionaries:
        one, other = two_languages(space, source, target)
        right = read_dictionary(*dictionaries, errors=errors)
        pairs = parallel_texts(parallel, tables, errors, tokenize, space.tokenizers)
        counts = count_pairs(pairs, space[one], space[other], workers=workers) if pairs else None
        chosen = methods or (LEXICON_METHODS if pairs else _METHODS)
        measures["translation"] = _translation(space, one, other, right, chosen, counts, case)
    if similarity:
        measures["similarity"] = _similarity(space, similarity, case)
    if texts:
        by_vectors = [method for method in methods if method in METHODS] or _METHODS
        measures["sentences"] = _sentences(space, texts, by_vectors, read_sentences)
    if documents:
        measures["documents"] = _documents(space, documents, read_labelled)
    try:
        for number, (measure, rows) in enumerate(measures.items()):
            if number and not as_json:
                click.echo()
            _show(measure, rows, as_json)
    except ImportError as error:
        raise click.ClickException(str(error)) from error


def _show(measure: str, rows: Iterable[Row], as_json: bool) -> None:
    """Write rows as they come, of one measure."""
    for number, row in enumerate(rows):
        if as_json:
            click.echo(json.dumps({"measure": measure, **row}, ensure_ascii=False))
            continue
        if not number:
            click.echo("\t".join(_TITLES[name] for name in row))
        click.echo("\t".join(map(_cell, row.values())))


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, tuple):
        return " to ".join(map(_cell, value))
    return f"{100 * value:.1f}" if isinstance(value, float) else str(value)


def _interval(score: Any, questions: int) -> Any:
    return score.interval() if questions > 1 else None


def _ranked(score: RankedScore) -> Row:
    return {
        "p_at_1": score.precision[1], "p_at_1_interval": _interval(score, len(score.ranks)),
        "p_at_5": score.precision[5], "mrr": score.mrr,
    }  # fmt: skip


def _translation(
    space: CrossLingualVectors, one: str, other: str, right: Any, methods: Iterable[Any],
    counts: Any, case: Any,
) -> Iterator[Row]:  # fmt: skip
    directions = (
        (one, other, right, counts),
        (other, one, invert(right), counts and counts.turned()),
    )
    for method in methods:
        for start, end, gold, counted in directions:
            score = word_translation(
                space[start], gold, lang=end, method=method, parallel=counted, case=case
            )
            yield {
                "method": method, "direction": f"{start}-{end}", **_ranked(score),
                "words": score.words, "coverage": score.coverage,
            }  # fmt: skip


def _similarity(space: CrossLingualVectors, files: Any, case: Any) -> Iterator[Row]:
    for codes, path in files:
        first, *others = codes.split(",")
        if len(others) > 1:
            raise click.UsageError(f"--similarity: one or two languages are wanted, got {codes!r}")
        score = word_similarity(space[first], space[others[0]] if others else None, path, case=case)
        yield {
            "languages": codes, "file": path, "spearman": score.spearman,
            "spearman_interval": _interval(score, score.pairs), "pairs": score.pairs,
            "coverage": score.coverage,
        }  # fmt: skip


def _sentences(
    space: CrossLingualVectors, texts: Any, methods: Iterable[Any], read: Callable[..., Any]
) -> Iterator[Row]:
    for sides in texts:
        (one, first), (other, second) = [(code, read(code, path)) for code, path in sides]
        for method in methods:
            for start, end, asked, right in (
                (one, other, first, second),
                (other, one, second, first),
            ):
                score = sentence_retrieval(space[start], space[end], asked, right, method=method)
                yield {
                    "method": method, "direction": f"{start}-{end}", **_ranked(score),
                    "sentences": score.sentences, "unknown": score.unknown,
                }  # fmt: skip


def _documents(space: CrossLingualVectors, pairs: Any, read: Callable[..., Any]) -> Iterator[Row]:
    for (one, train), (other, test) in pairs:
        scores = document_classification(
            space[one], space[other], read(one, train), read(other, test)
        )
        for score in scores:
            yield {
                "direction": f"{one}-{other}", "size": score.size, "accuracy": score.mean,
                "accuracy_interval": _interval(score, len(score.hits)), "spread": score.spread,
                "majority": score.majority, "unknown_train": score.unknown[0],
                "unknown_test": score.unknown[1],
            }  # fmt: skip
