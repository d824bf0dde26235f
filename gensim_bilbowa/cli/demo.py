"""``bilbowa demo``: the whole way on the built-in corpus."""

from __future__ import annotations

import time
from pathlib import Path

import click

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.cli.options import workers_option
from gensim_bilbowa.cli.outputs import check_output
from gensim_bilbowa.cli.paths import FilePath
from gensim_bilbowa.cli.reporting import progress
from gensim_bilbowa.datasets import SyntheticCorpus, dictionary
from gensim_bilbowa.evaluation import word_translation

__all__ = ["demo"]

_SHOWN = (
    "cat", "bread", "red", "teacher", "bank", "Saturday", "eats", "beautiful", "light", "never",
)  # fmt: skip


@click.command()
@click.option("--sentences", type=click.IntRange(min=100), default=20_000, show_default=True)
@click.option("--epochs", type=click.IntRange(min=1), default=10, show_default=True)
@workers_option
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=1, show_default=True)
@click.option(
    "-o", "--output", type=FilePath(), default=Path("bilbowa-demo.model"),
    show_default=True,
)  # fmt: skip
def demo(sentences: int, epochs: int, workers: int, seed: int, output: Path) -> None:
    """Train on a built-in corpus of English, German and Spanish, and translate.

    English is paired with German and with Spanish; German and Spanish meet only through it.

    \b
    Example:
      bilbowa demo --sentences 5000 --epochs 5
    """  # noqa: D301 (\b tells click to keep the lines)
    check_output(output, [])
    callbacks = progress(quiet=False, verbose=False)
    corpus = SyntheticCorpus(sentences, seed=seed)
    start = time.perf_counter()
    model = BilBOWA(
        parallel={pair: corpus.pairs(*pair) for pair in (("en", "de"), ("en", "es"))},
        epochs=epochs, workers=workers, seed=seed, callbacks=callbacks,
    )  # fmt: skip
    seconds = time.perf_counter() - start
    click.echo(f"Trained {model} on {sentences:,} sentence pairs each in {seconds:.1f} s\n")

    click.echo(f"{'English':12} {'German':34} Spanish")
    for word in (w for w in _SHOWN if w in model.wv["en"]):
        cells = [
            ", ".join(f"{w} {score:.2f}" for w, score in model.wv["en"].most_similar_cross(
                word, topn=2, lang=code, method="csls"))
            for code in ("de", "es")
        ]  # fmt: skip
        click.echo(f"{word:12} {cells[0]:34} {cells[1]}")

    click.echo(f"\n{'':8} {'P@1':>6} {'P@5':>6}  words    (against the corpus's dictionary)")
    for source, target in (("en", "de"), ("de", "en"), ("en", "es"), ("es", "en"),
                           ("de", "es"), ("es", "de")):  # fmt: skip
        score = word_translation(
            model.wv[source], dictionary(source, target), lang=target, method="csls"
        )
        p1, p5 = (100 * score.precision[n] for n in (1, 5))
        click.echo(f"{source}-{target:5} {p1:6.1f} {p5:6.1f}  {score.words}")
    model.save(output)
    click.echo(f"\nSaved to {output}. Ask it: bilbowa translate {output} --to de cat")
