"""types.*: programs of patterns, whose types say how long each row is; what finding rows takes, counted in the run."""

from __future__ import annotations

import numpy as np

from heddle.explorer.cost_report import programs
from heddle.patterns.typing.layout import fields, record_of, records, start_of
from heddle.patterns.typing.types import ArrayType, Type, element_at, to_text
from heddle.symbolic.facts import Facts
from heddle.symbolic.nodes import Sum, length
from heddle.symbolic.printer import to_text as length_text
from heddle.symbolic.steps import Steps
from heddle.symbolic.walk import all_atoms
from heddle_server.lessons.condition import Value
from heddle_server.lessons.evidence import Evidence, Unknown
from heddle_server.lessons.predicates.predicate import Kind, predicate

PARAMETER: tuple[str, Kind] = ("parameter", "word")


def _type(evidence: Evidence, parameter: str) -> Type:
    types = dict(evidence.bound.program.types)
    if parameter not in types:
        raise Unknown(f"there is no parameter {parameter}: the program has {', '.join(types)}")
    return types[parameter]


def _rows(evidence: Evidence, parameter: str) -> ArrayType:
    array_type = _type(evidence, parameter)
    if not isinstance(array_type, ArrayType) or not isinstance(array_type.element, ArrayType):
        raise Unknown(f"{parameter} has no rows: it is {to_text(array_type)}")
    return array_type


@predicate("types.of", "text", PARAMETER)
def of(evidence: Evidence, parameter: str) -> Value:
    """The type of a parameter."""
    return to_text(_type(evidence, parameter))


@predicate("types.length", "text", PARAMETER)
def row_length(evidence: Evidence, parameter: str) -> Value:
    """How many elements a row of a parameter has, as a formula of its place."""
    rows = _rows(evidence, parameter)
    return length_text(records(element_at(rows, length(rows.variable))))


@predicate("types.closed", "truth", PARAMETER)
def closed(evidence: Evidence, parameter: str) -> Value:
    """Whether rules make a formula without a sum of where a row begins."""
    rows = _rows(evidence, parameter)
    place = length(rows.variable)
    start = start_of(rows, place, Facts().assume_range(rows.variable, 0, rows.size))
    return not any(isinstance(atom, Sum) for atom in all_atoms(start))


@predicate("types.rules", "rules", PARAMETER)
def rules(evidence: Evidence, parameter: str) -> Value:
    """How many rules were applied to the sum of the lengths in front of a row."""
    rows, steps = _rows(evidence, parameter), Steps()
    start_of(rows, length(rows.variable), Facts().assume_range(rows.variable, 0, rows.size), steps)
    return len(steps.steps)


@predicate("types.begins", "elements", PARAMETER, ("row", "number"))
def begins(evidence: Evidence, parameter: str, row: float) -> Value:
    """How many elements lie in front of a row, counted from 0, on the data of the task."""
    _rows(evidence, parameter)
    program = evidence.of_program(
        lambda account: programs.first_place(account.result, account.operands, account.run, parameter, int(row))
    )
    if program is None:
        raise Unknown(f"{parameter} has fewer rows than {int(row)}")
    return program


@predicate("types.additions", "additions")
def additions(evidence: Evidence) -> Value:
    """Additions of lengths that finding the rows of all parameters takes, on the data of the task: counted in
    the loops, and one for each row of an array that is added up before the kernel runs."""
    return evidence.of_program(lambda account: programs.additions(account.result, account.operands, account.run))


@predicate("types.kept", "arrays")
def kept(evidence: Evidence) -> Value:
    """Arrays of starts of rows that are added up before the kernel runs, and kept."""
    return len(evidence.bound.memos)


@predicate("types.claims", "claims")
def claims(evidence: Evidence) -> Value:
    """What the types say and nobody can prove: claims that each call checks before the kernel runs."""
    return len(evidence.bound.claims)


@predicate("types.claim_broken", "truth")
def claim_broken(evidence: Evidence) -> Value:
    """Whether the data of the task break a claim of the types, so that the call is refused before the kernel runs."""
    return evidence.claim_broken


@predicate("types.record", "bytes", PARAMETER)
def record(evidence: Evidence, parameter: str) -> Value:
    """Bytes of one element of the rows of a parameter as it lies in memory: of a pair both fields, and padding between
    them."""
    first = fields(record_of(_type(evidence, parameter)))[0]
    return first.stride * np.dtype(first.dtype).itemsize


@predicate("types.padding", "share", PARAMETER)
def padding(evidence: Evidence, parameter: str) -> Value:
    """Share of the bytes of an element that are padding, which keeps the fields of a pair in places that suit them."""
    flat = fields(record_of(_type(evidence, parameter)))
    whole = flat[0].stride * np.dtype(flat[0].dtype).itemsize
    return 1 - sum(np.dtype(field.dtype).itemsize for field in flat) / whole


@predicate("types.bytes", "bytes")
def size_in_bytes(evidence: Evidence) -> Value:
    """Bytes of all arguments as they lie in memory, on the data of the task, and of arrays that are added up."""
    return evidence.of_program(
        lambda account: programs.bytes_of_arguments(account.result, account.operands, account.run)
    )


PREDICATES = (
    *(of, row_length, closed, rules, begins, additions, kept, claims, claim_broken),
    *(record, padding, size_in_bytes),
)
