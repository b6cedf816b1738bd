"""What a program could not prove of its sizes and indices is checked when its kernel is called."""

from __future__ import annotations

import re

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import CompileError

F = np.float32
CALLS = [
    (
        "def f(float(H) a, float(K) k) -> (b) { b(h) +=! a(h+x) * k(x) }",
        {"a": np.ones(3, F), "k": np.ones(5, F)},
        "runtime/empty-range",
        "h in statement 1 (b) would run over [0, -1), which is 0:H - K + 1 for H = 3, K = 5.",
    ),
    (
        "def f(float(M,K) A, float(K) x) -> (C) { C(i) +=! A(i,k) * x(k) }",
        {"A": np.ones((2, 3), F), "x": np.ones(4, F)},
        "runtime/shape-mismatch",
        "x has 4 in dimension 0, but K is 3 from A, dimension 1.",
    ),
    (
        "def f(float(N) X, int(A,B) I) -> (Z) { Z(i,j) = X(I(i,j)) }",
        {"X": np.ones(4, F), "I": np.array([[0, 1], [3, 9]], np.int32)},
        "runtime/index-range",
        "I[1, 1] = 9 is an index into dimension 0 of X, which has 4 elements: 0 … 3 are allowed.",
    ),
    (
        "def f(float(N) X, int(A,B) I) -> (Z) { Z(i,j) = X(I(i,j)) }",
        {"X": np.ones(0, F), "I": np.zeros((1, 2), np.int32)},
        "runtime/index-range",
        "I[0, 0] = 0 is an index into dimension 0 of X, which has 0 elements: none is allowed.",
    ),
    (
        "def f(float(N) X, int(A) I) -> (Z) { T(i) = X(i)  T(i) = T(i) + 1  Z(i) = T(I(i)) }",
        {"X": np.ones(4, F), "I": np.array([0, 4], np.int32)},
        "runtime/index-range",
        "I[1] = 4 is an index into dimension 0 of T, which has 4 elements: 0 … 3 are allowed.",
    ),
    (
        "def f(float(N) X, int(A) I) -> (Z) { J(i) = I(i) + 1  Z(i) = X(J(i)) }",
        {"X": np.ones(4, F), "I": np.array([0, 3], np.int32)},
        "runtime/refused",
        "X(J(i)) reads outside of X: an index in dimension 0 is not in 0:N",
    ),
    (
        "def f(float(N) a, int s) -> (b) { b(h) = a(s*h) where h in 0:4 }",
        {"a": np.ones(7, F), "s": np.int32(3)},
        "runtime/precondition",
        "a(s*h) would read 9 in dimension 0 of a at h = 3, but 0 … 6 are there.",
    ),
    (
        "def f(float(N) a, float(M) c) -> (b) { b(i) = a(i)  b(i) = b(i) + c(i) where i in 0:M }",
        {"a": np.ones(3, F), "c": np.ones(2, F)},
        "runtime/sizes-differ",
        "N is 3 and M is 2, but must be equal: b has one size in dimension 0 for all statements that assign it.",
    ),
    (
        "def f(float(N) a) -> (b) { b(i) += a(i) }",
        {"a": np.ones(3, F), "b": np.ones(2, F)},
        "runtime/shape-mismatch",
        "b_0 is passed as 2, but the program makes b 3.",
    ),
]


@pytest.mark.parametrize(("text", "operands", "code", "message"), CALLS)
def test_what_was_not_proved_is_checked_at_the_call(
    text: str, operands: dict[str, object], code: str, message: str
) -> None:
    kernel = hd.compile(text, language="comprehension", target="interpreter")
    with pytest.raises(CompileError) as caught:
        kernel(**operands)
    first = caught.value.diagnostics[0]
    assert (first.code, first.message) == (code, message)
    if code != "runtime/refused":  # the kernel knows which requirement broke, and no values
        assert first.expected
        assert first.found
        assert first.hint


def test_indices_that_change_behind_the_first_check_are_checked_by_the_kernel() -> None:
    text = "def f(float(N) X, int(A) I) -> (Z) { Z(i) = X(I(i)) }"
    indices = np.zeros(3, np.int32)
    call = hd.compile(text, language="comprehension").bind(X=np.ones(4, F), I=indices)
    call.run()
    indices[1] = 4
    with pytest.raises(CompileError, match=re.escape("X(I(i)) reads outside of X")):
        call.run()


def test_a_read_under_a_condition_need_not_be_inside_elsewhere() -> None:
    text = "def f(float(N) a, int d) -> (b) { b(i) = i >= d ? a(i-d) : 0 where i in 0:N }"
    kernel = hd.compile(text, language="comprehension", target="interpreter")
    values = np.arange(5, dtype=F)
    np.testing.assert_array_equal(kernel(a=values, d=np.int32(2)).to_numpy(), [0, 0, 0, 1, 2])
    with pytest.raises(CompileError, match=re.escape("a(i-d) would read 5 in dimension 0 of a at i = 4")):
        kernel(a=values, d=np.int32(-1))
    with pytest.raises(CompileError, match="a is read under a condition, with coordinates that lie outside"):
        hd.compile(text, language="comprehension", formats={"a": "compressed"})


@pytest.mark.parametrize("target", ["opencl", "cuda"])
def test_gathers_stay_on_the_cpu(target: str) -> None:
    """Their check was a scalar that the host of a GPU cannot see, which ended in an error of ours."""
    text = "def f(float(N) X, int(A) I) -> (Z) { Z(i) = X(I(i)) }"
    diagnostic = hd.lower(text, language="comprehension", target=target).diagnostics[0]
    assert (diagnostic.code, diagnostic.message) == (
        "plan/target",
        "X(I(i)) takes indices from a tensor. They are checked in front of each read, which loops on a GPU do not do. "
        "Use the target c.",
    )


def test_what_holds_indices_is_dense() -> None:
    text = "def f(float(N) X, int(A) I) -> (Z) { Z(i) = X(I(i)) }"
    with pytest.raises(CompileError, match="I holds indices of another tensor, which are loaded where they are needed"):
        hd.compile(text, language="comprehension", formats={"I": "compressed"})


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("float(M,N) A) -> (O) { O = concat(A) }", "concat joins 2 to 16 tensors into one result"),
        ("float(M,N) A) -> (O,P) { (O,P) = concat(A,A) }", "concat joins 2 to 16 tensors into one result"),
        ("float(M,N) A) -> (O) { O = concat(A,O) }", "O is the result of concat and one of its parts"),
        (
            "float(M,N) A) -> (O) { O = concat(A,Z) }",
            "concat reads Z, which is neither a parameter nor assigned earlier",
        ),
        (
            "float(M,N) A, float(N) b) -> (O) { O = concat(A,b) }",
            "concat joins tensors along dimension 1, so that all must have the same number of dimensions, at least 2",
        ),
    ],
)
def test_what_concat_does_not_join(body: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        hd.compile(f"def f({body}", language="comprehension", target="interpreter")
    assert ("tc/call", message) in [(one.code, one.message) for one in caught.value.diagnostics]


def test_tensors_are_joined_along_one_dimension_and_agree_in_the_others() -> None:
    text = "def f(float(M,N) A, float(K,L) B) -> (O) { O = concat(A, B) }"
    kernel = hd.compile(text, language="comprehension", target="interpreter")
    with pytest.raises(CompileError, match="M is 3 and K is 2, but must be equal: dimension 0 in concat"):
        kernel(A=np.ones((3, 4), F), B=np.ones((2, 4), F))


def test_sizes_and_types_of_the_plan_must_be_those_of_the_program() -> None:
    text = "def f(float(N) a) -> (b) { b(i) = a(i) }"
    with pytest.raises(CompileError, match="sizes fixes Q, which is neither a size nor an integer parameter of f"):
        hd.compile(text, language="comprehension", sizes={"Q": 3})
    with pytest.raises(CompileError, match="the program gives a the type float32, the plan float64"):
        hd.compile(text, language="comprehension", dtypes={"a": "float64"})


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        (
            "def f(float(N,D) X, int(P) I) -> (Z) { Z(p,d) = X(I(p),d) }",
            "I",
            "I holds indices of another tensor, which are loaded where they are needed, so that it cannot be stored as "
            "sparse. Store I dense.",
        ),
        (
            "def f(float(N) a) -> (b) { b(i) = (i >= 1) ? a(i-1) : 0.0 where i in 0:N }",
            "a",
            "a is read under a condition, with coordinates that lie outside of it where the condition does not hold, "
            "so that it cannot be stored as sparse. Store a dense.",
        ),
    ],
)
def test_what_is_read_at_computed_coordinates_alone_is_dense(text: str, name: str, reason: str) -> None:
    (diagnostic,) = hd.lower(text, {name: "sparse"}, language="comprehension").diagnostics
    assert (diagnostic.code, diagnostic.message) == ("format/computed-coordinates", reason)
    assert diagnostic.fixes[0].formats == {name: "dense"}


@pytest.mark.parametrize("format", ["bcsr(2,2)", "csb(2,2)", "hyb(1,2)", "coo-perm"])
def test_what_cannot_be_searched_at_a_computed_coordinate(format: str) -> None:
    text = "def f(double(M,M) B) -> (o) { o(i) = B(i, 1) }"
    (diagnostic,) = hd.lower(text, {"B": format}, language="comprehension").diagnostics
    assert (diagnostic.code, diagnostic.message) == (
        "format/computed-coordinates",
        f"B(i, …) is read at a coordinate that is computed, which cannot be searched in {diagnostic.found}. "
        "Store B as csr.",
    )
    assert diagnostic.expected == "a format in which the coordinate can be searched"
    assert hd.lower(text, {"B": "csr"}, language="comprehension").ok


def test_each_sparse_term_that_is_searched_doubles_what_is_computed() -> None:
    """Random programs found it: a statement with 20 of them did not end."""
    terms = " + ".join(f"A(i,j+{number})" for number in range(11))
    result = hd.lower(f"def f(float(N,M) A) -> (B) {{ B(i,j) = {terms} }}", {"A": "csr"}, language="comprehension")
    (diagnostic,) = result.diagnostics
    assert diagnostic.code == "schedule/many-searches"
    assert diagnostic.message == (
        "more than 10 sparse terms are searched at coordinates of one statement, A among them: each may be there or "
        "not, and every combination would be a copy of what is computed. Store A dense, or compute some of the terms "
        "in a statement of their own."
    )
    factors = " * ".join(f"A(i,j+{number})" for number in range(11))  # none of which may be missing
    assert hd.lower(f"def f(float(N,M) A) -> (B) {{ B(i,j) = {factors} }}", {"A": "csr"}, language="comprehension").ok


def test_what_a_result_holds_before_has_one_name_and_a_short_one() -> None:
    kernel = hd.compile("def f(float(N) a) -> (b) { b(i) += a(i) }", language="comprehension")
    a, before = np.arange(3, dtype=F), np.ones(3, F)
    for passed in ({"b_0": before}, {"b": before}):
        np.testing.assert_array_equal(kernel(a=a, **passed).to_numpy(), [1, 2, 3])
    with pytest.raises(CompileError) as caught:
        kernel(a=a, b=before, b_0=before)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/unknown-operand"
    assert diagnostic.message == "b and b_0 are both passed, and both are what b holds before."
    assert diagnostic.hint == "Leave out b."


def test_a_temporary_of_a_comprehension_is_dense() -> None:
    text = "def f(float(M,N) A) -> (y) { T(i,j) = 2 * A(i,j)  y(i) +=! T(i,j) }"
    (diagnostic,) = hd.lower(text, {"T": "csr"}, language="comprehension").diagnostics
    assert diagnostic.code == "format/sparse-temporary"
    assert diagnostic.message == (
        "T is a tensor of a comprehension, whose statements read and overwrite any of its elements, so that it cannot "
        "be stored as csr. Store T dense."
    )
    assert diagnostic.fixes[0].title == "Store T dense"
