"""By how much a process grows while it reads a file."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

__all__ = ["grown", "measures_memory"]

# The peak of a process begins anew there; that of getrusage has the peak of who started it.
_RESET = Path("/proc/self/clear_refs")
measures_memory = pytest.mark.skipif(not _RESET.exists(), reason="measures memory as Linux has it")

# Imports take longer than most files: they are done once, and each file is read by a copy.
_SERVER = """
import json, logging, os, sys
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
pair = ("en", "de")

def peak():
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0])

def measured(path, read):
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    before = peak()
    try:
        found = eval(read, {**globals(), "path": Path(path)})
        said = str(found) if isinstance(found, int) else "read"
    except errors.BilBOWAError as error:
        said = f"{type(error).__name__} {error}"
    return said, (peak() - before) / 1024

for line in sys.stdin:
    child = os.fork()
    if not child:
        print(json.dumps(measured(*json.loads(line))), flush=True)
        os._exit(0)
    if status := os.waitpid(child, 0)[1]:
        print(json.dumps([f"ended by {status}", float("inf")]), flush=True)
"""


@cache
def _server() -> subprocess.Popen[str]:
    server = subprocess.Popen(
        [sys.executable, "-P", "-c", _SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True, encoding="utf-8",
    )  # fmt: skip
    atexit.register(server.kill)
    return server


def grown(path: Path, read: str) -> tuple[str, float]:
    """Return what an expression says that reads `path`, and by how many MiB a process grows."""
    server = _server()
    print(json.dumps([os.fspath(path), read]), file=server.stdin, flush=True)
    said, mib = json.loads(server.stdout.readline())
    return said, mib
