"""``bilbowa train``: from text files to a saved model."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.cli.reporting import progress

__all__ = ["train"]

_SIGNATURE = inspect.signature(BilBOWA)
_KINDS: dict[str, Any] = {
    "max_vocab_size": int,
    "max_final_vocab": int,
    "xling_passes": float,
    "xling_gradient": click.Choice(["delta", "exact"]),
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
    "corpus_memory": "Bytes of encoded text to keep in memory; more goes to a file.",
}


def _parameters(command: Callable[..., None]) -> Callable[..., None]:
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


def _named(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Split each LANG=FILE."""

    def split(text: str) -> tuple[str, str]:
        code, equals, path = text.partition("=")
        if not equals or not code or not path:
            raise click.BadParameter(f"LANG=FILE is wanted, as in en=text.en.gz; got {text!r}")
        return code, path

    return [split(v) if isinstance(v, str) else tuple(split(part) for part in v) for v in value]


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="Where to save the model.",
)
@click.option(
    "--parallel", "parallel", nargs=2, multiple=True, metavar="LANG=FILE LANG=FILE",
    callback=_named, help="Two files that translate each other line by line. May be repeated.",
)  # fmt: skip
@click.option(
    "--tsv", "tables", nargs=2, multiple=True, metavar="LANG,LANG FILE",
    help="One file with both sides on each line, separated by a tab. May be repeated.",
)  # fmt: skip
@click.option(
    "--text", "texts", multiple=True, metavar="LANG=FILE", callback=_named,
    help="Monolingual text, a sentence a line. A language without learns from its side of the "
    "parallel text.",
)  # fmt: skip
@click.option(
    "--errors", type=click.Choice(["strict", "replace", "ignore"]), default="strict",
    show_default=True, help="What to do about bytes that are not UTF-8.",
)  # fmt: skip
@click.option(
    "--workers", type=int, default=min(os.cpu_count() or 1, 256), show_default="all cores"
)
@click.option(
    "--cache-dir", type=click.Path(file_okay=False, path_type=Path),
    help="Folder to keep encoded text in, for later runs with the same files and vocabularies.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.option("-v", "--verbose", is_flag=True, help="Show the whole log.")
@_parameters
def train(
    output: Path, parallel: Any, tables: Any, texts: Any, errors: str, workers: int,
    cache_dir: Path | None, quiet: bool, verbose: bool, **parameters: Any,
) -> None:  # fmt: skip
    """Train a model on parallel and monolingual text, tokens separated by spaces.

    \b
    Files may be plain, .gz, .bz2 or .xz. Example:
      bilbowa train -o en-de.model --parallel en=europarl.en.gz de=europarl.de.gz
    """  # noqa: D301 (\b tells click to keep the lines)
    from gensim_bilbowa.corpora import LineCorpus

    pairs = [
        ParallelSentences(a[1], b[1], languages=(a[0], b[0]), errors=errors) for a, b in parallel
    ]
    for codes, path in tables:
        pairs.append(ParallelSentences(path, languages=codes.split(","), errors=errors))
    if not pairs:
        raise click.UsageError("parallel text is needed: --parallel or --tsv")
    twice = {code for code, _ in texts if [c for c, _ in texts].count(code) > 1}
    if twice:
        raise click.UsageError(f"--text is given more than once for {sorted(twice)}")
    sides = [side for pair in parallel for side in pair]
    _check_output(output, [path for _, path in (*sides, *tables, *texts)])
    callbacks = progress(quiet, verbose)
    model = BilBOWA(
        {code: LineCorpus(path, errors=errors) for code, path in texts},
        parallel=pairs, workers=workers, cache_dir=cache_dir, callbacks=callbacks, **parameters,
    )  # fmt: skip
    model.save(output)
    click.echo(f"{model} saved to {output}", err=True)


def _check_output(output: Path, corpora: Iterable[str]) -> None:
    """Say before hours of training, not after, that the model cannot be saved."""
    if output.is_dir():
        raise click.UsageError(f"--output {output} is a folder; the name of a file is wanted")
    if not output.parent.is_dir() or not os.access(output.parent, os.W_OK):
        raise click.UsageError(f"--output: no such folder, or not writable: {output.parent}")
    if output.exists() and any(Path(p).exists() and output.samefile(p) for p in corpora):
        raise click.UsageError(f"--output {output} is a corpus file, which it would replace")
