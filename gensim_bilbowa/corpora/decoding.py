"""The bytes of an XML file, in any encoding, as UTF-8 without what XML forbids."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from gensim_bilbowa.corpora.files import read_pieces
from gensim_bilbowa.corpora.marks import mark_of, wide_encoding_of
from gensim_bilbowa.errors import CorpusError

__all__ = ["FORBIDDEN", "is_utf8", "larger", "read_utf8"]

# What is counted for each character that XML forbids.
FORBIDDEN = "characters that XML forbids"
_PUT_TOGETHER = "characters put together from two halves"

# Names of encodings of which is kept what they are.
_MOST_KNOWN = 100
# How many bytes longer than its characters a text must be.
_LEAST_LONGER = 8
# A declaration is shorter.
_HEAD_BYTES = 1024
# In many small pieces, since each one is copied some times.
_PIECE_BYTES = 1 << 16
_EBCDIC = "<?xm".encode("cp037")
_DECLARED = re.compile(r"""\s*<\?xml\s[^>]*?encoding\s*=\s*["']\s*([^"'>]*?)\s*["']""")
# Names that Python does not know, and those of encodings whose writers use a larger one.
_NAMES = {
    "ucs-2": "utf-16", "ucs2": "utf-16", "iso-10646-ucs-2": "utf-16", "unicode": "utf-16",
    "utf-16le": "utf-16", "utf-16be": "utf-16", "utf-16-le": "utf-16", "utf-16-be": "utf-16",
    "ucs-4": "utf-32", "ucs4": "utf-32", "iso-10646-ucs-4": "utf-32", "utf-8-sig": "utf-8",
    "utf-32le": "utf-32", "utf-32be": "utf-32", "utf-32-le": "utf-32", "utf-32-be": "utf-32",
    "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "x-euc-cn": "gb18030",
    "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932",
    "windows-31j": "cp932", "euc-kr": "cp949", "euckr": "cp949", "ks_c_5601-1987": "cp949",
    "x-euc-jp": "euc-jp", "x-big5": "big5", "iso-8859-8-i": "iso-8859-8",
    "iso8859-1": "cp1252", "iso8859-9": "cp1254", "ascii": "utf-8",
}  # fmt: skip
# What should stand at the very beginning; all that it says is known by then.
_LATE = re.compile(rb"((?:\s|\xef\xbb\xbf)+)(<\?xml\s[^>]*\?>)")
# They take long for a long text, or what they decode is no text of a file.
_REFUSED = {"punycode", "idna", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7"}

# Two of them stand for a line or page that ends, and must not join words.
_CONTROLS = bytes({*range(32)} - set(b"\t\n\r\v\f"))
_SPACES = bytes.maketrans(b"\v\f", b"  ")
_NO_CHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")
_NOT_KEPT = re.compile(r"[\x00-\x08\x0e-\x1f\ufffe\uffff]")
# Of U+D700 to U+DFFF and of numbers past the last character some are looked at twice.
_REFERENCE = (
    rb"&#(?:0{0,40}(?:[0-8]|1[124-9]|2\d|3[01]|5[5-7]\d{3}|6553[45]|\d{7,40})"
    rb"|x0{0,40}(?:[0-8bBcCeEfF]|1[\da-fA-F]|[dD][\da-fA-F]{3}|[fF]{3}[eEfF]|[\da-fA-F]{6,40}));"
)
_REFERENCES = re.compile(_REFERENCE + rb"(?:" + _REFERENCE + rb")*")
# In these a reference is none.
_OPENS = re.compile(rb"<!--|<!\[CDATA\[")
_CLOSES = {b"<!--": b"-->", b"<![CDATA[": b"]]>"}


def read_utf8(name: str, errors: str, mended: Counter[str]) -> Iterator[bytes]:
    """Yield the text of an XML file in UTF-8, in pieces of some 64 KiB, with its lines.

    The bytes tell the encoding, where they do; else the declaration. What XML forbids is left out,
    also where a reference stands for it, and counted.

    Parameters
    ----------
    name : str
        The file.
    errors : {"strict", "replace", "ignore"}
        What to do about bytes that are no characters.
    mended : Counter
        What was put right is added, by kind.

    Raises
    ------
    CorpusError
        For bytes that are no characters, if `errors` is "strict", with file, line and byte; for an
        encoding that is unknown or none of text.
    CorpusNotFoundError, CorpusFileError
        If the file is missing, or cannot be read to its end.
    """
    pieces = read_pieces(name)
    head = b""
    for piece in pieces:
        head += piece
        if len(head) >= _HEAD_BYTES:
            break
    encoding, mark, declared = _encoding(name, head, mended)
    allowed = _Allowed(mended)
    small = (
        piece[begin : begin + _PIECE_BYTES]
        for piece in chain([head], pieces)
        for begin in range(0, len(piece), _PIECE_BYTES)
    )
    late: re.Pattern[bytes] | None = _LATE
    for piece in _decoded(name, small, encoding, mark, errors, mended, declared):
        if late and (found := late.match(piece)):
            piece = found[1] + b"\n" * found[2].count(b"\n") + piece[found.end() :]
            mended["white space before the XML declaration"] += 1
        late = late if not piece else None
        yield allowed.part_of(piece)
    yield allowed.rest()


def _encoding(name: str, head: bytes, mended: Counter[str]) -> tuple[str, int, str]:
    """Return the encoding of a file that begins so, and how many bytes its mark has.

    The last is the declaration, if nothing but it tells the encoding.
    """
    mark, told = mark_of(head)
    told = told or wide_encoding_of(head)
    seen = told or ("cp037" if head.startswith(_EBCDIC) else "latin-1")
    found = _DECLARED.match(head[len(mark) : _HEAD_BYTES].decode(seen, "replace"))
    if found is None:
        return told or "utf-8", len(mark), ""
    declared = found[1]
    codec = _codec(declared)
    alone = not told
    if told:
        agrees = codec is not None and told.startswith(codec)
    elif codec is None:
        raise CorpusError(
            f"{name}, line 1: the encoding {declared!r} cannot be read; convert the file to UTF-8"
        )
    else:
        told = codec
        agrees = _DECLARED.match(head[:_HEAD_BYTES].decode(codec, "replace")) is not None
    if not agrees:
        told = told if told != codec else "utf-8"
        mended[f"declaration of the encoding {declared!r} where the bytes are {told.upper()}"] += 1
    return told, len(mark), declared if alone and agrees else ""


def _codec(declared: str) -> str | None:
    """Return Python's name of an encoding, None if it has none, or none that is of text."""
    try:
        info = codecs.lookup(_NAMES.get(declared.lower(), declared))
        known = _NAMES.get(info.name, info.name)
        codecs.getincrementaldecoder(known)
    except (LookupError, ValueError):
        return None
    text = getattr(info, "_is_text_encoding", True)
    return known if text and known.replace("_", "-") not in _REFUSED else None


def _decoded(
    name: str,
    pieces: Iterator[bytes],
    encoding: str,
    skipped: int,
    errors: str,
    mended: Counter[str],
    declared: str,
) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("strict" if errors == "strict" else "replace")
    done = start = 0  # bytes that were read, and those before the line
    line = 1
    for piece in chain(pieces, [b""]):
        done += len(piece)
        if declared and not piece.isascii():
            if is_utf8(piece, encoding):
                mended[f"declaration of the encoding {declared!r} where the bytes are UTF-8"] += 1
                encoding = "utf-8"
                decoder = codecs.getincrementaldecoder(encoding)(decoder.errors)
            declared = ""
        try:
            text = decoder.decode(piece[skipped:], not piece)
        except UnicodeDecodeError as error:
            good = error.object[: error.start]
            text = good.decode(encoding, "replace")
            yield text.encode()
            at = done - len(error.object) + error.start
            start = at - len(good) + good.rfind(b"\n") + 1 if b"\n" in good else start
            bad = error.object[error.start]
            line += text.count("\n")
            raise CorpusError(
                f"{name}, line {line}, byte {at - start + 1}: not {encoding.upper()} "
                f"(0x{bad:02x}); convert the file, or pass errors='replace' (--errors replace)"
            ) from error
        if errors != "strict" and (bad := text.count("\ufffd")):
            mended[f"bytes that are not {encoding.upper()}"] += bad
            text = text if errors == "replace" else text.replace("\ufffd", "")
        line += text.count("\n")
        if b"\n" in piece:
            start = done - len(piece) + piece.rfind(b"\n") + 1
        # Characters that are cut in two are not for long.
        yield piece[skipped:] if (encoding, errors) == ("utf-8", "strict") else text.encode()
        skipped = 0


def is_utf8(data: bytes, charset: str) -> bool:
    """Say whether text that is said to be in a charset is UTF-8; the last character may be cut.

    By chance it is not where each byte is a character; where two are one, not if it has some.
    """
    if data.isascii() or codecs.lookup(charset).name.startswith("utf-"):
        return False
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return False
    return len(data) - len(text) >= (1 if _is_of_bytes(charset) else _LEAST_LONGER)


@lru_cache(_MOST_KNOWN)
def _is_of_bytes(charset: str) -> bool:
    """Say whether each byte is a character."""
    together = bytes(range(256)).decode(charset, "ignore")
    return together == "".join(bytes([byte]).decode(charset, "ignore") for byte in range(256))


@lru_cache(_MOST_KNOWN)
def larger(charset: str) -> str:
    """Return the encoding that writers of one mean, if it has more characters: cp1252 of latin1."""
    try:
        known = codecs.lookup(_NAMES.get(charset.lower(), charset)).name
    except LookupError:
        return charset
    # Those of Unicode differ in their order of bytes alone.
    return charset if known.startswith("utf-") else _NAMES.get(known, known)


class _Allowed:
    """What XML allows of a text in UTF-8 that comes in pieces."""

    def __init__(self, mended: Counter[str]) -> None:
        self._mended = mended
        self._rest = b""
        self._closes = b""

    def part_of(self, piece: bytes) -> bytes:
        """Return what is allowed of what came, up to where nothing is cut in two."""
        whole = self._rest + piece if self._rest else piece
        # No reference, and nothing that opens or closes, goes past one of these.
        cut = max(map(whole.rfind, (b" ", b">", b"\n"))) + 1 or len(whole)
        self._rest = whole[cut:]
        return self._allowed(whole[:cut])

    def rest(self) -> bytes:
        """Return what is allowed of what is left at the end."""
        return self._allowed(self._rest)

    def _allowed(self, data: bytes) -> bytes:
        kept = data.translate(_SPACES, _CONTROLS)
        forbidden = len(data) - len(kept) + data.count(b"\v") + data.count(b"\f")
        if b"\xef" in kept:
            for character in _NO_CHARACTERS:
                forbidden += kept.count(character)
                kept = kept.replace(character, b"")
        if forbidden:
            self._mended[FORBIDDEN] += forbidden
        return self._without_references(kept)

    def _without_references(self, data: bytes) -> bytes:
        # One sign is found sooner than two.
        if not self._closes and (b"!" not in data or (b"<!-" not in data and b"<![" not in data)):
            return _REFERENCES.sub(self._character, data) if b"#" in data else data
        parts, at = [], 0
        while at < len(data):
            if self._closes:
                end = data.find(self._closes, at)
                stop = len(data) if end < 0 else end + len(self._closes)
                self._closes = self._closes if end < 0 else b""
                parts.append(data[at:stop])
            else:
                opens = _OPENS.search(data, at)
                stop = opens.end() if opens else len(data)
                parts.append(_REFERENCES.sub(self._character, data[at:stop]))
                self._closes = _CLOSES[opens[0]] if opens else b""
            at = stop
        return b"".join(parts)

    def _character(self, references: re.Match[bytes]) -> bytes:
        """Return what stands for references of which some are to no character."""
        numbers = references[0][2:-1].split(b";&#")
        codes = [int(n[1:], 16) if n.startswith(b"x") else int(n) for n in numbers]
        text = "".join(chr(code) for code in codes if code < 0x110000)
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
        kept = _NOT_KEPT.sub("", joined)
        halves = sum(code > 0xFFFF for code in map(ord, kept))
        halves -= sum(0xFFFF < code < 0x110000 for code in codes)
        spaces = kept.count("\v") + kept.count("\f")
        if forbidden := len(codes) - len(kept) - halves + spaces:
            self._mended[FORBIDDEN] += forbidden
        if halves:
            self._mended[_PUT_TOGETHER] += halves
        return kept.encode().translate(_SPACES)
