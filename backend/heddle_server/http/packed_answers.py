"""Answers as they are kept and sent: a large one is packed once, in the process that made it, and never lies unpacked
in the server. The JSON of a large plan is twenty times as long."""

from __future__ import annotations

import time
import zlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

LEVEL = 4
LEAST_BYTES = 1024
# A gzip file's header, with the largest window.
GZIP = 16 + zlib.MAX_WBITS
LARGEST_SHARE = 4
QUICK_BYTES = 64 << 10


@dataclass(frozen=True, slots=True)
class Answer:
    """``content`` is JSON, as gzip where it is ``packed``; ``head`` is what the service itself reads of it, JSON as
    well."""

    content: bytes
    packed: bool = False
    head: bytes = b""

    @property
    def quick(self) -> bool:
        """Whether it is unpacked within some milliseconds."""
        return len(self.content) <= QUICK_BYTES

    @property
    def size(self) -> int:
        return len(self.content) + len(self.head)

    def plain(self) -> bytes:
        """The JSON."""
        return zlib.decompress(self.content, GZIP) if self.packed else self.content


def answer_of(content: bytes, head: bytes = b"") -> Answer:
    """Packed where it is large."""
    return Answer(content, False, head) if len(content) < LEAST_BYTES else Answer(pack(content), True, head)


def time_answer(function: Callable[..., bytes | Answer], *arguments: object) -> tuple[Answer, float]:
    """What ``function`` answers, and the seconds of a processor that it took; called in a compile process, so that the
    packing is done there, too."""
    began = time.process_time()
    result = function(*arguments)
    answer = result if isinstance(result, Answer) else answer_of(result)
    return answer, time.process_time() - began


def pack(content: bytes) -> bytes:
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    return packer.compress(content) + packer.flush()


class AnswerCache:
    """The most recently used answers whose sizes add up to at most ``capacity`` bytes. One that would take more than a
    quarter of that is not kept: it would push out those of everybody else."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self.size = 0

    def get(self, key: str) -> Answer | None:
        if key in self._answers:
            self._answers.move_to_end(key)
        return self._answers.get(key)

    def put(self, key: str, answer: Answer) -> None:
        known = self._answers.pop(key, None)
        if known is not None:
            self.size -= known.size
        if answer.size > self._capacity // LARGEST_SHARE:
            return
        self._answers[key] = answer
        self.size += answer.size
        while self.size > self._capacity:
            self.size -= self._answers.popitem(last=False)[1].size
