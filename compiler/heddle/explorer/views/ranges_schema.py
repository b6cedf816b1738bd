"""How the ranges of a comprehension's index variables came about (docs/sources.toml V21), as JSON."""

from __future__ import annotations

from typing import Literal

from heddle.explorer.views.typed_dict import TypedDict


class SizeView(TypedDict):
    """``value`` is the number that the plan fixes, or, where ``example`` is true, one that stands for it in numbers."""

    name: str
    value: int
    example: bool


class RoundView(TypedDict):
    """What one access held one variable to, in a round from 1; 0 is in front of all, for what is given. ``start`` and
    ``end``, the latter exclusive, are numbers for the sizes of the view."""

    number: int
    variable: str
    how: Literal["access", "where", "earlier", "later", "passed", "declared"]
    access: str
    constraint: str
    eliminated: list[str]
    interval: str
    start: int | None
    end: int | None


class VariableRangeView(TypedDict):
    """``interval`` is null where none follows. ``at`` is where its name stands first in the text of the statement, as
    the end of the name; null where it stands in no text of this program."""

    name: str
    reduced: bool
    interval: str | None
    start: int | None
    end: int | None
    at: int | None


class StatementRangesView(TypedDict):
    """``first`` and ``last`` are its place in the text."""

    number: int
    text: str
    first: int
    last: int
    variables: list[VariableRangeView]
    rounds: list[RoundView]


class ResultShapeView(TypedDict):
    """``dimensions`` are ranges; a result whose range does not begin at 0 begins at its first coordinate."""

    name: str
    dimensions: list[str]


class RangeCheckView(TypedDict):
    """What was not proved, and is checked when the kernel is called: a statement from 0, or null for all of them."""

    statement: int | None
    what: str
    why: str


class RangesView(TypedDict):
    """``complete``: every variable has a range. What is wrong otherwise stands in the diagnostics."""

    complete: bool
    sizes: list[SizeView]
    statements: list[StatementRangesView]
    results: list[ResultShapeView]
    checks: list[RangeCheckView]
