"""Calls: memory for the result, options by another way, linear operators, and warnings about what costs too much."""

from __future__ import annotations

import gc
import pickle
import warnings
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.linalg import cg, svds

import heddle as hd
from heddle.library.cost_inspector import attach_inspector
from heddle.plan import parse_plan
from heddle.tuning.facts.machine import this_machine
from heddle.tuning.search.automatic import AutomaticKernel

SPMV = "y(i) = A(i,j) * x(j)"


def sparse(*shape: int, density: float = 0.2, format: str = "csr", seed: int = 0) -> Any:
    make: Any = scipy.sparse.random_array
    return make(shape, density=density, format=format, rng=np.random.default_rng(seed))


A = sparse(6, 6)
X = np.arange(6.0)


@pytest.fixture(scope="module")
def kernel() -> hd.Kernel:
    return hd.compile(SPMV, formats={"A": "csr"})


def test_out_takes_the_result_and_is_returned(kernel: hd.Kernel) -> None:
    y = np.empty(6)
    assert kernel(A=A, x=X, out=y) is y  # type: ignore[comparison-overlap]
    np.testing.assert_allclose(y, A @ X)
    tensor = hd.pack(np.empty(6), copy=False)
    assert kernel(A=A, x=X, out=tensor) is tensor
    np.testing.assert_allclose(tensor.to_numpy(), A @ X)


def test_out_may_be_an_operand_or_lie_in_any_order(kernel: hd.Kernel) -> None:
    x = X.copy()
    kernel(A=A, x=x, out=x)
    np.testing.assert_allclose(x, A @ X)
    wide = np.full(12, -1.0)
    kernel(A=A, x=X, out=wide[::2])
    np.testing.assert_allclose(wide[::2], A @ X)
    assert (wide[1::2] == -1).all()
    turned = np.empty((6, 6), order="F")
    hd.evaluate("C(i,j) = A(i,k) * B(k,j)", A=A, B=np.eye(6), out=turned)
    np.testing.assert_allclose(turned, A.toarray())


def test_out_of_an_automatic_kernel_and_of_one_that_accumulates() -> None:
    y = np.ones(6)
    hd.compile(SPMV, formats={"A": "csr"}, schedule="auto")(A=A, x=X, out=y)
    np.testing.assert_allclose(y, A @ X)
    hd.compile("y(i) += A(i,j) * x(j)", formats={"A": "csr"})(A=A, x=X, y=y, out=y)
    np.testing.assert_allclose(y, 2 * (A @ X))


NOT_OUT: dict[str, tuple[Callable[[], object], str]] = {
    "another size": (lambda: np.empty(5), "expected the shape (6,), found the shape (5,)"),
    "another type": (
        lambda: np.empty(6, np.float32),
        "expected elements of type float64, found elements of type",
    ),
    "a list": (lambda: [0.0] * 6, "expected a NumPy array or a dense tensor, found a list"),
    "a snapshot": (lambda: hd.pack(X), "expected memory that may be written, found a snapshot"),
    "a sparse tensor": (lambda: hd.pack(X, "sparse"), "expected a dense tensor on the host"),
}


@pytest.mark.parametrize("case", NOT_OUT)
def test_out_that_cannot_take_the_result_is_refused(kernel: hd.Kernel, case: str) -> None:
    make, message = NOT_OUT[case]
    with pytest.raises(hd.OperandError) as refused:
        kernel(A=A, x=X, out=make())
    assert message in str(refused.value)
    assert refused.value.diagnostics[0].code == "runtime/out"


def test_out_may_have_its_bytes_in_another_order(kernel: hd.Kernel) -> None:
    y = np.zeros(6, ">f8")
    assert kernel(A=A, x=X, out=y) is y
    np.testing.assert_allclose(y, A @ X)


def test_read_only_memory_takes_no_result(kernel: hd.Kernel) -> None:
    y = np.zeros(6)
    y.flags.writeable = False
    with pytest.raises(hd.OperandError, match="found a read-only array"):
        kernel(A=A, x=X, out=y)


def test_a_sparse_result_has_no_out() -> None:
    kernel = hd.compile("C(i,j) = 2 * A(i,j)", formats={"A": "csr", "C": "csr"})
    with pytest.raises(hd.OperandError, match="how many entries it has is known afterwards"):
        kernel(A=A, out=np.empty((6, 6)))


def test_a_tensor_that_is_called_out_keeps_its_name() -> None:
    kernel, y = hd.compile("y(i) = 2 * out(i)"), np.empty(6)
    np.testing.assert_allclose(kernel(out=X).vals, 2 * X)
    assert kernel.with_options(out=y)(out=X) is y  # type: ignore[comparison-overlap]
    np.testing.assert_allclose(y, 2 * X)
    with pytest.raises(hd.OperandError, match="the option must be one of validate, out"):
        kernel.with_options(outt=y)


def test_operands_without_names_are_asked_for_theirs(kernel: hd.Kernel) -> None:
    with pytest.raises(hd.OperandError) as refused:
        kernel(A, X)
    assert str(refused.value) == (
        "2 operands are passed without a name; y(i) takes A, x by name.\nhint: Write kernel(A=A, x=x)."
    )


def test_a_kernel_is_an_operator_of_scipys_solvers(kernel: hd.Kernel) -> None:
    matrix = (A @ A.T + 10 * scipy.sparse.eye_array(6)).tocsr()
    operator = kernel.as_linear_operator(A=matrix, over="x")
    assert operator.shape == (6, 6)
    assert operator.dtype == np.float64
    solution, failed = cg(operator, X, rtol=1e-12)
    assert not failed
    np.testing.assert_allclose(matrix @ solution, X, atol=1e-9)
    matrix.data *= 0
    assert operator.matvec(np.ones(6)).any(), "the operator has its own copy"


def test_an_operator_has_the_adjoint_of_its_kernel(kernel: hd.Kernel) -> None:
    matrix = sparse(6, 4)
    operator = kernel.as_linear_operator(A=matrix, over="x")
    np.testing.assert_allclose(operator.rmatvec(X), matrix.T @ X)
    np.testing.assert_allclose(svds(operator, 2)[1], svds(matrix, 2)[1])
    affine = hd.compile("y(i) = A(i,j) * x(j) - d(i) * x(i)", formats={"A": "csr"}, schedule="auto")
    operator = affine.as_linear_operator(A=A, d=X, over="x")
    np.testing.assert_allclose(operator.rmatvec(X), A.T @ X - X * X)
    complex_matrix = matrix * (1 + 2j)
    complex_kernel = hd.compile(SPMV, like={"A": complex_matrix, "x": np.ones(4, complex)})
    operator = complex_kernel.as_linear_operator(A=complex_matrix, over="x")
    np.testing.assert_allclose(operator.rmatvec(X * 1j), complex_matrix.conj().T @ (X * 1j))


def test_an_operator_flattens_what_has_several_dimensions() -> None:
    product = hd.compile("Y(i,l) = A(i,j) * X(j,k) * B(k,l)", formats={"A": "csr"})
    b = np.arange(6.0).reshape(2, 3)
    operator = product.as_linear_operator(A=A, B=b, over="X")
    assert operator.shape == (18, 12)
    np.testing.assert_allclose(operator.matvec(np.ones(12)), (A @ np.ones((6, 2)) @ b).reshape(-1))


NO_OPERATOR: dict[str, tuple[str, dict[str, object], str, str]] = {
    "an unknown operand": (SPMV, {"A": A}, "z", "z is not an operand of this kernel"),
    "a missing operand": ("y(i) = A(i,j) * x(j) * d(i)", {"A": A}, "x", "d(i) is missing"),
    "the operand itself": (SPMV, {"A": A, "x": X}, "x", "x is passed, and is what the operator will be applied to."),
    "a sparse operand": (SPMV, {"x": X}, "A", "is not an operator over A: both A and the result must be dense"),
    "a size that nobody knows": ("y(i) = 2 * x(i)", {}, "x", "The size of i in x(i) is unknown"),
}


@pytest.mark.parametrize("case", NO_OPERATOR)
def test_what_is_no_operator_is_refused(case: str) -> None:
    expression, operands, over, message = NO_OPERATOR[case]
    kernel = hd.compile(expression, formats={"A": "csr"} if "A" in expression else {})
    with pytest.raises(hd.OperandError) as refused:
        kernel.as_linear_operator(over=over, **operands)
    assert message in str(refused.value)


def test_what_is_not_linear_has_no_adjoint() -> None:
    operator = hd.compile("y(i) = A(i,j) * x(j) * x(j)", formats={"A": "csr"}).as_linear_operator(A=A, over="x")
    with pytest.raises(hd.OperandError, match="The adjoint over x is unknown"):
        operator.rmatvec(X)


LARGE = sparse(2000, 2000, density=0.002)
NARROW = np.ones(2000)
WARNED: dict[str, tuple[str, dict[str, str], dict[str, object], str, str]] = {
    "no format": (SPMV, {}, {"A": LARGE, "x": NARROW}, "densified", 'formats={"A": "csr"}'),
    "every coordinate": (
        "y(i) = max(j, A(i,j) + x(j))",
        {"A": "csr"},
        {"A": LARGE, "x": NARROW},
        "every-coordinate",
        "hd.refill(A, -inf)",
    ),
    "a dense result": (
        "C(i,j) = A(i,k) * B(k,j)",
        {"A": "csr", "B": "csr"},
        {"A": LARGE, "B": LARGE},
        "dense-result",
        'formats={"C": "csr"}',
    ),
    "stored zeros": (
        "C(i,j) = exp(A(i,j))",
        {"A": "csr", "C": "csr"},
        {"A": LARGE},
        "stores-everything",
        "expm1 for exp",
    ),
    "a chain": (
        "H(i,f) = A(i,j) * X(j,k) * W(k,f)",
        {"A": "csr"},
        {"A": LARGE, "X": np.ones((2000, 32)), "W": np.ones((32, 32))},
        "contraction-order",
        "t3(i,k) = A(i,j) * X(j,k); H(i,f) = t3(i,k) * W(k,f)",
    ),
}


@pytest.mark.parametrize("case", WARNED)
def test_what_costs_too_much_is_said_where_it_is_called(case: str) -> None:
    expression, formats, operands, code, rewriting = WARNED[case]
    kernel = hd.compile(expression, formats=formats)
    with pytest.warns(hd.PerformanceWarning) as warned:
        kernel(**operands)
    (warning,) = warned
    assert warning.filename == __file__
    message = warning.message
    assert isinstance(message, hd.PerformanceWarning)
    assert message.code == f"performance/{code}"
    assert rewriting in message.rewriting
    assert " instead of " in message.estimate or " for " in message.estimate
    assert str(pickle.loads(pickle.dumps(message))) == str(message)


def test_a_schedule_that_looks_at_pairs_of_rows_and_columns_is_told_of() -> None:
    """Without it the kernel copies one of the matrices."""
    expression, formats = "C(i,j) = A(i,k) * B(k,j)", {"A": "csr", "B": "csc", "C": "csr"}
    with pytest.warns(hd.PerformanceWarning) as warned:
        hd.compile(expression, formats=formats, schedule="split(i, i0, i1, 4)")(A=LARGE, B=LARGE.tocsc())
    (warning,) = warned
    assert isinstance(warning.message, hd.PerformanceWarning)
    assert warning.message.code == "performance/storage-order"
    assert 'B=hd.pack(B, "csr")' in warning.message.rewriting


@pytest.mark.parametrize(
    ("expression", "schedule", "rewriting"),
    [
        (SPMV, "split(j, j0, j1, 8)", "pos(j, p, A); split(p, …)"),
        ("t = A(i,j) * B(i,j)", "pos(j, p, A)", "so that both are merged"),
    ],
    ids=["a tile of each row", "an entry of another operand"],
)
def test_a_schedule_that_searches_for_each_element_is_told_of(expression: str, schedule: str, rewriting: str) -> None:
    wide = sparse(40, 60_000, density=0.1)
    formats = {name: "csr" for name in "AB" if name in expression}
    kernel, searching = (
        hd.compile(expression, formats=formats),
        hd.compile(expression, formats=formats, schedule=schedule),
    )
    operands = {"A": wide, "B": wide} if "B" in expression else {"A": wide, "x": np.ones(60_000)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expected = kernel(**operands)
    with pytest.warns(hd.PerformanceWarning) as warned:
        result = searching(**operands)
    (warning,) = warned
    assert isinstance(warning.message, hd.PerformanceWarning)
    assert warning.message.code == "performance/search-per-element"
    assert rewriting in warning.message.rewriting
    np.testing.assert_allclose(result.to_numpy(), expected.to_numpy())


def test_a_schedule_that_searches_less_than_it_walks_is_silent() -> None:
    """Tiles with many entries each, and few entries that are looked up among many."""
    wide, few = sparse(40, 60_000, density=0.1), sparse(40, 60_000, density=0.0005)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hd.compile(SPMV, formats={"A": "csr"}, schedule="split(j, j0, j1, 8192)")(A=wide, x=np.ones(60_000))
        hd.compile("t = A(i,j) * B(i,j)", formats=dict.fromkeys("AB", "csr"), schedule="pos(j, p, A)")(A=few, B=wide)


def test_what_costs_no_more_than_it_needs_is_silent() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hd.compile(SPMV, formats={"A": "csr"})(A=LARGE, x=NARROW)
        hd.compile("C(i,k) = A(i,j) * B(j,k)", formats={"A": "csr"})(A=LARGE, B=np.ones((2000, 8)))
        hd.compile("C(i,j) = A(i,k) * B(k,j)", formats=dict.fromkeys("ABC", "csr"))(A=LARGE, B=LARGE)
        hd.compile("C(i,j) = A(i,k) * B(k,j)", formats={"A": "csr", "B": "csc", "C": "csr"})(A=LARGE, B=LARGE.tocsc())
        hd.evaluate("C(i,j) = A(i,k) * B(k,j)", A=LARGE, B=LARGE.tocsc())
        hd.evaluate("y(i) = max(j, A(i,j) + x(j))", A=hd.refill(LARGE, -np.inf), x=NARROW)


def test_columns_that_add_to_the_same_elements_are_told_of_where_threads_wait() -> None:
    plan = parse_plan({"version": 2, "expression": SPMV, "tensors": {"A": {"format": "csc"}}})
    columns = sparse(4000, 4000, density=0.07, format="csc")
    for threads, codes in ((1, []), (4, ["performance/one-thread"])):
        kernel: Any = AutomaticKernel(plan, replace(this_machine(), threads=threads))
        attach_inspector(kernel)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            kernel(A=columns, x=np.ones(4000))
        assert [warning.message.code for warning in caught] == codes  # type: ignore[union-attr]
    assert caught[0].message.estimate == "1 thread of 4"  # type: ignore[union-attr]
    assert 'hd.convert(A, "csr")' in str(caught[0].message)


def test_a_fault_of_an_estimate_ends_no_call(monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(*arguments: object) -> None:
        raise ValueError("a fault")

    monkeypatch.setattr("heddle.library.cost_inspector.call_costs", fault)
    chain = hd.compile("y(i) = A(i,j) * B(j,k) * x(k)", formats={"A": "csr", "B": "csr"})
    np.testing.assert_allclose(chain(A=A, B=A, x=X).to_numpy(), A @ (A @ X))


def test_a_warning_can_be_an_error() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", hd.PerformanceWarning)
        with pytest.raises(hd.PerformanceWarning):
            hd.compile(SPMV)(A=LARGE, x=NARROW)
    assert issubclass(hd.PerformanceWarning, UserWarning)


def test_a_kernel_explains_its_calls(kernel: hd.Kernel) -> None:
    text = kernel.explain(A=LARGE, x=NARROW)
    assert "Loop steps: about 8,000, for 10 thousand entries and elements." in text
    assert "bytes" in text


def test_a_kernel_explains_its_schedule_without_operands() -> None:
    kernel = hd.compile(SPMV, formats={"A": "csr"}, schedule="auto")
    kernel(A=A, x=X)
    schedule, *_, last = kernel.explain().splitlines()[2:]
    assert schedule.startswith("Schedule: ")
    assert last == "Steps and bytes depend on the operands: kernel.explain(A=A, x=x) has them."


def test_a_comprehension_explains_its_calls_without_steps_that_nobody_counted() -> None:
    text = "def steps(float64(N) u) -> (v) { v(i) = u(i+1) - u(i) where i in 0:3 }"
    kernel = hd.compile(text, language="comprehension", schedule="auto")
    assert kernel.explain().endswith("\nBytes depend on the operands: kernel.explain(u=u) has them.")
    lines = kernel.explain(u=np.arange(4.0)).splitlines()
    assert lines[2:4] == ["Operands: 32 bytes.", "Schedule: parallelize(i, CPUVector, NoRaces)."]
    assert not any(line.startswith("Loop steps") for line in lines)


def test_refill_says_what_is_not_stored() -> None:
    tensor = hd.refill(A, -np.inf)
    assert tensor.fill == -np.inf
    largest = hd.evaluate("y(i) = max(j, A(i,j))", A=tensor).to_numpy()
    dense = np.where(A.toarray() == 0, -np.inf, A.toarray())
    np.testing.assert_array_equal(largest, dense.max(1))
    assert hd.refill(tensor, 0).fill == 0
    with pytest.raises(hd.OperandError, match="cannot hold the fill inf"):
        hd.refill(A.astype(np.int32), np.inf)


def test_a_warning_is_made_again_from_its_arguments() -> None:
    """As pytest-xdist does, and pickle."""
    warning = hd.PerformanceWarning(hd.Diagnostic("performance/dense", "A is stored dense.", hint="Store A as csr."))
    for again in (type(warning)(*warning.args), pickle.loads(pickle.dumps(warning))):
        assert str(again) == str(warning)
        assert again.rewriting == "Store A as csr."


@pytest.mark.parametrize("store", [np.asarray, scipy.sparse.csr_array])
def test_a_wider_dtype_of_the_result_is_that_of_the_products(store: Callable[[Any], Any]) -> None:
    """Eight bits hold no 10,000: the operands are read as what the result is asked to be, as in NumPy."""
    small, large = store(np.full((1, 1), 100, np.int8)), np.full((1, 1), 1e30, np.float32)
    for result in (
        hd.einsum("ij,jk->ik", small, small, dtype="int32"),
        hd.evaluate("C(i,k) = A(i,j) * B(j,k)", A=small, B=small, dtype="int32"),
    ):
        assert result.dtype == "int32"
        assert result.todense() == [[10_000]]
    assert hd.einsum("ij,jk,kl->il", small, small, small, dtype="int64").todense() == [[1_000_000]]
    assert np.isfinite(hd.einsum("ij,jk->ik", large, large, dtype="float64").todense()).all()


def test_the_operand_of_the_call_before_is_looked_at_again() -> None:
    """Its arrays are found again by their identity; what they hold, and which they are, may change between calls."""
    generator = np.random.default_rng(3)
    A = scipy.sparse.csr_array(np.where(generator.random((6, 5)) < 0.5, generator.random((6, 5)), 0.0))
    x = generator.random(5)
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"})

    def check() -> None:
        assert np.allclose(kernel(A=A, x=x).to_numpy(), A @ x)
        assert np.allclose(hd.einsum("ij,j->i", A, x).to_numpy(), A @ x)

    check()
    A.data *= 2
    x[:] = generator.random(5)
    check()
    A.data = generator.random(A.data.size)
    check()
    A.indices = A.indices[::-1].copy()
    A.sort_indices()
    A.sum_duplicates()
    check()
    A.indices[0] = 99
    for call in (lambda: kernel(A=A, x=x), lambda: hd.einsum("ij,j->i", A, x)):
        with pytest.raises(hd.OperandError):
            call()


def test_an_operand_that_nobody_has_is_not_kept() -> None:
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"})
    A, x = scipy.sparse.csr_array(np.eye(3)), np.ones(3)
    kernel(A=A, x=x)
    gone = [weakref.ref(A), weakref.ref(A.data)]
    del A
    gc.collect()
    assert [reference() for reference in gone] == [None, None]


def test_a_large_array_that_nobody_has_is_not_kept() -> None:
    """Kernels that ``evaluate`` remembers would hold the features of the last graph."""
    matrix = scipy.sparse.csr_array(np.eye(3))
    features = np.ones((3, 5000))
    gone = weakref.ref(features)
    for _ in range(3):
        result = hd.evaluate("Z(i,f) = A(i,j) * H(j,f)", A=matrix, H=features)
    assert result.shape == (3, 5000)
    del features
    gc.collect()
    assert gone() is None
