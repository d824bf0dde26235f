"""By how much a process grows while it reads a file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

__all__ = ["grown", "measures_memory"]

# The peak of a process begins anew there; that of getrusage has the peak of who started it.
_RESET = Path("/proc/self/clear_refs")
measures_memory = pytest.mark.skipif(not _RESET.exists(), reason="measures memory as Linux has it")

_CHILD = """
import logging, sys
from pathlib import Path
import gensim_bilbowa
from gensim_bilbowa import *
from gensim_bilbowa import errors
from gensim_bilbowa.corpora.mo import MOPairs
from gensim_bilbowa.corpora.po import POPairs
from gensim_bilbowa.corpora.tbx import TBXTerms
from gensim_bilbowa.corpora.tmx import TMXPairs
from gensim_bilbowa.corpora.ts import TSPairs
from gensim_bilbowa.corpora.xliff import XLIFFPairs
from gensim_bilbowa.formats import read_dictionary, read_vectors
from gensim_bilbowa.files.storage import read_model
from gensim_bilbowa.terminology import Glossary, TermList
logging.disable(logging.CRITICAL)
path, pair = Path(sys.argv[1]), ("en", "de")
def peak():
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0])
Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
before = peak()
try:
    found = {read}
    print(found if isinstance(found, int) else "read")
except errors.BilBOWAError as error:
    print(type(error).__name__, str(error).replace(chr(10), " "))
print((peak() - before) / 1024)
"""


def grown(path: Path, read: str) -> tuple[str, float]:
    """Return what an expression says that reads `path`, and by how many MiB a process grows."""
    out = subprocess.run(
        [sys.executable, "-P", "-c", _CHILD.replace("{read}", read), os.fspath(path)],
        capture_output=True, text=True, check=True, encoding="utf-8",
    ).stdout  # fmt: skip
    said, mib = out.rstrip("\n").rsplit("\n", 1)
    return said, float(mib)
