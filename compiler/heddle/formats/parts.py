"""A format that is a sum of parts: each entry is stored in the first part whose tests it passes (Ye et al. 2023)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heddle.formats.format import Format

UNBOUNDED = 2**62


@dataclass(frozen=True, slots=True)
class Test:
    """``quantity`` of an entry, e.g. ``tile(4,4)``, how many entries its tile has, lies from ``least`` to ``most``."""

    quantity: str
    arguments: tuple[int, ...]
    least: int
    most: int
    excluded: bool = False
    """It does not lie there."""


@dataclass(frozen=True, slots=True)
class FormatPart:
    """One summand, under a name that no other has. ``tests`` must all hold; without any it takes every entry that no
    part in front of it took."""

    name: str
    format: Format
    tests: tuple[Test, ...] = ()
    named: bool = False
    """The name was given with it, rather than made of its format."""


@dataclass(frozen=True, slots=True)
class Composition:
    """The summands in their order; ``macro`` is the short form that it was written in, such as ``hyb(2,3)``."""

    parts: tuple[FormatPart, ...]
    macro: str | None = None
