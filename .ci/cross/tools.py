"""Programs of Debian that the scripts beside this one need."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping

__all__ = ["require"]


def require(tools: Mapping[str, str], what_for: str) -> None:
    """End with the names of the packages of programs that are missing."""
    packages = sorted({package for tool, package in tools.items() if not shutil.which(tool)})
    if packages:
        sys.exit(
            f"{what_for}: some programs are missing, on Debian: apt install {' '.join(packages)}"
        )
