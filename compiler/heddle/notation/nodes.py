"""Index notation: what is computed, e.g. ``y(i) = A(i,j) * x(j)`` (docs/sources.toml T5, T9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from heddle.notation.expressions import Access as Access
from heddle.notation.expressions import Binary as Binary
from heddle.notation.expressions import Call as Call
from heddle.notation.expressions import Expression as Expression
from heddle.notation.expressions import IndexValue as IndexValue
from heddle.notation.expressions import Literal as Literal
from heddle.notation.expressions import Reduce as Reduce
from heddle.notation.expressions import Select as Select
from heddle.notation.expressions import SizeValue as SizeValue
from heddle.notation.expressions import Span as Span
from heddle.notation.expressions import Unary as Unary
from heddle.notation.expressions import accesses as accesses
from heddle.notation.expressions import bound_variables as bound_variables
from heddle.notation.expressions import operands_of as operands_of
from heddle.notation.expressions import with_operands as with_operands
from heddle.notation.program import Program


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
