"""One run from Plan to result: compile, inputs, verify, then time alongside the baselines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from heddle.measuring.patterns.prepared import PreparedProgram, bytes_of_program, prepare_program
from heddle.measuring.prepared import bytes_moved, prepare_contenders
from heddle.measuring.rounds import Protocol
from heddle.measuring.verdicts import conclude
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle_server.engine.quiet_time import QuietTime
from heddle_server.schema.run import RunResult
from heddle_server.worker.measuring.diagnosis import diagnosis_of
from heddle_server.worker.measuring.timing import Place, Ran, Report, gpu_of, launches_of, timed_run


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
    place = Place(threads, protocol, quiet)
    if result.bound is not None:
        return _run_program(plan, prepare_program(plan, result, paths, threads, report), place, report)
    prepared = prepare_contenders(plan, result, paths, threads, report)
    device = prepared.call.device
    measured = timed_run(
        prepared.contenders,
        prepared.verification,
        Ran(bytes_moved(prepared.call), prepared.inputs, lambda: launches_of(device), gpu_of(device, plan.target)),
        place,
        report,
    )
    finished = conclude(measured)
    return {**finished, "diagnosis": diagnosis_of(plan, prepared.tensors, finished)}


def _run_program(plan: Plan, prepared: PreparedProgram, place: Place, report: Report) -> RunResult:
    device = prepared.call.prepared.device
    measured = timed_run(
        prepared.contenders,
        prepared.verification,
        Ran(bytes_of_program(prepared.call), prepared.inputs, lambda: launches_of(device), gpu_of(device, plan.target)),
        place,
        report,
    )
    return {**conclude(measured), "diagnosis": None}


def write_samples(path: Path, result: RunResult) -> None:
    """All samples by contender, for whoever wants more than the medians."""
    import json

    path.write_text(json.dumps({entry["id"]: entry["samples_ns"] for entry in result["entries"]}), encoding="utf-8")
