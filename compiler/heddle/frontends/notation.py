"""Index notation: ``y(i) = A(i,j) * x(j)``, as it stands what iteration graphs are built of.

Checks and printer know the functions of the language by their meaning in NumPy, which is imported when a program is
read: the table of languages does without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from heddle.frontends.front_end import FrontEnd, Statements
from heddle.notation.alpha_renaming import rename_apart
from heddle.notation.cases import cases
from heddle.notation.grammar import EXAMPLE
from heddle.notation.nodes import Assignment, operand_accesses, statements
from heddle.notation.parser import check_length, parse

if TYPE_CHECKING:
    from numpy.typing import NDArray


def _check(assignment: Assignment) -> Assignment:
    from heddle.notation.check import check

    check(assignment)
    return rename_apart(assignment)


def _text(assignment: Assignment) -> str:
    from heddle.notation.printer import to_text

    return to_text(assignment)


def _tensors(assignment: Assignment) -> dict[str, int]:
    targets = [statement.target for statement in statements(assignment)]
    accesses = [assignment.target, *operand_accesses(assignment), *targets]
    return {access.tensor: len(access.indices) for access in reversed(accesses)}


def _find_computed_span(text: str) -> tuple[int, int]:
    """What comes after the first ``=``."""
    start = text.find("=") + 1
    return start + len(text[start:]) - len(text[start:].lstrip()), len(text.rstrip())


def _reference(
    assignment: Assignment, operands: Mapping[str, NDArray[Any] | float], sizes: Mapping[str, int]
) -> dict[str, NDArray[Any]]:
    from heddle.notation.evaluation import evaluate

    result = assignment.target.tensor
    read = {name: values for name, values in operands.items() if name != result}
    return {result: evaluate(assignment, read, sizes, operands.get(result))}


NOTATION = FrontEnd(
    name="notation",
    title="Index notation",
    example=EXAMPLE,
    editor="notation",
    check_length=check_length,
    parse=parse,
    tensors=_tensors,
    computed=_find_computed_span,
    check=_check,
    to_text=_text,
    reference=_reference,
    entry=Statements(lambda assignment: assignment),
    cases=cases,
)
