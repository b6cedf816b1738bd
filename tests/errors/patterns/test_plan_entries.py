"""What a plan says of the parameters of a program in patterns, whose types say it already, is refused, not ignored."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heddle as hd
from tests.compiler.patterns.programs import many, program
from tests.errors.expect import refusal

TEXT = program(many("n", "m"), "fun(A:[[float]m]n => A :>> map(reduce(+, 0.0)")


@pytest.mark.parametrize(
    ("said", "what", "found"),
    [
        ({"formats": {"A": "csr"}}, "format", "csr"),
        ({"dtypes": {"A": "float64"}}, "dtype", "float64"),
        ({"shapes": {"A": (3, 4)}}, "shape", "3×4"),
        ({"fills": {"A": 1}}, "fill", "1"),
    ],
)
def test_an_entry_that_the_types_say_already(said: dict[str, Any], what: str, found: str) -> None:
    (diagnostic,) = hd.lower(TEXT, language="patterns", **said).diagnostics
    assert (diagnostic.code, diagnostic.found) == ("format/in-types", found)
    assert diagnostic.message == (
        f"the type of A in the program says how it lies in memory, so the plan's {what} `{found}` would be ignored. "
        "Leave it out of the plan, and write it as a type."
    )
    assert diagnostic.location is not None
    assert diagnostic.location.tensor == "A"


def test_a_size_that_the_program_does_not_name() -> None:
    (diagnostic,) = hd.lower(TEXT, language="patterns", sizes={"mm": 4}).diagnostics
    assert (diagnostic.code, diagnostic.found) == ("plan/unknown-size", "mm")
    assert diagnostic.message == "sizes fixes mm, which is neither a size nor an integer parameter of the program"
    assert diagnostic.expected == "one of n, m"


def test_a_size_that_the_plan_fixes_holds_at_every_call() -> None:
    kernel = hd.compile(TEXT, language="patterns", sizes={"n": 2})
    assert kernel(A=np.ones((2, 3), np.float32)).to_numpy().tolist() == [3, 3]
    told = refusal(lambda: kernel(A=np.ones((4, 3), np.float32)))
    assert told.code == "runtime/size-mismatch"
    passed = refusal(lambda: kernel(A=np.ones((2, 3), np.float32), n=4))
    assert passed.message == "n is 4 at this call, and the plan fixes n = 2."


def test_an_integer_that_the_plan_fixes_need_not_be_passed() -> None:
    text = program(many("n"), "fun(k:int => fun(x:[int]n => x :>> map(fun(v => v * k")
    kernel = hd.compile(text, language="patterns", sizes={"k": 3})
    assert kernel(x=np.array([1, 2], np.int32)).to_numpy().tolist() == [3, 6]


def test_a_plan_without_entries_compiles() -> None:
    assert hd.lower(TEXT, language="patterns").ok
