"""What this package uses of gensim beyond its public interface, checked at import."""

from __future__ import annotations

import gensim

__all__ = ["prune_vocab", "train_batch_cbow", "train_batch_sg"]

_WANTED = ">=4.4,<5"

try:
    from gensim.models.word2vec_inner import train_batch_cbow, train_batch_sg
    from gensim.utils import prune_vocab
except ImportError as error:
    raise ImportError(
        f"gensim_bilbowa needs gensim {_WANTED} with its compiled routines; gensim "
        f"{gensim.__version__} lacks {error.name or error}. Try: pip install 'gensim{_WANTED}'"
    ) from error

if tuple(int(part) for part in gensim.__version__.split(".")[:2]) < (4, 4):
    raise ImportError(
        f"gensim_bilbowa needs gensim {_WANTED}, found {gensim.__version__}. "
        f"Try: pip install 'gensim{_WANTED}'"
    )
