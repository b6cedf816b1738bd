"""The JSON of a text that the compiler wrote, with the origin of each of its parts (docs/sources.toml V7)."""

from __future__ import annotations

from typing import Literal, NotRequired

from heddle.explorer.views.typed_dict import TypedDict
from heddle.targets import CodeLanguageName

RoleName = Literal["bounds", "guard", "recovery", "search", "assembly", "reduction", "init", "compute"]


class OriginView(TypedDict):
    role: RoleName
    variable: str | None
    tensor: str | None
    level: int | None
    command: int | None


class SpanView(TypedDict):
    """1-based line, 0-based columns (end exclusive)."""

    line: int
    column: int
    end_column: int
    origin: OriginView


class SymbolView(TypedDict):
    """What an identifier of the code stands for, so that pointing at it lights up the rest of the page."""

    kind: Literal["variable", "position", "dimension", "array", "temporary"]
    variable: str | None
    tensor: str | None
    level: int | None


class CodeView(TypedDict):
    """``left_out`` counts the lines behind ``text`` that the answer had no room for; it is there where there are
    some."""

    language: Literal[CodeLanguageName, "loops"]
    text: str
    spans: list[SpanView]
    symbols: dict[str, SymbolView]
    left_out: NotRequired[int]


class TextView(TypedDict):
    """A text of a compile from some line on: that of a stage, with what its parts come from where that is known.
    ``left_out`` lines follow."""

    text: str
    code: CodeView | None
    left_out: int


class RegionView(TypedDict):
    """A place that the loops read or write (``writes``): ``place`` by the positions of the levels, ``offset`` as it is
    counted in ``array``; a workspace belongs to no ``tensor``. ``within`` are the loops around it with their ranges,
    outermost first."""

    array: str
    tensor: str | None
    writes: bool
    place: str
    offset: str
    within: list[str]
