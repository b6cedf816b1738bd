"""An expression as a sum of products, for the reference: ``(a + b) * c`` becomes ``a * c + b * c``."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.diagnostics import CompileError, Diagnostic, Location, Part
from compiler.notation.nodes import Access, Assignment, Binary, Expression, Literal, Unary, accesses


@dataclass(frozen=True, slots=True)
class Product:
    """``coefficient * factors / divisors``; ``variables`` are those that its additive term loops over."""

    coefficient: complex
    factors: tuple[Access, ...]
    divisors: tuple[Access, ...]
    variables: tuple[str, ...]


def products(assignment: Assignment) -> list[Product]:
    """Every additive term is summed over its own variables that the result lacks (Einstein), then distributed.

    Raises:
        CompileError: ``run/no-reference`` for a division by a sum, which has no form as a sum of products.
    """
    found = []
    for sign, term in _additive_terms(assignment.expression):
        variables = dict.fromkeys(index for access in accesses(term) for index in access.indices)
        found += [
            Product(sign * product.coefficient, product.factors, product.divisors, tuple(variables))
            for product in _distributed(term)
        ]
    return found


def _additive_terms(expression: Expression) -> list[tuple[int, Expression]]:
    match expression:
        case Binary(operator="+", left=left, right=right):
            return _additive_terms(left) + _additive_terms(right)
        case Binary(operator="-", left=left, right=right):
            return _additive_terms(left) + [(-sign, term) for sign, term in _additive_terms(right)]
        case Unary(operator="-", operand=operand):
            return [(-sign, term) for sign, term in _additive_terms(operand)]
        case _:
            return [(1, expression)]


def _distributed(expression: Expression) -> list[Product]:
    match expression:
        case Access():
            return [Product(1, (expression,), (), ())]
        case Literal(value=value):
            return [Product(value, (), (), ())]
        case Unary(operator="-", operand=operand):
            return [_times(Product(-1, (), (), ()), product) for product in _distributed(operand)]
        case Binary(operator="+", left=left, right=right):
            return _distributed(left) + _distributed(right)
        case Binary(operator="-", left=left, right=right):
            return _distributed(left) + _distributed(Unary("-", right))
        case Binary(operator="*", left=left, right=right):
            return [_times(a, b) for a in _distributed(left) for b in _distributed(right)]
        case Binary(operator="/", left=left, right=right):
            divisors = _distributed(right)
            if len(divisors) != 1 or divisors[0].coefficient == 0:
                raise _no_reference()
            below = divisors[0]
            inverse = Product(1 / below.coefficient, below.divisors, below.factors, ())
            return [_times(product, inverse) for product in _distributed(left)]
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def _times(a: Product, b: Product) -> Product:
    return Product(a.coefficient * b.coefficient, a.factors + b.factors, a.divisors + b.divisors, ())


def _no_reference() -> CompileError:
    return CompileError(
        Diagnostic(
            code="run/no-reference",
            message="A result that divides by a sum cannot be verified yet, so it is not timed.",
            location=Location(Part.EXPRESSION),
            expected="divisions by a single tensor or product",
            hint="Compute the sum into a tensor of its own first.",
        )
    )
