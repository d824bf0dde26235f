"""What a terminal is shown: text in which no sign steers the terminal."""

from __future__ import annotations

import io
import re

__all__ = ["Terminal"]

# Signs of control but for tab and newline, and those that turn the direction of what follows.
_STEERS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
# How tqdm moves: by itself between the lines of bars, and before a bar to where its line begins.
_MOVES = re.compile(r"(?:\n|\x1b\[A)*\Z|\r?")


class Terminal(io.TextIOWrapper):
    """The stream of a terminal, to which words, names and texts of strangers may be written.

    They might set the title or the clipboard, or show a line as another one; such signs are written
    as JSON escapes them. Pipes and files get what there is.

    Parameters
    ----------
    stream : io.TextIOWrapper
        Of no use afterwards.
    bars : bool
        Whether bars of tqdm are shown, which move in their line.
    """

    # On Windows click would write to it, and not here.
    buffer = None  # type: ignore[assignment]

    def __init__(self, stream: io.TextIOWrapper, *, bars: bool) -> None:
        encoding, errors = stream.encoding, stream.errors
        super().__init__(stream.detach(), encoding, errors, newline="\n", line_buffering=True)
        self._bars = bars

    def write(self, text: str) -> int:
        """Write a text."""
        moves = _MOVES.match(text) if self._bars else None
        start = moves.end() if moves is not None else 0
        super().write(text[:start] + _STEERS.sub(_escaped, text[start:]))
        return len(text)


def _escaped(sign: re.Match[str]) -> str:
    return f"\\u{ord(sign[0]):04x}"
