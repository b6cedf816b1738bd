"""Loops over rows that begin where data say run over the positions where the row lies.

``for j in [0, end - begin)`` with ``vals[j + begin]`` becomes ``for j in [begin, end)`` with ``vals[j]``: what is the
same for a whole row is added once, not for each element. It suffices that every use of ``j`` adds the same to it, or
to a multiple of it the same multiple; records of two fields are at ``2*j`` and ``2*j + 1`` then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from heddle.loop_ir import build
from heddle.loop_ir.analysis.linear import Linear, is_index, linear, plus
from heddle.loop_ir.dtypes import dtype_of
from heddle.loop_ir.nodes import INDEX, Assign, Block, Cast, Declare, Expr, For, Function, Load, LoopKind, Stmt, Var
from heddle.loop_ir.rebuild import map_children, map_expressions, map_operands
from heddle.loop_ir.walk import all_statements, declared_names, expressions, operands, statements, subexpressions


def row_positions(function: Function) -> Function:
    """A function that does the same."""
    loaded = {
        statement.name
        for statement in all_statements(function)
        if isinstance(statement, Declare) and _is_loaded(statement)
    }
    if not loaded:
        return function

    def rewrite(statement: Stmt) -> Stmt:
        new_statement = map_children(statement, rewrite)
        return _move(new_statement, loaded) if isinstance(new_statement, For) else new_statement

    body = rewrite(function.body)
    assert isinstance(body, Block)
    return function if body is function.body else replace(function, body=body)


def _is_loaded(declared: Declare) -> bool:
    value = declared.value.operand if isinstance(declared.value, Cast) else declared.value
    return declared.dtype == INDEX and not declared.mutable and isinstance(value, Load)


def _move(loop: For, loaded: set[str]) -> For:
    """The loop from where its row begins, where all that it does asks for positions from there; else the same."""
    if loop.kind not in (LoopKind.SERIAL, LoopKind.CPU_VECTOR) or loop.step != 1 or loop.private:
        return loop
    if loop.lower != build.index(0) or build.constant(loop.upper) is not None:
        return loop
    begin = _begin(loop)
    if begin is None or not any(isinstance(part, Var) and part.name in loaded for part in begin.parts):
        return loop
    variable, end = Var(loop.variable), plus(begin, linear(loop.upper))
    body = _with_expressions(loop.body, lambda expression: _replace(expression, variable, begin))
    in_scalar_order = loop.kind is LoopKind.SERIAL and _adds_gathered(body)
    return replace(loop, lower=begin.expression, upper=end.expression, body=body, in_scalar_order=in_scalar_order)


def _adds_gathered(body: Stmt) -> bool:
    """Whether all that it does is to add a float32 that is gathered: vectors multiply, and then give up their lanes one
    after the other, since the order of a sum stays."""
    inside = body.statements if isinstance(body, Block) else (body,)
    names = {statement.name for statement in inside if isinstance(statement, Declare) and not statement.mutable}
    sums = [statement for statement in inside if isinstance(statement, Assign)]
    if len(sums) != 1 or len(names) + 1 != len(inside) or sums[0].reduce != "+" or dtype_of(sums[0].value) != "float32":
        return False
    loads = [subexpression.index for subexpression in subexpressions(sums[0].value) if isinstance(subexpression, Load)]
    return any((isinstance(at, Var) and at.name in names) or isinstance(at, Cast) for at in loads)


def _begin(loop: For) -> Linear | None:
    """What every use of the variable adds to it; None where they differ, or where it changes inside of the loop."""
    variable = Var(loop.variable)
    common_offset: Linear | None = None
    for statement in statements(loop.body):
        for expression in expressions(statement):
            for use in _uses(expression, variable):
                offset = _find_addend(use, variable)
                if offset is None or (common_offset is not None and offset != common_offset):
                    return None
                common_offset = offset
    if common_offset is None or not _stays(common_offset, loop.body):
        return None
    return common_offset


def _uses(expression: Expr, variable: Var) -> Iterator[Linear]:
    """The largest sums in ``expression`` that ``variable`` is a part of."""
    if not _mentions(expression, variable):
        return
    if not is_index(expression):
        for operand in operands(expression):
            yield from _uses(operand, variable)
        return
    whole = linear(expression)
    if variable in whole.parts:
        yield whole
    for part in whole.parts:
        if part != variable:
            for operand in operands(part):
                yield from _uses(operand, variable)


def _mentions(expression: Expr, variable: Var) -> bool:
    return any(isinstance(part, Var) and part.name == variable.name for part in subexpressions(expression))


def _find_addend(use: Linear, variable: Var) -> Linear | None:
    """What is added to the variable itself where a multiple of both is asked for."""
    times = use.parts[variable]
    others = use.without(variable).parts
    if times <= 0 or any(count % times for count in others.values()):
        return None
    return Linear({part: count // times for part, count in others.items()}, 0)


def _stays(begin: Linear, body: Stmt) -> bool:
    """Whether it is one and the same for the whole loop, without reading memory again."""
    names: set[str] = set()
    for part in begin.parts:
        for inner in subexpressions(part):
            if isinstance(inner, Load):
                return False
            if isinstance(inner, Var):
                names.add(inner.name)
    for statement in statements(body):
        if names & set(declared_names(statement)) or (isinstance(statement, Assign) and statement.name in names):
            return False
    return True


def _replace(expression: Expr, variable: Var, begin: Linear) -> Expr:
    """``expression`` where ``variable`` counts from ``begin`` on."""
    if not _mentions(expression, variable):
        return expression
    whole = linear(expression) if is_index(expression) else None
    if whole is None or variable not in whole.parts:
        return map_operands(expression, lambda operand: _replace(operand, variable, begin))
    moved = plus(whole, begin, -whole.parts[variable])
    parts = {_in_part(part, variable, begin): count for part, count in moved.parts.items()}
    return Linear(parts, moved.constant).expression


def _in_part(part: Expr, variable: Var, begin: Linear) -> Expr:
    return part if part == variable else map_operands(part, lambda operand: _replace(operand, variable, begin))


def _with_expressions(statement: Stmt, change: Callable[[Expr], Expr]) -> Stmt:
    """``statement`` with all expressions in it changed."""
    new_statement = map_children(statement, lambda child: _with_expressions(child, change))
    return map_expressions(new_statement, change)
