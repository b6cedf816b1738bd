"""A written number takes the type of what it meets, also where sizes, index variables and integers stand between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import heddle as hd

Array = Any

DOUBLES: dict[str, tuple[str, Callable[[Array], Array]]] = {
    "beside a size": ("x(i) + 0.15 / M", lambda x: x + 0.15 / 7),
    "in front of the double": ("0.15 / M + x(i)", lambda x: 0.15 / 7 + x),
    "beside an index variable": ("x(i) * (i * 0.1)", lambda x: x * (np.arange(7) * 0.1)),
    "beside an integer": ("x(i) + 0.1 * n(i)", lambda x: x + 0.1 * np.arange(7)),
    "in a function": ("x(i) * exp(0.1 * M)", lambda x: x * np.exp(0.1 * 7)),
    "a function of a size": ("sqrt(M) * x(i)", lambda x: np.sqrt(7.0) * x),
    "compared": ("x(i) >= 0.1 * i ? x(i) : 0", lambda x: np.where(x >= 0.1 * np.arange(7), x, 0)),
    "in a branch": ("i < 3 ? x(i) : 0.1 * i", lambda x: np.where(np.arange(7) < 3, x, 0.1 * np.arange(7))),
    "behind a truth value": ("x(i) + (i < 3) * 0.1", lambda x: x + (np.arange(7) < 3) * 0.1),
    "cast": ("x(i) + double(0.1 * i)", lambda x: x + 0.1 * np.arange(7)),
}


@pytest.mark.combinations(4, "expression", "meaning", "target")
@pytest.mark.parametrize("target", ["interpreter", "c"])
@pytest.mark.parametrize(("expression", "meaning"), DOUBLES.values(), ids=DOUBLES.keys())
def test_in_doubles_it_is_a_double(expression: str, meaning: Callable[[Array], Array], target: str) -> None:
    parameters = "double(M) x, int(M) n" if "n(i)" in expression else "double(M) x"
    text = f"def f({parameters}) -> (y) {{ y(i) = {expression} }}"
    x = np.linspace(0.3, 0.6, 7)
    operands = {"x": x, "n": np.arange(7, dtype=np.int32)} if "n(i)" in expression else {"x": x}
    result = hd.compile(text, language="comprehension", target=target)(**operands).to_numpy()
    assert result.dtype == np.float64
    np.testing.assert_allclose(result, meaning(x), 1e-15)


def test_alone_it_is_a_float_and_beside_floats_too() -> None:
    for expression, dtype in (("0.1 * i", "float32"), ("0.1 * i + x(i)", "float32"), ("M * i", "int32")):
        text = f"def f(float(M) x) -> (y) {{ y(i) = {expression} where i in 0:M }}"
        kernel = hd.compile(text, language="comprehension")
        assert kernel(x=np.ones(4, np.float32)).to_numpy().dtype == dtype, expression


def test_a_tensor_that_begins_with_one_has_the_type_of_what_is_added() -> None:
    text = "def f(double(M) x) -> (y) { y(i) = 0.1 * i where i in 0:M  y(i) += x(i) }"
    result = hd.compile(text, language="comprehension")(x=np.zeros(4)).to_numpy()
    np.testing.assert_array_equal(result, np.arange(4) * 0.1)


def test_what_is_rounded_to_an_integer_is_what_the_reference_rounds() -> None:
    """0.29 * 100 is 28.999999999999996 as doubles, and 29 as floats."""
    kernel = hd.compile("def f(float(M) x) -> (y) { y(i) = x(i) + int(0.29 * M) }", language="comprehension")
    assert kernel(x=np.zeros(100, np.float32)).to_numpy()[0] == int(0.29 * 100)
