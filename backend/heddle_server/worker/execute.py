"""One run from Plan to result: compile, inputs, verify, then time alongside the baselines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from heddle.measuring.prepared import bytes_moved, prepare_contenders
from heddle.measuring.rounds import Protocol
from heddle.measuring.verdicts import conclude
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle_server.engine.quiet_time import QuietTime
from heddle_server.schema.run import RunResult
from heddle_server.worker.measuring.diagnosis import diagnosis_of
from heddle_server.worker.measuring.timing import Place, Ran, Report, gpu_of, launches_of, timed_run
from heddle_server.worker.patterns.run import run_patterns


def execute(
    plan: Plan, paths: Mapping[str, str], threads: int, report: Report, protocol: Protocol, quiet: QuietTime
) -> RunResult:
    """Runs ``plan``. ``report(phase, fraction, message)`` tells how far it is; what is timed is timed in ``quiet``.

    Raises
    ------
    CompileError
        the plan or its inputs are at fault. InternalError: Heddle is.
    """
    report("compile", 0.0, "Compiling the kernel")
    result = lower(plan)
    result.raise_errors()
    if result.bound is not None:
        return run_patterns(plan, result, paths, Place(threads, protocol, quiet), report)
    prepared = prepare_contenders(plan, result, paths, threads, report)
    device = prepared.call.device
    measured = timed_run(
        prepared.contenders,
        prepared.verification,
        Ran(bytes_moved(prepared.call), prepared.inputs, lambda: launches_of(device), gpu_of(device, plan.target)),
        Place(threads, protocol, quiet),
        report,
    )
    finished = conclude(measured)
    return {**finished, "diagnosis": diagnosis_of(plan, prepared.tensors, finished)}


def write_samples(path: Path, result: RunResult) -> None:
    """All samples by contender, for whoever wants more than the medians."""
    import json

    path.write_text(json.dumps({entry["id"]: entry["samples_ns"] for entry in result["entries"]}), encoding="utf-8")
