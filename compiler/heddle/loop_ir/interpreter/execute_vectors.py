"""Vectors as the checked interpreter runs them: each statement for all of its lanes, before the next one.

To the race detection every lane is its own worker, so that a lane that touches what another one writes is found.
A vector is held as the list of its lanes.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from heddle.loop_ir.dtypes import COMPARISONS, dtype_of, lane_dtype, lanes_of
from heddle.loop_ir.interpreter import arithmetic
from heddle.loop_ir.interpreter.evaluate import Closure, Evaluator, Machine, Scalar, Symbols, comparison
from heddle.loop_ir.interpreter.execute_loops import LoopStatements
from heddle.loop_ir.interpreter.execute_simple import NEXT, Signal, Step
from heddle.loop_ir.interpreter.memory import Storage
from heddle.loop_ir.interpreter.site import Site, Worker
from heddle.loop_ir.interpreter.trace import LoadEvent, ScalarEvent
from heddle.loop_ir.nodes import (
    Array,
    Assign,
    Binary,
    Broadcast,
    Declare,
    Expr,
    Gather,
    Keep,
    LaneRange,
    Lanes,
    Scatter,
    Unary,
    Var,
    VectorLoad,
    VectorStore,
)


@dataclass(slots=True)
class LaneRun:
    """The lanes that run: ``slot`` holds the number of the one that is computed, ``around`` the worker of them all."""

    slot: int
    count: int
    around: Worker = ()


class LaneStatements(LoopStatements, ABC):
    """Compiles what is inside of lanes."""

    lane_run: LaneRun | None = None

    def lanes(self, lanes: Lanes, site: Site) -> Step:
        machine, outer_loops = self._machine, self._loops
        lane_run = self.lane_run = LaneRun(machine.new_slot(), lanes.count)
        self._loops = (*outer_loops, (lanes.variable, lane_run.slot, True))
        body = self.body(lanes.body)
        self._loops, self.lane_run = outer_loops, None

        def run() -> Signal:
            machine.tick(site, lane_run.count)
            machine.instances += 1
            outer = machine.worker
            lane_run.around = (*outer, machine.instances)
            machine.scalars[lane_run.slot] = 0
            body()
            machine.worker = outer
            return NEXT

        return run

    def vector_declare(self, declare: Declare, site: Site) -> Step:
        count = lanes_of(declare.dtype) or 1
        value = self._in_lanes(declare.value, site)
        scalar = self.new_scalar(declare.name, declare.dtype, site, declare.mutable)
        slot, clear, machine, events = scalar.slot, scalar.shadow.clear, self._machine, self._machine.events
        each = self._each_lane(count)

        def run() -> Signal:
            clear()
            lanes = machine.scalars[slot] = [None] * count

            def set_lane(lane: int) -> None:
                lanes[lane] = value()
                if events is not None:
                    events.append(ScalarEvent(site.number, site.line, site.worker(), declare.name, lanes[lane]))

            each(set_lane)
            return NEXT

        return run

    def vector_assign(self, assign: Assign, site: Site) -> Step:
        scalar = self._symbols[assign.name]
        assert isinstance(scalar, Scalar)
        value, name = self._in_lanes(assign.value, site), assign.name
        slot, shadow, machine, events = scalar.slot, scalar.shadow, self._machine, self._machine.events
        lane = lane_dtype(scalar.dtype)
        combine = self.operation(assign.reduce, lane, site, lanes=True) if assign.reduce else None
        may_race, each = scalar.depth < site.depth, self._each_lane(lanes_of(scalar.dtype) or 1)

        def set_lane(lane: int) -> None:
            lanes = machine.scalars[slot]
            if may_race:
                conflict = shadow.write(lane, machine.worker, site)
                if conflict is not None:
                    site.race(conflict, "a write", name, lane)
            operand = value()
            lanes[lane] = operand if combine is None else combine(lanes[lane], operand)
            if events is not None:
                events.append(ScalarEvent(site.number, site.line, site.worker(), name, lanes[lane]))

        def run() -> Signal:
            each(set_lane)
            return NEXT

        return run

    def vector_store(self, store: VectorStore | Scatter, site: Site) -> Step:
        value, run_lanes, scalars = self._in_lanes(store.value, site), self.lane_run, self._machine.scalars
        assert run_lanes is not None
        slot = run_lanes.slot
        if isinstance(store, Scatter):
            index = self._in_lanes(store.indices, site)
        else:
            first = self.evaluator(site).compile(store.index)

            def index() -> int:
                place: int = first() + scalars[slot]
                return place

        step, each = self.element_store(store.array, index, value, store.reduce, site), self._each_lane(run_lanes.count)

        def run() -> Signal:
            each(lambda lane: step())
            return NEXT

        return run

    def _in_lanes(self, value: Expr, site: Site) -> Closure:
        """The value of the lane that is computed."""
        slot = self.lane_run.slot if self.lane_run is not None else None
        return LaneEvaluator(self._machine, self._symbols, site, slot).compile(value)

    def _each_lane(self, count: int) -> Callable[[Callable[[int], object]], None]:
        """Runs something for each lane: those of the statement's :class:`Lanes`, or of a vector that outlives one."""
        machine, run_lanes = self._machine, self.lane_run

        def alone(compute: Callable[[int], object]) -> None:
            for lane in range(count):
                compute(lane)

        if run_lanes is None:
            return alone
        slot = run_lanes.slot

        def each(compute: Callable[[int], object]) -> None:
            outer = machine.worker
            for lane in range(count):
                machine.scalars[slot] = lane
                machine.worker = (*run_lanes.around, lane)
                compute(lane)
            machine.worker = outer
            machine.scalars[slot] = 0

        return each


class LaneEvaluator(Evaluator):
    """Compiles expressions with vectors: to the value of one lane, whose number the scalar ``lane`` holds."""

    def __init__(self, machine: Machine, symbols: Symbols, site: Site, lane: int | None) -> None:
        super().__init__(machine, symbols, site)
        self._lane = lane

    def compile(self, expression: Expr) -> Closure:
        match expression:
            case Broadcast(value=value):
                return super().compile(value)
            case Var(name=name, dtype=dtype) if lanes_of(dtype) is not None:
                return self._of_vector(name)
            case VectorLoad(array=array, index=index, mask=mask):
                first, scalars, lane = super().compile(index), self._machine.scalars, self._lane_slot()
                return self._mask(self._element(array, lambda: first() + scalars[lane]), mask, array.dtype)
            case Gather(array=array, indices=indices, mask=mask):
                return self._mask(self._element(array, self.compile(indices)), mask, array.dtype)
            case LaneRange(lower=lower, upper=upper):
                low, high, scalars, lane = (
                    super().compile(lower),
                    super().compile(upper),
                    self._machine.scalars,
                    self._lane_slot(),
                )
                return lambda: low() <= scalars[lane] < high()
            case Keep(value=value, mask=mask):
                # The value is computed in every lane, as it is in C: what it reads must be there.
                whole, lane_mask, zero = (
                    self.compile(value),
                    self.compile(mask),
                    arithmetic.convert(0, lane_dtype(dtype_of(value))),
                )
                return lambda: (whole(), zero)[not lane_mask()]
            case Binary(operator=operator, left=left, right=right, dtype=dtype) if lanes_of(dtype) is not None:
                first, second, lane_type = self.compile(left), self.compile(right), lane_dtype(dtype)
                if operator in COMPARISONS:
                    return comparison(operator, first, second, lane_dtype(dtype_of(left)))
                if operator == "&&":
                    return lambda: first() and second()
                operation = arithmetic.binary_operation(operator, lane_type, self._fail, self._checked_lanes)
                return lambda: operation(first(), second())
            case Unary(operand=operand, dtype=dtype) if lanes_of(dtype) is not None:
                inner = self.compile(operand)
                negate = arithmetic.negation(lane_dtype(dtype), self._fail, self._checked_lanes)
                return lambda: negate(inner())
            case _:
                return super().compile(expression)

    def _lane_slot(self) -> int:
        assert self._lane is not None
        return self._lane

    def _of_vector(self, name: str) -> Closure:
        symbol, machine, site, lane = self._symbols[name], self._machine, self._site, self._lane_slot()
        assert isinstance(symbol, Scalar)
        slot, shadow, shared = symbol.slot, symbol.shadow, symbol.mutable and symbol.depth < self._depth

        def value() -> Any:
            number = machine.scalars[lane]
            if shared:
                conflict = shadow.read(number, machine.worker, site)
                if conflict is not None:
                    site.race(conflict, "a read", name, number)
            return machine.scalars[slot][number]

        return value

    def _element(self, array: Array, index: Closure) -> Closure:
        storage, events, site = self._symbols[array.name], self._machine.events, self._site
        assert isinstance(storage, Storage)
        fetch = self.fetcher(storage)
        if events is None:
            return lambda: fetch(index())

        def run_traced() -> Any:
            position = index()
            value = fetch(position)
            events.append(LoadEvent(site.number, site.line, site.worker(), array.name, position, value))
            return value

        return run_traced

    def _mask(self, value: Closure, mask: Expr | None, dtype: str) -> Closure:
        if mask is None:
            return value
        lane_mask, zero = self.compile(mask), arithmetic.convert(0, dtype)
        return lambda: value() if lane_mask() else zero
