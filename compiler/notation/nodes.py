"""Index notation: what is computed, e.g. ``y(i) = A(i,j) * x(j)`` (FEATURES T5, T9)."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """Character offsets into the expression text, end exclusive."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Access:
    """``A(i,j)``; a scalar has no indices. ``index_spans`` says where each index stands, when it was parsed."""

    tensor: str
    indices: tuple[str, ...]
    span: Span | None = None
    index_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Literal:
    value: int | float | complex | bool
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Unary:
    """``operator`` is ``-``."""

    operator: str
    operand: Expression
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Binary:
    """``operator`` is one of ``+ - * /``."""

    operator: str
    left: Expression
    right: Expression
    span: Span | None = None


Expression = Access | Literal | Unary | Binary


@dataclass(frozen=True, slots=True)
class Assignment:
    """``target operator expression``; operator is ``=`` or ``+=``. Reductions are implicit: each additive term is
    summed over the variables that are missing on the left (Einstein)."""

    target: Access
    operator: str
    expression: Expression
    span: Span | None = None


def accesses(expression: Expression) -> list[Access]:
    """All accesses, left to right."""
    match expression:
        case Access():
            return [expression]
        case Literal():
            return []
        case Unary(operand=operand):
            return accesses(operand)
        case Binary(left=left, right=right):
            return accesses(left) + accesses(right)
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def index_variables(assignment: Assignment) -> tuple[str, ...]:
    """Result variables first, then reduction variables in order of appearance."""
    seen: dict[str, None] = dict.fromkeys(assignment.target.indices)
    for access in accesses(assignment.expression):
        seen.update(dict.fromkeys(access.indices))
    return tuple(seen)
