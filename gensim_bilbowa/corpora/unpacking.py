"""Packed files that hold far more than they seem to, or that want much memory to be unpacked."""

from __future__ import annotations

import io
import lzma
from typing import IO, Any, cast

__all__ = ["bounded", "open_xz"]

# What a packed file may hold, whatever its size; and how many times its size. Text is packed to a
# third or a tenth, at most to a fiftieth where it says the same again and again.
_SMALL = 1 << 26
_MOST_TIMES = 200
# To unpack; `xz -9` needs half of it.
_XZ_MEMORY = 1 << 27
_PIECE = 1 << 16


class _Bounded:
    """A stream of what was packed, which ends with an error where that is too much."""

    def __init__(self, stream: Any, packed: int) -> None:
        self._stream = stream
        self._packed = packed
        self._left = _SMALL + _MOST_TIMES * packed
        self.fileno = stream.fileno

    def read(self, size: int = -1) -> bytes:
        return self._counted(self._stream.read(size))

    def read1(self, size: int = -1) -> bytes:
        return self._counted(getattr(self._stream, "read1", self._stream.read)(size))

    def _counted(self, piece: bytes) -> bytes:
        self._left -= len(piece)
        if self._left < 0:
            raise ValueError(
                f"it was packed to {self._packed:,} bytes and holds more than {_MOST_TIMES} times "
                "as much, as no text does; if it is what it should be, unpack it"
            )
        return piece

    def close(self) -> None:
        self._stream.close()

    def __enter__(self) -> _Bounded:
        self._stream.__enter__()
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self._stream.__exit__(*exc_info)


def bounded(stream: IO[bytes], packed: int) -> IO[bytes]:
    """Return a stream of so many packed bytes that holds no more than text may.

    Its reads raise a ValueError where there is more: beyond 64 MiB, and 200 times what was packed.
    """
    return cast("IO[bytes]", _Bounded(stream, packed))


class _XZ(io.RawIOBase):
    """The streams of an xz file one after the other, unpacked in bounded memory."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        self._stream: lzma.LZMADecompressor | None = None

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._packed.fileno()

    def readinto(self, buffer: Any) -> int:
        while (stream := self._running()) is not None:
            data = self._packed.read(_PIECE) if stream.needs_input else b""
            if not data and stream.needs_input:
                raise EOFError("it ends before its end-of-stream marker")
            if piece := _unpacked(stream, data, len(buffer)):
                buffer[: len(piece)] = piece
                return len(piece)
        return 0

    def _running(self) -> lzma.LZMADecompressor | None:
        """Return what unpacks the stream that is read, None at the end of all."""
        stream = self._stream
        if stream is not None and not stream.eof:
            return stream
        # Zeros may stand between streams.
        data = (stream.unused_data if stream is not None else b"").lstrip(b"\0")
        while not data:
            if not (piece := self._packed.read(_PIECE)):
                return None
            data = piece.lstrip(b"\0")
        self._stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
        _unpacked(self._stream, data, 0)
        return self._stream

    def close(self) -> None:
        if not self.closed:
            self._packed.close()
        super().close()


def _unpacked(stream: lzma.LZMADecompressor, data: bytes, most: int) -> bytes:
    try:
        return stream.decompress(data, most)
    except lzma.LZMAError as error:
        if "limit" not in str(error):
            raise
        raise lzma.LZMAError(
            f"more than {_XZ_MEMORY:,} bytes of memory are needed to unpack it; pack it with xz -9"
        ) from error


def open_xz(packed: IO[bytes]) -> IO[bytes]:
    """Return the stream of what an xz file holds; packed files that want more memory are refused.

    Its reads raise lzma.LZMAError and EOFError where the file is damaged, or cut short.
    """
    return io.BufferedReader(_XZ(packed), _PIECE)
