"""Loops over the lanes of a tile around one store, with the test that keeps them inside of the dimension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from heddle.loop_ir import build
from heddle.loop_ir.nodes import (
    INDEX,
    Array,
    Binary,
    Block,
    Break,
    Const,
    Declare,
    Expr,
    For,
    If,
    Load,
    LoopKind,
    Stmt,
    Store,
    Var,
)
from heddle.loop_ir.walk import subexpressions


@dataclass(frozen=True, slots=True)
class Tile:
    """A loop over the ``size`` lanes of a tile, around one store. ``first``, in the first lane, and its successors in
    the others are less than ``end`` where the store is done; both None where it is done in all lanes."""

    loop: For
    size: int
    declared: tuple[Declare, ...]
    first: Expr | None
    end: Expr | None
    test: Expr | None
    store: Store

    @property
    def tested(self) -> bool:
        return self.test is not None

    def whole(self, store: Store) -> For:
        """The loop around ``store`` in all lanes."""
        return replace(self.loop, body=Block((*self.declared, store)))

    def element_of(self, array: Array) -> bool:
        """Whether each lane reads one element of a vector, its own."""
        subscripts = [part.index for part in loads(self.store.value) if part.array == array]
        return all(index == Var(self.loop.variable, INDEX) for index in subscripts)

    def element(self, index: Expr) -> bool:
        """Whether it is of a row of ``size`` elements that of the lane."""
        match build.substitute(index, values_of(self.declared)):
            case Var(name=name) if name == self.loop.variable:
                return True
            case Binary(
                operator="+", left=Binary(operator="*", left=row, right=Const(value=size)), right=Var(name=name)
            ):
                return size == self.size and name == self.loop.variable and not mentions(row, name)
            case _:
                return False


def tile_of(statement: Stmt) -> Tile | None:
    """The tile that a statement is, if it is one."""
    match statement:
        case For(
            lower=Const(value=0),
            upper=Const(value=int() as size),
            body=Block(statements=body),
            kind=LoopKind.SERIAL | LoopKind.CPU_VECTOR,
            unroll=None,
            reductions=(),
            private=(),
            step=1,
        ):
            return _match_tile(statement, size, body)
        case _:
            return None


def _match_tile(loop: For, size: int, body: Sequence[Stmt]) -> Tile | None:
    declared: list[Declare] = []
    test: Expr | None = None
    rest = list(body)
    while rest:
        match rest.pop(0):
            case Declare(mutable=False) as declaration if _is_arithmetic(declaration.value):
                declared.append(declaration)
            case If(condition=condition, then=Block(statements=(Break(),)), otherwise=None) if test is None:
                test = build.negate(condition)
            case If(condition=condition, then=Block(statements=inner), otherwise=None) if test is None and not rest:
                test, rest = condition, list(inner)
            case Store(atomic=False) as store if not rest:
                if test is None:
                    return Tile(loop, size, tuple(declared), None, None, None, store)
                ends = _ends(test, declared, loop.variable)
                return None if ends is None else Tile(loop, size, tuple(declared), ends[0], ends[1], test, store)
            case _:
                return None
    return None


def _ends(test: Expr, declared: Sequence[Declare], lane: str) -> tuple[Expr, Expr] | None:
    """What is tested in the first lane, and what it must be less than, where it grows by one from lane to lane."""
    match test:
        case Binary(operator="<", left=left, right=end) if not mentions(end, lane) and not any(loads(end)):
            match build.substitute(left, values_of(declared)):
                case Binary(operator="+", left=first, right=Var(name=name)) if name == lane:
                    return None if mentions(first, lane) or any(loads(first)) else (first, end)
                case _:
                    return None
        case _:
            return None


def values_of(declared: Sequence[Declare]) -> dict[str, Expr]:
    """What scalars stand for, without one another."""
    values: dict[str, Expr] = {}
    for declaration in declared:
        values[declaration.name] = build.substitute(declaration.value, values)
    return values


def _is_arithmetic(value: Expr) -> bool:
    """Whether it may be computed in lanes beyond the dimension: nothing is read, and nothing divided."""
    return all(
        isinstance(part, Var | Const) or (isinstance(part, Binary) and part.operator in ("+", "-", "*"))
        for part in subexpressions(value)
    )


def mentions(value: Expr, name: str) -> bool:
    """Whether the scalar ``name`` is part of ``value``."""
    return any(isinstance(part, Var) and part.name == name for part in subexpressions(value))


def loads(value: Expr) -> list[Load]:
    """The elements that ``value`` reads."""
    return [part for part in subexpressions(value) if isinstance(part, Load)]
