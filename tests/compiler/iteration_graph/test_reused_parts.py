"""What a precompute keeps for one statement, the statements behind it read where they compute the same."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd

SOFTMAX = (
    "def softmax(float(N,D) I) -> (O) { m(n) max=! I(n,d)  s(n) +=! exp(I(n,d) - m(n))  "
    "O(n,d) = exp(I(n,d) - m(n)) / s(n) }"
)
ROWS = "together(n, n2); together(n, n3); "
KEEP = "precompute(exp(I(n,d2) - m(n)), d2, dp, E)"


def text(program: str, schedule: str) -> str:
    result = hd.lower(program, {}, schedule, language="comprehension")
    result.raise_errors()
    assert result.source is not None
    return result.source.text.split("int32_t kernel(")[1]


def test_the_exponentials_of_a_row_are_taken_once() -> None:
    """They were taken twice: a softmax took one and a half times as long."""
    assert text(SOFTMAX, ROWS).count("exp_float32(") == 2
    kept = text(SOFTMAX, ROWS + KEEP)
    assert kept.count("exp_float32(") == 1
    assert "s += (double)E[d2];" in kept
    assert "O_vals[d3O] = E[d3] / (float)s;" in kept


@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("rows", ["", ROWS])
def test_the_result_is_the_same(target: str, rows: str) -> None:
    keep = KEEP if rows else "precompute(exp(I(n2,d2) - m(n2)), {n2, d2}, {np, dp}, E)"
    kernel = hd.compile(SOFTMAX, language="comprehension", target=target, schedule=rows + keep)
    plain = hd.compile(SOFTMAX, language="comprehension", target=target)
    for shape in ((3, 5), (1, 1), (4, 0)):
        given = np.random.default_rng(1).standard_normal(shape).astype("float32")
        np.testing.assert_array_equal(kernel(I=given).to_numpy(), plain(I=given).to_numpy())


@pytest.mark.parametrize(
    ("program", "part"),
    [
        # another row
        ("{ s(n) +=! exp(I(n,d))  O(n,d) = exp(I(d,d)) / s(n) }", "exp(I(n,d))"),
        # other values by then
        ("{ m(n) max=! I(n,d)  s(n) +=! exp(m(n) * I(n,d))  O(n,d) = exp(s(n) * I(n,d)) }", "exp(m(n) * I(n,d2))"),
        # half of the row
        ("{ s(n) +=! exp(I(n,d))  O(n,d) = exp(I(n,d)) / s(n) where d in 0:1 }", "exp(I(n,d))"),
    ],
)
def test_what_is_not_the_same_is_computed_again(program: str, part: str) -> None:
    whole = f"def f(float(N,N) I) -> (O) {program}"
    loop = "d2" if "d2" in part else "d"
    rows = "together(n, n2); " + ("together(n, n3); " if "n3" in text(whole, "") else "")
    assert text(whole, f"{rows}precompute({part}, {loop}, dp, E)").count("exp_float32(") == 2


def test_a_workspace_with_a_loop_that_its_part_lacks_is_not_read_elsewhere() -> None:
    """Random programs found it: the second read was at the coordinate of the producer's loop over x."""
    program = "def f(float(N,M) A) -> (T) { T(j,i) min=! A(j,i) * fmaxf(A(j+x,i+x), A(j,i)) }"
    schedule = "reorder(j, x, i); precompute(A(j,i), {x, i}, {xq, iq}, E)"
    assert "E[" in text(program, schedule)
    given = np.arange(6, dtype="float32").reshape(2, 3)
    kernel, plain = (hd.compile(program, language="comprehension", schedule=one) for one in (schedule, ""))
    np.testing.assert_array_equal(kernel(A=given).to_numpy(), plain(A=given).to_numpy())
