"""What the commands of a schedule speak of, as far as the loops in front of them depend on it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamesOfCommands:
    """``spoken``: every name in the commands; ``new``: those that they introduce, so that no loop has them before."""

    spoken: frozenset[str] = frozenset()
    new: frozenset[str] = frozenset()


NO_NAMES = NamesOfCommands()
