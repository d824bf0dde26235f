"""Write the files of a release, for tests/test_releases.py to read with every later one.

Run once for each release that changes a format: ``python tests/data/make.py tests/data/model-X.Y``.
What is in the folder is what that release wrote and is never written again.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

from gensim_bilbowa import BilBOWA

PARAMETERS = {"vector_size": 6, "epochs": 9, "workers": 1, "min_count": 1, "negative": 3, "seed": 1,
              "sample": 0, "xling_sample": 0}  # fmt: skip


def made_up_pairs():
    """Sentences of the words e0, e1, ... and of d0, d1, ... in step."""
    draw = random.Random(1)
    rows = [[min(draw.randrange(12), draw.randrange(12)) for _ in range(5)] for _ in range(60)]
    return [([f"e{i}" for i in row], [f"d{i}" for i in row]) for row in rows]


def facts(model):
    """What a later release must find in a model, in plain numbers."""
    return {
        "parameters": {"vector_size": model.vector_size, "alpha": model.alpha, "seed": model.seed},
        "epochs_trained": model.epochs_trained,
        "losses": [entry["crosslingual"]["en-de"] for entry in model.loss_history],
        "languages": {
            code: {
                "words": model.wv[code].index_to_key,
                "counts": model[code].counts.tolist(),
                "vectors": model.wv[code].vectors.tolist(),
                "syn1neg": model[code].syn1neg.tolist(),
                "corpus_count": model[code].corpus_count,
            }
            for code in model.languages
        },
        "unseen": model.wv_de.get_vector("d3d4").tolist() if model.subwords else None,
        "translation": model.wv_en.most_similar_cross("e1", topn=1)[0][0],
    }


def main(folder: Path) -> None:
    folder.mkdir()
    pairs = {("en", "de"): made_up_pairs()}
    words = BilBOWA(parallel=pairs, **PARAMETERS)
    subwords = BilBOWA(parallel=pairs, **PARAMETERS, subwords=["de"], bucket=40, max_n=4)
    words.save(folder / "words.model")
    words.save(folder / "apart.model", sep_limit=200)
    subwords.save(folder / "subwords.model")
    words.wv.save(folder / "vectors")
    words.wv.save(folder / "binary", "binary")
    words.wv.save(folder / "vectors.safetensors")
    found = {"words": facts(words), "subwords": facts(subwords)}
    (folder / "facts.json").write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
