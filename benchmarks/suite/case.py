"""One measurement in its own process: a case as JSON in, its result as JSON out (the last line).

A result is verified before its kernel is timed; so is every opponent's.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

MOST_MEMORY = 24 << 30
"""Bytes that one case may hold."""

WRONG = "its result is wrong"

OURS = "heddle"
"""The contender that all others are compared with: the rules' choice, in the usual format."""

CACHES_OVERFLOWN = 2
"""Operands and result of so many times the last cache's size come from memory in each call."""

PLAIN = "plain"
"""The contender that runs rows in parallel with loops in the order of the text, and no other command."""

FAR_SLOWER, MOST_ROUNDS_TAKEN = 15.0, 100
"""Times ours from which a contender says little, and rounds that the timing must have room for next to such a one."""


@dataclass(frozen=True, slots=True)
class Case:
    """``input`` names a matrix or tensor; ``nonzeros`` is what generators aim at. ``seconds`` bound the timing."""

    suite: str
    kernel: str
    input: str
    nonzeros: int
    dtype: str
    threads: int
    seconds: float

    @property
    def name(self) -> str:
        return f"{self.kernel}.{self.input}.{self.nonzeros}.{self.dtype}.{self.threads}"


def measure_kernel(case: Case) -> dict[str, Any]:
    """Medians with intervals, the ratios to ours by rounds, the schedule with its reasons, and shares of STREAM."""
    import numpy as np

    from benchmarks.baselines.opponents import Opponent, opponents
    from benchmarks.suite.formats import formatted, repaid_after, summed
    from benchmarks.suite.given import given
    from benchmarks.suite.summary import is_own
    from benchmarks.suite.timing import timed
    from heddle.measuring.baselines.mkl_library import facts as mkl_facts
    from heddle.measuring.prepared import bytes_moved
    from heddle.measuring.rounds import Protocol, measure
    from heddle.runtime.native import toolchain
    from heddle_server.engine import stream
    from heddle_server.engine.quiet_time import QuietTime

    known = given(case)
    kernel, automatic, packed, reference = known.kernel, known.automatic, known.packed, known.reference
    start = time.perf_counter()
    call = automatic.bind(**packed)
    choosing = time.perf_counter() - start
    ours = Opponent(OURS, call.run, lambda: call.output)
    others = [
        *_reused(automatic, packed),
        *_unscheduled(kernel, case.dtype, packed),
        *_plain(kernel, case.dtype, packed),
        *formatted(kernel, case.dtype, packed),
        *(summed(kernel, case.dtype, packed) if case.suite == "compositions" else ()),
        *opponents(case.kernel, known.operands, case.dtype, case.threads, toolchain.discover().openmp),
    ]
    measured, left_out = [], dict(other for other in others if isinstance(other, tuple))
    ours.call()  # The first call may compile.
    usual = _seconds(ours)
    for one in [ours, *(other for other in others if isinstance(other, Opponent))]:
        reason = reason_against(one, reference, case, usual)
        if reason is None:
            measured.append(one)
        elif is_own(one.name) and reason.startswith(WRONG):
            raise AssertionError(f"{one.name}: {reason}: {automatic.suggestion.schedule}")
        else:
            left_out[one.name] = reason
    protocol = Protocol(min_seconds=case.seconds / 10, cap_seconds=case.seconds, warm_up_seconds=case.seconds / 40)
    moved, calls = bytes_moved(call), [one.call for one in measured]
    beside = _triad_beside(moved, case.threads)
    timings = measure(calls if beside is None else [*calls, beside.run], protocol, lambda share: None)
    triad = stream.bandwidth(case.threads, QuietTime(None)) if beside is None else None

    def share_of(samples: Any) -> float | None:
        if beside is not None:
            return float(np.median(timings.samples[-1] / samples)) * moved / beside.bytes
        return moved / float(np.median(samples)) / triad if triad else None

    contenders: dict[str, Any] = {}
    for place, one in enumerate(measured):
        found = timed(timings.samples, place, one.prepared)
        middle, is_other = found["median_ns"], one.name.startswith("heddle-")
        contenders[one.name] = {
            **found,
            "repaid_after": repaid_after(one.prepared, contenders[OURS]["median_ns"], middle) if is_other else None,
            "stream_share": share_of(timings.samples[place]),
        }
    sparse = packed[kernel.sparse]
    openmp = toolchain.discover().openmp
    return {
        "shape": list(sparse.shape),
        "nonzeros": int(sparse.stored),
        "bytes": moved,
        "triad_gbps": beside.bytes / float(np.median(timings.samples[-1])) if beside is not None else None,
        "packing_ms": known.packing * 1e3,
        "choosing_ms": choosing * 1e3,
        "rounds": timings.rounds,
        "complete": timings.complete,
        "rule": automatic.suggestion.rule,
        "schedule": list(automatic.suggestion.schedule),
        "reasons": list(automatic.suggestion.reasons),
        "contenders": contenders,
        "left_out": left_out,
        "mkl": mkl_facts(openmp) if "mkl" in contenders else None,
    }


def _triad_beside(moved: int, threads: int) -> Any | None:
    """STREAM's triad, for rounds with kernels that no cache holds: other tenants change the bandwidth of a machine by
    the minute. None for those that a cache holds, which would lose it to the triad, and where memory is too small."""
    from heddle.runtime.native.cpu import last_level_cache_bytes
    from heddle_server.engine.stream import Triad

    if moved < CACHES_OVERFLOWN * (last_level_cache_bytes() or moved):
        return None
    try:
        return Triad(threads)
    except MemoryError:
        return None


def reason_against(one: Any, reference: Any, case: Case, usual: float) -> str | None:
    """Why a contender is not timed: its result is wrong, ten calls of an opponent outlast the timing, or it is so much
    slower than ours, which takes ``usual`` seconds, that it would leave few rounds for the others."""
    from benchmarks.suite import kernels
    from benchmarks.suite.summary import is_own

    one.call()  # The first call may compile.
    error = kernels.error_of(one.result(), reference)
    if error > kernels.tolerance(case.dtype):
        return f"{WRONG} by {error:.3g}"
    if one.name == OURS:
        return None

    def too_long(spent: float) -> bool:
        crowds = MOST_ROUNDS_TAKEN * spent > case.seconds and spent > FAR_SLOWER * usual
        return crowds or (10 * spent > case.seconds and not is_own(one.name))

    spent = _seconds(one)
    if too_long(spent):
        spent = min(spent, _seconds(one))  # the machine may have been busy with something else
    return f"one call takes {spent:.2g} s" if too_long(spent) else None


def _seconds(one: Any) -> float:
    start = time.perf_counter()
    one.call()
    return time.perf_counter() - start


def _reused(automatic: Any, packed: dict[str, Any]) -> list[Any]:
    """The same kernel with the coordinates of its result kept, where it assembles them."""
    from benchmarks.baselines.opponents import Opponent
    from benchmarks.suite.formats import REUSED

    if not automatic.assembles:
        return []
    start = time.perf_counter()
    kept = automatic.assemble(**packed)
    prepared = (time.perf_counter() - start) * 1e3
    call = kept.bind(**packed)
    return [Opponent(REUSED, call.run, lambda: call.output, prepared)]


def _unscheduled(kernel: Any, dtype: str, packed: dict[str, Any]) -> list[Any]:
    """The same kernel without a schedule, where it compiles."""
    return _scheduled("unscheduled", kernel, dtype, packed, "")


def _plain(kernel: Any, dtype: str, packed: dict[str, Any]) -> list[Any]:
    """A sparse matrix times vectors as one writes it by hand: rows in parallel, ``i, j, k``."""
    from benchmarks.suite.kernels import multiplies_vectors

    if not multiplies_vectors(kernel.name):
        return []
    loops = "reorder(i, j)" if kernel.name == "spmv" else "reorder(i, j, k)"
    return _scheduled(PLAIN, kernel, dtype, packed, f"{loops}\nparallelize(i, CPUThread, NoRaces)")


def _scheduled(name: str, kernel: Any, dtype: str, packed: dict[str, Any], schedule: str) -> list[Any]:
    """The same kernel with another schedule, where that compiles."""
    import heddle as hd
    from benchmarks.baselines.opponents import Opponent

    result = hd.lower(kernel.expression, kernel.formats, schedule, dtypes=dict.fromkeys(packed, dtype))
    if not result.ok:
        return []
    call = hd.Kernel(result).bind(**packed)
    return [Opponent(name, call.run, lambda: call.output)]


def outcome(measure: Callable[[Case], dict[str, Any]], case: Case) -> dict[str, Any]:
    """What was measured, or why the case is left out."""
    from benchmarks.suite.kernels import LeftOutError

    try:
        return measure(case)
    except LeftOutError as error:
        reason = str(error)
    except MemoryError:
        reason = f"needs more than the {MOST_MEMORY >> 30} GiB of memory that a case may hold, or than there are"
    return {"contenders": {}, "left_out": {"heddle": reason}}


def _bound_memory() -> None:
    """An allocation beyond the bound fails, instead of ending whatever else runs on the machine."""
    try:
        import resource
    except ImportError:  # Windows
        return
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (min(MOST_MEMORY, physical), resource.RLIM_INFINITY))


def main() -> None:
    case = Case(**json.loads(sys.argv[1]))
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[name] = str(case.threads)
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    os.environ.setdefault("MKL_DYNAMIC", "false")
    os.environ.setdefault("NUMBA_THREADING_LAYER", "omp")  # libgomp, whose threads sleep as soon as ours
    _bound_memory()
    # Only now: the OpenMP runtime reads the environment when it is loaded.
    from benchmarks.suite.conversions import measure_conversion
    from benchmarks.suite.regret import measure_regret

    measures = {"kernels": measure_kernel, "regret": measure_regret, "conversions": measure_conversion}
    measures["compositions"] = measure_kernel
    measured = outcome(measures[case.suite], case)
    print(json.dumps({"case": asdict(case), **measured}, allow_nan=False))


if __name__ == "__main__":
    main()
