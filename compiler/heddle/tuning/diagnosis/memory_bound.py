"""As fast as the memory: nothing that a schedule could change."""

from __future__ import annotations

from heddle.tuning.diagnosis.finished import Diagnosis, Finished

NEAR = 0.85


def memory_bound(run: Finished) -> Diagnosis | None:
    """Only where the operands do not fit a cache: STREAM is measured in memory."""
    cache = run.program.machine.cache_bytes
    moved = sum(tensor.nbytes for tensor in run.tensors.values())
    share = run.bandwidth_share
    if share is None or share < NEAR or cache is None or moved < 2 * cache:
        return None
    text = (
        f"The kernel moves its operands at {share:.0%} of the bandwidth that STREAM reaches: a schedule cannot make it "
        "much faster. Fewer bytes can: a smaller type, or a format that stores less."
    )
    return Diagnosis("memory-bound", text)
