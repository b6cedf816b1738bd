"""Sums of float32 in float64: a scalar that a loop adds to is wider than what it adds.

``y_sum += x_vals[i]`` in float32 stops at 2**24, where 1 is half of the last digit. A scalar in a register costs
nothing more in float64, since each addition waits for the one before in either. Lanes of a vector, of which half as
many would fit, keep their dtype, and add up blocks of ``BLOCK`` elements, whose sums go into the wide scalar. What is
added to memory, and vectors of results, keep their dtype as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from heddle.loop_ir import build
from heddle.loop_ir.nodes import (
    Assign,
    Block,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    Function,
    Lanes,
    LaneSum,
    Load,
    LoopKind,
    Stmt,
    Var,
    While,
)
from heddle.loop_ir.rebuild import map_children, map_expressions, map_operands
from heddle.loop_ir.walk import all_names, children, subexpressions
from heddle.names import Names
from heddle.origin import Origin, Role

WIDER = {"float32": "float64", "complex64": "complex128"}
BLOCK = 4096
"""Elements that the lanes of a vector add up before their sum goes into a wide scalar."""
SHORT = 64
"""So few additions lose no more than the dtype of the result does."""


def wide_sums(function: Function) -> Function:
    """A function that adds the same numbers."""
    names = Names(all_names(function))
    body = _rewrite(function.body, names)
    assert isinstance(body, Block)
    return function if body is function.body else replace(function, body=body)


def _rewrite(statement: Stmt, names: Names) -> Stmt:
    """``statement`` with its sums widened, but for those that each lane of a vector has of its own."""
    match statement:
        case Lanes() | For(kind=LoopKind.CPU_VECTOR):
            return statement
        case Block():
            inside = map_children(statement, lambda child: _rewrite(child, names))
            assert isinstance(inside, Block)
            return _with_wide_scalars(inside, names)
        case _:
            return map_children(statement, lambda child: _rewrite(child, names))


def _with_wide_scalars(block: Block, names: Names) -> Block:
    new_statements = list(block.statements)
    for number, statement in enumerate(block.statements):
        behind = Block(tuple(new_statements[number + 1 :]))
        if (
            isinstance(statement, Declare)
            and statement.mutable
            and statement.dtype in WIDER
            and _is_long_sum(statement.name, behind)
        ):
            wide = WIDER[statement.dtype]
            value = (
                Const(statement.value.value, wide)
                if isinstance(statement.value, Const)
                else Cast(statement.value, wide)
            )
            new_statements[number] = replace(statement, dtype=wide, value=value)
            widening = _Widening(statement.name, statement.dtype, names)
            new_statements[number + 1 :] = [widening.statement(following) for following in new_statements[number + 1 :]]
    return (
        block
        if all(a is b for a, b in zip(new_statements, block.statements, strict=True))
        else Block(tuple(new_statements))
    )


def _is_long_sum(name: str, behind: Stmt) -> bool:
    """Whether nothing but sums is assigned to the scalar, one of them in a loop of more than a few steps."""
    additions = list(_additions(name, behind, False))
    return bool(additions) and None not in additions and any(additions)


def _additions(name: str, statement: Stmt, in_loop: bool) -> Iterator[bool | None]:
    """Of each assignment to the scalar whether it stands in a long loop; None where not one worker adds it up."""
    match statement:
        case Assign(name=assigned) if assigned == name:
            yield in_loop if statement.reduce == "+" else None
        case Lanes():
            yield from (None for _ in _additions(name, statement.body, in_loop))
        case For(kind=LoopKind.CPU_VECTOR):
            shared = any(reduction.name == name and reduction.operator == "+" for reduction in statement.reductions)
            for each in _additions(name, statement.body, in_loop or _is_long(statement)):
                yield each if shared and statement.step == 1 else None
        case For():
            yield from _additions(name, statement.body, in_loop or _is_long(statement))
        case While():
            yield from _additions(name, statement.body, True)
        case _:
            for child in children(statement):
                yield from _additions(name, child, in_loop)


def _is_long(loop: For) -> bool:
    steps = build.constant(build.sub(loop.upper, loop.lower))
    return steps is None or steps > SHORT


class _Widening:
    """The statements behind the declaration of a scalar that is now wide."""

    def __init__(self, name: str, dtype: str, names: Names) -> None:
        self._name, self._dtype, self._names = name, dtype, names

    def statement(self, statement: Stmt) -> Stmt:
        match statement:
            case Assign(name=name, value=LaneSum()) if name == self._name:
                begin, part = self._part(statement.origin)
                return Block((begin, replace(statement, name=begin.name), part))
            case Assign(name=name, value=value) if name == self._name:
                return replace(statement, value=Cast(value, WIDER[self._dtype]))
            case For(kind=LoopKind.CPU_VECTOR) if any(
                reduction.name == self._name for reduction in statement.reductions
            ):
                return self._in_blocks(statement)
            case _:
                inside = map_children(statement, self.statement)
                return map_expressions(inside, self._narrow) if type(inside) is not Block else inside

    def _narrow(self, expression: Expr) -> Expr:
        """The expression, which reads the sum in the dtype that it had."""
        match expression:
            case Var(name=name) if name == self._name:
                return Cast(Var(name, WIDER[self._dtype]), self._dtype)
            case _:
                return map_operands(expression, self._narrow)

    def _part(self, origin: Origin) -> tuple[Declare, Assign]:
        """A scalar of the narrow dtype, and what adds it to the wide one."""
        part, zero = self._names.fresh(f"{self._name}_part"), 0j if self._dtype == "complex64" else 0.0
        end = Assign(self._name, Cast(Var(part, self._dtype), WIDER[self._dtype]), origin, "+")
        return Declare(part, self._dtype, Const(zero, self._dtype), origin, mutable=True), end

    def _in_blocks(self, loop: For) -> Stmt:
        """What lanes add, in a scalar of its own for each block of elements; rows of sparse operands are one block."""
        begin, end = self._part(replace(loop.origin, role=Role.REDUCTION))
        part = begin.name
        reductions = tuple(replace(r, name=part) if r.name == self._name else r for r in loop.reductions)
        part_loop = replace(loop, body=_adding_to(loop.body, self._name, part), reductions=reductions)
        if not _is_long(loop) or _loads(loop.lower) or _loads(loop.upper):
            return Block((begin, part_loop, end))
        number = self._names.fresh(f"{loop.variable}_part")
        first = build.add(loop.lower, build.mul(Var(number), build.index(BLOCK)))
        last = build.minimum(build.add(first, build.index(BLOCK)), loop.upper)
        blocks = build.ceil_divide(build.sub(loop.upper, loop.lower), build.index(BLOCK))
        body = Block((begin, replace(part_loop, lower=first, upper=last), end))
        return For(number, build.index(0), blocks, body, replace(loop.origin, role=Role.BOUNDS))


def _adding_to(statement: Stmt, name: str, other: str) -> Stmt:
    if isinstance(statement, Assign) and statement.name == name:
        return replace(statement, name=other)
    return map_children(statement, lambda child: _adding_to(child, name, other))


def _loads(bound: Expr) -> bool:
    return any(isinstance(part, Load) for part in subexpressions(bound))
