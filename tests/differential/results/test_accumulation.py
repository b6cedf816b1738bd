"""``+= *= min= max= |= &=`` combine with what the result holds; what is missing on the left is reduced alike."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.notation.evaluation import evaluate
from heddle.notation.nodes import accesses
from heddle.notation.parser import parse
from tests.differential.check import TARGETS
from tests.differential.operands import operand_sets
from tests.errors.expect import refusal

EXPRESSIONS = [
    ("y(i) += A(i,j) * x(j)", {"A": "csr"}),
    ("y(i) += A(i,j) * x(j)", {"A": "dcsr", "x": "sparse"}),
    ("y(i) += b(i) + A(i,j) * x(j)", {"A": "csr"}),
    ("C(i,j) += A(i,j) + B(i,j)", {"A": "csr", "B": "dcsr", "C": "dense,dense:1,0"}),
    ("y += x(i)", {"x": "sparse"}),
    ("y(i) *= A(i,j) + 1", {"A": "csr"}),
    ("d(i) min= A(i,j) + x(j)", {"A": "csr"}),
    ("d(i) max= sum(j, A(i,j))", {"A": "dcsr"}),
    ("r(i) |= A(i,j) * x(j)", {"A": "csr", "x": "sparse"}),
    ("r(i) &= A(i,j) > x(j)", {"A": "csr"}),
]
SCHEDULES = ["", "parallelize(i, CPUThread, NoRaces)"]


@pytest.mark.combinations(4, "expression", "formats", "schedule")
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(("expression", "formats"), EXPRESSIONS)
def test_accumulation(expression: str, formats: dict[str, str], schedule: str) -> None:
    assignment = parse(expression)
    name, names = assignment.target.tensor, {access.tensor for access in accesses(assignment.expression)}
    race = schedule.replace("NoRaces", "Atomics") if name == "y" and not assignment.target.indices else schedule
    if "dcsr" in formats.values():
        race = ""  # rows that are not visited by a for-loop
    for target in TARGETS:
        kernel = hd.compile(expression, formats, race, target)
        for operands in operand_sets(assignment):
            arrays = {one: operands.arrays[one] for one in names}
            shape = tuple(operands.sizes[index] for index in assignment.target.indices)
            dtype = bool if assignment.operator in ("|=", "&=") else float
            initial = np.random.default_rng(3).integers(-3, 4, shape).astype(dtype)
            kept = initial.copy()
            found = kernel(**arrays, **{name: initial}).to_numpy()
            expected = evaluate(assignment, arrays, operands.sizes, initial)
            np.testing.assert_array_equal(found, expected, err_msg=f"{target} {operands.label}")
            np.testing.assert_array_equal(initial, kept)


def test_each_run_starts_from_the_same_values() -> None:
    call = hd.compile("y(i) += x(i)")
    bound = call.bind(x=np.array([1.0, 2]), y=np.array([10.0, 20]))
    for _ in range(3):
        bound.run()
        np.testing.assert_array_equal(bound.output.to_numpy(), [11, 22])


def test_what_the_result_holds_must_be_passed() -> None:
    diagnostic = refusal(lambda: hd.compile("y(i) += x(i)")(x=np.ones(2)))
    assert (diagnostic.code, diagnostic.message) == (
        "runtime/missing-operand",
        "y(i) is missing; the kernel takes x, y.",
    )
