"""What the scheduler remembers of runs that have ended must not grow with their number."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from heddle_server.engine.children.limits import run_limits
from heddle_server.engine.children.outcome import Outcome
from heddle_server.engine.cluster import placement
from heddle_server.engine.cluster.connected_worker import ConnectedWorker
from heddle_server.engine.cluster.placement import Placement
from heddle_server.engine.cluster.run_task import RunOrder
from heddle_server.engine.cluster.worker_options import configuration
from heddle_server.settings import Settings

# Every log of Dask's is full by then.
WARM = max(value for name, value in configuration().items() if name.endswith(("log-length", "max-history")))
RUNS = 40


def nothing(order: RunOrder) -> Outcome:
    """In place of a run."""
    return Outcome("done")


async def test_no_record_of_each_run_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placement, "execute", nothing)
    settings = Settings(data_directory=tmp_path, timing_lock=tmp_path / "lock")
    placed = Placement(settings, lambda event: None)
    await placed.start()
    try:
        workers = await placed.workers()
        orders = [
            RunOrder(in_letters(one), 1, placed.topic, "none", {"plan": {}}, run_limits(settings, "c"))
            for one in range(WARM + RUNS)
        ]
        await run_all(placed, workers[0], orders[:WARM])
        before = ours_and_dasks()
        await run_all(placed, workers[0], orders[WARM:])
        grown = {name: count - before[name] for name, count in ours_and_dasks().items() if count >= before[name] + RUNS}
    finally:
        await placed.stop()
    assert grown == {}


def in_letters(number: int) -> str:
    """Dask takes words of letters for names of kinds of tasks, and remembers them; ids of runs may be such words."""
    return "".join(chr(ord("A") + int(digit)) for digit in f"{number:016d}")


async def run_all(placed: Placement, worker: ConnectedWorker, orders: Sequence[RunOrder]) -> None:
    assert placed._cluster is not None
    for order in orders:
        await placed.execute(order, worker, ())
        # A task that comes before the last one is forgotten is counted with it.
        while placed._cluster.scheduler.tasks:  # type: ignore[attr-defined]
            await asyncio.sleep(0.005)


def ours_and_dasks() -> Counter[str]:
    """How many objects there are of each class of Heddle's and of Dask's."""
    gc.collect()
    kinds = (type(one) for one in gc.get_objects())
    return Counter(
        f"{kind.__module__}.{kind.__name__}"
        for kind in kinds
        if str(kind.__module__).startswith(("heddle_server.", "distributed.", "dask."))
    )
