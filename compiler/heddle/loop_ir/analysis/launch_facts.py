"""What a host knows of arrays and scalars before each launch of a kernel, so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from heddle.loop_ir.analysis.index_knowledge import Facts, Ranges
from heddle.loop_ir.analysis.intervals import Interval, exactly, join
from heddle.loop_ir.dtypes import INTEGERS
from heddle.loop_ir.nodes import Array


@dataclass(slots=True)
class LaunchFacts:
    """``contents`` and ``sizes`` of arrays by name, see :class:`~heddle.loop_ir.analysis.index_knowledge.Facts`."""

    contents: dict[str, Interval | None] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)

    def copy(self) -> LaunchFacts:
        return LaunchFacts(dict(self.contents), dict(self.sizes))

    def record_allocation(self, array: Array, size: int, zero: bool) -> None:
        self.sizes[array.name] = size
        if array.dtype in INTEGERS:
            self.contents[array.name] = exactly(0) if zero else None

    def record_fill(self, array: Array, value: int) -> None:
        if array.name in self.contents:
            self.contents[array.name] = join(self.contents[array.name], exactly(value))

    def record_scan(self, array: Array, total: int) -> None:
        """Sums of counts, of which none is negative."""
        self.contents[array.name] = Interval(0, total)

    def launched(self, ranges: Ranges) -> None:
        for name, stored in ranges.stored.items():
            if name in self.contents:
                self.contents[name] = join(self.contents[name], stored)

    def facts(self, scalars: Mapping[str, Interval]) -> Facts:
        return Facts(scalars, dict(self.contents), dict(self.sizes))
