"""Large answers as gzip packs them, kept: an answer that a class asks for is packed once, not for each of them."""

from __future__ import annotations

import asyncio
import zlib
from collections import OrderedDict

LEVEL = 4
LEAST_BYTES = 1024
# A gzip file's header, with the largest window.
GZIP = 16 + zlib.MAX_WBITS


class PackedAnswers:
    """Of those used most recently, as many as have ``capacity`` bytes together, packed and not."""

    def __init__(self, capacity: int) -> None:
        self._capacity, self._size = capacity, 0
        self._packed: OrderedDict[bytes, bytes] = OrderedDict()

    async def packed(self, answer: bytes) -> bytes:
        """``answer`` as gzip, made in a thread the first time. Found by the answer itself, whose hash Python keeps."""
        known = self._packed.get(answer)
        if known is not None:
            self._packed.move_to_end(answer)
            return known
        made = await asyncio.to_thread(pack, answer)
        if answer not in self._packed:
            self._packed[answer] = made
            self._size += len(answer) + len(made)
            while self._size > self._capacity:
                self._size -= sum(map(len, self._packed.popitem(last=False)))
        return made


def pack(answer: bytes) -> bytes:
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    return packer.compress(answer) + packer.flush()
