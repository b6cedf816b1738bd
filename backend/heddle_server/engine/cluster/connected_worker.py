"""Workers as the service knows them, and that there are none yet.

Without Dask, for whose import a start does not wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heddle_server.engine.children.outcome import Outcome
    from heddle_server.engine.cluster.declaration import Declaration
    from heddle_server.engine.cluster.delivery import DataFile
    from heddle_server.engine.cluster.run_task import RunOrder

OWN = "this server"
"""The name of an embedded worker."""


class WorkerLost(Exception):  # noqa: N818 - reads as what happened
    """The worker of a run, or the way to it, is gone."""


@dataclass(frozen=True, slots=True)
class ConnectedWorker:
    """``address`` is where Dask reaches it, ``last_seen`` when the scheduler last heard of it, by that one's clock."""

    address: str
    name: str
    last_seen: float
    declaration: Declaration

    @property
    def display_name(self) -> str | None:
        """That of its operator; None when there is none. An address is nothing to show to everybody."""
        return self.name if self.name not in (self.address, OWN) else None


class Unconnected:
    """Stands for the placement of runs until that is there."""

    topic = ""
    connected = False

    async def stop(self) -> None:
        """Nothing was begun."""

    async def reconnect(self) -> None:
        """There is nothing to connect to."""

    async def renew_if_deserted(self, workers: Sequence[ConnectedWorker]) -> None:
        """There is nobody to renew."""

    async def workers(self) -> tuple[ConnectedWorker, ...]:
        return ()

    async def execute(self, order: RunOrder, worker: ConnectedWorker, files: Sequence[DataFile]) -> Outcome:
        raise WorkerLost("no worker has been started yet")

    async def cancel(self, run_id: str, attempt: int) -> None:
        """No run is under way."""

    async def stop_run(self, run_id: str, attempt: int) -> None:
        """No run is under way."""

    async def renew(self) -> None:
        """There is nobody to renew."""
