"""Rows that threads collect in hash tables, as launches: rows are put into classes by how many coordinates they can
have, and each class is launched with as many threads, and a table in such memory, as its rows need (Nagasaka, Nukada
and Matsuoka 2017; Liu and Vinter 2014).

A first launch bounds each row. Short rows take a warp, longer ones a block, with the table in shared memory; the
longest take a block and a part of the GPU's memory, all parts together a small multiple of what these rows compute.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from heddle.iteration_graph.graph.refusal import Refusal
from heddle.loop_ir import build
from heddle.loop_ir.hash_tables import empty_key
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    Array,
    ArrayRole,
    Assign,
    Barrier,
    Block,
    Declare,
    Expr,
    Fill,
    For,
    GroupScope,
    If,
    Insert,
    LoopKind,
    OpenTable,
    Scan,
    Select,
    Stmt,
    Store,
    Var,
    While,
)
from heddle.loop_ir.rebuild import map_children
from heddle.loop_ir.walk import statements
from heddle.lowering.gpu.thread_private_memory import rebase
from heddle.lowering.gpu.uniform_code import THREADS, WARPS
from heddle.names import Names
from heddle.origin import Origin, Role

PLACES = 2
"""For each coordinate: at least half of a table stays empty, so that a search ends soon."""


class _Memory(Enum):
    """Where a table lies, and who has it: a warp or a block in shared memory, a block in the memory of all."""

    WARP = "warp"
    BLOCK = "block"
    GLOBAL = "global"


@dataclass(frozen=True, slots=True)
class _RowClass:
    """Rows with at most ``most`` coordinates, a power of two; any number for None."""

    memory: _Memory
    most: int | None

    @property
    def room(self) -> int:
        assert self.most is not None
        return PLACES * self.most


_CLASSES = (_RowClass(_Memory.WARP, 64), _RowClass(_Memory.BLOCK, 1024), _RowClass(_Memory.GLOBAL, None))
"""From the shortest rows to the longest. Tables of eight bytes a value take 16 KiB and 32 KiB of a block."""


def has_table(loop: For) -> bool:
    """Whether the threads of a launch collect rows in a hash table."""
    return any(isinstance(statement, OpenTable) for statement in statements(loop.body))


@dataclass(slots=True)
class _Rows:
    """What the launches of one loop share: ``rooms`` are the places that the table of each row takes, ``starts`` say
    where each class has a row among all rows ``in_order`` of their classes, ``parts`` where the tables of the longest
    lie."""

    rooms: Array
    starts: Array
    in_order: Array
    parts: Array
    count: Expr
    origin: Origin

    def start(self, number: int, row: Expr) -> Expr:
        return build.add(build.mul(build.index(number), self.count), row)


def with_row_tables(loop: For, names: Names) -> list[Stmt]:
    """What the host does for the loop over blocks ``loop``: a launch that bounds its rows, one that puts them in order,
    and one for each class.

    Raises
    ------
    Refusal
        ``schedule/gpu-assembly`` where the entries of a row cannot be bounded before they are collected.
    """
    body = loop.body.statements if isinstance(loop.body, Block) else (loop.body,)
    number = next((n for n, statement in enumerate(body) if isinstance(statement, OpenTable)), None)
    if number is None:
        raise _unbounded("its table is opened inside another loop")
    before, table, behind = body[:number], body[number], body[number + 1 :]
    assert isinstance(table, OpenTable)
    origin = Origin(Role.ASSEMBLY, loop.variable, table.keys.tensor, command=loop.origin.command)
    count = Var(names.fresh(f"{loop.variable}_rows"))

    def of_rows(name: str) -> Array:
        return Array(names.fresh(f"{table.keys.tensor}_{name}"), INDEX, ArrayRole.WORKSPACE)

    rows = _Rows(of_rows("rooms"), of_rows("starts"), of_rows("rows"), of_rows("parts"), count, origin)
    unity, total = build.index(1), build.mul(build.index(len(_CLASSES)), count)
    host: list[Stmt] = [
        Declare(count.name, INDEX, build.maximum(build.sub(loop.upper, loop.lower), build.index(0)), origin),
        Allocate(rows.rooms, count, origin),
        Allocate(rows.in_order, count, origin),
        Allocate(rows.starts, build.add(total, unity), origin),
        Fill(rows.starts, unity, build.index(0), origin),
        Allocate(rows.parts, build.add(count, unity), origin),
        Fill(rows.parts, unity, build.index(0), origin),
        _bound_rows(loop, before, table, behind, rows, names),
        Scan(rows.starts, build.add(total, unity), origin),
        Scan(rows.parts, build.add(count, unity), origin),
        _order_rows(loop, rows, names),
    ]
    whole = _allocate_parts(table, rows, names, host)
    for place, row_class in enumerate(_CLASSES):
        first, end = (Var(names.fresh(f"{name}_{row_class.memory.value}")) for name in ("first", "end"))
        for bound, at in ((first, place), (end, place + 1)):
            where = rows.start(at, build.index(0))
            host.append(Declare(bound.name, INDEX, build.load(rows.starts, where), origin))
        host.append(_launch(loop, body, number, row_class, (first, end), rows, whole, names))
    return host


def _bound_rows(
    loop: For, before: Sequence[Stmt], table: OpenTable, behind: Sequence[Stmt], rows: _Rows, names: Names
) -> For:
    """A thread for each row finds out how many coordinates it has at most, and so its class and the room it takes."""
    origin, zero, unity = rows.origin, build.index(0), build.index(1)
    row, most, room = (Var(names.fresh(name)) for name in ("row", "most", "room"))
    inside: list[Stmt] = [Declare(loop.variable, INDEX, build.add(loop.lower, row), origin), *before]
    bound: Expr = table.most
    if table.counted:
        inserted = Var(names.fresh("inserted"))
        last = max(number for number, statement in enumerate(behind) if _inserts(statement))
        inside += [
            Declare(inserted.name, INDEX, zero, origin, mutable=True),
            *_count_insertions(Block(tuple(behind[: last + 1])), inserted, origin),
        ]
        bound = build.minimum(inserted, bound)
    # From below as well, so that bounds are known of what doubles and indices of 32 bits do.
    small = build.compare("<", room, build.mul(build.index(PLACES), most))
    grow = build.both(build.compare(">=", room, build.index(PLACES)), small)
    inside += [
        Declare(most.name, INDEX, bound, origin),
        Declare(room.name, INDEX, build.index(PLACES), origin, mutable=True),
        While(grow, Assign(room.name, build.mul(room, build.index(2)), origin), origin),
        Store(rows.rooms, row, room, origin),
    ]
    for number, row_class in enumerate(_CLASSES):
        least = 0 if number == 0 else _CLASSES[number - 1].most
        assert least is not None
        conditions = [build.compare(">", most, build.index(least))]
        if row_class.most is not None:
            conditions.append(build.compare("<=", most, build.index(row_class.most)))
        belongs = build.both(*conditions)
        at = build.add(rows.start(number, row), unity)
        inside.append(Store(rows.starts, at, Select(belongs, unity, zero, INDEX), origin))
    longest = build.compare(">", most, build.index(_CLASSES[-2].most or 0))
    inside.append(Store(rows.parts, build.add(row, unity), Select(longest, room, zero, INDEX), origin))
    return _thread_per_row(row, rows, inside, names)


def _order_rows(loop: For, rows: _Rows, names: Names) -> For:
    """Every row goes to its place among those of its class; rows without entries have none."""
    row, unity = Var(names.fresh("row")), build.index(1)
    inside: list[Stmt] = []
    for number in range(len(_CLASSES)):
        place = build.load(rows.starts, rows.start(number, row))
        after = build.load(rows.starts, build.add(rows.start(number, row), unity))
        inside.append(
            If(build.compare("<", place, after), Block((Store(rows.in_order, place, row, rows.origin),)), rows.origin)
        )
    return _thread_per_row(row, rows, inside, names)


def _thread_per_row(row: Var, rows: _Rows, inside: Sequence[Stmt], names: Names) -> For:
    block, thread = Var(names.fresh("block")), Var(names.fresh("thread"))
    each = build.index(THREADS)
    number = Declare(row.name, INDEX, build.add(build.mul(block, each), thread), rows.origin)
    guard = If(build.compare("<", row, rows.count), Block(tuple(inside)), rows.origin)
    threads = For(thread.name, build.index(0), each, Block((number, guard)), rows.origin, LoopKind.GPU_THREAD)
    blocks = build.ceil_divide(rows.count, each)
    return For(block.name, build.index(0), blocks, Block((threads,)), rows.origin, LoopKind.GPU_BLOCK)


def _allocate_parts(table: OpenTable, rows: _Rows, names: Names, host: list[Stmt]) -> dict[Array, Array]:
    """The memory of the longest rows' tables, by the arrays of one table."""
    total = build.load(rows.parts, rows.count)
    whole = {}
    for array in (table.keys,) if table.values is None else (table.keys, table.values):
        whole[array] = replace(array, name=names.fresh(f"{array.name}_of_rows"))
        host.append(Allocate(whole[array], total, rows.origin))
    return whole


def _launch(
    loop: For,
    body: Sequence[Stmt],
    number: int,
    row_class: _RowClass,
    bounds: tuple[Var, Var],
    rows: _Rows,
    whole: dict[Array, Array],
    names: Names,
) -> For:
    """The rows of one class; the statement of ``number`` in the ``body`` of ``loop`` opens the table."""
    origin, (first, end) = rows.origin, bounds
    table = body[number]
    assert isinstance(table, OpenTable)
    block, row, base = Var(names.fresh("block")), Var(names.fresh("row")), Var(names.fresh("part"))
    room: Expr = build.load(rows.rooms, row)
    arrays = tuple(whole)
    opened: list[Stmt] = []
    filled: tuple[Array, ...]
    if row_class.memory is _Memory.GLOBAL:
        opened.append(Declare(base.name, INDEX, build.load(rows.parts, row), origin))
        filled = tuple(whole.values())
    else:
        room = build.maximum(build.minimum(room, build.index(row_class.room)), build.index(PLACES))
        opened += [Allocate(array, build.index(row_class.room), origin) for array in arrays]
        filled = arrays
    opened.append(Declare(table.room, INDEX, room, origin))
    start = base if row_class.memory is _Memory.GLOBAL else build.index(0)
    for array, value in zip(filled, (build.index(empty_key(table.keys)), table.start), strict=False):
        place = Var(names.fresh("place"))
        put = Store(array, build.add(start, place), value, origin)
        opened.append(For(place.name, build.index(0), Var(table.room), Block((put,)), origin, LoopKind.GPU_THREAD))
    rest: Stmt = Block(tuple(body[number + 1 :]))
    if row_class.memory is _Memory.GLOBAL:
        for array in arrays:
            rest = rebase(rest, array, whole[array], base, names)
    variable = Declare(loop.variable, INDEX, build.add(loop.lower, row), origin)
    inside: list[Stmt] = [variable, *body[:number], *opened, rest]
    place = Var(names.fresh("place"))
    numbered = [Declare(row.name, INDEX, build.load(rows.in_order, place), origin), *inside]
    if row_class.memory is not _Memory.WARP:
        return replace(loop, variable=place.name, lower=first, upper=end, body=Block(tuple(numbered)), merge=None)
    warp, each = Var(names.fresh("warp")), build.index(WARPS)
    at = build.add(first, build.add(build.mul(block, each), warp))
    alone = tuple(_without_warps(statement) for statement in numbered)
    guarded = If(build.compare("<", place, end), Block(alone), origin)
    warps = For(
        warp.name,
        build.index(0),
        each,
        Block((Declare(place.name, INDEX, at, origin), guarded)),
        origin,
        LoopKind.GPU_WARP,
    )
    blocks = build.ceil_divide(build.sub(end, first), each)
    return replace(loop, variable=block.name, lower=build.index(0), upper=blocks, body=Block((warps,)), merge=None)


def _without_warps(statement: Stmt) -> Stmt:
    """``statement`` for a warp alone: what a block's warps share out, it does in turn, and its lanes alone meet."""
    inner = map_children(statement, _without_warps)
    if isinstance(inner, For) and inner.kind is LoopKind.GPU_WARP:
        return replace(inner, kind=LoopKind.SERIAL, reductions=())
    return replace(inner, scope=GroupScope.WARP) if isinstance(inner, Barrier) else inner


def _count_insertions(statement: Stmt, count: Var, origin: Origin) -> Iterator[Stmt]:
    """The loops of ``statement`` with a step of ``count`` in the place of each insertion, and without what is stored.

    Raises
    ------
    Refusal
        ``schedule/gpu-assembly`` where what decides about them is stored first.
    """
    match statement:
        case Block(statements=inner):
            for child in inner:
                yield from _count_insertions(child, count, origin)
        case Insert():
            yield Assign(count.name, build.index(1), origin, "+")
        case For() | While() | If() if not _decides(statement):
            pass
        case For(body=body, lower=lower, upper=upper):
            steps = tuple(_count_insertions(body, count, origin))
            if _counts_alone(steps, count):
                trips = build.maximum(build.sub(upper, lower), build.index(0))
                yield Assign(count.name, trips, origin, "+")
            else:
                yield replace(statement, body=Block(steps), kind=LoopKind.SERIAL, reductions=(), merge=None)
        case While(body=body):
            yield replace(statement, body=Block(tuple(_count_insertions(body, count, origin))), merge=None)
        case If(then=then, otherwise=otherwise):
            last = None if otherwise is None else Block(tuple(_count_insertions(otherwise, count, origin)))
            yield replace(
                statement, then=Block(tuple(_count_insertions(then, count, origin))), otherwise=last, case=None
            )
        case Store() | Barrier():
            pass
        case Allocate(array=array) | Fill(array=array):
            raise _unbounded(f"the threads that collect it use the workspace {array.tensor or array.name}")
        case _:
            yield statement


def _inserts(statement: Stmt) -> bool:
    return any(isinstance(inner, Insert) for inner in statements(statement))


def _decides(statement: Stmt) -> bool:
    """Whether coordinates are inserted in a loop or branch, or scalars are set there that may decide about them."""
    return any(isinstance(inner, Insert | Assign | Allocate | Fill) for inner in statements(statement))


def _counts_alone(steps: Sequence[Stmt], count: Var) -> bool:
    """Whether each iteration with these ``steps`` is one insertion."""
    *declared, last = steps
    alone = all(isinstance(step, Declare) and not step.mutable for step in declared)
    return alone and isinstance(last, Assign) and last.name == count.name and last.value == build.index(1)


def _unbounded(actual: str) -> Refusal:
    return Refusal(
        "schedule/gpu-assembly",
        f"how many entries a row may have must be known before the threads of a block collect them in a hash table, "
        f"but {actual}. Let one thread collect a row: leave the loops of precompute without units.",
        expected="a row whose coordinates can be counted first",
        actual=actual,
    )
