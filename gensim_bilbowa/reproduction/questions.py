"""What a system is trained on, and what it is asked then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gensim_bilbowa.evaluation import Dictionary, Documents
from gensim_bilbowa.reproduction.tasks import Parameters, Text

__all__ = ["Setting", "Transfer", "Words"]


@dataclass(frozen=True)
class Setting:
    """What a system is trained on and with.

    Attributes
    ----------
    text : Text
    parameters : Parameters
    seed : int
    changes : dict
        Parameters of BilBOWA that differ from its defaults.
    """

    text: Text
    parameters: Parameters
    seed: int
    changes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Words:
    """Words to be translated.

    Attributes
    ----------
    setting : Setting
    source, target : str
        Languages.
    dictionary : Dictionary
        What is asked.
    seeds : Dictionary or None
        What may be seen by systems that need some translations.
    """

    setting: Setting
    source: str
    target: str
    dictionary: Dictionary
    seeds: Dictionary | None


@dataclass(frozen=True)
class Transfer:
    """Documents to be classified in another language.

    Attributes
    ----------
    setting : Setting
    source, target : str
        Languages.
    train, test : Documents
        Of the source, and of the target language.
    own : Documents
        For training, of the target language.
    """

    setting: Setting
    source: str
    target: str
    train: Documents
    test: Documents
    own: Documents
