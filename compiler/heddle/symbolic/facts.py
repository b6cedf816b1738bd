"""What is known of names and arrays where a length is looked at: intervals, arrays that ascend, and inequalities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from heddle.symbolic.nodes import Length, length
from heddle.symbolic.walk import free_names


@dataclass(frozen=True, slots=True)
class Interval:
    """Integers from ``lower`` up to ``upper``, both included; None stands for no bound."""

    lower: Length | None
    upper: Length | None = None


STEPS_OF_ONE, STEPS_OF_ALL, STEPS_AT_LAST = 200, 3_000, 2
"""Of proofs: what takes more counts as not proved, so that no program keeps a compile for long."""


@dataclass(slots=True)
class Proofs:
    """What was proved, and what could not be, under facts that were made from one another: the same question is asked
    many times in one compile."""

    extensions: dict[tuple[int, str], Facts] = field(default_factory=dict)
    """Facts by the number of those that they were made from, and what was added."""
    tried: dict[tuple[int, str], tuple[int, int]] = field(default_factory=dict)
    """By the number of the facts and the length: the most fuel that did not suffice, and the least that did."""
    rewritten: dict[tuple[object, ...], Length] = field(default_factory=dict)
    """Normal forms and sums, by the number of the facts and what they were made from."""
    left: int = STEPS_OF_ALL
    """How many more steps proofs may take together."""
    budget: int = 0
    """How many more steps the proof that is tried may take."""
    in_vain: set[tuple[int, str]] | None = None
    """Questions that took all steps that they may, where many compiles ask the same: they are not tried again."""

    def renew(self) -> Proofs:
        """The same memory for one more compile, with all of its steps."""
        if self.in_vain is None:
            self.in_vain = set()
        self.left = STEPS_OF_ALL
        return self

    def ask(self) -> None:
        """Begins with another question."""
        self.budget = STEPS_OF_ONE if self.left > 0 else STEPS_AT_LAST

    def step(self, whole: Length) -> bool:
        """Whether there is one more step, which costs more the longer ``whole`` is."""
        cost = 1 + len(whole.key) // 256
        self.budget -= cost
        self.left -= cost
        return self.budget >= 0


@dataclass(frozen=True, slots=True)
class Facts:
    """Names without an interval have ``others``: they are sizes, at least 0, if nothing else is said. ``ascending``
    arrays have no element that is less than the one before; elements of ``natural`` arrays are at least 0; the first
    element of those ``from_zero`` is 0; each of ``assumed`` is at least 0. ``proofs`` remembers, where it is given:
    facts of one ``number`` are the same."""

    intervals: Mapping[str, Interval] = field(default_factory=lambda: MappingProxyType({}))
    ascending: frozenset[str] = frozenset()
    natural: frozenset[str] = frozenset()
    from_zero: frozenset[str] = frozenset()
    assumed: tuple[Length, ...] = ()
    elements: Mapping[str, Interval] = field(default_factory=lambda: MappingProxyType({}))
    """What the elements of an array lie in."""
    others: Interval = Interval(length(0))
    proofs: Proofs | None = field(default=None, compare=False, repr=False)
    number: int = field(default=0, compare=False, repr=False)
    fewer: Facts | None = field(default=None, compare=False, repr=False)
    """Facts to which these add the interval of the name ``added`` alone, of which nothing was said before."""
    added: str = ""

    def assume_range(self, name: str, lower: Length | int | None, upper: Length | int | None) -> Facts:
        """The same, and ``lower <= name <= upper``."""
        low, high = None if lower is None else length(lower), None if upper is None else length(upper)
        key = f"{name} {low.key if low is not None else None} {high.key if high is not None else None}"
        added = "" if name in self.intervals or self._mentions(name) else name
        return self._extend(key, lambda: {"intervals": {**self.intervals, name: Interval(low, high)}}, added)

    def assuming(self, *at_least_zero: Length) -> Facts:
        """The same, and each of ``at_least_zero`` is."""
        key = " ".join(("assuming", *(length.key for length in at_least_zero)))
        return self._extend(key, lambda: {"assumed": (*self.assumed, *at_least_zero)})

    def not_assuming(self, place: int) -> Facts:
        """The same without one of what is assumed."""
        rest = (*self.assumed[:place], *self.assumed[place + 1 :])
        return self._extend(f"without {place}", lambda: {"assumed": rest})

    def elements_of(self, array: str, lower: Length | int, upper: Length | int | None) -> Facts:
        """The same, and every element of ``array`` is at least ``lower`` and at most ``upper``."""
        low, high = length(lower), None if upper is None else length(upper)
        key = f"elements {array} {low.key} {high.key if high is not None else None}"
        return self._extend(key, lambda: {"elements": {**self.elements, array: Interval(low, high)}})

    def with_natural(self, array: str) -> Facts:
        """The same, and no element of ``array`` is negative."""
        return self._extend(f"natural {array}", lambda: {"natural": self.natural | {array}})

    def with_ascending(self, array: str) -> Facts:
        """The same, and no element of ``array`` is less than the one before."""
        return self._extend(f"ascending {array}", lambda: {"ascending": self.ascending | {array}})

    def with_first_zero(self, array: str) -> Facts:
        """The same, and the first element of ``array`` is 0."""
        return self._extend(f"from zero {array}", lambda: {"from_zero": self.from_zero | {array}})

    def _extend(self, key: str, changes: Callable[[], dict[str, Any]], added: str = "") -> Facts:
        if self.proofs is None:
            return replace(self, **changes())
        known = self.proofs.extensions.get((self.number, key))
        if known is None:
            number = len(self.proofs.extensions) + 1
            fewer = self if added else None
            changed = changes().get  # in the place of ``replace``, which takes four times as long
            known = Facts(
                changed("intervals", self.intervals),
                changed("ascending", self.ascending),
                changed("natural", self.natural),
                changed("from_zero", self.from_zero),
                changed("assumed", self.assumed),
                changed("elements", self.elements),
                changed("others", self.others),
                self.proofs,
                number,
                fewer,
                added,
            )
            self.proofs.extensions[self.number, key] = known
        return known

    def _mentions(self, name: str) -> bool:
        """Whether what is known of others depends on ``name``."""
        bounds = (*self.intervals.values(), *self.elements.values())
        ends = (end for bound in bounds for end in (bound.lower, bound.upper) if end is not None)
        return any(name in free_names(whole) for whole in (*ends, *self.assumed))

    def restrict_to(self, names: frozenset[str]) -> Facts:
        """The same without what was last said of other names, which is no part of what is known of ``names``."""
        facts = self
        while facts.fewer is not None and facts.added not in names:
            facts = facts.fewer
        return facts

    def interval(self, name: str) -> Interval:
        return self.intervals.get(name, self.others)


NOTHING = Facts(others=Interval(None))
"""Not even that names are sizes: what holds under it holds for all integers."""
