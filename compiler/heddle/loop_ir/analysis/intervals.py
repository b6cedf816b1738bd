"""Intervals of integers: where a value of at most 64 bits can lie."""

from __future__ import annotations

from dataclasses import dataclass

_LEAST, _MOST = -(2**63), 2**63 - 1


@dataclass(frozen=True, slots=True)
class Interval:
    """``low`` to ``high``, both inclusive."""

    low: int
    high: int

    @property
    def magnitude(self) -> int:
        return max(abs(self.low), abs(self.high))


EVERYTHING = Interval(_LEAST, _MOST)
TRUTH = Interval(0, 1)


def interval(low: int, high: int) -> Interval:
    """Around a computed value; what leaves 64 bits may come back anywhere."""
    return Interval(low, high) if low >= _LEAST and high <= _MOST else EVERYTHING


def exactly(value: int) -> Interval:
    return interval(value, value)


def join(interval: Interval | None, other: Interval) -> Interval:
    """The smallest interval around both; None is an interval without a value."""
    return other if interval is None else Interval(min(interval.low, other.low), max(interval.high, other.high))


def at_most(interval: Interval, high: int) -> Interval:
    """The part up to ``high``; all of it where that leaves nothing, which happens only in code that never runs."""
    return Interval(interval.low, min(interval.high, high)) if interval.low <= high else interval


def at_least(interval: Interval, low: int) -> Interval:
    return Interval(max(interval.low, low), interval.high) if interval.high >= low else interval


def combine(operator: str, a: Interval, b: Interval) -> Interval:
    """Where ``left operator right`` of integers lies; ``//`` and ``%`` round towards zero, as in C."""
    match operator:
        case "+":
            return interval(a.low + b.low, a.high + b.high)
        case "-":
            return interval(a.low - b.high, a.high - b.low)
        case "*":
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return interval(min(corners), max(corners))
        case "min":
            return Interval(min(a.low, b.low), min(a.high, b.high))
        case "max":
            return Interval(max(a.low, b.low), max(a.high, b.high))
        case "//" if a.low >= 0 and b.low >= 0 and b.high >= 1:
            return Interval(a.low // b.high, a.high // max(b.low, 1))
        case "%" if a.low >= 0 and b.high >= 1 and b.low >= 0:
            return Interval(0, min(a.high, b.high - 1))
        case "/" | "//" | "%":
            return interval(-a.magnitude, a.magnitude)
        case _:
            return EVERYTHING
