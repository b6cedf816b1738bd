"""Statements of loop IR that hold no others, as Python closures over the memory of one run."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any

from heddle.loop_ir.dtypes import INTEGERS, dtype_of, element_dtype, integer_range
from heddle.loop_ir.interpreter import arithmetic
from heddle.loop_ir.interpreter.evaluate import Closure, Evaluator, Machine, Scalar, Symbols, out_of_bounds
from heddle.loop_ir.interpreter.faults import IntegerFault, UninitialisedRead, UnsortedSearch
from heddle.loop_ir.interpreter.memory import UNINITIALISED, Storage
from heddle.loop_ir.interpreter.site import Site
from heddle.loop_ir.interpreter.trace import FillEvent, ScalarEvent, StoreEvent
from heddle.loop_ir.nodes import INDEX, Array, Assign, Declare, Fill, Require, Search, SearchKind, Store

Signal = int
Step = Callable[[], Signal]

NEXT, BREAK, CONTINUE, STOP = range(4)
"""Signals: what the enclosing statements do after this one."""


class SimpleStatements:
    """Compiles simple statements. ``symbols`` are the names in scope; a declaration adds its own."""

    def __init__(self, machine: Machine, symbols: Symbols) -> None:
        self._machine = machine
        self._symbols = symbols

    def evaluator(self, site: Site) -> Evaluator:
        return Evaluator(self._machine, self._symbols, site)

    def new_scalar(self, name: str, dtype: str, site: Site, mutable: bool) -> Scalar:
        scalar = Scalar(self._machine.new_slot(), dtype, site.depth, mutable)
        self._symbols[name] = scalar
        return scalar

    def setter(self, name: str, scalar: Scalar, site: Site) -> Callable[[Any], None]:
        """Sets a scalar, with a race check where other iterations can see it, and with its trace event."""
        machine, scalars, slot, shadow = self._machine, self._machine.scalars, scalar.slot, scalar.shadow
        events, may_race = machine.events, scalar.depth < site.depth

        def set_value(value: Any) -> None:
            if may_race:
                conflict = shadow.write(0, machine.worker, site)
                if conflict is not None:
                    site.race(conflict, "a write", name, None)
            scalars[slot] = value
            if events is not None:
                events.append(ScalarEvent(site.number, site.line, site.worker(), name, value))

        return set_value

    def declare(self, declare: Declare, site: Site) -> Step:
        value = self.evaluator(site).compile(declare.value)
        scalar = self.new_scalar(declare.name, declare.dtype, site, declare.mutable)
        set_value, clear = self.setter(declare.name, scalar, site), scalar.shadow.clear

        def run() -> Signal:
            clear()
            set_value(value())
            return NEXT

        return run

    def assign(self, assign: Assign, site: Site) -> Step:
        scalar = self._symbols[assign.name]
        assert isinstance(scalar, Scalar)
        value = self.evaluator(site).compile(assign.value)
        set_value, scalars, slot = self.setter(assign.name, scalar, site), self._machine.scalars, scalar.slot
        if assign.reduce is None:

            def run() -> Signal:
                set_value(value())
                return NEXT

            return run
        combine = self.operation(assign.reduce, dtype_of(assign.value), site)

        def reduce() -> Signal:
            set_value(combine(scalars[slot], value()))
            return NEXT

        return reduce

    def operation(self, operator: str, dtype: str, site: Site, *, lanes: bool = False) -> Callable[[Any, Any], Any]:
        checked = self._machine.checked_lanes if lanes else self._machine.checked
        return arithmetic.binary_operation(operator, dtype, lambda detail: site.fail(IntegerFault, detail), checked)

    def store(self, store: Store, site: Site) -> Step:
        evaluator = self.evaluator(site)
        index, value = evaluator.compile(store.index), evaluator.compile(store.value)
        return self.element_store(store.array, index, value, store.reduce, site, atomic=store.atomic)

    def element_store(
        self, array: Array, index: Closure, value: Closure, reduce: str | None, site: Site, *, atomic: bool = False
    ) -> Step:
        """Stores one element, with all checks."""
        storage = self._symbols[array.name]
        assert isinstance(storage, Storage)
        name, machine, events = array.name, self._machine, self._machine.events
        check = _narrowing_check(storage, site)
        may_race = storage.depth < site.depth
        combine = self.operation(reduce, element_dtype(array), site) if reduce else None

        def run() -> Signal:
            position, operand, cells = index(), value(), storage.cells
            if not 0 <= position < len(cells):
                out_of_bounds(site, "store", name, position, len(cells))
            if may_race:
                record = storage.shadow.update if atomic else storage.shadow.write
                conflict = record(position, machine.worker, site)
                if conflict is not None:
                    site.race(conflict, "an atomic update" if atomic else "a write", name, position)
            if combine is not None:
                if cells[position] is UNINITIALISED:
                    site.fail(UninitialisedRead, f"{name}[{position}] is updated before it is written", name, position)
                operand = combine(cells[position], operand)
            if check is not None:
                check(operand)
            cells[position] = operand
            if events is not None:
                events.append(StoreEvent(site.number, site.line, site.worker(), name, position, operand, atomic))
            return NEXT

        return run

    def require(self, require: Require, site: Site) -> Step:
        condition, code, machine = self.evaluator(site).compile(require.condition), require.code, self._machine

        def run() -> Signal:
            if condition():
                return NEXT
            machine.status = code
            return STOP

        return run

    def search(self, search: Search, site: Site) -> Step:
        storage = self._symbols[search.array.name]
        assert isinstance(storage, Storage)
        evaluator = self.evaluator(site)
        lower, upper = evaluator.compile(search.lower), evaluator.compile(search.upper)
        value, fetch, before = (
            evaluator.compile(search.value),
            evaluator.fetcher(storage),
            search.kind is SearchKind.BEFORE,
        )
        name = search.array.name
        scalar = self.new_scalar(search.name, INDEX, site, mutable=True)
        set_value, clear = self.setter(search.name, scalar, site), scalar.shadow.clear

        def run() -> Signal:
            start, end, wanted = lower(), upper(), value()
            if end < start:
                site.fail(UnsortedSearch, f"the search range [{start}, {end}) of {name} ends before it starts", name)
            elements = [fetch(position) for position in range(start, end)]
            for position in range(1, len(elements)):
                if elements[position - 1] > elements[position]:
                    site.fail(UnsortedSearch, f"{name} is not sorted at {start + position}", name, start + position)
            offset = bisect_right(elements, wanted) - 1 if before else bisect_left(elements, wanted)
            clear()
            set_value(start + max(offset, 0))
            return NEXT

        return run

    def fill(self, fill: Fill, site: Site) -> Step:
        storage = self._symbols[fill.array.name]
        assert isinstance(storage, Storage)
        evaluator = self.evaluator(site)
        size, value = evaluator.compile(fill.size), evaluator.compile(fill.value)
        name, machine, events = fill.array.name, self._machine, self._machine.events
        check, may_race = _narrowing_check(storage, site), storage.depth < site.depth

        def run() -> Signal:
            count, content = size(), value()
            if count < 0 or count > len(storage.cells):
                out_of_bounds(site, "fill", name, count - 1, len(storage.cells))
            machine.tick(site, count)
            if may_race:
                for position in range(count):
                    conflict = storage.shadow.write(position, machine.worker, site)
                    if conflict is not None:
                        site.race(conflict, "a write", name, position)
            if check is not None:
                check(content)
            storage.cells[:count] = [content] * count
            if events is not None:
                events.append(FillEvent(site.number, site.line, site.worker(), name, count, content))
            return NEXT

        return run


def _narrowing_check(storage: Storage, site: Site) -> Callable[[Any], None] | None:
    """Index arrays of 32 bits take ``int64`` values: these must fit."""
    array = storage.array
    if element_dtype(array) == array.dtype or array.dtype not in INTEGERS:
        return None
    low, high = integer_range(array.dtype)

    def check(value: Any) -> None:
        if not low <= value <= high:
            site.fail(IntegerFault, f"{value} does not fit into {array.name}, which holds {array.dtype}", array.name)

    return check
