"""Packing into every nesting of dense and compressed levels, checked entry by entry against NumPy."""

from itertools import permutations, product

import numpy as np
import pytest
import scipy.sparse as sp

from heddle.diagnostics import CompileError
from heddle.formats.format import Format, Level
from heddle.runtime.memory import allocation_limit
from heddle.runtime.memory.buffers import aligned_copy
from heddle.runtime.packing import level_by_level
from heddle.runtime.packing.convert import convert
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.tensor import Tensor

DENSE, COMPRESSED = Level("dense"), Level("compressed")
CSR = Format((DENSE, COMPRESSED), (0, 1))
CSC = Format((DENSE, COMPRESSED), (1, 0))
COO = Format((Level("compressed", unique=False), Level("singleton")), (0, 1))


def formats(order: int) -> list[Format]:
    kinds = product((DENSE, COMPRESSED), repeat=order)
    return [Format(levels, axes) for levels in kinds for axes in permutations(range(order))]


def sparse_array(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.where(rng.random(shape) < 0.3, rng.integers(1, 9, shape), 0).astype(np.float64)


def check_levels(tensor: Tensor) -> None:
    """Every array has the length and the order that its level kind promises."""
    parents = 1
    for number, (level, arrays) in enumerate(zip(tensor.format.levels, tensor.levels, strict=True)):
        size = tensor.shape[tensor.format.order[number]]
        if level.kind == "dense":
            parents *= size
            continue
        assert arrays.crd.dtype == np.int32
        assert ((arrays.crd >= 0) & (arrays.crd < size)).all()
        if level.kind == "singleton":
            assert arrays.crd.size == parents
            continue
        assert arrays.pos.dtype == np.int32
        assert arrays.pos.size == parents + 1
        assert arrays.pos[0] == 0
        assert arrays.pos[-1] == arrays.crd.size
        for lower, upper in zip(arrays.pos[:-1], arrays.pos[1:], strict=True):
            segment = np.diff(arrays.crd[lower:upper])
            assert (segment > 0).all() if level.unique else (segment >= 0).all()
        parents = arrays.crd.size
    assert tensor.vals.size == parents


@pytest.mark.parametrize("shape", [(5,), (4, 6), (3, 1), (1, 3), (0, 4), (4, 0), (3, 4, 5), (2, 1, 3), (2, 3, 2, 3)])
def test_every_format_holds_the_array(shape: tuple[int, ...]) -> None:
    array = sparse_array(shape)
    coordinates = np.nonzero(array)
    for format in formats(len(shape)):
        for operand in (array, (coordinates, array[coordinates], shape), sp.coo_array(array)):
            tensor = pack(operand, format)
            check_levels(tensor)
            np.testing.assert_array_equal(tensor.to_numpy(), array)
            back, values = tensor.to_coo()
            rebuilt = np.zeros(shape)
            rebuilt[back] = values
            np.testing.assert_array_equal(rebuilt, array)


def test_conversion_between_every_pair_of_formats() -> None:
    array = sparse_array((3, 4, 2))
    for source in formats(3):
        packed = pack(array, source)
        for target in formats(3):
            np.testing.assert_array_equal(convert(packed, target).to_numpy(), array)


def test_levels_of_csr_and_dcsr() -> None:
    array = np.array([[0.0, 1, 2], [0, 0, 0], [3, 0, 0]])
    csr = pack(array, CSR)
    assert csr.levels[1].pos.tolist() == [0, 2, 2, 3]
    assert csr.levels[1].crd.tolist() == [1, 2, 0]
    assert csr.vals.tolist() == [1, 2, 3]
    dcsr = pack(array, Format((COMPRESSED, COMPRESSED), (0, 1)))
    assert dcsr.levels[0].pos.tolist() == [0, 2]
    assert dcsr.levels[0].crd.tolist() == [0, 2]
    assert dcsr.levels[1].pos.tolist() == [0, 2, 3]
    blocked = pack(array, Format((COMPRESSED, DENSE), (0, 1)))
    assert blocked.vals.tolist() == [0, 1, 2, 3, 0, 0]


def test_coordinate_format_keeps_one_row_per_entry() -> None:
    array = np.array([[0.0, 1, 2], [0, 0, 0], [3, 0, 0]])
    tensor = pack(array, COO)
    check_levels(tensor)
    assert tensor.levels[0].crd.tolist() == [0, 0, 2]
    assert tensor.levels[1].crd.tolist() == [1, 2, 0]
    np.testing.assert_array_equal(convert(tensor, CSC).to_numpy(), array)


def test_duplicates_are_summed_and_explicit_zeros_kept() -> None:
    rows, columns, values = [1, 0, 1, 0], [1, 2, 1, 0], [2.0, 0.0, 3.0, 1.0]
    for operand in (((rows, columns), values, (2, 3)), sp.coo_array((values, (rows, columns)), shape=(2, 3))):
        tensor = pack(operand, CSR)
        assert tensor.levels[1].crd.tolist() == [0, 2, 1]
        assert tensor.vals.tolist() == [1, 0, 5]


def test_unsorted_scipy_matrix_is_sorted_without_changing_it() -> None:
    matrix = sp.csr_array((np.array([1.0, 2, 3]), np.array([2, 0, 1]), np.array([0, 2, 3])), shape=(2, 3))
    tensor = pack(matrix, CSR)
    assert tensor.levels[1].crd.tolist() == [0, 2, 1]
    assert matrix.indices.tolist() == [2, 0, 1]


def test_dimensions_too_large_for_one_key_are_sorted_by_columns() -> None:
    shape = (2**31 - 1, 2**31 - 1, 2**31 - 1)
    coordinates = ([7, 2**31 - 2, 7, 7], [1, 0, 0, 1], [5, 3, 2**31 - 2, 5])
    tensor = pack((coordinates, [1.0, 2.0, 3.0, 4.0], shape), Format((COMPRESSED,) * 3, (0, 1, 2)))
    assert tensor.levels[0].crd.tolist() == [7, 2**31 - 2]
    assert tensor.levels[1].crd.tolist() == [0, 1, 0]
    assert tensor.vals.tolist() == [3, 5, 2]


def test_memory_of_scipy_and_numpy_is_borrowed_where_that_is_asked_for() -> None:
    matrix = sp.random_array((20, 30), density=0.2, format="csr", rng=np.random.default_rng(0))
    tensor = pack(matrix, CSR, copy=False)
    assert tensor.borrowed
    assert tensor.vals.ctypes.data == matrix.data.ctypes.data
    assert tensor.levels[1].crd.ctypes.data == matrix.indices.ctypes.data
    assert tensor.levels[1].pos.ctypes.data == matrix.indptr.ctypes.data
    columns = matrix.tocsc()
    assert pack(columns, CSC, copy=False).levels[1].crd.ctypes.data == columns.indices.ctypes.data
    back = tensor.to_scipy(copy=False)
    assert back.format == "csr"
    assert back.data.ctypes.data == matrix.data.ctypes.data
    array = aligned_copy(np.arange(6.0)).reshape(2, 3)
    row_major, column_major = Format((DENSE, DENSE), (0, 1)), Format((DENSE, DENSE), (1, 0))
    assert pack(array, row_major, copy=False).vals.ctypes.data == array.ctypes.data
    assert pack(array.T, column_major, copy=False).vals.ctypes.data == array.ctypes.data
    assert pack(array, column_major).vals.tolist() == [0, 3, 1, 4, 2, 5]
    assert pack(tensor, CSR, copy=False) is tensor
    owned = pack(tensor, CSR)
    assert owned is not tensor
    assert pack(owned, CSR) is owned


def test_arrays_that_are_copied_are_aligned() -> None:
    for array in (pack(np.ones((3, 5)), Format((DENSE, DENSE), (1, 0))).vals, pack(np.eye(9), CSR).vals):
        assert array.ctypes.data % 64 == 0


def test_a_dense_array_is_copied_or_borrowed_wherever_it_lies() -> None:
    whole = aligned_copy(np.arange(64.0))
    for array in (whole[1:33].reshape(4, 8), whole):
        packed = pack(array)
        assert packed.vals.ctypes.data % 64 == 0
        assert not np.shares_memory(packed.vals, whole)
        np.testing.assert_array_equal(packed.to_numpy(), array)
        assert pack(array, copy=False).vals.ctypes.data == array.ctypes.data


def test_wide_scipy_indices_are_narrowed() -> None:
    matrix = sp.csr_array(np.eye(3))
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    assert pack(matrix, CSR).levels[1].crd.dtype == np.int32


def test_to_scipy_of_other_formats_is_coo() -> None:
    array = sparse_array((4, 6))
    back = pack(array, Format((COMPRESSED, COMPRESSED), (1, 0))).to_scipy()
    assert back.format == "coo"
    np.testing.assert_array_equal(back.toarray(), array)


def test_scalars() -> None:
    scalar = Format((), ())
    assert pack(2.5, scalar).item() == 2.5
    assert pack(((), [1.0, 2.0], ()), scalar).item() == 3.0


def test_values_are_only_widened() -> None:
    assert pack(np.ones(3, dtype=np.float32), "", dtype="float64").vals.dtype == np.float64
    assert pack([1, 2, 3], "", dtype="float64").vals.tolist() == [1.0, 2.0, 3.0]
    for operand in (np.ones(3), sp.coo_array(np.ones(3))):
        with pytest.raises(CompileError) as caught:
            pack(operand, "", dtype="float32", name="x")
        assert caught.value.diagnostics[0].code == "runtime/dtype-mismatch"
        assert caught.value.messages == (
            "x holds float64 values, but the kernel computes with float32; that conversion would lose digits."
        )


def message(operand: object, format: Format) -> tuple[str, str]:
    with pytest.raises(CompileError) as caught:
        pack(operand, format, name="A")
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.location is not None
    assert diagnostic.location.tensor == "A"
    return diagnostic.code, diagnostic.message


def test_operands_that_cannot_be_packed() -> None:
    assert message(object(), CSR) == (
        "runtime/unsupported-operand",
        "A cannot be packed: it is given as a builtins.object.",
    )
    assert message(np.array(["a"]), CSR)[1] == "A cannot be packed: it is given as values of type <U1."
    assert message([[1, 2], [3]], CSR)[1].startswith(
        "A cannot be packed: it is given as nested lists of uneven lengths"
    )
    assert message(np.ones(3), CSR) == (
        "runtime/order-mismatch",
        "A has 1 dimension, but its format stores 2 levels.",
    )
    assert message((([0], [1]), [1.0, 2.0], (2, 2)), CSR)[1] == (
        "A cannot be packed: it is given as a coordinate array of shape (1,) for values of shape (2,)."
    )
    assert message((([0],), [1.0], (2, 2)), CSR)[1] == (
        "A cannot be packed: it is given as 1 coordinate arrays for the shape (2, 2)."
    )
    assert message((([0.5], [1.0]), [1.0], (2, 2)), CSR)[1] == (
        "A cannot be packed: it is given as coordinates of type float64."
    )
    assert message((([0], [1]), [1.0], (2, -2)), CSR)[1] == (
        "A cannot be packed: it is given as a negative dimension in the shape (2, -2)."
    )


@pytest.mark.parametrize(("column", "found"), [(3, 3), (-1, -1)])
def test_coordinates_outside_the_shape(column: int, found: int) -> None:
    code, text = message((([0, 1], [0, column]), [1.0, 2.0], (2, 3)), CSR)
    assert code == "runtime/coordinate-out-of-range"
    assert text == f"Entry 1 of A has coordinate {found} in dimension 2, which has the size 3."


def test_a_format_that_does_not_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allocation_limit, "_physical_memory", lambda: 8 << 30)
    entries = (([0], [0]), [1.0], (10**6, 10**6))
    with pytest.raises(CompileError) as caught:
        pack(entries, Format((DENSE, DENSE), (0, 1)), name="A")
    assert caught.value.diagnostics[0].code == "runtime/too-large"
    assert caught.value.messages == (
        "1,000,000,000,000 values of A in this format need 7.3 TiB, but at most 8.0 GiB are available."
    )
    with pytest.raises(CompileError, match="3,000,000,001 values of the pos array in this format need 22"):
        pack((([0], [0]), [1.0], (3 * 10**9, 1)), CSR, name="A")


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "uint8", "bool", "float32"])
def test_sums_of_duplicates_keep_the_type(dtype: str) -> None:
    values = np.array([1, 1, 1], dtype=dtype)
    packed = pack(((np.array([2, 0, 2]),), values, (3,)), "sparse")
    assert (packed.dtype, packed.vals.dtype.name) == (dtype, dtype)
    assert packed.vals.tolist() == [1, True if dtype == "bool" else 2]


def test_a_singleton_below_unique_coordinates_holds_one_coordinate_for_each() -> None:
    permutation = np.array([[0.0, 2.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 4.0]])
    tensor = pack(permutation, "dense, singleton")
    assert tensor.levels[1].crd is not None
    assert tensor.levels[1].crd.tolist() == [1, 0, 2]
    np.testing.assert_array_equal(tensor.to_numpy(), permutation)


@pytest.mark.parametrize(("row", "found"), [([0.0, 0.0], "position 1 has none"), ([1.0, 1.0], "one has several")])
def test_a_singleton_that_does_not_fit_is_refused(row: list[float], found: str) -> None:
    with pytest.raises(CompileError) as caught:
        pack(np.array([[0.0, 2.0], row]), "dense, singleton", name="A")
    assert caught.value.diagnostics[0].message == (
        f"Level 2 of A is singleton, so each position above it has exactly one coordinate, but {found}."
    )


KINDS = ("ell", "dia", "dense, bitmap", "bitmap, compressed", "dense, hashed", "hashed, compressed", "padded, padded")


@pytest.mark.parametrize("text", [*KINDS, "coo", "coo : 1,0", "ell : 1,0", "dia : 1,0"])
@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (1, 1), (5, 7), (9, 3)])
@pytest.mark.parametrize("density", [0.0, 0.3, 1.0])
def test_every_kind_gives_back_what_was_packed(text: str, shape: tuple[int, int], density: float) -> None:
    rng = np.random.default_rng(3)
    dense = np.where(rng.random(shape) < density, rng.integers(1, 9, shape), 0).astype(float)
    tensor = pack(dense, text)
    np.testing.assert_array_equal(tensor.to_numpy(), dense)
    for other in ("csr", "csc", "dcsr", *KINDS):
        np.testing.assert_array_equal(convert(tensor, other).to_numpy(), dense)


def test_the_arrays_of_ell_and_dia() -> None:
    matrix = np.array([[0.0, 2.0, 3.0], [4.0, 0.0, 0.0]])
    ell = pack(matrix, "ell").arrays()
    assert (ell["width", 2].tolist(), ell["crd", 2].tolist()) == ([2], [1, 2, 0, 3])
    assert ell["vals", 0].tolist() == [2.0, 3.0, 4.0, 0.0]
    dia = pack(matrix, "dia").arrays()
    assert dia["offsets", 2].tolist() == [-1, 1, 2]
    assert dia["vals", 0].tolist() == [0.0, 2.0, 3.0, 4.0, 0.0, 0.0]


def test_reading_back_does_not_visit_empty_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture of one entry in a matrix of a million rows took 26 s, most of them in 2**28 empty blocks of csb."""
    read: list[Tensor] = []
    monkeypatch.setattr(level_by_level, "_read_back", lambda tensor, built: read.append(tensor))
    for side, count in ((1 << 16, 0), (1 << 10, 1)):
        pack(Entries((side, side), (np.array([1]), np.array([1])), np.ones(1)), "csb(64,64)")
        assert len(read) == count
