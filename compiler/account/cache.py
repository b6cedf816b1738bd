"""Loads, stores and fills of a run -> misses of a simulated cache: set-associative, least recently used goes first."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator

import numpy as np

from compiler.account.counted import arrays_of
from compiler.account.run import Run
from compiler.loop_ir.interpreter.trace import FillEvent, LoadEvent, StoreEvent
from compiler.loop_ir.nodes import Allocate
from compiler.loop_ir.walk import statements

LINE_BYTES = 64
WAYS = 8
PAGE_BYTES = 4096


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
    """Misses by tensor, or by the name of a workspace, in a cache of ``size`` bytes. The iterations of parallel loops
    come one after the other."""
    cache, found = Cache(size), Counter[str]()
    for name, line in _touched(run):
        if cache.misses(line):
            found[name] += 1
    return found


def lines(run: Run) -> Counter[str]:
    """Different lines that are touched, by tensor or workspace: the misses that no cache avoids."""
    return Counter(name for name, _ in set(_touched(run)))


def _touched(run: Run) -> Iterator[tuple[str, int]]:
    """Whose memory, and which line of it, access by access. Arrays follow one another in memory, each at the start of a
    page."""
    owners = arrays_of(run.function)
    widths = {name: np.dtype(array.dtype).itemsize for name, array in owners.items()}
    for one in statements(run.function.body):
        if isinstance(one, Allocate):
            widths[one.array.name] = np.dtype(one.array.dtype).itemsize
    accesses: list[tuple[str, int]] = []
    for event in run.events:
        if isinstance(event, LoadEvent | StoreEvent):
            accesses.append((event.array, event.index))
        elif isinstance(event, FillEvent) and event.size > 0:
            step = max(LINE_BYTES // widths.get(event.array, 8), 1)
            accesses += [(event.array, index) for index in (*range(0, event.size - 1, step), event.size - 1)]
    extents: dict[str, int] = {}
    for array, index in accesses:
        extents[array] = max(extents.get(array, 0), index + 1)
    names, starts, free = {}, {}, 0
    for array in sorted(extents):
        owner = owners.get(array)
        names[array] = owner.tensor or array if owner is not None else array
        starts[array] = free
        free += -(-extents[array] * widths.get(array, 8) // PAGE_BYTES) * PAGE_BYTES
    for array, index in accesses:
        yield names[array], (starts[array] + index * widths.get(array, 8)) // LINE_BYTES
