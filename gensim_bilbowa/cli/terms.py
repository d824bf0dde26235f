"""``bilbowa terms``: a term list from translation files."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa.cli.models import open_vectors
from gensim_bilbowa.cli.options import (
    each_once,
    min_score_option,
    named,
    parallel_options,
    parallel_texts,
    reading_options,
    running_text,
    says_markup,
    text_files,
    whole_number,
    wrong_usage,
)
from gensim_bilbowa.cli.outputs import check_output
from gensim_bilbowa.cli.paths import FilePath
from gensim_bilbowa.cli.reading_bar import show_reading
from gensim_bilbowa.cli.reporting import progress
from gensim_bilbowa.corpora.units import left_out
from gensim_bilbowa.terminology import FORMATS, TermList, file_format
from gensim_bilbowa.terminology import terms as find_terms

__all__ = ["terms"]

# Entries of a glossary that are named of each finding, without --verbose.
_MOST_REPORTED = 20


def _codes(ctx: click.Context, param: click.Parameter, value: str | None) -> Any:
    """Take --languages apart."""
    if value is None:
        return None
    codes = [code.strip() for code in value.split(",")]
    if len(codes) != 2 or not all(codes) or codes[0] == codes[1]:
        raise click.BadParameter(f"two different codes are wanted, as en,de; got {value!r}")
    return codes[0], codes[1]


@click.command()
@click.argument("sources", nargs=-1, metavar="FILES...")
@click.option(
    "--languages", metavar="LANG,LANG", callback=_codes,
    help="Source and target, as en,de. Default: those of the first --parallel or --pairs.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=FilePath(),
    help="File to write. Default: a table on standard output.",
)  # fmt: skip
@click.option(
    "--format", "kind", type=click.Choice(FORMATS),
    help="Default: by the file's suffix: .tbx (version 3), .martif (TBX of 2008), .csv, .tsv, "
    ".xlsx, .utf8 or .txt (a glossary of OmegaT), .json, .html (a page to check terms by).",
)  # fmt: skip
@click.option(
    "--excel", is_flag=True, help="Write .csv or .tsv for Excel: with its marks, and no formulas."
)
@click.option(
    "--model", type=FilePath(),
    help="Vectors to use; if nothing is there, where to save the model that is trained.",
)  # fmt: skip
@click.option(
    "--general", multiple=True, metavar="LANG=FILE", callback=named,
    help="Text of a language in general, or its words with their counts, a line each. Default: "
    "what the package wordfreq knows, if it is installed.",
)  # fmt: skip
@click.option(
    "--glossary", type=FilePath(exists=True, dir_okay=False),
    help="Known terms, as TBX, table or PO: mark them, report what the text contradicts, and how "
    "many of them were found.",
)  # fmt: skip
@click.option(
    "--all", "all_", is_flag=True,
    help="Also list words of any text, parts of phrases, and what is not sure or rare.",
)  # fmt: skip
@click.option(
    "--group/--no-group", default=True, show_default=True,
    help="List inflected forms together, under the most frequent one.",
)  # fmt: skip
@click.option(
    "--inconsistent", is_flag=True,
    help="List terms first that are translated in more than one way.",
)  # fmt: skip
@whole_number("-n", "--topn", least=1, default=3, text="Most translations of a term.")
@whole_number(
    "--min-count", least=1, default=2, text="Times that a term stands in the text, on both sides."
)
@min_score_option
@whole_number("--examples", least=0, default=2, text="Units to show with each translation.")
@parallel_options
@reading_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object a term.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.option("-v", "--verbose", is_flag=True, help="Show the whole log.")
def terms(
    sources: tuple[str, ...], languages: tuple[str, str] | None, output: Path | None,
    kind: str | None, excel: bool, model: Path | None, general: Any, glossary: Path | None,
    all_: bool, parallel: Any, tables: Any, tokenize: bool | None, errors: str, as_json: bool,
    quiet: bool, verbose: bool, **options: Any,
) -> None:  # fmt: skip
    """Find the terms of translation files, and how they are translated.

    FILES are translation files, tables, or folders, patterns and archives of such. Terms of one
    word or several come in the order in which they belong to the text more than to the language,
    each with its translations, counts and examples.

    \b
    Example:
      bilbowa terms po/ -o terms.tbx --languages en,de
      bilbowa terms memory.tmx --languages en,de -o terms.html
    """  # noqa: D301 (\b tells click to keep the lines)
    if sources and languages is None:
        raise click.UsageError("--languages is wanted, as in --languages en,de")
    if not (sources or parallel or tables):
        raise click.UsageError("text is wanted: FILES, --parallel or --pairs")
    if as_json and (output is not None or kind is not None):
        raise click.UsageError("--json is for standard output, without --output or --format")
    general = each_once("--general", general)
    tables = [*(f"{','.join(languages or ())}={path}" for path in sources), *tables]
    inputs = [*text_files(parallel, tables), *general.values()]
    inputs += [] if glossary is None else [str(glossary)]
    if output is None:
        if kind not in (None, "tsv", "csv") or excel:
            given = "--excel" if excel else f"--format {kind}"
            raise click.UsageError(f"{given} is for a file: --output")
    else:
        with wrong_usage():
            file_format(output, kind, excel=excel)
        check_output(output, [*inputs, *([] if model is None else [model])])
    vectors: Any = model
    if model is not None and model.exists():
        vectors = open_vectors(model)
    elif model is not None:
        check_output(model, inputs, "--model")
    known = None if vectors is model else vectors.tokenizers
    split = tokenize if known else running_text(tokenize)
    if known and tokenize is None and says_markup():
        raise click.UsageError("--markup: with --model text is split as the model's was")
    shown = bool(progress(quiet or not (verbose or sys.stderr.isatty()), verbose))
    if shown:
        show_reading()
    texts = parallel_texts(parallel, tables, errors, split, known)
    with wrong_usage():
        found = find_terms(
            texts, languages, model=vectors, general=general, glossary=glossary, all=all_,
            progress=shown, **options,
        )  # fmt: skip
    _write(found, output, kind, excel, as_json)
    if not quiet:
        if found.report is not None:
            for line in found.report.lines(None if verbose else _MOST_REPORTED):
                click.echo(line, err=True)
        where = "" if output is None else f" saved to {output}"
        click.echo(f"{found}{where}; not listed: {left_out(found.left_out)}", err=True)


def _write(
    found: TermList, output: Path | None, kind: str | None, excel: bool, as_json: bool
) -> None:
    if output is not None:
        found.save(output, kind, excel=excel)
    elif as_json:
        for term in found:
            click.echo(json.dumps(dataclasses.asdict(term), ensure_ascii=False))
    else:
        found.write_table(sys.stdout, kind or "tsv")
