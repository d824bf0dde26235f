"""That all ranks of a team have the same before they begin."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from gensim_bilbowa.errors import ConfigError
from gensim_bilbowa.evidence import AlignedCounts
from gensim_bilbowa.files.storage import checksum_of
from gensim_bilbowa.formats.aligned import parts_of
from gensim_bilbowa.modelling.language import LanguageModel
from gensim_bilbowa.modelling.matrices import lock_names
from gensim_bilbowa.teams import Team
from gensim_bilbowa.training.state import RunState

__all__ = ["check_alike"]

_OPTIONS = ("merges", "bf16", "owners")


def check_alike(
    team: Team, state: RunState, languages: Mapping[str, LanguageModel], aligned: AlignedCounts,
    epochs_trained: int,
) -> None:  # fmt: skip
    """Refuse to train if ranks differ in parameters, text, vocabularies or vectors.

    Whatever decides what a rank does, and waits for, is compared.

    Raises
    ------
    ConfigError
        On all ranks, naming what differs, and where.
    """
    if team.size == 1:
        return
    facts = {f"the option {name} of the team": getattr(team, name) for name in _OPTIONS}
    facts |= _facts(state, languages)
    facts["the number of epochs trained before"] = epochs_trained
    sizes = {code: len(model.wv) for code, model in languages.items()}
    for one, other in aligned:
        if one in sizes and other in sizes:
            counts = aligned.between(one, other, (sizes[one], sizes[other]))
            facts[f"what is known of aligned words of {one!r} and {other!r}"] = (
                aligned.texts(one, other), *map(checksum_of, parts_of(counts).values()),
            )  # fmt: skip
    found = team.gather(facts)
    for name in dict.fromkeys(name for facts in found for name in facts):
        ours = found[0].get(name)
        others = [rank for rank, facts in enumerate(found) if facts.get(name) != ours]
        if others:
            raise ConfigError(
                f"the ranks of a team must begin with the same: {name} of rank "
                f"{', '.join(map(str, others))} differs from that of rank 0: "
                f"{found[others[0]].get(name)!r:.200}, not {ours!r:.200}"
            )


def _facts(state: RunState, languages: Mapping[str, LanguageModel]) -> dict[str, Any]:
    facts: dict[str, Any] = {"the version of gensim_bilbowa": version("gensim-bilbowa")}
    facts |= {f"the parameter {name}": value for name, value in state.plan.items()}
    facts["the list of texts"] = [text["text"] for text in state.texts]
    facts |= {f"the {text['text']}": text for text in state.texts}
    facts["the place in the training"] = state.document()["position"]
    for code, model in languages.items():
        words = "\n".join(model.wv.index_to_key).encode("utf-8", "surrogatepass")
        facts[f"the vocabulary of {code!r}"] = len(model.wv), zlib.crc32(words)
        arrays = {name: getattr(owner, name) for owner, name, _ in model.matrices()}
        facts[f"the number of trainings of {code!r}"] = model.train_count
        arrays["counts"] = model.counts
        arrays |= {name: getattr(model.wv, name) for name in lock_names(model.wv)}
        for name, array in arrays.items():
            facts[f"{name} of {code!r}"] = f"checksum {checksum_of(array):08x}"
    return facts
