"""What becomes of a peer's program: the result of each of Heddle's targets beside NumPy's, or its refusal."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

import heddle as hd
from tests.peers.program import Array, Case, draw_operands, parse_pairs


def check(case: Case, target: str) -> None:
    """Right, or refused with the listed reason.

    Raises
    ------
    AssertionError
        a wrong number, shape or reason.
    Exception
        anything else that a program raises, which is never right.
    """
    if case.program.refusal is not None:
        check_refusal(case, target)
        return
    assert case.program.oracle is not None, "a program has an oracle or a refusal"
    operands = draw_operands(case)
    results = compute(case, target, operands)
    with np.errstate(all="ignore"):
        expected = case.program.oracle(*operands.values())
    references = expected if isinstance(expected, tuple) else (expected,)
    assert len(results) == len(references), sorted(results)
    for (name, result), reference in zip(results.items(), references, strict=True):
        context = f"{case.peer}: {case.label}: {name}"
        assert result.shape == np.shape(reference), context
        np.testing.assert_allclose(result, reference, case.program.tolerance, case.program.tolerance, err_msg=context)


def check_refusal(case: Case, target: str) -> None:
    assert case.program.refusal is not None
    code, piece = case.program.refusal
    with pytest.raises(hd.CompileError) as refused:
        compute(case, target, draw_operands(case))
    diagnostic = refused.value.diagnostics[0]
    assert (diagnostic.code, piece in diagnostic.message) == (code, True), str(refused.value)


def compute(case: Case, target: str, operands: Mapping[str, Array]) -> dict[str, Array]:
    """The results by name, in the order of the program."""
    program = case.program
    kernel = hd.compile(
        program.text,
        parse_pairs(case.formats),
        target=target,
        dtypes=parse_pairs(program.dtypes),
        fills=dict(program.fills),
        options=dict(program.options),
        language=program.language,
        sizes=dict(program.sizes),
    )
    result = kernel(**operands)
    if isinstance(result, Mapping):
        return {name: tensor.to_numpy() for name, tensor in result.items()}
    return {"the result": result.to_numpy()}
