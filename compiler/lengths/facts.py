"""What is known of names and arrays where a length is looked at: intervals, arrays that ascend, and inequalities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from compiler.lengths.nodes import Length, length


@dataclass(frozen=True, slots=True)
class Interval:
    """Integers from ``lower`` up to ``upper``, both included; None stands for no bound."""

    lower: Length | None
    upper: Length | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """Names without an interval have ``others``: they are sizes, at least 0, if nothing else is said. ``ascending``
    arrays have no element that is less than the one before; elements of ``natural`` arrays are at least 0; each of
    ``assumed`` is at least 0."""

    intervals: Mapping[str, Interval] = field(default_factory=lambda: MappingProxyType({}))
    ascending: frozenset[str] = frozenset()
    natural: frozenset[str] = frozenset()
    assumed: tuple[Length, ...] = ()
    elements: Mapping[str, Interval] = field(default_factory=lambda: MappingProxyType({}))
    """What the elements of an array lie in."""
    others: Interval = Interval(length(0))

    def within(self, name: str, lower: Length | int | None, upper: Length | int | None) -> Facts:
        """The same, and ``lower <= name <= upper``."""
        interval = Interval(None if lower is None else length(lower), None if upper is None else length(upper))
        return replace(self, intervals={**self.intervals, name: interval})

    def assuming(self, *at_least_zero: Length) -> Facts:
        return replace(self, assumed=(*self.assumed, *at_least_zero))

    def elements_of(self, array: str, lower: Length | int, upper: Length | int | None) -> Facts:
        """The same, and every element of ``array`` is at least ``lower`` and at most ``upper``."""
        interval = Interval(length(lower), None if upper is None else length(upper))
        return replace(self, elements={**self.elements, array: interval})

    def interval(self, name: str) -> Interval:
        return self.intervals.get(name, self.others)


NOTHING = Facts(others=Interval(None))
"""Not even that names are sizes: what holds under it holds for all integers."""
