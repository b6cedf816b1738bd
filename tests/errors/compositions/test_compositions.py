"""Formats that are sums of parts and cannot be: each mistake with its code and its words."""

from __future__ import annotations

import pytest

import heddle as hd

SPMV = "y(i) = A(i,j) * x(j)"
FORMATS = [
    ("hyb(0,2)", "format/parts-count", "`0` cannot be the number of column ranges of A", "hyb(1,2)"),
    ("hyb(2000000,2)", "format/parts-count", "`2000000` cannot be the number of column ranges of A", "hyb(4096,2)"),
    ("hyb(1,2,0)", "format/parts-count", "`0` cannot be the number of row ranges of A", "hyb(1,2,1)"),
    ("hyb(1,x)", "format/bucket", "`x` cannot be the largest bucket of A", "hyb(1,2)"),
    ("hyb(1,31)", "format/bucket", "`31` cannot be the largest bucket of A", "hyb(1,12)"),
    ("hyb(2)", "format/hyb", "hyb has two numbers: how many ranges the columns of A are cut into", "hyb(1,3)"),
    ("hyb(1,2,3,4)", "format/hyb", "a third one cuts the rows into ranges for workers", "hyb(1,3)"),
    (
        "hyb(2,3,whole)",
        "format/hyb",
        "a row of A lies in one part, so columns cannot be cut into 2 ranges",
        "hyb(1,3,whole)",
    ),
    (
        "csr + coo",
        "format/unreached-part",
        "part 2 of A never gets an entry, because csr before it takes all",
        "csr",
    ),
    (
        "csr + coo where row < 2",
        "format/unreached-part",
        "part 2 of A never gets an entry, because csr before it takes all",
        "coo where row < 2 + csr",
    ),
    (
        "csr where row < 3",
        "format/left-over",
        "entries of A that fail the tests have no place to be stored in.",
        "csr where row < 3 + csr",
    ),
    (
        "ell(4) where length <= 4",
        "format/left-over",
        "entries of A that fail the tests have no place to be stored in.",
        "ell(4) where length <= 4 + csr",
    ),
    (
        "ell(4) where length <= 8 + csr",
        "format/too-narrow",
        "its test admits rows of up to 8 entries",
        "pieces(4) where length <= 8 + csr",
    ),
    (
        "csr where lenght < 3 + coo",
        "format/quantity",
        "`lenght` is nothing that a test of A can ask of an entry; did you mean length?",
        "csr where length < 3 + coo",
    ),
    (
        "csr where tile(3,0) > 1 + coo",
        "format/quantity",
        "tile(a,b) is how many entries its tile of a × b has; the test of A has other numbers in parentheses",
        "csr where tile(3,1) > 1 + coo",
    ),
    ("csr where tile >= 8 + coo", "format/quantity", "tile(a,b) is how many entries", "csr where tile(4,4) >= 8 + coo"),
    (
        "csr where length < 2.5 + coo",
        "format/comparison",
        "after length a test of A compares with a whole number",
        "csr where length < 3 + coo",
    ),
    (
        "csr where length ~ 3 + coo",
        "format/comparison",
        "after length a test of A compares with a whole number",
        "csr where length == 3 + coo",
    ),
    (
        "a = csr where row < 3 + a = coo",
        "format/part-name",
        "two parts of A are called a, at characters 1 and 24",
        "a = csr where row < 3 + a_2 = coo",
    ),
    ("csr +", "format/empty", "a part of the format of A is empty", "csr"),
    ("csr where row < 3 +", "format/empty", "a part of the format of A is empty", "csr where row < 3 + csr"),
    ("csr where + coo", "format/quantity", "a test is missing in the format of A", "csr where length <= 4 + coo"),
    (" + ".join(["csr where row<1"] * 13 + ["coo"] * 4), "format/parts", "the format of A has 17 parts", "hyb(1,4)"),
    ("csrr where row < 3 + csr", "format/unknown", "there is no format `csrr`", None),
    (
        "dense, parts(8)",
        "format/misplaced-level",
        "no level below it stores the coordinates inside the parts",
        "parts(8), dense, compressed : 0,0,1",
    ),
]
PROGRAMS = [
    *(
        (
            text,
            {},
            "format/not-decomposable",
            f"and {text.removeprefix('y(i) = ')} needs what all of them give together",
        )
        for text in ("y(i) = sqrt(sum(j, A(i,j) * A(i,j)))", "y(i) = sum(j, A(i,j)) * sum(j, A(i,j))")
    ),
    ("y(i) = exp(A(i,j)) * x(j)", {}, "format/not-decomposable", "exp(A(i,j)) * x(j) is x(j)"),
    ("y(i) = A(i,j) * A(j,k) * x(k)", {}, "format/composed", "A(i,j) and A(j,k) would each need all parts of A"),
    (
        "y(i) = A(i,j) * B(i,j)",
        {"A": "csr where row < 2 + dcsr", "B": "hyb(1,1)"},
        "format/composed",
        "A and B are both sums of parts",
    ),
    ("C(i,k) = A(i,j) * B(j,k)", {"C": "csr"}, "format/composed", "each of which adds into C, which is stored as csr"),
    ("C(i,j) = 2 * A(i,j)", {"C": "csr"}, "format/composed", "each of which adds into C, which is stored as csr"),
    (
        "A(i,j) = B(i,j)",
        {},
        "format/result-composition",
        "but no operand here is stored in parts. Store A as such an operand, or dense.",
    ),
    (
        "S(i,j) = A(i,j) * B(i,j)",
        {"S": "hyb(1,2)"},
        "format/result-composition",
        "A result in parts has the parts and the pattern of an operand, but S is stored as hyb(1,2) and A is stored as "
        "hyb(1,1). Store S as A, or dense.",
    ),
    (
        "S(i,j) = A(i,j) + B(i,j)",
        {"S": "hyb(1,1)"},
        "format/result-composition",
        "but B(i,j) has values where A stores nothing. Store S as A, or dense.",
    ),
    (
        "S(j,i) = 2 * A(i,j)",
        {"S": "hyb(1,1)"},
        "format/result-composition",
        "but S(j,i) has other coordinates than A(i,j). Store S as A, or dense.",
    ),
    ("t(i) = A(i,j) * x(j); y(i) = t(i)", {}, "format/composed", "the expression has several statements"),
]


@pytest.mark.parametrize(("format", "code", "message", "instead"), FORMATS)
def test_a_format_that_cannot_be(format: str, code: str, message: str, instead: str | None) -> None:
    """Each with a repair that compiles."""
    (diagnostic,) = hd.lower(SPMV, {"A": format}).diagnostics
    assert diagnostic.code == code
    assert message in diagnostic.message
    texts = [fix.formats["A"] for fix in diagnostic.fixes if fix.formats is not None]
    assert texts[:1] == ([] if instead is None else [instead])
    for text in texts:
        assert hd.lower(SPMV, {"A": text}).ok


def test_more_ranges_than_columns_are_remarked_on() -> None:
    result = hd.lower(SPMV, {"A": "hyb(8,2)"}, shapes={"A": (4, 5)})
    assert result.ok
    (diagnostic,) = result.diagnostics
    assert diagnostic.code == "format/empty-ranges"
    assert diagnostic.message == "A has 5 columns, so that of the 8 ranges of columns in hyb(8,2) 3 are empty."
    assert [fix.formats for fix in diagnostic.fixes] == [{"A": "hyb(5,2)"}]
    assert not hd.lower(SPMV, {"A": "hyb(5,2)"}, shapes={"A": (4, 5)}).diagnostics


def test_places_are_those_of_the_whole_text() -> None:
    (diagnostic,) = hd.lower(SPMV, {"A": "csr where row < 3 + coo where lenght < 2 + csr"}).diagnostics
    assert diagnostic.location is not None
    assert (diagnostic.location.start, diagnostic.location.end) == (29, 41)


def test_a_text_that_is_too_long() -> None:
    with pytest.raises(hd.CompileError) as caught:
        hd.lower(SPMV, {"A": " + ".join(["csr where row < 1"] * 13)})
    assert caught.value.diagnostics[0].message == "tensors.A.format has 257 characters, the limit is 256"
    with pytest.raises(hd.CompileError) as caught:
        hd.pack([[1.0]], " + ".join(["csr where row < 1"] * 13))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "format/too-long"
    assert diagnostic.message == "the format of operand has 257 characters, the limit is 256"


@pytest.mark.parametrize(("expression", "others", "code", "message"), PROGRAMS)
def test_a_program_that_parts_do_not_fit(expression: str, others: dict[str, str], code: str, message: str) -> None:
    """Each with repairs, of which one compiles."""
    formats = {"A": "hyb(1,1)", **others}
    (diagnostic,) = hd.lower(expression, formats).diagnostics
    assert diagnostic.code == code
    assert message in diagnostic.message
    repaired = [{**formats, **fix.formats} for fix in diagnostic.fixes if fix.formats is not None]
    assert any(hd.lower(expression, one).ok for one in repaired)


def test_pieces_below_parts_hold_rows_of_any_length() -> None:
    """Their rows come again for each piece, so no row is too long for them."""
    pieces = "parts(2, even), compressed(nonunique), padded(2) : 0,0,1"
    assert hd.lower(SPMV, {"A": f"{pieces} where length <= 9 + csr"}).ok


def test_hyb_is_for_matrices() -> None:
    (diagnostic,) = hd.lower("y(i) = T(i,j,k) * x(k)", {"T": "hyb(1,1)"}).diagnostics
    assert diagnostic.message == "hyb is a format of matrices, but T has 3 dimensions"
    for fix in diagnostic.fixes:
        assert hd.lower("y(i) = T(i,j,k) * x(k)", fix.formats).ok


def test_repairs_are_those_of_the_operand_rather_than_of_its_parts() -> None:
    for options in (None, {"convert": "automatic"}):
        formats = {"A": "hyb(1,1)", "B": "csc"}
        (diagnostic,) = hd.lower("C(i,k) = A(i,j) * B(j,k)", formats, options=options).diagnostics
        assert diagnostic.code == "format/unordered"
        assert [fix.formats for fix in diagnostic.fixes] == [{"A": "csr"}, {"A": "coo"}]


def test_nothing_is_converted_beside_an_operand_in_parts() -> None:
    formats = {"A": "csr where row < 3 + dcsr", "B": "csc"}
    expression = "C(i,j) = A(i,j) * B(i,j)"
    (diagnostic,) = hd.lower(expression, formats, options={"convert": "automatic"}).diagnostics
    assert diagnostic.code == "format/conflicting-orders"
    assert diagnostic.hint == "A is a sum of parts, whose operands are not converted automatically."
    assert [fix.formats for fix in diagnostic.fixes] == [{"B": "csr"}, {"A": "csr"}, {"A": "coo"}]
