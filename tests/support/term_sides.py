"""Texts made by hand as terms are looked for in them."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from gensim_bilbowa import Tokenizer
from gensim_bilbowa.terminology.candidates import find_candidates
from gensim_bilbowa.terminology.side import Groups, TermSide
from gensim_bilbowa.terminology.wordkinds import WordKinds, is_word
from gensim_bilbowa.terminology.written import WrittenSide

__all__ = ["aligned", "candidate", "groups_of", "side_of"]


def side_of(texts, language="en", grammar="", min_count=1, **tokenizer):
    """A side with all that may be a term in it, but for words of the grammar."""
    written = WrittenSide(language)
    if texts:
        written.add(texts, Tokenizer(language, markup=True, **tokenizer))
    text = written.finish()
    words = np.array([is_word(word) for word in text.lower_words], bool)
    empty = np.isin(text.lower_words, grammar.split())
    inner = np.array([word.removesuffix("'").isalnum() for word in text.lower_words], bool)
    kinds = WordKinds(words & ~empty, words | inner, np.zeros(len(words), bool))
    ids = text.lower[text.ids]
    found = find_candidates(
        ids, text.offsets, kinds.outer, kinds.inner, text.breaks, min_count=min_count
    )
    counts = np.bincount(ids, minlength=len(words))
    return TermSide(language, text, None, kinds, ids, counts, found)


def candidate(side, text):
    """The number of a candidate, given in small letters."""
    return [side.plain(term) for term in range(len(side.candidates))].index(text)


def aligned(one, other, counts):
    """A matrix of how often words are aligned, given by "word other"."""
    matrix = np.zeros((len(one.counts), len(other.counts)), np.float32)
    for words, count in counts.items():
        ours, theirs = words.split()
        matrix[one.text.lower_words.index(ours), other.text.lower_words.index(theirs)] = count
    return sparse.csr_array(matrix)


def groups_of(side, *together):
    """Groups by what words are forms of: "file files" puts the second to the first."""
    words = side.text.lower_words
    classes = np.arange(len(words), dtype=np.int32)
    for forms in together:
        head, *others = [words.index(word) for word in forms.split()]
        classes[others] = head
    return Groups.of_classes(side.candidates, classes)
