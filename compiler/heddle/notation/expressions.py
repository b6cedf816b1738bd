"""Expressions of index notation, and how one goes through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """Character offsets into the expression text, end exclusive."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Access:
    """``A(i,j)``; a scalar has no indices. ``index_spans`` says where each index stands, when it was parsed.

    In an iteration graph ``dtype`` is the one in which its values are read and ``background`` the value of what it does
    not store (for what is assigned to: its value before the first assignment); None for an operand that stores
    everything."""

    tensor: str
    indices: tuple[str, ...]
    span: Span | None = None
    index_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)
    dtype: str | None = field(default=None, compare=False, repr=False)
    background: Literal | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant. One that was written takes the dtype of what it meets (NEP 50); one with a ``dtype`` stands for the
    value of an operand that is absent."""

    value: int | float | complex | bool
    span: Span | None = None
    dtype: str | None = None


@dataclass(frozen=True, slots=True)
class IndexValue:
    """The value of an index variable, an ``int64``."""

    variable: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class SizeValue:
    """The size that a program calls ``name``, an ``int64``."""

    name: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Select:
    """``then`` where ``condition`` holds, else ``otherwise``; only one of them is evaluated."""

    condition: Expression
    then: Expression
    otherwise: Expression
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Unary:
    """``operator`` is ``-``, or ``!`` of a truth value."""

    operator: str
    operand: Expression
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Binary:
    """``operator`` is one of ``+ - * /``, a comparison ``< <= > >= == !=``, of integers ``//`` and ``%``, which round
    down (and are 0 where the divisor is), or of truth values ``&&`` and ``||``."""

    operator: str
    left: Expression
    right: Expression
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """``sqrt(x)``: a function of the table in ``functions.py``, or the name of a dtype, which converts."""

    function: str
    arguments: tuple[Expression, ...]
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Reduce:
    """``sum(j, …)``: ``operand`` combined by ``operator`` (``+ * min max || &&``) over all values of ``variable``."""

    operator: str
    variable: str
    operand: Expression
    span: Span | None = None


Expression = Access | Literal | IndexValue | SizeValue | Unary | Binary | Select | Call | Reduce


def accesses(expression: Expression) -> list[Access]:
    """All accesses, left to right."""
    match expression:
        case Access():
            return [expression]
        case Literal() | IndexValue() | SizeValue():
            return []
        case Select(condition=condition, then=then, otherwise=otherwise):
            return accesses(condition) + accesses(then) + accesses(otherwise)
        case Unary(operand=operand):
            return accesses(operand)
        case Binary(left=left, right=right):
            return accesses(left) + accesses(right)
        case Call(arguments=arguments):
            return [access for argument in arguments for access in accesses(argument)]
        case Reduce(operand=operand):
            return accesses(operand)
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def operands_of(expression: Expression) -> tuple[Expression, ...]:
    """The expressions directly below this one."""
    match expression:
        case Access() | Literal() | IndexValue() | SizeValue():
            return ()
        case Select(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case Unary(operand=operand) | Reduce(operand=operand):
            return (operand,)
        case Binary(left=left, right=right):
            return (left, right)
        case Call(arguments=arguments):
            return arguments
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def with_operands(expression: Expression, operands: Sequence[Expression]) -> Expression:
    """The same operation on other operands, without its span."""
    match expression:
        case Access() | Literal() | IndexValue() | SizeValue():
            return expression
        case Select():
            return Select(operands[0], operands[1], operands[2])
        case Unary(operator=operator):
            return Unary(operator, operands[0])
        case Binary(operator=operator):
            return Binary(operator, operands[0], operands[1])
        case Call(function=function):
            return Call(function, tuple(operands))
        case Reduce(operator=operator, variable=variable):
            return Reduce(operator, variable, operands[0])
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def bound_variables(expression: Expression) -> list[str]:
    """The variables of explicit reductions, left to right."""
    bound = [expression.variable] if isinstance(expression, Reduce) else []
    return bound + [variable for part in operands_of(expression) for variable in bound_variables(part)]
