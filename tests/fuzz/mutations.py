"""Damage to files: bits, cuts, repeats, and numbers that a header should not have."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib

NUMBERS = (0, 1, -1, 2**31 - 1, 2**31, 2**32 - 1, 2**62, 2**63 - 1, -(2**63))
TEXTS = (
    b"0", b"-1", b"99999999999999999999", b"1e999", b"nan", b"inf", b"null", b"true", b"[]", b"{}",
    b'""', b"[" * 2000, b"\\u0000", b"\0", b"\n", b"\r", b"\t", b" ", b"\xff", b"\xef\xbb\xbf",
    b"\xc2\xa0", b"\xe2\x80\xa8", b"<", b"&lt;", b"&x;", b"<!DOCTYPE a>", b"]]>", b"../", b"\\N",
)  # fmt: skip


def mutated(data, rng):
    """The bytes, damaged once or a few times."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = _damage(data, rng)
    return data


def _damage(data, rng):
    at = rng.randrange(len(data) + 1)
    to = min(len(data), at + rng.choice((1, 1, 2, 4, 8, 64, 1000)))
    match rng.randrange(8):
        case 0:
            return data[:at] + bytes(b ^ 1 << rng.randrange(8) for b in data[at:to]) + data[to:]
        case 1:
            return data[:at]
        case 2:
            return data[:at] + data[to:]
        case 3:
            return data[:to] + data[at:to] * rng.choice((1, 2, 50)) + data[to:]
        case 4:
            return data[:at] + rng.choice(TEXTS) + data[at:]
        case 5:
            return data[:at] + rng.choice(TEXTS) + data[to:]
        case 6:
            number = rng.choice(NUMBERS)
            if -(2**31) <= number < 2**31 and rng.random() < 0.5:
                return data[:at] + struct.pack("<i", number) + data[at + 4 :]
            return data[:at] + struct.pack("<Q", number % 2**64) + data[at + 8 :]
        case _:
            return _other_number(data, rng)


def _other_number(data, rng):
    """Replace a whole number that is written out."""
    digits = [i for i, byte in enumerate(data[:4096]) if byte in b"0123456789"]
    if not digits:
        return data
    start = end = rng.choice(digits)
    while start > 0 and data[start - 1] in b"0123456789":
        start -= 1
    while end < len(data) and data[end] in b"0123456789":
        end += 1
    number = int(data[start:end][:18])
    other = rng.choice((*NUMBERS, number + 1, number - 1, number * 2))
    return data[:start] + str(other).encode() + data[end:]


# Where a checksum would give any damage away, the damage comes first.


def in_zip(data, rng):
    """Damage a member of an archive, which is packed anew."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(sorted(members))
    members[name] = mutated(members[name], rng)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def in_gzip(data, rng):
    """Damage the packed bytes, or what is packed in them."""
    if rng.random() < 0.5:
        return mutated(data, rng)
    return zlib.compress(mutated(zlib.decompress(data, wbits=31), rng), wbits=31)


def in_safetensors(data, rng):
    """Damage the header and let it have its length, or take the checksums out and damage all."""
    length = int.from_bytes(data[:8], "little")
    header, body = data[8 : 8 + length], data[8 + length :]
    if rng.random() < 0.5:
        header = mutated(header, rng)
    else:
        facts = json.loads(header)
        facts["__metadata__"].pop("crc32", None)
        header, body = json.dumps(facts).encode(), mutated(body, rng)
    return len(header).to_bytes(8, "little") + header + body


def in_cache(data, rng):
    """Damage an entry of the cache of encoded text, whose two checksums are made anew."""
    data = mutated(data, rng)
    lines, tokens = (int.from_bytes(data[at : at + 8], "little") for at in (16, 24))
    words = zlib.crc32(data[64 : 64 + 8 * (lines + 1) + 4 * tokens])
    data = data[:40] + words.to_bytes(8, "little") + data[48:56] + bytes(8) + data[64:]
    return data[:56] + zlib.crc32(data).to_bytes(8, "little") + data[64:]
