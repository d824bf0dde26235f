"""Fonts that have the letters of the words to be drawn, chosen from those installed."""

from __future__ import annotations

import logging
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from gensim_bilbowa.plotting.extra import plot_extra

__all__ = ["Lettering", "lettering"]

logger = logging.getLogger(__name__)

# In place of a letter that no font has; DejaVu Sans, which comes with matplotlib, has it.
_PLACEHOLDER = "□"


@dataclass(frozen=True)
class Lettering:
    """Fonts for some words, and what to show for letters that no font has.

    Attributes
    ----------
    families : tuple of str
        Names of font families, for matplotlib to search in this order.
    replacements : dict from int to str
        For ``str.translate``.
    """

    families: tuple[str, ...]
    replacements: dict[int, str]

    def shown(self, word: str) -> str:
        """Return a word as it can be drawn."""
        return word.translate(self.replacements)


def lettering(words: Iterable[str]) -> Lettering:
    """Choose font families that have the letters of all words, the user's own before others.

    Letters that no font has are shown as an empty square; a warning in the log names their scripts.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    with plot_extra():
        from matplotlib import rcParams
        from matplotlib.font_manager import FontProperties, findfont
    words = list(words)
    families = list(rcParams["font.family"])
    wanted = {letter for word in words for letter in word}
    wanted -= _letters(findfont(FontProperties()))
    fonts = _installed() if wanted else {}
    while wanted and fonts:
        # The one with most of them; of equals one without serifs, as matplotlib's default.
        family = min(fonts, key=lambda name: (-len(wanted & fonts[name]), "Sans" not in name, name))
        if not wanted & fonts[family]:
            break
        families.append(family)
        wanted -= fonts[family]
    # Marks that are not seen, as the joiners of Indic scripts, need no glyph.
    unseen = {letter for letter in wanted if unicodedata.category(letter) == "Cf"}
    lacking = wanted - unseen
    if lacking:
        scripts = Counter(
            script for word in words for script in {_script(c) for c in word if c in lacking}
        )
        logger.warning(
            "no installed font has the letters of %s; until one is, they are drawn as %s",
            ", ".join(f"{name} (words: {count})" for name, count in sorted(scripts.items())),
            _PLACEHOLDER,
        )
    replacements = dict.fromkeys(map(ord, lacking), _PLACEHOLDER)
    return Lettering(tuple(families), replacements | dict.fromkeys(map(ord, unseen), ""))


def _installed() -> dict[str, frozenset[str]]:
    """Return the letters of each family that has upright letters of usual weight and width."""
    from matplotlib.font_manager import fontManager

    regular = {
        entry.name: entry.fname
        for entry in fontManager.ttflist
        if (entry.style, entry.variant, entry.stretch) == ("normal", "normal", "normal")
        and entry.weight in (400, "normal", "regular", "book")
        and not entry.name.startswith("Last Resort")  # it has a box for every letter
    }
    return {name: _letters(path) for name, path in regular.items()}


@cache
def _letters(path: str) -> frozenset[str]:
    from matplotlib.font_manager import get_font

    try:
        font = get_font(path)
    except (RuntimeError, OSError):  # a format that matplotlib does not read
        return frozenset()
    return frozenset(map(chr, font.get_charmap())) if font.scalable else frozenset()


def _script(letter: str) -> str:
    """Return the name of a letter's script, which Unicode's names of letters begin with."""
    name = unicodedata.name(letter, f"U+{ord(letter):04X}").split()[0]
    return name if name == "CJK" or name.startswith("U+") else name.capitalize()
