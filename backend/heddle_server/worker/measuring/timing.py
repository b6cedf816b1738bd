"""The timed half of a run: what is right is timed in rounds, and everything that is known of it becomes a result."""

from __future__ import annotations

import time
import typing
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from heddle.measuring import rounds
from heddle.measuring.baselines.mkl_library import facts as mkl_facts
from heddle.measuring.contender import Contender, Unavailable
from heddle.measuring.entries import unavailable_entry
from heddle.measuring.rounds import Protocol
from heddle.measuring.schema import RunInput, Verification
from heddle.measuring.timed import time_contenders
from heddle.measuring.waiting import waiting_of
from heddle.runtime.native import loaded_wake, parallel_region, toolchain
from heddle.targets import CUDA
from heddle_server.engine import stream
from heddle_server.engine.machine import machine_facts
from heddle_server.engine.quiet_time import QuietTime
from heddle_server.schema.run import RunLaunch, RunResult

if typing.TYPE_CHECKING:
    from heddle.runtime.kernels.calling import DeviceCall


class Report(typing.Protocol):
    """Tells how far the run is; ``seconds_left`` once that can be known."""

    def __call__(self, phase: str, fraction: float, message: str, seconds_left: float | None = None, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Ran:
    """What ran: the bytes that any kernel must move, its inputs, and its launches on a GPU, which are known only behind
    the last call. ``gpu`` describes the card of a kernel for ``cuda``."""

    bytes_moved: int
    inputs: list[RunInput]
    launches: typing.Callable[[], list[RunLaunch]]
    gpu: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where and how it is timed."""

    threads: int
    protocol: Protocol
    quiet: QuietTime


def timed_run(
    contenders: Sequence[Contender | Unavailable],
    verification: Verification,
    ran: Ran,
    place: Place,
    report: Report,
) -> RunResult:
    """Times ``contenders``, of which the first is ours, and none where its result is wrong: its speed would mean
    nothing."""
    protocol, quiet, openmp = place.protocol, place.quiet, toolchain.discover().openmp
    timed = [contender for contender in contenders if isinstance(contender, Contender)] if verification["ok"] else []
    report("bandwidth", 0.35, "Measuring the machine's memory bandwidth (once per machine)")
    triad = stream.bandwidth(place.threads, quiet)
    with quiet:
        # For the rules, which suggest schedules where no kernel runs.
        parallel_region.measure_region(place.threads)
        loaded_wake.measure_wake(place.threads)
    several = any(each.threads > 1 for each in timed)
    with quiet:
        report("measure", 0.4, "Timing in rounds")
        begun = time.monotonic()
        measured = time_contenders(
            timed,
            place.threads,
            protocol,
            lambda share: report("measure", 0.4 + 0.6 * share, "Timing in rounds", _estimate_left(begun, share)),
            ran.bytes_moved,
            triad,
            quiet.pause,
        )
    entries, timings = measured.entries, measured.timings
    uses_mkl = any(contender.id == "mkl" for contender in timed)
    return {
        "verification": verification,
        "entries": [
            *entries,
            *(unavailable_entry(contender) for contender in contenders if isinstance(contender, Unavailable)),
        ],
        "control": entries[0]["control"] if entries else None,
        "load": measured.load,
        "launches": ran.launches(),
        "bytes_moved": float(ran.bytes_moved),
        "threads": place.threads,
        "machine": machine_facts(mkl_facts(openmp) if uses_mkl else None, ran.gpu),
        "protocol": {
            "rounds": timings.rounds,
            "complete": timings.complete,
            "brief": protocol is rounds.BRIEF,
            "min_rounds": protocol.min_rounds,
            "min_seconds": protocol.min_seconds,
            "cap_seconds": protocol.cap_seconds,
            "calls_per_sample": {contender.id: calls for contender, calls in zip(timed, timings.calls, strict=True)},
            "order": f"random in each round, seed {timings.order_seed}",
            "interval": "95 % percentile bootstrap of the median, 2000 resamples",
            "stream_array_bytes": stream.array_bytes(),
            "openmp": openmp,
            "waited_for_compiles_seconds": round(quiet.waited, 3),
            "disturbed_by_compiles": quiet.disturbed,
            "waiting": waiting_of(openmp, uses_mkl) if several else {},
        },
        "inputs": ran.inputs,
        "sandbox": {},
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def launches_of(device: DeviceCall | None) -> list[RunLaunch]:
    """Those of the last call; none of a kernel for a CPU."""
    return [typing.cast(RunLaunch, asdict(launch)) for launch in device.launched()] if device is not None else []


def gpu_of(device: DeviceCall | None, target: str) -> str | None:
    """The card that a kernel for ``target`` runs on; None for other targets."""
    return device.describe() if device is not None and target == CUDA.name else None


def _estimate_left(begun: float, share: float) -> float | None:
    """Seconds, for rounds are alike; None before there are enough of them to tell."""
    spent = time.monotonic() - begun
    return round(spent * (1 - share) / share, 1) if share >= 0.05 else None
