"""An expression as a sum of products, for the reference and for recognising operations.

``(a + b) * c`` becomes ``a * c + b * c``; each product is then summed over the index variables that it has and the
result has not. A quotient stays in its term: its divisors are kept as expressions.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.diagnostics import CompileError, Diagnostic, Location, Part
from compiler.notation.nodes import Access, Assignment, Binary, Call, Expression, Literal, Reduce, Unary
from compiler.notation.printer import to_text


@dataclass(frozen=True, slots=True)
class Product:
    """``coefficient * factors / divisors``."""

    coefficient: complex
    factors: tuple[Access, ...] = ()
    divisors: tuple[Expression, ...] = ()


def products(assignment: Assignment) -> list[Product]:
    """The terms of the right-hand side."""
    if assignment.temporaries:
        raise no_reference(assignment)
    return _distributed(assignment.expression)


def _distributed(expression: Expression) -> list[Product]:
    match expression:
        case Access():
            return [Product(1, (expression,))]
        case Literal(value=value):
            return [Product(value)]
        case Unary(operator="-", operand=operand):
            return [_times(Product(-1), product) for product in _distributed(operand)]
        case Binary(operator="+", left=left, right=right):
            return _distributed(left) + _distributed(right)
        case Binary(operator="-", left=left, right=right):
            return _distributed(left) + _distributed(Unary("-", right))
        case Binary(operator="*", left=left, right=right):
            return [_times(a, b) for a in _distributed(left) for b in _distributed(right)]
        case Binary(operator="/", left=left, right=right):
            return [_times(product, Product(1, (), (right,))) for product in _distributed(left)]
        case Call() | Reduce() | Binary():
            raise no_reference(expression)
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def no_reference(node: Assignment | Expression) -> CompileError:
    """What is no sum of products cannot be verified, and is therefore not timed."""
    return CompileError(
        Diagnostic(
            "run/no-reference",
            f"{to_text(node)} is no sum of products, so that there is no reference to verify a run against. "
            f"Its code can be generated, but not timed.",
            Location(Part.PLAN, path="/expression"),
            expected="sums, products and quotients",
            found=to_text(node),
        )
    )


def _times(a: Product, b: Product) -> Product:
    return Product(a.coefficient * b.coefficient, a.factors + b.factors, a.divisors + b.divisors)
