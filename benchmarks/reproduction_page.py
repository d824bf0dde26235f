"""Put the tables of `bilbowa reproduce` into the documentation's page, below its marker.

python benchmarks/reproduction_page.py build/reproduce docs/reproduce.md
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

MARKER = "<!-- tables -->\n"
PARTS = ("translation", "classification", "curves")


def tables(folder: Path) -> str:
    """Return the tables of all parts, one level below the page's headings."""
    found = []
    for part in PARTS:
        facts, heading, rest = (folder / f"{part}.md").read_text(encoding="utf-8").partition("## ")
        found.append(heading + rest)
    return facts.strip() + "\n\n" + "\n".join(found).replace("## ", "### ")


def main(results: str, page: str) -> None:
    """Replace what follows on the marker."""
    folder, path = Path(results), Path(page)
    if any(json.loads((folder / f"{part}.json").read_text())["quick"] for part in PARTS):
        raise SystemExit(f"{folder}: of a quick run")
    text, marker, _ = path.read_text(encoding="utf-8").partition(MARKER)
    if not marker:
        raise SystemExit(f"{path}: there is no line {MARKER.strip()!r}")
    path.write_text(text + marker + "\n" + tables(folder), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
