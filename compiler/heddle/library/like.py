"""``hd.compile(…, like={"A": A})``: what a plan leaves open of its tensors, from operands as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from heddle.diagnostics import CompileError, Diagnostic, Location, Part, nearest
from heddle.frontends.table import DEFAULT_LANGUAGE, assignment_of
from heddle.library.operand_kinds import DENSE, OperandKind, declared_dtypes, kind_of
from heddle.library.result_format import with_result_format
from heddle.notation.nodes import operand_accesses
from heddle.plan import Plan, TensorSpec
from heddle.runtime.tensors.shapes import order_mismatch


def complete_plan(plan: Plan, like: Mapping[str, object]) -> Plan:
    """``plan`` with the formats, dtypes and fills of the operands in ``like`` where it says none, and in index notation
    with a format of the result that suits them.

    Raises
    ------
    CompileError
        ``plan/like`` for a name that is no operand; ``runtime/order-mismatch`` for an operand of other dimensions; as
        :func:`heddle.pack` for what cannot be one.
    """
    assignment = assignment_of(plan.language, plan.expression, plan.sizes)
    names = tuple(dict.fromkeys(access.tensor for access in operand_accesses(assignment)))
    result = assignment.target.tensor
    for name in like:
        if name not in (*names, result):
            raise CompileError(
                Diagnostic(
                    "plan/like",
                    f"like has {name}, which the expression does not read.",
                    Location(Part.PLAN, path=f"/tensors/{name}"),
                    expected=", ".join(names),
                    actual=name,
                    candidates=nearest(name, names),
                )
            )
    kinds = {name: kind_of(operand, name) for name, operand in like.items()}
    dtypes = declared_dtypes(kinds)
    notation = plan.language == DEFAULT_LANGUAGE
    if notation:
        for access in (assignment.target, *operand_accesses(assignment)):
            kind = kinds.get(access.tensor)
            if kind is not None and len(kind.shape) != len(access.indices):
                raise order_mismatch(access, kind.shape)
    specs = dict(plan.tensors)
    for name, kind in kinds.items():
        spec = specs.get(name, TensorSpec())
        specs[name] = replace(
            spec,
            format=spec.format or kind.format,
            dtype=spec.dtype or (dtypes[name] if notation else None),
            fill=spec.fill or kind.fill,
        )
    completed = replace(plan, tensors=specs)
    if not notation or specs.get(result, TensorSpec()).format is not None:
        return completed
    known = {name: kinds.get(name) or _declare(specs.get(name, TensorSpec())) for name in names}
    types = {name: specs.get(name, TensorSpec()).dtype or "float64" for name in names}
    formatted_plan = with_result_format(replace(completed, schedule=()), known, types).plan
    return replace(formatted_plan, schedule=plan.schedule)


def _declare(spec: TensorSpec) -> OperandKind:
    return OperandKind(spec.format or DENSE, spec.dtype, spec.shape or (), spec.fill)
