"""Loads and stores of a run -> misses of a simulated cache: set-associative, least recently used goes first."""

from __future__ import annotations

from collections import Counter, OrderedDict

import numpy as np

from compiler.account.counted import arrays_of
from compiler.account.run import Run
from compiler.loop_ir.interpreter.trace import LoadEvent, StoreEvent
from compiler.loop_ir.nodes import Allocate
from compiler.loop_ir.walk import statements

LINE_BYTES = 64
WAYS = 8


class Cache:
    """``size`` bytes in lines of ``LINE_BYTES``, ``WAYS`` of them for each set, empty at first."""

    def __init__(self, size: int) -> None:
        self._sets: list[OrderedDict[int, None]] = [OrderedDict() for _ in range(max(size // (LINE_BYTES * WAYS), 1))]

    def misses(self, line: int) -> bool:
        """Touches a line; whether it was not there."""
        lines = self._sets[line % len(self._sets)]
        if line in lines:
            lines.move_to_end(line)
            return False
        lines[line] = None
        if len(lines) > WAYS:
            lines.popitem(last=False)
        return True


def misses(run: Run, size: int) -> Counter[str]:
    """Misses by tensor, or by the name of a workspace, in a cache of ``size`` bytes. Arrays follow one another in
    memory, each at the start of a page; the iterations of parallel loops come one after the other."""
    owners = arrays_of(run.function)
    widths = {name: np.dtype(array.dtype).itemsize for name, array in owners.items()}
    for one in statements(run.function.body):
        if isinstance(one, Allocate):
            widths[one.array.name] = np.dtype(one.array.dtype).itemsize
    extents: Counter[str] = Counter()
    accesses = [event for event in run.events if isinstance(event, LoadEvent | StoreEvent)]
    for event in accesses:
        extents[event.array] = max(extents[event.array], event.index + 1)
    starts, free = {}, 0
    for array in sorted(extents):
        starts[array] = free
        free += -(-extents[array] * widths.get(array, 8) // 4096) * 4096
    cache, found = Cache(size), Counter[str]()
    for event in accesses:
        array = event.array
        if cache.misses((starts[array] + event.index * widths.get(array, 8)) // LINE_BYTES):
            owner = owners.get(array)
            found[owner.tensor or array if owner is not None else array] += 1
    return found
