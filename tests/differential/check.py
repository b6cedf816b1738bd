"""One plan against the oracle: the interpreter and the compiled C, on every kind of operands."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

import compiler as hd
from compiler.notation.nodes import accesses
from compiler.notation.parser import parse
from tests.differential.operands import operand_sets
from tests.differential.oracle import evaluate, variable_sizes

TARGETS = ("interpreter", "c")


def check(
    expression: str,
    formats: Mapping[str, str],
    schedule: str = "",
    *,
    targets: tuple[str, ...] = TARGETS,
    dtypes: Mapping[str, str] | None = None,
    only: frozenset[str] | None = None,
) -> None:
    """Interpreter = C = oracle. ``only`` keeps the operand sets with these labels."""
    assignment = parse(expression)
    kernels = {
        target: hd.compile(expression, dict(formats), schedule, target, dtypes=dict(dtypes or {})) for target in targets
    }
    names = {access.tensor for access in accesses(assignment.expression)}
    for operands in operand_sets(assignment):
        if only is not None and operands.label not in only:
            continue
        variable_sizes(assignment, operands.arrays, operands.sizes)
        expected = evaluate(assignment, operands.arrays, operands.sizes)
        for target, kernel in kernels.items():
            found = kernel(**{name: operands.arrays[name] for name in names})
            context = f"{expression} {dict(formats)} {schedule!r} on {target}: {operands.label}"
            np.testing.assert_array_equal(np.asarray(found.to_numpy()), expected, context)
            assert found.shape == expected.shape, context
