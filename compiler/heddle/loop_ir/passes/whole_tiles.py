"""The last tile of a loop that was cut is computed whole where a copy of what it reads has room for all of it.

A tile that reaches beyond its dimension tests every lane: what the lanes add to stays in memory, and no vector is made
of them. Where the copy of a tile holds zeros beyond the dimension, lanes there add products with zero to elements of a
workspace that nothing reads. Only what leaves the workspace tests its lane, from an array that the vector is written
to first (benchmarks/archive/kernels.md: products of two dense operands).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from heddle.loop_ir import build
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    Array,
    ArrayRole,
    Assign,
    Binary,
    Block,
    Const,
    Expr,
    Fill,
    For,
    Function,
    Load,
    LoopKind,
    Select,
    Stmt,
    Store,
    Var,
)
from heddle.loop_ir.passes.fold import fold
from heddle.loop_ir.passes.tile_loops import Tile, loads, mentions, tile_of, values_of
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

Loops = Mapping[str, Expr]
"""Of the variables of the loops around, where they end."""


def whole_tiles(function: Function) -> Function:
    """A function that computes the same."""
    every = all_statements(function)
    if not any(isinstance(statement, For) and statement.kind is LoopKind.CPU_VECTOR for statement in every):
        return function
    rewriter = _Rewriter(function, _copies(function, every))
    body = rewriter.statement(function.body, {}, frozenset())
    if not rewriter.read:
        return function
    filled = _fill(body, rewriter.read)
    assert isinstance(filled, Block)
    return replace(function, body=filled)


# ---------------------------------------------------------------------------------------------------- copies of tiles


def _copies(function: Function, every: Sequence[Stmt]) -> frozenset[str]:
    """The workspaces that are filled tile by tile, of which each tile has room for all lanes."""
    tiles = [tile for statement in every if (tile := tile_of(statement)) is not None]
    copies: set[str] = set()
    for room in _allocations(function):
        name = room.array.name
        room_tiles = [tile for tile in tiles if tile.store.array.name == name]
        stores = [
            statement
            for statement in every
            if name in written_arrays(statement) and not isinstance(statement, Fill | Allocate | For)
        ]
        sizes = {tile.size for tile in room_tiles}
        plain = all(tile.store.reduce is None and tile.element(tile.store.index) for tile in room_tiles)
        if plain and len(sizes) == 1 and len(room_tiles) == len(stores) and _has_rows(room.size, sizes.pop()):
            copies.add(name)
    return frozenset(copies)


def _fill(statement: Stmt, copies: set[str]) -> Stmt:
    """``statement`` with zeros in the lanes of copies that lie beyond the dimension."""
    tile = tile_of(statement)
    if tile is None:
        return map_children(statement, lambda child: _fill(child, copies))
    store = tile.store
    if tile.test is None or store.array.name not in copies:
        return statement
    dtype = store.array.dtype
    return tile.whole(replace(store, value=Select(tile.test, store.value, Const(0, dtype), dtype)))


# ------------------------------------------------------------------------------------------------ sums in all lanes


class _Rewriter:
    """``read`` are the copies of which lanes beyond the dimension are read now."""

    def __init__(self, function: Function, copies: frozenset[str]) -> None:
        self._copies, self._names = copies, Names(all_names(function))
        self._changed = {statement.name for statement in all_statements(function) if isinstance(statement, Assign)}
        self.read: set[str] = set()

    def statement(self, statement: Stmt, loops: Loops, sums: frozenset[str]) -> Stmt:
        """``sums`` are the workspaces around to which all lanes may add."""
        match statement:
            case Block():
                return self._block(statement, loops, sums)
            case For(variable=variable, upper=upper):
                tile = tile_of(statement)
                if tile is not None and tile.tested:
                    return self._lanes(tile, sums)
                loops = {**loops, variable: upper}
            case _:
                pass
        return map_children(statement, lambda child: self.statement(child, loops, sums))

    def _block(self, block: Block, loops: Loops, sums: frozenset[str]) -> Block:
        statements: list[Stmt] = []
        for number, statement in enumerate(block.statements):
            if isinstance(statement, Allocate):
                array_names = {statement.array.name}
                sums = (
                    sums | array_names
                    if self._adds_in_all(statement, block.statements[number + 1 :], loops)
                    else sums - array_names
                )
            statements.append(self.statement(statement, loops, sums))
        same = all(new is old for new, old in zip(statements, block.statements, strict=True))
        return block if same else Block(tuple(statements))

    def _lanes(self, tile: Tile, sums: frozenset[str]) -> Stmt:
        store, prologue = tile.store, list[Stmt]()
        statement: Stmt = tile.loop
        if store.array.name in sums:
            self.read |= {part.array.name for part in loads(store.value)} & self._copies
            return tile.whole(store)
        for array in sorted({part.array for part in loads(store.value)}, key=lambda array: array.name):
            if array.name in sums and tile.element_of(array):
                beside = replace(array, name=self._names.fresh(f"{array.name}_lanes"))
                prologue += _written_out(array, beside, tile, self._names.fresh("lane"))
                statement = _reading(statement, array, beside)
        return Block((*prologue, statement)) if prologue else statement

    def _adds_in_all(self, room: Allocate, rest: Sequence[Stmt], loops: Loops) -> bool:
        """Whether tested lanes that add to a workspace may do so without their test, since nothing but lanes with the
        same test reads it."""
        array = room.array
        array_tiles = [
            (tile, visited)
            for whole in rest
            for tile, visited in self._tiles(whole, loops)
            if tile.store.array == array or any(part.array == array for part in loads(tile.store.value))
        ]
        adding = [(tile, visited) for tile, visited in array_tiles if tile.store.array == array]
        if not any(tile.tested for tile, _ in adding) or not all(self._adds(*pair) for pair in adding):
            return False
        stores = [tile.store for tile, _ in array_tiles]
        others = [
            statement
            for whole in rest
            for statement in statements(whole)
            if (array.name in written_arrays(statement) or _reads(statement, array))
            and not isinstance(statement, Fill)
            and statement not in stores
        ]
        tests = {(tile.first, tile.end, tile.size) for tile, _ in array_tiles}
        return not others and len(tests) == 1 and _has_rows(room.size, adding[0][0].size)

    def _tiles(self, statement: Stmt, loops: Loops) -> Iterator[tuple[Tile, bool]]:
        """All tiles, with whether the first lane of each is known to pass its test."""
        tile = tile_of(statement)
        if tile is not None:
            yield tile, self._is_visited(tile, loops)
            return
        if isinstance(statement, For):
            loops = {**loops, statement.variable: statement.upper}
        for child in children(statement):
            yield from self._tiles(child, loops)

    def _is_visited(self, tile: Tile, loops: Loops) -> bool:
        """Whether a loop around has one iteration for each tile that is not empty."""
        match tile.first, tile.end:
            case Binary(operator="*", left=Var(name=outer), right=Const(value=size)), Binary() | Var() as upper:
                whole = loops.get(outer) == fold(build.ceil_divide(upper, build.index(tile.size)))
                named = {part.name for part in subexpressions(upper) if isinstance(part, Var)}
                return size == tile.size and whole and not named & self._changed
            case _:
                return False

    def _adds(self, tile: Tile, visited: bool) -> bool:
        """Whether all lanes may add: each element that they read is there."""
        store = tile.store
        lanes = tile.loop.kind is LoopKind.CPU_VECTOR and visited and store.reduce in (None, "+")
        return lanes and tile.element(store.index) and all(self._is_there(part, tile) for part in loads(store.value))

    def _is_there(self, load: Load, tile: Tile) -> bool:
        if load.array.name in self._copies:
            return tile.element(load.index)
        index = build.substitute(load.index, values_of(tile.declared))
        return load.array != tile.store.array and not mentions(index, tile.loop.variable)


def _written_out(array: Array, beside: Array, tile: Tile, lane: str) -> list[Stmt]:
    """The elements of a vector in an array, whose elements have subscripts."""
    origin, at = tile.store.origin, Var(lane, INDEX)
    copy = Store(beside, at, build.load(array, at), origin)
    loop = For(lane, build.index(0), build.index(tile.size), Block((copy,)), origin, LoopKind.CPU_VECTOR)
    return [Allocate(beside, build.index(tile.size), origin), loop]


def _reading(statement: Stmt, array: Array, beside: Array) -> Stmt:
    def change(value: Expr) -> Expr:
        new_expression = map_operands(value, change)
        return (
            replace(new_expression, array=beside)
            if isinstance(new_expression, Load) and new_expression.array == array
            else new_expression
        )

    return map_children(map_expressions(statement, change), lambda child: _reading(child, array, beside))


def _has_rows(size: Expr, width: int) -> bool:
    """Whether an array of ``size`` elements consists of rows of ``width``."""
    match size:
        case Const(value=int() as count):
            return count % width == 0
        case Binary(operator="*", right=Const(value=count)):
            return count == width
        case _:
            return False


def _reads(statement: Stmt, array: Array) -> bool:
    return any(part.array == array for whole in expressions(statement) for part in loads(whole))


def _allocations(function: Function) -> Iterator[Allocate]:
    for statement in all_statements(function):
        if isinstance(statement, Allocate) and statement.array.role is ArrayRole.WORKSPACE:
            yield statement
        elif isinstance(statement, For):
            yield from (allocation for allocation in statement.private if isinstance(allocation, Allocate))
