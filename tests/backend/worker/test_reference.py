"""The reference against ``numpy.einsum``, with every mix of sparse and dense operands."""

from itertools import product

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.measuring.verification import dense_reference as dense_reference_module
from heddle.measuring.verification import reference
from heddle.measuring.verification.dense_reference import dense_reference, needs_dense
from heddle.measuring.verification.reference import evaluate
from heddle.measuring.verification.verify import compare
from heddle.notation.nodes import accesses
from heddle.notation.parser import parse
from heddle.plan import Plan
from heddle.runtime.tensors.coordinates import Entries

SIZES = {"i": 4, "j": 5, "k": 3, "l": 2}
PRODUCTS = {
    "y(i) = A(i,j) * x(j)": "ij,j->i",
    "y(j) = A(i,j) * x(i)": "ij,i->j",
    "C(i,k) = A(i,j) * B(j,k)": "ij,jk->ik",
    "A(i,j) = B(i,j) * C(i,k) * D(k,j)": "ij,ik,kj->ij",
    "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)": "ikl,kj,lj->ij",
    "A(i,j) = B(i,j,k) * c(k)": "ijk,k->ij",
    "a = x(i) * y(i)": "i,i->",
    "C(i,j) = x(i) * y(j)": "i,j->ij",
}


def sparse(array: np.ndarray) -> Entries:
    coordinates = np.nonzero(array)
    return Entries(array.shape, coordinates, array[coordinates])


@pytest.mark.parametrize("rows", [4 << 20, 3])
@pytest.mark.parametrize("text", PRODUCTS)
def test_products(text: str, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "_TABLE_ROWS", rows)
    rng = np.random.default_rng(0)
    assignment = parse(text)
    for as_entries in product((True, False), repeat=len(accesses(assignment.expression))):
        arrays, operands = [], {}
        for access, stored_sparse in zip(accesses(assignment.expression), as_entries, strict=True):
            shape = [SIZES[index] for index in access.indices]
            array = np.where(rng.random(shape) < 0.6, rng.random(shape) - 0.5, 0)
            arrays.append(array)
            operands[access.tensor] = sparse(array) if stored_sparse else array
        found = evaluate(assignment, operands, SIZES, "float64")
        np.testing.assert_allclose(found.values, np.einsum(PRODUCTS[text], *arrays), atol=1e-15)
        np.testing.assert_allclose(found.scale, np.einsum(PRODUCTS[text], *map(np.abs, arrays)))


def test_sums_broadcasts_and_divisions() -> None:
    rng = np.random.default_rng(1)
    x, A, b, z = rng.random(4), rng.random((4, 5)), rng.random(4) + 1, rng.random(5)
    cases = {
        "y(i) = A(i,j) * z(j) - x(i) + 2": A @ z - x + 2,
        "y(i) = x(i) * (A(i,j) + b(i))": x * A.sum(1) + x * b,
        "y(i) = x(i) / b(i)": x / b,
        "y(i) = x(i) / (2 * b(i))": x / (2 * b),
        "y(i) = x(i) / (b(i) + 1)": x / (b + 1),
        "y(i) = x(i) / A(i,j)": (x[:, None] / A).sum(1),
        "y(i) = b(i) + (z(j) + 1)": b + z.sum() + 1,
        "C(i,j) = x(i)": np.repeat(x[:, None], 5, 1),
        "C(i,j) = A(i,j) + x(i)": A + x[:, None],
        "C(i,j) = -(A(i,j) - 3)": 3 - A,
        "a = -x(i)": -x.sum(),
    }
    for text, expected in cases.items():
        found = evaluate(parse(text), {"x": x, "A": A, "b": b, "z": z}, SIZES, "float64")
        np.testing.assert_allclose(found.values, expected)


def test_scale_does_not_cancel() -> None:
    found = evaluate(parse("y(i) = x(i) - x(i)"), {"x": np.ones(4)}, SIZES, "float64")
    assert found.values.tolist() == [0, 0, 0, 0]
    assert found.scale.tolist() == [2, 2, 2, 2]


def test_integers_are_exact() -> None:
    big = np.array([2**60, 1, 0, 0])
    found = evaluate(parse("a = x(i) * y(i)"), {"x": big, "y": np.array([1, 1, 1, 1])}, SIZES, "int64")
    assert found.values.item() == 2**60 + 1


def test_infinities_and_nan_must_agree() -> None:
    operands = {"x": np.array([1.0, 0.0, 1.0, -1.0]), "b": np.array([0.0, 0.0, 2.0, 0.0])}
    found = evaluate(parse("y(i) = x(i) / b(i)"), operands, SIZES, "float64")
    right = np.array([np.inf, np.nan, 0.5, -np.inf])
    assert compare(right, found, "float64")["ok"]
    for place in range(4):
        wrong = right.copy()
        wrong[place] = 7.0
        assert not compare(wrong, found, "float64")["ok"]


def test_comparison_judges_by_the_scale_of_each_element() -> None:
    found = evaluate(parse("y(i) = A(i,j) * x(j)"), {"A": np.ones((4, 5)), "x": np.ones(5)}, SIZES, "float64")
    right = compare(found.values * (1 + 1e-15), found, "float64")
    assert right["ok"]
    assert 0 < right["max_error"] < 1e-14
    for wrong in (5.0 + 1e-9, np.nan, np.inf):
        result = found.values.copy()
        result[2] = wrong
        assert not compare(result, found, "float64")["ok"]
    assert not compare(found.values[:3], found, "float64")["ok"]
    assert not compare(found.values.astype(np.int64) + 1, found, "int64")["ok"]
    assert compare(found.values.astype(np.float32), found, "float32")["ok"]


def test_a_wrong_element_where_nothing_is_expected() -> None:
    empty = Entries((4, 5), (np.empty(0, int), np.empty(0, int)), np.empty(0))
    found = evaluate(parse("y(i) = A(i,j) * x(j)"), {"A": empty, "x": np.ones(5)}, SIZES, "float64")
    assert compare(np.zeros(4), found, "float64")["ok"]
    assert not compare(np.array([0, 0, 1e-3, 0]), found, "float64")["ok"]


INF = float("inf")


@pytest.mark.parametrize(
    ("expression", "fills", "expected"),
    [
        ("d(i) = min(j, A(i,j) + x(j))", {"A": INF}, [7, INF, 6]),
        ("d(i) = max(j, sqrt(A(i,j)) * x(j))", {}, [6, 0, 10]),
        ("t(i) = A(i,j) * x(j); d(i) = t(i) * t(i)", {}, [144, 0, 625]),
    ],
)
def test_what_is_no_sum_of_products_is_computed_on_dense_arrays(
    expression: str, fills: dict[str, float], expected: list[float]
) -> None:
    """A = [[., 4, .], [., ., .], [1, ., 4]] and x = [5, 3, 5]."""
    signature = hd.lower(expression, {"A": "csr"}, fills=fills).signature
    assert signature is not None
    assert needs_dense(parse(expression), signature)
    entries = Entries((3, 3), (np.array([0, 2, 2]), np.array([1, 0, 2])), np.array([4.0, 1, 4]))
    operands = {"A": entries, "x": np.array([5.0, 3, 5])}
    found = dense_reference(Plan(expression), parse(expression), signature, operands, {"i": 3, "j": 3})
    np.testing.assert_array_equal(found.values, expected)
    assert compare(np.array(expected), found, "float64")["ok"]
    assert not compare(np.add(expected, [0, 0, 1e-3]), found, "float64")["ok"]


@pytest.mark.parametrize(
    ("expression", "size"),
    [
        ("d = min(i, min(j, A(i,j) + x(j)))", 5000),  # nothing of it can be computed apart
        ("D(i,j) = min(k, A(i,k) + A(k,j))", 300),
        ("d(i) = min(j, A(i,j) + x(j))", 25_000),
    ],
)
def test_too_many_iterations_for_dense_arrays(expression: str, size: int) -> None:
    signature = hd.lower(expression, {"A": "csr"}).signature
    assert signature is not None
    sizes = dict.fromkeys("ijk" if "k" in expression else "ij", size)
    with pytest.raises(CompileError, match=rf"{size ** len(sizes):,} iterations are too many"):
        dense_reference(Plan(expression), parse(expression), signature, {}, sizes)


@pytest.mark.parametrize(
    ("expression", "formats", "fills"),
    [
        ("d(i) = min(j, A(i,j) + x(j))", {"A": "csr"}, {"A": INF}),
        ("d(j) = max(i, A(i,j) * x(j))", {"A": "csc"}, {}),
        ("D(i,j) = min(k, A(i,k) + B(j,k))", {"A": "csr"}, {"A": INF}),
        ("d(i) += sqrt(A(i,j)) * x(i)", {"A": "coo"}, {}),
        ("D(i,j) = max(A(i,j), A(i,j) * x(j))", {"A": "csr"}, {}),
    ],
)
def test_large_results_are_computed_in_bands(
    expression: str, formats: dict[str, str], fills: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The example of shortest paths had too many iterations to be verified, and could not be run."""
    signature = hd.lower(expression, formats, fills=fills).signature
    assert signature is not None
    random = np.random.default_rng(3)
    operands: dict[str, Entries | np.ndarray] = {}
    assignment = parse(expression)
    orders = {access.tensor: len(access.indices) for access in (*accesses(assignment.expression), assignment.target)}
    for tensor in signature.inputs:
        array = random.integers(1, 9, (11,) * orders[tensor.name]).astype(float)
        if tensor.name == "A":
            columns = np.nonzero(random.random(array.shape) < 0.4)
            operands["A"] = Entries(array.shape, columns, array[columns])
        else:
            operands[tensor.name] = array
    sizes = dict.fromkeys("ijk", 11)
    arguments = (Plan(expression), assignment, signature, operands, sizes)
    whole = dense_reference(*arguments)
    monkeypatch.setattr("heddle.measuring.verification.dense_reference.MOST_ITERATIONS", 3 * 11)
    calls = []
    band = dense_reference_module._band
    monkeypatch.setattr(dense_reference_module, "_band", lambda *given: calls.append(given[3]) or band(*given))
    banded = dense_reference(*arguments)
    assert len(set(calls)) > 1
    np.testing.assert_array_equal(banded.values, whole.values)
    np.testing.assert_array_equal(banded.scale, whole.scale)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"])
def test_integers_wrap_as_those_of_the_result_do(dtype: str) -> None:
    """A product that wraps was called wrong, because the reference summed in 64 bits."""
    info = np.iinfo(dtype)
    A = np.array([[info.max, 3, 0], [info.max, info.max, 7]], dtype=dtype)
    x = np.array([2, info.max, 5], dtype=dtype)
    found = evaluate(parse("y(i) = A(i,j) * x(j)"), {"A": sparse(A), "x": x}, {"i": 2, "j": 3}, dtype)
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"}, dtypes=dict.fromkeys("yAx", dtype))
    result = kernel(A=A, x=x)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(result.to_numpy(), A @ x)
    assert compare(result.to_numpy(), found, dtype)["ok"]
    wrong = result.to_numpy() + np.array([1, 0], dtype=dtype)
    assert not compare(wrong, found, dtype)["ok"]
