"""Files of other kinds, recognized by their first bytes and refused with what opens them."""

from __future__ import annotations

from gensim_bilbowa.errors import FormatError
from gensim_bilbowa.formats.pickled import refuse_pickle

__all__ = ["refuse_foreign"]

# fastText's models begin with this number (FASTTEXT_FILEFORMAT_MAGIC_INT32 in its fasttext.cc).
_FASTTEXT = (793712314).to_bytes(4, "little")
_ZIP = b"PK\x03\x04"


def refuse_foreign(path: str, head: bytes) -> None:
    """Raise FormatError if a file that begins with `head` is none of vectors.

    Raises
    ------
    FormatError
        For a pickle (also gensim's own files), a zip archive (also BilBOWA's models) and a
        fastText model.
    """
    refuse_pickle(path, head)
    if head.startswith(_ZIP):
        raise FormatError(
            f"{path} is a zip archive. If it is a model of this package, open it with BilBOWA.load "
            "and take its .wv"
        )
    if head.startswith(_FASTTEXT):
        raise FormatError(
            f"{path} is a fastText model; its vectors are in the .vec file beside it, or load it "
            "with gensim (gensim.models.fasttext.load_facebook_vectors) and pass the vectors to "
            "CrossLingualVectors"
        )
