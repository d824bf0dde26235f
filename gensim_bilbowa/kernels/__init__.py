"""The compiled training steps. The C sources are in ``src``; tests have their twins in NumPy."""

try:
    from gensim_bilbowa.kernels._native import (
        Parameters,
        Text,
        alias_table,
        train_pairs,
        train_text,
    )
except ModuleNotFoundError as error:
    if error.name != "gensim_bilbowa.kernels._native":
        raise
    raise ImportError(
        "gensim_bilbowa's compiled kernels are missing. If Python runs inside the source folder, "
        "go elsewhere or install with 'pip install -e .'; otherwise reinstall gensim_bilbowa."
    ) from error

__all__ = ["Parameters", "Text", "alias_table", "train_pairs", "train_text"]
