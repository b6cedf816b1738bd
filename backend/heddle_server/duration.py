"""A time as text."""

from __future__ import annotations


def duration(nanoseconds: float) -> str:
    """In the unit that leaves one to three digits before the point."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return (
                f"{nanoseconds / size:.3g} {unit}" if nanoseconds < 1000 * size else f"{nanoseconds / size:.0f} {unit}"
            )
    return f"{nanoseconds:.0f} ns"
