"""The compiled training steps and word tables. The C sources are in ``src``; tests have twins.

The steps are compiled for several instruction sets. The best that the processor can run is chosen
at import; the environment variable ``GENSIM_BILBOWA_LEVEL`` names another one of :func:`levels`.
"""

import os

try:
    from gensim_bilbowa.kernels._align import Bitext, Classes, Rows
    from gensim_bilbowa.kernels._bags import add_products
    from gensim_bilbowa.kernels._largest import best_columns, keep_largest
    from gensim_bilbowa.kernels._levels import level, levels, use_level
    from gensim_bilbowa.kernels._matrix import Matrix
    from gensim_bilbowa.kernels._merge import add_up, take_step, write_changes
    from gensim_bilbowa.kernels._parameters import Parameters, Subwords, Tree, alias_table
    from gensim_bilbowa.kernels._spans import Entries, SpannedSide, span_links
    from gensim_bilbowa.kernels._spelling import Alike, Spelling
    from gensim_bilbowa.kernels._steps import Text, train_pairs, train_text
    from gensim_bilbowa.kernels._words import Vocabulary, WordTable, take_column
except ModuleNotFoundError as error:
    if not (error.name or "").startswith(f"{__name__}._"):
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
