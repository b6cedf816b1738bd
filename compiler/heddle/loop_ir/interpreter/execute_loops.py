"""Loops of loop IR as Python closures over the memory of one run: serial ones, and parallel ones that may race."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from heddle.loop_ir.dtypes import reduction_identity
from heddle.loop_ir.interpreter import arithmetic
from heddle.loop_ir.interpreter.evaluate import Closure, Machine, Scalar, Symbols
from heddle.loop_ir.interpreter.execute_memory import WORKERS, MemoryStatements
from heddle.loop_ir.interpreter.execute_simple import BREAK, NEXT, STOP, Signal, Step
from heddle.loop_ir.interpreter.site import Site
from heddle.loop_ir.interpreter.trace import Cursor, LoopEvent, MergeEvent
from heddle.loop_ir.nodes import INDEX, For, LoopKind, Merge, Reduction, Stmt, Var, Walk, While

Order = Literal["forward", "reverse", "shuffled"]


@dataclass(frozen=True, slots=True)
class _Reduction:
    slot: int
    identity: Any
    combine: Callable[[Any, Any], Any]
    set_value: Callable[[Any], None]


class LoopStatements(MemoryStatements, ABC):
    """Compiles loops. ``order`` is how the iterations of parallel ones follow each other."""

    def __init__(self, machine: Machine, symbols: Symbols, order: Order, seed: int) -> None:
        super().__init__(machine, symbols)
        self._order = order
        self._random = random.Random(seed)
        self._loops: tuple[tuple[str, int, bool], ...] = ()
        """Those around this place: the variable, its slot, and whether the iterations are parallel."""

    @abstractmethod
    def body(self, body: Stmt) -> Step:
        """Compiles the statements inside another one, in a scope of their own."""

    def _merging(self, merge: Merge, site: Site, cursors: Iterable[Cursor]) -> None:
        """Reports that an iteration of a merge starts."""
        if self._machine.events is not None:
            place = (site.number, site.line, site.worker())
            self._machine.events.append(
                MergeEvent(*place, merge.variable, merge.point, merge.otherwise, tuple(cursors))
            )

    def _while(self, loop: While, site: Site) -> Step:
        evaluator, merge = self.evaluator(site), loop.merge
        condition = evaluator.compile(loop.condition)
        body, tick = self.body(loop.body), self._machine.tick
        walks: list[tuple[Walk, Closure, Closure]] = []
        if merge is not None and self._machine.events is not None:
            walks = [(walk, evaluator.compile(Var(walk.name)), evaluator.compile(walk.end)) for walk in merge.walks]

        def run() -> Signal:
            while condition():
                tick(site, 1)
                if merge is not None:
                    self._merging(merge, site, (_cursor(walk, at(), end()) for walk, at, end in walks))
                signal = body()
                if signal == BREAK:
                    break
                if signal == STOP:
                    return STOP
            return NEXT

        return run

    def _for(self, loop: For, site: Site) -> Step:
        evaluator = self.evaluator(site)
        lower, upper = evaluator.compile(loop.lower), evaluator.compile(loop.upper)
        parallel = loop.kind is not LoopKind.SERIAL
        outer_symbols, outer_loops = self._symbols, self._loops
        self._symbols = dict(outer_symbols)
        depth = site.depth + parallel
        private = [self.workspace(workspace, site, depth) for workspace in loop.private]
        slot = self._machine.new_slot()
        self._symbols[loop.variable] = Scalar(slot, INDEX, depth)
        for reduction in loop.reductions:
            # Inside, each iteration has its own copy.
            scalar = outer_symbols[reduction.name]
            assert isinstance(scalar, Scalar)
            self._symbols[reduction.name] = Scalar(scalar.slot, scalar.dtype, depth, mutable=True)
        self._loops = (*outer_loops, (loop.variable, slot, parallel))
        body = self.body(loop.body)
        self._symbols, self._loops = outer_symbols, outer_loops
        if parallel:
            return self._parallel(loop, site, lower, upper, slot, body, private)
        machine, scalars, events, variable = self._machine, self._machine.scalars, self._machine.events, loop.variable
        merge, step = loop.merge, loop.step

        def run() -> Signal:
            values = range(lower(), upper(), step)
            for value in values:
                machine.tick(site, 1)
                scalars[slot] = value
                if events is not None:
                    if merge is not None:
                        self._merging(merge, site, (_cursor(walk, value, values.stop) for walk in merge.walks))
                    events.append(LoopEvent(site.number, site.line, site.worker(), variable, value))
                signal = body()
                if signal == BREAK:
                    break
                if signal == STOP:
                    return STOP
            return NEXT

        return run

    def _parallel(
        self,
        loop: For,
        site: Site,
        lower: Closure,
        upper: Closure,
        slot: int,
        body: Step,
        private: list[tuple[Step, Callable[[], None]]],
    ) -> Step:
        """To the race detection every iteration is its own worker, with its own copy of what the loop reduces.
        Private workspaces belong to a few workers, each with a share of the iterations, which it comes to in ascending
        order, so that an iteration finds what the one before it left there."""
        machine, scalars, events, variable = self._machine, self._machine.scalars, self._machine.events, loop.variable
        merge = loop.merge
        reductions = [self._reduction(reduction, site) for reduction in loop.reductions]

        def run() -> Signal:
            machine.instances += 1
            instance, outer = machine.instances, machine.worker
            totals = [scalars[reduction.slot] for reduction in reductions]
            values = range(lower(), upper())
            share = max(1, -(-len(values) // WORKERS))
            turns = self.ordered(values)
            if private:
                order, starts = list(turns), range(0, len(values), share)
                turns = [value for start in starts for value in sorted(order[start : start + share])]
            for turn, value in enumerate(turns):
                machine.tick(site, 1)
                machine.worker = outer
                for set_up, forget in private:
                    if turn % share == 0:
                        set_up()
                    forget()
                scalars[slot] = value
                if events is not None:
                    if merge is not None:
                        self._merging(merge, site, (_cursor(walk, value, values.stop) for walk in merge.walks))
                    events.append(LoopEvent(site.number, site.line, site.worker(), variable, value))
                for reduction in reductions:
                    scalars[reduction.slot] = reduction.identity
                machine.worker = (*outer, instance, value)
                body()
                for number, reduction in enumerate(reductions):
                    totals[number] = reduction.combine(totals[number], scalars[reduction.slot])
            machine.worker = outer
            for total, reduction in zip(totals, reductions, strict=True):
                reduction.set_value(total)
            return NEXT

        return run

    def _reduction(self, reduction: Reduction, site: Site) -> _Reduction:
        scalar = self._symbols[reduction.name]
        assert isinstance(scalar, Scalar)
        return _Reduction(
            scalar.slot,
            arithmetic.convert(reduction_identity(reduction.operator, scalar.dtype), scalar.dtype),
            self.operation(reduction.operator, scalar.dtype, site),
            self.setter(reduction.name, scalar, site),
        )

    def ordered(self, values: range) -> Iterable[int]:
        match self._order:
            case "forward":
                return values
            case "reverse":
                return reversed(values)
            case "shuffled":
                return self._random.sample(values, len(values))
            case _:
                raise TypeError(f"unknown order {self._order!r}")


def _cursor(walk: Walk, position: int, end: int) -> Cursor:
    return Cursor(walk.operand, walk.tensor, walk.level, position, end)
