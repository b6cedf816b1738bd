"""A fill is any value of its dtype: NaN for what is missing, 1e308 for what is unreachable."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import heddle as hd
from heddle.plan import parse_plan, plan_hash, to_document

NAN, INF = math.nan, math.inf
FORMATS = ("csr", "coo", "ell", "dia", "bcsr(2,2)", "csb(2,2)")
FILLS = {
    "float64": (NAN, 1e308, -1e300, 1e19, -INF, 5e-324, -0.0, np.float32(0.1), 2.0**64),
    "float32": (NAN, 0.1, INF),
    "int64": (-(2**63), np.int64(7)),
    "uint64": (2**64 - 1,),
    "bool": (True,),
    "complex128": (1 + 2j, NAN),
}


def filled(dtype: str, fill: object) -> np.ndarray:
    """A small matrix that is the fill where nothing else is drawn."""
    array = np.full((4, 5), fill, dtype)
    array[[0, 1, 1, 3], [1, 0, 4, 3]] = np.array([3, 1, 2, 5]).astype(dtype)
    return array


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(("dtype", "fill"), [(dtype, fill) for dtype, fills in FILLS.items() for fill in fills])
@pytest.mark.combinations(6, "format", "dtype")
def test_what_equals_the_fill_is_not_stored(format: str, dtype: str, fill: float) -> None:
    array = filled(dtype, fill)
    packed = hd.pack(array, format, fill=fill)
    np.testing.assert_array_equal(packed.to_numpy(), array)
    hd.validate(packed)
    if format in ("csr", "coo") and dtype != "bool":
        assert packed.to_coo()[1].size == 4
    kernel = hd.compile("B(i,j) = A(i,j)", {"A": format}, "", "interpreter", {"A": dtype}, fills={"A": fill})
    np.testing.assert_array_equal(kernel(A=packed).to_numpy(), array)


@pytest.mark.parametrize("target", ["interpreter", "c"])
@pytest.mark.parametrize(
    ("expression", "reference"),
    [
        ("y(i) = A(i,j)", lambda a: a.sum(axis=1)),
        ("y(i) = max(j, A(i,j))", lambda a: a.max(axis=1)),
        ("y(i) = min(j, A(i,j) + 1)", lambda a: (a + 1).min(axis=1)),
        ("y(i) = prod(j, A(i,j))", lambda a: a.prod(axis=1)),
    ],
)
def test_missing_values_say_of_a_row_what_numpy_says(expression: str, reference: object, target: str) -> None:
    array = np.array([[1.0, 2, 3], [NAN, 5, NAN], [7, 8, 9]])
    kernel = hd.compile(expression, {"A": "csr"}, "", target, fills={"A": NAN})
    np.testing.assert_array_equal(kernel(A=array).to_numpy(), reference(array))


@pytest.mark.parametrize(
    ("expression", "reference"),
    [
        ("C(i,j) = A(i,j) + B(i,j)", lambda a, b: a + b),
        ("C(i,j) = A(i,j) - B(i,j)", lambda a, b: a - b),
        ("C(i,j) = B(i,j) - A(i,j)", lambda a, b: b - a),
        ("C(i,j) = A(i,j) * B(i,j)", lambda a, b: a * b),
        ("C(i,j) = B(i,j) * A(i,j)", lambda a, b: b * a),
        ("C(i,j) = A(i,j) / B(i,j)", lambda a, b: a / b),
        ("C(i,j) = min(A(i,j), B(i,j))", np.minimum),
        ("C(i,j) = max(B(i,j), A(i,j))", np.maximum),
    ],
)
@pytest.mark.parametrize("other", [NAN, 0.0, INF, -INF, 1e308])
@pytest.mark.parametrize("format", ["csr", "coo"])
@pytest.mark.combinations(8, "expression", "other")
def test_two_fills_meet_as_numpy_says(expression: str, reference: object, other: float, format: str) -> None:
    a, b = filled("float64", NAN), filled("float64", other)[::-1]
    fills, formats = {"A": NAN, "B": other}, {"A": format, "B": format, "C": format}
    kernel = hd.compile(expression, formats, "", "interpreter", fills=fills)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(kernel(A=a, B=b).to_numpy(), reference(a, b))


def test_parts_are_padded_with_the_fill() -> None:
    array = filled("float64", NAN)
    packed = hd.pack(array, "hyb(1,3)", fill=NAN)
    np.testing.assert_array_equal(packed.to_numpy(), array)
    hd.validate(packed)
    assert packed.to_coo()[1].size == 4


def test_a_result_that_is_missing_elsewhere_is_an_operand_again() -> None:
    """Its NaN is another object than the NaN of the plan, also after a copy."""
    a = filled("float64", NAN)
    double = hd.compile("B(i,j) = 2 * A(i,j)", {"A": "csr", "B": "csr"}, fills={"A": NAN})
    result = double(A=hd.pack(a, "csr", fill=float("nan")))
    assert math.isnan(result.fill)
    assert result.to_coo()[1].size == 4
    np.testing.assert_array_equal(double(A=hd.convert(hd.convert(result, "coo"), "csr")).to_numpy(), 4 * a)
    with pytest.raises(hd.CompileError, match="What this tensor does not store is nan; in a SciPy array it would be"):
        result.to_scipy()
    with pytest.raises(hd.CompileError, match="What A does not store is nan, but 0 is expected there"):
        hd.compile("y(i) = A(i,j)", {"A": "csr"})(A=result)


def test_a_float32_result_keeps_the_fill_of_its_plan() -> None:
    a = filled("float32", 0.1)
    copy = hd.compile("B(i,j) = A(i,j)", {"A": "csr", "B": "csr"}, dtypes={"A": "float32"}, fills={"A": 0.1})
    np.testing.assert_array_equal(copy(A=copy(A=a)).to_numpy(), a)


@pytest.mark.parametrize(
    ("fill", "spelled"),
    [
        (NAN, "nan"),
        ("nan", "nan"),
        (INF, "inf"),
        (-INF, "-inf"),
        (1e308, 1e308),
        (-1e300, -1e300),
        (10**19, 10**19),
        (1e19, 10**19),
        (10**30, 1e30),
        (2.0, 2),
        (1 + 2j, "1+2j"),
        ("1+2j", "1+2j"),
        (3 + 0j, 3),
        (True, True),
    ],
)
def test_plans_keep_their_fill(fill: object, spelled: object) -> None:
    """Through JSON and back: the same document, the same hash."""
    document = {"version": 2, "expression": "y(i) = A(i,j)", "tensors": {"A": {"format": "csr", "fill": fill}}}
    plan = parse_plan(document)
    text = json.dumps(to_document(plan), allow_nan=False)
    assert json.loads(text)["tensors"]["A"]["fill"] == spelled
    again = parse_plan(json.loads(text))
    assert again == plan
    assert plan_hash(again) == plan_hash(plan)


@pytest.mark.parametrize("fill", [-0.0, 0.0, 0j, False * 1])
def test_a_fill_of_zero_is_no_entry(fill: object) -> None:
    plan = parse_plan({"version": 2, "expression": "y(i) = A(i,j)", "tensors": {"A": {"format": "csr", "fill": fill}}})
    assert to_document(plan)["tensors"] == {"A": {"format": "csr"}}


@pytest.mark.parametrize(
    ("dtype", "fill", "shown"),
    [
        ("int64", NAN, "nan"),
        ("float32", 1e308, "1e+308"),
        ("int8", 200, "200"),
        ("float64", 1j, "1j"),
    ],
)
def test_a_fill_is_a_value_of_its_dtype(dtype: str, fill: object, shown: str) -> None:
    with pytest.raises(hd.CompileError) as caught:
        hd.pack(np.ones((2, 2), dtype), "csr", fill=fill, name="A")
    assert caught.value.messages == f"A is packed as {dtype}, which cannot hold the fill {shown}."
    with pytest.raises(hd.CompileError) as caught:
        hd.compile("y(i) = A(i,j)", {"A": "csr"}, dtypes={"A": dtype}, fills={"A": fill})
    assert f"A has the dtype {dtype}, which cannot hold its fill {shown}." in str(caught.value)


@pytest.mark.parametrize("fill", ["", "infinity", "1+2", [1], 10**400, np.datetime64("2020")])
def test_what_is_no_fill_is_refused(fill: object) -> None:
    with pytest.raises(hd.CompileError) as caught:
        hd.compile("y(i) = A(i,j)", {"A": "csr"}, fills={"A": fill})
    text = "tensors.A.fill must be a number, a truth value, or one of inf, -inf, nan and 1+2j, found"
    assert str(caught.value).startswith(text)
    with pytest.raises(hd.CompileError, match="packed as float64, which cannot hold the fill"):
        hd.pack(np.ones((2, 2)), "csr", fill=fill)
