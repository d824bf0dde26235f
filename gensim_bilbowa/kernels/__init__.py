"""The compiled training steps and word tables. The C sources are in ``src``; tests have twins.

The steps are compiled for several instruction sets. The best that the processor can run is chosen
at import; the environment variable ``GENSIM_BILBOWA_LEVEL`` names another one of :func:`levels`.
"""

import os

try:
    from gensim_bilbowa.kernels._align import Alike, Bitext, Classes, Rows, Spelling
    from gensim_bilbowa.kernels._bags import add_products
    from gensim_bilbowa.kernels._merge import add_up, take_step, write_changes
    from gensim_bilbowa.kernels._native import (
        Matrix,
        Parameters,
        Subwords,
        Text,
        Tree,
        alias_table,
        best_columns,
        keep_largest,
        level,
        levels,
        train_pairs,
        train_text,
        use_level,
    )
    from gensim_bilbowa.kernels._spans import Entries, SpannedSide, span_links
    from gensim_bilbowa.kernels._words import Vocabulary, WordTable, take_column
except ModuleNotFoundError as error:
    _modules = ("_align", "_bags", "_merge", "_native", "_spans", "_words")
    _compiled = {f"{__name__}.{name}" for name in _modules}
    if error.name not in _compiled:
        raise
    raise ImportError(
        "gensim_bilbowa's compiled kernels are missing. If Python runs inside the source folder, "
        "go elsewhere or install with 'pip install -e .'; otherwise reinstall gensim_bilbowa."
    ) from error

__all__ = [
    "Alike",
    "Bitext",
    "Classes",
    "Entries",
    "Matrix",
    "Parameters",
    "Rows",
    "SpannedSide",
    "Spelling",
    "Subwords",
    "Text",
    "Tree",
    "Vocabulary",
    "WordTable",
    "add_products",
    "add_up",
    "alias_table",
    "best_columns",
    "keep_largest",
    "level",
    "levels",
    "span_links",
    "take_column",
    "take_step",
    "train_pairs",
    "train_text",
    "use_level",
    "write_changes",
]

if _wanted := os.environ.get("GENSIM_BILBOWA_LEVEL"):
    try:
        use_level(_wanted)
    except ValueError as _error:
        raise ImportError(f"GENSIM_BILBOWA_LEVEL={_wanted}: {_error}") from None
