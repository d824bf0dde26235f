"""``bilbowa train``: from text files to a saved model."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa import BilBOWA, LineCorpus
from gensim_bilbowa.cli.options import (
    check_output,
    leads_through,
    named,
    pairs_files,
    parallel_options,
    parallel_texts,
    reading_options,
    tokenizers,
    wrong_usage,
)
from gensim_bilbowa.cli.reading import show_reading
from gensim_bilbowa.cli.reporting import progress
from gensim_bilbowa.lexicons import file_format
from gensim_bilbowa.parameters import check_parameters

__all__ = ["model_options", "monolingual_texts", "text_option", "train"]

_SIGNATURE = inspect.signature(BilBOWA)
_KINDS: dict[str, Any] = {
    "max_vocab_size": int,
    "max_final_vocab": int,
    "xling_passes": float,
    "xling_gradient": click.Choice(["delta", "exact"]),
    "xling_loss": click.Choice(["mean", "nce", "mean+nce"]),
    "shrink_windows": bool,
    "shared_negatives": bool,
}
_OPTIONS = {
    "vector_size": "Dimensions of the word vectors.",
    "epochs": "Passes over the monolingual text.",
    "window": "Most words between a word and its context, to either side.",
    "negative": "Noise words for each window, or context word.",
    "min_count": "Leave out words that are rarer than this.",
    "max_vocab_size": "Prune rare words while counting beyond so many.",
    "max_final_vocab": "Raise min-count until at most so many words are left.",
    "sample": "Subsampling threshold of the monolingual text.",
    "alpha": "Learning rate at the start.",
    "min_alpha": "Learning rate at the end.",
    "seed": "Seed of all random numbers.",
    "sg": "1 for skip-gram, 0 for CBOW.",
    "hs": "1 for hierarchical softmax.",
    "cbow_mean": "1 for the mean of the context in CBOW, 0 for the sum.",
    "ns_exponent": "Power of the word frequencies that noise words are drawn by.",
    "shrink_windows": "Draw the size of each window from 1 to --window.",
    "shared_negatives": "One set of noise words for a window, or one for each context word.",
    "batch_words": "Words in one job of a worker.",
    "xling_weight": "Weight of the cross-lingual term.",
    "xling_sample": "Subsampling threshold of the parallel text.",
    "xling_passes": "Passes over the parallel text in an epoch.",
    "xling_clip": "Bound on each component of a cross-lingual update.",
    "xling_gradient": "Step by the difference of means, or by the exact gradient.",
    "xling_loss": "Draw sentence means together, predict the words of translations, or both.",
    "xling_nce_negative": "Noise words of a prediction across languages.",
    "xling_nce_sample": "Subsampling threshold of the parallel text for predictions.",
    "corpus_memory": "Bytes of encoded text to keep in memory; more goes to a file.",
}


def model_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each model parameter, with the model's default."""
    for name, text in reversed(_OPTIONS.items()):
        default = _SIGNATURE.parameters[name].default
        command = click.option(
            f"--{name.replace('_', '-')}",
            type=_KINDS.get(name, type(default)),
            default=default,
            show_default=default is not None,
            help=text,
        )(command)
    return command


text_option = click.option(
    "--text", "texts", multiple=True, metavar="LANG=FILE", callback=named,
    help="Monolingual text, a sentence a line. A language without learns from its side of the "
    "parallel text.",
)  # fmt: skip


def monolingual_texts(texts: Any, errors: str, tokenize: bool) -> dict[str, LineCorpus]:
    """Return what --text names."""
    codes = [code for code, _ in texts]
    if twice := sorted({code for code in codes if codes.count(code) > 1}):
        raise click.UsageError(f"--text is given more than once for {twice}")
    split = tokenizers(codes, tokenize) or {}
    return {
        code: LineCorpus(path, errors=errors, tokenizer=split.get(code)) for code, path in texts
    }


def _read_parameters(ctx: click.Context, param: click.Parameter, path: Path | None) -> None:
    """Make the parameters of a file the defaults of the options."""
    if path is None:
        return
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise click.BadParameter(f"{path} is not JSON: {error}") from error
    if isinstance(found, dict) and isinstance(found.get("parameters"), dict):
        found = found["parameters"]
    if not isinstance(found, dict):
        raise click.BadParameter(f"{path}: an object is wanted, got {type(found).__name__}")
    if strange := sorted(set(found) - set(_OPTIONS)):
        raise click.BadParameter(f"{path}: no option sets {', '.join(map(repr, strange))}")
    ctx.default_map = {**(ctx.default_map or {}), **found}


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="Where to save the model.",
)
@parallel_options
@text_option
@click.option(
    "--lexicon", type=click.Path(path_type=Path),
    help="Also write a term list, .tsv, .csv or .tbx, of the first two languages, with examples.",
)  # fmt: skip
@reading_options
@click.option(
    "--cache-dir", type=click.Path(file_okay=False, path_type=Path),
    help="Folder to keep encoded text in, for later runs with the same files and vocabularies.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.option("-v", "--verbose", is_flag=True, help="Show the whole log.")
@click.option(
    "--parameters", type=click.Path(exists=True, dir_okay=False, path_type=Path), is_eager=True,
    callback=_read_parameters, expose_value=False,
    help="JSON file of `bilbowa tune`, or an object of parameters, that takes the place of the "
    "defaults.",
)  # fmt: skip
@model_options
def train(
    output: Path, parallel: Any, tables: Any, tokenize: bool, texts: Any, lexicon: Path | None,
    errors: str, workers: int, cache_dir: Path | None, quiet: bool, verbose: bool,
    **parameters: Any,
) -> None:  # fmt: skip
    """Train a model on parallel and monolingual text.

    \b
    Files may be plain, .gz, .bz2 or .xz. Example:
      bilbowa train -o en-de.model --parallel en=europarl.en.gz de=europarl.de.gz
      bilbowa train -o en-de.model --pairs en,de=memory.tmx --lexicon terms.tbx
    """  # noqa: D301 (\b tells click to keep the lines)
    pairs = parallel_texts(parallel, tables, errors, tokenize)
    if not pairs:
        raise click.UsageError("parallel text is needed: --parallel or --pairs")
    monolingual = monolingual_texts(texts, errors, tokenize)
    sides = [side for pair in parallel for side in pair]
    files = [*pairs_files(tables), *(path for _, path in (*sides, *texts))]
    check_output(output, files)
    if lexicon is not None:
        check_output(lexicon, files, "--lexicon")
        with wrong_usage():
            file_format(lexicon)
    for option, other in (("--lexicon", lexicon), ("--cache-dir", cache_dir)):
        if other is not None and leads_through(other, output):
            raise click.UsageError(f"{option} {other} would be in the place of --output {output}")
    with wrong_usage():
        check_parameters(parameters)
    callbacks = progress(quiet, verbose)
    if callbacks:
        show_reading()
    model = BilBOWA(
        monolingual, parallel=pairs, workers=workers, cache_dir=cache_dir, callbacks=callbacks,
        **parameters,
    )  # fmt: skip
    for languages, share in model.loss_history[-1]["translations"].items():
        click.echo(
            f"{languages}: {share:.0%} of the words asked are translated as in the parallel text",
            err=True,
        )
    model.save(output)
    click.echo(f"{model} saved to {output}", err=True)
    if lexicon is not None:
        found = model.lexicon(*pairs[0].languages, parallel=pairs, examples=1)
        found.save(lexicon)
        click.echo(f"{found} saved to {lexicon}", err=True)
