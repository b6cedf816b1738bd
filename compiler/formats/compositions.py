"""Which level kinds may stand where in a format: one table of rules for the compiler and for packing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from compiler.formats.format import Format, Level

_FLAGGED = ("compressed", "singleton")
"""Kinds whose coordinates may be unordered or repeat."""


@dataclass(frozen=True, slots=True)
class Misplaced:
    """Level ``number`` (1-based) cannot stand where it does."""

    number: int
    reason: str
    expected: str


@dataclass(frozen=True, slots=True)
class _Rule:
    """``broken`` is asked for each level and those above it, outermost first."""

    broken: Callable[[Level, tuple[Level, ...]], bool]
    reason: str
    expected: str


_RULES = (
    _Rule(
        lambda level, above: level.kind not in _FLAGGED and not (level.ordered and level.unique),
        "only compressed and singleton levels can be unordered or nonunique",
        "a level without properties",
    ),
    _Rule(
        lambda level, above: level.kind == "singleton" and not above,
        "a singleton level holds one coordinate for each parent position, and there is no level above it",
        "a level above it",
    ),
    _Rule(
        lambda level, above: bool(above) and not above[-1].unique and level.kind not in _FLAGGED,
        "the coordinates of the level above it repeat, and only coordinates stored one for one can tell them apart",
        "a singleton or compressed level",
    ),
    _Rule(
        lambda level, above: level.kind == "offset" and [one.kind for one in above] != ["dense"],
        "an offset level holds the diagonals of a matrix, below a dense level for its rows",
        "dense, offset",
    ),
)


def misplaced_levels(format: Format) -> list[Misplaced]:
    """Every level that breaks a rule."""
    return [
        Misplaced(number, rule.reason, rule.expected)
        for number, level in enumerate(format.levels, start=1)
        for rule in _RULES
        if rule.broken(level, format.levels[: number - 1])
    ]
