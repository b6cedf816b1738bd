"""Vectors that fill more registers than some machines have are computed in parts there.

What a loop adds to has to stay in registers: 32 columns of four rows take 16 of the 32 registers of AVX-512, but all 16
of AVX2 twice over, so that most would be on the stack. The text has both: all lanes at once where half of the
registers hold them, and a loop over parts of the lanes that any machine holds, which reads the operands once for each
part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heddle.loop_ir import build
from heddle.loop_ir.dtypes import dtype_of, lane_dtype, lanes_of, vector_dtype
from heddle.loop_ir.nodes import (
    INDEX,
    Assign,
    Binary,
    Block,
    Broadcast,
    Declare,
    Expr,
    For,
    Function,
    Gather,
    If,
    LaneRange,
    Lanes,
    Load,
    LoopKind,
    Prefetch,
    RegistersHold,
    Scatter,
    Search,
    Stmt,
    Unary,
    Var,
    VectorLoad,
    VectorStore,
)
from heddle.loop_ir.passes.lane_analysis import ITEM_BYTES
from heddle.loop_ir.rebuild import map_children, map_expressions, map_operands
from heddle.loop_ir.walk import (
    all_names,
    all_statements,
    children,
    expressions,
    statements,
    subexpressions,
    written_arrays,
)
from heddle.names import Names
from heddle.origin import Role

PART_BYTES = 256
"""Of the vectors that a loop adds to, in one part: half of the registers of AVX2 and NEON. SSE has half as many, and is
as fast with these as with two parts (SpMM with 32 columns)."""


def register_parts(function: Function) -> Function:
    """A function that computes the same."""
    if not any(isinstance(statement, Lanes) for statement in all_statements(function)):
        return function
    body = _block(function.body, Names(all_names(function)))
    return function if body is function.body else replace(function, body=body)


def _block(block: Block, names: Names) -> Block:
    body = block.statements
    first = next((number for number, statement in enumerate(body) if _is_vector(statement)), None)
    if first is not None:
        rest, behind = _split_behind_vectors(body[first:])
        held, lanes = _most_held(rest), _lanes_of_all(rest)
        parts = -(-held // PART_BYTES)
        parts = 1 << (parts - 1).bit_length()
        if parts > 1 and lanes is not None and lanes % parts == 0 and lanes // parts >= 2 and _repeats(rest):
            return Block((*body[:first], _in_parts(rest, held, parts, lanes, names), *behind))
    new_statements = tuple(_nest(statement, names) for statement in body)
    same = all(new is old for new, old in zip(new_statements, body, strict=True))
    return block if same else Block(new_statements)


def _nest(statement: Stmt, names: Names) -> Stmt:
    if isinstance(statement, Block):
        return _block(statement, names)
    if isinstance(statement, If) and isinstance(statement.condition, RegistersHold):
        return statement  # it has both already
    return map_children(statement, lambda child: _nest(child, names))


def _split_behind_vectors(body: tuple[Stmt, ...]) -> tuple[tuple[Stmt, ...], tuple[Stmt, ...]]:
    """The statements up to the last that computes with vectors, and those behind, which read what these stored. None
    are behind where they use a scalar that is declared before."""
    last = max(number for number, statement in enumerate(body) if _computes_with_vectors(statement)) + 1
    declared = {statement.name for statement in body[:last] if isinstance(statement, Declare)}
    if declared & {
        part.name
        for statement in body[last:]
        for inner in statements(statement)
        for value in expressions(inner)
        for part in subexpressions(value)
        if isinstance(part, Var)
    }:
        return body, ()
    return body[:last], body[last:]


def _computes_with_vectors(statement: Stmt) -> bool:
    return any(isinstance(inner, Lanes) or _is_vector(inner) for inner in statements(statement))


def _is_vector(statement: Stmt) -> bool:
    return isinstance(statement, Declare) and statement.mutable and lanes_of(statement.dtype) is not None


def _most_held(block: Sequence[Stmt]) -> int:
    """The bytes of the vectors that one loop adds to, in the loop that adds to most: others may wait on the stack."""
    sizes = {
        inner.name: (lanes_of(inner.dtype) or 0) * ITEM_BYTES[lane_dtype(inner.dtype)]
        for statement in block
        for inner in statements(statement)
        if isinstance(inner, Declare) and _is_vector(inner)
    }
    loops = [inner for statement in block for inner in statements(statement) if isinstance(inner, For)]
    added = ({statement.name for statement in _directly(loop.body) if isinstance(statement, Assign)} for loop in loops)
    return max((sum(sizes.get(name, 0) for name in names) for names in added), default=0)


def _directly(statement: Stmt) -> list[Stmt]:
    """``statement`` and what is in it, except for loops inside."""
    if isinstance(statement, For):
        return []
    return [statement, *(inner for child in children(statement) for inner in _directly(child))]


def _lanes_of_all(block: Sequence[Stmt]) -> int | None:
    """How many lanes all of the vectors have; None where they differ."""
    inner = [descendant for statement in block for descendant in statements(statement)]
    counts = {statement.count for statement in inner if isinstance(statement, Lanes)}
    counts |= {
        lanes
        for statement in inner
        if isinstance(statement, Declare) and (lanes := lanes_of(statement.dtype)) is not None
    }
    return counts.pop() if len(counts) == 1 else None


def _repeats(block: Sequence[Stmt]) -> bool:
    """Whether the statements compute the same for some of the lanes, whatever was computed for others: nothing but
    lanes writes, and what they write is read by lanes alone, at their own places."""
    inner = [descendant for statement in block for descendant in statements(statement)]
    plain = all(
        (isinstance(statement, For) and statement.kind is LoopKind.SERIAL and not statement.private)
        or (isinstance(statement, Declare) and (not statement.mutable or lanes_of(statement.dtype) is not None))
        or (isinstance(statement, Assign) and lanes_of(dtype_of(statement.value)) is not None)
        or isinstance(statement, Lanes | VectorStore | Scatter | If | Search | Prefetch)
        for statement in inner
    )
    written = {name for statement in inner for name in written_arrays(statement)}
    parts = [part for statement in inner for value in expressions(statement) for part in subexpressions(value)]
    return plain and not any(isinstance(part, Load | Gather) and part.array.name in written for part in parts)


def _in_parts(block: Sequence[Stmt], held: int, parts: int, lanes: int, names: Names) -> If:
    start = block[0]
    assert isinstance(start, Declare)
    origin = replace(start.origin, role=Role.BOUNDS)
    part, first = names.fresh("part"), names.fresh("first_lane")
    cut = _Part(lanes // parts, Var(first))
    declared = Declare(first, INDEX, build.mul(Var(part), build.index(lanes // parts)), origin)
    body = Block((declared, *map(cut.statement, block)))
    loop = For(part, build.index(0), build.index(parts), body, origin)
    return If(RegistersHold(held), Block(tuple(block)), origin, Block((loop,)))


class _Part:
    """The statements for ``count`` lanes, of which ``first`` is the first."""

    def __init__(self, count: int, first: Expr) -> None:
        self._count, self._first = count, first

    def statement(self, statement: Stmt) -> Stmt:
        new_statement = map_children(statement, self.statement)
        if isinstance(new_statement, Block):
            return new_statement
        new_statement = map_expressions(new_statement, self.value)
        match new_statement:
            case Lanes():
                return replace(new_statement, count=self._count)
            case Declare(dtype=dtype) if lanes_of(dtype) is not None:
                return replace(new_statement, dtype=self._dtype(dtype))
            case VectorStore(index=index):
                return replace(new_statement, index=build.add(index, self._first))
            case _:
                return new_statement

    def value(self, value: Expr) -> Expr:
        new_expression = map_operands(value, self.value)
        match new_expression:
            case VectorLoad(index=index):
                return replace(new_expression, index=build.add(index, self._first), lanes=self._count)
            case LaneRange(lower=lower, upper=upper):
                return LaneRange(build.sub(lower, self._first), build.sub(upper, self._first), self._count)
            case Broadcast():
                return replace(new_expression, lanes=self._count)
            case Var(dtype=dtype) | Binary(dtype=dtype) | Unary(dtype=dtype) if lanes_of(dtype) is not None:
                return replace(new_expression, dtype=self._dtype(dtype))
            case _:
                return new_expression

    def _dtype(self, dtype: str) -> str:
        return vector_dtype(lane_dtype(dtype), self._count)
