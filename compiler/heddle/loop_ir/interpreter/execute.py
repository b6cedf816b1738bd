"""Statements of loop IR as Python closures over the memory of one run; here those that hold other statements."""

from __future__ import annotations

from typing import Any

from heddle.loop_ir.dtypes import lanes_of
from heddle.loop_ir.interpreter.evaluate import Closure, Machine, Scalar, Symbols
from heddle.loop_ir.interpreter.execute_loops import Order
from heddle.loop_ir.interpreter.execute_simple import BREAK, CONTINUE, NEXT, Signal, Step
from heddle.loop_ir.interpreter.execute_vectors import LaneStatements
from heddle.loop_ir.interpreter.site import Site
from heddle.loop_ir.interpreter.trace import CaseEvent
from heddle.loop_ir.nodes import (
    Allocate,
    AllocateMap,
    AllocateResult,
    Assign,
    Block,
    Break,
    ClearMap,
    Comment,
    Continue,
    Declare,
    Fill,
    For,
    Grow,
    If,
    Insert,
    Lanes,
    Prefetch,
    Require,
    Scan,
    Scatter,
    Search,
    Slot,
    Sort,
    SortMap,
    Stmt,
    Store,
    VectorStore,
    While,
)


class Executor(LaneStatements):
    """Compiles statements; ``lines`` are those of the text that they are in."""

    def __init__(
        self,
        machine: Machine,
        symbols: Symbols,
        lines: tuple[int, ...],
        order: Order,
        seed: int,
    ) -> None:
        super().__init__(machine, symbols, order, seed)
        self._lines = lines
        self._number = 0

    @property
    def machine(self) -> Machine:
        return self._machine

    def body(self, body: Stmt) -> Step:
        outer = self._symbols
        self._symbols = dict(outer)
        steps = [self._compile(child) for child in (body.statements if isinstance(body, Block) else (body,))]
        self._symbols = outer
        if len(steps) == 1:
            return steps[0]

        def run() -> Signal:
            for step in steps:
                signal = step()
                if signal:
                    return signal
            return NEXT

        return run

    def _compile(self, statement: Stmt) -> Step:
        if isinstance(statement, Block):
            return self.body(statement)
        return self._step(statement, self._site(statement))

    def _site(self, statement: Stmt) -> Site:
        """The place of the next statement in the order of the text."""
        site = Site(statement, self._number, self._lines[self._number], self._loops, self._machine.scalars)
        self._number += 1
        return site

    def _step(self, statement: Stmt, site: Site) -> Step:
        match statement:
            case Declare(dtype=dtype):
                return (
                    self.declare(statement, site) if lanes_of(dtype) is None else self.vector_declare(statement, site)
                )
            case Assign():
                return self._assign(statement, site)
            case Store():
                return self.store(statement, site)
            case Lanes():
                return self.lanes(statement, site)
            case VectorStore() | Scatter():
                return self.vector_store(statement, site)
            case For():
                return self._for(statement, site)
            case While():
                return self._while(statement, site)
            case If():
                return self._if(statement, site)
            case Break():
                return lambda: BREAK
            case Continue():
                return lambda: CONTINUE
            case Search():
                return self.search(statement, site)
            case Fill():
                return self.fill(statement, site)
            case Allocate() | AllocateResult():
                return self.allocate(statement, site)
            case Grow():
                return self.grow(statement, site)
            case Scan():
                return self.scan(statement, site)
            case Sort():
                return self.sort(statement, site)
            case AllocateMap():
                return self.allocate_map(statement, site)
            case Slot():
                return self.slot(statement, site)
            case SortMap():
                return self.sort_map(statement, site)
            case ClearMap():
                return self.clear_map(statement, site)
            case Insert():
                return self.insert(statement, site)
            case Require():
                return self.require(statement, site)
            case Prefetch() | Comment():
                return lambda: NEXT
            case _:
                raise TypeError(f"unexpected node {statement!r}")

    def _assign(self, assign: Assign, site: Site) -> Step:
        scalar = self._symbols[assign.name]
        assert isinstance(scalar, Scalar)
        return self.assign(assign, site) if lanes_of(scalar.dtype) is None else self.vector_assign(assign, site)

    def _if(self, branch: If, site: Site) -> Step:
        condition, then = self._condition(branch, site), self.body(branch.then)
        if branch.otherwise is None:
            return lambda: then() if condition() else NEXT
        otherwise = self.body(branch.otherwise)
        return lambda: then() if condition() else otherwise()

    def _condition(self, branch: If, site: Site) -> Closure:
        """The condition; where it stands for a lattice point, being taken is an event."""
        condition, case, events = self.evaluator(site).compile(branch.condition), branch.case, self._machine.events
        if case is None or events is None:
            return condition

        def test() -> Any:
            holds = condition()
            if bool(holds) == case.when:
                events.append(CaseEvent(site.number, site.line, site.worker(), case.variable, case.point))
            return holds

        return test
