"""Mistakes in tensor comprehensions: what is said of each, and where."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import Severity
from tests.errors.expect import refusal

MISTAKES = [
    (
        "def f(float(M,K) A, float(K) x) -> (C) { C(i) = A(i,k) * x(k) }",
        "tc/no-reduction",
        "=",
        "k is only on the right: say how the values are combined",
    ),
    (
        "def f(float(N) A) -> (O) { O(i,j) = 3 }",
        "tc/unresolved",
        "i",
        "the range of i and j does not follow from what is read: no tensor is read with them as an index",
    ),
    (
        "def f(float(B,C,H,W) in) -> (O) { O(b,c,i,j) max=! in(b,c,2*i+kw,2*j+kh) }",
        "tc/unresolved",
        "i",
        "the range of i and j and kw and kh does not follow from what is read: each access that has "
        "them has another one that is unknown as well: in(b,c,2*i+kw,2*j+kh) holds 2*i + kw inside 0:H; "
        "in(b,c,2*i+kw,2*j+kh) holds 2*j + kh inside 0:W",
    ),
    (
        "def f(float(N,NM,M) I) -> (O) { O(i,j) = I(i,i+j,j) }",
        "tc/ambiguous-range",
        "I(i,i+j,j)",
        "I(i,i+j,j) reads i + j in 0:NM, which the ranges that the other reads give (i in 0:N, j in "
        "0:M) do not keep it in: they would, were M + N - 1 <= NM, and which range should be smaller is "
        "not said",
    ),
    (
        "def f(float(N) A) -> (O) { O(i) = 3 where i in 8:4 }",
        "tc/empty-range",
        "i in 8:4",
        "i would run over 8:4, which ends before it begins",
    ),
    (
        "def f(float(N,N) a) -> (b) { b(i,j) = a(i,j)  b(i,j) = b(j,i) }",
        "tc/in-place",
        "b(j,i)",
        "b is assigned here and read at other indices: each element would depend on whether others are written already",
    ),
    (
        "def f(float(N) a) -> (b) { a(i) = 2 * a(i) b(i) = a(i) }",
        "tc/input-assigned",
        "a(i)",
        "a is an input, and inputs are not written",
    ),
    (
        "def f(float(N) a) -> (b, c) { b(i) = a(i) }",
        "tc/unassigned-return",
        "c",
        "c is a result, but no statement assigns it",
    ),
    (
        "def f(float(N,N) A) -> (b) { b(i) = A(i) }",
        "tc/order-conflict",
        "A(i)",
        "A has 2 dimensions, but 1 index here",
    ),
    (
        "def f(float(N) a) -> (b) { b(i) = a(i+.5) }",
        "tc/index-type",
        ".5",
        "an index of a is not an integer",
    ),
    (
        "def f(float(N) a, float(N) x) -> (b) { b(i) = a(i) where i in 0:x(0) }",
        "tc/where-bound",
        "x(0)",
        "the range of i must be known before the loops start: sizes, numbers and integer parameters "
        "alone can stand in it",
    ),
    (
        "def f(float(N) exp) -> (b) { b(i) = exp(i) }",
        "tc/name-conflict",
        "exp",
        "exp is a function of the language, and names nothing else",
    ),
    (
        "def f(float(N) a) -> (b) { b(N) = a(N) }",
        "tc/name-conflict",
        "N",
        "N is a size, and cannot be an index variable as well",
    ),
    (
        "def f(float(N) a) -> (b) { b(i) = expp(a(i)) }",
        "tc/unknown-function",
        "expp",
        "expp is neither a tensor that was assigned earlier nor a function",
    ),
    (
        "def f(half(N) a) -> (b) { b(i) = a(i) }",
        "tc/half",
        "half(N)",
        "half has 16 bits, which no kernel computes with",
    ),
    (
        "def f(float(N) a) -> (int(N) b) { b(i) = a(i) }",
        "tc/narrowing",
        "b(i) = a(i)",
        "the statement computes float values, which b of type int cannot hold without loss",
    ),
    *(
        (
            text,
            "tc/name-conflict",
            "C",
            "C is an input and a result: a result that is read before it is assigned is passed by the caller as well, "
            "and is not a parameter",
        )
        for text in (
            "def f(float(N) a, float(N) C) -> (C) { C(i) += a(i) }",
            "def f(float(N) C, float(N) a) -> (C) { C(i) += a(i) }",
        )
    ),
    (
        "def f(float(N) a, int s) -> (b) { b(h) = a(s*h) }",
        "tc/not-affine",
        "a(s*h)",
        "a(s*h) reads h*s, which is not a sum of index variables times known numbers, so that no range "
        "of h follows from it",
    ),
    (
        "def f(float(5) a) -> (b) { b(i) = a(min(i,3)) }",
        "tc/unresolved",
        "i",
        "the range of i does not follow from what is read: a(min(i,3)) reads min(3, i), which is inside 0:5 whatever "
        "the index is",
    ),
    (
        "def f(float(5) a) -> (b) { b(i) = a(max(i,7)) }",
        "tc/unresolved",
        "i",
        "the range of i does not follow from what is read: a(max(i,7)) reads max(7, i), which is outside 0:5 whatever "
        "the index is",
    ),
    (
        "def f(float(N) a) -> (b) { b(i) = a(i%3) }",
        "tc/not-affine",
        "a(i%3)",
        "a(i%3) reads (i % 3), which is inside 0:N for values of i that are no interval, or another one by the sizes, "
        "so that no range of i follows from it",
    ),
    (
        "def f(float(N) a) -> (b) { b(i) +=! a((i+k)/2) }",
        "tc/unresolved",
        "i",
        "the range of i and k does not follow from what is read: each access that has them has another one that is "
        "unknown as well: a((i+k)/2) holds (i + k) / 2 inside 0:N",
    ),
    (
        "def f(float(N,M) a) -> (b) { b(i) = a(i/4,i%4) }",
        "tc/ambiguous-range",
        "a(i/4,i%4)",
        "a(i/4,i%4) reads (i % 4) in 0:M, which the ranges that the other reads give (i in 0:4*N) do not keep it in: "
        "it depends on the sizes, and which range should be smaller is not said",
    ),
    (
        "def f(float(B,I) in, float(O,I) w, float(I) bias) -> (out) { out(b,o) = bias(o) out(b,o) += "
        "in(b,i) * w(o,i) }",
        "tc/extent-conflict",
        "out(b,o)",
        "out runs over 0:O in dimension 1 here, but statement 1 gives it 0:I: a tensor has one size",
    ),
    (
        "def f(float(N) a) -> (b) { (b) = g(a) }",
        "tc/call",
        "g",
        "nothing is defined as g",
    ),
    (
        "def f(float(N) a) -> (b) { (b) = f(a) }",
        "tc/call",
        "f",
        "f calls itself, and there is nothing that would end it",
    ),
    (
        "def g(float(N) a) -> (b) { b(i) = a(i) } def f(float(N) a) -> (b, c) { (b, c) = g(a) }",
        "tc/call",
        "(b, c) = g(a)",
        "g has 1 result, but 2 stand here",
    ),
    (
        "def f(float(N) a, int(N) I) -> (b) { b(I(i)) = a(i) }",
        "tc/scatter",
        "I(i)",
        "an index of b on the left is a formula, but each element is assigned at a place of its own: "
        "only index variables stand there",
    ),
    (
        "def f(float(N) a) -> (b) { b(i) -= a(i) }",
        "tc/operator",
        "-=",
        "`-=` is not an assignment: one of += *= min= max= combines values in any order",
    ),
    (
        "def f(float(N) a) -> (b) { b(i) = a(i)",
        "tc/syntax",
        "",
        "expected an operator or a statement or `}`, found end of text",
    ),
    (
        "def f(float(N) a) -> (b) { b(i) a(i) }",
        "tc/syntax",
        "a",
        "expected an assignment (`=`, `+=!`, `+=`, `*=!`, `min=!`, `max=!`), found `a`",
    ),
    (
        "def f(float(N) a) (b) { b(i) = a(i) }",
        "tc/syntax",
        "(",
        "expected `->`, found `(`",
    ),
    (
        "def f{}",
        "tc/syntax",
        "{",
        "expected `(`, found `{`",
    ),
    (
        "def f(float(N) a) -> (b) { b(i) = t(i) t(i) = a(i) }",
        "tc/read-before",
        "t",
        "t is read here, but no earlier statement assigns it, and it is not an input",
    ),
    (
        "def f(float(N) int) -> (b) { b(i) = a(i) }",
        "tc/name-conflict",
        "int",
        "int is a type of the language, and names nothing else",
    ),
    (
        "def f(float(N) X, float(A) I) -> (Z) { Z(i) = X(I(i)) }",
        "tc/index-type",
        "I(i)",
        "an index of X is not an integer",
    ),
    (
        "def f(float(N) x) -> (Z) { Z(i) = pow(x(i)) }",
        "tc/arguments",
        "pow(x(i))",
        "pow takes 2 arguments, found 1",
    ),
    (
        "def f(float(N) x) -> (Z) { Z(i) = x(i) * x.1 }",
        "tc/size",
        "x.1",
        "there is no x.1: x has 1 dimension",
    ),
    (
        "def f(float(N) 2x) -> (Z) { Z(i) = 2x(i) }",
        "tc/name",
        "2x",
        "2x begins with a digit, as only the names of definitions may",
    ),
    (
        "def f(float(N) x) -> (Z) { Z(i,i) = x(i) }",
        "tc/repeated-index",
        "i",
        "Z has the index variable i twice on the left, which assigns its diagonal alone",
    ),
]


@pytest.mark.parametrize(("text", "code", "place", "message"), MISTAKES)
def test_a_mistake_is_explained_where_it_is(text: str, code: str, place: str, message: str) -> None:
    result = hd.lower(text, language="comprehension")
    first = result.diagnostics[0]
    assert (first.code, first.message) == (code, message)
    assert first.location is not None
    assert text[first.location.start : first.location.end] == place
    assert first.expected
    assert first.found
    assert first.hint or first.fixes
    for fix in first.fixes:
        assert fix.expression is not None
        assert hd.lower(fix.expression, language="comprehension").ok, fix.title


def test_a_parameter_that_is_the_result_becomes_the_result_alone() -> None:
    text = "def f(float(N) a, float(N) C) -> (C) { C(i) += a(i) }"
    (fix,) = hd.lower(text, language="comprehension").diagnostics[0].fixes
    assert fix.title == "Make C a result alone"
    assert fix.expression == "def f(float(N) a) -> (float(N) C) { C(i) += a(i) }"


def test_a_stride_without_a_number_says_where_it_gets_one() -> None:
    text = "def f(int s, int t, float(N,M) a) -> (b) { b(h,w) = a(s*h,t*w) }"
    first, *_ = hd.lower(text, language="comprehension").diagnostics
    assert first.hint == (
        'give s and t numbers (their fields on the page, sizes={"s": 1, "t": 1} in Python), or say the range: '
        "where h in 0:…, w in 0:…"
    )
    assert hd.lower(text, language="comprehension", sizes={"s": 1, "t": 1}).ok


def test_notes_do_not_keep_a_program_from_running() -> None:
    result = hd.lower("def f(float(N) a) -> (b) { b(i) += a(i)  t(i) = a(i) }", language="comprehension")
    assert result.ok
    warning, note = sorted(result.diagnostics, key=lambda one: one.severity is Severity.NOTE)
    assert (warning.code, warning.severity) == ("tc/unused", Severity.WARNING)
    assert warning.message == "nothing reads t after this statement, and it is not a result: it is not computed"
    assert (note.code, note.severity) == ("tc/in-out", Severity.NOTE)
    assert note.message == (
        "b is read before it is assigned, so the caller passes what it holds before: kernel(…, b_0=…). To begin with "
        "what is neutral, write +=!"
    )


PRODUCT = "def f(float(N) a, float(M) b) -> (c) { c(i,j) = a(i) * b(j) where j in 0:N*N }"


def test_a_product_of_sizes_bounds_a_range_and_is_checked_at_the_call() -> None:
    result = hd.lower(PRODUCT, language="comprehension")
    assert result.ok
    (note,) = result.diagnostics
    assert (note.code, note.severity) == ("tc/where-product", Severity.NOTE)
    assert PRODUCT[note.location.start : note.location.end] == "N*N"
    assert note.message == (
        "N*N is not a sum of multiples of sizes: what is not proved of the range of j is checked at the call"
    )
    kernel = hd.compile(PRODUCT, language="comprehension", target="interpreter")
    a, b = np.arange(3, dtype="float32"), np.arange(10, dtype="float32")
    np.testing.assert_array_equal(kernel(a=a, b=b).to_numpy(), np.outer(a, b[:9]))
    refused = refusal(lambda: kernel(a=a, b=b[:8]))
    assert (refused.code, refused.expected, refused.found) == (
        "runtime/precondition", "0 <= j < 8 for all index variables", "8 at j = 8"
    )  # fmt: skip


def test_a_product_with_a_size_that_the_plan_fixes_has_no_note() -> None:
    result = hd.lower(PRODUCT, language="comprehension", sizes={"N": 3})
    assert (result.ok, result.diagnostics) == (True, ())
