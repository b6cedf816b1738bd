"""Small data for an account: a plan's own inputs where they are small, else data of the same kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from heddle.diagnostics import CompileError
from heddle.explorer.cost_report.run import Operands
from heddle.explorer.views.trace.program_operands import program_shapes
from heddle.explorer.views.trace.trace_operands import trace_operands
from heddle.fills.fill import Fill
from heddle.measuring.inputs.make_inputs import make_inputs
from heddle.notation.alpha_renaming import ties
from heddle.notation.nodes import Assignment, accesses, statements
from heddle.plan import Plan, TensorSpec
from heddle.result import CompileResult
from heddle.runtime.tensors.coordinates import Entries
from heddle.signature import Signature, TensorSignature

LIMITS = (32, 12)
"""The largest size of a dimension, data of the first being tried first."""
UNEQUAL = (1.0, 5 / 6, 2 / 3)
"""Sizes that nothing says are these shares of the limit in turn, so that formulas tell them apart."""
MOST_ENTRIES, IN_A_ROW = 400, 6
FILL = 0.3
"""Of the cells of a sparse tensor, at most."""
LARGEST = 100_000
"""Elements of a tensor that is followed as it is, zeros included."""
OF_PROGRAMS = (8, 6, 5)
"""Sizes that a program names; its loops may be many."""


def small_data(plan: Plan, result: CompileResult) -> Iterator[tuple[Operands, str]]:
    """Operands with what they are, in words, the best first; in the end those that the other panels draw."""
    assert result.assignment is not None
    assert result.signature is not None
    signature, assignment = result.signature, result.assignment
    generated = {name: source for name, source in plan.inputs.items() if "generator" in source}
    if (
        generated
        and len(generated) == len(plan.inputs)
        and all(_cells(source) <= LARGEST for source in generated.values())
    ):
        operands = _generate(result, generated)
        if operands is not None:
            yield operands, "the inputs of this plan"
    program = assignment.program
    for limit in LIMITS if program is None or program.call is None else ():
        copies = _copies(assignment, signature, plan, limit)
        operands = _generate(result, copies)
        if operands is not None:
            yield operands, _describe(plan, signature, limit)
    if program is not None and program.call is not None:
        shapes = program_shapes(replace(plan, tensors={}), program, {}, OF_PROGRAMS)
        small_inputs = {name: _copy(source, list(shapes[name])) for name, source in generated.items() if name in shapes}
        operands = _generate(result, small_inputs, shapes)
        if operands is not None:
            yield operands, "data of a small size"
    small = trace_operands(result.plan, assignment, signature, {})
    yield small.operands, "the example that the other panels draw"


def _describe(plan: Plan, signature: Signature, limit: int) -> str:
    generated_names = [tensor.name for tensor in signature.inputs if "generator" in plan.inputs.get(tensor.name, {})]
    sparse_names = [
        tensor.name for tensor in signature.inputs if tensor.name not in generated_names and not tensor.format.is_dense
    ]
    said = [f"small copies of the inputs {', '.join(generated_names)}"] if generated_names else []
    said += [f"{', '.join(sparse_names)} with unequal rows"] if sparse_names else []
    return f"{' and '.join(said) or 'data'}, at most {limit} along each dimension"


def _copies(assignment: Assignment, signature: Signature, plan: Plan, limit: int) -> dict[str, dict[str, Any]]:
    """An input for each operand, all of which fit together."""
    sizes = _sizes(assignment, signature, plan, limit)
    inputs: dict[str, dict[str, Any]] = {}
    for number, tensor in enumerate(signature.inputs):
        source, shape = plan.inputs.get(tensor.name, {}), [sizes[index] for index in tensor.indices]
        inputs[tensor.name] = _copy(source, shape) if "generator" in source else _usual(tensor, shape, number)
    return inputs


def _usual(tensor: TensorSignature, shape: list[int], number: int) -> dict[str, Any]:
    if tensor.format.is_dense or not shape:
        return {"generator": "dense", "shape": shape, "seed": number}
    nnz = max(1, min(IN_A_ROW * shape[0], int(FILL * prod(shape)), MOST_ENTRIES))
    if len(shape) == 2:
        return {"generator": "skew", "shape": shape, "nnz": nnz, "c": 1.06, "seed": number}
    return {"generator": "uniform", "shape": shape, "nnz": nnz, "seed": number}


def _sizes(assignment: Assignment, signature: Signature, plan: Plan, limit: int) -> dict[str, int]:
    """Of each index variable: as the plan says, and the limit at most."""
    same = variable_groups(assignment)
    known: dict[str, int] = {}
    used = [
        access for statement in statements(assignment) for access in (statement.target, *accesses(statement.expression))
    ]
    for access in used:
        spec = plan.tensors.get(access.tensor)
        shape: Any = plan.inputs.get(access.tensor, {}).get("shape") or (spec.shape if spec is not None else None)
        if shape is None or len(shape) != len(access.indices):
            continue
        for variable, size in zip(access.indices, shape, strict=True):
            known.setdefault(same[variable], min(int(size), limit))
    for number, group in enumerate(dict.fromkeys(same.values())):
        known.setdefault(group, max(2, int(limit * UNEQUAL[number % len(UNEQUAL)])))
    return {variable: known[group] for variable, group in same.items()}


def variable_groups(assignment: Assignment) -> dict[str, str]:
    """Index variables that have one size have one group, which is named like one of them."""
    same = dict(ties(assignment))
    # One tensor that is read twice has one shape, whatever its variables are called.
    first: dict[tuple[str, int], str] = {}
    for statement in statements(assignment):
        for access in (statement.target, *accesses(statement.expression)):
            for dimension, variable in enumerate(access.indices):
                group, joined = same[variable], first.setdefault((access.tensor, dimension), same[variable])
                if group != joined:
                    same = {name: joined if each == group else each for name, each in same.items()}
                    first = {key: joined if each == group else each for key, each in first.items()}
    return same


def _copy(source: Mapping[str, Any], shape: list[int]) -> dict[str, Any]:
    """A generator's input with another shape, and about as many entries in a row."""
    copy, old = {**source, "shape": shape}, source.get("shape")
    if "nnz" in source and isinstance(old, list) and old and shape:
        most = max(1, min(int(FILL * prod(shape)), MOST_ENTRIES))
        copy["nnz"] = max(1, min(round(source["nnz"] * shape[0] / old[0]), most))
    return copy


def _generate(
    result: CompileResult, inputs: Mapping[str, Mapping[str, Any]], shapes: Mapping[str, tuple[int, ...]] | None = None
) -> Operands | None:
    """Arrays; None where the generators make no data of these sizes, or too large ones."""
    assert result.assignment is not None
    assert result.signature is not None
    plan = replace(result.plan, inputs={name: dict(source) for name, source in inputs.items()})
    for name, shape in (shapes or {}).items():
        spec = replace(plan.tensors.get(name, TensorSpec()), shape=shape)
        plan = replace(plan, tensors={**plan.tensors, name: spec})
    try:
        operands = make_inputs(plan, result.assignment, result.signature, {}).operands
    except CompileError:
        return None
    fills = {tensor.name: tensor.fill for tensor in result.signature.inputs}
    if any(prod(operand.shape) > LARGEST for operand in operands.values()):
        return None
    return {name: dense_operand(operand, fills[name]) for name, operand in operands.items()}


def dense_operand(operand: Any, fill: Fill) -> Any:
    """``operand`` as a dense array, ``fill`` where it has no entry."""
    if not isinstance(operand, Entries):
        return operand
    array = np.full(operand.shape, fill, np.result_type(operand.values.dtype, fill))
    if operand.values.size:
        array[tuple(operand.columns)] = operand.values
    return array


def _cells(source: Mapping[str, Any]) -> int:
    shape = source.get("shape")
    return prod(int(size) for size in shape) if shape else LARGEST + 1
