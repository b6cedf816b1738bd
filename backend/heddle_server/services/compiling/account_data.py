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
from heddle.notation.alpha_renaming import ties
from heddle.notation.nodes import Assignment, accesses, statements
from heddle.plan import Plan, TensorSpec
from heddle.result import CompileResult
from heddle.runtime.tensors.coordinates import Entries
from heddle.signature import Signature, TensorSignature
from heddle_server.worker.inputs import make_inputs

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
    generated = {name: given for name, given in plan.inputs.items() if "generator" in given}
    if generated and len(generated) == len(plan.inputs) and all(_cells(one) <= LARGEST for one in generated.values()):
        made = _made(result, generated)
        if made is not None:
            yield made, "the inputs of this plan"
    program = assignment.program
    for limit in LIMITS if program is None or program.call is None else ():
        kept = _copies(assignment, signature, plan, limit)
        made = _made(result, kept)
        if made is not None:
            yield made, _said(plan, signature, limit)
    if program is not None and program.call is not None:
        shapes = program_shapes(replace(plan, tensors={}), program, {}, OF_PROGRAMS)
        own = {name: _copy(given, list(shapes[name])) for name, given in generated.items() if name in shapes}
        made = _made(result, own, shapes)
        if made is not None:
            yield made, "data of a small size"
    small = trace_operands(result.plan, assignment, signature, {})
    yield small.operands, "the example that the other panels draw"


def _said(plan: Plan, signature: Signature, limit: int) -> str:
    own = [tensor.name for tensor in signature.inputs if "generator" in plan.inputs.get(tensor.name, {})]
    made = [tensor.name for tensor in signature.inputs if tensor.name not in own and not tensor.format.is_dense]
    said = [f"small copies of the inputs {', '.join(own)}"] if own else []
    said += [f"{', '.join(made)} with unequal rows"] if made else []
    return f"{' and '.join(said) or 'data'}, at most {limit} along each dimension"


def _copies(assignment: Assignment, signature: Signature, plan: Plan, limit: int) -> dict[str, dict[str, Any]]:
    """An input for each operand, all of which fit together."""
    sizes = _sizes(assignment, signature, plan, limit)
    kept: dict[str, dict[str, Any]] = {}
    for number, tensor in enumerate(signature.inputs):
        given, shape = plan.inputs.get(tensor.name, {}), [sizes[index] for index in tensor.indices]
        kept[tensor.name] = _copy(given, shape) if "generator" in given else _usual(tensor, shape, number)
    return kept


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
    used = [access for one in statements(assignment) for access in (one.target, *accesses(one.expression))]
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


def _copy(given: Mapping[str, Any], shape: list[int]) -> dict[str, Any]:
    """A generator's input with another shape, and about as many entries in a row."""
    made, old = {**given, "shape": shape}, given.get("shape")
    if "nnz" in given and isinstance(old, list) and old and shape:
        most = max(1, min(int(FILL * prod(shape)), MOST_ENTRIES))
        made["nnz"] = max(1, min(round(given["nnz"] * shape[0] / old[0]), most))
    return made


def _made(
    result: CompileResult, inputs: Mapping[str, Mapping[str, Any]], shapes: Mapping[str, tuple[int, ...]] | None = None
) -> Operands | None:
    """Arrays; None where the generators make no data of these sizes, or too large ones."""
    assert result.assignment is not None
    assert result.signature is not None
    plan = replace(result.plan, inputs={name: dict(given) for name, given in inputs.items()})
    for name, shape in (shapes or {}).items():
        spec = replace(plan.tensors.get(name, TensorSpec()), shape=shape)
        plan = replace(plan, tensors={**plan.tensors, name: spec})
    try:
        made = make_inputs(plan, result.assignment, result.signature, {}).operands
    except CompileError:
        return None
    fills = {tensor.name: tensor.fill for tensor in result.signature.inputs}
    if any(prod(operand.shape) > LARGEST for operand in made.values()):
        return None
    return {name: dense_operand(operand, fills[name]) for name, operand in made.items()}


def dense_operand(operand: Any, fill: Fill) -> Any:
    """``operand`` as a dense array, ``fill`` where it has no entry."""
    if not isinstance(operand, Entries):
        return operand
    array = np.full(operand.shape, fill, np.result_type(operand.values.dtype, fill))
    if operand.values.size:
        array[tuple(operand.columns)] = operand.values
    return array


def _cells(given: Mapping[str, Any]) -> int:
    shape = given.get("shape")
    return prod(int(size) for size in shape) if shape else LARGEST + 1
