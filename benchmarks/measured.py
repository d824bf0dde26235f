"""One measured run, in a process of its own: reads what to do as JSON, prints what it saw as JSON.

python benchmarks/measured.py '{"system": "bilbowa", "files": {...}, "parameters": {...}}'
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from gensim.models import KeyedVectors, Word2Vec
from gensim.models.word2vec import LineSentence

from gensim_bilbowa import BilBOWA, ParallelSentences
from gensim_bilbowa.evaluation import read_dictionary, word_translation
from gensim_bilbowa.vectors import CrossLingualKeyedVectors, CrossLingualVectors


def gensim(job: dict[str, Any], folder: Path) -> tuple[dict[str, float], dict[str, KeyedVectors]]:
    """Train a Word2Vec for each file, one after the other."""
    times = {"read": 0.0, "train": 0.0, "save": 0.0, "words": 0.0}
    vectors = {}
    for code, path in job["files"].items():
        model = Word2Vec(**job["parameters"])
        source = (
            {"corpus_file": path} if job["input"] == "file" else
            {"corpus_iterable": list(LineSentence(path))}
        )  # fmt: skip
        start = perf_counter()
        model.build_vocab(**source)
        built = perf_counter()
        model.train(
            **source, total_examples=model.corpus_count, total_words=model.corpus_total_words,
            epochs=model.epochs,
        )  # fmt: skip
        trained = perf_counter()
        model.save(str(folder / code))
        times["read"] += built - start
        times["train"] += trained - built
        times["save"] += perf_counter() - trained
        times["words"] += model.corpus_total_words * model.epochs
        vectors[code] = model.wv
    return times, vectors


def bilbowa(job: dict[str, Any], folder: Path) -> tuple[dict[str, float], dict[str, KeyedVectors]]:
    """Train all languages, with parallel text if the job names some.

    Before the first epoch of a training words are aligned.
    """
    start = perf_counter()
    parallel = None
    if job.get("parallel"):
        parallel = ParallelSentences(*job["parallel"].values(), languages=list(job["parallel"]))
    model = BilBOWA(corpus_file=job["files"], parallel=parallel, **job["parameters"])
    trained = perf_counter()
    model.save(folder / "model")
    saved = perf_counter()
    train = model.total_train_time
    times = {
        "read": trained - start - train, "train": train, "save": saved - trained,
        "before": train - sum(entry["seconds"] for entry in model.loss_history),
        "words": model.corpus_total_words * model.epochs,
        "known_words": sum(entry["words"] for entry in model.loss_history),
        "pairs": sum(entry["pairs"] for entry in model.loss_history),
    }  # fmt: skip
    parameters = 0
    for code in model.languages:
        parameters += sum(getattr(of, name).nbytes for of, name, _ in model[code].matrices())
    return {**times, "parameter_bytes": parameters}, {code: model.wv[code] for code in model.wv}


def retrieval(
    job: dict[str, Any], folder: Path
) -> tuple[dict[str, float], dict[str, KeyedVectors]]:
    """Ask two made-up vocabularies: CSLS of all words, many questions, one, and gensim's."""
    rng = np.random.default_rng(1)
    vectors = {}
    for code in ("en", "de"):
        vectors[code] = kv = KeyedVectors(job["size"])
        kv.vectors = rng.standard_normal((job["words"], job["size"]), dtype=np.float32)
        kv.index_to_key = [f"{code}{i}" for i in range(job["words"])]
        kv.key_to_index = {word: index for index, word in enumerate(kv.index_to_key)}
    en = CrossLingualVectors(vectors)["en"]
    times: dict[str, float] = {"parameter_bytes": 2 * vectors["en"].vectors.nbytes}
    asked = list(range(2000))
    single = asked[:50]
    for name, call in (
        ("neighbourhoods", lambda: en.crowding("de")),
        ("batch", lambda: en.most_similar_cross_batch(asked, 5, method="csls")),
        ("single", lambda: [en.most_similar_cross(i, 5, method="csls") for i in single]),
        ("gensim", lambda: [vectors["de"].most_similar([en.vectors[i]], topn=5) for i in single]),
    ):
        start = perf_counter()
        call()
        times[name] = perf_counter() - start
    times["batch"] /= len(asked)
    times["single"] /= len(single)
    times["gensim"] /= len(single)
    return times, {}


def aligned_p1(vectors: dict[str, KeyedVectors], dictionary: dict[str, set[str]]) -> float:
    """P@1 of separately trained vectors, rotated onto each other by one half of the dictionary.

    Orthogonal Procrustes on the even entries, measured on the odd ones, from English.
    """
    source, target = (unit_centred(vectors[code]) for code in ("en", "de"))
    known = [
        (word, [t for t in targets if t in vectors["de"]])
        for word, targets in sorted(dictionary.items())
        if word in vectors["en"]
    ]
    known = [(word, targets) for word, targets in known if targets]
    train = [(word, t) for word, targets in known[::2] for t in targets]
    x = source[[vectors["en"].key_to_index[word] for word, _ in train]]
    y = target[[vectors["de"].key_to_index[t] for _, t in train]]
    u, _, v = np.linalg.svd(x.T @ y)
    scores = (source @ (u @ v)) @ target.T
    ids = vectors["de"].key_to_index
    hits = [
        int(scores[vectors["en"].key_to_index[word]].argmax()) in {ids[t] for t in targets}
        for word, targets in known[1::2]
    ]
    return 100 * float(np.mean(hits))


def unit_centred(vectors: KeyedVectors) -> np.ndarray:
    unit: np.ndarray = vectors.get_normed_vectors()
    unit = unit - unit.mean(axis=0)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    return unit


def joint_p1(vectors: dict[str, KeyedVectors], dictionary: dict[str, set[str]]) -> float:
    """P@1 by CSLS of vectors that share a space."""
    space = CrossLingualVectors(
        {code: CrossLingualKeyedVectors.adopt(wv, code) for code, wv in vectors.items()}
    )
    return 100 * word_translation(space["en"], dictionary, method="csls").precision[1]


def main() -> None:
    job = json.loads(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        systems = {"gensim": gensim, "bilbowa": bilbowa, "retrieval": retrieval}
        times, vectors = systems[job["system"]](job, Path(folder))
    # Before the accuracy is measured, which needs memory of its own. Not by getrusage, whose peak
    # includes that of the process which started this one.
    told = Path("/proc/self/status").read_text(encoding="utf-8")
    status = dict(line.split(":", 1) for line in told.splitlines())
    times["peak_bytes"] = int(status["VmHWM"].split()[0]) * 1024
    if job.get("dictionaries"):
        dictionary = read_dictionary(*job["dictionaries"], lowercase=True)
        measure = joint_p1 if job.get("parallel") else aligned_p1
        times["p1"] = measure(vectors, dictionary)
    print(json.dumps(times))


if __name__ == "__main__":
    main()
