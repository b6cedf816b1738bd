"""Sorted cells side by side, packed.

A cell is some words of 64 bits, in which its coordinates lie side by side. Of sorted cells neighbours have most bits in
common: each is kept as its difference (exclusive or) from the one before, and of that the bytes that are not zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = tuple[NDArray[np.uint64], ...]
Columns = tuple[NDArray[np.int64], ...]
Keys = NDArray[Any]
"""Cells as what NumPy sorts and compares: a word, or the bytes of several."""


class Chunk:
    """Some sorted cells."""

    __slots__ = ("_firsts", "_planes", "size")

    def __init__(self, words: Words) -> None:
        self.size = words[0].size
        self._firsts = [word[0] for word in words]
        self._planes = [list(_planes(word)) for word in words]

    def words(self) -> Words:
        return tuple(self.word(place) for place in range(len(self._firsts)))

    def word(self, word: int) -> NDArray[np.uint64]:
        octets = np.zeros((self.size, 8), np.uint8)
        for place, marks, values in self._planes[word]:
            octets[np.unpackbits(np.frombuffer(marks, np.uint8), count=self.size).view(np.bool_), place] = values
        differences: NDArray[np.uint64] = octets.view("<u8").reshape(-1).astype(np.uint64, copy=False)
        differences[0] = self._firsts[word]
        return np.bitwise_xor.accumulate(differences, out=differences)


def _planes(word: NDArray[np.uint64]) -> Iterator[tuple[int, bytes, NDArray[np.uint8]]]:
    """Of each byte of the differences: which are not zero, and these."""
    differences = word.copy()
    differences[0] = 0
    differences[1:] ^= word[:-1]
    octets = differences.astype("<u8", copy=False).view(np.uint8).reshape(-1, 8)
    for place in range((int(np.bitwise_or.reduce(differences)).bit_length() + 7) // 8):
        values = octets[:, place]
        marks = values != 0
        if marks.any():
            yield place, np.packbits(marks).tobytes(), values[marks]


class Layout:
    """Where the coordinates of a shape lie in their words: the first dimension above the next, no one across two."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        widths = [(size - 1).bit_length() for size in shape]
        self.groups: list[list[int]] = [[]]
        for place, width in enumerate(widths):
            if sum(widths[other] for other in self.groups[-1]) + width > 64:
                self.groups.append([])
            self.groups[-1].append(place)
        self.words = len(self.groups)
        self._places = {
            place: (word, sum(widths[other] for other in group[rank + 1 :]), (1 << widths[place]) - 1)
            for word, group in enumerate(self.groups)
            for rank, place in enumerate(group)
        }

    def keys_of(self, columns: Columns) -> Keys:
        words = [np.zeros(columns[0].size, np.uint64) for _ in self.groups]
        for place, (word, shift, _) in self._places.items():
            words[word] |= columns[place].astype(np.uint64) << np.uint64(shift)
        return self.keys(tuple(words))

    def columns_of(self, chunk: Chunk, *places: int) -> Columns:
        """Some coordinates of its cells; each word that they lie in is unpacked once."""
        words = {word: chunk.word(word) for word in {self._places[place][0] for place in places}}
        columns = []
        for place in places:
            word, shift, mask = self._places[place]
            columns.append(((words[word] >> np.uint64(shift)) & np.uint64(mask)).astype(np.int64))
        return tuple(columns)

    def keys(self, words: Words) -> Keys:
        if self.words == 1:
            return words[0]
        return np.stack(words, axis=1).astype(">u8").view(f"S{8 * self.words}").reshape(-1)

    def words_of(self, keys: Keys) -> Words:
        if self.words == 1:
            return (keys,)
        return tuple(np.ascontiguousarray(keys).view(">u8").reshape(-1, self.words).T.astype(np.uint64))
