"""Workspaces, allocated results and what rearranges their contents, as Python closures over the memory of one run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from heddle.loop_ir.dtypes import integer_range
from heddle.loop_ir.hash_tables import empty_key, first_place
from heddle.loop_ir.interpreter.arithmetic import convert
from heddle.loop_ir.interpreter.evaluate import out_of_bounds
from heddle.loop_ir.interpreter.execute_simple import NEXT, STOP, Signal, SimpleStatements, Step
from heddle.loop_ir.interpreter.faults import IntegerFault, UninitialisedRead
from heddle.loop_ir.interpreter.memory import UNINITIALISED, Storage, Table
from heddle.loop_ir.interpreter.site import Site
from heddle.loop_ir.interpreter.trace import AllocateEvent, StoreEvent
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    INDEX_OVERFLOW,
    Allocate,
    AllocateMap,
    AllocateResult,
    ClearMap,
    Grow,
    Insert,
    Scan,
    Slot,
    Sort,
    SortMap,
)

WORKERS = 2
"""How many workers share out the iterations of a loop with private workspaces."""


class MemoryStatements(SimpleStatements):
    """Compiles the statements of :mod:`heddle.loop_ir.verification.verify_memory`."""

    def workspace(self, workspace: Allocate | AllocateMap, site: Site, depth: int) -> tuple[Step, Callable[[], None]]:
        """What sets up a private workspace of a loop, and what forgets who touched it when an iteration starts."""
        if isinstance(workspace, Allocate):
            step = self.allocate(workspace, site, depth)
            storage = self._symbols[workspace.array.name]
            assert isinstance(storage, Storage)
            return step, storage.shadow.clear
        step = self.allocate_map(workspace, site, depth)
        table = self._table(workspace.map.name)

        def forget() -> None:
            table.keys.shadow.clear()
            table.vals.shadow.clear()

        return step, forget

    def allocate(self, allocate: Allocate | AllocateResult, site: Site, depth: int | None = None) -> Step:
        """``depth`` parallel loops are around a workspace, those of ``site`` unless given; a result is declared."""
        size, name, machine = self.evaluator(site).compile(allocate.size), allocate.array.name, self._machine
        if isinstance(allocate, Allocate):
            storage = Storage(allocate.array, site.depth if depth is None else depth, True, [])
            self._symbols[name] = storage
        else:
            storage = self._storage(name)
        zero = isinstance(allocate, Allocate) and allocate.zero
        content = convert(0, allocate.array.dtype) if zero else UNINITIALISED
        events = machine.events

        def run() -> Signal:
            count = size()
            if count < 0:
                site.fail(IntegerFault, f"{name} is allocated with the size {count}", name, count)
            machine.tick(site, count)
            storage.cells = [content] * count
            storage.shadow.clear()
            if events is not None:
                events.append(AllocateEvent(site.number, site.line, site.worker(), name, count))
            return NEXT

        return run

    def grow(self, grow: Grow, site: Site) -> Step:
        needed, storage = self.evaluator(site).compile(grow.needed), self._storage(grow.array.name)
        machine = self._machine

        def run() -> Signal:
            count, capacity = needed(), len(storage.cells)
            if count > capacity:
                added = max(count, 2 * capacity) - capacity
                machine.tick(site, added)
                storage.cells.extend([UNINITIALISED] * added)
            return NEXT

        return run

    def scan(self, scan: Scan, site: Site) -> Step:
        evaluator, storage = self.evaluator(site), self._storage(scan.array.name)
        size, fetch, machine = evaluator.compile(scan.size), evaluator.fetcher(storage), self._machine
        low, high = integer_range(scan.array.dtype)
        put = self._putter(storage, site)

        def run() -> Signal:
            count, total = size(), 0
            machine.tick(site, max(count, 0))
            for position in range(count):
                total += fetch(position)
                if not low <= total <= high:
                    machine.status = INDEX_OVERFLOW
                    return STOP
                put(position, total)
            return NEXT

        return run

    def sort(self, sort: Sort, site: Site) -> Step:
        evaluator, storage = self.evaluator(site), self._storage(sort.array.name)
        lower, upper, fetch = evaluator.compile(sort.lower), evaluator.compile(sort.upper), evaluator.fetcher(storage)
        put, machine = self._putter(storage, site), self._machine

        def run() -> Signal:
            start, end = lower(), upper()
            elements = [fetch(position) for position in range(start, end)]
            machine.tick(site, len(elements))
            for position, value in enumerate(sorted(elements), start=start):
                if value != elements[position - start]:
                    put(position, value)
            return NEXT

        return run

    # ------------------------------------------------------------------------------------------------- maps

    def allocate_map(self, allocate: AllocateMap, site: Site, depth: int | None = None) -> Step:
        name, around = allocate.map, site.depth if depth is None else depth
        table = Table(Storage(name.keys, around, True, []), Storage(name.vals, around, True, []))
        self._symbols |= {name.name: table, name.keys.name: table.keys, name.vals.name: table.vals}

        def run() -> Signal:
            table.clear()
            table.keys.shadow.clear()
            table.vals.shadow.clear()
            return NEXT

        return run

    def slot(self, slot: Slot, site: Site) -> Step:
        table, key = self._table(slot.map.name), self.evaluator(site).compile(slot.key)
        set_slot = self._declare(slot.name, INDEX, site)
        set_new = self._declare(slot.new, BOOL, site) if slot.new is not None else None
        zero, machine, keys = convert(0, slot.map.dtype), self._machine, table.keys.array.name
        events = machine.events

        def run() -> Signal:
            wanted = key()
            slot = table.slots.get(wanted)
            if set_new is not None:
                set_new(slot is None)
            if slot is None:
                machine.tick(site, 1)
                slot = table.add(wanted, zero)
                if events is not None:
                    events.append(StoreEvent(site.number, site.line, site.worker(), keys, slot, wanted, False))
            set_slot(slot)
            return NEXT

        return run

    def sort_map(self, sort: SortMap, site: Site) -> Step:
        table, machine = self._table(sort.map.name), self._machine

        def run() -> Signal:
            machine.tick(site, len(table.slots))
            table.sort()
            return NEXT

        return run

    def clear_map(self, clear: ClearMap, site: Site) -> Step:
        table = self._table(clear.map.name)

        def run() -> Signal:
            table.clear()
            return NEXT

        return run

    def insert(self, insert: Insert, site: Site) -> Step:
        """The places that it looks at count as updated by an atomic operation, which is what reads them."""
        evaluator, storage, machine = self.evaluator(site), self._storage(insert.keys.name), self._machine
        lower, room, key = (evaluator.compile(part) for part in (insert.lower, insert.room, insert.key))
        set_place, empty = self._declare(insert.name, INDEX, site), empty_key(insert.keys)
        name, events, may_race = insert.keys.name, machine.events, storage.depth < site.depth

        def run() -> Signal:
            begin, count, wanted, cells = lower(), room(), key(), storage.cells
            for turn in range(max(count, 0)):
                place = begin + (first_place(wanted, count) + turn) % count
                if not 0 <= place < len(cells):
                    out_of_bounds(site, "store", name, place, len(cells))
                if may_race and (conflict := storage.shadow.update(place, machine.worker, site)) is not None:
                    site.race(conflict, "an atomic update", name, place)
                held = cells[place]
                if held is UNINITIALISED:
                    site.fail(UninitialisedRead, f"{name}[{place}] is searched before it is written", name, place)
                machine.tick(site, 1)
                if held in (empty, wanted):
                    cells[place] = wanted
                    if events is not None and held == empty:
                        events.append(StoreEvent(site.number, site.line, site.worker(), name, place, wanted, True))
                    set_place(place - begin)
                    return NEXT
            return site.fail(IntegerFault, f"{wanted} finds no place among {count} in {name}", name, wanted)

        return run

    # ---------------------------------------------------------------------------------------------- elements

    def _storage(self, name: str) -> Storage:
        storage = self._symbols[name]
        assert isinstance(storage, Storage)
        return storage

    def _table(self, name: str) -> Table:
        table = self._symbols[name]
        assert isinstance(table, Table)
        return table

    def _declare(self, name: str, dtype: str, site: Site) -> Callable[[Any], None]:
        return self.setter(name, self.new_scalar(name, dtype, site, mutable=False), site)

    def _putter(self, storage: Storage, site: Site) -> Callable[[int, Any], None]:
        """Stores an element that was fetched before, so that its bounds are known."""
        name, machine, events = storage.array.name, self._machine, self._machine.events
        may_race = storage.depth < site.depth

        def put(position: int, value: Any) -> None:
            if may_race:
                conflict = storage.shadow.write(position, machine.worker, site)
                if conflict is not None:
                    site.race(conflict, "a write", name, position)
            storage.cells[position] = value
            if events is not None:
                events.append(StoreEvent(site.number, site.line, site.worker(), name, position, value, False))

        return put
