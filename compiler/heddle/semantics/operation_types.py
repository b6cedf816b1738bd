"""Operations that the dtypes of their operands do not have: ``-`` of truth values, ``<`` of complex numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from heddle.diagnostics import Diagnostic, Location, Part
from heddle.iteration_graph.algebra.type_promotion import call_dtypes, make_typed, promote
from heddle.loop_ir.dtypes import COMPLEX, INTEGERS, dtype_of, integer_range
from heddle.loop_ir.nodes import BOOL, Expr
from heddle.notation.functions import ASSIGNMENTS, FUNCTIONS, REDUCTIONS
from heddle.notation.nodes import (
    Assignment,
    Binary,
    Call,
    Expression,
    Literal,
    Reduce,
    Unary,
    operands_of,
)
from heddle.notation.printer import to_text
from heddle.signature import Signature

_ORDERING = ("<", "<=", ">", ">=")


def operation_problems(assignment: Assignment, signature: Signature) -> Iterator[Diagnostic]:
    """One diagnostic (``expression/operand-dtype``, ``expression/literal-range``) for each operation that is not
    defined; the operations around it are not looked at."""
    dtypes = {name: tensor.computed_dtype for name, tensor in signature.tensors.items()}
    problems = list(_problems(assignment.expression, dtypes, {}))
    yield from problems
    if not problems and ASSIGNMENTS.get(assignment.operator) in ("min", "max"):
        yield from _order(assignment.expression, dtypes, assignment.operator, assignment.expression)
    if not problems:
        yield from _ordered_result(assignment, dtypes[assignment.target.tensor])


def _problems(expression: Expression, dtypes: Mapping[str, str], seen: dict[int, Expr]) -> Iterator[Diagnostic]:
    """``seen`` are the stand-ins of the parts that were looked at."""
    below = [problem for part in operands_of(expression) for problem in _problems(part, dtypes, seen)]
    if below:
        yield from below
        return
    match expression:
        case Unary(operator="-", operand=operand):
            if dtype_of(make_typed(operand, dtypes, seen)) == BOOL:
                yield _no_minus(expression)
        case Binary(operator=operator, left=left, right=right):
            a, b = make_typed(left, dtypes, seen), make_typed(right, dtypes, seen)
            if operator == "-" and dtype_of(a) == dtype_of(b) == BOOL:
                yield _no_minus(expression)
            elif operator in _ORDERING and {dtype_of(a), dtype_of(b)} & COMPLEX:
                yield _unordered_error(expression, f"{operator} compares", promote(a, b))
            else:
                yield from _literal_range(left, promote(a, b))
                yield from _literal_range(right, promote(a, b))
        case Call(function=function, arguments=arguments) if function in FUNCTIONS:
            spec = FUNCTIONS[function]
            dtype = call_dtypes(function, [make_typed(argument, dtypes, seen) for argument in arguments])[0]
            if dtype in COMPLEX and "c" not in spec.kinds:
                yield _unordered_error(expression, f"{function} takes", dtype)
            elif len(arguments) > 1:
                for argument in arguments:
                    yield from _literal_range(argument, dtype)
        case Reduce(operator="min" | "max" as operator, operand=operand):
            names = {operator: name for name, operator in REDUCTIONS.items()}
            yield from _order(operand, dtypes, names[operator], expression)
        case _:
            return


def _order(operand: Expression, dtypes: Mapping[str, str], name: str, at: Expression) -> Iterator[Diagnostic]:
    dtype = dtype_of(make_typed(operand, dtypes))
    if dtype in COMPLEX:
        yield _unordered_error(at, f"{name} takes", dtype)


def _ordered_result(assignment: Assignment, dtype: str) -> Iterator[Diagnostic]:
    """What is compared in the result itself must have an order there."""
    expression, name = assignment.expression, assignment.target.tensor
    if dtype in COMPLEX and isinstance(expression, Reduce) and expression.operator in ("min", "max"):
        yield Diagnostic(
            "expression/operand-dtype",
            f"{expression.operator} takes real numbers, but {name} is declared as {dtype}. Give {name} a real dtype.",
            _at(expression),
            expected="real numbers",
            actual=dtype,
        )


def _no_minus(expression: Expression) -> Diagnostic:
    return Diagnostic(
        "expression/operand-dtype",
        f"{to_text(expression)} subtracts truth values, which cannot be subtracted or negated. "
        f"Compare them with !=, or store them as integers.",
        _at(expression),
        expected="numbers",
        actual=BOOL,
    )


def _unordered_error(expression: Expression, what: str, dtype: str) -> Diagnostic:
    return Diagnostic(
        "expression/operand-dtype",
        f"{what} real numbers, but in {to_text(expression)} it meets {dtype}. Use abs(…), or real operands.",
        _at(expression),
        expected="real numbers",
        actual=dtype,
    )


def _literal_range(expression: Expression, dtype: str) -> Iterator[Diagnostic]:
    """A written constant takes the dtype of what it meets, and must be one of its values."""
    sign, literal = (-1, expression.operand) if isinstance(expression, Unary) else (1, expression)
    if not isinstance(literal, Literal) or isinstance(literal.value, bool | float | complex) or dtype not in INTEGERS:
        return
    low, high = integer_range(dtype)
    if not low <= sign * literal.value <= high:
        yield Diagnostic(
            "expression/literal-range",
            f"{to_text(expression)} meets {dtype}, which holds the integers from {low} to {high}. "
            f"Use an operand of a wider dtype, or write {to_text(expression)}.0 to compute in floating point.",
            _at(expression),
            expected=f"from {low} to {high}",
            actual=to_text(expression),
        )


def _at(expression: Expression) -> Location | None:
    span = expression.span
    return Location(Part.EXPRESSION, span.start, span.end) if span else None
