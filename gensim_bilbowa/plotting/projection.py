"""From vectors to points in a plane."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from gensim_bilbowa.parameters import check_choice, check_number
from gensim_bilbowa.plotting.extra import plot_extra

__all__ = ["PROJECTIONS", "Points", "Projection", "check_projection", "project"]

Projection: TypeAlias = Literal["tsne", "pca"]
Points: TypeAlias = NDArray[np.float64]
PROJECTIONS: tuple[Projection, ...] = get_args(Projection)

_PERPLEXITY = 30.0
# Spread of the points that t-SNE starts from, as scikit-learn's own.
_START = 1e-4


def check_projection(method: str, seed: int) -> None:
    """Refuse an unknown method, and a seed that scikit-learn would refuse."""
    check_choice("method", method, PROJECTIONS)
    check_number("seed", seed, whole=True, high=2**32 - 1)


def project(vectors: NDArray[Any], method: Projection = "tsne", *, seed: int = 1) -> Points:
    """Project vectors to the plane by their directions; the same input gives the same points.

    Parameters
    ----------
    vectors : ndarray of float, shape (n, dim)
        Their lengths do not count.
    method : {"tsne", "pca"}
        "tsne" keeps neighbours together (van der Maaten and Hinton 2008; scikit-learn's, with
        cosine distances, perplexity 30 or a third of the other points, started from the principal
        components); distances between far points mean little in it. "pca" is the two principal
        components of the vectors at length 1, a linear map in which distances can be compared.
        Fewer than four vectors are projected by it in either case.
    seed : int
        Of t-SNE.

    Returns
    -------
    ndarray of float64, shape (n, 2)

    Raises
    ------
    ConfigError
        For another method, or a seed out of range.
    ImportError
        If "tsne" is asked for and scikit-learn is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> project(np.array([[2.0, 0.0, 0.0], [0.0, 5.0, 0.0]]), "pca").round(2)
    array([[ 0.71,  0.  ],
           [-0.71,  0.  ]])
    """
    check_projection(method, seed)
    rows = np.asarray(vectors, np.float64)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    points = _principal(rows)
    spread = points[:, 0].std() if len(points) else 0.0
    # Fewer points than four have no neighbourhoods, equal ones no directions.
    if method == "pca" or len(points) < 4 or spread < 1e-12:
        return points
    return _tsne(rows, points * (_START / spread), seed)


def _principal(rows: Points) -> Points:
    points = np.zeros((len(rows), 2))
    if not len(rows):
        return points
    centred = rows - rows.mean(axis=0)
    left, lengths, _ = np.linalg.svd(centred, full_matrices=False)
    found = (left * lengths)[:, :2]
    # An axis may point either way: its largest coordinate is made positive.
    largest = np.abs(found).argmax(axis=0)
    points[:, : found.shape[1]] = found * np.where(found[largest, range(len(largest))] < 0, -1, 1)
    return points


def _tsne(rows: Points, start: Points, seed: int) -> Points:
    with plot_extra():
        from sklearn.manifold import TSNE
        from threadpoolctl import threadpool_limits
    tsne = TSNE(
        perplexity=min(_PERPLEXITY, (len(rows) - 1) / 3),
        metric="cosine",
        init=start.astype(np.float32),
        random_state=seed,
    )
    # Sums by several threads come in no fixed order, and small differences grow.
    with threadpool_limits(1, user_api="openmp"):
        return np.asarray(tsne.fit_transform(rows.astype(np.float32)), np.float64)
