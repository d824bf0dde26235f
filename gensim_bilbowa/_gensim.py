"""What this package uses of gensim beyond its public interface, checked at import."""

from __future__ import annotations

import gensim

__all__ = ["ft_ngram_hashes", "prune_vocab"]

_WANTED = ">=4.4,<5"
_ADVICE = f"Try: pip install 'gensim{_WANTED}'"

if not (4, 4) <= tuple(map(int, gensim.__version__.split(".")[:2])) < (5, 0):
    raise ImportError(
        f"gensim_bilbowa needs gensim {_WANTED}, found {gensim.__version__}. {_ADVICE}"
    )

try:
    from gensim.models.fasttext import ft_ngram_hashes
    from gensim.utils import prune_vocab
except ImportError as error:
    raise ImportError(
        f"gensim_bilbowa needs gensim {_WANTED} with its compiled routines; gensim "
        f"{gensim.__version__} is not whole: {error}. {_ADVICE}"
    ) from error
