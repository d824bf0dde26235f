"""JSON of files that are not trusted: how much of it is read."""

from __future__ import annotations

import pytest

from gensim_bilbowa.files.documents import parse_json


@pytest.mark.parametrize("inner", ["[]", "{}"])
def test_lists_and_objects_are_65536_and_one_for_each_32_characters(inner):
    def text(number, length):
        return f"[{','.join([inner] * (number - 1))}]".ljust(length)

    most = 65_536 + 10_000
    assert len(parse_json(text(most, 320_000))) == most - 1
    for number, length in ((most + 1, 320_000), (most, 319_999)):
        with pytest.raises(ValueError, match=r"more than 75,53[56] lists and objects"):
            parse_json(text(number, length))


def test_brackets_within_a_text_are_none():
    written = '"' + '\\"[{' * 100_000 + '"'
    assert parse_json(f"[{written}, {written}]") == ['"[{' * 100_000] * 2


def test_bytes_may_have_a_mark_and_half_characters():
    assert parse_json(b'\xef\xbb\xbf"\xed\xa0\x80"') == "\ud800"
