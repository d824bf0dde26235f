"""``bilbowa info``: what is in a model, or in a file of vectors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from gensim_bilbowa import CrossLingualVectors
from gensim_bilbowa.cli.models import is_vectors, open_model, open_vectors
from gensim_bilbowa.cli.paths import FilePath
from gensim_bilbowa.parameters import LOCAL_PARAMETERS, PARAMETERS
from gensim_bilbowa.vectors.counts import word_counts

__all__ = ["info"]

_SHOWN_WORDS = 8


@click.command()
@click.argument("vectors", type=FilePath())
@click.option("--json", "as_json", is_flag=True, help="All of it as one JSON object.")
def info(vectors: Path, as_json: bool) -> None:
    """Describe a trained model, or vectors that were saved by themselves.

    \b
    Example:
      bilbowa info en-de.model
    """  # noqa: D301 (\b tells click to keep the lines)
    facts = _of_vectors(vectors) if is_vectors(vectors) else _of_model(vectors)
    if as_json:
        click.echo(json.dumps(facts, ensure_ascii=False))
        return
    for name, value in facts.items():
        title = name.replace("_", " ")
        if name == "languages":
            for code, language in value.items():
                words = f"{code}: {language['words']:,} words"
                if language["count"] is not None:
                    words += f", {language['count']:,} in the text"
                click.echo(f"{words}: {' '.join(language['first'])} ...")
        elif isinstance(value, dict):
            items = ", ".join(f"{key}={item}" for key, item in value.items())
            click.echo(f"{title}: {items or 'none'}")
        else:
            click.echo(f"{title}: {value}")


def _languages(space: Any) -> dict[str, Any]:
    described = {}
    for code, vectors in space.items():
        counts = word_counts(vectors)
        described[code] = {
            "words": len(vectors),
            "count": None if counts is None else int(counts.sum()),
            "first": vectors.index_to_key[:_SHOWN_WORDS],
        }
    return described


def _aligned_pairs(space: CrossLingualVectors) -> dict[str, int]:
    """Return how many pairs of words are aligned, for each pair of languages."""
    return {"-".join(codes): int(counts.nnz) for codes, counts in space.aligned.items()}


def _of_vectors(path: Path) -> dict[str, Any]:
    space = open_vectors(path)
    size = next(iter(space.values())).vector_size
    return {
        "kind": "vectors", "vector_size": size, "languages": _languages(space),
        "aligned_pairs": _aligned_pairs(space), "tokenizers": space.tokenizers.describe(),
    }  # fmt: skip


def _of_model(path: Path) -> dict[str, Any]:
    model = open_model(path)
    facts: dict[str, Any] = {"kind": "model", "vector_size": model.vector_size}
    facts["languages"] = _languages(model.wv)
    facts["aligned_pairs"] = _aligned_pairs(model.wv)
    facts["tokenizers"] = model.tokenizers.describe()
    facts["epochs_trained"] = model.epochs_trained
    facts["unfinished"] = model.unfinished
    facts["training_seconds"] = round(model.total_train_time, 1)
    if model.loss_history:
        last = model.loss_history[-1]
        for kind in ("monolingual", "crosslingual"):
            rounded = {key: round(value, 4) for key, value in last[kind].items()}
            facts[f"last_{kind}_loss"] = rounded
        facts["last_translations"] = {
            key: round(value, 4) for key, value in last.get("translations", {}).items()
        }
    facts["parameters"] = {
        name: vars(model)[name] for name in PARAMETERS if name not in LOCAL_PARAMETERS
    }
    return facts
