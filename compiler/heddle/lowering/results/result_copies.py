"""Copies of the result for the parts of a parallel reduction, and the loop that combines them
(docs/sources.toml T28, T48).

``copies[part * size + local]``: ``size`` elements of the result for each part. Where outer loops know the coordinates
of the result's first levels, a copy holds only what lies below them.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.graph.nodes import Forall
from heddle.iteration_graph.graph.provenance import find_assignments, leaves, level_variables
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.transform.temporaries import PARTS, needs_copies
from heddle.loop_ir import build
from heddle.loop_ir.nodes import (
    Allocate,
    Array,
    ArrayRole,
    Assign,
    Block,
    Declare,
    Expr,
    Fill,
    For,
    Load,
    LoopKind,
    Require,
    Store,
    Var,
)
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.store import neutral
from heddle.notation.functions import ASSIGNMENTS
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role

MAX_ELEMENTS = 2**27
"""Of all copies of a result together: 1 GiB of float64."""


@dataclass(frozen=True, slots=True)
class ResultCopies:
    """The iterations of the parallel loop over ``part`` add into elements of ``target`` that each finds by itself."""

    target: Access
    operator: str
    part: str
    stores_once: bool = False

    def enter(self, environment: LoopEnvironment, inner: LoopEnvironment) -> PartialResults:
        """Emit the copies of what lies below the known levels of the target; assignments in ``inner`` go there."""
        kernel, target, tensor = environment.kernel, self.target, self.target.tensor
        command = kernel.graph.parallel[self.part].command
        origin = Origin(Role.REDUCTION, self.part, tensor, command=command)
        known = sum((target, level) in environment.positions for level in range(1, len(target.indices) + 1))
        if kernel.places and known < len(target.indices):
            raise Refusal(
                "schedule/copies-of-parts",
                f"{tensor} has values only where its pattern has, so that no worker can have a copy of what lies below "
                f"{self.part}. Use Atomics, or parallelize a loop outside.",
                expected="Atomics",
                actual=kernel.graph.parallel[self.part].race,
                command=command,
            )
        size: Expr = build.index(1)
        for level in range(known + 1, len(target.indices) + 1):
            size = build.mul(size, kernel.storages[tensor, level].size)
        total = build.mul(build.index(PARTS), size)
        text = (
            f"the {PARTS} copies of {tensor} that command {command + 1} needs for its race strategy would have more "
            f"than {MAX_ELEMENTS} elements. Use Atomics, or parallelize another loop."
        )
        small = build.compare("<=", total, build.index(MAX_ELEMENTS))
        kernel.requirements.append(Require(small, len(kernel.requirements) + 1, text, origin))
        dtype = kernel.graph.signature.tensors[tensor].dtype
        array = Array(kernel.names.fresh(f"{tensor}_copies"), dtype, ArrayRole.WORKSPACE)
        start = neutral(self.operator, dtype)
        environment.emit(Allocate(array, total, origin, zero=start.value == 0))
        if start.value != 0:
            environment.emit(Fill(array, total, start, origin))
        base = environment.position(target, known)
        if known:
            inner.set_position(target, known, build.index(0))  # positions in a copy count from its start
        below = level_variables(kernel.graph, target)[known:]
        entered = environment.context.nest.entered
        partly = any(leaf in entered for variable in below for leaf in leaves(kernel.graph, variable))
        copies = PartialResults(self, array, size, Var(self.part), base, origin, partly)
        inner.redirect(tensor, copies)
        return copies


@dataclass(frozen=True, slots=True)
class PartialResults:
    """``size`` elements of ``array`` for each part, those of ``part`` in turn; the first is at ``base`` in the result.
    ``partly``: a loop around chooses some of the elements, so that another iteration of it computes others of the same
    copy."""

    accumulation: ResultCopies
    array: Array
    size: Expr
    part: Var
    base: Expr
    origin: Origin
    partly: bool
    columns: tuple[str, ...] = ()
    scalar: Var | None = None

    def store(
        self, environment: LoopEnvironment, target: Access, value: Expr, operator: str, atomic: bool | None
    ) -> None:
        """Into the copy of the part that runs here: no other worker adds into it."""
        position = build.add(build.mul(self.part, self.size), environment.position(target, len(target.indices)))
        environment.emit(Store(self.array, position, value, self.origin, ASSIGNMENTS[operator]))

    def leave(self, environment: LoopEnvironment, inner: LoopEnvironment) -> None:
        """Emit the loop that adds up the copies of each element, in the order of the parts, and stores the result."""
        kernel, origin, target, operator = (
            environment.kernel,
            self.origin,
            self.accumulation.target,
            self.accumulation.operator,
        )
        reduce, dtype = ASSIGNMENTS[operator], self.array.dtype
        with kernel.names.scope():
            element = Var(kernel.names.fresh("element"))
            total = Var(kernel.names.fresh(f"{target.tensor}_sum"), dtype)
            part = Var(kernel.names.fresh(f"{self.part.name}2"))
            copy = Load(self.array, build.add(build.mul(part, self.size), element))
            add = Assign(total.name, copy, origin, reduce)
            position = build.add(build.mul(self.base, self.size), element)
            whole = environment.context.writes_every_element_once and not self.partly
            if not whole:
                kernel.partly_written.add(target.tensor)
            written = None if whole else reduce
            body = Block(
                (
                    Declare(total.name, dtype, neutral(operator, dtype), origin, mutable=True),
                    For(part.name, build.index(0), build.index(PARTS), add, origin),
                    Store(kernel.values[target.tensor], position, total, origin, written),
                )
            )
        environment.emit(For(element.name, build.index(0), self.size, body, origin, LoopKind.CPU_THREAD))


def find_result_copies(environment: LoopEnvironment, statement: Forall) -> ResultCopies | None:
    """Whether the workers of a loop need copies of the result."""
    graph, part = environment.kernel.graph, statement.variable
    for assign in find_assignments(graph, statement):
        if assign.target.tensor == environment.kernel.result and needs_copies(graph, part, assign.target):
            return ResultCopies(assign.target, assign.operator, part)
    return None
