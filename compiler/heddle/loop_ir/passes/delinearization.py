"""Loops that were made one, over elements that lie one after the other, count straight on.

The loop over ``y`` knows its parts by ``y // size`` and ``y % size``, and a dense array puts them together again.
``(a + y // size) * size + y % size`` is ``a * size + y``, so that lanes find neighbours, and no element divides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from heddle.loop_ir import build
from heddle.loop_ir.analysis.linear import Linear, is_index, linear, plus
from heddle.loop_ir.nodes import INDEX, Assign, Binary, Block, Declare, Expr, Function, Stmt, Var
from heddle.loop_ir.rebuild import map_children
from heddle.loop_ir.walk import all_statements, declared_names, subexpressions

Known = Mapping[str, Expr]
"""What stands for an index in scope: a sum of others, or what it was declared as."""


@dataclass(frozen=True, slots=True)
class _Sizes:
    """``equal`` has one name for all sizes that are the same; scalars ``changing`` are assigned somewhere."""

    equal: Mapping[str, str]
    changing: frozenset[str]

    def same(self, first: Expr, second: Expr) -> bool:
        if isinstance(first, Var) and isinstance(second, Var):
            return self.equal.get(first.name, first.name) == self.equal.get(second.name, second.name)
        return first == second

    def stays(self, value: Expr) -> bool:
        return not any(isinstance(part, Var) and part.name in self.changing for part in subexpressions(value))


def straight_runs(function: Function, equal: Mapping[str, str]) -> Function:
    """A function that does the same. ``equal`` has one name for all sizes that are the same size."""
    every = all_statements(function)
    if not any(isinstance(statement, Declare) and _is(statement.value, "%") for statement in every):
        return function
    changing = frozenset(statement.name for statement in every if isinstance(statement, Assign))
    body = _rewrite(function.body, {}, _Sizes(equal, changing))
    assert isinstance(body, Block)
    return function if body is function.body else replace(function, body=body)


def _rewrite(statement: Stmt, known: dict[str, Expr], sizes: _Sizes) -> Stmt:
    """``statement`` where ``known`` is in scope; adds what it declares."""
    match statement:
        case Block(statements=inner):
            scope = dict(known)
            new_statements = tuple(_rewrite(child, scope, sizes) for child in inner)
            same = all(new is old for new, old in zip(new_statements, inner, strict=True))
            return statement if same else replace(statement, statements=new_statements)
        case Declare(name=name, value=value, dtype=dtype, mutable=False) if dtype == INDEX and sizes.stays(value):
            joined = _join(value, known, sizes)
            known[name] = value if joined is None else joined
            return statement if joined is None else replace(statement, value=joined)
        case _:
            scope = {name: value for name, value in known.items() if name not in declared_names(statement)}
            return map_children(statement, lambda child: _rewrite(child, scope, sizes))


def _join(value: Expr, known: Known, sizes: _Sizes) -> Expr | None:
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
            begin = _begin(product, remainder, known, sizes)
            if begin is not None:
                rest = whole.without(part).without(product)
                return plus(plus(begin, linear(remainder.left)), rest).expression
    return None


def _begin(product: Binary, remainder: Binary, known: Known, sizes: _Sizes) -> Linear | None:
    """``a * size`` of a product ``(a + t // size) * size``; None for another."""
    size = remainder.right
    if not sizes.same(product.right, size):
        return None
    rows = linear(product.left)
    if isinstance(product.left, Var) and product.left.name in known:
        definition = known[product.left.name]
        rows = linear(definition) if not _is(definition, "//") else rows
    for part, count in rows.parts.items():
        quotient = known.get(part.name) if isinstance(part, Var) else part
        if count != 1 or not isinstance(quotient, Binary) or quotient.operator != "//":
            continue
        if quotient.left == remainder.left and sizes.same(quotient.right, size):
            return linear(build.mul(rows.without(part).expression, product.right))
    return None


def _is(expression: Expr, operator: str) -> bool:
    return isinstance(expression, Binary) and expression.operator == operator and expression.dtype == INDEX
