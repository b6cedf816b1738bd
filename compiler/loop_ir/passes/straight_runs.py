"""Loops that were made one, over elements that lie one after the other, count straight on.

The loop over ``y`` knows its parts by ``y // size`` and ``y % size``, and a dense array puts them together again:
``(row * size + y // size) ...`` is where it came from. ``(a + t // size) * size + t % size`` is ``a * size + t``, so
that lanes find neighbours, and no element divides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from compiler.loop_ir import build
from compiler.loop_ir.analysis.linear import Linear, is_index, linear, plus
from compiler.loop_ir.nodes import INDEX, Binary, Block, Declare, Expr, Function, Stmt, Var
from compiler.loop_ir.rebuild import map_children
from compiler.loop_ir.walk import declared_names, statements

Known = Mapping[str, Expr]
"""What stands for an index in scope: a sum of others, or what it was declared as."""


def straight_runs(function: Function, equal: Mapping[str, str]) -> Function:
    """A function that does the same. ``equal`` has one name for all sizes that are the same size."""
    if not any(isinstance(one, Declare) and _is(one.value, "%") for one in statements(function.body)):
        return function
    body = _rewritten(function.body, {}, equal)
    assert isinstance(body, Block)
    return function if body is function.body else replace(function, body=body)


def _rewritten(statement: Stmt, known: dict[str, Expr], equal: Mapping[str, str]) -> Stmt:
    """``statement`` where ``known`` is in scope; adds what it declares."""
    match statement:
        case Block(statements=inner):
            scope = dict(known)
            made = tuple(_rewritten(one, scope, equal) for one in inner)
            same = all(new is old for new, old in zip(made, inner, strict=True))
            return statement if same else replace(statement, statements=made)
        case Declare(name=name, value=value, dtype=dtype, mutable=False) if dtype == INDEX:
            joined = _joined(value, known, equal)
            known[name] = value if joined is None else joined
            return statement if joined is None else replace(statement, value=joined)
        case _:
            scope = {name: value for name, value in known.items() if name not in declared_names(statement)}
            return map_children(statement, lambda child: _rewritten(child, scope, equal))


def _joined(value: Expr, known: Known, equal: Mapping[str, str]) -> Expr | None:
    """``value`` where a quotient and a remainder in it are the number that they are of; None where there are none."""
    if not is_index(value):
        return None
    whole = linear(value)
    for times, part in [(times, part) for part, times in whole.parts.items() if isinstance(part, Var)]:
        remainder = known.get(part.name)
        if times != 1 or not isinstance(remainder, Binary) or remainder.operator != "%":
            continue
        for product, count in whole.parts.items():
            if count != 1 or not isinstance(product, Binary) or product.operator != "*":
                continue
            begin = _begin(product, remainder, known, equal)
            if begin is not None:
                rest = whole.without(part).without(product)
                return plus(plus(begin, linear(remainder.left)), rest).expression
    return None


def _begin(product: Binary, remainder: Binary, known: Known, equal: Mapping[str, str]) -> Linear | None:
    """``a * size`` of a product ``(a + t // size) * size``; None for another."""
    size = remainder.right
    if not _same(product.right, size, equal):
        return None
    rows = linear(product.left)
    if isinstance(product.left, Var) and product.left.name in known:
        own = known[product.left.name]
        rows = linear(own) if not _is(own, "//") else rows
    for part, count in rows.parts.items():
        quotient = known.get(part.name) if isinstance(part, Var) else part
        if count != 1 or not isinstance(quotient, Binary) or quotient.operator != "//":
            continue
        if quotient.left == remainder.left and _same(quotient.right, size, equal):
            return linear(build.mul(rows.without(part).expression, product.right))
    return None


def _same(first: Expr, second: Expr, equal: Mapping[str, str]) -> bool:
    if isinstance(first, Var) and isinstance(second, Var):
        return equal.get(first.name, first.name) == equal.get(second.name, second.name)
    return first == second


def _is(expression: Expr, operator: str) -> bool:
    return isinstance(expression, Binary) and expression.operator == operator and expression.dtype == INDEX
