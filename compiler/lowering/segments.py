"""Segmented accumulation: a row that a position loop tracks is summed in a register (DESIGN §3.4, FEATURES T44).

While the tracked parent stays the same, all iterations add into one location. The sum is stored when the parent
changes and once behind the loop. Only the first and the last row of a loop may belong to other workers, too: those
stores are atomic, rows in between are this worker's alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.formats.levels.kinds import kind_of
from compiler.formats.levels.level import ParentSearch, Range
from compiler.iteration_graph.assembly import Appended
from compiler.iteration_graph.nodes import Forall
from compiler.iteration_graph.provenance import (
    leaves,
    level_variables,
    loop_variables,
    position_relation,
)
from compiler.iteration_graph.relations.position import PositionRelation
from compiler.loop_ir import build
from compiler.loop_ir.nodes import BOOL, Assign, Block, Declare, Expr, If, Stmt, Var
from compiler.lowering.block import block
from compiler.lowering.locate import locate_access
from compiler.lowering.scope import Scope, Segment
from compiler.lowering.store import declare_sum, in_memory, is_shared, neutral, store
from compiler.notation.nodes import Access
from compiler.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class _Found:
    target: Access
    relation: PositionRelation
    level: int
    operator: str


def find_segment(scope: Scope, statement: Forall) -> _Found | None:
    """Whether all that the loop writes is a location that its tracked variables decide."""
    graph, variable = scope.kernel.graph, statement.variable
    if isinstance(scope.kernel.assembly, Appended):
        return None
    inner = loop_variables(statement)
    if any(v in graph.parallel for v in inner):
        return None
    written = in_memory(scope, statement)
    if len(written) != 1 or written[0].operator == "=" or written[0].target.tensor in scope.scalars:
        return None
    target = written[0].target
    unknown = [index for index in target.indices if index not in scope.known]
    relations = {position_relation(graph, index) for index in unknown}
    relation = next(iter(relations)) if len(relations) == 1 else None
    if relation is None or not set(unknown) <= set(relation.components[:-1]):
        return None
    own = leaves(graph, relation.position)
    if variable not in own or not set(own) <= scope.entered | {variable}:
        return None
    below = [scope.storage(relation.access, n) for n in range(relation.first_level + 1, relation.last_level + 1)]
    if not all(isinstance(kind_of(s).parent(s, build.index(0)), ParentSearch) for s in below):
        return None  # parents that are computed, not tracked
    levels = level_variables(graph, relation.access)
    return _Found(target, relation, max(levels.index(index) + 1 for index in unknown), written[0].operator)


def start_segment(scope: Scope, found: _Found, variable: str) -> None:
    """Declare the sum in front of the loop; from here on assignments below add into it."""
    target = found.target
    origin = Origin(Role.REDUCTION, variable, target.tensor)
    total = declare_sum(scope, target, variable, found.operator)
    scope.scalars[target.tensor] = total
    first: Var | None = None
    if is_shared(scope, target):
        first = Var(scope.kernel.names.fresh(f"{target.tensor}_first"), BOOL)
        scope.emit(Declare(first.name, BOOL, build.TRUE, origin, mutable=True))
    scope.segment = Segment(
        target, found.relation.access, found.level, total, first, origin, _end_of_row, found.operator
    )


def _end_of_row(scope: Scope) -> list[Stmt]:
    """What happens when the tracked parent changes: store the sum and start a new one."""
    segment = scope.segment
    assert segment is not None
    start = neutral(segment.operator, segment.total.dtype)
    restart: list[Stmt] = [Assign(segment.total.name, start, segment.origin)]
    if segment.first is None:
        return [*_stored(scope, segment, False), *restart]
    shared, alone = Block(tuple(_stored(scope, segment, True))), Block(tuple(_stored(scope, segment, False)))
    restart.append(Assign(segment.first.name, build.FALSE, segment.origin))
    return [If(segment.first, shared, segment.origin, alone), *restart]


def finish_segment(scope: Scope, found: _Found) -> None:
    """Store the last row's sum behind the loop, if there is any row at all."""
    segment = scope.segment
    assert segment is not None
    rows: Range = found.relation.ranges(scope)[found.level - found.relation.first_level]
    stored = Block(tuple(_stored(scope, segment, None)))
    scope.emit(If(build.compare("<", rows.lower, rows.upper), stored, segment.origin))


def _stored(scope: Scope, segment: Segment, atomic: bool | None) -> list[Stmt]:
    """The store of the sum at the row where the trackers stand; ``atomic`` as in :func:`store`."""
    inner = scope.inside()
    inner.segment = None
    del inner.scalars[segment.target.tensor]
    with scope.kernel.names.scope():
        for index in segment.target.indices:
            if index not in inner.known:
                level = level_variables(scope.kernel.graph, segment.access).index(index) + 1
                inner.known[index] = _tracked(inner, segment.access, index)
                inner.set_position(segment.access, level, Var(inner.trackers[segment.access, level]))
        if segment.target.tensor == scope.kernel.result:
            locate_access(inner, segment.target)
        store(inner, segment.target, segment.total, segment.operator, atomic)
    return list(block(inner.items).statements)


def _tracked(scope: Scope, access: Access, variable: str) -> Expr:
    """The coordinate of a tracked variable, from where its tracker stands."""
    level = level_variables(scope.kernel.graph, access).index(variable) + 1
    storage = scope.storage(access, level)
    position = Var(scope.trackers[access, level])
    return kind_of(storage).coordinate(storage, position, (position.name,))
