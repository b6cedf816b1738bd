"""Copies of the result for the parts of a parallel reduction, and the loop that combines them
(docs/sources.md T28, T48).

``copies[part * size + local]``: ``size`` elements of the result for each part. Where outer loops know the coordinates
of the result's first levels, a copy holds only what lies below them.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.iteration_graph.graph.provenance import leaves, level_variables
from compiler.iteration_graph.transform.temporaries import PARTS
from compiler.loop_ir import build
from compiler.loop_ir.nodes import (
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
from compiler.lowering.environment.loop_environment import LoopEnvironment
from compiler.lowering.environment.partial_results import Copies
from compiler.lowering.environment.store import neutral
from compiler.notation.functions import ASSIGNMENTS
from compiler.notation.nodes import Access
from compiler.origin import Origin, Role

MAX_ELEMENTS = 2**27
"""Of all copies of a result together: 1 GiB of float64."""


@dataclass(frozen=True, slots=True)
class Combination:
    """What the loop behind the parts needs."""

    copies: Copies
    target: Access
    operator: str
    base: Expr
    origin: Origin
    partly: bool
    """A loop around chooses some of the elements: another iteration of it computes others of the same copy."""


def start_copies(
    scope: LoopEnvironment, inner: LoopEnvironment, target: Access, operator: str, part: str
) -> Combination:
    """Emit the copies of what lies below the known levels of ``target``; assignments in ``inner`` go there."""
    kernel, tensor = scope.kernel, target.tensor
    command = kernel.graph.parallel[part].command
    origin = Origin(Role.REDUCTION, part, tensor, command=command)
    known = sum((target, level) in scope.positions for level in range(1, len(target.indices) + 1))
    size: Expr = build.index(1)
    for level in range(known + 1, len(target.indices) + 1):
        size = build.mul(size, kernel.storages[tensor, level].size)
    total = build.mul(build.index(PARTS), size)
    text = (
        f"the {PARTS} copies of {tensor} that command {command + 1} needs for its race strategy would have more than "
        f"{MAX_ELEMENTS} elements. Use Atomics, or parallelize another loop."
    )
    small = build.compare("<=", total, build.index(MAX_ELEMENTS))
    kernel.requirements.append(Require(small, len(kernel.requirements) + 1, text, origin))
    dtype = kernel.graph.signature.tensors[tensor].dtype
    array = Array(kernel.names.fresh(f"{tensor}_copies"), dtype, ArrayRole.WORKSPACE)
    start = neutral(operator, dtype)
    scope.emit(Allocate(array, total, origin, zero=start.value == 0))
    if start.value != 0:
        scope.emit(Fill(array, total, start, origin))
    copies = Copies(array, size, Var(part))
    base = scope.position(target, known)
    inner.copies = {**scope.copies, tensor: copies}
    if known:
        inner.set_position(target, known, build.index(0))  # positions in a copy count from its start
    below = level_variables(kernel.graph, target)[known:]
    partly = any(leaf in scope.entered for variable in below for leaf in leaves(kernel.graph, variable))
    return Combination(copies, target, operator, base, origin, partly)


def combine(scope: LoopEnvironment, found: Combination) -> None:
    """Emit the loop that adds up the copies of each element, in the order of the parts, and stores the result."""
    kernel, origin = scope.kernel, found.origin
    reduce, dtype, size = ASSIGNMENTS[found.operator], found.copies.array.dtype, found.copies.size
    with kernel.names.scope():
        element, total = (
            Var(kernel.names.fresh("element")),
            Var(kernel.names.fresh(f"{found.target.tensor}_sum"), dtype),
        )
        part = Var(kernel.names.fresh(f"{found.copies.part.name}2"))
        copy = Load(found.copies.array, build.add(build.mul(part, size), element))
        add = Assign(total.name, copy, origin, reduce)
        position = build.add(build.mul(found.base, size), element)
        whole = scope.covers and not found.partly
        if not whole:
            kernel.needs_zero = True
        written = None if whole else reduce
        body = Block(
            (
                Declare(total.name, dtype, neutral(found.operator, dtype), origin, mutable=True),
                For(part.name, build.index(0), build.index(PARTS), add, origin),
                Store(kernel.values[found.target.tensor], position, total, origin, written),
            )
        )
    scope.emit(For(element.name, build.index(0), size, body, origin, LoopKind.CPU_THREAD))
