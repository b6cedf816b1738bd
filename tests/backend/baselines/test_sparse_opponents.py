"""Which sparse programs are timed beside SciPy and MKL, with right values, and the true reason where they are not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from heddle.measuring.baselines import mkl, mkl_library, scipy
from heddle.measuring.baselines.linear_forms import Reduction, find_reduction, linear_terms
from heddle.measuring.baselines.mkl_library import MklError
from heddle.measuring.baselines.patterns import with_implicit_sums
from heddle.measuring.contender import Contender, Problem, Unavailable
from heddle.notation.parser import parse
from heddle.runtime.native import toolchain
from tests.backend.baselines import problems
from tests.backend.baselines.problems import check

SQUARE = {"i": 12, "j": 12, "k": 12}
CSR = {"A": "csr", "B": "csr"}


def problem(text: str, formats: dict[str, str], dtype: str = "float64", sizes: dict[str, int] | None = None) -> Problem:
    return replace(problems.problem(text, formats, dtype, sizes), openmp=toolchain.discover().openmp)


@pytest.fixture
def with_mkl() -> None:
    try:
        mkl_library.load(toolchain.discover().openmp)
    except MklError as error:
        pytest.skip(str(error))


@pytest.mark.usefixtures("with_mkl")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    ("text", "formats", "routine"),
    [
        ("C(i,k) = A(i,j) * B(j,k)", {**CSR, "C": "csr"}, "mkl_sparse_spmm, which allocates"),
        ("C(i,k) = A(i,j) * B(k,j)", {**CSR, "C": "csr"}, "mkl_sparse_spmm, which allocates"),
        ("C(i,k) = A(i,j) * B(j,k)", CSR, "mkl_sparse_spmmd; "),
        ("y(i) = A(i,j) * x(j)", {"A": "csr", "x": "compressed"}, "mkl_sparse_spmmd; "),
        ("C(i,j) = A(i,j) + B(i,j)", {**CSR, "C": "csr"}, "mkl_sparse_add, which allocates"),
        ("C(i,j) = A(i,j) - B(j,i)", {**CSR, "C": "csr"}, "mkl_sparse_add, which allocates"),
        ("C(i,j) = A(i,j) - B(i,j) + D(i,j)", {**CSR, "D": "csr", "C": "csr"}, "mkl_sparse_add, which allocates"),
        ("C(i,k) = A(i,j) * B(k,j)", {"A": "csr"}, "mkl_sparse_mm; "),
    ],
)
def test_mkl_is_timed_beside_products_and_sums_of_sparse_operands(
    text: str, formats: dict[str, str], routine: str, dtype: str
) -> None:
    given = problem(text, formats, dtype, SQUARE)
    prepared = mkl.prepare(given)
    check(prepared, given)
    assert isinstance(prepared, Contender)
    prepared.call()
    check(prepared, given)
    assert prepared.note is not None
    assert prepared.note.startswith(routine)
    assert {step["name"] for step in prepared.preparation} <= {"convert", "create", "optimize"}


@pytest.mark.parametrize(
    ("text", "formats", "reason"),
    [
        ("C(i,j) = S(i,j) * A(i,k) * B(k,j)", {"S": "csr"}, "MKL's sparse routines have no sampled product."),
        ("y(i) = max(j, A(i,j))", {"A": "csr"}, "MKL is not compared here yet for this expression."),
        ("y(i) = A(i,j) * x(j)", {}, "MKL is not compared here yet for products of dense operands."),
        (
            "C(i,k) = A(i,j) * B(j,k)",
            {"B": "csr"},
            "MKL is not compared here yet for a dense matrix times a sparse one.",
        ),
        (
            "C(i,j) = A(i,j) + B(i,j)",
            {"A": "csr"},
            "MKL is not compared here yet for sums with dense matrices, as B is.",
        ),
        (
            "C(i,j) = A(i,j) + B(i,j)",
            CSR,
            "MKL is not compared here yet for sums of sparse matrices with a dense result.",
        ),
        (
            "C(i,j) = -A(i,j) - B(i,j)",
            {**CSR, "C": "csr"},
            "MKL is not compared here yet for sums without a positive term.",
        ),
    ],
)
def test_mkl_says_truly_why_it_takes_no_part(text: str, formats: dict[str, str], reason: str) -> None:
    assert mkl.prepare(problem(text, formats)) == Unavailable("mkl", "MKL", reason)


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("y(i) = max(j, A(i,j))", {"A": "csr"}),
        ("y(j) = min(i, A(i,j))", {"A": "csc"}),
        ("s = max(i, max(j, A(i,j)))", {"A": "csr"}),
        ("s = min(i, x(i))", {"x": "compressed"}),
        ("y(i) = A(i,j)", {"A": "csr"}),
        ("y(i) = sum(j, A(i,j))", {"A": "csr"}),
        ("y(j) = A(i,j)", {"A": "csr"}),
        ("s = A(i,j)", {"A": "csr"}),
        ("s = x(i) * y(i)", {"x": "compressed"}),
        ("y(i) = A(i,j) * B(i,j)", CSR),
        ("y(i) = 2 * A(i,j) * x(j) + z(i)", {"A": "csr"}),
        ("y(i) = -A(i,j) * x(j)", {"A": "csr"}),
        ("C(i,j) = A(i,j) * B(i,j)", {**CSR, "C": "csr"}),
        ("C(i,j) = A(i,j) * x(j)", {"A": "csr", "C": "csr"}),
        ("C(i,j) = x(i) * A(i,j)", {"A": "csr", "C": "csr"}),
        ("C(i,j) = 3 * A(i,j)", {"A": "csr", "C": "csr"}),
        ("C(j,i) = A(i,j)", {"A": "csr", "C": "csr"}),
        ("C(i,k) = A(i,j) * B(j,k)", {**CSR, "C": "csr"}),
        ("y(i) = A(i,j) * x(j)", {"A": "bcsr(3,3)"}),
        ("C(i,k) = A(i,j) * B(j,k)", {"A": "bcsr(2,3)"}),
    ],
)
def test_scipy_computes_reductions_scalings_and_products_by_element(text: str, formats: dict[str, str]) -> None:
    given = problem(text, formats)
    prepared = scipy.prepare(given)
    assert isinstance(prepared, Contender), prepared
    prepared.call()
    np.testing.assert_allclose(prepared.result(), expected(given), rtol=1e-12)


def expected(given: Problem) -> object:
    """By dense arrays: maxima and minima count the zeros that are not stored."""
    reduction = find_reduction(given.assignment)
    if reduction is None:
        return problems.evaluate(with_implicit_sums(given.assignment), given.operands, given.sizes, given.dtype).values
    entries = given.operands[reduction.tensor]
    dense = np.zeros(entries.shape)
    dense[entries.columns] = entries.values  # type: ignore[union-attr]
    return getattr(dense, reduction.operator)(axis=reduction.axes)


def test_blocks_that_the_kernel_has_are_blocks_in_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = scipy.prepare(problem("y(i) = A(i,j) * x(j)", {"A": "bcsr(3,3)"}))
    assert isinstance(prepared, Contender)
    assert (
        prepared.note == "One thread: SciPy's sparse operations use only one. A in BSR, with the blocks of the kernel."
    )
    prepared = scipy.prepare(problem("y(i) = A(i,j) * x(j)", {"A": "bcsr(5,3)"}))
    assert isinstance(prepared, Contender)
    assert prepared.note == "One thread: SciPy's sparse operations use only one.", "12 rows are no multiple of 5"


def test_a_sparse_result_is_not_made_dense_while_the_clock_runs() -> None:
    given = problem("C(i,k) = A(i,j) * B(j,k)", {**CSR, "C": "csr"})
    prepared = scipy.prepare(given)
    assert isinstance(prepared, Contender)
    assert prepared.note is not None
    assert "leaves the rows of the product unsorted" in prepared.note
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csr_array, "toarray", lambda _: pytest.fail("made dense in a call"))
        prepared.call()
    prepared = scipy.prepare(problem("C(i,k) = A(i,j) * B(j,k)", CSR))
    assert isinstance(prepared, Contender)
    assert prepared.note is not None
    assert prepared.note.endswith("The result is made sparse and then dense, as the kernel's is.")


def test_scipy_counts_zeros_that_a_fill_replaces() -> None:
    given = problem("y(i) = min(j, A(i,j))", {"A": "csr"})
    tensors = given.signature.tensors
    filled = replace(given.signature, tensors={**tensors, "A": replace(tensors["A"], fill=float("inf"))})
    reason = "A is filled with inf, SciPy's sparse arrays with 0."
    assert scipy.prepare(replace(given, signature=filled)) == Unavailable("scipy", "SciPy", reason)


def test_products_of_dense_arrays_are_not_said_to_use_one_thread() -> None:
    prepared = scipy.prepare(problem("C(i,j) = S(i,j) * A(i,k) * B(k,j)", {"S": "csr"}))
    assert isinstance(prepared, Contender)
    assert prepared.note is not None
    assert prepared.note.startswith("Dense products on as many threads as the kernel, 2; all else on one.")


@pytest.mark.parametrize(
    ("text", "reduction"),
    [
        ("y(i) = max(j, A(i,j))", Reduction("max", "A", (1,))),
        ("y(j) = min(i, A(i,j))", Reduction("min", "A", (0,))),
        ("s = max(i, max(j, A(i,j)))", Reduction("max", "A", (0, 1))),
        ("s = max(i, min(j, A(i,j)))", None),
        ("y(i) = max(j, A(i,j) + 1)", None),
        ("C(j,i) = max(k, B(i,j,k))", None),
        ("y(i) = sum(j, A(i,j))", None),
    ],
)
def test_reductions_are_recognised(text: str, reduction: Reduction | None) -> None:
    assert find_reduction(parse(text)) == reduction


@pytest.mark.parametrize(
    "text", ["y(i) = A(i,j) * B(j,k) * x(k)", "y(i) = A(i,j) / x(j)", "C(i,j) = A(i,j) + x(i)", "y(i) = abs(x(i))"]
)
def test_what_is_no_sum_of_operations_on_matrices_is_not_compared(text: str) -> None:
    assert linear_terms(parse(text)) is None
