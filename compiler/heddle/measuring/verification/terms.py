"""An expression as a sum of products, for the reference and for recognising operations.

``(a + b) * c`` becomes ``a * c + b * c``; each product is then summed over the index variables that it has and the
result has not. A quotient stays in its term: its divisors are kept as expressions.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.notation.nodes import Access, Assignment, Binary, Call, Expression, Literal, Reduce, Unary, operands_of
from heddle.notation.printer import to_text


@dataclass(frozen=True, slots=True)
class Product:
    """``coefficient * factors / divisors``."""

    coefficient: complex
    factors: tuple[Access, ...] = ()
    divisors: tuple[Expression, ...] = ()


def is_sum_of_products(assignment: Assignment) -> bool:
    """Whether the assignment adds up products and quotients, and does nothing else."""
    plain = assignment.operator in ("=", "+=") and not assignment.temporaries and assignment.program is None
    return plain and _is_sum(assignment.expression)


def _is_sum(expression: Expression) -> bool:
    match expression:
        case Call() | Reduce():
            return False
        case Binary(operator=operator) if operator not in ("+", "-", "*", "/"):
            return False
        case _:
            return all(_is_sum(part) for part in operands_of(expression))


def products(assignment: Assignment) -> list[Product]:
    """The terms of the right-hand side of a sum of products."""
    return _distribute(assignment.expression)


def _distribute(expression: Expression) -> list[Product]:
    match expression:
        case Access():
            return [Product(1, (expression,))]
        case Literal(value=value):
            return [Product(value)]
        case Unary(operator="-", operand=operand):
            return [_times(Product(-1), product) for product in _distribute(operand)]
        case Binary(operator="+", left=left, right=right):
            return _distribute(left) + _distribute(right)
        case Binary(operator="-", left=left, right=right):
            return _distribute(left) + _distribute(Unary("-", right))
        case Binary(operator="*", left=left, right=right):
            return [_times(a, b) for a in _distribute(left) for b in _distribute(right)]
        case Binary(operator="/", left=left, right=right):
            return [_times(product, Product(1, (), (right,))) for product in _distribute(left)]
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def no_reference(statement: Assignment, iterations: int, most: int) -> CompileError:
    """What cannot be verified is not timed."""
    return CompileError(
        Diagnostic(
            "run/no-reference",
            f"{to_text(statement)} is not a sum of products of tensors filled with zeros, so the reference to verify "
            f"a run against is computed on dense arrays: {iterations:,} iterations are too many for that. Use smaller "
            f"inputs.",
            Location(Part.PLAN, path="/inputs"),
            expected=f"at most {most:,} iterations",
            actual=f"{iterations:,}",
        )
    )


def _times(a: Product, b: Product) -> Product:
    return Product(a.coefficient * b.coefficient, a.factors + b.factors, a.divisors + b.divisors)
