"""The compiled training steps and word tables. The C sources are in ``src``; tests have twins."""

try:
    from gensim_bilbowa.kernels._native import (
        Parameters,
        Text,
        alias_table,
        train_pairs,
        train_text,
    )
    from gensim_bilbowa.kernels._words import Vocabulary, WordTable, take_column
except ModuleNotFoundError as error:
    if error.name not in ("gensim_bilbowa.kernels._native", "gensim_bilbowa.kernels._words"):
        raise
    raise ImportError(
        "gensim_bilbowa's compiled kernels are missing. If Python runs inside the source folder, "
        "go elsewhere or install with 'pip install -e .'; otherwise reinstall gensim_bilbowa."
    ) from error

__all__ = [
    "Parameters",
    "Text",
    "Vocabulary",
    "WordTable",
    "alias_table",
    "take_column",
    "train_pairs",
    "train_text",
]
