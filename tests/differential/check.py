"""One plan against the dense evaluation: the interpreter and the compiled C, on every kind of operands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

import heddle as hd
from heddle.notation.evaluation import evaluate
from heddle.notation.nodes import operand_accesses
from heddle.notation.parser import parse
from heddle.plan import VERSION, plan_from_arguments
from tests.differential.operands import operand_sets
from tests.differential.results.structure import check_structure, same_arrays

TARGETS = ("interpreter", "c")


def check(
    expression: str,
    formats: Mapping[str, str],
    schedule: str = "",
    *,
    targets: tuple[str, ...] = TARGETS,
    dtypes: Mapping[str, str] | None = None,
    sizes: Mapping[str, int] | None = None,
    version: int = VERSION,
) -> None:
    """Interpreter = C = dense evaluation, a well-formed result, and the same once more: nothing is left behind."""
    assignment = parse(expression)
    kernels: dict[str, hd.Kernel] = {}
    for target in targets:
        plan = replace(plan_from_arguments(expression, formats, schedule, target, dtypes), version=version)
        kernels[target] = both_ways(kernels, plan) or hd.compile(plan)
    names = {access.tensor for access in operand_accesses(assignment)}
    for operands in operand_sets(assignment, sizes=sizes):
        expected = evaluate(assignment, operands.arrays, operands.sizes)
        for target, kernel in kernels.items():
            arguments = {name: operands.arrays[name] for name in names}
            found = kernel(**arguments)
            context = f"{expression} {dict(formats)} {schedule!r} on {target}: {operands.label}"
            # Sums of quotients are rounded, so their order shows; everything else is exact.
            np.testing.assert_allclose(
                found.to_numpy(), expected, 1e-13 if "/" in expression else 0, 0, err_msg=context
            )
            assert found.shape == expected.shape, context
            check_structure(found, context)
            if target == "c" and not found.format.is_dense:
                assert same_arrays(kernel(**arguments), found), f"another result when called again, {context}"


def both_ways(kernels: Mapping[str, hd.Kernel], plan: hd.Plan) -> hd.Kernel | None:
    """The kernel of a CPU plan whose loops were made for the other of TARGETS: they are the same for both, which
    tests/golden holds true."""
    twin = next((kernel for target, kernel in kernels.items() if {target, plan.target} == set(TARGETS)), None)
    return None if twin is None else hd.Kernel(replace(twin.result, plan=plan))
