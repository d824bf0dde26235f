"""Damaged files are read, or refused with an error of ours, in bounded memory and time."""

from __future__ import annotations

import os
import random
import tracemalloc

import pytest
from readers import READERS

CASES = int(os.environ.get("FUZZ_CASES", "25"))
MOST_BYTES = 100 * 2**20


@pytest.mark.parametrize("name", READERS)
def test_damaged_file_is_read_or_refused(name, tmp_path):
    reader = READERS[name]
    rng = random.Random(name)
    for number in range(CASES):
        data = reader.damage(reader.seed, rng)
        tracemalloc.start()
        try:
            reader.feed(data, tmp_path)
            peak = tracemalloc.get_traced_memory()[1]
        except Exception as error:
            error.add_note(f"case {number}: {data[:200]!r}")
            raise
        finally:
            tracemalloc.stop()
        assert peak < MOST_BYTES, (number, data)
