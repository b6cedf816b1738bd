"""Every dtype that a Plan may name computes what the oracle says, and keeps its type."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.notation.evaluation import evaluate
from heddle.notation.nodes import accesses
from heddle.notation.parser import parse
from heddle.plan import DTYPES
from tests.differential.check import TARGETS
from tests.differential.operands import operand_sets

CONVERTED = {"convert": "automatic"}
EXPRESSIONS = [
    ("y(i) = A(i,j) * x(j)", {"A": "csr", "x": "sparse"}),
    ("C(i,j) = A(i,j) - B(i,j)", {"A": "csr", "B": "dcsr"}),
    ("y(i) = -x(i) * 2 - 1", {"x": "sparse"}),
]


@pytest.mark.combinations(4, "expression", "dtype", "target")
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype != "bool"])
@pytest.mark.parametrize(("expression", "formats"), EXPRESSIONS, ids=[expression for expression, _ in EXPRESSIONS])
def test_dtypes(expression: str, formats: dict[str, str], dtype: str, target: str) -> None:
    assignment = parse(expression)
    operands = next(operand_sets(assignment)).arrays
    names = {access.tensor for access in accesses(assignment.expression)}
    kernel = hd.compile(expression, formats, "", target, dtypes=dict.fromkeys(names, dtype))
    typed = {name: array.astype("int64").astype(dtype) for name, array in operands.items()}
    if dtype.startswith("complex"):
        typed = {name: array * (1 + 2j) for name, array in typed.items()}
        typed = {name: array.astype(dtype) for name, array in typed.items()}
    found = kernel(**typed).to_numpy()
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, evaluate(assignment, typed))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("expression", "dtypes", "dtype"),
    [
        ("y(i) = x(i) * 2.5", {"x": "int64"}, "float64"),
        ("y(i) = x(i) / z(i)", {"x": "int64", "z": "int64"}, "float64"),
        ("y(i) = x(i) * 2", {"x": "int32"}, "int32"),
        ("y(i) = x(i) * z(i)", {"x": "int32", "z": "float32"}, "float64"),
        ("y(i) = x(i) * z(i)", {"x": "float32", "z": "float64"}, "float64"),
        ("y(i) = x(i) + z(i)", {"x": "float32", "z": "complex64"}, "complex64"),
        ("y(i) = x(i) * -1", {"x": "float32"}, "float32"),
        ("y(i) = 1 / 2 * x(i)", {"x": "float32"}, "float32"),
        ("y(i) = sqrt(abs(x(i)))", {"x": "int8"}, "float64"),
        ("y(i) = abs(x(i))", {"x": "complex64"}, "float32"),
        ("y(i) = x(i) < z(i)", {"x": "int8", "z": "float32"}, "bool"),
        ("y(i) = max(x(i), 2)", {"x": "int16"}, "int16"),
        ("y(i) = complex(0, 1) * x(i)", {"x": "float32"}, "complex64"),
    ],
)
def test_the_result_holds_what_the_expression_computes(
    expression: str, dtypes: dict[str, str], dtype: str, target: str
) -> None:
    values = {"x": np.array([3, -1, 5, 2]), "z": np.array([2, 4, -1, 8])}
    operands = {name: values[name].astype(dtypes[name]) for name in dtypes}
    found = hd.compile(expression, {}, "", target, dtypes=dtypes)(**operands).to_numpy()
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, evaluate(parse(expression), operands))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "expression",
    [
        "y(i) = A(i,j) * x(j)",  # or of ands
        "C(i,j) = A(i,j) + B(i,j)",
        "C(i,j) = A(i,j) != B(i,j)",
        "C(i,j) = max(A(i,j), B(i,j)) * x(j)",
        "y(i) = sum(j, A(i,j))",
        "y(i) = all(j, A(i,j) + B(i,j))",
    ],
)
def test_truth_values(expression: str, target: str) -> None:
    """``+`` is or and ``*`` is and, as in NumPy; an explicit sum counts."""
    assignment = parse(expression)
    names = {access.tensor for access in accesses(assignment.expression)}
    formats = {"A": "csr", "B": "dcsr"}
    kernel = hd.compile(
        expression, {n: formats[n] for n in names & set(formats)}, "", target, dict.fromkeys(names, "bool")
    )
    for operands in operand_sets(assignment):
        typed = {name: array != 0 for name, array in operands.arrays.items()}
        found, expected = kernel(**typed).to_numpy(), evaluate(assignment, typed, operands.sizes)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected, err_msg=operands.label)


@pytest.mark.parametrize("columns", [0, 200])
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("whole", "split"),
    [
        ("y(i) = sum(j, A(i,j)) / 2", "t(i) = sum(j, A(i,j)); y(i) = t(i) / 2"),
        ("y(i) = sqrt(abs(sum(j, A(i,j))))", "t(i) = sum(j, A(i,j)); y(i) = sqrt(abs(t(i)))"),
        ("y(i) = prod(j, A(i,j)) * 0.5", "t(i) = prod(j, A(i,j)); y(i) = t(i) * 0.5"),
        ("y(i) = b(i) + min(j, A(i,j))", "t(i) = min(j, A(i,j)); y(i) = b(i) + t(i)"),
    ],
)
def test_integers_reduced_inside_wrap_around_as_in_a_statement_of_their_own(
    whole: str, split: str, columns: int, target: str
) -> None:
    """The workspace of an explicit reduction has its own type, whatever is computed of it."""
    random = np.random.default_rng(3)
    operands = {"A": random.integers(-128, 128, (5, columns)).astype(np.int8), "b": np.arange(5) / 3}
    names = [name for name in operands if f"{name}(" in whole]
    dtypes = {name: "int8" if name == "A" else "float64" for name in names}
    arrays = {name: operands[name] for name in names}
    expected = evaluate(parse(whole), arrays)
    assert expected.dtype == np.float64
    for expression in (whole, split):
        np.testing.assert_array_equal(hd.compile(expression, {}, "", target, dtypes)(**arrays).to_numpy(), expected)
        np.testing.assert_array_equal(evaluate(parse(expression), arrays), expected)


@pytest.mark.parametrize(
    ("format", "code", "message"),
    [
        (
            "sell(4)",
            "format/slots-not-summed",
            "A (sell(4)) is read slot by slot and summed, which is right only where A(i,j) is a factor or a term of "
            "what is summed; here sum(j, A(i,j)) may wrap around in int8 before it is used, as its slots do not. Store "
            "A as csr.",
        ),
        (
            "hyb(1,2)",
            "format/not-decomposable",
            "A is a sum of parts, and sum(j, A(i,j)) may wrap around in int8 before it is used, as the sums of its "
            "parts do not. Store A in one part.",
        ),
    ],
)
def test_integers_that_wrap_around_inside_are_not_summed_by_slots_or_parts(
    format: str, code: str, message: str
) -> None:
    whole, split = "y(i) = sum(j, A(i,j)) / 2", "t(i) = sum(j, A(i,j)); y(i) = t(i) / 2"
    (diagnostic,) = hd.lower(whole, {"A": format}, dtypes={"A": "int8"}).diagnostics
    assert (diagnostic.code, diagnostic.message) == (code, message)
    added = hd.lower("y(i) = b(i) + sum(j, A(i,j))", {"A": format}, dtypes={"A": "int8"})
    assert [problem.code for problem in added.diagnostics] == [code]
    for expression, dtype in (("y(i) = sum(j, A(i,j)) * 2", "int8"), (whole, "float32")):
        assert hd.lower(expression, {"A": format}, dtypes={"A": dtype}).ok
    if format.startswith("sell"):
        assert hd.lower(split, {"A": format}, dtypes={"A": "int8"}).ok


@pytest.mark.parametrize("schedule", ["", "auto"])
@pytest.mark.parametrize("format", ["csr", "csc", "dense"])
@pytest.mark.parametrize(
    ("operand", "result"), [("int8", "int32"), ("uint8", "int64"), ("int16", "float64"), ("bool", "int32")]
)
@pytest.mark.parametrize(
    "expression",
    [
        "y(i) = A(i,j) * x(j)",
        "t(i) = A(i,j) * x(j); y(i) = t(i) * x(i)",
        "y(i) = sum(j, A(i,j) * x(j)) * x(i)",
        "y(i) = max(j, A(i,j) * x(j))",
        "y = A(i,j) * x(j) * x(i)",
        "y(i) = (A(i,j) > x(j)) * A(i,j) * x(j)",
    ],
)
@pytest.mark.combinations(4, "expression", "operand", "format")
def test_products_have_the_dtype_that_the_result_is_declared_with(
    expression: str, operand: str, result: str, format: str, schedule: str
) -> None:
    """As ``dtype=`` of NumPy's functions: 100 times 100 is no int8."""
    narrow = {"A": np.full((6, 6), 100).astype(operand), "x": np.full(6, 100).astype(operand)}
    narrow["A"][::2, 1:4] = 0
    kernel = hd.compile(
        expression, {"A": format}, schedule, dtypes={"A": operand, "x": operand, "y": result}, options=CONVERTED
    )
    wide = {name: array.astype(result) for name, array in narrow.items()}
    np.testing.assert_array_equal(kernel(**narrow).to_numpy(), evaluate(parse(expression), wide))


def test_real_operands_of_a_complex_result_are_computed_with_as_real_numbers() -> None:
    kernel = hd.compile("y(i) = sqrt(x(i))", dtypes={"x": "float32", "y": "complex128"})
    assert "complex" not in kernel.source.split("{")[1].split("sqrt")[0]
    assert kernel(x=np.float32([4])).to_numpy() == 2


def test_numbers_that_are_compared_keep_their_digits() -> None:
    """0.1 as float32 equals 0.1 as float32 is read, whatever the result is."""
    kernel = hd.compile("y(i) = x(i) == 0.1", dtypes={"x": "float32", "y": "float64"})
    assert kernel(x=np.float32([0.1])).to_numpy() == 1
