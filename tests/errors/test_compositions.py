"""Formats that are sums of parts and cannot be: each mistake with its code and its words."""

from __future__ import annotations

import pytest

import compiler as hd

SPMV = "y(i) = A(i,j) * x(j)"
FORMATS = [
    ("hyb(0,2)", "format/parts-count", "`0` is no number of column ranges of A"),
    ("hyb(1,31)", "format/bucket", "`31` is no largest bucket of A"),
    ("hyb(2)", "format/hyb", "hyb has two numbers: how many ranges the columns of A are cut into"),
    (
        "hyb(2,3,whole)",
        "format/hyb",
        "a row of A lies in one part, so columns cannot be cut into 2 ranges",
    ),
    ("csr + coo", "format/unreached-part", "part 2 of A never gets an entry, because csr in front of it takes all"),
    ("csr where row < 3", "format/left-over", "entries of A that fail the tests have no place to be stored in."),
    ("ell(4) where length <= 8 + csr", "format/too-narrow", "its test admits rows of up to 8 entries"),
    ("csr where lenght < 3 + coo", "format/quantity", "`lenght` is nothing that a test of A can ask of an entry"),
    ("csr where tile(3,0) > 1 + coo", "format/quantity", "tile(a,b) is how many entries its tile of a × b has"),
    ("csr where length < 2.5 + coo", "format/comparison", "behind length a test of A compares with a whole number"),
    ("a = csr where row < 3 + a = coo", "format/part-name", "two parts of A are called a, at characters 1 and 24"),
    ("csr +", "format/empty", "a part of the format of A is empty"),
    (" + ".join(["csr where row<1"] * 13 + ["coo"] * 4), "format/parts", "the format of A has 17 parts"),
    ("csrr where row < 3 + csr", "format/unknown", "there is no format `csrr`"),
]
PROGRAMS = [
    ("y(i) = exp(A(i,j)) * x(j)", {}, "format/not-decomposable", "exp(A(i,j)) * x(j) is x(j)"),
    ("y(i) = A(i,j) * A(j,k) * x(k)", {}, "format/composed", "A(i,j) and A(j,k) would each need all parts of A"),
    ("y(i) = A(i,j) * B(i,j)", {"B": "hyb(1,1)"}, "format/composed", "A and B are both sums of parts"),
    ("C(i,j) = 2 * A(i,j)", {"C": "csr"}, "format/composed", "each of which adds into C, which is stored as csr"),
    ("A(i,j) = B(i,j)", {}, "format/composed", "A is computed, and a result cannot be stored as a sum of parts"),
    ("t(i) = A(i,j) * x(j); y(i) = t(i)", {}, "format/composed", "the expression has several statements"),
]


@pytest.mark.parametrize(("format", "code", "message"), FORMATS)
def test_a_format_that_cannot_be(format: str, code: str, message: str) -> None:
    (diagnostic,) = hd.lower(SPMV, {"A": format}).diagnostics
    assert diagnostic.code == code
    assert message in diagnostic.message


@pytest.mark.parametrize(("expression", "others", "code", "message"), PROGRAMS)
def test_a_program_that_parts_do_not_fit(expression: str, others: dict[str, str], code: str, message: str) -> None:
    (diagnostic,) = hd.lower(expression, {"A": "hyb(1,1)", **others}).diagnostics
    assert diagnostic.code == code
    assert message in diagnostic.message


def test_pieces_below_parts_hold_rows_of_any_length() -> None:
    """Their rows come again for each piece, so no row is too long for them."""
    pieces = "parts(2, even), compressed(nonunique), padded(2) : 0,0,1"
    assert hd.lower(SPMV, {"A": f"{pieces} where length <= 9 + csr"}).ok


def test_hyb_is_for_matrices() -> None:
    (diagnostic,) = hd.lower("y(i) = T(i,j,k) * x(k)", {"T": "hyb(1,1)"}).diagnostics
    assert diagnostic.message == "hyb is a format of matrices, but T has 3 dimensions"
