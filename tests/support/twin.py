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


@dataclass
class Tree:
    """Of hierarchical softmax: the nodes on the way to each word, and the turns there, 1 or -1."""

    nodes: np.ndarray
    ways: list[list[int]]
    signs: list[list[int]]


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
    vectors, outputs, lockf, noise, sentences, keep, window, shrink, negative, shared, alpha, seed,
    tree=None, sg=True, cbow_mean=True,
):  # fmt: skip
    """Words predicted from their context, in float64 on the given arrays: words, examples, loss."""
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
                    # But for word2vec's own update a number for the reach is drawn, needed or not.
                    reach = 1 + random.below(window) if shrink else window
                    if (shared or not sg) and not shrink:
                        random.uint64()
                    contexts = [
                        piece[j] for j in range(max(0, i - reach), min(len(piece), i + reach + 1))
                        if j != i
                    ]  # fmt: skip

                    def aim(outputs=outputs, centre=centre):
                        return targets(outputs, noise, tree, centre, negative, random)

                    if not sg:
                        loss += cbow_step(rows, lockf, aim(), contexts, cbow_mean, alpha)
                    elif shared:
                        at_once = 1 if tree else 256
                        loss += shared_step(rows, lockf, aim(), contexts, at_once, alpha)
                    else:
                        loss += separate_step(rows, lockf, aim, contexts, alpha)
                    examples += len(contexts) if sg else 1
    return words, examples, loss


def targets(outputs, noise, tree, centre, negative, random):
    """What a word is predicted by: rows of the outputs or of the tree, and the signs wanted."""
    found = []
    if negative:
        drawn = [random.noise(noise) for _ in range(negative)]
        found += [(outputs, centre, 1)]
        found += [(outputs, word, -1) for word in drawn if word != centre]
    if tree:
        turns = zip(tree.ways[centre], tree.signs[centre], strict=True)
        found += [(tree.nodes, node, sign) for node, sign in turns]
    return found


def predict(x, aims, alpha):
    """Rows that share targets, each of which counts once: the rows' gradients, and the loss."""
    once = {(id(matrix), row): (matrix, row, sign) for matrix, row, sign in aims}.values()
    aimed = np.array([matrix[row] for matrix, row, _ in once])
    z = x @ aimed.T * [sign for _, _, sign in once]
    errors = alpha * sigmoid(-z) * [sign for _, _, sign in once]
    gradient, moves = errors @ aimed, errors.T @ x
    for (matrix, row, _), move in zip(once, moves, strict=True):
        matrix[row] += move
    return gradient, np.logaddexp(0, -z).sum()


def shared_step(vectors, lockf, aims, contexts, at_once, alpha):
    """One window whose context words share their targets, so many at a time: the loss before it."""
    loss = 0.0
    for at in range(0, len(contexts), at_once):
        some = contexts[at : at + at_once]
        gradient, more = predict(vectors[some], aims, alpha)
        loss += more
        for context, row in zip(some, gradient, strict=True):
            vectors[context] += lockf[context % len(lockf)] * row
    return loss


def cbow_step(vectors, lockf, aims, contexts, mean, alpha):
    """One window whose context words predict by their mean or their sum."""
    x = vectors[contexts].mean(axis=0) if mean else vectors[contexts].sum(axis=0)
    (gradient,), loss = predict(x[None], aims, alpha)
    for context in contexts:
        vectors[context] += lockf[context % len(lockf)] * gradient / (1 if mean else len(contexts))
    return loss


def separate_step(vectors, lockf, aim, contexts, alpha):
    """word2vec's update: noise words of its own for each context word, targets moved at once."""
    loss = 0.0
    for context in contexts:
        gradient = np.zeros_like(vectors[context])
        for target in aim():
            (row,), more = predict(vectors[context][None], [target], alpha)
            gradient += row
            loss += more
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


# ---- alignment, on dense matrices in float64


def near(m, n, position):
    """The prior's u(i, j) of two sentences, (m, n): 0 far from a long sentence's diagonal."""
    i, j = np.arange(m)[:, None], np.arange(n)
    u = np.exp(-position * np.abs((i + 0.5) / m - (j + 0.5) / n))
    if n > 129:
        u[np.abs(j - (2 * i + 1) * n // (2 * m)) > 64] = 0
    return u


def expect(pairs, t, nothing, share, least_t=0.0):
    """Expected counts of words aligned, and to nothing; the log-likelihood before.

    pairs: source, target, and u of each. For the other direction all is transposed.
    """
    counts, of_nothing = np.zeros_like(t), np.zeros_like(nothing)
    likelihood = 0.0
    for source, target, u in pairs:
        at = np.ix_(source, target)
        norm = u.sum(axis=0)
        alone = share * norm * nothing[target]
        total = (u * t[at]).sum(axis=0) + alone
        gain = np.divide(1, total, where=total > 0, out=np.zeros_like(total))
        np.add.at(counts, at, u * np.maximum(t[at], least_t) * gain)
        np.add.at(of_nothing, target, alone * gain)
        seen = norm > 0
        likelihood += np.log(total[seen] / ((1 + share) * norm[seen])).sum()
    return counts, of_nothing, likelihood


def both_ways(pairs, position):
    """The pairs with their u, forth and back."""
    forth = [(source, target, near(len(source), len(target), position)) for source, target in pairs]
    return forth, [(target, source, u.T) for source, target, u in forth]


def over_rows(counts, boost=1.0):
    totals = counts.sum(axis=1, keepdims=True)
    return counts / np.where(totals > 0, totals, 1) * boost


def shares(of_nothing):
    return (of_nothing + 1e-3) / (of_nothing + 1e-3).sum()


def learn(texts, t, nothing, then, passes, share, least=0.0, boost=1.0, least_t=0.0):
    """Passes from t and from P(. | nothing), which is `then` after the first: t, it, counts, sums.

    Of each direction by itself, forth and back, but for what is left out after the first pass:
    counts that are below `least` both ways.
    """
    sums = []
    for number in range(passes):
        found = [
            expect(*of_way, share, 0.0 if number or back else least_t)
            for back, of_way in enumerate(zip(texts, t, nothing, strict=True))
        ]
        forth, back = (counts for counts, _, _ in found)
        if number:
            few = np.maximum(forth, back.T) < least
            forth[few], back[few.T] = 0, 0
        t = over_rows(forth, boost), over_rows(back, np.transpose(boost))
        nothing = [shares(of_nothing) for _, of_nothing, _ in found] if number else then
        sums.append(found[0][2])
    return t, nothing, (forth, back.T), sums


def align(pairs, sizes, passes, *, position=0.0, null=0.0, classes=None, class_passes=0, least=0.0,
          boost=1.0):  # fmt: skip
    """IBM model 1 for the second side's words given the first's, and back: counts of both, sums.

    Counts are (n_source, n_target), forth and back; sums are the log-likelihoods, forth. boost:
    what spelling makes of t after each pass, (n_source, n_target).
    """
    share = null / (1 - null)
    texts = both_ways(pairs, position)

    def even(*sizes):
        return np.full(sizes, 1 / sizes[1]), np.full(sizes[1], 1 / sizes[1])

    def begin(n, m):
        return zip(even(n, m), even(m, n), strict=True)

    if classes is None:
        t, nothing = begin(*sizes)
        _, _, counts, sums = learn(texts, t, nothing, nothing, passes, share, least, boost)
        return *counts, sums
    one, other = classes
    coarse = both_ways([(one[source], other[target]) for source, target in pairs], position)
    t, nothing = begin(one.max() + 1, other.max() + 1)
    t, nothing, _, _ = learn(coarse, t, nothing, nothing, class_passes, share, least)
    then = [
        shares(expect(*of_way, share)[1])[of_words]
        for *of_way, of_words in zip(coarse, t, nothing, (other, one), strict=True)
    ]
    t = t[0][np.ix_(one, other)], t[1][np.ix_(other, one)]
    nothing = nothing[0][other], nothing[1][one]
    _, _, counts, sums = learn(texts, t, nothing, then, passes, share, least, boost, least_t=1e-30)
    return *counts, sums[1:]


# ---- links between spans, on dense matrices in float64


def seen(m, n):
    """Which target tokens each source token looks at, (m, n): 129 around the diagonal at most."""
    low = np.clip((2 * np.arange(m) + 1) * n // (2 * max(m, 1)) - 64, 0, max(n - 129, 0))
    away = np.arange(n) - low[:, None]
    return (away >= 0) & (away < 129)


def translated(pair, t, frequencies, counts, position, null_share):
    """F and B of a sentence pair, (m, n): the probabilities that tokens come from each other."""
    source, target = pair
    m, n = len(source), len(target)
    i, j = np.arange(m)[:, None], np.arange(n)
    u = np.exp(-position * np.abs((i + 0.5) / max(m, 1) - (j + 0.5) / max(n, 1))) * seen(m, n)
    counting = np.outer(counts[0][source], counts[1][target])
    found = []
    for axis, (values, of_nothing) in enumerate(
        zip(t, (frequencies[1][target], frequencies[0][source][:, None]), strict=True)
    ):
        weights = u * values[np.ix_(source, target)]
        alone = null_share * u.sum(axis=axis, keepdims=True) * of_nothing
        total = weights.sum(axis=axis, keepdims=True) + alone
        found.append(np.divide(weights, total, where=total > 0, out=np.zeros((m, n))) * counting)
    return found


def span_links(pairs, spans, t, frequencies, counts, position, null_share, least):
    """All links between spans (from, to, term): pair, the two spans' places among all, link."""
    found = []
    before = [0, 0]
    for number, (pair, of_pair) in enumerate(zip(pairs, zip(*spans, strict=True), strict=True)):
        forth, back = translated(pair, t, frequencies, counts, position, null_share)
        for s, (start, end, _) in enumerate(of_pair[0]):
            for k, (first, last, _) in enumerate(of_pair[1]):
                block = np.s_[start:end, first:last]
                ours = counts[0][pair[0][start:end]].sum()
                theirs = counts[1][pair[1][first:last]].sum()
                link = np.sqrt(forth[block].sum() / theirs * back[block].sum() / ours)
                if link > 0 and link >= least:
                    found.append((number, before[0] + s, before[1] + k, link))
        before = [n + len(side) for n, side in zip(before, of_pair, strict=True)]
    return found


def best_links(links, worths):
    """Those than which neither span has one that is worth more, of equals the first."""
    kept = []
    for link, worth in zip(links, worths, strict=True):
        rivals = [
            w for (_, source, target, _), w in zip(links, worths, strict=True)
            if source == link[1] or target == link[2]
        ]  # fmt: skip
        taken = any(one[1] == link[1] or one[2] == link[2] for one in kept)
        if worth > 0 and worth >= max(rivals) and not taken:
            kept.append(link)
    return kept


def as_sent(values, bf16):
    """Float32 as it comes out of a message, which may have only 16 bits of each."""
    values = np.asarray(values, np.float32)
    if not bf16:
        return values
    exact = values.view(np.uint32).astype(object)  # Python's whole numbers
    upper = [[int(bits) >> 16, int(bits) & 0xFFFF] for bits in exact.ravel()]
    rounded = [high + (low > 0x8000 or (low == 0x8000 and high % 2 == 1)) for high, low in upper]
    bits = np.array([high << 16 for high in rounded], np.uint64).astype(np.uint32)
    return bits.view(np.float32).reshape(values.shape)


def merge(ranks, common, velocity, bf16=False):
    """Merge what the ranks of a team have made of an array that was common; float32 throughout."""
    n = len(ranks)
    momentum, part = np.float32(1 - 1 / n), np.float32(1) / np.float32(n)
    total = as_sent(common - ranks[0], bf16)
    for array in ranks[1:]:
        total = total + as_sent(common - array, bf16)
    mean = part * total
    velocity = momentum * velocity + mean
    return common - as_sent(momentum * velocity + mean, bf16), velocity
