"""Operands that the types of a comprehension do not hold: the repair is a declaration in its text."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.runtime.packing.pack import pack_operands

SCALE = "def scale(int b, float(N) x) -> (y) { y(i) = b * x(i) }"
ONES = np.ones(4, "float32")


def test_a_fraction_for_an_integer_says_what_to_declare() -> None:
    kernel = hd.compile(SCALE, language="comprehension")
    hint = (
        "Write float b or double b in the program, in place of int b, or convert the values yourself with "
        ".astype('int32')."
    )
    for call in (
        lambda: kernel(b=0.5, x=ONES),
        lambda: pack_operands({"b": 0.5, "x": ONES}, lower(Plan(SCALE, language="comprehension")).signature),
    ):
        with pytest.raises(hd.OperandError) as caught:
            call()
        assert caught.value.diagnostics[0].hint == hint
    declared = hd.compile(SCALE.replace("int b", "float b"), language="comprehension")
    np.testing.assert_array_equal(declared(b=0.5, x=ONES).to_numpy(), np.full(4, 0.5, "float32"))


def test_an_array_of_doubles_says_what_to_declare() -> None:
    with pytest.raises(hd.OperandError) as caught:
        hd.compile(SCALE, language="comprehension")(b=2, x=np.ones(4))
    assert caught.value.diagnostics[0].hint == (
        "Write double(…) x in the program, in place of float(…) x, or convert the values yourself with "
        ".astype('float32')."
    )
