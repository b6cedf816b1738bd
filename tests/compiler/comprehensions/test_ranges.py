"""Ranges of index variables: the table of cases, and what a brute force over small sizes finds."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np
import pytest

from heddle.comprehensions.language.parser import parse
from heddle.comprehensions.program import Comprehension, check
from heddle.comprehensions.ranges.text import text
from heddle.diagnostics import CompileError
from heddle.symbolic.evaluate import number_of


def program(body: str, sizes: Mapping[str, int] | None = None) -> Comprehension:
    return check(parse(f"def f({body}"), sizes)


def ranges(made: Comprehension) -> dict[str, str]:
    found = made.inferred.ranges[-1]
    return {name: f"{text(one.lower)}:{text(one.upper)}" for name, one in found.items()}


CONV = "float(H,W) I, float(KH,KW) K) -> (O) { O(h,w) +=! "
TABLE = [
    ("float(K) K1, float(I) X) -> (O) { O(i) +=! K1(x) * X(i+x) }", {"x": "0:K", "i": "0:I - K + 1"}),
    (CONV + "I(h+kh,w+kw) * K(kh,kw) }", {"h": "0:H - KH + 1", "w": "0:W - KW + 1"}),
    (CONV + "I(2*h+kh,3*w+kw) * K(kh,kw) }", {"h": "0:(H - KH) / 2 + 1", "w": "0:(W - KW) / 3 + 1"}),
    ("float(H,W) I) -> (O) { O(i,j) max=! I(2*i+a,2*j+b) where a in 0:2, b in 0:2 }", {"i": "0:H / 2", "j": "0:W / 2"}),
    ("float(I) B) -> (O) { O(i) = B(2*i) }", {"i": "0:(I + 1) / 2"}),
    ("float(I) B) -> (O) { O(i) = B(2*i) + B(2*i+1) }", {"i": "0:I / 2"}),
    ("float(I) B) -> (O) { O(i) = B(10-i) }", {"i": "max(-I + 11, 0):11"}),
    ("float(5) B) -> (O) { O(i) = B(10-i) }", {"i": "6:11"}),
    ("float(I) B) -> (O) { O(i,j) = B(i) + B(j+3) }", {"i": "0:I", "j": "0:I - 3"}),
    (
        "float(M,N) I) -> (O) { O(i,j) = I(10+i-j, i+j) where i in 0:10 }",
        {"i": "0:10", "j": "max(-M + 20, 0):min(11, N - 9)"},
    ),
    ("float(10,19,10) I) -> (O) { O(i,j) = I(i,i+j,j) }", {"i": "0:10", "j": "0:10"}),
    (
        "float(A0,A1) B, float(C0,C1) A) -> (O) { T(i,j) = A(i,j)  O(j,l) +=! B(j,l) + T(i,j) }",
        {"j": "0:min(A0, C1)", "l": "0:A1", "i": "0:C0"},
    ),
    (
        "float(N,M,H,W) dO, float(M,C,KH,KW) K) -> (I) { I(n,c,h,w) +=! dO(n,m,h-kh,w-kw) * K(m,c,kh,kw) }",
        {"h": "max(0, KH - 1):H", "w": "max(0, KW - 1):W"},
    ),
    ("float(N) A) -> (O) { O(i) = A(i+5) }", {"i": "0:N - 5"}),
    ("float(N) A) -> (O) { O(i) = A(3*i-2) }", {"i": "1:(N + 1) / 3 + 1"}),
]


@pytest.mark.parametrize(("body", "expected"), TABLE)
def test_ranges_are_the_largest_for_which_all_reads_are_inside(body: str, expected: dict[str, str]) -> None:
    found = ranges(program(body))
    assert {name: found[name] for name in expected} == expected


CASES = [
    ("float(N) A) -> (O) { O(i) = A(i/2) }", {"i": "0:2*N"}),
    ("float(N) A) -> (O) { O(i) = A((i+1)/2) }", {"i": "0:2*N - 1"}),
    ("float(N) A) -> (O) { O(i) = A(3*i/2) }", {"i": "0:(2*N + 2) / 3"}),
    ("float(N) A) -> (O) { O(i) = A(i-i%4) }", {"i": "0:4*((N + 3) / 4)"}),
    ("float(N,4) A) -> (O) { O(i) = A(i/4,i%4) }", {"i": "0:4*N"}),
    ("float(N) A) -> (O) { O(i) = A(7-i/2) }", {"i": "max(-2*N + 16, 0):16"}),
    ("float(N) A) -> (O) { O(i) = A(min(i,N-1-i)) }", {"i": "0:N"}),
    ("float(N) A) -> (O) { O(i) = A(max(i,2*i-3)) }", {"i": "0:min(N - 1, N / 2 + 1) + 1"}),
    ("float(N) A) -> (O) { O(i) = A(max(3-i,i-3)) }", {"i": "max(-N + 4, 0):N + 3"}),
    ("float(5) A) -> (O) { O(i) = A(max(i-2,0)) }", {"i": "0:7"}),
    ("float(2) A) -> (O) { O(i) = A(min(i,3)) }", {"i": "0:2"}),
    ("float(3) A, float(M) B) -> (O) { O(i) = A(i%3) * B(i) }", {"i": "0:M"}),
    ("float(N) A, float(K) W) -> (O) { O(i) +=! A((i+k)/2) * W(k) }", {"i": "0:2*N - K + 1"}),
    ("float(N) A, float(K) W) -> (O) { O(i) +=! A(i+k/2) * W(k) }", {"i": "0:N - (K + 1) / 2 + 1"}),
]


@pytest.mark.parametrize(("body", "expected"), CASES)
def test_quotients_remainders_minima_and_maxima_are_solved_by_cases(body: str, expected: dict[str, str]) -> None:
    found = ranges(program(body))
    assert {name: found[name] for name in expected} == expected


CURVED = (
    "i/2", "(2*i+1)/3", "i%3", "i-i%2", "i+i/2", "7-i/3", "min(i,4)", "max(i-2,0)", "min(i,6-i)", "max(2*i-5,i/2)",
    "min(i/2,i-1)", "3*min(i,2)", "max(4-i,i-4)", "min(max(i-1,0),5)",
)  # fmt: skip

REFUSED = ("tc/unresolved", "tc/not-affine", "tc/ambiguous-range", "tc/empty-range")


def _value(subscript: str, i: int) -> int:
    return int(eval(subscript.replace("/", "//"), {"min": min, "max": max}, {"i": i}))


@pytest.mark.parametrize("first", CURVED)
def test_cases_leave_exactly_what_counting_leaves(first: str) -> None:
    """Of one read alone, and of two: every value in the range is inside, and the next one on either side is not. What
    is refused is no interval, has no end, or is never inside."""
    found = 0
    for second, size in itertools.product((None, "i+1", "(i+1)/2", "min(i,3)"), range(1, 7)):
        reads = [first] if second is None else [first, second]
        inside = [all(0 <= _value(one, i) < size for one in reads) for i in range(40)]
        body = f"float({size}) A) -> (O) {{ O(i) = {' * '.join(f'A({one})' for one in reads)} }}"
        try:
            one = program(body).inferred.ranges[0]["i"]
        except CompileError as refused:
            assert refused.diagnostics[0].code in REFUSED  # noqa: PT017
            continue
        low, high = number_of(one.lower, {}), number_of(one.upper, {})
        assert inside == [low <= i < high for i in range(40)], (body, low, high)
        found += 1
    assert found >= 6


def test_sizes_that_are_known_make_numbers() -> None:
    body = "float(M,N) I, float(KH,KW) W) -> (O) { O(h,w) +=! I(2*h+3*w+kh, 2*w+kw) * W(kh,kw) }"
    found = ranges(program(body, {"M": 30, "N": 9, "KH": 3, "KW": 2}))
    assert found == {"kh": "0:3", "kw": "0:2", "w": "0:4", "h": "0:10"}
    strided = program("float(N) B, int s) -> (O) { O(h) = B(s*h) }", {"s": 3})
    assert ranges(strided) == {"h": "0:(N + 2) / 3"}


def test_rounds_say_which_access_held_which_variable() -> None:
    rounds = program(TABLE[1][0]).inferred.rounds
    assert [(one.number, one.variable) for one in rounds] == [(1, "kh"), (1, "kw"), (2, "h"), (2, "w")]
    height = rounds[2]
    assert (height.access, height.constraint) == ("I(h+kh,w+kw)", "0 <= h + kh < H")
    assert height.eliminated == ("kh in 0:KH",)
    assert (height.lower, height.upper) == ("0", "H - KH + 1")


def test_a_statement_that_reads_too_little_waits_for_the_next_of_its_tensor() -> None:
    made = program("float(B,I) x, float(O) b, float(O,I) w) -> (y) { y(n,o) = b(o)  y(n,o) += x(n,i) * w(o,i) }")
    assert {name: text(one.upper) for name, one in made.inferred.ranges[0].items()} == {"o": "O", "n": "B"}
    assert [one.variable for one in made.inferred.rounds if one.how == "later"] == ["n"]


SUBSCRIPTS = ("i", "j", "i+j", "2*i", "2*i+j", "i-j", "7-i", "j+2", "3*j-1", "i+2*j", "5-2*j", "-i+j+3")


def _inside(reads: tuple[tuple[str, str], ...], sizes: Mapping[str, int], point: Mapping[str, int]) -> bool:
    """``reads`` are subscripts, which Python reads as well, with the size of their dimension."""
    return all(0 <= eval(subscript, {}, dict(point)) < sizes[size] for subscript, size in reads)


def test_no_read_leaves_its_tensor_and_no_range_could_be_larger() -> None:
    """Random programs of two reads, each for a few sizes: the box is inside, and each variable alone cannot grow while
    the others keep the ranges that were found before it."""
    random = np.random.default_rng(3)
    checked = 0
    for _ in range(120):
        one, two, three = random.choice(SUBSCRIPTS, 3)
        reads = ((one, "M"), (two, "N"), (three, "K"))
        body = f"float(M,N) A, float(K) B) -> (O) {{ O(i,j) = A({one},{two}) * B({three}) }}"
        try:
            made = program(body)
        except CompileError as refused:
            assert refused.diagnostics[0].code in ("tc/unresolved", "tc/ambiguous-range", "tc/empty-range")  # noqa: PT017
            continue
        for sizes in ({"M": 6, "N": 5, "K": 4}, {"M": 3, "N": 6, "K": 6}, {"M": 1, "N": 2, "K": 6}):
            found = {
                n: (number_of(r.lower, sizes), number_of(r.upper, sizes)) for n, r in made.inferred.ranges[0].items()
            }
            box = [range(*found[name]) for name in ("i", "j")]
            for i, j in itertools.product(*box):
                assert _inside(reads, sizes, {"i": i, "j": j}), (body, sizes, i, j)
            checked += 1
            if not all(box):
                continue
            last = list(made.inferred.ranges[0])[-1]  # resolved behind the other: nothing else holds it back
            other = "i" if last == "j" else "j"
            for beyond in (found[last][0] - 1, found[last][1]):
                if beyond >= 0:
                    points = [{last: beyond, other: value} for value in range(*found[other])]
                    assert not all(_inside(reads, sizes, point) for point in points), (body, sizes, last, beyond)
    assert checked > 60
