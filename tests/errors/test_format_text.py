"""Format texts that name no format, or none that fits the tensor."""

from __future__ import annotations

import pytest

from heddle.diagnostics import Part
from heddle.formats.parser import parse_format
from tests.errors.expect import marked, refusal


@pytest.mark.parametrize(
    ("text", "order", "code", "message", "at"),
    [
        ("csr", 3, "format/order-mismatch", "A has 3 dimensions, but `csr` stores 2", "csr"),
        ("sparse", 2, "format/order-mismatch", "A has 2 dimensions, but `sparse` stores 1", "sparse"),
        ("dss", 2, "format/order-mismatch", "A has 2 dimensions, but `dss` stores 3", "dss"),
        ("dense, dense", 1, "format/order-mismatch", "A has 1 dimension, but `dense, dense` stores 2", "dense, dense"),
        ("d", 0, "format/order-mismatch", "A has no dimensions, but `d` stores 1", "d"),
        ("crs", 2, "format/unknown", "there is no format `crs` (format of A); did you mean csr?", "crs"),
        ("  xyz", 2, "format/unknown", "there is no format `xyz` (format of A)", "xyz"),
        (
            "dense, compresed",
            2,
            "format/unknown",
            "there is no level kind `compresed` (format of A); did you mean compressed?",
            "compresed",
        ),
        ("dense,,dense", 3, "format/unknown", "a level is missing in the format of A", ""),
        (
            "compressed(uniq)",
            1,
            "format/unknown-property",
            "compressed levels have no property `uniq` (format of A)",
            "uniq",
        ),
        (
            "ds:1,1",
            2,
            "format/bad-order",
            "`1,1` is not an order of the dimensions of A, which has 2 dimensions",
            "1,1",
        ),
        (
            "ds : 0,1,2",
            2,
            "format/bad-order",
            "`0,1,2` is not an order of the dimensions of A, which has 2 dimensions",
            " 0,1,2",
        ),
        (
            "ds:x,y",
            2,
            "format/bad-order",
            "`x,y` is not an order of the dimensions of A, which has 2 dimensions",
            "x,y",
        ),
        ("ds:", 2, "format/bad-order", "the order of the dimensions of A is empty", ""),
        (
            "bcsr(4,4,4)",
            2,
            "format/block-sizes",
            "bcsr has 2 numbers or 1 number in parentheses, as in bcsr(4,4) and bcsr(8) (format of A)",
            "bcsr(4,4,4)",
        ),
        (
            "sell(8,64,2)",
            2,
            "format/block-sizes",
            "sell has 1 number or 2 numbers in parentheses, as in sell(8) and sell(8,64) (format of A)",
            "sell(8,64,2)",
        ),
        ("sell(8,0)", 2, "format/block-size", "`0` is not a valid window of rows (format of A)", "8,0"),
        (
            "sorted(1048577), slots, dense(8), optional",
            2,
            "format/block-size",
            "`1048577` is not a valid window of rows (format of A)",
            "1048577",
        ),
        (
            "bcsr",
            2,
            "format/block-sizes",
            "bcsr has 2 numbers or 1 number in parentheses, as in bcsr(4,4) and bcsr(8) (format of A)",
            "bcsr",
        ),
        ("bcsr(4,0)", 2, "format/block-size", "`0` is not a valid size of a block (format of A)", "4,0"),
        ("bcsr(4,x)", 2, "format/block-size", "`x` is not a valid size of a block (format of A)", "4,x"),
        ("dense, dense(9999)", 1, "format/block-size", "`9999` is not a valid size of a block (format of A)", "9999"),
        ("bcsr(2,2)", 3, "format/order-mismatch", "A has 3 dimensions, but `bcsr(2,2)` stores 2", "bcsr(2,2)"),
        (
            "bcsr(2,2):1,0",
            2,
            "format/bad-order",
            "`1,0` is not an order of the dimensions of A, which has 2 dimensions",
            "1,0",
        ),
        ("", 2, "format/empty", "the format of A is empty", ""),
        (":1,0", 2, "format/empty", "the format of A is empty", ":1,0"),
        ("d" * 257, 2, "format/too-long", "the format of A has 257 characters, the limit is 256", "d"),
    ],
)
def test_refused(text: str, order: int, code: str, message: str, at: str) -> None:
    diagnostic = refusal(lambda: parse_format(text, order, "A"))
    assert (diagnostic.code, diagnostic.message, marked(text, diagnostic)) == (code, message, at)
    assert diagnostic.location is not None
    assert (diagnostic.location.part, diagnostic.location.tensor) == (Part.FORMAT, "A")


def test_formats_of_the_right_order_are_offered() -> None:
    diagnostic = refusal(lambda: parse_format("csr", 3, "B"))
    assert diagnostic.candidates == ("dense", "csf", "coo", "ell3d(4,8)", "coo-perm", "csl")
    assert [(fix.title, fix.formats) for fix in diagnostic.fixes] == [
        ("Use csf for B", {"B": "csf"}),
        ("Use dense for B", {"B": "dense"}),
    ]


def test_near_names_are_offered_as_fixes() -> None:
    diagnostic = refusal(lambda: parse_format("crs", 2, "A"))
    assert diagnostic.fixes[0].formats == {"A": "csr"}
    assert diagnostic.candidates[0] == "csr"
    assert refusal(lambda: parse_format("xyz", 1, "A")).candidates[:2] == ("sparse", "dense")


def test_levels_without_a_comma_are_told_of_it() -> None:
    assert refusal(lambda: parse_format("dense compressed", 2, "A")).hint == "levels are separated by commas"


def test_an_order_is_explained() -> None:
    diagnostic = refusal(lambda: parse_format("ds:1,1", 2, "A"))
    assert diagnostic.expected == "each of 0,1 once"
    assert diagnostic.hint == "list the dimensions, counted from 0, from the outermost level to the innermost"
    assert diagnostic.candidates == ("0,1", "1,0")
    assert refusal(lambda: parse_format("dense:0", 0, "A")).expected == "no dimension order: a scalar has no dimensions"


@pytest.mark.parametrize(
    ("text", "at", "repaired"),
    [
        ("sparse,sparse", "sparse", "compressed,compressed"),
        ("dense, Sparse : 1,0", "Sparse", "dense, compressed : 1,0"),
    ],
)
def test_tacos_word_for_a_level_is_the_one_of_here(text: str, at: str, repaired: str) -> None:
    diagnostic = refusal(lambda: parse_format(text, 2, "A"))
    assert diagnostic.message == f"there is no level kind `{at}` (format of A); did you mean compressed?"
    assert marked(text, diagnostic) == at
    assert diagnostic.candidates == ("compressed",)
    assert [fix.formats for fix in diagnostic.fixes] == [{"A": repaired}]
    parse_format(repaired, 2, "A")


def test_tacos_word_beside_another_mistake_is_said_alone() -> None:
    diagnostic = refusal(lambda: parse_format("sparse, foo", 2, "A"))
    assert (diagnostic.candidates, diagnostic.fixes) == (("compressed",), ())


@pytest.mark.parametrize(
    ("text", "meant"),
    [("block(4,4)", "bcsr(4,4)"), ("BSR( 2, 3 )", "bcsr(2,3)"), ("blocked(8)", "bcsr(8,8)"), ("tiles", "bcsr(4,4)")],
)
def test_blocks_under_another_name_are_bcsr(text: str, meant: str) -> None:
    diagnostic = refusal(lambda: parse_format(text, 2, "A"))
    assert diagnostic.message == f"there is no format `{text}` (format of A); did you mean {meant}?"
    assert diagnostic.candidates == (meant,)
    assert [fix.formats for fix in diagnostic.fixes] == [{"A": meant}]
    parse_format(meant, 2, "A")
