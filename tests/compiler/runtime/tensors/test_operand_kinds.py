"""What counts as an operand: numbers by their values, arrays of other libraries, and what refusals say to do."""

from __future__ import annotations

import array
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import heddle as hd
from heddle.runtime.tensors.value_types import numbers_as_dtype

NUMBERS = [
    # number, dtype of the kernel, the value that it gets: None where the number is refused
    (2.0, "float32", 2.0),
    (2, "float32", 2.0),
    (True, "float32", 1.0),
    (0.1, "float32", float(np.float32(0.1))),
    (2**24 + 1, "float32", None),
    (1e300, "float32", None),
    (float("inf"), "float32", float("inf")),
    (2**53 + 1, "float64", None),
    (2**70, "float64", 2.0**70),
    (3**50, "float64", None),
    (10**400, "float64", None),
    (2, "uint8", 2),
    (2.0, "uint8", 2),
    (256, "uint8", None),
    (-1, "uint8", None),
    (2.5, "int32", None),
    (float("nan"), "int32", None),
    (2**63, "uint64", 2**63),
    (2**63, "int64", None),
    (1 + 2j, "complex64", 1 + 2j),
    (1 + 2j, "float64", None),
    (1 + 0j, "float64", None),
    (np.float64(2.0), "float32", 2.0),
    (np.float64(0.1), "float32", None),
    (np.float32(0.1), "float64", float(np.float32(0.1))),
    (np.int64(2), "float32", 2.0),
    (np.int64(2**53 + 1), "float64", None),
    (np.int64(2**63 - 1), "float64", None),
    (np.uint64(2**63), "float64", 2.0**63),
    (np.uint64(2**64 - 1), "float64", None),
    (np.int64(-1), "uint64", None),
    (np.uint64(2**63), "int64", None),
    (np.array(2.0), "float32", 2.0),
    (np.float16(0.5), "float32", 0.5),
    (1, "bool", 1),
    (2, "bool", None),
]


@pytest.mark.parametrize(("number", "dtype", "value"), NUMBERS)
def test_numbers_are_taken_by_value(number: Any, dtype: str, value: Any) -> None:
    if value is None:
        with pytest.raises(hd.OperandError) as caught:
            hd.pack(number, "", dtype=dtype, name="s")
        assert caught.value.diagnostics[0].code in ("runtime/dtype-mismatch", "runtime/unsupported-operand")
        return
    packed = hd.pack(number, "", dtype=dtype)
    assert packed.dtype == dtype
    assert packed.item() == value


def test_numbers_of_a_kernel() -> None:
    x = np.arange(4, dtype=np.float32)
    kernel = hd.compile("y(i) = s * x(i)", dtypes={"s": "float32", "x": "float32"})
    for number in (2.0, 2, np.float64(2), np.int8(2), np.array(2)):
        np.testing.assert_array_equal(kernel(s=number, x=x).to_numpy(), np.float32(2) * x)
    np.testing.assert_array_equal(kernel(s=0.1, x=x).to_numpy(), np.float32(0.1) * x)
    with pytest.raises(hd.OperandError) as caught:
        kernel(s=np.float64(0.1), x=x)
    assert caught.value.messages == (
        "s holds 0.1 of type float64, but the kernel computes with float32, which has no such value; that conversion "
        "would lose digits."
    )
    assert caught.value.diagnostics[0].hint == (
        'Round it yourself with .astype(\'float32\'), or compile the kernel with dtypes={"s": "float64"}.'
    )


def test_lists_of_numbers_are_taken_by_value() -> None:
    assert hd.pack([0.5, 2], "", dtype="float32").vals.tolist() == [0.5, 2]
    assert hd.pack([1, 2], "", dtype="uint8").vals.tolist() == [1, 2]
    assert hd.pack([1.0, 2.0], "", dtype="int32").vals.tolist() == [1, 2]
    assert hd.pack([], "", dtype="float32").shape == (0,)
    for numbers, dtype in (([1, 256], "uint8"), ([1.5], "int32"), ([2**53 + 1], "float64"), ([1e300], "float32")):
        with pytest.raises(hd.OperandError, match="that conversion would lose digits"):
            hd.pack(numbers, "", dtype=dtype)
    with pytest.raises(hd.OperandError, match="a list with the integer 9007199254740993 beside other numbers"):
        hd.pack([2**53 + 1, 0.5], "")
    with pytest.raises(hd.OperandError, match="values of type object"):
        hd.pack([2**70], "")


@pytest.mark.parametrize("format", ["", "sparse"])
def test_no_digits_of_an_array_are_lost(format: str) -> None:
    large = np.array([1, 2**53 + 1])
    with pytest.raises(hd.OperandError) as caught:
        hd.pack(large, format, dtype="float64", name="x")
    assert str(caught.value).startswith("x holds 9007199254740993 of type int64, but the kernel computes with float64")
    for exact in (np.array([2**53, -(2**60)]), np.array([2**63], dtype=np.uint64)):
        assert hd.pack(exact, format, dtype="float64").vals.tolist() == [float(number) for number in exact]
    for values in (np.array([2**64 - 1], dtype=np.uint64), np.array([2**63 - 1]), np.array([1 + 0j]), np.ones(1)):
        with pytest.raises(hd.OperandError, match="would lose digits"):
            hd.pack(values, format, dtype="float32" if values.dtype == float else "float64")
    for way in (sp.csr_array(large[None]), sp.coo_array(large[None]), (([0, 0], [0, 1]), large, (1, 2))):
        for target in ("csr", "csc", "hyb(1,2)", "sell(2)", "bcsr(1,1)"):
            with pytest.raises(hd.OperandError, match="would lose digits"):
                hd.pack(way, target, dtype="float64")


def test_every_integer_is_compared_exactly() -> None:
    rng = np.random.default_rng(5)
    for dtype, target in (("int64", "float64"), ("uint64", "float64"), ("int32", "float32"), ("int64", "complex128")):
        bounds = np.iinfo(dtype)
        numbers = [int(rng.integers(bounds.min, bounds.max, dtype=dtype)) >> int(rng.integers(64)) for _ in range(60)]
        numbers += [bounds.min, bounds.max, bounds.max - 1, 2**24 + 1]
        for number in numbers:
            value = np.asarray(number, dtype=dtype)
            kind = np.dtype(target).type
            exact = int(kind(value).real) == number
            try:
                assert numbers_as_dtype(value, target, "s", rounds=False) == kind(value)
                taken = True
            except hd.OperandError:
                taken = False
            assert taken == exact, (number, target)


class Arrayed:
    """Another library's array."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if isinstance(self.values, Exception):
            raise self.values
        return self.values


class Exchanged:
    """An array of the array API, without ``__array__``."""

    def __init__(self, values: np.ndarray, device: int = 1) -> None:
        self.values, self.device = values, device

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self.device, 0)


class Coordinates:
    """As pydata/sparse's COO."""

    def __init__(self, matrix: Any, fill_value: float = 0) -> None:
        self.coords, self.data, self.shape = np.array(matrix.coords), matrix.data, matrix.shape
        self.fill_value = fill_value

    def __array__(self, dtype: Any = None) -> Any:
        raise RuntimeError("Cannot convert a sparse array to dense automatically.")


class Compressed:
    """As pydata/sparse's GCXS."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix

    def tocoo(self) -> Coordinates:
        return Coordinates(self.matrix)


class InScipy(Compressed):
    def tocoo(self) -> Any:
        return self.matrix


class Endless:
    def tocoo(self) -> Any:
        return self


class Hostile:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("no such thing")


def test_arrays_of_other_libraries() -> None:
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"})
    dense, x = np.array([[0.0, 2, 0], [1, 0, 3]]), np.array([1.0, 2, 3])
    coo = sp.coo_array(dense)
    for vector in (Arrayed(x), Exchanged(x), array.array("d", x), memoryview(x), x.tolist(), np.ma.array(x)):
        np.testing.assert_array_equal(kernel(A=dense, x=vector).to_numpy(), dense @ x)
    for matrix in (Arrayed(dense), Exchanged(dense), Coordinates(coo), Compressed(coo), InScipy(coo)):
        np.testing.assert_array_equal(kernel(A=matrix, x=x).to_numpy(), dense @ x)
        np.testing.assert_array_equal(hd.pack(matrix, "csc").to_numpy(), dense)
    assert hd.pack(range(3), "").vals.tolist() == [0, 1, 2]
    assert hd.pack(Arrayed(np.array(3.0)), "", dtype="float32").item() == 3


def test_the_fill_of_another_library_is_kept() -> None:
    coo = Coordinates(sp.coo_array(np.array([[0.0, 2], [1, 0]])), fill_value=np.float64(7))
    packed = hd.pack(coo, "csr")
    assert packed.fill == 7
    np.testing.assert_array_equal(packed.to_numpy(), [[7, 2], [1, 7]])
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"})
    with pytest.raises(hd.OperandError, match=r"What A does not store is 7, but 0 is expected there"):
        kernel(A=coo, x=np.ones(2))


def refusal(operand: object, format: str = "", name: str = "A") -> tuple[str, str | None]:
    with pytest.raises(hd.OperandError) as caught:
        hd.pack(operand, format, name=name)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/unsupported-operand"
    start = f"{name} cannot be packed: it is given as "
    assert diagnostic.message.startswith(start)
    return diagnostic.message.removeprefix(start), diagnostic.hint


MASKED = np.ma.array([1.0, 2, 3], mask=[0, 1, 0])
FILLED = "Pass .filled(value), or the coordinates and values of those that have one."


@pytest.mark.parametrize(
    "operand", [MASKED, [MASKED, MASKED], Arrayed(MASKED), (([0, 1, 2],), MASKED, (3,)), MASKED[1], [1.0, np.ma.masked]]
)
def test_masked_elements_are_refused(operand: object) -> None:
    message, hint = refusal(operand)
    assert message == "a masked array, of whose elements 1 has no value."
    assert hint == FILLED


def test_refusals_say_what_to_do() -> None:
    row, values = ([0, 1], [1, 0]), [1.0, 2.0]
    assert refusal(np.ones(2, np.float16)) == (
        "values of type float16.",
        "Convert it yourself: .astype('float32').",
    )
    assert refusal(np.ones(2, np.longdouble))[1] == "Convert it yourself: .astype('float64')."
    assert refusal(np.ones(2, np.clongdouble))[1] == "Convert it yourself: .astype('complex128')."
    assert refusal(np.array([None, 1]))[1] == (
        "Its elements are Python objects; where they are numbers, .astype('float64') makes an array of them."
    )
    assert refusal(np.array(["2020-01-01"], "M8[D]"))[1] == "Pass the numbers that are meant: .astype('int64')."
    assert refusal((values, row, (2, 2)), "csr") == (
        "(values, coordinates, shape).",
        "The coordinates come first: (coordinates, values, shape).",
    )
    assert refusal((np.ones(3), (np.arange(3), np.arange(3))), "csr")[1] == (
        "Coordinates come first, and with their shape: (coordinates, values, shape)."
    )
    assert refusal((np.ones(3), np.arange(3), np.arange(4)), "csr")[1] == (
        "Compressed rows come as an object with indptr, indices, data and shape, such as scipy.sparse.csr_array."
    )
    assert refusal((np.zeros((3, 2), int), np.ones(3), (4, 4)), "csr") == (
        "3 coordinate arrays for the shape (4, 4).",
        "One array for each dimension: pass coordinates.T.",
    )
    assert refusal((5, values, (2, 2)), "csr")[0].startswith("(coordinates, values, shape) whose arrays are none (")
    assert refusal(Arrayed(RuntimeError("requires grad")))[0] == "an object whose __array__ fails: requires grad."
    assert refusal(Exchanged(np.ones(2), device=2))[0] == "in the memory of another device (DLPack's number 2)."
    assert hd.pack(([[0], [1]], [1.0], [2, 2]), "csr").shape == (2, 2)
    assert (
        refusal((([0], [1]), [1.0], (2.0, 2.0)), "csr")[1] == "The sizes of (coordinates, values, shape) are integers."
    )
    endless: list[Any] = []
    endless.append(endless)
    assert refusal(endless)[0].startswith("nested lists of uneven lengths (")
    assert refusal(Compressed, "csr")[0] == "a builtins.type."
    assert refusal(Endless(), "csr")[0].endswith("Endless without coordinates.")
    assert refusal(Hostile())[0] == "an object whose interface fails: no such thing."
    for nothing in (None, "A", {"a": 1}, object(), iter([1.0])):
        assert refusal(nothing)[0] == f"a builtins.{type(nothing).__name__}."


def test_diagonals_and_lists_of_scipy_are_checked() -> None:
    dia = sp.dia_array((np.arange(8.0).reshape(2, 4) + 1, [0, 1]), shape=(3, 5))
    lil = sp.lil_array(np.array([[0.0, 2], [1, 3]]))
    for operand in (dia, lil):
        np.testing.assert_array_equal(hd.pack(operand, "csr").to_numpy(), operand.toarray())
    dia.offsets = np.array([0, 0])
    assert malformed(dia) == "offsets holds 0 twice, expected each diagonal once."
    dia.offsets = np.array([0.5, 1])
    assert malformed(dia) == "offsets is of type float64, expected integers."
    dia.offsets = np.array([0])
    assert malformed(dia) == "data has the shape (2, 4) and offsets (1,), expected a row for each offset."
    lil.rows[0] = [0, 1]
    assert malformed(lil) == (
        "lists of rows and of data have different lengths, expected as many columns as values in each row."
    )
    lil.rows[0] = ["a"]
    assert malformed(lil).startswith("a list holds no numbers (")
    lil.rows[0] = [2]
    with pytest.raises(hd.OperandError, match="Entry 0 of A has coordinate 2 in dimension 2, which has the size 2"):
        hd.pack(lil, "csr", name="A")
    coo = sp.coo_array(np.eye(2))
    coo.data = np.ones(3)
    assert refusal(coo, "csr")[0] == "a coordinate array of shape (2,) for values of shape (3,)."


def malformed(matrix: Any) -> str:
    with pytest.raises(hd.OperandError) as caught:
        hd.pack(matrix, "csr", name="A")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/malformed-matrix"
    return diagnostic.message.removeprefix(f"The arrays of A are not those of a {matrix.format} matrix: ")


def test_who_vouches_for_arrays_is_not_asked_again() -> None:
    """The arrays are right here; but if they were looked at, the rows out of order would be sorted."""
    matrix = sp.csr_array((np.array([1.0, 2]), np.array([2, 0]), np.array([0, 2])), shape=(1, 3))
    assert hd.pack(matrix, "csr").levels[1].crd.tolist() == [0, 2]
    assert hd.pack(matrix, "csr", validate=False).levels[1].crd.tolist() == [2, 0]
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"})
    for call in (
        kernel.bind(A=matrix, x=np.ones(3), validate=False),
        kernel.bind(A=hd.pack(matrix, "csr"), x=np.ones(3)),
    ):
        call.run()
        assert call.output.to_numpy().tolist() == [3]
    assert kernel.bind(A=matrix, x=np.ones(3), validate=False).operands["A"].levels[1].crd.tolist() == [2, 0]
    assert kernel(A=matrix, x=np.ones(3), validate=True).to_numpy().tolist() == [3]


def test_an_operand_may_be_called_validate() -> None:
    kernel = hd.compile("y(i) = validate * x(i)")
    np.testing.assert_array_equal(kernel(validate=2.0, x=np.ones(2)).to_numpy(), [2, 2])
    with pytest.raises(hd.OperandError, match="validate is missing"):
        kernel(x=np.ones(2))


def test_validate_looks_at_every_operand() -> None:
    matrix = sp.csr_array(np.eye(3))
    hd.validate(matrix)
    hd.validate(hd.pack(matrix, "hyb(1,2)"))
    matrix.indices[1] = 3
    with pytest.raises(hd.OperandError, match="Entry 1 of A has coordinate 3 in dimension 2, which has the size 3"):
        hd.validate(matrix, "A")
    matrix.indptr[1] = 9
    with pytest.raises(hd.OperandError, match="indptr decreases from 9 to 2 at element 2"):
        hd.validate(matrix)


def test_decompositions_take_the_same_operands() -> None:
    tensor = np.arange(24.0).reshape(2, 3, 4)
    expected = hd.cp_als(tensor, 2, sweeps=2, tolerance=0).weights
    start = [np.ones((size, 2)) for size in tensor.shape]
    for operand in (Arrayed(tensor), Exchanged(tensor), Coordinates(sp.coo_array(tensor)), tensor.astype(np.int64)):
        np.testing.assert_allclose(hd.cp_als(operand, 2, sweeps=2, tolerance=0).weights, expected)
    own = hd.cp_als(tensor, 2, sweeps=2, tolerance=0, start=[Arrayed(factor) for factor in start])
    np.testing.assert_array_equal(own.weights, hd.cp_als(tensor, 2, sweeps=2, tolerance=0, start=start).weights)
    large = tensor.astype(np.int64)
    large[0, 0, 0] = 2**53 + 1
    with pytest.raises(hd.OperandError, match="X holds 9007199254740993 of type int64"):
        hd.cp_als(large, 2)
    with pytest.raises(hd.OperandError, match="X cannot be packed: it is given as a masked array"):
        hd.cp_als(np.ma.array(tensor, mask=tensor == 3), 2)
    with pytest.raises(hd.OperandError, match="What X does not store is 7, but 0 is expected there"):
        hd.cp_als(Coordinates(sp.coo_array(tensor), fill_value=7), 2)
    with pytest.raises(hd.OperandError, match="factor 1 of the start cannot be packed: it is given as a masked array"):
        hd.cp_als(tensor, 2, start=[start[0], np.ma.array(start[1], mask=start[1] == 1), start[2]])
    with pytest.raises(hd.OperandError, match=r"Factor 0 of the start is sparse; factors are dense. Pass its .toarray"):
        hd.cp_als(tensor, 2, start=[sp.csr_array(start[0]), *start[1:]])
    broken = sp.csr_array(np.eye(3))
    broken.indices[1] = 10**8
    with pytest.raises(hd.OperandError, match="Entry 1 of X has coordinate 100000000 in dimension 2"):
        hd.cp_als(broken, 2)
