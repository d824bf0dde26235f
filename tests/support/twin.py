"""The training steps in plain Python and NumPy: slow, obvious, and drawing the same numbers."""

from __future__ import annotations

import numpy as np

MASK = 2**64 - 1


class Random:
    """xorshift64*, started by splitmix64."""

    def __init__(self, seed: int) -> None:
        z = (seed + 0x9E3779B97F4A7C15) & MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        self.state = (z ^ (z >> 31)) or 1

    def uint32(self) -> int:
        x = self.state
        x ^= x >> 12
        x = (x ^ (x << 25)) & MASK
        x ^= x >> 27
        self.state = x
        return ((x * 0x2545F4914F6CDD1D) & MASK) >> 32

    def below(self, n: int) -> int:
        return (self.uint32() * n) >> 32


def subsample(sentence, keep, random):
    return [w for w in sentence if keep[w] == 2**32 - 1 or random.uint32() <= keep[w]]


def sigmoid(x):
    return np.exp(-np.logaddexp(0, -x))


def train_text(
    vectors, outputs, lockf, noise, sentences, keep, window, shrink, negative, alpha, seed
):
    """Skip-gram with negative sampling, in float64 on the given arrays: words, examples, loss."""
    random = Random(seed)
    cut, other = noise
    words = examples = 0
    loss = 0.0
    for sentence in sentences:
        kept = subsample(sentence, keep, random)
        words += len(kept)
        for i, word in enumerate(kept):
            reach = 1 + random.below(window) if shrink else window
            contexts = [kept[j] for j in range(max(0, i - reach), min(len(kept), i + reach + 1))
                        if j != i]  # fmt: skip
            if not contexts:
                continue
            targets = [word]
            for _ in range(negative):
                column = random.below(len(vectors))
                targets.append(column if random.uint32() < cut[column] else int(other[column]))
            labels = np.array([1.0] + [0.0] * negative)
            active = np.array([float(t not in targets[:k]) for k, t in enumerate(targets)])

            x = vectors[contexts] @ outputs[targets].T
            errors = alpha * active * (labels - sigmoid(x))
            loss += (active * np.logaddexp(0, np.where(labels, -x, x))).sum()
            start = outputs[targets].copy()
            moves = np.zeros_like(start)
            for q, context in enumerate(contexts):
                moves += np.outer(errors[q], vectors[context])
                vectors[context] += lockf[context % len(lockf)] * (errors[q] @ start)
            for k, target in enumerate(targets):
                outputs[target] += moves[k]
            examples += len(contexts)
    return words, examples, loss


def train_pairs(a, b, lock_a, lock_b, text_a, text_b, keep_a, keep_b, order, alpha, weight, clip,
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
        delta = a[side_a].mean(axis=0) - b[side_b].mean(axis=0)
        loss += delta @ delta
        step_a = np.clip(alpha * weight * (2 / len(side_a) if exact else 1) * delta, -clip, clip)
        step_b = np.clip(alpha * weight * (2 / len(side_b) if exact else 1) * delta, -clip, clip)
        for w in side_a:
            a[w] -= lock_a[w % len(lock_a)] * step_a
        for w in side_b:
            b[w] += lock_b[w % len(lock_b)] * step_b
        pairs += 1
        words += len(side_a) + len(side_b)
    return pairs, emptied, words, loss
