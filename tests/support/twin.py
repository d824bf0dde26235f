"""The training steps in plain Python and NumPy: slow, obvious, and drawing the same numbers."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

MASK = 2**64 - 1


class Random:
    """splitmix64: 64 random bits at a time, of which most draws use the upper half."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def uint64(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def uint32(self) -> int:
        return self.uint64() >> 32

    def below(self, n: int) -> int:
        return (self.uint32() * n) >> 32

    def noise(self, table) -> int:
        both = self.uint64()
        column = ((both >> 32) * len(table)) >> 32
        cut, other = (int(value) for value in table[column])
        return column if both & 0xFFFFFFFF < cut else other


@dataclass
class Subwords:
    """Word vectors that are means of the words' own rows and their n-grams' rows."""

    own: np.ndarray
    ngrams: np.ndarray
    parts: list[list[int]]
    own_lockf: np.ndarray
    ngrams_lockf: np.ndarray

    def compose(self):
        return np.array([
            (self.own[word] + sum(self.ngrams[g] for g in parts)) / (1 + len(parts))
            for word, parts in enumerate(self.parts)
        ])  # fmt: skip

    def scatter(self, moves):
        for word, parts in enumerate(self.parts):
            self.own[word] += self.own_lockf[word % len(self.own_lockf)] * moves[word]
            for g in parts:
                self.ngrams[g] += self.ngrams_lockf[g % len(self.ngrams_lockf)] * moves[word]


@contextmanager
def inputs(vectors):
    """The rows that a sentence moves; if they are composed, so is what they are made of after."""
    if not isinstance(vectors, Subwords):
        yield vectors
        return
    rows = vectors.compose()
    start = rows.copy()
    yield rows
    vectors.scatter(rows - start)


def subsample(sentence, keep, random):
    return [w for w in sentence if random.uint32() <= keep[w]]


def sigmoid(x):
    return np.exp(-np.logaddexp(0, -x))


def train_text(
    vectors, outputs, lockf, noise, sentences, keep, window, shrink, negative, shared, alpha, seed
):
    """Skip-gram with negative sampling, in float64 on the given arrays: words, examples, loss."""
    random = Random(seed)
    words = examples = 0
    loss = 0.0
    for sentence in sentences:
        kept = subsample(sentence, keep, random)
        words += len(kept)
        most = 256 if isinstance(vectors, Subwords) else len(kept)
        for piece in (kept[at : at + most] for at in range(0, len(kept), most or 1)):
            if len(piece) < 2:
                continue
            with inputs(vectors) as rows:
                for i, centre in enumerate(piece):
                    # Shared negatives: a number for the reach is drawn, needed or not.
                    reach = 1 + random.below(window) if shrink else window
                    if shared and not shrink:
                        random.uint64()
                    contexts = [
                        piece[j] for j in range(max(0, i - reach), min(len(piece), i + reach + 1))
                        if j != i
                    ]  # fmt: skip
                    examples += len(contexts)
                    step = shared_step if shared else separate_step
                    loss += step(
                        rows, outputs, lockf, noise, centre, contexts, negative, alpha, random
                    )
    return words, examples, loss


def shared_step(vectors, outputs, lockf, noise, centre, contexts, negative, alpha, random):
    """One window whose context words share their noise words: the loss before the update."""
    targets = [centre] + [random.noise(noise) for _ in range(negative)]
    labels = np.array([1.0] + [0.0] * negative)
    active = np.array([float(t not in targets[:k]) for k, t in enumerate(targets)])
    x = vectors[contexts] @ outputs[targets].T
    errors = alpha * active * (labels - sigmoid(x))
    gradient, moves = errors @ outputs[targets], errors.T @ vectors[contexts]
    for context, row in zip(contexts, gradient, strict=True):
        vectors[context] += lockf[context % len(lockf)] * row
    for target, row in zip(targets, moves, strict=True):
        outputs[target] += row
    return (active * np.logaddexp(0, np.where(labels, -x, x))).sum()


def separate_step(vectors, outputs, lockf, noise, centre, contexts, negative, alpha, random):
    """word2vec's update: noise words of its own for each context word, targets moved at once."""
    loss = 0.0
    for context in contexts:
        gradient = np.zeros_like(vectors[context])
        for k in range(negative + 1):
            target = random.noise(noise) if k else centre
            if k and target == centre:
                continue
            x = vectors[context] @ outputs[target]
            error = alpha * (float(k == 0) - sigmoid(x))
            loss += np.logaddexp(0, x if k else -x)
            gradient += error * outputs[target]
            outputs[target] += error * vectors[context]
        vectors[context] += lockf[context % len(lockf)] * gradient
    return loss


def train_pairs(a, b, lock_a, lock_b, text_a, text_b, keep_a, keep_b, order, alpha, weights, clip,
                exact, seed):  # fmt: skip
    """The cross-lingual step, in float64 on the given vectors: pairs, emptied, words, loss."""
    random = Random(seed)
    pairs = emptied = words = 0
    loss = 0.0
    for p in order:
        side_a = subsample(text_a[p], keep_a, random)
        side_b = subsample(text_b[p], keep_b, random)
        if not side_a or not side_b:
            emptied += 1
            continue
        with inputs(a) as rows_a, inputs(b) as rows_b:
            delta = rows_a[side_a].mean(axis=0) - rows_b[side_b].mean(axis=0)
            loss += delta @ delta
            step_a, step_b = (
                np.clip(alpha * weight * delta * (2 / len(side) if exact else 1), -clip, clip)
                for weight, side in zip(weights, (side_a, side_b), strict=True)
            )
            for w in side_a:
                rows_a[w] -= lock_a[w % len(lock_a)] * step_a
            for w in side_b:
                rows_b[w] += lock_b[w % len(lock_b)] * step_b
        pairs += 1
        words += len(side_a) + len(side_b)
    return pairs, emptied, words, loss
