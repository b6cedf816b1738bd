from __future__ import annotations

from heddle.plan import Plan, RunSpec, TensorSpec, parse_plan

EXPRESSION = "y(i) = A(i,j) * x(j)"


def test_an_expression_is_a_plan() -> None:
    """A document that says no version is as old as the first."""
    assert parse_plan({"expression": EXPRESSION}) == Plan(EXPRESSION, version=1)


def test_every_part_is_read() -> None:
    document = {
        "version": 1,
        "expression": EXPRESSION,
        "tensors": {"A": {"format": "csr", "dtype": "float32", "shape": [0, 2**31 - 1]}, "x": {}},
        "schedule": ["split(i, i0, i1, 32)"],
        "target": "cuda",
        "inputs": {
            "A": {"generator": "uniform", "density": 0.25, "seed": 3.0, "shape": [4, 5]},
            "x": {"dataset": "v1"},
        },
        "run": {"baselines": ["mkl", "scipy", "mkl"], "threads": 4},
    }
    assert parse_plan(document) == Plan(
        EXPRESSION,
        {"A": TensorSpec("csr", "float32", (0, 2**31 - 1)), "x": TensorSpec()},
        ("split(i, i0, i1, 32)",),
        "cuda",
        {"A": {"generator": "uniform", "density": 0.25, "seed": 3, "shape": [4, 5]}, "x": {"dataset": "v1"}},
        RunSpec(("mkl", "scipy"), 4),
        version=1,
    )
    assert parse_plan({**document, "version": 2}).version == 2


def test_an_expression_that_does_not_parse_is_still_a_plan() -> None:
    """What is wrong with it is for the compile to say; its tensors cannot be known yet."""
    document = {"expression": "y(i) = A(i,j", "tensors": {"B": {"format": "csr"}}}
    assert parse_plan(document).tensors == {"B": TensorSpec("csr")}


def test_blank_lines_and_comments_of_a_list_are_dropped() -> None:
    schedule = ["", "# tiles", " split(i,i0,i1,4) // four rows", "reorder(i0,\n i1)"]
    assert parse_plan({"expression": EXPRESSION, "schedule": schedule}).schedule == (
        "split(i,i0,i1,4)",
        "reorder(i0,  i1)",
    )
    assert parse_plan({"expression": EXPRESSION, "schedule": [""] * 10_000}).schedule == ()
