"""A training that may be killed at any time and begun again: goes on from its last checkpoint.

Prints a hash of the vectors at its end. Arguments: the two files, the folder of the checkpoints.
"""

from __future__ import annotations

import hashlib
import sys

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.callbacks import Checkpoint


def main() -> None:
    english, german, folder = sys.argv[1:]
    pairs = ParallelSentences(english, german, languages=("en", "de"))
    checkpoint = Checkpoint(folder, every_minutes=0.005)
    if checkpoint.paths:
        model = BilBOWA.load(folder)
        model.train(parallel=pairs, resume=True, callbacks=[checkpoint])
    else:
        model = BilBOWA(parallel=pairs, epochs=50, workers=1, callbacks=[checkpoint])
    checkpoint.remove()
    digest = hashlib.sha256()
    for code in model.languages:
        digest.update(model.wv[code].vectors.tobytes())
    print(digest.hexdigest())


if __name__ == "__main__":
    main()
