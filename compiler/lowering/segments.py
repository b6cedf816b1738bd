"""Segmented accumulation: a row that a position loop tracks is summed in a register (DESIGN §3.4, FEATURES T44, G7).

While the parent of the positions stays the same, all iterations add into one location. The sum is stored when the
parent changes and once behind the loop. Where the rows are in order, only the first and the last one of a loop may
belong to other workers, too: those stores are atomic, rows in between are this worker's alone.
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
    roots,
)
from compiler.iteration_graph.relations.position import PositionRelation
from compiler.loop_ir import build
from compiler.loop_ir.nodes import BOOL, INDEX, Assign, Block, Declare, Expr, If, Stmt, Var
from compiler.lowering.block import block
from compiler.lowering.locate import locate_access
from compiler.lowering.partial_results import Segment
from compiler.lowering.scope import Scope
from compiler.lowering.store import declare_sum, in_memory, is_shared, neutral, racing_loops, store
from compiler.notation.nodes import Access
from compiler.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class _Found:
    """``unknown`` are the indices of the target that the loop finds, down to ``level``. ``tracked``: parents are
    searched and then tracked; otherwise each position has its coordinates."""

    target: Access
    relation: PositionRelation
    unknown: tuple[str, ...]
    level: int
    tracked: bool
    operator: str


def find_segment(scope: Scope, statement: Forall) -> _Found | None:
    """Whether all that the loop writes is a location that the parents of its positions decide."""
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
    unknown = tuple(dict.fromkeys(index for index in target.indices if index not in scope.known))
    relations = {position_relation(graph, index) for index in unknown}
    relation = next(iter(relations)) if len(relations) == 1 else None
    if relation is None or not set(unknown) <= set(relation.components[:-1]):
        return None
    own = leaves(graph, relation.position)
    if variable not in own or not set(own) <= scope.entered | {variable}:
        return None
    below = [scope.storage(relation.access, n) for n in range(relation.first_level + 1, relation.last_level + 1)]
    searched = {isinstance(kind_of(s).parent(s, build.index(0)), ParentSearch) for s in below}
    tracked = searched == {True}
    if not tracked and (searched != {False} or not _is_dense(scope, target)):
        return None
    rows = [scope.storage(relation.access, n) for n in range(relation.first_level, relation.last_level)]
    zero = build.index(0)
    if any(kind_of(s).stored(s, zero, zero) for s in rows):
        return None  # a sum would end at a position without an entry, which has no coordinate to store it at
    levels = level_variables(graph, relation.access)
    level = max(levels.index(index) + 1 for index in unknown)
    return _Found(target, relation, unknown, level, tracked, written[0].operator)


def _is_dense(scope: Scope, target: Access) -> bool:
    """Whether the coordinates of the target alone say where it is."""
    tensors = scope.kernel.graph.signature.tensors
    return target.tensor not in tensors or tensors[target.tensor].format.is_dense


def start_segment(scope: Scope, found: _Found, variable: str) -> None:
    """Declare the sum in front of the loop; from here on assignments below add into it."""
    target, names = found.target, scope.kernel.names
    origin = Origin(Role.REDUCTION, variable, target.tensor)
    total = declare_sum(scope, target, variable, found.operator)
    scope.scalars[target.tensor] = total
    rows = {} if found.tracked else {index: Var(names.fresh(f"{index}_row")) for index in found.unknown}
    for row in rows.values():
        scope.emit(Declare(row.name, INDEX, build.index(-1), origin, mutable=True))
    first: Var | None = None
    shared = is_shared(scope, target)
    if shared and _has_rows_of_its_own(scope, found):
        first = Var(names.fresh(f"{target.tensor}_first"), BOOL)
        scope.emit(Declare(first.name, BOOL, build.TRUE, origin, mutable=True))
    access, level = found.relation.access, found.level
    scope.segment = Segment(
        target, variable, access, level, rows, total, first, shared, origin, _end_of_row, found.operator
    )


def _has_rows_of_its_own(scope: Scope, found: _Found) -> bool:
    """Whether other workers share the first and the last row of the loop at most: rows stand in their order, each once,
    and who shares a row has neighbouring positions."""
    graph, access = scope.kernel.graph, found.relation.access
    above = level_variables(graph, access)[: found.level]
    levels = graph.signature.tensors[access.tensor].format.levels[: found.level]
    once = all(level.ordered and (level.unique or not found.tracked) for level in levels)
    if not once or not set(above) <= set(found.target.indices):
        return False
    positions = {*above, *found.relation.components, *found.target.indices}
    return all(set(roots(graph, loop)) <= positions for loop in racing_loops(scope, found.target))


def watch_rows(scope: Scope, variable: str) -> None:
    """At the start of an iteration of the segment's own loop, where each position has its coordinates: store the sum
    of the row before when another one begins."""
    segment = scope.segment
    if segment is None or segment.variable != variable or not segment.rows:
        return
    same = build.both(*(build.compare("==", scope.value(index), row) for index, row in segment.rows.items()))
    stored = If(_has_begun(segment), Block(tuple(_end_of_row(scope))), segment.origin)
    begin = [Assign(row.name, scope.value(index), segment.origin) for index, row in segment.rows.items()]
    scope.emit(If(build.negate(same), Block((stored, *begin)), segment.origin))


def _has_begun(segment: Segment) -> Expr:
    """Whether there is a row at all, where rows are told by their coordinates."""
    return build.compare(">=", next(iter(segment.rows.values())), build.index(0))


def _end_of_row(scope: Scope) -> list[Stmt]:
    """What happens when the parent changes: store the sum and start a new one."""
    segment = scope.segment
    assert segment is not None
    start = neutral(segment.operator, segment.total.dtype)
    restart: list[Stmt] = [Assign(segment.total.name, start, segment.origin)]
    if segment.first is None:
        return [*_stored(scope, segment, segment.shared), *restart]
    shared, alone = Block(tuple(_stored(scope, segment, True))), Block(tuple(_stored(scope, segment, False)))
    restart.append(Assign(segment.first.name, build.FALSE, segment.origin))
    return [If(segment.first, shared, segment.origin, alone), *restart]


def finish_segment(scope: Scope, found: _Found) -> None:
    """Store the last row's sum behind the loop, if there is any row at all."""
    segment = scope.segment
    assert segment is not None
    if found.tracked:
        rows: Range = found.relation.ranges(scope)[found.level - found.relation.first_level]
        any_row = build.compare("<", rows.lower, rows.upper)
    else:
        any_row = _has_begun(segment)
    scope.emit(If(any_row, Block(tuple(_stored(scope, segment, None))), segment.origin))


def _stored(scope: Scope, segment: Segment, atomic: bool | None) -> list[Stmt]:
    """The store of the sum of the row that ends; ``atomic`` as in :func:`store`."""
    inner = scope.inside()
    inner.segment = None
    del inner.scalars[segment.target.tensor]
    inner.known |= segment.rows
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
