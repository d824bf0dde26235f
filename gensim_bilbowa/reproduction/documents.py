"""Documents as bags of words, for systems without word vectors."""

from __future__ import annotations

from typing import Any

from gensim_bilbowa.evaluation import Documents
from gensim_bilbowa.extras import needing

__all__ = ["tfidf"]


def tfidf(train: Documents, test: Documents) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Return documents as tf-idf weighted bags of words, with their labels.

    Words, and their document frequencies, are those of `train`.

    Returns
    -------
    (matrix, labels) of each
        The matrices are scipy.sparse of shape (n_documents, n_words), with rows of length 1.
    """
    with needing("eval", "document classification needs scikit-learn"):
        from sklearn.feature_extraction.text import TfidfVectorizer
    vectorizer = TfidfVectorizer(analyzer=list)
    learned = vectorizer.fit_transform(train.texts)
    return (learned, train.labels), (vectorizer.transform(test.texts), test.labels)
