"""A decomposition from beginning to end for whoever watches over it: records as they come, a request to stop, and
checkpoints from which another process goes on."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from heddle.algorithms.decompose import AlgorithmRun, Decomposition
from heddle.algorithms.history import Sweep

__all__ = ["follow"]

SECONDS = 10.0
"""Between two checkpoints."""


def follow(
    run: AlgorithmRun,
    *,
    sweep: Callable[[Sweep], object] | None = None,
    stop: Callable[[], bool] | None = None,
    checkpoint: Callable[[bytes], object] | None = None,
    every: float = SECONDS,
) -> Decomposition:
    """Runs it to its end.

    Parameters
    ----------
    sweep
        gets the record of each sweep, right behind it.
    stop
        asked behind each sweep, and before the first; True ends the run there, and what is there is kept.
    checkpoint
        gets :meth:`AlgorithmRun.checkpoint` behind the first sweep that ends ``every`` seconds after the last
        checkpoint, or after the beginning; and once more behind the last sweep.
    """
    if stop is not None and stop():
        run.stop()
    last = monotonic()
    for record in run:
        if sweep is not None:
            sweep(record)
        if stop is not None and stop():
            run.stop()
        if checkpoint is not None and monotonic() - last >= every:
            checkpoint(run.checkpoint())
            last = monotonic()
    if checkpoint is not None:
        checkpoint(run.checkpoint())
    return run.finish()
