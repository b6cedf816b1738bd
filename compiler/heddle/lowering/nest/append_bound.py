"""How many coordinates a merge appends at most, found without merging:
``assemble(A, Append)`` (benchmarks/archive/kernels.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from heddle.formats.levels.level import Range
from heddle.iteration_graph.algebra.lattice import Lattice, iterators
from heddle.iteration_graph.graph.nodes import Assign, Statement
from heddle.iteration_graph.graph.provenance import level_variables
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr, Var
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.output import RowMaking
from heddle.notation.nodes import Access


def bounded_counter(environment: LoopEnvironment, variable: str, body: Statement) -> Var | None:
    """The counter of the coordinates that the loop over ``variable`` appends, at most one in each iteration, where a
    bound of their number is all that this pass is for; None elsewhere."""
    output, appending = environment.kernel.output, environment.context.appending
    if output.appended is None or output.row_making(environment.context.kind) is not RowMaking.BOUNDED:
        return None
    if appending is None or not isinstance(body, Assign) or body.target != output.appended.target:
        return None
    (group,) = output.appended.groups
    variables = level_variables(environment.kernel.graph, body.target)[group.first - 1 : group.last]
    known = all(other in environment.known for other in variables[:-1])
    return appending.counters[group.first] if known and variables[-1] == variable else None


def bound(lattice: Lattice, segments: Mapping[Access, Range]) -> Expr:
    """Of the number of coordinates that a merge without full points visits: the lengths of the ``segments`` that its
    operands walk together, or the shortest of them where all operands have to be there."""
    lengths = [build.sub(segments[access].upper, segments[access].lower) for access in iterators(lattice)]
    return reduce(build.minimum if len(lattice) == 1 and not lattice[0].any_of else build.add, lengths)
