"""Index notation: what is computed, e.g. ``y(i) = A(i,j) * x(j)`` (docs/sources.md T5, T9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from heddle.notation.program import Program


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


@dataclass(frozen=True, slots=True)
class Assignment:
    """``target operator expression``; operator is ``=`` or one of ``+= *= min= max= |= &=``, which combine with what
    the target holds. Reductions are implicit: each additive term is summed over the variables that are missing on the
    left (Einstein); under another operator than ``+`` the whole expression is reduced by it. ``temporaries`` are the
    statements in front, in order: what they assign to is computed first, and read by later ones and this one."""

    target: Access
    operator: str
    expression: Expression
    span: Span | None = None
    temporaries: tuple[Assignment, ...] = ()
    program: Program | None = None
    """What the language that the statements come from says beside them."""


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


def statements(assignment: Assignment) -> tuple[Assignment, ...]:
    """The temporaries and then the assignment itself, each alone."""
    return (*assignment.temporaries, replace(assignment, temporaries=())) if assignment.temporaries else (assignment,)


def temporary_names(assignment: Assignment) -> frozenset[str]:
    return frozenset(temporary.target.tensor for temporary in assignment.temporaries)


def operand_accesses(assignment: Assignment) -> list[Access]:
    """What the statements read and do not compute themselves, left to right."""
    names = temporary_names(assignment)
    operands = [access for statement in statements(assignment) for access in accesses(statement.expression)]
    return [access for access in with_computed(operands, assignment.program) if access.tensor not in names]


def with_computed(operands: Sequence[Access], program: Program | None) -> list[Access]:
    """The accesses, each behind those by which its coordinates are computed."""
    if program is None or not program.computed:
        return list(operands)
    behind: list[Access] = []
    for access in operands:
        for index in access.indices:
            if index in program.computed:
                behind += with_computed(accesses(program.computed[index]), program)
        behind.append(access)
    return behind


def index_variables(assignment: Assignment) -> tuple[str, ...]:
    """Statement by statement: first the variables of what is assigned, then others in order of appearance."""
    seen: dict[str, None] = {}
    for statement in statements(assignment):
        seen.update(dict.fromkeys(statement.target.indices))
        if assignment.program is None:
            for access in accesses(statement.expression):
                seen.update(dict.fromkeys(access.indices))
        else:
            seen.update(dict.fromkeys(variables_in(statement.expression, assignment.program)))
    return tuple(seen)


def variables_in(expression: Expression, program: Program | None) -> list[str]:
    """The index variables that the value depends on or that its reductions bind, in order of appearance."""
    match expression:
        case Access(indices=indices):
            return [variable for index in indices for variable in coordinate_variables(index, program)]
        case IndexValue(variable=variable):
            return [variable]
        case Reduce(variable=variable, operand=operand):
            inner = variables_in(operand, program)
            return inner if variable in inner else [*inner, variable]
        case _:
            variables = [variable for part in operands_of(expression) for variable in variables_in(part, program)]
            return list(dict.fromkeys(variables))


def coordinate_variables(index: str, program: Program | None) -> tuple[str, ...]:
    """The index variables that a coordinate is computed of: itself, where it is one."""
    if program is None or index not in program.computed:
        return (index,)
    return tuple(dict.fromkeys(variables_in(program.computed[index], program)))


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
