"""Options that several commands have, and what is done with them."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa import ParallelSentences, Tokenizer
from gensim_bilbowa.corpora.kinds import reader_of
from gensim_bilbowa.corpora.many import files_of
from gensim_bilbowa.corpora.units import left_out
from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.files.filesystem import reachable
from gensim_bilbowa.formats.dispatch import FORMATS
from gensim_bilbowa.parameters import MOST_WORKERS
from gensim_bilbowa.tokenization.tokenizers import OWN, Split

__all__ = [
    "direction_options",
    "each_once",
    "errors_option",
    "markup_option",
    "min_score_option",
    "named",
    "parallel_options",
    "parallel_texts",
    "reading_options",
    "running_text",
    "says_markup",
    "text_files",
    "together",
    "tokenize_option",
    "tokenizers",
    "vectors_format",
    "whole_number",
    "workers_option",
    "wrong_usage",
]

_FILTERS = f"{__name__}.filters"
_SAID = f"{__name__}.said"
_TABLES = f"{__name__}.tables"
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
        return code, reachable(path)

    return [split(v) if isinstance(v, str) else tuple(split(part) for part in v) for v in value]


def each_once(option: str, files: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the files of an option by language, of which each may have one."""
    codes = [code for code, _ in files]
    if twice := sorted({code for code in codes if codes.count(code) > 1}):
        raise click.UsageError(f"{option} is given more than once for {twice}")
    return dict(files)


def together(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return what adds several options to a command."""

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


tokenize_option = click.option(
    "--tokenize/--no-tokenize", default=None,
    help="Split running text into lower-case tokens, or take it to have spaces between tokens. "
    "Default: as in the training of the model that is given, else as having spaces. Translation "
    "memories are always split.",
)  # fmt: skip


def _of_tables(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """Keep how tables are to be read for :func:`parallel_texts`, if it is said."""
    if value:
        ctx.meta.setdefault(_TABLES, {})[param.name] = value


def _columns(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Take numbers from 1 or names apart; in Python numbers are from 0."""
    if value is None:
        return
    names = [name.strip() for row in csv.reader([value]) for name in row]
    numbers = [int(name) for name in names if name.isdecimal() and name.isascii()]
    if len(names) > 2 or not all(names) or len(numbers) not in (0, 2) or 0 in numbers:
        raise click.BadParameter(
            "two columns are wanted, as 3,4 (counted from 1) or english,german (by the header), or "
            f"one key of JSON lines; got {value!r}"
        )
    if len(set(names)) != len(names):
        raise click.BadParameter(f"two different columns are wanted, got {value!r}")
    _of_tables(ctx, param, tuple(number - 1 for number in numbers) or tuple(names))


def _keep_markup(ctx: click.Context, param: click.Parameter, value: bool | None) -> None:
    """Keep what is to be done about mark-up for :func:`tokenizers`, if it is said."""
    ctx.meta[_MARKUP] = value


markup_option = click.option(
    "--markup/--no-markup", default=None, callback=_keep_markup, expose_value=False,
    help="Leave tags, entities, placeholders and access keys out of text that is split into "
    "tokens, or do not. Default: of translation files alone.",
)  # fmt: skip


parallel_options = together(
    click.option(
        "--parallel", "parallel", nargs=2, multiple=True, metavar="LANG=FILE LANG=FILE",
        callback=named, help="Two files that translate each other line by line. May be repeated.",
    ),
    click.option(
        "--pairs", "tables", multiple=True, metavar="LANG,LANG=FILE",
        help="One file with both sides: a translation file (TMX, XLIFF, Qt's TS, PO), or a table: "
        "lines with a tab or ||| between them, CSV, JSON lines; or a folder, a pattern in quotes "
        "or a zip archive of such files. May be repeated.",
    ),
    click.option(
        "--columns", metavar="A,B", callback=_columns, expose_value=False,
        help="Columns of the tables of --pairs, counted from 1, as 3,4, or by the names in their "
        "header or the keys of JSON lines, as english,german. Default: those that a header names "
        "by language or as source and target, else 1,2.",
    ),
    markup_option,
    click.option(
        "--skip-bad", is_flag=True, callback=_of_tables, expose_value=False,
        help="Leave out lines of tables that cannot be read, and of many files those that are "
        "damaged, and count them, where else the first one is an error.",
    ),
    tokenize_option,
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


direction_options = together(
    click.option("--from", "source", metavar="LANG", help="Default: the first language."),
    click.option("--to", "target", metavar="LANG", help="Default: the only other language."),
)

errors_option = click.option(
    "--errors", type=click.Choice(["strict", "replace", "ignore"]), default="strict",
    show_default=True, help="What to do about bytes that are not UTF-8.",
)  # fmt: skip

reading_options = together(errors_option, workers_option)


vectors_format = click.option(
    "--format", "kind", type=click.Choice(FORMATS),
    help="Of the word2vec files in a folder, or safetensors. Default: by the name, else text.",
)  # fmt: skip


def text_files(parallel: Any, tables: Iterable[str]) -> list[str]:
    """Return the files that --parallel and --pairs name; a folder stands for those in it."""
    files = [path for pair in parallel for _, path in pair]
    for _, path in map(_two_languages, tables):
        files += [path] if Path(path).exists() else files_of(path) or [path]
    return files


def _two_languages(text: str) -> tuple[list[str], str]:
    codes, equals, path = text.partition("=")
    if not equals or not path or codes.count(",") != 1:
        raise click.UsageError(
            f"--pairs: LANG,LANG=FILE is wanted, as in en,de=memory.tmx; got {text!r}"
        )
    return codes.split(","), reachable(path)


def tokenizers(
    languages: Iterable[str], tokenize: bool | None, known: Mapping[str, Any] | None = None, *,
    markup: bool = False,
) -> dict[str, Split]:  # fmt: skip
    """Return what splits the text of languages, where that is not at white space.

    Parameters
    ----------
    languages : iterable of str
    tokenize : bool or None
        As --tokenize says; None for what is known.
    known : Tokenizers, optional
        What has split the text of a model.
    markup : bool
        Whether mark-up is left out, if --markup does not say it.
    """
    said = click.get_current_context().meta.get(_MARKUP)
    if said and not tokenize and not known:
        raise click.UsageError(
            "--markup is for text that is split, --tokenize is wanted; mark-up of translation "
            "files is left out without it"
        )
    if tokenize is not None:
        markup = markup if said is None else said
        return {code: Tokenizer(code, markup=markup) for code in languages} if tokenize else {}
    ways = {code: way for code in languages if (way := (known or {}).get(code)) is not None}
    for code in [code for code, way in ways.items() if way == OWN]:
        del ways[code]
        warned = click.get_current_context().meta.setdefault(_SAID, set())
        if code not in warned:
            warned.add(code)
            click.echo(
                f"bilbowa: a function of the user's own has split the {code!r} text of the model "
                "and cannot be applied here; text should have spaces between its tokens "
                "(--no-tokenize), or is split by --tokenize",
                err=True,
            )
    return ways


def running_text(tokenize: bool | None) -> bool | None:
    """Return what --tokenize says, where text is to be split and rid of mark-up by default."""
    if tokenize is None:
        meta = click.get_current_context().meta
        meta[_MARKUP] = meta.get(_MARKUP) is not False
        return True
    return tokenize


def says_markup() -> bool:
    """Say whether --markup or --no-markup is given."""
    return click.get_current_context().meta.get(_MARKUP) is not None


def _split_of(
    codes: list[str], path: str, tokenize: bool | None, known: Mapping[str, Any] | None
) -> dict[str, Split]:
    """Return what splits the text of --pairs; translation files bring tokenizers of their own."""
    markup = click.get_current_context().meta.get(_MARKUP)
    if tokenize is markup is None and not known:
        return {}
    tables = [reader_of(file) is None for file in files_of(path) or [path]]
    if any(tables):
        return tokenizers(codes, tokenize, known, markup=not all(tables))
    if markup is False:
        return tokenizers(codes, tokenize=True)
    return tokenizers(codes, None, known) if tokenize is None and known else {}


def parallel_texts(
    parallel: Any, tables: Iterable[str], errors: str, tokenize: bool | None,
    known: Mapping[str, Any] | None = None,
) -> list[ParallelSentences]:  # fmt: skip
    """Return what --parallel and --pairs name, without the pairs that the limits leave out."""
    pairs = []
    options = click.get_current_context().meta.get(_TABLES, {})
    reading = {path: _that_fit(options, path) for _, path in map(_two_languages, tables)}
    for name in options:
        if not any(name in fitting for fitting in reading.values()):
            what = "tables" if name == "columns" else "tables or many files"
            raise click.UsageError(
                f"--{name.replace('_', '-')}: for {what} of --pairs, and there are none"
            )
    with wrong_usage():
        for (one, path), (other, other_path) in parallel:
            split = tokenizers((one, other), tokenize, known)
            pairs.append(
                ParallelSentences(
                    path, other_path, languages=(one, other), errors=errors, tokenizer=split
                )
            )
        for codes, path in map(_two_languages, tables):
            split = _split_of(codes, path, tokenize, known)
            pairs.append(
                ParallelSentences(
                    path, languages=codes, errors=errors, tokenizer=split, **reading[path]
                )
            )
    limits = click.get_current_context().meta.get(_FILTERS)
    if limits and not pairs:
        given = ", ".join(f"--{name.replace('_', '-')}" for name in limits)
        raise click.UsageError(f"{given}: for parallel text, and there is none")
    click.get_current_context().call_on_close(partial(_tell_what_files_gave, pairs))
    return [pair.filtered(**limits) for pair in pairs] if limits else pairs


def _that_fit(options: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Return the options of reading that fit a file, or some of many."""
    if not options:
        return {}
    files = files_of(path)
    if any(reader_of(file) is None for file in files or [path]):
        return dict(options)
    return {} if files is None else {k: v for k, v in options.items() if k == "skip_bad"}


def _tell_what_files_gave(pairs: Iterable[ParallelSentences]) -> None:
    """Say what came of many files: of all together, and of each with --verbose."""
    given = click.get_current_context().params
    if given.get("quiet"):
        return
    for text in pairs:
        reports = text.reports
        if not reports:
            continue
        if given.get("verbose"):
            for report in reports:
                click.echo(
                    f"{report.pairs:>9,}  {report.path}; left out: {left_out(report.dropped)}",
                    err=True,
                )
        click.echo(
            f"{'-'.join(text.languages)}: {sum(report.pairs for report in reports):,} pairs of "
            f"{len(reports):,} files, {sum(not report.pairs for report in reports):,} of them "
            f"without any; left out: {left_out(text.dropped)}",
            err=True,
        )
