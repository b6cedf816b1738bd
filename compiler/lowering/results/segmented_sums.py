"""Segmented accumulation: a row that a position loop tracks is summed in registers (docs/sources.md T44, G7).

While the parent of the positions stays the same, all iterations add into one location, or into one for each iteration
of constant loops inside (``side_by_side.py``). The sums are stored when the parent changes and once behind the loop.
Where the rows are in order, only the first and the last one of a loop may belong to other workers, too: those stores
are atomic, rows in between are this worker's alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.formats.levels.kinds import kind_of
from compiler.formats.levels.level import ParentSearch, Range
from compiler.iteration_graph.analysis.assembly import Appended
from compiler.iteration_graph.graph.nodes import Assign as Assignment
from compiler.iteration_graph.graph.nodes import Forall
from compiler.iteration_graph.graph.positions import Positions
from compiler.iteration_graph.graph.provenance import (
    grows_with,
    is_consecutive,
    leaves,
    level_variables,
    loop_variables,
    position_relation,
    roots,
)
from compiler.loop_ir import build
from compiler.loop_ir.nodes import BOOL, INDEX, Assign, Block, Declare, Expr, If, Stmt, Var
from compiler.lowering.environment.block import block
from compiler.lowering.environment.loop_environment import LoopEnvironment
from compiler.lowering.environment.partial_results import Segment, Sums
from compiler.lowering.environment.store import declare_sum, in_memory, is_shared, neutral, racing_loops, store
from compiler.lowering.nest.locate import locate_access
from compiler.lowering.nest.row_changes import has_begun
from compiler.lowering.results.register_accumulators import declare_sums, find_columns, for_each_sum
from compiler.notation.nodes import Access
from compiler.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class _Found:
    """``rows`` are the indices of the target that the loop over ``variable`` finds, down to ``level``. ``tracked``:
    parents are searched and then tracked; otherwise each position has its coordinates. ``columns``: the loops inside
    with a sum each."""

    variable: str
    written: Assignment
    relation: Positions
    rows: tuple[str, ...]
    level: int
    tracked: bool
    columns: tuple[str, ...]


def find_segment(scope: LoopEnvironment, statement: Forall) -> _Found | None:
    """Whether all that the loop writes is a location that the parents of its positions decide."""
    graph, variable = scope.kernel.graph, statement.variable
    if isinstance(scope.kernel.assembly, Appended):
        return None
    written = in_memory(scope, statement)
    if len(written) != 1 or written[0].operator == "=":
        return None
    target = written[0].target
    if target.tensor in scope.scalars or target.tensor in scope.sums:
        return None
    unknown = tuple(dict.fromkeys(index for index in target.indices if index not in scope.known))
    rows = tuple(index for index in unknown if position_relation(graph, index) is not None)
    relations = {position_relation(graph, index) for index in rows}
    relation = next(iter(relations)) if len(relations) == 1 else None
    if relation is None or not set(rows) <= set(relation.components[:-1]):
        return None
    columns = find_columns(scope, statement, written[0], [index for index in unknown if index not in rows])
    if columns is None or any(v in graph.parallel and v not in columns for v in loop_variables(statement)):
        return None
    own = leaves(graph, relation.position)
    if variable not in own or not set(own) <= scope.entered | {variable}:
        return None
    if not grows_with(graph, relation.position, variable):
        return None
    below = [scope.storage(relation.access, n) for n in range(relation.first_level + 1, relation.last_level + 1)]
    searched = {isinstance(kind_of(s).parent(s, build.index(0)), ParentSearch) for s in below}
    tracked = searched == {True}
    if not tracked and (searched != {False} or not _is_dense(scope, target)):
        return None
    above = [scope.storage(relation.access, n) for n in range(relation.first_level, relation.last_level)]
    zero = build.index(0)
    if any(kind_of(s).stored(s, zero, zero) for s in above):
        return None  # a sum would end at a position without an entry, which has no coordinate to store it at
    levels = level_variables(graph, relation.access)
    level = max(levels.index(index) + 1 for index in rows)
    return _Found(variable, written[0], relation, rows, level, tracked, columns)


def _is_dense(scope: LoopEnvironment, target: Access) -> bool:
    """Whether the coordinates of the target alone say where it is."""
    tensors = scope.kernel.graph.signature.tensors
    return target.tensor not in tensors or tensors[target.tensor].format.is_dense


def start_segment(scope: LoopEnvironment, found: _Found) -> None:
    """Declare the sums in front of the loop; from here on assignments below add into them."""
    variable, written, target, names = found.variable, found.written, found.written.target, scope.kernel.names
    origin = Origin(Role.REDUCTION, variable, target.tensor)
    total: Var | Sums
    restart: Stmt
    if found.columns:
        total, restart = declare_sums(scope, written, found.columns, origin)
        scope.sums = {**scope.sums, target.tensor: total}
    else:
        total = scope.scalars[target.tensor] = declare_sum(scope, target, variable, written.operator)
        restart = Assign(total.name, neutral(written.operator, total.dtype), origin)
    rows = {} if found.tracked else {index: Var(names.fresh(f"{index}_row")) for index in found.rows}
    for row in rows.values():
        scope.emit(Declare(row.name, INDEX, build.index(-1), origin, mutable=True))
    first: Var | None = None
    shared = is_shared(scope, target)
    if shared and _has_rows_of_its_own(scope, found):
        first = Var(names.fresh(f"{target.tensor}_first"), BOOL)
        scope.emit(Declare(first.name, BOOL, build.TRUE, origin, mutable=True))
    access, level = found.relation.access, found.level
    scope.segment = Segment(written, variable, access, level, rows, total, restart, first, shared, origin, _end_of_row)


def _has_rows_of_its_own(scope: LoopEnvironment, found: _Found) -> bool:
    """Whether other workers share the first and the last row of the loop at most: rows stand in their order, each once,
    the loop takes one position after the other, and who shares a row has neighbouring positions."""
    graph, access = scope.kernel.graph, found.relation.access
    above = level_variables(graph, access)[: found.level]
    levels = graph.signature.tensors[access.tensor].format.levels[: found.level]
    once = all(level.ordered and (level.unique or not found.tracked) for level in levels)
    target = found.written.target
    in_turn = is_consecutive(graph, found.relation.position, found.variable)
    if not once or not in_turn or not set(above) <= set(target.indices):
        return False
    positions = {*above, *found.relation.components, *target.indices}
    return all(set(roots(graph, loop)) <= positions for loop in racing_loops(scope, target))


def _end_of_row(scope: LoopEnvironment) -> list[Stmt]:
    """What happens when the parent changes: store the sums and start new ones."""
    segment = scope.segment
    assert segment is not None
    if segment.first is None:
        return [*_stored(scope, segment, segment.shared), segment.restart]
    shared, alone = Block(tuple(_stored(scope, segment, True))), Block(tuple(_stored(scope, segment, False)))
    begun = Assign(segment.first.name, build.FALSE, segment.origin)
    return [If(segment.first, shared, segment.origin, alone), segment.restart, begun]


def finish_segment(scope: LoopEnvironment, found: _Found) -> None:
    """Store the last row's sums behind the loop, if there is any row at all."""
    segment = scope.segment
    assert segment is not None
    if found.tracked:
        rows: Range = found.relation.ranges(scope)[found.level - found.relation.first_level]
        any_row = build.compare("<", rows.lower, rows.upper)
    else:
        any_row = has_begun(segment)
    scope.emit(If(any_row, Block(tuple(_stored(scope, segment, None))), segment.origin))


def _stored(scope: LoopEnvironment, segment: Segment, atomic: bool | None) -> list[Stmt]:
    """The stores of the sums of the row that ends; ``atomic`` as in :func:`store`."""
    inner = scope.inside()
    inner.segment = None
    target, total = segment.written.target, segment.total
    inner.scalars.pop(target.tensor, None)
    inner.sums = {tensor: sums for tensor, sums in scope.sums.items() if tensor != target.tensor}
    inner.known |= segment.rows
    with scope.kernel.names.scope():
        for index in target.indices:
            if index not in inner.known and position_relation(scope.kernel.graph, index) is not None:
                level = level_variables(scope.kernel.graph, segment.access).index(index) + 1
                inner.known[index] = _tracked(inner, segment.access, index)
                inner.set_position(segment.access, level, Var(inner.trackers[segment.access, level]))
        if isinstance(total, Sums):
            for_each_sum(inner, segment.written, total, lambda one, value: _store(one, segment.written, value, atomic))
        else:
            _store(inner, segment.written, total, atomic)
    return list(block(inner.items).statements)


def _store(scope: LoopEnvironment, written: Assignment, value: Expr, atomic: bool | None) -> None:
    if written.target.tensor == scope.kernel.result:
        locate_access(scope, written.target)
    store(scope, written.target, value, written.operator, atomic)


def _tracked(scope: LoopEnvironment, access: Access, variable: str) -> Expr:
    """The coordinate of a tracked variable, from where its tracker stands."""
    level = level_variables(scope.kernel.graph, access).index(variable) + 1
    storage = scope.storage(access, level)
    position = Var(scope.trackers[access, level])
    return kind_of(storage).coordinate(storage, position, (position.name,))
