"""Every text that a sum of parts may be written as, compiled for a product and called with SciPy's matrices."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from numpy.typing import NDArray

import heddle as hd
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.parser import parse_format

Array = NDArray[np.float64]
SPMM = "C(i,k) = A(i,j) * B(j,k)"
QUANTITIES = (
    *("length", "slot", "piece(2,3)", "tile(2,3)", "depth", "row", "column", "along(0)", "along(1)"),
    *("count(0)", "count(1)", "diagonal"),
)
COMPARISONS = ("< 2", "<= 2", "> 2", ">= 2", "== 2", "!= 2", "in 1..3")
TEXTS = (
    *(f"csr where {quantity} {COMPARISONS[place % 7]} + coo" for place, quantity in enumerate(QUANTITIES)),
    *(f"coo where length {comparison} + csr" for comparison in COMPARISONS),
    "csr where diagonal in -1..1 and row != 2 + csc where column < 3 and length >= 2 + coo",
    "heavy = csr where count(1) > 2 + rest = coo",
    "ell(4) where slot < 4 + coo",
    "pieces(4) where length <= 8 + csr",
    "bcsr(4,4) where tile(4,4) >= 8 + csr",
    "dia where depth >= 50 + csr",
    *("hyb(3,2)", "hyb(1,2)", "hyb(2,1)", "hyb(1,0)", "hyb(40,3)", "hyb(8,5,64)", "hyb(4,3,2)"),
    *("hyb(1,5,whole)", "hyb(1,1,whole)", "hyb(1,1,3,whole)", " HYB( 1, 5 , Whole )"),
    *("ell(4)", "dense, padded(4)", "ell", "pieces(4)", "compressed(nonunique), padded(4)"),
    *("dbsr(4,4)", "compressed, compressed, dense(4), dense(4) : 0,1,0,1"),
    *("srbcrs(8,4)", "dense, chunks(4), dense(8) : 0,1,0", "dense, chunks(4)"),
    *("csb(64,64)", "dense, dense, compressed(64, nonunique), singleton(64) : 0,1,0,1"),
    *("dense, dense, compressed(64, nonunique), padded(4, 64) : 0,1,0,1", "dense, ragged"),
    "parts(4), parts(4), compressed(nonunique), padded(2) : 0,1,0,1",
    *("parts(8), dense, compressed : 0,0,1", "parts(8, even), compressed, compressed : 0,0,1"),
    "parts(3, even), parts(2), compressed(nonunique), padded(4) : 0,1,0,1",
    "parts(3, even), dense, compressed : 0,0,1 where length <= 2 + parts(3, even), compressed, compressed : 0,0,1",
)
WIDEST = {"ell(4)": 4, "dense, padded(4)": 4}
"""Formats for rows of at most so many entries."""


def _csr(dense: Array) -> scipy.sparse.csr_array:
    return scipy.sparse.csr_array(dense)


def _scattered(rows: int, columns: int, share: float, seed: int = 1) -> scipy.sparse.csr_array:
    rng = np.random.default_rng(seed)
    return _csr(np.where(rng.random((rows, columns)) < share, rng.integers(1, 9, (rows, columns)), 0).astype(float))


def _explicit_zeros() -> scipy.sparse.csr_array:
    """Zeros that are entries: SciPy multiplies them, and with an infinity they are no numbers."""
    matrix = _scattered(9, 7, 0.4)
    matrix.data[::3] = 0
    return matrix


def _infinite() -> scipy.sparse.csr_array:
    matrix = _scattered(9, 7, 0.4)
    matrix.data[[0, 5]] = [np.nan, np.inf]
    return matrix


def _empty_rows() -> scipy.sparse.csr_array:
    dense = _scattered(12, 9, 0.5).toarray()
    dense[[0, 3, 4, 11]] = 0
    dense[:, 5] = 0
    return _csr(dense)


MATRICES: dict[str, scipy.sparse.csr_array] = {
    "nothing stored": _csr(np.zeros((4, 5))),
    "no rows": _csr(np.zeros((0, 5))),
    "no columns": _csr(np.zeros((4, 0))),
    "one row": _scattered(1, 30, 0.5),
    "one column": _scattered(30, 1, 0.5),
    "empty rows": _empty_rows(),
    "wide": _scattered(3, 90, 0.2),
    "tall": _scattered(90, 3, 0.2),
    "dense": _csr(np.arange(1.0, 57).reshape(7, 8)),
    "short rows": _csr(np.eye(11, 13) + np.eye(11, 13, 2)),
    "explicit zeros": _explicit_zeros(),
    "infinite entries": _infinite(),
}


def _others(matrix: scipy.sparse.csr_array, *, planted: bool) -> Array:
    """``planted``: infinities and NaN in the rows that no entry multiplies, and an infinity that some do."""
    columns = matrix.shape[1]
    dense = np.arange(1.0, 3 * columns + 1).reshape(columns, 3)
    if planted:
        unread = np.setdiff1d(np.arange(columns), matrix.indices)
        dense[unread] = [np.inf, np.nan, -np.inf]
        dense[matrix.indices[:1], 0] = np.inf
    return dense


def _multiplies_zeros(text: str) -> bool:
    format = parse_format(text, 2, "A")
    parts = (format,) if format.composition is None else tuple(part.format for part in format.composition.parts)
    return any(LEVEL_KINDS[part.levels[-1].kind].pads_with_values for part in parts)


@pytest.mark.combinations(3)
@pytest.mark.parametrize("text", TEXTS)
def test_a_product_is_that_of_scipy(text: str) -> None:
    """``hd.compile(…)(A=matrix, B=array).to_numpy()``, with every matrix, in each of SciPy's formats in turn."""
    kernel = hd.compile(SPMM, formats={"A": text})
    for place, (name, matrix) in enumerate(MATRICES.items()):
        given = (matrix, scipy.sparse.csc_array(matrix), scipy.sparse.coo_array(matrix), matrix.astype(float))[
            place % 4
        ]
        others = _others(matrix, planted=not _multiplies_zeros(text))
        longest = int(np.diff(matrix.indptr).max(initial=0))
        if longest > WIDEST.get(text, longest):
            with pytest.raises(hd.CompileError, match="4 slots for each coordinate above it, but below position"):
                kernel(A=given, B=others)
            continue
        with np.errstate(invalid="ignore"):
            expected = matrix @ others
        found = kernel(A=given, B=others).to_numpy()
        np.testing.assert_array_equal(found, expected, err_msg=f"{text} of {name}")


def test_the_formats_that_multiply_zeros_are_known() -> None:
    """They alone are spared infinities: a format with padding that is no entry must stay among the others."""
    padding = {text for text in TEXTS if _multiplies_zeros(text)}
    assert padding == {
        "bcsr(4,4) where tile(4,4) >= 8 + csr",
        "dia where depth >= 50 + csr",
        "dbsr(4,4)",
        "compressed, compressed, dense(4), dense(4) : 0,1,0,1",
        "srbcrs(8,4)",
        "dense, chunks(4), dense(8) : 0,1,0",
        "dense, ragged",
    }


@pytest.mark.parametrize("text", TEXTS)
def test_a_matrix_is_packed_and_read_back(text: str) -> None:
    """``hd.pack`` and ``.to_scipy()``: the very entries, explicit zeros among them, where zeros are not padding."""
    for name, matrix in MATRICES.items():
        if int(np.diff(matrix.indptr).max(initial=0)) > WIDEST.get(text, 1 << 20):
            continue
        packed = hd.pack(matrix, text)
        np.testing.assert_array_equal(packed.to_numpy(), matrix.toarray(), err_msg=name)
        back = scipy.sparse.csr_array(packed.to_scipy())
        np.testing.assert_array_equal(back.toarray(), matrix.toarray(), err_msg=name)
        if not _multiplies_zeros(text):
            assert back.nnz == matrix.nnz, name


@pytest.mark.parametrize(
    "text",
    [
        *("hyb(0,2)", "hyb(1,31)", "hyb(2)", "csr + coo", "csr where row < 3", "ell(4) where length <= 8 + csr"),
        *("csr where lenght < 3 + coo", "csr where tile(3,0) > 1 + coo", "csr where length ~ 3 + coo", "csr +"),
        *("dense, parts(8)", "a = csr where row < 3 + a = coo", "hyb(2,3,whole)"),
        "parts(8, even), dense, compressed : 0,0,1",
    ],
)
def test_what_is_refused_is_refused_at_compile(text: str) -> None:
    with pytest.raises(hd.CompileError) as caught:
        hd.compile(SPMM, formats={"A": text})
    assert all(one.code.startswith("format/") and one.expected and one.found for one in caught.value.diagnostics)
