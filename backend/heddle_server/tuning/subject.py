"""What a search is about: programs that are built, called and checked by schedule, and what else computes the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from heddle.measuring.contender import Contender
from heddle.plan import Plan
from heddle.runtime.tensors.coordinates import Entries


@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """A kernel with its operands that has run once. ``timed`` is what a measurement calls; ``wrong`` the error of its
    results where they are not right, None where they are. ``bytes`` are those of its operands as they are stored, its
    results and its workspaces, None where only the running kernel knows them."""

    timed: Callable[[], object]
    wrong: float | None
    bytes: int | None


class Subject(Protocol):
    """One program on one set of operands."""

    @property
    def sparse(self) -> dict[str, Entries]:
        """The sparse operands, which rules look at."""
        ...

    @property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """Of all operands."""
        ...

    def ready(self, plan: Plan) -> Callable[[], Ready]:
        """Builds the kernel of ``plan``; what comes back binds, runs and checks it, and is called when nothing else is
        built.

        Raises
        ------
        CompileError
            it does not compile, or, later, its operands do not fit its formats.
        """
        ...

    def libraries(self, threads: int) -> list[Contender]:
        """What else computes the program, each verified."""
        ...
