"""The ``bilbowa`` command, also as ``python -m gensim_bilbowa``."""

from __future__ import annotations

from gensim_bilbowa._interrupts import interruptible

__all__ = ["main"]


def main() -> None:
    """Import the command line and run it."""
    with interruptible():
        from gensim_bilbowa.cli import main as run
    run()


if __name__ == "__main__":
    main()
