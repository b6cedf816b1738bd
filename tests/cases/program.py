"""One case as the suite runs it: its operands, and what comes of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import heddle as hd
from heddle.diagnostics import Severity
from heddle.notation.evaluation import evaluate
from heddle.notation.nodes import Assignment, accesses, index_variables
from heddle.notation.parser import parse
from heddle.plan import VERSION, Plan, TensorSpec, plan_from_arguments
from heddle_server.imports.taco_command import DTYPES
from tests.differential.operands import OperandSet, operand_sets

FOLDER = Path(__file__).resolve().parent
OUTCOMES = FOLDER / "outcomes.json"

_SPLIT = re.compile(r"split\((\w+),(\w+),\w+,(\d+)\)")
_CLAIM = re.compile(r"bound\((\w+),\w+,(\d+),Max\w+\)")

AUTOMATIC = {"convert": "automatic"}
RIGHT = "right"
CLAIMED = "right where its claims hold, else refused: runtime/refused"


@dataclass(frozen=True)
class Case:
    """A row of cases.json, with its dtypes as a Plan spells them."""

    id: str
    expression: str
    formats: dict[str, str]
    schedule: tuple[str, ...]
    dtypes: dict[str, str]
    target: str
    expect: str


def read_cases() -> list[Case]:
    rows = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))["cases"]
    return [
        Case(
            row["id"],
            row["expression"],
            row["formats"],
            tuple(row["schedule"]),
            {tensor: DTYPES.get(dtype, dtype) for tensor, dtype in row["dtypes"].items()},
            row["target"],
            row["expect"],
        )
        for row in rows
    ]


def outcome(case: Case, target: str, options: dict[str, str] | None = None, version: int = VERSION) -> str:
    """RIGHT, CLAIMED, or ``refused: <code>``. Raises what a crash raises, AssertionError for a wrong result."""
    try:
        plan = plan_from_arguments(case.expression, case.formats, case.schedule, target, case.dtypes, options=options)
        plan = replace(plan, version=version)
        result = hd.lower(plan)
        diagnostics = tuple(one for one in result.diagnostics if one.severity is Severity.ERROR)
    except hd.CompileError as error:
        diagnostics = tuple(error.diagnostics)
    if diagnostics:
        assert all(one.message and one.location for one in diagnostics), diagnostics
        return f"refused: {diagnostics[0].code}"
    kernel = hd.Kernel(result)
    refused = [_refuses(case, plan, kernel, operands) for operands in _operands(case)]
    if all(refused):
        return "refused: runtime/refused"
    return CLAIMED if any(refused) else RIGHT


def _refuses(case: Case, plan: Plan, kernel: hd.Kernel, operands: OperandSet) -> bool:
    """Whether the kernel refuses these operands because of a claim; if it does not, the result is compared."""
    assignment = parse(case.expression)
    for name, shape in _shapes(assignment, operands).items():
        spec = replace(plan.tensors.get(name, TensorSpec()), shape=shape)
        plan = replace(plan, tensors={**plan.tensors, name: spec})
    if plan.shapes:
        kernel = hd.compile(plan)
    arrays = {name: _typed(array, case.dtypes.get(name)) for name, array in operands.arrays.items()}
    try:
        found = kernel(**arrays).to_numpy()
    except hd.CompileError as error:
        if {one.code for one in error.diagnostics} == {"runtime/refused"} and "bound(" in " ".join(case.schedule):
            return True
        raise
    exact = {name: array.astype(_exact(array.dtype)) for name, array in arrays.items()}
    expected = evaluate(assignment, exact, operands.sizes)
    if np.issubdtype(found.dtype, np.integer):
        expected = expected.astype(np.int64).astype(found.dtype)  # Integers wrap.
    tolerance = 0.0 if "/" not in case.expression else 1e-12
    np.testing.assert_allclose(
        found, expected, tolerance, tolerance, err_msg=f"{case} on {plan.target}: {operands.label}"
    )
    assert found.shape == expected.shape
    return False


def _exact(dtype: np.dtype[np.generic]) -> np.dtype[np.generic]:
    """Wide enough for every value; truth values and 64 bits without a sign have arithmetic of their own."""
    return dtype if dtype in (np.bool_, np.uint64) else np.result_type(dtype, np.int64)


def _operands(case: Case) -> Iterator[OperandSet]:
    """The usual ones; for each upper end that the schedule claims also data of that size and of one more."""
    assignment = parse(case.expression)
    yield from operand_sets(assignment)
    schedule = "\n".join(case.schedule)
    cut = {outer: (variable, int(size)) for variable, outer, size in _SPLIT.findall(schedule)}
    for claimed, bound in _CLAIM.findall(schedule):
        variable, factor = cut.get(claimed, (claimed, 1))
        for size in (int(bound) * factor, int(bound) * factor + 1):
            yield next(operand_sets(assignment, sizes={variable: size}))


def _shapes(assignment: Assignment, operands: OperandSet) -> dict[str, tuple[int, ...]]:
    """The result's shape, where a variable of it has no operand that could give its size."""
    known = {index for access in accesses(assignment.expression) for index in access.indices}
    if set(index_variables(assignment)) <= known:
        return {}
    return {assignment.target.tensor: tuple(operands.sizes[index] for index in assignment.target.indices)}


def _typed(array: NDArray[np.float64], dtype: str | None) -> NDArray[np.generic]:
    """Complex operands get an imaginary part."""
    if dtype is not None and dtype.startswith("complex"):
        return (array * (1 + 2j)).astype(dtype)
    return array.astype(dtype or "float64")
