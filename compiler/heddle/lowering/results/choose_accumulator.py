"""How the iterations of a loop add into what they share: one strategy for each way, in a table.

Each strategy is a file of this folder. Its ``find`` function says whether it suits a loop; ``enter`` declares what the
iterations add into and makes that the destination of the tensor's assignments; ``leave`` stores the outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from heddle.iteration_graph.graph.nodes import Forall
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.results.lane_reduction import find_lane_reduction
from heddle.lowering.results.result_copies import find_result_copies
from heddle.lowering.results.scalar_sum import find_scalar_sum, find_scalar_sums
from heddle.lowering.results.segmented_sums import find_segmented_sums


class Accumulator(Protocol):
    """What the iterations of an entered loop add into."""

    def leave(self, environment: LoopEnvironment, inner: LoopEnvironment) -> None:
        """Emit behind the loop what combines and stores the outcome; the arguments are those of ``enter``."""
        ...


class Accumulation(Protocol):
    """A way of adding that suits a certain loop."""

    @property
    def stores_once(self) -> bool:
        """Whether the loop as a whole stores to each of its locations once, although its iterations race."""
        ...

    def enter(self, environment: LoopEnvironment, inner: LoopEnvironment) -> Accumulator:
        """Emit in front of the loop what its iterations add into. ``environment`` is that around the loop, ``inner``
        that of this loop alone: what assignments below it store goes there."""
        ...


@dataclass(frozen=True, slots=True)
class InPlace:
    """Every iteration adds to the tensor itself."""

    stores_once: bool = False

    def enter(self, environment: LoopEnvironment, inner: LoopEnvironment) -> Accumulator:
        return self

    def leave(self, environment: LoopEnvironment, inner: LoopEnvironment) -> None:
        return None


ACCUMULATIONS: tuple[Callable[[LoopEnvironment, Forall], Accumulation | None], ...] = (
    find_scalar_sum,
    find_scalar_sums,
    find_segmented_sums,
    find_lane_reduction,
    find_result_copies,
    lambda environment, statement: InPlace(),
)


def find_accumulation(environment: LoopEnvironment, statement: Forall) -> Accumulation:
    """The first strategy of the table that suits the loop.

    Raises
    ------
    Refusal
        ``schedule/gpu-reduction`` where lanes cannot combine what they add.
    """
    return next(accumulation for find in ACCUMULATIONS if (accumulation := find(environment, statement)) is not None)
