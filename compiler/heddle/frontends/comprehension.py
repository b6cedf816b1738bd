"""Tensor comprehensions (docs/sources.toml C1): loops are implicit, and their ranges follow from what is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from heddle.comprehensions.language.grammar import EXAMPLE
from heddle.comprehensions.language.nodes import Source, Statement
from heddle.comprehensions.language.parser import check_length, parse
from heddle.frontends.front_end import FrontEnd, Statements
from heddle.notation.nodes import Assignment

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from heddle.comprehensions.program import Comprehension
    from heddle.diagnostics import Diagnostic


def _check(source: Source, sizes: Mapping[str, int]) -> Comprehension:
    from heddle.comprehensions.program import check

    return check(source, sizes)


def _assignment(program: Comprehension) -> Assignment:
    from heddle.comprehensions.meaning.to_notation import statements_of

    return statements_of(program)


def _text(program: Comprehension) -> str:
    from heddle.comprehensions.language.printer import to_text

    return to_text(program.source)


def _tensors(source: Source) -> dict[str, int]:
    definition = source.definitions[-1]
    orders = {parameter.name: len(parameter.type.dimensions) for parameter in definition.parameters}
    for statement in definition.statements:
        if isinstance(statement, Statement):
            orders.setdefault(statement.target, len(statement.indices))
    return orders


def _find_computed_span(text: str) -> tuple[int, int]:
    """The body of the last definition."""
    start = text.rfind("{") + 1
    end = text.rfind("}")
    return start + len(text[start:]) - len(text[start:].lstrip()), len(text[: max(end, start)].rstrip())


def _reference(
    program: Comprehension, operands: Mapping[str, NDArray[Any] | float], sizes: Mapping[str, int]
) -> dict[str, NDArray[Any]]:
    from heddle.comprehensions.meaning.reference import evaluate

    return evaluate(program, operands)


def _canonical(program: Comprehension) -> str:
    from heddle.comprehensions.canonical import canonical_text

    return canonical_text(program)


def _notes(program: Comprehension) -> Sequence[Diagnostic]:
    return program.notes


def _cases(source: Source, sparse: Mapping[str, int]) -> float:
    from heddle.comprehensions.language.cases import cases

    return cases(source, sparse)


COMPREHENSION: FrontEnd[Source, Comprehension] = FrontEnd(
    name="comprehension",
    title="Tensor comprehensions",
    example=EXAMPLE,
    editor="comprehension",
    check_length=check_length,
    parse=parse,
    tensors=_tensors,
    computed=_find_computed_span,
    check=lambda source: _check(source, {}),
    to_text=_text,
    reference=_reference,
    entry=Statements(_assignment),
    cases=_cases,
    check_sized=_check,
    notes=_notes,
    canonical=_canonical,
)
