"""Integers that are values wrap around as NumPy's do, in C and in the checked interpreter alike."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import heddle as hd
from heddle.codegen.c.printer import WRAPPING
from heddle.frontends.table import front_end_of

LEAST, MOST = -(2**31), 2**31 - 1
BOTH = pytest.mark.parametrize("target", ["c", "interpreter"])


@BOTH
def test_the_maximum_of_nothing_less_one_wraps_around(target: str) -> None:
    """Random programs found it: the interpreter called it a defect of ours."""
    text = "def f(int(N) A, int(M) B) -> (T, S) { T max=! A(i)  S(j) = T - B(j) }"
    operands = {"A": np.zeros(0, "int32"), "B": np.array([1, -1, 0], "int32")}
    found = hd.compile(text, language="comprehension", target=target)(**operands)
    np.testing.assert_array_equal(found["S"].to_numpy(), [MOST, LEAST + 1, LEAST])


@BOTH
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "int64"])
def test_sums_differences_and_products_wrap_around(dtype: str, target: str) -> None:
    values = np.array([np.iinfo(dtype).max, 3, np.iinfo(dtype).min, np.iinfo(dtype).max], dtype)
    kernel = hd.compile(
        "y(i) = (a(i) + a(i)) * a(j) - b(i)", dtypes=dict.fromkeys("yab", dtype), formats={"b": "sparse"}, target=target
    )
    with np.errstate(over="ignore"):
        expected = (values + values) * values.sum(dtype=dtype) - values
    np.testing.assert_array_equal(kernel(a=values, b=values).to_numpy(), expected)


@BOTH
def test_quotients_and_remainders_of_the_largest_integers_are_rounded_down(target: str) -> None:
    """They were wrong from 2^31 on together, and the least integer divided by -1 would end the process."""
    ends = (LEAST, LEAST + 1, -7, -2, -1, 0, 1, 2, 7, MOST - 1, MOST)
    pairs = np.array(list(product(ends, ends)), "int32")
    a, b = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
    text = """def f(int(N) A, int(N) B) -> (Q, R, T, U) { Q(i) = A(i) / B(i)  R(i) = A(i) % B(i)
        T(i) = A(i) / 3  U(i) = A(i) % (0 - 3) }"""
    found = hd.compile(text, language="comprehension", target=target)(A=a, B=b)
    with np.errstate(all="ignore"):
        expected = {"Q": a // b, "R": a % b, "T": a // 3, "U": a % -3}
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name].to_numpy(), values, name)


@BOTH
def test_a_compiler_may_not_conclude_that_integers_only_grow(target: str) -> None:
    text = "def f(int(N) A) -> (T) { T(i) = (A(i) + 1 > A(i) ? 1 : 0) + 0 * A(i) }"
    found = hd.compile(text, language="comprehension", target=target)(A=np.array([MOST, 0], "int32"))
    assert found.to_numpy().tolist() == [0, 1]


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_the_reference_sums_products_of_integers_as_kernels_do(dtype: str) -> None:
    """It summed them as floats, and runs whose integers are large or wrap around were called wrong."""
    most = np.iinfo(dtype).max
    operands = {"A": np.array([[most, 3], [most - 1, most]], dtype), "x": np.array([2, most], dtype)}
    text = f"def f({dtype}(N,M) A, {dtype}(M) x) -> (y, s) {{ y(i) +=! A(i,j) * x(j)  s(i) +=! A(i,j) }}"
    language = front_end_of("comprehension")
    meant = language.reference(language.read(text, {}), operands, {})
    found = hd.compile(text, language="comprehension")(**operands)
    for name in ("y", "s"):
        np.testing.assert_array_equal(found[name].to_numpy(), meant[name], name)


def test_only_texts_that_compute_with_integers_ask_for_it() -> None:
    def first_line(text: str, dtypes: dict[str, str] | None = None) -> str:
        source = hd.lower(text, {"A": "csr"}, dtypes=dtypes).source
        assert source is not None
        return source.text.splitlines()[0]

    product = "y(i) = A(i,j) * x(j)"
    assert first_line(product) == "#include <stdint.h>"
    assert first_line(product, dict.fromkeys("yAx", "int64")) == WRAPPING
    assert first_line(product, {"y": "float64", "A": "int32", "x": "int32"}) == WRAPPING
