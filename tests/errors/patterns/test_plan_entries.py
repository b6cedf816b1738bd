"""What a plan says of the parameters of a program in patterns, whose types say it already, is refused, not ignored."""

from __future__ import annotations

from typing import Any

import pytest

import compiler as hd
from tests.compiler.patterns.programs import many, program

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


def test_a_size_is_no_entry_of_the_plan() -> None:
    (diagnostic,) = hd.lower(TEXT, language="patterns", sizes={"n": 4}).diagnostics
    assert diagnostic.code == "format/in-types"
    assert diagnostic.message.startswith(
        "n follows from the sizes of the arguments; the plan's n = 4 would be ignored."
    )


def test_a_plan_without_entries_compiles() -> None:
    assert hd.lower(TEXT, language="patterns").ok
