"""Segmented accumulation: a row that a position loop tracks is summed in registers (docs/sources.toml T44, G7).

While the parent of the positions stays the same, all iterations add into one location, or into one for each iteration
of constant loops inside (``register_accumulators.py``). The sums are stored when the parent changes and once behind the
loop. Where the rows are in order, only the first and the last one of a loop may belong to other workers, too: those
stores are atomic, rows in between are this worker's alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.formats.levels.kinds import kind_of
from heddle.formats.levels.level import ParentSearch, Range
from heddle.iteration_graph.graph.nodes import Assign as Assignment
from heddle.iteration_graph.graph.nodes import Forall
from heddle.iteration_graph.graph.positions import Positions
from heddle.iteration_graph.graph.provenance import (
    grows_with,
    is_consecutive,
    leaves,
    level_variables,
    loop_variables,
    position_relation,
    roots,
    walked_positions,
)
from heddle.loop_ir import build
from heddle.loop_ir.nodes import BOOL, INDEX, Assign, Block, Declare, Expr, If, Stmt, Var
from heddle.lowering.environment.destination import Destination, ScalarDestination
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.loop_sums import Segment, Unsegmented
from heddle.lowering.environment.store import (
    assignments_to_memory,
    declare_sum,
    is_shared,
    neutral,
    racing_loops,
    store,
)
from heddle.lowering.nest.locate import locate_access
from heddle.lowering.nest.operand_iterators import coordinates_known_in, merged_coordinates
from heddle.lowering.nest.row_changes import has_begun
from heddle.lowering.results.register_accumulators import (
    RegisterAccumulators,
    declare_accumulators,
    find_columns,
    for_each_accumulator,
)
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class SegmentedSums:
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
    stores_once: bool = False

    @property
    def origin(self) -> Origin:
        return Origin(Role.REDUCTION, self.variable, self.written.target.tensor)

    def enter(self, environment: LoopEnvironment, inner: LoopEnvironment) -> RowTotals:
        """Declare the sums in front of the loop; from here on assignments below add into them."""
        names, target, origin = environment.kernel.names, self.written.target, self.origin
        outside = environment.destination(target.tensor)
        total: ScalarDestination | RegisterAccumulators
        restart: Stmt
        if self.columns:
            total, restart = declare_accumulators(environment, self.written, self.columns, origin)
        else:
            total = ScalarDestination(declare_sum(environment, target, self.variable, self.written.operator))
            restart = Assign(total.scalar.name, neutral(self.written.operator, total.scalar.dtype), origin)
        inner.redirect(target.tensor, total)
        rows = {} if self.tracked else {index: Var(names.fresh(f"{index}_row")) for index in self.rows}
        for row in rows.values():
            environment.emit(Declare(row.name, INDEX, build.index(-1), origin, mutable=True))
        first: Var | None = None
        shared = is_shared(inner, target)
        if shared and _shares_end_rows_at_most(inner, self):
            first = Var(names.fresh(f"{target.tensor}_first"), BOOL)
            environment.emit(Declare(first.name, BOOL, build.TRUE, origin, mutable=True))
        totals = RowTotals(self, total, restart, rows, first, shared, outside)
        inner.set_accumulators(replace(inner.context.accumulators, segment=totals.segment))
        return totals


@dataclass(frozen=True, slots=True)
class RowTotals:
    """One sum or several side by side for the row at hand, which ``restart`` makes neutral. ``rows`` hold the row's
    coordinates, where it has no tracker. ``first`` is true until the first row has been stored; None when other workers
    share every row, or no row (``shared`` says which). The sums are stored to ``outside``, None for memory."""

    accumulation: SegmentedSums
    total: ScalarDestination | RegisterAccumulators
    restart: Stmt
    rows: dict[str, Var]
    first: Var | None
    shared: bool
    outside: Destination | None

    @property
    def segment(self) -> Segment:
        sums = self.accumulation
        return Segment(sums.variable, sums.relation.access, sums.level, self.rows, sums.origin, self.end_of_row)

    def end_of_row(self, environment: LoopEnvironment) -> list[Stmt]:
        """What happens when the parent changes: store the sums and start new ones."""
        if self.first is None:
            return [*self._store(environment, self.shared), self.restart]
        origin = self.accumulation.origin
        shared, private = Block(tuple(self._store(environment, True))), Block(tuple(self._store(environment, False)))
        begun = Assign(self.first.name, build.FALSE, origin)
        return [If(self.first, shared, origin, private), self.restart, begun]

    def leave(self, environment: LoopEnvironment, inner: LoopEnvironment) -> None:
        """Store the last row's sums behind the loop, if there is any row at all."""
        sums = self.accumulation
        if sums.tracked:
            rows: Range = sums.relation.ranges(inner)[sums.level - sums.relation.first_level]
            any_row = build.compare("<", rows.lower, rows.upper)
        else:
            any_row = has_begun(self.segment)
        inner.emit(If(any_row, Block(tuple(self._store(inner, None))), sums.origin))

    def _store(self, environment: LoopEnvironment, atomic: bool | None) -> list[Stmt]:
        """The stores of the sums of the row that ends; ``atomic`` as in :func:`store`."""
        written, access = self.accumulation.written, self.accumulation.relation.access
        inner = environment.child()
        inner.set_accumulators(replace(inner.context.accumulators, segment=None))
        inner.redirect(written.target.tensor, self.outside)
        inner.known |= self.rows
        with environment.kernel.names.scope():
            for index in written.target.indices:
                if index not in inner.known and position_relation(environment.kernel.graph, index) is not None:
                    level = level_variables(environment.kernel.graph, access).index(index) + 1
                    inner.known[index] = _load_tracked(inner, access, index)
                    inner.set_position(access, level, Var(inner.trackers[access, level]))
            match self.total:
                case RegisterAccumulators():
                    for_each_accumulator(
                        inner, written, self.total, lambda column, value: _store(column, written, value, atomic)
                    )
                case ScalarDestination(scalar=scalar):
                    _store(inner, written, scalar, atomic)
        return list(inner.builder.block().statements)


def find_segmented_sums(environment: LoopEnvironment, statement: Forall) -> SegmentedSums | None:
    """Segmented sums where they suit the loop. Of a loop over positions the kernel keeps why they do not."""
    sums = examine_segmented_sums(environment, statement)
    if isinstance(sums, SegmentedSums):
        return sums
    graph = environment.kernel.graph
    if any(statement.variable in leaves(graph, positions.position) for positions in walked_positions(graph)):
        environment.kernel.unsegmented.setdefault(statement.variable, sums)
    return None


def examine_segmented_sums(environment: LoopEnvironment, statement: Forall) -> SegmentedSums | Unsegmented:
    """The sums where all that the loop writes is a location that the parents of its positions decide."""
    variable = statement.variable
    written = _find_sum(environment, statement)
    if isinstance(written, Unsegmented):
        return written
    unknown = tuple(dict.fromkeys(index for index in written.target.indices if index not in environment.known))
    rows = tuple(index for index in unknown if position_relation(environment.kernel.graph, index) is not None)
    relation = _positions_below(environment, rows)
    if relation is None:
        return Unsegmented.OTHER_ROWS
    columns = _find_columns(environment, statement, written, [index for index in unknown if index not in rows])
    if isinstance(columns, Unsegmented):
        return columns
    obstacle = _loop_obstacle(environment, statement, relation)
    if obstacle is not None:
        return obstacle
    levels = level_variables(environment.kernel.graph, relation.access)
    level = max(levels.index(index) + 1 for index in rows)
    tracked = _is_tracked(environment, relation, level, written.target)
    if tracked is None:
        return Unsegmented.SEARCHED
    if _has_empty_positions(environment, relation):
        return Unsegmented.EMPTY_POSITIONS
    return SegmentedSums(variable, written, relation, rows, level, tracked, columns)


def _find_sum(environment: LoopEnvironment, statement: Forall) -> Assignment | Unsegmented:
    """The one sum that goes to memory from within the loop."""
    if environment.kernel.output.appended is not None:
        return Unsegmented.APPENDED
    written = assignments_to_memory(environment, statement)
    if len(written) != 1 or written[0].operator == "=":
        return Unsegmented.SEVERAL_SUMS
    destination = environment.destination(written[0].target.tensor)
    if destination is not None and (destination.scalar is not None or destination.columns):
        return Unsegmented.SUMMED_ALREADY
    return written[0]


def _positions_below(environment: LoopEnvironment, rows: tuple[str, ...]) -> Positions | None:
    """The positions whose parents have the coordinates ``rows``, where there are such."""
    relations = {position_relation(environment.kernel.graph, index) for index in rows}
    relation = next(iter(relations)) if len(relations) == 1 else None
    return relation if relation is not None and set(rows) <= set(relation.components[:-1]) else None


def _find_columns(
    environment: LoopEnvironment, statement: Forall, written: Assignment, indices: list[str]
) -> tuple[str, ...] | Unsegmented:
    """The loops inside with a sum each, which find the other ``indices``."""
    columns = find_columns(environment, statement, written, indices)
    parallel = environment.kernel.graph.parallel
    if statement.variable in parallel:
        return Unsegmented.IN_PARALLEL
    if columns is None or any(v in parallel and v not in columns for v in loop_variables(statement)):
        return Unsegmented.OTHER_COLUMNS
    return columns


def _loop_obstacle(environment: LoopEnvironment, statement: Forall, relation: Positions) -> Unsegmented | None:
    """What is against it that this loop takes one position after another."""
    graph, variable = environment.kernel.graph, statement.variable
    loops = leaves(graph, relation.position)
    if variable not in loops or not set(loops) <= environment.context.nest.entered | {variable}:
        return Unsegmented.HALF_A_POSITION
    if merged_coordinates(environment, statement, coordinates_known_in(environment, variable)):
        return Unsegmented.MERGED
    return None if grows_with(graph, relation.position, variable) else Unsegmented.OUT_OF_ORDER


def _is_tracked(environment: LoopEnvironment, relation: Positions, level: int, target: Access) -> bool | None:
    """Whether a tracker finds the row at ``level``: below it positions may be those of the level above. None where
    neither trackers nor coordinates do."""
    numbers = range(relation.first_level + 1, relation.last_level + 1)
    searched = {number: _is_searched(environment, relation, number) for number in numbers}
    if all(search for number, search in searched.items() if number <= level + 1):
        return True
    return None if any(searched.values()) or not _is_dense(environment, target) else False


def _has_empty_positions(environment: LoopEnvironment, relation: Positions) -> bool:
    """Whether a level above the last one has positions without an entry: a sum would end at such a position, which has
    no coordinate to store it at."""
    above = [environment.storage(relation.access, n) for n in range(relation.first_level, relation.last_level)]
    zero = build.index(0)
    return any(kind_of(storage).stored_conditions(storage, zero, zero) for storage in above)


def _is_searched(environment: LoopEnvironment, relation: Positions, level: int) -> bool:
    """Whether the parent of a position of ``level`` is found by a search, and then tracked."""
    storage = environment.storage(relation.access, level)
    return isinstance(kind_of(storage).parent(storage, build.index(0)), ParentSearch)


def _is_dense(environment: LoopEnvironment, target: Access) -> bool:
    """Whether the coordinates of the target alone say where it is."""
    tensors = environment.kernel.graph.signature.tensors
    return target.tensor not in tensors or tensors[target.tensor].format.is_dense


def _shares_end_rows_at_most(environment: LoopEnvironment, sums: SegmentedSums) -> bool:
    """Whether other workers share the first and the last row of the loop at most: rows stand in their order, each once,
    the loop takes one position after the other, and who shares a row has neighbouring positions."""
    graph, access = environment.kernel.graph, sums.relation.access
    above = level_variables(graph, access)[: sums.level]
    levels = graph.signature.tensors[access.tensor].format.levels[: sums.level]
    each_once = all(level.ordered and (level.unique or not sums.tracked) for level in levels)
    target = sums.written.target
    in_turn = is_consecutive(graph, sums.relation.position, sums.variable)
    if not each_once or not in_turn or not set(above) <= set(target.indices):
        return False
    positions = {*above, *sums.relation.components, *target.indices}
    return all(set(roots(graph, loop)) <= positions for loop in racing_loops(environment, target))


def _store(environment: LoopEnvironment, written: Assignment, value: Expr, atomic: bool | None) -> None:
    if written.target.tensor == environment.kernel.result:
        locate_access(environment, written.target)
    store(environment, written.target, value, written.operator, atomic)


def _load_tracked(environment: LoopEnvironment, access: Access, variable: str) -> Expr:
    """The coordinate of a tracked variable, from where its tracker stands."""
    level = level_variables(environment.kernel.graph, access).index(variable) + 1
    storage = environment.storage(access, level)
    position = Var(environment.trackers[access, level])
    return kind_of(storage).coordinate(storage, position, (position.name,))
