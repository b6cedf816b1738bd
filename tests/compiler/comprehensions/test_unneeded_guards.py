"""Conditions that can never fail because of the ranges that were inferred: a warning says how to give another range."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import Diagnostic, Severity

CASES = {
    "the window": (
        "def f(float(N) x, float(K) w) -> (y) { y(i) +=! (i >= k ? x(i-k) : 0) * w(k) where i in 0:N }",
        "k runs over 0:min(1, K), which keeps x(i-k) inside of x for all i in 0:N: the condition i >= k always holds",
        "where k in 0:K",
        [0, 1, 3, 6, 9, 12],
    ),
    "the result": (
        "def f(float(N) x, float(K) w) -> (y) { y(i) +=! (i >= k ? x(i-k) : 0) * w(k) }",
        "i runs over max(0, K - 1):N, which keeps x(i-k) inside of x for all k in 0:K: the condition i >= k always "
        "holds",
        "where i in 0:N, k in 0:K",
        [0, 1, 3, 6, 9, 12],
    ),
    "the result at its end": (
        "def f(float(N) x, float(K) w) -> (y) { y(i) +=! (i+k < N ? x(i+k) : 0) * w(k) where k in 0:K }",
        "i runs over 0:N - K + 1, which keeps x(i+k) inside of x for all k in 0:K: the condition i+k < N always holds",
        "where i in 0:N",
        [3, 6, 9, 12, 9, 5],
    ),
}


def warnings_of(text: str) -> list[Diagnostic]:
    diagnostics = hd.compile(text, language="comprehension").result.diagnostics
    return [each for each in diagnostics if each.severity is Severity.WARNING]


@pytest.mark.parametrize("name", CASES)
def test_a_condition_that_a_range_makes_true_is_a_warning_with_another_range(name: str) -> None:
    """The sum went over one weight alone, and nothing said so."""
    text, message, clause, expected = CASES[name]
    (warning,) = warnings_of(text)
    assert (warning.code, warning.message) == ("tc/condition-always-holds", message)
    assert warning.hint == f"for the condition to decide what is read, say the range: {clause}"
    (fix,) = warning.fixes
    assert fix.title == f"Write {clause}"
    assert fix.expression is not None
    assert warnings_of(fix.expression) == []
    kernel = hd.compile(fix.expression, language="comprehension")
    result = kernel(x=np.arange(6, dtype="float32"), w=np.ones(3, "float32"))
    np.testing.assert_array_equal(result.to_numpy(), expected)


@pytest.mark.parametrize(
    "text",
    [
        "def f(float(N) x, float(K) w) -> (y) { y(i) +=! x(i-k) * w(k) }",
        "def f(float(N,N) A, float(N) x) -> (y) { y(i) +=! i >= j ? A(i,j) * x(j) : 0 }",
        "def f(float(N) x) -> (y) { y(i) = i >= 0 ? x(i) : 0 }",
        "def f(float(N) x) -> (y) { y(i) = x(i) > 0 ? x(i) : 0 }",
        "def f(float(M) a, float(N) b) -> (y) { y(i) = (i < M ? a(i) : 0) + (i < N ? b(i) : 0) where i in 0:max(M,N) }",
    ],
    ids=["no condition", "a triangle", "true without a range", "over elements", "a range that is given"],
)
def test_other_conditions_are_not_warned_of(text: str) -> None:
    assert warnings_of(text) == []
