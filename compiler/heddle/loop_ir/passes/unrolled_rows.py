"""A workspace of a few rows, over which loops are unrolled, becomes one workspace for each row.

``w[r * 32 + k]``, of which every use is in a loop ``for r in [0, 4)`` that the schedule unrolls, around loops over
the lanes ``k`` of a row: the copies of these loops each use a row of their own, which then can stay in registers
(benchmarks/archive/kernels.md: rows of blocks for a dense operand).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from heddle.loop_ir import build
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    Array,
    ArrayRole,
    Binary,
    Block,
    Break,
    Const,
    Continue,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    Load,
    LoopKind,
    Stmt,
    Store,
    Var,
)
from heddle.loop_ir.rebuild import map_children, map_expressions, map_operands
from heddle.loop_ir.walk import (
    all_statements,
    children,
    declared_names,
    expressions,
    loaded_arrays,
    statements,
    subexpressions,
    written_arrays,
)

MOST_ROWS = 16
"""More would be more text than registers."""


@dataclass(frozen=True, slots=True)
class _Rows:
    """``array`` has ``count`` rows of ``width`` elements."""

    array: Array
    count: int
    width: int

    @property
    def size(self) -> int:
        return self.count * self.width

    def row(self, number: int) -> Array:
        return replace(self.array, name=f"{self.array.name}_{number}")


def unrolled_rows(function: Function) -> Function:
    """A function that computes the same."""
    parameters = {parameter.name for parameter in function.parameters}
    names = parameters | {name for statement in all_statements(function) for name in declared_names(statement)}
    body = _block(function.body, frozenset(names))
    return function if body == function.body else replace(function, body=body)


def _block(block: Block, names: frozenset[str]) -> Block:
    """``names`` are those of the function, which rows must not take."""
    statements: tuple[Stmt, ...] = block.statements
    for number, statement in enumerate(statements):
        if isinstance(statement, Allocate):
            rest = statements[number + 1 :]
            rows = _rows(statement, rest)
            if rows is not None and not any(rows.row(r).name in names for r in range(rows.count)):
                allocations = [
                    replace(statement, array=rows.row(r), size=build.index(rows.width)) for r in range(rows.count)
                ]
                apart = (new for sibling in rest for new in _split_rows(sibling, rows))
                return _block(Block((*statements[:number], *allocations, *apart)), names)
    return Block(tuple(_nest(child, names) for child in statements))


def _nest(statement: Stmt, names: frozenset[str]) -> Stmt:
    if isinstance(statement, Block):
        return _block(statement, names)
    return map_children(statement, lambda child: _nest(child, names))


# ---------------------------------------------------------------------------------------------------- is it one?


def _rows(allocate: Allocate, rest: Sequence[Stmt]) -> _Rows | None:
    size, array = build.constant(allocate.size), allocate.array
    if size is None or array.role is not ArrayRole.WORKSPACE:
        return None
    inside = (inner for statement in rest for inner in statements(statement))
    loops = [inner for inner in inside if _is_unrolled(inner) and _uses(inner, array)]
    counts = {build.constant(loop.upper) for loop in loops if isinstance(loop, For)}
    count = counts.pop() if len(counts) == 1 else None
    if count is None or size % count or not 1 < count <= MOST_ROWS:
        return None
    rows = _Rows(array, count, size // count)
    return rows if all(_keeps(statement, rows) for statement in rest) else None


def _is_unrolled(statement: Stmt) -> bool:
    match statement:
        case For(lower=Const(value=0), upper=Const(value=count), kind=LoopKind.SERIAL, unroll=factor, body=body):
            plain = factor == count and not statement.reductions and not statement.private
            return plain and not any(isinstance(inner, Break | Continue) for inner in statements(body))
        case _:
            return False


def _uses(statement: Stmt, array: Array) -> bool:
    return any(
        array.name in (*loaded_arrays(statement), *written_arrays(statement)) for statement in statements(statement)
    )


def _keeps(statement: Stmt, rows: _Rows) -> bool:
    """Whether ``statement`` uses the workspace as a whole, or row by row in unrolled loops."""
    match statement:
        case _ if not _uses(statement, rows.array):
            return True
        case Fill(size=size):
            return build.constant(size) == rows.size
        case For(variable=variable, body=body) if _is_unrolled(statement):
            return _by_lanes(body, rows, variable)
        case _:
            return not _is_direct_use(statement, rows) and all(_keeps(child, rows) for child in children(statement))


def _by_lanes(statement: Stmt, rows: _Rows, row: str) -> bool:
    """Whether ``statement``, in the loop over ``row``, uses that row alone, in loops over all of its lanes."""
    match statement:
        case _ if not _uses(statement, rows.array):
            return True
        case For(lower=Const(value=0), upper=Const(value=rows.width), kind=LoopKind.CPU_VECTOR, variable=lane):
            return all(_is_place(index, rows, row, lane) for index in _places(statement, rows.array))
        case _:
            return not _is_direct_use(statement, rows) and all(
                _by_lanes(child, rows, row) for child in children(statement)
            )


def _is_direct_use(statement: Stmt, rows: _Rows) -> bool:
    """Whether ``statement`` uses the workspace itself, and not only what is inside it."""
    return rows.array.name in (*loaded_arrays(statement), *written_arrays(statement))


def _places(statement: Stmt, array: Array) -> Iterator[Expr | None]:
    """The subscripts of ``array`` in ``statement``; None for a use without one."""
    for inner in statements(statement):
        loads = (part for value in expressions(inner) for part in subexpressions(value) if isinstance(part, Load))
        yield from (load.index for load in loads if load.array.name == array.name)
        if array.name in written_arrays(inner):
            yield inner.index if isinstance(inner, Store) else None


def _is_place(index: Expr | None, rows: _Rows, row: str, lane: str) -> bool:
    """Whether a subscript is that of the ``lane`` in the ``row``."""
    return index is not None and _steps(index, (row, lane)) == (rows.width, 1, 0)


def _steps(index: Expr, variables: tuple[str, str]) -> tuple[int, int, int] | None:
    """What a subscript grows by with each of the ``variables``, and where it starts; None where it is no such sum."""
    match index:
        case Const(value=int() as value):
            return 0, 0, value
        case Var(name=name) if name in variables:
            return (1, 0, 0) if name == variables[0] else (0, 1, 0)
        case Binary(operator="+", left=left, right=right):
            first, second = _steps(left, variables), _steps(right, variables)
            if first is None or second is None:
                return None
            return first[0] + second[0], first[1] + second[1], first[2] + second[2]
        case Binary(operator="*", left=left, right=Const(value=int() as times)):
            once = _steps(left, variables)
            return None if once is None else (once[0] * times, once[1] * times, once[2] * times)
        case _:
            return None


# ------------------------------------------------------------------------------------------------ one for each row


def _split_rows(statement: Stmt, rows: _Rows) -> tuple[Stmt, ...]:
    """The statements that stand for ``statement`` once each row is its own workspace."""
    match statement:
        case _ if not _uses(statement, rows.array):
            return (statement,)
        case Fill():
            return tuple(replace(statement, array=rows.row(r), size=build.index(rows.width)) for r in range(rows.count))
        case For(variable=variable, body=body, origin=origin) if _is_unrolled(statement):
            inside = body.statements if isinstance(body, Block) else (body,)
            numbers = (Declare(variable, INDEX, build.index(r), origin) for r in range(rows.count))
            return tuple(
                Block((number, *(_in_row(child, rows, r) for child in inside))) for r, number in enumerate(numbers)
            )
        case _:
            return (map_children(statement, lambda child: _join(child, rows)),)


def _join(statement: Stmt, rows: _Rows) -> Stmt:
    inside = statement.statements if isinstance(statement, Block) else (statement,)
    replacements = tuple(new for child in inside for new in _split_rows(child, rows))
    return replacements[0] if len(replacements) == 1 and not isinstance(statement, Block) else Block(replacements)


def _in_row(statement: Stmt, rows: _Rows, number: int) -> Stmt:
    """``statement`` with what it does to a row done to the workspace of that row."""
    if isinstance(statement, For) and statement.kind is LoopKind.CPU_VECTOR:
        return _at_lane(statement, rows, rows.row(number), statement.variable)
    return map_children(statement, lambda child: _in_row(child, rows, number))


def _at_lane(statement: Stmt, rows: _Rows, row: Array, lane: str) -> Stmt:
    def value(expression: Expr) -> Expr:
        inner = map_operands(expression, value)
        reads_row = isinstance(inner, Load) and inner.array.name == rows.array.name
        return Load(row, Var(lane), (lane,)) if reads_row else inner

    new_statement = map_children(statement, lambda child: _at_lane(child, rows, row, lane))
    if isinstance(new_statement, Block):
        return new_statement
    new_statement = map_expressions(new_statement, value)
    if isinstance(new_statement, Store) and new_statement.array.name == rows.array.name:
        return replace(new_statement, array=row, index=Var(lane), path=(lane,))
    return new_statement
