"""A row that the threads of a GPU's block collect together: each inserts what it finds into one hash table, which is
then sorted and stored (Nagasaka, Nukada and Matsuoka 2017). Where the table lies, and which threads have it, is decided
when loops become launches (``lowering/gpu/row_tables.py``).
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.analysis.shared_rows import terms_in_turn
from heddle.iteration_graph.graph.nodes import Where, Workspace
from heddle.loop_ir import build
from heddle.loop_ir.hash_tables import empty_key
from heddle.loop_ir.nodes import (
    INDEX,
    Array,
    ArrayRole,
    Assign,
    Block,
    Cast,
    Declare,
    Expr,
    For,
    If,
    Insert,
    LoopKind,
    OpenTable,
    Reduction,
    Stmt,
    Store,
    Var,
    While,
)
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.environment.values.elements import position_in
from heddle.lowering.workspaces.workspace_memory import size_of, start_value
from heddle.names import Names
from heddle.notation.functions import ASSIGNMENTS
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class _Table:
    """``values`` are None while coordinates are counted."""

    keys: Array
    values: Array | None
    room: Var
    columns: tuple[str, ...] = ()
    scalar: Var | None = None

    def store(
        self, environment: LoopEnvironment, target: Access, value: Expr, operator: str, atomic: bool | None
    ) -> None:
        """Other threads may add to the same coordinate at the same time, whatever the loops around say."""
        names, key = environment.kernel.names, position_in(environment, target)
        with names.scope():
            place = Var(names.fresh(f"{target.tensor}_place"))
            origin = Origin(Role.ASSEMBLY, None, target.tensor)
            environment.emit(Insert(place.name, self.keys, build.index(0), self.room, key, origin))
            if self.values is None:
                return
            reduce = None if operator == "=" else ASSIGNMENTS[operator]
            origin = Origin(Role.REDUCTION if reduce else Role.COMPUTE, None, target.tensor)
            environment.emit(Store(self.values, place, value, origin, reduce, reduce is not None, target.indices))


def lower_shared_row(
    environment: LoopEnvironment, statement: Where, workspace: Workspace, lower: LowerStatement
) -> None:
    """The table is opened and filled, by one term of a sum after the other; then its entries are counted, or sorted and
    stored in their row of the result."""
    kernel, name, appending = environment.kernel, workspace.name, environment.context.appending
    counting = environment.context.counting
    assert appending is not None
    assert kernel.output.appended is not None
    (group,) = kernel.output.appended.groups
    result = kernel.storages[kernel.result, group.first]
    assert result.crd is not None
    assert result.pos is not None
    keys = Array(kernel.names.fresh(f"{name}_keys"), result.crd.dtype, ArrayRole.CRD, name, 1)
    values = None if counting else kernel.workspaces[name].values
    origin, counter = Origin(Role.ASSEMBLY, None, name), appending.counters[group.first]
    row = environment.position(kernel.output.appended.target, group.first - 1)
    most = size_of(environment, workspace)
    if not counting:  # the first pass has counted them
        begin, end = build.load(result.pos, row), build.load(result.pos, build.add(row, build.index(1)))
        most = environment.declare(kernel.names.fresh(f"{name}_count"), build.sub(end, begin), origin)
    room = Var(kernel.names.fresh(f"{name}_room"))
    environment.emit(OpenTable(keys, values, room.name, start_value(statement, workspace), most, counting, origin))
    producer = environment.producer_child()
    producer.redirect(name, _Table(keys, values, room))
    lower(producer, terms_in_turn(kernel.graph, statement.producer) or statement.producer)
    environment.builder.extend(producer.builder.items)
    with kernel.names.scope():
        if values is None:
            count = Var(kernel.names.fresh(f"{name}_count"))
            environment.builder.extend(_count(keys, room, count, kernel.names, origin))
            environment.emit(Assign(counter.name, count, origin, reduce="+"))
            return
        environment.builder.extend(_sort(keys, values, room, kernel.names, origin))
        place = Var(kernel.names.fresh(f"{name}_place"))
        to: Expr = build.add(counter, place)
        value: Expr = build.load(values, place)
        if workspace.dtype != kernel.graph.signature.result.dtype:
            value = Cast(value, kernel.graph.signature.result.dtype)
        stores = (
            Store(result.crd, to, build.load(keys, place), Origin(Role.ASSEMBLY, None, kernel.result, group.first)),
            Store(kernel.values[kernel.result], to, value, Origin(Role.COMPUTE, None, kernel.result)),
        )
        environment.emit(_threads(place, most, stores, origin))


def _count(keys: Array, room: Var, count: Var, names: Names, origin: Origin) -> list[Stmt]:
    """How many places hold a key."""
    place = Var(names.fresh("place"))
    there = build.compare("!=", build.load(keys, place), build.index(empty_key(keys)))
    add = If(there, Block((Assign(count.name, build.index(1), origin, "+"),)), origin)
    loop = _threads(place, room, (add,), origin, (Reduction(count.name, "+"),))
    return [Declare(count.name, INDEX, build.index(0), origin, mutable=True), loop]


def _sort(keys: Array, values: Array, room: Var, names: Names, origin: Origin) -> list[Stmt]:
    """Bitonic sort by keys (Batcher 1968), with empty places behind all others: runs of ``width`` places
    ascend and descend in turn, and are merged by exchanges over ever smaller distances."""
    width, gap, number = Var(names.fresh("width")), Var(names.fresh("gap")), Var(names.fresh("pair"))
    low, high = Var(names.fresh("low")), Var(names.fresh("high"))
    two, zero = build.index(2), build.index(0)
    before, behind = Var(names.fresh("key")), Var(names.fresh("key"))
    value = Var(names.fresh("value"), values.dtype)
    ascends = build.compare("==", build.modulo(build.floor_divide(low, width), two), zero)
    wrong = build.either(
        build.both(ascends, build.compare(">", before, behind)),
        build.both(build.negate(ascends), build.compare("<", before, behind)),
    )
    swap = (
        Declare(value.name, value.dtype, build.load(values, low), origin),
        Store(keys, low, behind, origin),
        Store(keys, high, before, origin),
        Store(values, low, build.load(values, high), origin),
        Store(values, high, value, origin),
    )
    first = build.add(build.mul(build.floor_divide(number, gap), build.mul(two, gap)), build.modulo(number, gap))
    exchange = (
        Declare(low.name, INDEX, first, origin),
        Declare(high.name, INDEX, build.add(low, gap), origin),
        Declare(before.name, INDEX, build.load(keys, low), origin),
        Declare(behind.name, INDEX, build.load(keys, high), origin),
        If(wrong, Block(swap), origin),
    )
    merge = While(
        _between(1, gap, room),
        Block(
            (
                _threads(number, build.floor_divide(room, two), exchange, origin),
                Assign(gap.name, build.floor_divide(gap, two), origin),
            )
        ),
        origin,
    )
    widen = Assign(width.name, build.mul(width, two), origin)
    start = Declare(gap.name, INDEX, build.floor_divide(width, two), origin, mutable=True)
    return [
        Declare(width.name, INDEX, two, origin, mutable=True),
        While(_between(2, width, room), Block((start, merge, widen)), origin),
    ]


def _between(least: int, value: Var, most: Expr) -> Expr:
    """Bounds from both sides, so that it is known that indices of 32 bits do."""
    return build.both(build.compare(">=", value, build.index(least)), build.compare("<=", value, most))


def _threads(
    variable: Var, count: Expr, body: tuple[Stmt, ...], origin: Origin, reductions: tuple[Reduction, ...] = ()
) -> For:
    """A loop that the threads that have the table share out."""
    return For(variable.name, build.index(0), count, Block(body), origin, LoopKind.GPU_THREAD, reductions=reductions)
