"""Formats that number the slots of their rows: a slot is one more index variable of an access, which is summed over.

``sell(8)`` stores ``A(i,j)`` by (i / 8, slot, i mod 8, j), and each column of a row in one slot alone. So A(i,j) is the
sum of A(i,j,slot) over all slots, and ``y(i) = A(i,j) * x(j)`` becomes ``y(i) = A(i,j,j_slot) * x(j)`` with one more
sum. That is the same only where a sum may move out to the whole term: what is not linear in the operand is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from heddle.formats.format import Format
from heddle.formats.printer import format_text
from heddle.iteration_graph.graph.blocks import as_written
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where
from heddle.iteration_graph.graph.provenance import remember
from heddle.names import Names
from heddle.notation.nodes import (
    Access,
    Binary,
    Expression,
    Literal,
    Reduce,
    Unary,
    accesses,
    operands_of,
    with_operands,
)
from heddle.notation.printer import to_text
from heddle.signature import Signature

Slots = Mapping[Access, tuple[str, ...]]
"""By an access as it is written: the variables of the slots of its tensor, outermost level first."""


def slots_of(
    signature: Signature, operator: str, expression: Expression, names: Names, wrapping: Mapping[str, str]
) -> Slots:
    """Variables for the slots of every operand that has some. ``wrapping`` says by tensor which integers may wrap
    around before they are all added.

    Raises CompileError ``format/slots-not-summed`` where the sum over slots would be another one than is written.
    """
    slots: dict[Access, tuple[str, ...]] = {}
    for access in dict.fromkeys(accesses(expression)):
        known = signature.tensors.get(access.tensor)
        if known is None or not known.format.slots:
            continue
        reason = _reason(operator, expression, access) if known.fill == 0 else f"its fill is {known.fill}"
        reason = reason or wrapping.get(access.tensor)
        if reason is not None:
            raise CompileError(_not_summed(signature, access, reason))
        columns = (access.indices[dimension] for dimension in known.format.slots)
        slots[access] = tuple(names.fresh(f"{column}_slot") for column in columns)
    return slots


def with_slots(expression: Expression, slots: Slots) -> Expression:
    """The expression with the variables of slots after the indices of each access that has some."""
    if isinstance(expression, Access):
        return replace(expression, indices=expression.indices + slots.get(expression, ()), index_spans=())
    return with_operands(expression, [with_slots(part, slots) for part in operands_of(expression)])


def check_slots_around(statement: Statement, signature: Signature) -> None:
    """Raises CompileError ``format/slots-inside`` where the loop over a column stands outside of the one over the slots
    in which the column is found: another operand that is added, or the result, needs the columns in order."""
    for path, read in _reads(statement, ()):
        layout = signature.tensors[read.tensor].format if read.tensor in signature.tensors else None
        if layout is None or not layout.slots:
            continue
        for number, level in enumerate(layout.levels):
            column, slot = read.indices[-1], read.indices[number]
            if level.holds_slots and column in path and path.index(column) < path.index(slot):
                raise CompileError(_outside_error(signature, read, column))


def _reads(statement: Statement, around: tuple[str, ...]) -> Iterable[tuple[tuple[str, ...], Access]]:
    """Every access that a statement reads, with the loops around it."""
    match statement:
        case Forall(variable=variable, body=body):
            yield from _reads(body, (*around, variable))
        case Where(consumer=consumer, producer=producer):
            yield from _reads(consumer, around)
            yield from _reads(producer, around)
        case Series(statements=statements):
            for child in statements:
                yield from _reads(child, around)
        case Assign(expression=expression):
            yield from ((around, access) for access in accesses(expression))
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


@remember
def known_slots(graph: IterationGraph) -> Slots:
    """The variables of slots in a graph, by the accesses as a person writes them."""
    accesses: dict[Access, tuple[str, ...]] = {}
    for _, read in _reads(graph.statement, ()):
        layout = graph.signature.tensors[read.tensor].format if read.tensor in graph.signature.tensors else None
        if layout is not None and layout.slots:
            written = as_written(read, graph)
            assert isinstance(written, Access)
            pairs = zip(layout.levels, read.indices, strict=True)
            accesses[written] = tuple(index for level, index in pairs if level.holds_slots)
    return accesses


@dataclass(frozen=True, slots=True)
class SlottedLoops:
    """The loops over the blocks of rows, over the slots of a block, and over the rows ``inside`` a block."""

    block: str
    slot: str
    inside: str


def slotted_loops(format: Format, loops: Sequence[str]) -> SlottedLoops | None:
    """Of a matrix in slots whose default ``loops`` follow its levels; None for other formats and other loops."""
    return SlottedLoops(*loops[:3]) if format.slots and len(loops) == len(format.levels) else None


def _reason(operator: str, expression: Expression, access: Access) -> str | None:
    """What keeps a sum over the parts of ``access`` from moving out of the expression; None where nothing does."""
    if operator not in ("=", "+="):
        return f"{operator} combines what is not a sum"
    if len(set(access.indices)) < len(access.indices):
        return "its diagonal is read, which no slot has on its own"
    return _name_reduction(expression, access)


def _name_reduction(expression: Expression, access: Access, reduced: bool = False) -> str | None:
    """``reduced``: an explicit reduction takes the expression as it stands, where implicit sums are placed around each
    term."""
    match expression:
        case Access():
            return None
        case Binary(operator="/", right=right) if not (isinstance(right, Literal) and right.value):
            return f"{to_text(expression)} divides by what may be zero"
        case Binary(operator="*" | "/" | "+" | "-") | Unary(operator="-") | Reduce(operator="+"):
            inner = [part for part in operands_of(expression) if access in accesses(part)]
            if isinstance(expression, Binary) and expression.operator == "*" and len(inner) > 1:
                return "it is multiplied with itself"
            terms = isinstance(expression, Binary) and expression.operator in "+-"
            if reduced and terms and len(inner) == 1:
                return f"{to_text(expression)} has a term that would be added for every slot"
            reduced |= isinstance(expression, Reduce)
            return next(
                (problem for part in inner if (problem := _name_reduction(part, access, reduced)) is not None), None
            )
        case _ if access in accesses(expression):
            return f"{to_text(expression)} is not linear in it"
        case _:
            return None


def _not_summed(signature: Signature, access: Access, reason: str) -> Diagnostic:
    return _refusal(
        signature,
        access,
        "format/slots-not-summed",
        f"is read slot by slot and summed, which is right only where {to_text(access)} is a factor or a term of "
        f"what is summed; here {reason}",
        f"{to_text(access)} in products and sums alone",
        reason,
    )


def _outside_error(signature: Signature, read: Access, column: str) -> Diagnostic:
    written = Access(read.tensor, signature.tensors[read.tensor].indices)
    return _refusal(
        signature,
        written,
        "format/slots-inside",
        f"has its columns in slots, in an order that a loop over {column} cannot follow, but {column} is also the "
        f"loop over what {written.tensor} is added to",
        f"the loop over {column} inside the loop over the slots of {written.tensor}",
        f"the loop over {column} outside",
    )


def _refusal(signature: Signature, access: Access, code: str, reason: str, expected: str, actual: str) -> Diagnostic:
    name = access.tensor
    return Diagnostic(
        code,
        f"{name} ({format_text(signature.tensors[name].format)}) {reason}. Store {name} as csr.",
        Location(Part.FORMAT, tensor=name),
        expected=expected,
        actual=actual,
        fixes=(Fix(f"Store {name} as csr", formats={name: "csr"}),),
    )
