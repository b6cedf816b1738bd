"""What was computed first for one statement, read by the statements behind it that compute it again (a program's
softmax takes its exponentials twice)."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Statement
from heddle.iteration_graph.graph.provenance import all_assignments, assignments, leaves
from heddle.iteration_graph.graph.sequence import computed_by, in_order
from heddle.iteration_graph.transform.shared_loops import changed_assigns, with_sequence
from heddle.notation.nodes import Access, Expression, IndexValue, accesses, operands_of, with_operands
from heddle.notation.printer import to_text


@dataclass(frozen=True, slots=True)
class _Kept:
    """``part`` for every value of the loops ``target.indices``, in the workspace of ``target``."""

    graph: IterationGraph
    target: Access
    part: Expression

    def same_range(self, loop: str, other: str) -> bool:
        """Whether a loop of another statement runs over the very range, in one piece."""
        graph = self.graph
        if leaves(graph, other) != (other,) or other not in graph.underived:
            return False
        first, second = graph.copies.get(loop, loop), graph.copies.get(other, other)
        extents = {} if graph.signature.program is None else graph.signature.program.extents
        if first in extents and second in extents:
            return to_text(extents[first]) == to_text(extents[second])
        return first == second

    def read_for(self, expression: Expression) -> Expression:
        """``expression`` with the workspace in the place of each part that it holds."""
        matches: dict[str, str] = {}
        if self._agrees(self.part, expression, matches) and matches.keys() >= {*self.target.indices}:
            indices = tuple(matches[index] for index in self.target.indices)
            return Access(self.target.tensor, indices, dtype=self.target.dtype, background=self.target.background)
        return with_operands(expression, [self.read_for(part) for part in operands_of(expression)])

    def _agrees(self, expression: Expression, other: Expression, matches: dict[str, str]) -> bool:
        """Whether they are the same but for the loops of the workspace; adds to ``matches`` what these are there."""
        match expression, other:
            case Access(tensor=tensor, indices=first), Access(tensor=other_tensor, indices=second):
                same = tensor == other_tensor and len(first) == len(second)
                return same and all(self._stands(a, b, matches) for a, b in zip(first, second, strict=True))
            case IndexValue(variable=a), IndexValue(variable=b):
                return self._stands(a, b, matches)
            case _:
                ours, theirs = operands_of(expression), operands_of(other)
                if (
                    type(expression) is not type(other)
                    or len(ours) != len(theirs)
                    or with_operands(other, list(ours)) != expression
                ):
                    return False
                return all(self._agrees(a, b, matches) for a, b in zip(ours, theirs, strict=True))

    def _stands(self, index: str, other: str, matches: dict[str, str]) -> bool:
        if index not in self.target.indices:
            return index == other
        return matches.setdefault(index, other) == other and (index == other or self.same_range(index, other))


def with_reuse(graph: IterationGraph, name: str) -> IterationGraph:
    """``graph`` in which the statements behind the producer of the workspace ``name``, inside the same loops, read it
    where they compute the same. Sums, and parts of loops that were cut, are left alone."""
    written = {assign.target.tensor: assign for _, assign in all_assignments(graph)}
    producer = written[name]
    whole = all(index in graph.underived and leaves(graph, index) == (index,) for index in producer.target.indices)
    if producer.operator != "=" or not producer.target.indices or not whole or graph.signature.sum is not None:
        return graph
    stored_part = _Kept(graph, producer.target, producer.expression)
    around, parts, at = _place(graph.statement, name)
    behind, read = parts[at + 1 :], {access.tensor for access in accesses(producer.expression)}
    known = graph.signature.tensors
    changing = {assign.target.tensor for part in behind for _, assign in assignments(part)}
    if changing & read or not all(known[tensor].format.is_dense for tensor in read if tensor in known):
        return graph
    rewritten = [changed_assigns(part, lambda assign: _change(stored_part, assign)) for part in behind]
    if rewritten == behind:
        return graph
    return with_sequence(graph, around, [*parts[: at + 1], *rewritten])


def _change(stored_part: _Kept, assign: Assign) -> Statement:
    read = stored_part.read_for(assign.expression)
    return assign if read == assign.expression else Assign(assign.target, assign.operator, read)


def _place(statement: Statement, name: str) -> tuple[tuple[str, ...], list[Statement], int]:
    """The loops around the sequence in which the workspace is computed, the sequence, and where it is computed."""
    around: list[str] = []
    while True:
        parts = in_order(statement)
        at = next(n for n, part in enumerate(parts) if any(a.target.tensor == name for _, a in assignments(part)))
        inside = parts[at]
        if computed_by(inside) == [name] or not isinstance(inside, Forall):
            return tuple(around), parts, at
        around.append(inside.variable)
        statement = inside.body
