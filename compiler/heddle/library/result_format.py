"""The format of a result that nobody named: that of an operand with the same dimensions, rows, columns, or dense."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from heddle.frontends.table import assignment_of
from heddle.library.costs.sparsity import is_result_sparse
from heddle.library.operand_kinds import DENSE, OperandKind, sparse_format
from heddle.notation.nodes import Assignment, accesses
from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec
from heddle.plan.plan import Options
from heddle.result import CompileResult


@dataclass(frozen=True, slots=True)
class FormattedPlan:
    """A plan whose result has a format, and what compiles of it without a schedule."""

    plan: Plan
    assignment: Assignment
    result: CompileResult

    @property
    def result_name(self) -> str:
        """What the plan calls its result."""
        return self.assignment.target.tensor


def with_result_format(plan: Plan, kinds: Mapping[str, OperandKind], dtypes: Mapping[str, str]) -> FormattedPlan:
    """``plan`` with the first format of its result for which a kernel can be made; a format that the plan has stays.
    Operands are stored in another order at call time where no format does without.

    Raises
    ------
    CompileError
        no format at all has a kernel.
    """
    assignment = assignment_of(plan.language, plan.expression, plan.sizes)
    name = assignment.target.tensor
    named = plan.tensors.get(name, TensorSpec()).format
    sparse = named is None and is_result_sparse(assignment, kinds, dtypes)
    candidates = [named] if named is not None else [*_candidates(assignment, kinds)] if sparse else [DENSE]
    unscheduled: CompileResult | None = None
    for convert in (plan.options.convert, "automatic"):
        for format in candidates:
            spec = replace(plan.tensors.get(name, TensorSpec()), format=format)
            candidate = replace(plan, tensors={**plan.tensors, name: spec}, options=Options(convert))
            result = lower(replace(candidate, schedule=()))
            if result.ok:
                return FormattedPlan(candidate, assignment, result)
            # The fewest diagnostics are about the program: others are about a format that nobody asked for.
            if unscheduled is None or len(result.diagnostics) < len(unscheduled.diagnostics):
                unscheduled = result
    assert unscheduled is not None
    unscheduled.raise_errors()
    raise AssertionError("a result that is not ok has errors")


def _candidates(assignment: Assignment, kinds: Mapping[str, OperandKind]) -> Iterator[str]:
    """Formats of a sparse result, the preferred first: as an operand with the very same dimensions, by rows, by
    columns, and dense where none of these can be assembled."""
    target = assignment.target
    seen: dict[str, None] = {}
    for access in accesses(assignment.expression):
        kind = kinds[access.tensor]
        if kind.sparse and access.indices == target.indices:
            seen[kind.format] = None
    seen[sparse_format(len(target.indices))] = None
    if len(target.indices) == 2:
        seen["csc"] = None
    seen[DENSE] = None
    yield from seen
