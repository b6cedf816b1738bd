"""What every algorithm answers to: whoever runs one takes sweep after sweep and asks where it stands."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.typing import NDArray

from heddle.algorithms.history import Sweep
from heddle.algorithms.state import State

Array = NDArray[Any]


class Loop(Protocol):
    """One decomposition on its way. Between two sweeps ``weights``, ``factors`` and what :meth:`state` has beside them
    are all that there is; ``number`` sweeps were taken."""

    factors: list[Array]
    number: int

    @property
    def weights(self) -> Array:
        """Of the components, as they are now."""
        ...

    def sweep(self) -> Sweep:
        """Takes the next one."""
        ...

    def done(self, sweep: Sweep) -> bool:
        """Whether ``sweep`` was the last one that is needed, by the tolerance."""
        ...

    def state(self, tensor: str) -> State:
        """A copy of where it stands, for the tensor of that hash."""
        ...

    def resume(self, state: State) -> None:
        """Goes on from ``state``.

        Raises
        ------
        CompileError
            ``algorithm/resume`` where it remembers other modes.
        """
        ...
