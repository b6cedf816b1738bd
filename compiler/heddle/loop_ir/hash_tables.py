"""Hash tables with open addressing, in which the threads of a GPU collect a row: what the interpreter and the text of
kernels agree on (Nagasaka, Nukada and Matsuoka 2017)."""

from __future__ import annotations

from heddle.loop_ir.dtypes import integer_range
from heddle.loop_ir.nodes import Array

MULTIPLIER = 2654435761
"""About 2^32 divided by the golden ratio (Knuth): keys at any distance of one another are spread over the table."""


def empty_key(keys: Array) -> int:
    """What a place without a key holds: no coordinate, and larger than all, so that sorted tables end with it."""
    return integer_range(keys.dtype)[1]


def first_place(key: int, room: int) -> int:
    """Where the search for ``key`` begins in a table with ``room`` places; it goes on from there, and around."""
    folded = (key ^ key >> 32) & 0xFFFFFFFF
    return (folded * MULTIPLIER & 0xFFFFFFFF) * room >> 32
