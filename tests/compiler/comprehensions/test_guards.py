"""What conditions, casts and large numbers may not do: let a read leave its tensor, or a result be another one than the
reference's. Each case once read beyond a tensor, gave a wrong result, or ended in an error of ours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.frontends.table import front_end_of

F, INT = np.float32, np.int32
VALUES = np.arange(1, 5, dtype=F)

REFUSED: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "NaN makes both a comparison and its opposite false": (
        "def f(float(N) A, float(M) B, int(N) I) -> (O) { O(i) = A(i) < 0 ? 0.0 : B(I(i)) }",
        {"A": np.array([np.nan, 1, -1], F), "B": VALUES, "I": np.array([99, 1, 99], INT)},
        "runtime/refused",
        "B(I(i)) reads outside of B: an index in dimension 0 is not in 0:M",
    ),
    "elements of tensors prove nothing of a subscript": (
        "def f(float(N) A, float(M) B) -> (O) { O(i) = (A(i) >= i && A(i) < M) ? B(i) : 0.0 where i in 0:N }",
        {"A": np.array([1, 1, 2, 5, 5.5], F), "B": VALUES},
        "runtime/precondition",
        "B(i) would read 4 in dimension 0 of B at i = 4, but 0 … 3 are there.",
    ),
    "a float parameter is no integer": (
        "def f(float a, float(M) B) -> (o) { o(i) = (i <= a && a < M) ? B(i) : 0 where i in 0:M+2 }",
        {"a": F(3.5), "B": VALUES},
        "runtime/precondition",
        "B(i) would read 4 in dimension 0 of B at i = 4, but 0 … 3 are there.",
    ),
    "floats that cancel may be NaN": (
        "def f(float(N) A, float(M) x) -> (O) { O(i) = (x(i) - x(i) + i < N) ? A(i) : 0.0 where i in 0:M }",
        {"A": VALUES, "x": np.zeros(6, F)},
        "runtime/precondition",
        "A(i) would read 4 in dimension 0 of A at i = 4, but 0 … 3 are there.",
    ),
    "truth values are added as numbers": (
        "def f(float(N) A, float(M) B) -> (O) { O(i) = (i < N) + (i < N) == 2 ? B(i) : 0.0 where i in 0:N }",
        {"A": np.zeros(6, F), "B": VALUES},
        "runtime/precondition",
        "B(i) would read 4 in dimension 0 of B at i = 4, but 0 … 3 are there.",
    ),
    "a cast that wraps around says nothing": (
        "def f(float(M) B, int d) -> (O) { O(i) = uint8(i) < 4 ? B(i) : 0.0 where i in 0:d }",
        {"B": VALUES, "d": INT(300)},
        "runtime/precondition",
        "B(i) would read 4 in dimension 0 of B at i = 4, but 0 … 3 are there.",
    ),
    "products beyond 64 bits": (
        "def f(float(M) B, int d, int g) -> (O) { O(i) = (i*d*d*g < M) ? B(i*d*d*g) : 0.0 where i in 0:4 }",
        {"B": VALUES, "d": INT(2**30), "g": INT(16)},
        "runtime/integer-range",
        "i*d*d*g may be as large as 55340232221128654848 on the way for d = 1073741824, g = 16, but formulas of sizes "
        "and index variables are computed with 64 bits.",
    ),
    "an integer of 64 bits that leaves no room": (
        "def f(float(M) B, int64 d) -> (O) { O(i) = (i+d >= 0 && i+d < M) ? B(i+d) : 0 where i in 0:4 }",
        {"B": VALUES, "d": np.int64(2**63 - 2)},
        "runtime/integer-range",
        "i+d may be as large as 9223372036854775809 on the way for d = 9223372036854775806, but formulas of sizes and "
        "index variables are computed with 64 bits.",
    ),
    "division by what is not positive": (
        "def f(float(N) A, int d) -> (O) { O(i) = A(i/d) where i in 0:N }",
        {"A": VALUES, "d": INT(0)},
        "runtime/precondition",
        "i/d divides by d, which may be 0 for d = 0; formulas of sizes and index variables divide by positive numbers "
        "only.",
    ),
    "an index that wraps around with 32 bits": (
        "def f(float(M) B, int(N) I) -> (O) { O(i) = B(I(i)*8) }",
        {"B": VALUES, "I": np.array([0, 2**29, 0], INT)},
        "runtime/refused",
        "B(I(i)*8) reads outside of B: an index in dimension 0 is not in 0:M",
    ),
    "NaN is no index": (
        "def f(float(M) B, float(N) X) -> (O) { O(i) = B(int(X(i))) }",
        {"B": VALUES, "X": np.array([0.5, np.nan, 3.9], F)},
        "runtime/refused",
        "B(int(X(i))) reads outside of B: an index in dimension 0 is not in 0:M",
    ),
}

COMPUTED: dict[str, tuple[str, dict[str, Any]]] = {
    "guards are computed with 64 bits": (
        "def f(float(M) B, int d) -> (O) { O(i) = (i * d * d < M) ? B(i*d*d) : 0.0 where i in 0:4 }",
        {"B": VALUES, "d": INT(65536)},
    ),
    "and so is what is taken as true": (
        "def f(float(M) B, int d) -> (O) { O(i) = (i * d * d) ? 0.0 : B(i*d*d) where i in 0:4 }",
        {"B": VALUES, "d": INT(65536)},
    ),
    "truth values that keep a read inside": (
        "def f(float(N) A, float(M) B) -> (O) { O(i) = (i < M) + (i < N) == 2 ? B(i) : 0.0 where i in 0:N }",
        {"A": np.zeros(6, F), "B": VALUES},
    ),
    "a cast in an index wraps around": (
        "def f(float(M) B, int d) -> (O) { O(i) = B(uint8(i)) where i in 0:d }",
        {"B": np.arange(300, dtype=F), "d": INT(290)},
    ),
    "an index that is rounded": (
        "def f(float(M) B, int d) -> (O) { O(i) = B(int(i*0.5)) where i in 0:d }",
        {"B": VALUES, "d": INT(8)},
    ),
    "an index by a condition over floats": (
        "def f(float(M) B, float(N) X) -> (O) { O(i) = B(X(i) < 0.5 ? 1 : 0) }",
        {"B": VALUES, "X": np.array([0.2, 1.7, 3.9], F)},
    ),
    "an index by two conditions": (
        "def f(float(M) B, int(N) X) -> (O) { O(i) = B((i < 2 && X(i)) ? 3 : 0) where i in 0:N }",
        {"B": VALUES, "X": np.array([0, 1, 3], INT)},
    ),
    "functions and truth values in an index": (
        "def f(float(M) B, int(N) X) -> (O) { O(i) = B(abs(X(i)) + (i >= 1)) + B(!X(i)) }",
        {"B": VALUES, "X": np.array([0, 1, -2], INT)},
    ),
    "an index that an earlier statement computes": (
        "def f(int(N) I, float(M) B) -> (o) { v min=! I(r)  o(i) = B(i) + B(v) }",
        {"I": np.array([2, 3], INT), "B": VALUES},
    ),
    "a negative parameter is rounded down": (
        "def f(float(N) A, int d) -> (O) { O(i) = A(i+5+d/2) where i in 0:4 }",
        {"A": np.arange(12, dtype=F), "d": INT(-3)},
    ),
    "indices that cancel": (
        "def f(float(M) B, int(N) I, int(N) J) -> (O) { O(i) = B(I(i)*J(i) - J(i)*I(i) + i) }",
        {"B": VALUES, "I": np.full(3, 2**30, INT), "J": np.full(3, 2**30, INT)},
    ),
    "a comparison of parameters is one of whole numbers": (
        "def f(float(M) B, uint8 d) -> (o) { o(i) = (d - 5 < 0) ? 1 : B(i) }",
        {"B": VALUES, "d": np.uint8(2)},
    ),
    "elements keep their type": (
        "def f(uint8(N) A, int(N) X) -> (o) { o(i) = (A(i) - 5 < 0) ? 1 : X(i) / (A(i) + 1) }",
        {"A": np.array([2, 7, 255], np.uint8), "X": np.array([7, -7, 9], INT)},
    ),
    "a choice in a range": (
        "def f(float(M) B, int d) -> (o) { o(i) = B(i) where i in 0:(M > 2 && d > 2 ? d : 1) }",
        {"B": VALUES, "d": INT(3)},
    ),
}


@pytest.mark.combinations(4, "name", "target")
@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("name", REFUSED)
def test_no_read_leaves_its_tensor(name: str, target: str) -> None:
    text, operands, code, message = REFUSED[name]
    with pytest.raises(CompileError) as caught:
        hd.compile(text, language="comprehension", target=target)(**operands)
    first = caught.value.diagnostics[0]
    assert (first.code, first.message) == (code, message)


@pytest.mark.combinations(4, "name", "target")
@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("name", COMPUTED)
def test_a_kernel_computes_what_the_reference_does(name: str, target: str) -> None:
    text, operands = COMPUTED[name]
    front_end = front_end_of("comprehension")
    (expected,) = front_end.reference(front_end.read(text), operands, {}).values()
    found = hd.compile(text, language="comprehension", target=target)(**operands).to_numpy()
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_range_is_a_formula_of_sizes() -> None:
    for bound in ("abs(M)", "floor(M)", "float(M)", "uint8(d)"):
        text = f"def f(float(M) B, int d) -> (o) {{ o(i) = B(i) where i in 0:{bound} }}"
        (diagnostic,) = hd.lower(text, language="comprehension").diagnostics
        assert (diagnostic.code, diagnostic.found) == ("tc/where-bound", bound)


def _doubling(levels: int) -> str:
    """Each definition calls the one in front twice."""
    first = "def f0(float(N) a) -> (b) { b(i) = a(i) }"
    others = (f"def f{n}(float(N) a) -> (b) {{ c = f{n - 1}(a) b = f{n - 1}(c) }}" for n in range(1, levels))
    return "\n".join((first, *others))


def _lets(body: str, count: int) -> str:
    lets = ", ".join(f"x{n} = {body.replace('X', f'x{n - 1}')}" for n in range(1, count))
    return f"def f(float(N) a) -> (b) {{ b(i) = x{count - 1} where x0 = a(i), {lets} }}"


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (
            _doubling(40),
            "tc/too-many-calls",
            "the program makes more than 128 calls, those inside of what it calls included",
        ),
        (
            _lets("X + X", 40),
            "tc/too-many-parts",
            "with its names in place, the expression has more than 4096 parts",
        ),
        (
            _lets("-X", 80),
            "tc/too-deep",
            "with its names in place, the expression nests more than 64 operators",
        ),
        (
            "def f(float(N,M,K) A) -> (b) { b(i) +=! A(i,j,k) where i in 0:" + "*".join(["(N+M+K+1)"] * 30) + " }",
            "tc/too-many-parts",
            "the formula is too large to reason about: multiplied out, it has more than 4096 parts",
        ),
        (
            "def f(float(N) A) -> (b) { b(i) = A(0) where i in 0:" + "min(N-1," * 50 + "0" + ")" * 50 + " }",
            None,
            None,
        ),
    ],
    ids=["calls", "names", "deep names", "products", "a minimum of equal parts"],
)
def test_short_texts_do_not_spell_programs_without_end(text: str, code: str | None, message: str | None) -> None:
    found = [(one.code, one.message) for one in hd.lower(text, language="comprehension").diagnostics]
    assert found[:1] == ([] if code is None else [(code, message)])


def test_a_minimum_compares_so_many_values_alone() -> None:
    def least(first: int, last: int) -> str:
        middle = (first + last) // 2
        return f"N*{first}" if last == first + 1 else f"min({least(first, middle)}, {least(middle, last)})"

    for count, expected in ((64, []), (65, ["its min compares more than 64 values"])):
        text = f"def f(int N, float(1) A) -> (b) {{ b(i) = A(0) where i in 0:{least(1, count + 1)} }}"
        errors = hd.lower(text, language="comprehension").diagnostics
        assert [one.message.removeprefix("the formula is too large to reason about: ") for one in errors] == expected


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_an_index_that_no_iteration_uses_is_not_refused(target: str) -> None:
    """Random programs found it: the loop over k is empty, so that nothing is read at the indices of P."""
    text = """def f(float(K,M) A, int(N) P) -> (T) {
        T(k,j) +=! (j >= 2 ? A(P(j),i) : 1) * A(k-1,i) }"""
    made = hd.compile(text, language="comprehension", target=target)
    result = made(A=np.zeros((0, 2), "float32"), P=np.zeros(4, "int32")).to_numpy()
    assert result.shape == (0, 4)
    with pytest.raises(hd.CompileError, match="reads outside of A"):
        made(A=np.zeros((3, 2), "float32"), P=np.full(4, 3, "int32"))


@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("format", ["csr", "dense"])
def test_a_coordinate_must_be_there_even_where_an_inner_loop_is_empty(target: str, format: str) -> None:
    """Random programs found it: A was searched behind its last row before the loop over x, which ran not once."""
    text = "def f(float(K,N) A, float(M) b) -> (T) { T(k,j) +=! A(k+1,j) * b(x) where k in 0:K }"
    made = hd.compile(text, {"A": format}, language="comprehension", target=target)
    with pytest.raises(hd.CompileError, match=r"A\(k\+1,j\) would read 2 in dimension 0 of A at k = 1, but 0 … 1 are"):
        made(A=np.ones((2, 3), "float32"), b=np.ones(0, "float32"))
    assert made(A=np.ones((0, 3), "float32"), b=np.ones(2, "float32")).to_numpy().shape == (0, 3)
