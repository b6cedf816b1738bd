"""The promises of docs/understand/memory.md: who shares memory with whom, and who sees what is written there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import heddle as hd
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.tensor import Tensor

DENSE = np.array([[7.0, 0, 5, 3], [1, 0, 0, 6], [0, 8, 3, 7]])
X = np.array([0.0, 1, 0, 1])
SCALED = "C(i,j) = A(i,j) * x(j)"
IN_PLACE: dict[str, Callable[[Any], object]] = {
    "eliminate_zeros": lambda matrix: matrix.eliminate_zeros(),
    "sort_indices": lambda matrix: (setattr(matrix, "has_sorted_indices", False), matrix.sort_indices()),
    "sum_duplicates": lambda matrix: (setattr(matrix, "has_canonical_format", False), matrix.sum_duplicates()),
    "prune": lambda matrix: matrix.prune(),
    "setdiag": lambda matrix: matrix.setdiag(9.0),
    "resize": lambda matrix: matrix.resize(3, 2),
    "data": lambda matrix: np.multiply(matrix.data, 2, out=matrix.data),
    "times": lambda matrix: matrix.__imul__(2),
    "indices": lambda matrix: matrix.indices.fill(0),
    "indptr": lambda matrix: matrix.indptr.fill(0),
}
"""What a person does to a SciPy matrix in place."""


def arrays(tensor: Tensor) -> Iterator[np.ndarray]:
    if isinstance(tensor, Composite):
        for part in tensor.parts:
            yield from arrays(part)
    yield from tensor.arrays().values()


def memory(matrix: Any) -> list[np.ndarray]:
    return [matrix.data, matrix.indices, matrix.indptr]


def writable_in_common(first: Any, second: Any) -> bool:
    return any(np.shares_memory(a, b) and (a.flags.writeable or b.flags.writeable) for a in first for b in second)


def scaled(target: str = "c") -> Any:
    return hd.compile(SCALED, formats={"A": "csr", "C": "csr"}, target=target)


# A result shares no writable memory


@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("name", IN_PLACE)
@pytest.mark.parametrize("packed", [False, True])
def test_what_scipy_does_in_place_to_a_result_changes_nothing_else(packed: bool, name: str, target: str) -> None:
    matrix, kernel = sp.csr_array(DENSE), scaled(target)
    operand = hd.pack(matrix, "csr") if packed else matrix
    first, second = kernel(A=operand, x=X), kernel(A=operand, x=X)
    IN_PLACE[name](first.to_scipy())
    for tensor in (first, second, kernel(A=operand, x=X)):
        np.testing.assert_array_equal(tensor.to_numpy(), DENSE * X)
    np.testing.assert_array_equal(matrix.toarray(), DENSE)
    if isinstance(operand, Tensor):
        np.testing.assert_array_equal(operand.to_numpy(), DENSE)


@pytest.mark.parametrize(
    ("expression", "formats"),
    [
        (SCALED, {"A": "csr", "C": "csr"}),
        ("C(i,j) = abs(A(i,j))", {"A": "csc", "C": "csc"}),
        ("C(i,j) = A(i,j) * A(i,j)", {"A": "dcsr", "C": "dcsr"}),
        ("C(i,j) = 2 * A(i,j)", {"A": "coo", "C": "coo"}),
        ("C(i,j) = 2 * A(i,j)", {"A": "hyb(1,1)", "C": "hyb(1,1)"}),
        ("C(i,j) = A(i,j) + A(i,j) * A(i,j)", {"A": "csr", "C": "csr"}),
        ("y(i) = A(i,j)", {"A": "csr"}),
    ],
)
def test_results_share_no_writable_memory_with_operands_or_each_other(expression: str, formats: dict[str, str]) -> None:
    kernel = hd.compile(expression, formats=formats)
    matrix = sp.csc_array(DENSE) if formats["A"] == "csc" else sp.csr_array(DENSE)
    given = {"x": X} if "x(j)" in expression else {}
    packed = hd.pack(matrix, formats["A"])
    from_matrix, from_packed, again = (kernel(A=operand, **given) for operand in (matrix, packed, packed))
    assert not writable_in_common(arrays(from_matrix), memory(matrix))
    for one, other in ((from_packed, packed), (from_packed, again), (from_matrix, from_packed)):
        assert not writable_in_common(list(arrays(one)), list(arrays(other)))


def test_a_result_of_a_result_shares_no_writable_memory_with_it() -> None:
    first = scaled()(A=sp.csr_array(DENSE), x=X)
    second = scaled()(A=first, x=X)
    assert not writable_in_common(list(arrays(first)), list(arrays(second)))
    first.to_scipy().eliminate_zeros()
    second.to_scipy().eliminate_zeros()
    np.testing.assert_array_equal(first.to_numpy(), DENSE * X)
    np.testing.assert_array_equal(second.to_numpy(), DENSE * X)


def test_a_result_does_not_follow_the_operand() -> None:
    matrix = sp.csr_array(DENSE)
    result = scaled()(A=matrix, x=X)
    matrix.data[:] = [0, 5, 3, 0, 6, 8, 0, 7]
    matrix.eliminate_zeros()
    matrix.indices.fill(0)
    np.testing.assert_array_equal(result.to_numpy(), DENSE * X)


@pytest.mark.parametrize("raw", [False, True])
def test_a_kept_pattern_stays_when_results_are_cleaned_up(raw: bool) -> None:
    kernel = hd.compile("C(i,j) = A(i,j) + B(i,j)", formats=dict.fromkeys("ABC", "csr"))
    a, b = sp.csr_array(DENSE), sp.csr_array(np.eye(3, 4))
    given = {"A": a, "B": b} if raw else {"A": hd.pack(a, "csr"), "B": hd.pack(b, "csr")}
    kept = kernel.assemble(**given)
    zero = hd.pack(sp.csr_array((np.zeros(a.nnz), a.indices, a.indptr), a.shape), "csr")
    for tensor in (kept.result, kept.compute(**given), kept.compute(A=zero, B=b)):
        tensor.to_scipy().eliminate_zeros()
    np.testing.assert_array_equal(kept.compute(**given).to_numpy(), DENSE + np.eye(3, 4))
    np.testing.assert_array_equal(kept.result.to_numpy(), DENSE + np.eye(3, 4))


def test_coordinates_of_a_kept_operand_that_were_rewritten_in_place_are_noticed() -> None:
    kernel = hd.compile("C(i,j) = A(i,j) + B(i,j)", formats=dict.fromkeys("ABC", "csr"))
    a, b = sp.csr_array(DENSE), sp.csr_array(np.eye(3, 4))
    kept = kernel.assemble(A=a, B=b)
    a.indices[:] = [0, 1, 3, 0, 3, 1, 2, 3]
    with pytest.raises(hd.CompileError, match="A does not store what it did when the result was assembled"):
        kept.compute(A=a, B=b)


# What a tensor hands out


def test_index_arrays_of_every_tensor_are_read_only() -> None:
    matrix = sp.csr_array(DENSE)
    for tensor in (scaled()(A=matrix, x=X), hd.pack(matrix, "csr"), hd.pack(matrix, "csr", copy=False)):
        for slot, array in tensor.arrays().items():
            assert array.flags.writeable == (slot[0] == "vals" and tensor.ownership.name != "SNAPSHOT")
    assert matrix.indices.flags.writeable
    assert matrix.indptr.flags.writeable


def test_to_scipy_without_a_copy_is_on_the_memory_of_the_tensor() -> None:
    result = scaled()(A=sp.csr_array(DENSE), x=X)
    matrix: Any = result.to_scipy(copy=False)
    assert np.shares_memory(matrix.data, result.vals)
    with pytest.raises(ValueError, match="read-only"):
        matrix.eliminate_zeros()
    with pytest.raises(ValueError, match="read-only"):
        matrix.indices[0] = 1
    np.testing.assert_array_equal(result.to_numpy(), DENSE * X)
    matrix.data *= 2
    np.testing.assert_array_equal(result.to_numpy(), DENSE * X * 2)
    packed: Any = hd.pack(sp.csr_array(DENSE), "csr").to_scipy(copy=False)
    with pytest.raises(ValueError, match="read-only"):
        packed.data *= 2


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "ell", "hyb(1,1)"])
def test_to_scipy_and_to_coo_are_copies(format: str) -> None:
    packed = hd.pack(sp.csr_array(DENSE), format)
    matrix: Any = packed.to_scipy()
    matrix.data *= 2
    _, values = packed.to_coo()
    values *= 2
    np.testing.assert_array_equal(packed.to_numpy(), DENSE)


def test_an_array_of_a_dense_result_is_a_view_and_of_a_snapshot_a_read_only_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = hd.compile("y(i) = x(i) * 2")(x=X)
    result.to_numpy()[0] = 5
    assert result.to_numpy()[0] == 5
    packed = hd.pack(X)
    with pytest.raises(ValueError, match="read-only"):
        packed.to_numpy()[0] = 5
    copied = np.array(packed)
    copied[0] = 5
    assert packed.to_numpy()[0] == 0
    assert np.asarray(result) is not None
    assert np.shares_memory(np.asarray(result), result.vals)
    with pytest.raises(hd.OperandError, match="would become a dense array"):
        np.asarray(hd.pack(DENSE, "csr"))
    monkeypatch.setenv("HEDDLE_AUTO_DENSIFY", "1")
    with pytest.raises(ValueError, match="copy=False"):
        np.asarray(hd.pack(DENSE, "csr"), copy=False)


# Packed tensors


FORMATS = ["csr", "csc", "coo", "dcsr", "ell", "dia", "bcsr(2,2)", "sell(2)", "hyb(1,1)", "coo-perm", "dense,dense"]


def operands() -> dict[str, Any]:
    coo = sp.coo_array(DENSE)
    return {
        "array": DENSE.copy(),
        "csr": sp.csr_array(DENSE),
        "csc": sp.csc_array(DENSE),
        "coo": coo,
        "bsr": sp.bsr_array(DENSE, blocksize=(3, 2)),
        "entries": (tuple(column.copy() for column in coo.coords), coo.data.copy(), DENSE.shape),
        "result": hd.compile("C(i,j) = 1 * A(i,j)", formats={"A": "csr", "C": "csr"})(A=DENSE),
    }


def held_by(operand: Any) -> list[np.ndarray]:
    if isinstance(operand, Tensor):
        return [operand.vals]
    if isinstance(operand, tuple):
        return [*operand[0], operand[1]]
    return [operand] if isinstance(operand, np.ndarray) else [operand.data]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("kind", operands())
def test_a_packed_tensor_does_not_change_when_its_source_does(kind: str, format: str) -> None:
    operand = operands()[kind]
    packed = hd.pack(operand, format)
    assert not packed.borrowed
    for array in held_by(operand):
        array[...] = 0
    np.testing.assert_array_equal(packed.to_numpy(), DENSE)
    assert not any(array.flags.writeable for array in arrays(packed) if array.size)


def test_entries_in_order_and_many_of_them_are_copied() -> None:
    count = 5000
    rows, columns, values = np.arange(count, dtype=np.int32), np.zeros(count, np.int32), np.ones(count)
    for format in ("csr", "coo", "dcsr", "coo-perm"):
        packed = hd.pack(((rows, columns), values, (count, 1)), format)
        assert not any(np.shares_memory(array, own) for array in arrays(packed) for own in (rows, columns, values))


@pytest.mark.parametrize("offset", range(9))
def test_a_dense_array_is_a_snapshot_wherever_it_lies(offset: int) -> None:
    base = np.zeros(100)
    x = base[offset : offset + 50]
    snapshot, view = hd.pack(x), hd.pack(x, copy=False)
    x[:] = 2
    assert (snapshot.borrowed, view.borrowed) == (False, True)
    kernel = hd.compile("y(i) = x(i) * 1")
    assert kernel(x=snapshot).to_numpy()[0] == 0
    assert kernel(x=view).to_numpy()[0] == 2


def test_a_borrowing_tensor_says_whether_it_could() -> None:
    matrix = sp.csr_array(DENSE)
    assert hd.pack(matrix, "csr", copy=False).borrowed
    for operand, format, dtype in (
        (matrix, "csc", None),
        (matrix, "ell", None),
        (matrix.astype(np.float32), "csr", "float64"),
        (DENSE[:, ::2], "dense,dense", None),
        (DENSE.tolist(), "csr", None),
    ):
        assert not hd.pack(operand, format, dtype, copy=False).borrowed


def test_coordinates_of_borrowed_memory_are_looked_at_again_when_asked() -> None:
    matrix = sp.csr_array(np.eye(3))
    packed = hd.pack(matrix, "csr", copy=False)
    hd.validate(packed)
    matrix.indices[1] = 3
    with pytest.raises(hd.OperandError) as caught:
        hd.validate(packed)
    assert caught.value.diagnostics[0].code == "runtime/malformed-tensor"


def test_new_values_of_borrowed_memory_are_seen_with_and_without_conversion() -> None:
    matrix = sp.csr_array(DENSE[:, :3])
    packed = hd.pack(matrix, "csr", copy=False)
    converting = hd.compile(
        "B(i,j) = A(i,j) + A(j,i)", formats={"A": "csr", "B": "csr"}, options={"convert": "automatic"}
    )
    plain = hd.compile("y(i) = A(i,j)", formats={"A": "csr"})
    for _ in range(3):
        now = matrix.toarray()
        np.testing.assert_array_equal(converting(A=packed).to_numpy(), now + now.T)
        np.testing.assert_array_equal(plain(A=packed).to_numpy(), now.sum(axis=1))
        matrix.data *= 10
    result = hd.compile("C(i,j) = 1 * A(i,j)", formats={"A": "csr", "C": "csr"})(A=matrix)
    for _ in range(2):
        now = result.to_numpy()
        np.testing.assert_array_equal(converting(A=result).to_numpy(), now + now.T)
        result.vals[:] += 1


def test_a_snapshot_is_converted_once_and_cannot_be_written() -> None:
    packed = hd.pack(DENSE[:, :3], "csr")
    kernel = hd.compile("B(i,j) = A(i,j) + A(j,i)", formats={"A": "csr", "B": "csr"}, options={"convert": "automatic"})
    kernel(A=packed)
    (converted,) = packed.conversions.values()
    kernel(A=packed)
    assert list(packed.conversions.values()) == [converted]
    with pytest.raises(ValueError, match="read-only"):
        packed.vals[:] *= 10


def test_a_scalar_of_a_tensor_is_read_at_each_call() -> None:
    kernel = hd.compile("y(i) = s * x(i)")
    number = np.array(2.0)
    borrowed, result = hd.pack(number, copy=False), hd.compile("s = x(i)")(x=X)
    for value in (3.0, 4.0):
        number[...] = value
        result.vals[0] = value
        np.testing.assert_array_equal(kernel(s=borrowed, x=X).to_numpy(), value * X)
        np.testing.assert_array_equal(kernel(s=result, x=X).to_numpy(), value * X)


# The caller's objects


@pytest.mark.parametrize("format", FORMATS)
def test_operands_stay_as_they_are(format: str) -> None:
    unsorted = sp.csr_array((np.array([5.0, 7, 3]), np.array([2, 0, 3]), np.array([0, 3, 3, 3])), shape=(3, 4))
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": format})
    before = [array.copy() for array in memory(unsorted)]
    for operand in (unsorted, sp.csr_array(DENSE)):
        kernel(A=operand, x=X)
        hd.pack(operand, format)
        hd.pack(operand, format, copy=False)
        for array in memory(operand):
            assert array.flags.writeable
    assert [array.tolist() for array in memory(unsorted)] == [array.tolist() for array in before]
