"""Several statements: every temporary is assigned once, with ``=``, before it is read, and has a size.

The last statement is the result. Temporaries are tensors of this program alone: nobody passes them, nobody gets them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from heddle.diagnostics import Diagnostic, Fix, Location, Part
from heddle.notation.alpha_renaming import rename_apart, ties
from heddle.notation.limits import MAX_STATEMENTS
from heddle.notation.nodes import Assignment, Span, accesses, operand_accesses, statements
from heddle.notation.printer import to_text


def statement_problems(assignment: Assignment) -> Iterator[Diagnostic]:
    """What is wrong between the statements of ``assignment`` (codes ``expression/...``)."""
    if not assignment.temporaries:
        return
    sequence = statements(assignment)
    if len(sequence) > MAX_STATEMENTS:
        yield Diagnostic(
            "expression/too-many-statements",
            f"the expression has {len(sequence)} statements, the limit is {MAX_STATEMENTS}",
            _at(sequence[MAX_STATEMENTS].span),
            expected=f"at most {MAX_STATEMENTS} statements",
            actual=str(len(sequence)),
        )
        return
    problems = [
        *_assigned_twice(sequence),
        *_read_early(sequence),
        *_unread(assignment),
        *_check_accumulation(assignment),
    ]
    yield from problems
    if not problems:
        yield from _sizes(assignment)


def _assigned_twice(assignment: tuple[Assignment, ...]) -> Iterator[Diagnostic]:
    first: dict[str, Assignment] = {}
    for statement in assignment:
        name = statement.target.tensor
        if first.setdefault(name, statement) is not statement:
            yield Diagnostic(
                "expression/assigned-twice",
                f"{name} is already assigned by {to_text(first[name])}",
                _at(statement.target.span),
                expected="one assignment to each tensor",
                actual=f"{name} again",
                hint="give one of the two another name",
            )


def _read_early(assignment: tuple[Assignment, ...]) -> Iterator[Diagnostic]:
    for number, statement in enumerate(assignment):
        later = {other.target.tensor for other in assignment[number + 1 :]} - {
            other.target.tensor for other in assignment[:number]
        }
        for access in accesses(statement.expression):
            if access.tensor in later - {statement.target.tensor}:
                yield Diagnostic(
                    "expression/read-before",
                    f"{to_text(access)} is read here, but {access.tensor} is assigned only by a later statement",
                    _at(access.span),
                    expected=f"the statement that assigns {access.tensor} before this one",
                    actual=to_text(statement),
                )


def _unread(assignment: Assignment) -> Iterator[Diagnostic]:
    read = {access.tensor for statement in statements(assignment) for access in accesses(statement.expression)}
    for temporary in assignment.temporaries:
        name = temporary.target.tensor
        if name in read or name == assignment.target.tensor:
            continue
        rest = tuple(other for other in assignment.temporaries if other is not temporary)
        yield Diagnostic(
            "expression/unread",
            f"{name} is computed but no later statement reads it; the result of the whole is "
            f"{to_text(assignment.target)}, which the last statement assigns",
            _at(temporary.target.span),
            expected=f"a statement that reads {name}",
            actual="none",
            fixes=(Fix(f"Remove {to_text(temporary)}", expression=to_text(replace(assignment, temporaries=rest))),),
        )


def _check_accumulation(assignment: Assignment) -> Iterator[Diagnostic]:
    for temporary in assignment.temporaries:
        if temporary.operator == "=":
            continue
        name = temporary.target.tensor
        rest = tuple(replace(t, operator="=") if t is temporary else t for t in assignment.temporaries)
        repaired = to_text(replace(assignment, temporaries=rest))
        fixes = (Fix(f"Assign {name} with =", expression=repaired),) if temporary.operator == "+=" else ()
        yield Diagnostic(
            "expression/temporary-accumulates",
            f"{temporary.operator} combines with what {name} holds before, but {name} is a temporary and holds nothing",
            _at(temporary.span),
            expected="=",
            actual=temporary.operator,
            hint="sums are implicit; other reductions are written as min(j, A(i,j)), max(j, A(i,j)), …",
            fixes=fixes,
        )


def _sizes(assignment: Assignment) -> Iterator[Diagnostic]:
    """A dimension of a temporary is as large as that of an operand or of the result."""
    apart = rename_apart(assignment)
    outside = {index for access in (*operand_accesses(apart), apart.target) for index in access.indices}
    same = ties(apart)
    for temporary, named in zip(assignment.temporaries, apart.temporaries, strict=True):
        for index, renamed in zip(temporary.target.indices, named.target.indices, strict=True):
            if same[renamed] not in outside:
                yield Diagnostic(
                    "expression/temporary-size",
                    f"nothing gives the size of {index} in {to_text(temporary.target)}: no operand and no dimension of "
                    f"the result has it",
                    _at(temporary.target.span),
                    expected=f"an operand or the result with a dimension {index}",
                    actual=f"{index} in temporaries alone",
                )


def _at(span: Span | None) -> Location | None:
    return Location(Part.EXPRESSION, span.start, span.end) if span else None
