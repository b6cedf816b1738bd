from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.formats.format import Format, Level
from heddle.plan import Plan, TensorSpec, plan_from_arguments

EXPRESSION = "y(i) = A(i,j) * x(j)"


def test_all_arguments() -> None:
    assert plan_from_arguments(
        EXPRESSION,
        {"A": "csr", "x": Format((Level("compressed"),), (0,))},
        "split(i,i0,i1,32)\nparallelize(i0,CPUThread,NoRaces)",
        "interpreter",
        {"A": "float32", "x": np.float32, "y": np.dtype("float32")},
        {"A": (3, np.int64(4)), "x": np.array([4])},
    ) == Plan(
        EXPRESSION,
        {
            "A": TensorSpec("csr", "float32", (3, 4)),
            "x": TensorSpec("sparse", "float32", (4,)),
            "y": TensorSpec(dtype="float32"),
        },
        ("split(i,i0,i1,32)", "parallelize(i0,CPUThread,NoRaces)"),
        "interpreter",
    )


def test_the_language_of_the_expression() -> None:
    assert plan_from_arguments(EXPRESSION, language="notation") == Plan(EXPRESSION)
    for function in (hd.lower, hd.compile):
        with pytest.raises(CompileError, match="this Heddle reads expressions in notation"):
            function(EXPRESSION, language="recipes")


def test_the_schedule_may_be_a_sequence() -> None:
    assert plan_from_arguments(EXPRESSION, schedule=("unroll(i,2)",)).schedule == ("unroll(i,2)",)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(CompileError) as caught:
        plan_from_arguments(EXPRESSION, {"A": 3}, dtypes={"x": object()}, shapes={"x": [2.5]})  # type: ignore[dict-item, list-item]
    messages = [one.message for one in caught.value.diagnostics]
    assert messages[0] == "tensors.A.format must be a text, found the number 3"
    assert messages[1].startswith("tensors.x.dtype must be one of float64, float32, ")
    assert messages[2] == "tensors.x.shape.0 must be an integer, found the number 2.5"
