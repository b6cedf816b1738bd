"""The rules for workspaces, allocated results and what rearranges their contents."""

from __future__ import annotations

from heddle.loop_ir.dtypes import INTEGERS
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Allocate,
    AllocateMap,
    AllocateResult,
    Array,
    ClearMap,
    Expr,
    For,
    Grow,
    Insert,
    LoopKind,
    Map,
    OpenTable,
    Scan,
    Slot,
    Sort,
    SortMap,
)
from heddle.loop_ir.verification.rule_error import RuleError
from heddle.loop_ir.verification.scope import Scope, Symbol

MemoryStatement = Allocate | AllocateResult | Grow | Scan | Sort | AllocateMap | Slot | SortMap | ClearMap


def check_memory(scope: Scope, statement: MemoryStatement, depth: int) -> None:
    """Checks a statement inside ``depth`` parallel loops and declares its names.

    Raises
    ------
    RuleError
        the rule that it breaks.
    """
    match statement:
        case Allocate(array=array, size=size):
            scope.expect(size, INDEX, "a size")
            scope.declare(array.name, Symbol(array.dtype, True, array, depth=depth, growable=True))
        case AllocateResult(array=array, size=size):
            scope.expect(size, INDEX, "a size")
            scope.allocate_result(array)
        case Grow(array=array, needed=needed):
            scope.array(array, written=True)
            scope.expect(needed, INDEX, "a size")
            _check_growable(scope, array, depth)
        case Scan(array=array, size=size):
            _integers(scope, array, "a prefix sum")
            scope.expect(size, INDEX, "a size")
            if depth:
                raise RuleError("a kernel cannot stop inside a parallel loop")
        case Sort(array=array, lower=lower, upper=upper):
            _integers(scope, array, "a sort")
            _bounds(scope, lower, upper)
        case AllocateMap(map=table):
            scope.declare(table.name, Symbol(table.dtype, False, map=table, depth=depth))
            scope.declare(table.keys.name, Symbol(INDEX, False, table.keys, depth=depth))
            scope.declare(table.vals.name, Symbol(table.dtype, True, table.vals, depth=depth))
        case Slot(name=name, map=table, key=key, new=new):
            _change(scope, table, depth)
            scope.expect(key, INDEX, f"a key of '{table.name}'")
            scope.declare(name, Symbol(INDEX, mutable=False, depth=depth))
            if new is not None:
                scope.declare(new, Symbol(BOOL, mutable=False, depth=depth))
        case SortMap(map=table) | ClearMap(map=table):
            _change(scope, table, depth)
        case _:
            raise RuleError(f"{type(statement).__name__} is not a statement of loop IR")


def check_table(scope: Scope, statement: OpenTable | Insert, depth: int) -> None:
    """Checks a statement of a hash table that threads share, inside ``depth`` parallel loops, and declares its names.

    Raises
    ------
    RuleError
        the rule that it breaks.
    """
    match statement:
        case OpenTable(keys=keys, values=values, room=room, start=start, most=most):
            scope.expect(most, INDEX, "a number of coordinates")
            scope.declare(keys.name, Symbol(keys.dtype, True, keys, depth=depth))
            if values is not None:
                scope.expect(start, values.dtype, f"the first value of '{values.name}'")
                scope.declare(values.name, Symbol(values.dtype, True, values, depth=depth))
            scope.declare(room, Symbol(INDEX, False, depth=depth))
        case Insert(name=name, keys=keys, lower=lower, room=count, key=key):
            scope.array(keys, written=True)
            if keys.dtype not in ("int32", "int64"):
                raise RuleError(f"a hash table with keys of {keys.dtype}")
            _bounds(scope, lower, count)
            scope.expect(key, INDEX, f"a key of '{keys.name}'")
            scope.declare(name, Symbol(INDEX, False, depth=depth))
        case _:
            raise RuleError(f"{type(statement).__name__} is not a statement of a hash table")


def check_private(scope: Scope, loop: For, depth: int) -> None:
    """Checks and declares the private workspaces of ``loop``; its body is inside ``depth`` parallel loops."""
    if loop.private and loop.kind is not LoopKind.CPU_THREAD:
        raise RuleError(f"a loop on {loop.kind.value} has no private workspaces")
    for workspace in loop.private:
        check_memory(scope, workspace, depth)


def _integers(scope: Scope, array: Array, what: str) -> None:
    scope.array(array, written=True)
    if array.dtype not in INTEGERS:
        raise RuleError(f"{what} of '{array.name}' of {array.dtype}")


def _bounds(scope: Scope, lower: Expr, upper: Expr) -> None:
    scope.expect(lower, INDEX, "a bound")
    scope.expect(upper, INDEX, "a bound")


def _check_growable(scope: Scope, array: Array, depth: int) -> None:
    symbol = scope.find(array.name)
    assert symbol is not None
    if not symbol.growable:
        raise RuleError(f"'{array.name}' cannot grow: the kernel did not allocate it")
    if symbol.depth != depth:
        raise RuleError(f"'{array.name}' grows inside a parallel loop whose iterations share it")


def _change(scope: Scope, table: Map, depth: int) -> None:
    if scope.map(table).depth != depth:
        raise RuleError(f"the map '{table.name}' changes inside a parallel loop whose iterations share it")
