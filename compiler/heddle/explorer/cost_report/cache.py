"""Loads, stores and fills of a run -> misses of a simulated cache: set-associative, least recently used goes first."""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount
from heddle.explorer.cost_report.counted import arrays_of
from heddle.explorer.cost_report.run import Run
from heddle.loop_ir.interpreter.trace import FillEvent, LoadEvent, StoreEvent
from heddle.loop_ir.nodes import Allocate
from heddle.loop_ir.walk import statements

LINE_BYTES = 64
WAYS = 8
PAGE_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Touched:
    """The accesses of a run in their order: ``lines`` of memory, and by ``owner`` whose they are, an index into
    ``names``: tensors, or workspaces."""

    names: tuple[str, ...]
    owner: NDArray[np.int64]
    lines: NDArray[np.int64]

    def count_selected(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> Counter[str]:
        """How many of the accesses that ``which`` selects are whose."""
        counts = bincount(self.owner[which], minlength=len(self.names))
        return Counter({name: int(count) for name, count in zip(self.names, counts, strict=True) if count})


def misses(touched: Touched, size: int) -> Counter[str]:
    """Misses by tensor, or by the name of a workspace, in a cache of ``size`` bytes: in lines of ``LINE_BYTES``,
    ``WAYS`` of them for each set, empty at first. The iterations of parallel loops come one after the other."""
    sets = touched.lines % max(size // (LINE_BYTES * WAYS), 1)
    order = np.argsort(sets, kind="stable")
    sets, lines = sets[order], touched.lines[order]
    # What touches the line that its set was asked for last finds it, and changes nothing.
    again = np.zeros(len(order), dtype=bool)
    again[1:] = (lines[1:] == lines[:-1]) & (sets[1:] == sets[:-1])
    order, sets, lines = order[~again], sets[~again], lines[~again]
    missed = np.zeros(len(order), dtype=bool)
    held: OrderedDict[int, None] = OrderedDict()
    current = -1
    for number, (cache_set, line) in enumerate(zip(sets.tolist(), lines.tolist(), strict=True)):
        if cache_set != current:
            held, current = OrderedDict(), cache_set
        if line in held:
            held.move_to_end(line)
            continue
        missed[number] = True
        held[line] = None
        if len(held) > WAYS:
            held.popitem(last=False)
    return touched.count_selected(order[missed])


def lines(touched: Touched) -> Counter[str]:
    """Different lines that are touched, by tensor or workspace: the misses that no cache avoids."""
    return touched.count_selected(np.unique(touched.lines, return_index=True)[1])


def find_touched_lines(run: Run) -> Touched:
    """Whose memory, and which line of it, access by access. Arrays follow one another in memory, each at the start of a
    page."""
    owners = arrays_of(run.function)
    widths = {name: np.dtype(array.dtype).itemsize for name, array in owners.items()}
    for statement in statements(run.function.body):
        if isinstance(statement, Allocate):
            widths[statement.array.name] = np.dtype(statement.array.dtype).itemsize
    arrays: list[str] = []
    indices: list[int] = []
    for event in run.events:
        if isinstance(event, LoadEvent | StoreEvent):
            arrays.append(event.array)
            indices.append(event.index)
        elif isinstance(event, FillEvent) and event.size > 0:
            step = max(LINE_BYTES // widths.get(event.array, 8), 1)
            filled = (*range(0, event.size - 1, step), event.size - 1)
            arrays += [event.array] * len(filled)
            indices += filled
    array_names = sorted(set(arrays))
    number = {array: index for index, array in enumerate(array_names)}
    which = np.array([number[array] for array in arrays], dtype=np.int64)
    index = np.array(indices, dtype=np.int64)
    width = np.array([widths.get(array, 8) for array in array_names], dtype=np.int64)
    extents = np.zeros(len(array_names), dtype=np.int64)
    np.maximum.at(extents, which, index + 1)
    pages = -(-extents * width // PAGE_BYTES) * PAGE_BYTES
    starts = np.cumsum(pages) - pages
    tensors = [owners[array].tensor or array if array in owners else array for array in array_names]
    names = tuple(dict.fromkeys(tensors))
    owner = np.array([names.index(tensor) for tensor in tensors], dtype=np.int64)
    return Touched(names, owner[which], (starts[which] + index * width[which]) // LINE_BYTES)
