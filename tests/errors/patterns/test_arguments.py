"""What is wrong with the arguments of a program in patterns is found when they are bound, with the first place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import CompileError
from tests.compiler.patterns.programs import CASES, ROW, many, program

OFFSET, COLS = np.array([0, 2, 2, 5, 7]), np.array([0, 3, 1, 2, 5, 0, 4])
VALS, XS = np.arange(7.0), np.arange(6.0)
GOOD = {"offset": OFFSET, "cols": COLS, "vals": VALS, "xs": XS}


def refused(text: str, **arguments: Any) -> tuple[str, str]:
    kernel = hd.compile(text, language="patterns", target="interpreter")
    with pytest.raises(CompileError) as caught:
        kernel.prepare(arguments)
    diagnostic = caught.value.diagnostics[0]
    return diagnostic.code, diagnostic.message


@pytest.mark.parametrize(
    ("changed", "code", "message"),
    [
        (
            {"vals": VALS[:6]},
            "ragged-size",
            "vals has 6 in records, and its type says offset@n with n = 4: 7.",
        ),
        ({"offset": np.array([0, 2, 5, 2, 7])}, "offsets", "offset falls at position 3: 5, then 2."),
        (
            {"cols": np.array([0, 3, 1, 6, 5, 0, 4])},
            "index-range",
            "cols has 6 in row 2, entry 1, and xs has 6 elements.",
        ),
        (
            {"cols": np.array([0, -3, 1, 2, 5, 0, 4])},
            "index-range",
            "cols has -3 in row 0, entry 1, and xs has 6 elements.",
        ),
        (
            {"n": 5},
            "size-mismatch",
            "offset has 5 in dimension 0, and its type says n + 1 with n = 5: 6. n = 4 from offset.",
        ),
        ({"cols": COLS + 0.5}, "dtype", "cols has elements of type float64, which int32 does not hold."),
        ({"xs": np.ones((2, 3))}, "argument", "xs is [float]_m, found 2 dimensions."),
        ({"q": 3}, "unknown-operand", "q is not a parameter of the program."),
        ({"n": -1}, "argument", "n is a size."),
        (
            {"vals": [[0.0, 1.0], [], [2.0, 3.0], [4.0, 5.0, 6.0]]},
            "ragged-size",
            "Row 2 of vals has another length than its type says.",
        ),
    ],
)
def test_an_argument_that_breaks_what_its_type_says(changed: dict[str, Any], code: str, message: str) -> None:
    assert refused(CASES["P3"].text, **{**GOOD, **changed}) == (f"runtime/{code}", message)


def test_an_argument_that_is_missing() -> None:
    arguments = {name: value for name, value in GOOD.items() if name != "xs"}
    assert refused(CASES["P3"].text, **arguments) == (
        "runtime/missing-operand",
        "xs is missing; the program takes offset, cols, vals, xs.",
    )


def test_fields_in_the_other_order() -> None:
    packed = np.zeros(7, [("value", np.float32), ("column", np.int32)])
    assert refused(CASES["P4"].text, offset=OFFSET, rows=packed, xs=XS) == (
        "runtime/field-dtype",
        "The fields of rows are int32, float32, found float32, int32.",
    )


def test_pieces_that_do_not_divide() -> None:
    text = program(many("n", "k"), "fun(x:[float]n => x :>> split(k) :>> map(reduce(+, 0.0)")
    assert refused(text, x=np.ones(5), k=2) == ("runtime/not-divisible", "Pieces of k = 2 do not divide n = 5.")


def test_an_index_that_comes_twice() -> None:
    text = program(many("n"), "fun(x:[float]n => fun(places:[int]n => scatter(places, x)")
    assert refused(text, x=np.ones(3), places=np.array([0, 2, 2])) == (
        "runtime/permutation",
        "places does not have each of 0 to 2 once: 1 comes 0 times.",
    )


def test_rows_whose_lengths_differ_in_data() -> None:
    text = program(
        many("n"),
        f"fun(offset:[int]n+1 => fun(other:[int]n+1 => fun(a:[i -> [float]{ROW}]n => "
        "fun(b:[i -> [float]toNat(other@(i+1) - other@i)]n => "
        "zip(a, b) :>> map(fun(r => zip(r.1, r.2) :>> map(*) :>> reduce(+, 0.0)",
    )
    good = {"offset": OFFSET, "other": OFFSET, "a": VALS, "b": VALS}
    kernel = hd.compile(text, language="patterns", target="interpreter")
    assert kernel(**good).to_numpy().tolist() == [1, 0, 29, 61]
    code, message = refused(text, **{**good, "other": np.array([0, 2, 3, 5, 7])})
    assert code == "runtime/zip-length"
    assert message.endswith("at i = 1: 0 and 1.")


def test_a_length_that_is_negative() -> None:
    assert refused(CASES["P2"].text, lengths=np.array([2, -1]), cols=COLS[:1], vals=VALS[:1], xs=XS) == (
        "runtime/negative-length",
        "lengths@i is -1 at i = 1; a length in the type of cols is at least 0.",
    )


def test_a_size_that_nothing_tells() -> None:
    text = program(many("n", "k"), "fun(x:[float]n => x :>> splitUp(k) :>> map(reduce(+, 0.0)")
    assert refused(text, x=np.ones(5)) == ("runtime/unknown-size", "No argument tells how much k is.")


def _solved(text: str, **arguments: Any) -> dict[str, int]:
    return dict(hd.compile(text, language="patterns", target="interpreter").prepare(arguments).sizes)


BAND = program(many("n", "b"), "fun(U:[i -> [float]_{min(b,n-i)}]n => U :>> map(reduce(+, 0.0")
ONES = np.ones(4, np.float32)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (BAND, {"U": ONES[:0], "b": 0}),
        (program(many("n", "b"), "fun(a:[float]_{n*b} => iota(n) :>> map(fun(v => v * 2"), {"a": ONES[:0], "b": 0}),
        (program(many("n"), "fun(a:[float]_{min(n,4)} => iota(n) :>> map(fun(v => v * 2"), {"a": ONES}),
        (program(many("n"), "fun(a:[float]_{n%3} => iota(n) :>> map(fun(v => v * 2"), {"a": ONES[:1]}),
        (program(many("n"), "fun(T:[i -> [float]_{i%3}]n => T :>> map(reduce(+, 0.0"), {"T": ONES[:3]}),
        (program(many("n"), "fun(T:[i -> [float]_{5+min(2,n-2*i)}]n => T :>> map(reduce(+, 0.0"), {"T": ONES}),
    ],
)
def test_a_size_that_several_numbers_would_fit_is_asked_for(text: str, arguments: dict[str, Any]) -> None:
    code, message = refused(text, **arguments)
    assert (code, message) == ("runtime/unknown-size", "No argument tells how much n is.")


def test_totals_that_only_one_size_gives_tell_it() -> None:
    assert _solved(BAND, U=np.ones(5, np.float32), b=2) == {"n": 3, "b": 2}
    half = program(many("n"), "fun(a:[float]_{min(n,4)} => iota(n) :>> map(fun(v => v * 2")
    assert _solved(half, a=ONES[:3]) == {"n": 3}


def test_what_tells_a_size_for_sure_comes_first() -> None:
    text = program(many("n"), "fun(a:[float]_{min(n,4)} => fun(xs:[float]n => xs :>> map(fun(v => v * 2.0")
    assert _solved(text, a=ONES, xs=np.ones(9, np.float32)) == {"n": 9}
    banded = program(
        many("n", "b"),
        "fun(U:[i -> [float]_{min(b,n-i)}]n => fun(xs:[float]n => U :>> mapi(fun(i => fun(r => "
        "zip(r, take(min(b,n-i))(drop(i)(xs))) :>> map(*) :>> reduce(+, 0",
    )
    kernel = hd.compile(banded, language="patterns", target="interpreter")
    np.testing.assert_array_equal(kernel(U=ONES[:0], xs=ONES, b=0).to_numpy(), np.zeros(4))


def test_loops_that_would_add_up_for_too_many_rows() -> None:
    rows = (1 << 22) + 1
    kernel = hd.compile(CASES["P5"].text, language="patterns", target="interpreter", schedule=["sums(values, loop)"])
    with pytest.raises(CompileError) as caught:
        kernel.prepare({"offset": np.zeros(rows + 1, np.int32), "values": np.zeros(0, np.float32)})
    found = caught.value.diagnostics[0]
    assert found.code == "runtime/too-many-additions"
    assert found.message == "sums(values, loop) would add up 8,796,095,119,360 lengths for 4,194,305 rows."
    assert found.hint == "sums(values, memo) adds each length up once."


def test_no_digits_of_an_argument_are_lost() -> None:
    for values, found in (
        (VALS + 0.1, "the value 0.1 of type float64"),
        (np.arange(7) + 2**24, "the value 16777217 of type int64"),
        (VALS * 1e300, "the value 1e+300 of type float64"),
    ):
        code, message = refused(CASES["P3"].text, **{**GOOD, "vals": values})
        assert (code, message) == ("runtime/dtype", f"vals has {found}, which float32 does not hold.")
    kernel = hd.compile(CASES["P3"].text, language="patterns", target="interpreter")
    numbers = (VALS + 0.1).tolist()  # Python's have no precision of their own
    expected = kernel(**{**GOOD, "vals": (VALS + 0.1).astype(np.float32)}).to_numpy()
    np.testing.assert_array_equal(kernel(**{**GOOD, "vals": numbers}).to_numpy(), expected)


def test_masked_arguments_are_refused() -> None:
    masked = np.ma.array(VALS, mask=VALS == 3)
    code, message = refused(CASES["P3"].text, **{**GOOD, "vals": masked})
    assert (code, message) == (
        "runtime/argument",
        "vals is no array: a masked array, of whose elements 1 has no value.",
    )
