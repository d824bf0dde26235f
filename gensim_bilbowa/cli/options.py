"""Options that several commands have, and what is done with them."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa import ParallelSentences, Tokenizer
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.formats.dispatch import FORMATS, Format, format_of
from gensim_bilbowa.parameters import MOST_WORKERS

__all__ = [
    "check_folder",
    "check_output",
    "check_vectors",
    "direction_options",
    "errors_option",
    "leads_through",
    "markup_option",
    "min_score_option",
    "named",
    "pairs_files",
    "parallel_options",
    "parallel_texts",
    "reading_options",
    "tokenizers",
    "vectors_format",
    "whole_number",
    "workers_option",
    "wrong_usage",
]

_FILTERS = f"{__name__}.filters"
_MARKUP = f"{__name__}.markup"


@contextmanager
def wrong_usage() -> Iterator[None]:
    """Turn what is said of a parameter into what is said of wrong usage, with its exit code."""
    try:
        yield
    except ConfigError as error:
        raise click.UsageError(str(error)) from error


def named(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Split each LANG=FILE."""

    def split(text: str) -> tuple[str, str]:
        code, equals, path = text.partition("=")
        if not equals or not code or not path:
            raise click.BadParameter(f"LANG=FILE is wanted, as in en=text.en.gz; got {text!r}")
        return code, path

    return [split(v) if isinstance(v, str) else tuple(split(part) for part in v) for v in value]


def _together(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def add(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return add


workers_option = click.option(
    "--workers", type=click.IntRange(1, MOST_WORKERS),
    default=min(os.cpu_count() or 1, MOST_WORKERS), show_default="all cores",
)  # fmt: skip


def _finite(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"a number is wanted, got {value}")
    return value


def _filter(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """Keep a limit on pairs for :func:`parallel_texts`, if one is given."""
    limit = _finite(ctx, param, value)
    if limit:
        ctx.meta.setdefault(_FILTERS, {})[param.name] = limit


def _keep_markup(ctx: click.Context, param: click.Parameter, value: bool | None) -> None:
    """Keep what is to be done about mark-up for :func:`tokenizers`, if it is said."""
    ctx.meta[_MARKUP] = value


markup_option = click.option(
    "--markup/--no-markup", default=None, callback=_keep_markup, expose_value=False,
    help="Leave tags, entities, placeholders and access keys out of text that is split into "
    "tokens, or do not. Default: of translation files alone.",
)  # fmt: skip


parallel_options = _together(
    click.option(
        "--parallel", "parallel", nargs=2, multiple=True, metavar="LANG=FILE LANG=FILE",
        callback=named, help="Two files that translate each other line by line. May be repeated.",
    ),
    click.option(
        "--pairs", "tables", multiple=True, metavar="LANG,LANG=FILE",
        help="One file with both sides: a translation file (.tmx, .xlf, .xliff, .po), or "
        "lines with a tab between them. May be repeated.",
    ),
    click.option(
        "--tokenize", is_flag=True,
        help="Split running text into lower-case tokens. Translation memories always are, other "
        "files are taken to have spaces between tokens.",
    ),
    markup_option,
    click.option(
        "--max-ratio", type=click.FloatRange(min=1), callback=_filter, expose_value=False,
        help="Leave out pairs of which one side has more than so many times the other one's "
        "words.",
    ),
    click.option(
        "--max-words", type=click.IntRange(min=1), callback=_filter, expose_value=False,
        help="Leave out pairs of which one side has more words.",
    ),
    click.option(
        "--drop-duplicates", is_flag=True, callback=_filter, expose_value=False,
        help="Leave out pairs that were there before in the same text.",
    ),
    click.option(
        "--drop-identical", is_flag=True, callback=_filter, expose_value=False,
        help="Leave out pairs whose sides are the same.",
    ),
)  # fmt: skip


min_score_option = click.option(
    "--min-score", type=float, callback=_finite, help="Leave out pairs that score less."
)


def whole_number(*names: str, least: int, default: int, text: str) -> Callable[[Any], Any]:
    """Return an option that is a whole number."""
    return click.option(
        *names, type=click.IntRange(min=least), default=default, show_default=True, help=text
    )


direction_options = _together(
    click.option("--from", "source", metavar="LANG", help="Default: the first language."),
    click.option("--to", "target", metavar="LANG", help="Default: the only other language."),
)

errors_option = click.option(
    "--errors", type=click.Choice(["strict", "replace", "ignore"]), default="strict",
    show_default=True, help="What to do about bytes that are not UTF-8.",
)  # fmt: skip

reading_options = _together(errors_option, workers_option)


vectors_format = click.option(
    "--format", "kind", type=click.Choice(FORMATS),
    help="Of the word2vec files in a folder, or safetensors. Default: by the name, else text.",
)  # fmt: skip


def pairs_files(tables: Iterable[str]) -> list[str]:
    """Return the files that --pairs name."""
    return [path for _, path in map(_two_languages, tables)]


def _two_languages(text: str) -> tuple[list[str], str]:
    codes, equals, path = text.partition("=")
    if not equals or not path or codes.count(",") != 1:
        raise click.UsageError(
            f"--pairs: LANG,LANG=FILE is wanted, as in en,de=memory.tmx; got {text!r}"
        )
    return codes.split(","), path


def tokenizers(languages: Iterable[str], tokenize: bool) -> dict[str, Tokenizer] | None:
    """Return a tokenizer for each language, or None without --tokenize."""
    markup = click.get_current_context().meta.get(_MARKUP)
    if markup and not tokenize:
        raise click.UsageError(
            "--markup is for text that is split, --tokenize is wanted; mark-up of translation "
            "files is left out without it"
        )
    return {code: Tokenizer(code, markup=bool(markup)) for code in languages} if tokenize else None


def _of_table(codes: list[str], path: str, errors: str, tokenize: bool) -> ParallelSentences:
    """Return the pairs of one file; translation files bring tokenizers of their own."""
    split = tokenizers(codes, tokenize)
    pairs = ParallelSentences(path, languages=codes, errors=errors)
    if any(isinstance(own, Tokenizer) for own in pairs._splits):
        markup = click.get_current_context().meta.get(_MARKUP)
        split = tokenizers(codes, tokenize=True) if markup is False else None
    return ParallelSentences(path, languages=codes, errors=errors, tokenizer=split)


def parallel_texts(
    parallel: Any, tables: Iterable[str], errors: str, tokenize: bool
) -> list[ParallelSentences]:
    """Return what --parallel and --pairs name, without the pairs that the limits leave out."""
    pairs = []
    with wrong_usage():
        for (one, path), (other, other_path) in parallel:
            split = tokenizers((one, other), tokenize)
            pairs.append(
                ParallelSentences(
                    path, other_path, languages=(one, other), errors=errors, tokenizer=split
                )
            )
        for codes, path in map(_two_languages, tables):
            pairs.append(_of_table(codes, path, errors, tokenize))
    limits = click.get_current_context().meta.get(_FILTERS)
    if limits and not pairs:
        given = ", ".join(f"--{name.replace('_', '-')}" for name in limits)
        raise click.UsageError(f"{given}: for parallel text, and there is none")
    return [pair.filtered(**limits) for pair in pairs] if limits else pairs


def check_output(
    output: Path, inputs: Iterable[str | os.PathLike[str]], option: str = "--output"
) -> None:
    """Say before the work, not after, that its result cannot be saved as a file."""
    if output.is_dir():
        raise click.UsageError(f"{option} {output} is a folder; the name of a file is wanted")
    if output.exists() and not output.is_file():
        raise click.UsageError(f"{option} {output} is a device or pipe; a file is wanted")
    _check_place(output, inputs, option)


def check_vectors(
    output: Path, inputs: Iterable[str | os.PathLike[str]], kind: Format | None
) -> None:
    """Say before the work that vectors cannot be saved there in this format."""
    if format_of(output, kind) == "safetensors":
        check_output(output, inputs)
        return
    _check_place(output, inputs, "--output")
    if output.exists() and not output.is_dir():
        raise click.UsageError(f"--output {output} is a file; the name of a folder is wanted")


def check_folder(output: Path, inputs: Iterable[str | os.PathLike[str]]) -> None:
    """Say before the work that results cannot be written to a folder, which may be made for it."""
    place = output.absolute()
    there = next(folder for folder in (place, *place.parents) if folder.exists())
    if not there.is_dir():
        raise click.UsageError(f"--output {output}: {there} is a file; a folder is wanted")
    if not os.access(there, os.W_OK):
        raise click.UsageError(f"--output {output}: {there} is not writable")
    for given in inputs:
        if leads_through(output, given) or leads_through(given, output):
            raise click.UsageError(
                f"--output {output} is, holds or lies in the input {given}; another place is wanted"
            )


def _check_place(output: Path, inputs: Iterable[str | os.PathLike[str]], option: str) -> None:
    """Refuse a place that cannot be written to, or that an input has.

    An output that is one of the inputs, by whatever name or link, has one in it or lies in one is
    refused: a folder of vectors replaces files, and removes those that it does not need any more.
    """
    folder = output.absolute().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise click.UsageError(f"{option}: no such folder, or not writable: {output.parent}")
    for given in inputs:
        path = os.fspath(given).removeprefix("file://")
        inside, around = leads_through(output, path), leads_through(path, output)
        if inside and around:
            raise click.UsageError(f"{option} {output} is an input file, which it would replace")
        if inside or around:
            place = "lies in the input" if inside else "has in it the input file"
            raise click.UsageError(f"{option} {output} {place} {given}; another place is wanted")


def leads_through(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> bool:
    """Say whether a path, with all links followed, is the other one or leads through it."""
    inner, outer = (Path(os.path.realpath(place)) for place in (path, folder))
    return any(
        place == outer or (place.exists() and outer.exists() and place.samefile(outer))
        for place in (inner, *inner.parents)
    )
