"""A tensor is an array: what NumPy computes of the dense array, it computes of the sparse one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.linalg import aslinearoperator, cg

import heddle as hd
from heddle.formats.printer import format_text

pytestmark = pytest.mark.takes_turns(4)

make: Any = scipy.sparse.random_array
S = make((6, 7), density=0.3, format="csr", rng=np.random.default_rng(0))
D = S.toarray()
T = hd.asarray(S)
CUBE = make((3, 4, 5), density=0.2, format="coo", rng=np.random.default_rng(0))
ROW, COLUMN = np.arange(7.0), np.arange(6.0)[:, None]

ELEMENTWISE: dict[str, tuple[Callable[[Any], Any], str]] = {
    "sum": (lambda t: t + t, "csr"),
    "plus a number": (lambda t: 2 + t, "dense"),
    "difference": (lambda t: t - t, "csr"),
    "from a number": (lambda t: 1 - t, "dense"),
    "times a number": (lambda t: 3 * t, "csr"),
    "quotient": (lambda t: t / 2, "csr"),
    "square": (lambda t: t**2, "csr"),
    "root": (lambda t: t**0.5, "csr"),
    "power": (lambda t: t**2.5, "csr"),
    "power that is infinite": (lambda t: t**np.inf, "dense"),
    "power that is no number": (lambda t: t ** float("nan"), "dense"),
    "sign": (lambda t: -t, "csr"),
    "magnitude": (lambda t: abs(-t), "csr"),
    "greater": (lambda t: t > 0.5, "csr"),
    "at most": (lambda t: t <= 0.5, "dense"),
    "equal": (lambda t: t == 0, "dense"),
    "unequal": (lambda t: t != 0, "csr"),
    "a row for each row": (lambda t: t * ROW, "csr"),
    "an array on the left": (lambda t: ROW * t, "csr"),
    "a column for each column": (lambda t: t + COLUMN, "dense"),
    "both of two masks": (lambda t: (t > 0.2) & (t < 0.7), "csr"),
    "one of two masks": (lambda t: (t > 0.7) | (t > ROW), "dense"),
    "one mask alone": (lambda t: (t > 0.7) ^ (t > 0.2), "csr"),
    "a mask turned round": (lambda t: ~(t > 0.5), "dense"),
    "NumPy's and": (lambda t: np.logical_and(t > 0.2, t < 0.7), "csr"),
    "greater than a number of NumPy": (lambda t: t > np.float64(0.5), "csr"),
    "a number of NumPy that is greater": (lambda t: np.float64(0.5) < t, "csr"),
    "power with a number of NumPy": (lambda t: t ** np.float64(2), "csr"),
    "conjugates": (lambda t: np.conj(t * (1 + 2j)), "csr"),
    "a list added up": (lambda t: sum([t, t]), "csr"),
    "minus zero": (lambda t: t - 0, "csr"),
    "NumPy's function of one": (lambda t: np.sqrt(t), "csr"),
    "NumPy's function of two": (lambda t: np.maximum(t, 0.5), "dense"),
}
OTHERS: dict[str, Callable[[Any], Any]] = {
    "matrix times vector": lambda t: t @ ROW,
    "matrix times matrix": lambda t: t @ t.T,
    "array times matrix": lambda t: np.ones((2, 6)) @ t,
    "sum of all": lambda t: t.sum(),
    "sum of columns": lambda t: t.sum(0),
    "sum of rows, whose axis stays": lambda t: t.sum(axis=-1, keepdims=True),
    "sum over both axes": lambda t: t.sum((0, 1)),
    "mean": lambda t: t.mean(1),
    "largest": lambda t: t.max(0),
    "smallest of negatives": lambda t: (-t).min(1),
    "product": lambda t: t.prod(0),
    "any": lambda t: t.any(1),
    "all": lambda t: t.all(),
    "NumPy's sum": lambda t: np.sum(t, axis=1, dtype=np.float64, keepdims=True),
    "NumPy's mean": lambda t: np.mean(t),
    "NumPy's largest": lambda t: np.max(t, axis=0),
    "NumPy's place of the largest": lambda t: np.argmax(t, axis=0),
    "number of the largest": lambda t: t.argmax(),
    "places of the largest": lambda t: t.argmax(0),
    "places of the smallest, which are not stored": lambda t: t.argmin(1),
    "places of the smallest of negatives": lambda t: (-t).argmin(1),
    "a row": lambda t: t[2],
    "an element": lambda t: t[2, 3],
    "a row from the end": lambda t: t[-1],
    "rows": lambda t: t[1:4],
    "no rows": lambda t: t[3:3],
    "every second row, other columns": lambda t: t[::2, 1:],
    "rows backwards": lambda t: t[::-1],
    "a column": lambda t: t[:, 3],
    "rows by numbers, which repeat": lambda t: t[[3, 1, 1, -1]],
    "rows by no numbers": lambda t: t[[]],
    "columns by no numbers": lambda t: t[:, []],
    "columns by numbers": lambda t: t[:, np.array([6, 0])],
    "rows by a mask": lambda t: t[np.array([True, False, True, False, True, True])],
    "an ellipsis": lambda t: t[..., 2],
    "a new dimension": lambda t: t[:, None, :],
    "elements by a mask": lambda t: t[D > 0.3],
    "another shape": lambda t: t.reshape(2, -1, 7),
    "one dimension": lambda t: t.reshape((-1,)),
    "axes in another order": lambda t: t.transpose(1, 0),
    "transpose": lambda t: t.T,
}


def same(result: Any, expected: Any) -> None:
    found = result.to_numpy() if isinstance(result, hd.Tensor) else result
    assert np.shape(found) == np.shape(expected)
    np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize("case", ELEMENTWISE)
def test_operators_are_those_of_numpy(case: str) -> None:
    compute, format = ELEMENTWISE[case]
    result = compute(T)
    same(result, compute(D))
    same(compute(hd.asarray(D)), compute(D))
    assert (format_text(result.format) if not result.format.is_dense else "dense") == format


@pytest.mark.parametrize("case", OTHERS)
def test_reductions_parts_and_shapes_are_those_of_numpy(case: str) -> None:
    compute = OTHERS[case]
    same(compute(T), compute(D))
    same(compute(hd.asarray(D)), compute(D))


FORMATS = ["dcsr", "bcsr(2,7)", "sell(2,4)", "hyb(1,2)", "coo-perm", "csb(4,4)"]


@pytest.mark.parametrize("format", FORMATS)
def test_tensors_of_every_format_compute(format: str) -> None:
    """Also those that no kernel reads beside another operand, or whose format no result has."""
    tensor = hd.pack(S, format)
    same(tensor + T, 2 * D)
    same(tensor + tensor, 2 * D)
    same(tensor @ hd.asarray(S.T), D @ D.T)
    same(tensor.max(1), D.max(1))
    same(tensor.sum(), D.sum())
    same(tensor[1:3], D[1:3])
    same(tensor.T, D.T)
    for moved in (tensor.copy(), tensor.astype(float), tensor.prune()):
        assert format_text(moved.format) == format
        assert not np.shares_memory(moved.vals, tensor.vals)
        same(moved, D)


def test_tensors_of_three_dimensions() -> None:
    tensor, dense = hd.asarray(CUBE), CUBE.toarray()
    computations: tuple[Callable[[Any], Any], ...] = (
        lambda t: t.sum((0, 2)),
        lambda t: t[1:, 2],
        lambda t: t.argmax(1),
        lambda t: t.T,
        lambda t: t @ np.ones((5, 2)),
        lambda t: t[t > 0.5],
    )
    for compute in computations:
        same(compute(tensor), compute(dense))


def test_tensors_are_joined_and_repeated() -> None:
    same(hd.concatenate([T, S, D]), np.concatenate([D, D, D]))
    same(hd.concatenate([T, T], axis=1), np.concatenate([D, D], axis=1))
    same(hd.stack([T, T], axis=1), np.stack([D, D], axis=1))
    same(hd.broadcast_to(T, (2, 6, 7)), np.broadcast_to(D, (2, 6, 7)))
    same(hd.broadcast_to(T[:1], (6, 7)), np.broadcast_to(D[:1], (6, 7)))
    same(hd.reshape(S, (7, 6)), D.reshape(7, 6))
    same(hd.transpose(S), D.T)
    with pytest.raises(hd.OperandError, match="These tensors cannot be joined: expected one fill"):
        hd.concatenate([T, hd.refill(T, 1)])


def test_the_largest_elements_of_each_row() -> None:
    for axis, tensor, dense in ((1, T, D), (0, -T, -D)):
        values, places = hd.topk(tensor, 3, axis=axis)
        order = np.argsort(-dense, axis=axis, kind="stable").take(np.arange(3), axis)
        same(places, order)
        same(values, np.take_along_axis(dense, order, axis))
    with pytest.raises(hd.OperandError, match="too few elements for the topk of 8"):
        hd.topk(T, 8)


def test_nan_is_the_extremum_and_fills_count() -> None:
    dense = np.array([[1, np.nan, 3], [0, -1, -2], [-1, -2, -3.0]])
    sparse = hd.pack(dense, "csr")
    same(sparse.argmax(1), dense.argmax(1))
    same(sparse.argmin(1), dense.argmin(1))
    filled = hd.refill(hd.pack([[0, 5.0], [7, 0]], "csr"), -np.inf)
    same(filled.max(), 7)
    same(filled.argmin(1), [0, 1])


def test_integers_are_summed_in_64_bits() -> None:
    small = hd.asarray((S * 100).astype(np.int8))
    assert small.sum().dtype == "int64"
    assert float(small.sum()) == (S * 100).astype(np.int8).toarray().sum()
    assert (small > 3).sum().dtype == "int64"
    assert (small**2).dtype == "int8"
    assert (small / 2).dtype == "float64"
    assert small.mean().dtype == "float64"


def test_attributes() -> None:
    assert (T.ndim, T.size, T.nnz, len(T)) == (2, 42, S.nnz, 6)
    assert hd.pack(S, "ell").nnz == hd.pack(S, "hyb(1,2)").nnz == S.nnz
    assert hd.asarray(D).nnz == 42
    assert T.nbytes == S.data.nbytes + 4 * (S.nnz + 7)
    np.testing.assert_array_equal(T.todense(), D)
    np.testing.assert_array_equal(T.tocoo().toarray(), D)
    assert float(T.sum()) == pytest.approx(D.sum())
    assert bool((T >= 0).all())
    assert int(hd.asarray(3)) == 3
    assert complex(hd.asarray(3j)) == 3j
    assert [row.nnz for row in T] == list(np.diff(S.indptr))


def test_results_share_no_memory_with_their_operands() -> None:
    borrowed = hd.pack(S, "csr", copy=False)
    for result in (
        T.copy(),
        borrowed.copy(),
        T.T,
        T[:3],
        T[::2],
        T.astype("float32"),
        T.astype("float64"),
        T.prune(),
        T.reshape(7, 6),
        +T,
        hd.asarray(D)[:],
        hd.asarray(D).T,
        hd.concatenate([T]),
    ):
        assert not np.shares_memory(result.vals, T.vals)
        assert not np.shares_memory(result.vals, S.data)
        result.vals[...] = -1
    np.testing.assert_array_equal(T.to_numpy(), D)
    np.testing.assert_array_equal(S.toarray(), D)


def test_zeros_that_are_stored_can_be_left_out() -> None:
    difference = T - T
    assert difference.nnz == S.nnz
    assert difference.prune().nnz == 0
    assert hd.asarray(D).prune().nnz == 42


def test_nothing_becomes_dense_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    for densify in (np.asarray, np.array, lambda t: np.sin(t, out=np.empty((6, 7))), np.linalg.norm):
        with pytest.raises(hd.OperandError, match="would become a dense array of 42 elements without anybody asking"):
            densify(T)
    np.testing.assert_array_equal(np.asarray(hd.asarray(D)), D)
    monkeypatch.setenv("HEDDLE_AUTO_DENSIFY", "1")
    np.testing.assert_array_equal(np.asarray(T), D)


def test_dense_tensors_go_through_dlpack() -> None:
    np.testing.assert_array_equal(np.from_dlpack(hd.asarray(D)), D)
    result = hd.evaluate("C(i,j) = 2 * A(i,j)", A=D)
    assert np.shares_memory(np.from_dlpack(result), result.vals)


def test_asarray_stores_what_it_is_given() -> None:
    assert hd.asarray(T) is T
    assert format_text(hd.asarray(S.tocsc()).format) == "csc"
    assert format_text(hd.asarray(S.tocoo()).format) == "csr"
    assert format_text(hd.asarray(CUBE).format) == "csf"
    assert format_text(hd.asarray(D, "dcsr").format) == "dcsr"
    assert hd.asarray(S, dtype="complex128").dtype == "complex128"
    assert hd.asarray([1, 2]).dtype == "int64"


def test_asarray_takes_a_narrower_type_that_has_all_values() -> None:
    assert hd.asarray([1, 100], dtype="int8").dtype == "int8"
    assert hd.asarray(scipy.sparse.csr_array(np.eye(3)), "csc", "float32").dtype == "float32"


def test_index_arrays_select_pairs() -> None:
    rows, columns = np.array([[1, 5], [-1, 0]]), np.array([3, -7])
    np.testing.assert_array_equal(T[rows, columns].to_numpy(), D[rows, columns])
    np.testing.assert_array_equal(T[D[:, 0] == 0, 2].to_numpy(), D[D[:, 0] == 0, 2])
    mask = np.arange(6) < 3
    np.testing.assert_array_equal(T[mask, [0, 1, 2]].to_numpy(), D[mask, [0, 1, 2]])


KEYS: dict[str, Any] = {
    "an integer apart from an array": np.s_[0, :, [1, 2]],
    "an integer beside an array": np.s_[:, 0, [1, 2]],
    "arrays apart": np.s_[[0, 1], :, [2, 3]],
    "arrays side by side": np.s_[:, [0, 1], [2, 0]],
    "arrays before a slice": np.s_[[0, 2], [1, 1]],
    "arrays that broadcast": np.s_[[[0], [2]], 1:3, [0, 3]],
    "an array of two dimensions": np.s_[:, [[0, 1], [1, 3]]],
    "a mask and an array": np.s_[[True, False, True], :, [0, 3]],
    "an array behind a new dimension": np.s_[0, None, [1, 2]],
}


@pytest.mark.parametrize("case", KEYS)
def test_index_arrays_beside_slices_select_what_numpy_selects(case: str) -> None:
    expected = CUBE.toarray()[KEYS[case]]
    for layout in ("csf", "coo"):
        np.testing.assert_array_equal(hd.pack(CUBE, layout)[KEYS[case]].todense(), expected)


LINES: dict[str, Callable[[Any], Any]] = {
    "a line": lambda t: t[2],
    "lines by numbers": lambda t: t[[3, 0, 3]],
    "every second line": lambda t: t[::-2],
    "lines of a mask": lambda t: t[np.arange(t.shape[0]) > 2],
    "parts of lines": lambda t: t[:, 2:5],
    "parts of some lines": lambda t: t[[4, 1], 1:3],
    "no part of lines": lambda t: t[1:3, 5:2],
    "everything": lambda t: t[:],
    "the transpose": lambda t: t.T,
    "an element": lambda t: t[2:3, 4:5],
}


@pytest.mark.parametrize("layout", ["csr", "csc"])
@pytest.mark.parametrize("case", LINES)
def test_lines_of_compressed_matrices_are_copied(case: str, layout: str) -> None:
    for dense in (D, D.T):
        matrix = hd.pack(dense, layout)
        part = LINES[case](matrix)
        part.validate()
        np.testing.assert_array_equal(part.todense(), LINES[case](dense))
        part.vals[:] = 7
        np.testing.assert_array_equal(matrix.todense(), dense)


@pytest.mark.parametrize("layout", ["csr", "csc"])
@pytest.mark.parametrize("axis", [0, 1])
def test_compressed_matrices_are_joined_along_both_axes(layout: str, axis: int) -> None:
    parts = [D, np.zeros((6, 0)) if axis else np.zeros((0, 7)), D[:, ::-1], D * (D > 0.5)]
    joined = hd.concatenate([hd.pack(part, layout) for part in parts], axis)
    joined.validate()
    assert format_text(joined.format) == layout
    np.testing.assert_array_equal(joined.todense(), np.concatenate(parts, axis))
    kept = (hd.pack(D, layout) * hd.pack(D > 0.5, layout)).prune()
    kept.validate()
    assert kept.nnz == (D > 0.5).sum()


def test_solvers_of_scipy_take_tensors() -> None:
    spd = scipy.sparse.csr_array(S @ S.T + 10 * scipy.sparse.eye_array(6))
    np.testing.assert_allclose(
        cg(hd.asarray(spd), np.ones(6), rtol=1e-10)[0], np.linalg.solve(spd.toarray(), np.ones(6))
    )
    waves: Any = hd.asarray(S * (1 + 2j))
    operator_of: Any = aslinearoperator
    np.testing.assert_allclose(operator_of(waves).rmatvec(np.ones(6)), (1 - 2j) * D.T @ np.ones(6))


def test_a_matrix_of_scipy_on_the_left_is_told_of_the_swap() -> None:
    products: tuple[Callable[[], object], ...] = (lambda: S @ T.T, lambda: S * T)
    for product in products:
        with pytest.raises(hd.OperandError, match=r"with a SciPy matrix S on the left hd.asarray\(S\) @ T"):
            product()


def test_extrema_keep_their_axis_as_numpys() -> None:
    for axis in (None, 0, -1):
        np.testing.assert_array_equal(T.argmax(axis, keepdims=True).todense(), D.argmax(axis, keepdims=True))
        np.testing.assert_array_equal(T.argmin(axis, keepdims=True).todense(), D.argmin(axis, keepdims=True))


def test_numbers_of_numpy_promote_as_numpy_promotes() -> None:
    for base, exponent in ((np.int32(3), np.int64(2)), (np.float32(3), np.float64(2)), (np.int8(3), np.int8(2))):
        power = hd.asarray(np.full((2, 2), base)) ** exponent
        assert (power.dtype, power[0, 0]) == (str((base**exponent).dtype), 9)
    tenths = hd.asarray(np.full(1, 0.1, np.float32))
    assert (bool(tenths > np.float64(0.1)), bool(tenths > 0.1)) == (True, False)


def test_a_tensor_with_one_element_is_written_as_a_number() -> None:
    assert (f"{T.sum():.3f}", f"{T[:1, :1]:g}") == (f"{D.sum():.3f}", f"{D[0, 0]:g}")
    assert f"{T}" == str(T)


def test_a_function_of_numpy_that_takes_no_sparse_tensors_is_named() -> None:
    add: Any = np.add.reduce
    functions: dict[str, Callable[[], object]] = {"isnan": lambda: np.isnan(T), "add.reduce": lambda: add(T)}
    for name, call in functions.items():
        with pytest.raises(hd.OperandError, match=rf"^numpy\.{name} takes no sparse tensors in this call\. A sparse"):
            call()


WRONG: dict[str, Any] = {"text": "a", "half": 0.5}
REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "too many indices": (lambda: T[1, 2, 3], "3 indices are too many for 2 dimensions."),
    "an index outside": (lambda: T[6], "The index 6 lies outside of dimension 0, which has the size 6."),
    "a text": (lambda: T["a"], "a str is not an index."),
    "an index array of halves": (
        lambda: T[[0.5]],
        "An index array of dimension 0 has integers or one truth value for each element, not float64.",
    ),
    "index arrays of other lengths": (lambda: T[[1, 2], [1, 2, 3]], "shapes (2,), (3,) do not make pairs."),
    "a type that lacks a value": (
        lambda: hd.asarray([1, 500], dtype="int8"),
        "the array holds 500 of type int64, which int8 has not.",
    ),
    "a mask of another size": (lambda: T[np.array([True])], "The mask of dimension 0 has 1 elements."),
    "a mask of another shape": (lambda: T[np.ones((2, 2), bool)], "A mask of the shape (2, 2) and type bool"),
    "shapes that do not fit": (lambda: T + np.ones(6), "Arrays of the shapes (6, 7) and (6,) do not fit each other."),
    "a text as an axis": (lambda: T.sum(WRONG["text"]), "the axis must be a whole number, or several, but is 'a'"),
    "a half as an axis": (
        lambda: T.sum(axis=(0, WRONG["half"])),
        "must be a whole number, or several, but is 0.5",
    ),
    "fewer than none": (lambda: hd.topk(T, -1), "k must be a whole number from 0 to the size of the axis, but is -1"),
    "half of one": (
        lambda: hd.topk(T, WRONG["half"]),
        "from 0 to the size of the axis, but is 0.5",
    ),
    "nothing as an operand": (lambda: hd.evaluate("y(i) = q(i)", q=None), "q cannot be packed: it is given as a"),
    "an axis": (lambda: T.sum(2), "The axes 2 are not those of a tensor of 2 dimensions."),
    "a shape": (lambda: T.reshape(5, 5), "has 42 elements, which do not fit the shape (5, 5)."),
    "a truth value": (lambda: bool(T), "the truth value of a tensor of the shape (6, 7) has no meaning"),
    "the largest of nothing": (lambda: T[:0].max(), "too few elements for the max of a tensor of the shape (0, 7)"),
    "a number as a matrix": (lambda: T @ 2, "@ multiplies matrices and vectors, and one side is a number."),
    "the largest complex number": (
        lambda: (T * 1j).argmax(),
        "argmax compares real numbers, and the tensor",
    ),
    "numbers as truth values": (
        lambda: T & (T > 0),
        "& combines truth values, and one side has",
    ),
    "numbers turned round": (lambda: ~T, "~ combines truth values, and one side has values of type float64."),
    "a type that there is not": (lambda: T.astype("foo"), "the dtype must be one of float64, float32"),
    "memory for a sum": (lambda: T.sum(out=np.empty(())), "out must be None: reductions of tensors return new ones"),  # type: ignore[arg-type]
    "a fill that a type lacks": (lambda: hd.refill(T, np.inf).astype("int8"), "int8 has no value for the fill inf."),
    "a shape to repeat to": (lambda: hd.broadcast_to(T, (5, 7)), "cannot be repeated to the shape (5, 7)."),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_has_no_meaning_is_refused(case: str) -> None:
    compute, message = REFUSED[case]
    with pytest.raises(hd.OperandError) as refused:
        compute()
    assert message in str(refused.value)


def test_what_is_no_operand_is_left_to_python() -> None:
    with pytest.raises(TypeError):
        T + "text"
    with pytest.raises(TypeError):
        len(hd.asarray(3))
    unequal: object = T == None  # noqa: E711
    assert unequal is False
    assert T in {T}


def test_a_program_that_keeps_results_ends_in_silence() -> None:
    program = "import heddle as hd; a = hd.evaluate('y(i) = 2 * x(i)', x=[1.0]); b = hd.asarray(a); print(float(a[0]))"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("2.0\n", "")


def test_automatic_kernels_know_their_operands_again() -> None:
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"}, schedule="auto")
    for _ in range(2):
        same(kernel(A=T, x=ROW), D @ ROW)
