"""Matrices that are stored by rows where loops would rather follow columns, turned in front of the loops.

``C(i,k) = A(i,j) * B(j,k)`` of a csr and a csc matrix looks at every pair of a row and a column: no order of the loops
follows what both store. With ``Bturned(j,k) = B(j,k)`` in front, stored by rows, the product goes through the rows of
``A`` and ``Bturned``. That is what two statements would say: the copy is a temporary, which a counting transposition
makes in time proportional to its entries. Which accesses read a copy is decided by the steps of the loops on matrices
of nominal sizes; a schedule, which speaks of the loops that are written, leaves all as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from heddle.conversions import Conversion, Converted
from heddle.diagnostics import CompileError
from heddle.formats.printer import format_text
from heddle.iteration_graph.algebra.lattice import FULL
from heddle.iteration_graph.analysis.iterated import lattice_at
from heddle.iteration_graph.analysis.steps import Contents, estimate_steps
from heddle.iteration_graph.build.concretize import build
from heddle.iteration_graph.graph.nodes import IterationGraph, WorkspaceKind
from heddle.iteration_graph.graph.provenance import coordinates
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.sections import reading_stored_temporaries
from heddle.iteration_graph.transform.workspaces import with_workspace
from heddle.names import Names
from heddle.notation.nodes import (
    Access,
    Assignment,
    Expression,
    Literal,
    accesses,
    index_variables,
    operands_of,
    with_operands,
)
from heddle.signature import Signature, TensorSignature

SIZE = 1 << 20
"""Of every dimension, nominally."""
ROW = 8
"""Entries of a row, nominally."""
HASHED = 8.0
"""Steps that an addition into a hash map counts as."""
TURNING = 2.0
"""Steps for each entry of a copy: it is counted, then stored."""
WORTH = 3.0
"""How many times fewer steps pay for a copy."""
MOST = 3
"""Accesses that are considered, in all combinations."""


Verify = Callable[[IterationGraph], None]
"""Raises Refusal for the first rule that loops break."""


@dataclass(frozen=True, slots=True)
class Turned:
    """What the kernel computes with copies in front, its loops, and a line of reasons."""

    kernel: Converted
    graph: IterationGraph
    reason: str


def with_turned_operands(kernel: Converted, graph: IterationGraph, verify: Verify) -> Turned | None:
    """``kernel``, which no command changed and whose loops are ``graph``, with the copies that make it cheap; None
    where it is, or none would. ``verify`` says whether loops can be lowered."""
    assignment, signature = kernel.assignment, kernel.signature
    if kernel.conversions or assignment.temporaries or signature.program is not None or signature.version < 2:
        return None
    turnable = [
        access for access in dict.fromkeys(map(_plain, accesses(assignment.expression))) if _may_turn(access, signature)
    ]
    sparse = {
        access for access in accesses(assignment.expression) if not signature.tensors[access.tensor].format.is_dense
    }
    if not turnable or len(sparse) < 2 or len(turnable) > MOST or not _may_be_slow(graph):
        return None
    before = _steps(graph)
    if before is None or before <= WORTH * SIZE * ROW ** len(sparse):
        return None
    best: tuple[float, Converted] | None = None
    for turned in _choices(turnable):
        candidate = _read_copies(assignment, signature, turned)
        steps = _steps_of(candidate, verify)
        if steps is not None and WORTH * steps < before and (best is None or steps < best[0]):
            best = steps, candidate
    return None if best is None else _built(best[1], before, best[0], verify)


def _may_be_slow(graph: IterationGraph) -> bool:
    """Whether loops visit all coordinates of two dimensions, or values are collected in a hash map."""
    try:
        gathered = with_workspace(graph)
    except Refusal:
        return False
    if any(workspace.kind is WorkspaceKind.MAPPED for workspace in gathered.workspaces.values()):
        return True
    return sum(lattice_at(graph, variable) == FULL for variable in coordinates(graph)) > 1


def _plain(access: Access) -> Access:
    return Access(access.tensor, access.indices)


def _may_turn(access: Access, signature: Signature) -> bool:
    """Matrices by rows or by columns, with their own coordinates in both dimensions."""
    tensor = signature.tensors[access.tensor]
    layout = tensor.format
    plain = layout.composition is None and not layout.cuts and tensor.fill == 0 and not tensor.patterns
    kinds = [level.kind for level in layout.levels]
    sorted_once = all(level.ordered and level.unique for level in layout.levels)
    return plain and kinds == ["dense", "compressed"] and sorted_once and len(set(access.indices)) == 2


def _choices(turnable: list[Access]) -> Iterator[list[Access]]:
    for chosen in product((False, True), repeat=len(turnable)):
        if any(chosen):
            yield [access for access, turn in zip(turnable, chosen, strict=True) if turn]


def _read_copies(assignment: Assignment, signature: Signature, turned: list[Access]) -> Converted:
    """The statement that reads copies of the ``turned`` accesses, behind those that make them."""
    names = Names({*signature.tensors, *signature.temporaries, *index_variables(assignment)})
    copies: dict[str, Conversion] = {}
    for access in turned:
        if access.tensor not in copies:
            layout = signature.tensors[access.tensor].format
            name = names.fresh(f"{access.tensor}turned")
            copies[access.tensor] = Conversion(
                access.tensor, name, replace(layout, order=tuple(reversed(layout.order)))
            )
    statements: list[Assignment] = []
    temporaries: dict[str, TensorSignature] = {}
    for conversion in copies.values():
        source = signature.tensors[conversion.tensor]
        indices = tuple(names.fresh(index) for index in source.indices)
        target, read = Access(conversion.name, indices), Access(conversion.tensor, indices)
        statements.append(Assignment(target, "=", read))
        temporaries[conversion.name] = TensorSignature(
            conversion.name, indices, conversion.format, source.computed_dtype
        )
    read_as = {access: copies[access.tensor].name for access in turned}
    changed = replace(assignment, expression=_reading(assignment.expression, read_as), temporaries=tuple(statements))
    return Converted(
        changed, replace(signature, temporaries={**signature.temporaries, **temporaries}), (), tuple(copies.values())
    )


def _reading(expression: Expression, names: Mapping[Access, str]) -> Expression:
    match expression:
        case Access():
            return replace(expression, tensor=names.get(_plain(expression), expression.tensor))
        case Literal():
            return expression
        case _:
            return with_operands(expression, [_reading(part, names) for part in operands_of(expression)])


def _steps_of(candidate: Converted, verify: Verify) -> float | None:
    """The steps of a candidate, copies included, as if these were operands; None where it does not compile."""
    signature = replace(reading_stored_temporaries(candidate.signature), temporaries={})
    try:
        graph = build(replace(candidate.assignment, temporaries=()), signature)
        verify(graph)
    except (CompileError, Refusal):
        return None
    steps = _steps(graph)
    return None if steps is None else steps + TURNING * SIZE * ROW * len(candidate.turned)


def _steps(graph: IterationGraph) -> float | None:
    """The steps of the loops, with the workspace that their result needs, on matrices of nominal sizes; None where it
    cannot be assembled."""
    try:
        graph = with_workspace(graph)
    except Refusal:
        return None
    contents = {tensor.name: _nominal(tensor) for tensor in graph.signature.operands}
    mapped = {name: HASHED for name, w in graph.workspaces.items() if w.kind is WorkspaceKind.MAPPED}
    return estimate_steps(graph, contents, mapped)


def _nominal(tensor: TensorSignature) -> Contents:
    if tensor.format.is_dense:
        return Contents((SIZE,) * tensor.order)
    return Contents((SIZE,) * tensor.order, ROW if tensor.order < 2 else SIZE * ROW)


def _built(kernel: Converted, before: float, after: float, verify: Verify) -> Turned | None:
    try:
        graph = build(kernel.assignment, kernel.signature)
        verify(graph)
    except (CompileError, Refusal):
        return None
    copies = ", ".join(f"{copy.name} is {copy.tensor} as {format_text(copy.format)}" for copy in kernel.turned)
    return Turned(kernel, graph, f"{copies}: about {before / after:,.0f} times fewer steps with rows of {ROW} entries")
