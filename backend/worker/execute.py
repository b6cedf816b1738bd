"""One run from Plan to result: compile, inputs, verify, then time alongside the baselines."""

from __future__ import annotations

import os
import time
import typing
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from numpy.typing import NDArray

from backend.baselines.contender import Contender, Operand, Problem, Stopwatch, Unavailable
from backend.baselines.mkl_library import facts as mkl_facts
from backend.baselines.registry import BASELINES
from backend.engine.quiet_time import QuietTime
from backend.schema.run import RunLaunch, RunResult, Verification
from backend.verdicts import concluded
from backend.worker import stream
from backend.worker.diagnosis import diagnosis_of
from backend.worker.entries import control_of, entries_of, unavailable_entry
from backend.worker.inputs import make_inputs
from backend.worker.machine import machine_facts
from backend.worker.reference import Reference
from backend.worker.rounds import BRIEF, Protocol, measure
from backend.worker.verified import references_of, verified
from backend.worker.verify import compare
from compiler.diagnostics import CompileError, Diagnostic, Location, Part
from compiler.formats.printer import format_text
from compiler.frontends.table import no_statements
from compiler.pipeline import lower
from compiler.plan import Plan
from compiler.runtime.kernels.calling import BoundCall
from compiler.runtime.kernels.kernel import Kernel
from compiler.runtime.native import parallel_region, toolchain
from compiler.runtime.packing.pack import pack
from compiler.runtime.tensors.tensor import Tensor
from compiler.signature import Signature
from compiler.targets import INTERPRETER


class Report(typing.Protocol):
    """Tells how far the run is; ``seconds_left`` once that can be known."""

    def __call__(self, phase: str, fraction: float, message: str, seconds_left: float | None = None, /) -> None: ...


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A kernel with its packed operands; ``watch`` holds what was done before the first call."""

    call: BoundCall
    watch: Stopwatch


def execute(
    plan: Plan, paths: Mapping[str, str], threads: int, report: Report, protocol: Protocol, quiet: QuietTime
) -> RunResult:
    """Runs ``plan``. ``report(phase, fraction, message)`` tells how far it is; what is timed is timed in ``quiet``.

    Raises:
        CompileError: the plan or its inputs are at fault. InternalError: Heddle is.
    """
    report("compile", 0.0, "Compiling the kernel")
    result = lower(plan)
    result.raise_errors()
    assignment, signature = result.assignment, result.signature
    if assignment is None or signature is None:
        raise no_statements(plan.language, "a run, which makes its operands and its reference,")
    watch = Stopwatch()
    kernel = watch.step("build", lambda: Kernel(result))
    report("inputs", 0.05, "Reading and making the inputs")
    inputs = make_inputs(plan, assignment, signature, paths)
    tensors = watch.step("pack", lambda: _packed(inputs.operands, signature))
    ours = Bound(_bound(kernel, tensors, watch), watch)
    report("verify", 0.15, "Verifying the result against a reference")
    references = references_of(plan, assignment, signature, inputs)
    reference = references[signature.result.name]
    ours.call.run()
    verification = verified(ours.call, references, signature)
    openmp = toolchain.discover().openmp
    problem = Problem(assignment, signature, inputs.operands, inputs.sizes, threads, openmp)
    contenders: list[Contender | Unavailable] = [_heddle(ours, plan)]
    if verification["ok"]:
        report("baselines", 0.25, "Preparing the unscheduled kernel and the libraries")
        contenders.append(_unscheduled(plan, tensors, references, signature))
        contenders += [_checked(BASELINES[name].prepare(problem), reference, signature) for name in _known(plan)]
    # A wrong result is not timed: its speed would mean nothing.
    timed = [one for one in contenders if isinstance(one, Contender)] if verification["ok"] else []
    report("bandwidth", 0.35, "Measuring the machine's memory bandwidth (once per machine)")
    triad = stream.bandwidth(threads, quiet)
    with quiet:
        parallel_region.measured(threads)  # for the rules, which suggest schedules in processes that run no kernels
        report("measure", 0.4, "Timing in rounds")
        begun = time.monotonic()
        timings = measure(
            [one.call for one in timed],
            protocol,
            lambda share: report("measure", 0.4 + 0.6 * share, "Timing in rounds", _left(begun, share)),
            control=True,
            pause=quiet.pause,
        )
    moved = bytes_moved(ours.call)
    uses_mkl = any(one.id == "mkl" for one in timed)
    entries = [
        *entries_of(timed, timings, moved, triad),
        *(unavailable_entry(one) for one in contenders if isinstance(one, Unavailable)),
    ]
    measured: RunResult = {
        "verification": verification,
        "entries": entries,
        "control": control_of(timings),
        "launches": _launches(ours.call),
        "bytes_moved": float(moved),
        "threads": threads,
        "machine": machine_facts(mkl_facts(openmp) if uses_mkl else None),
        "protocol": {
            "rounds": timings.rounds,
            "complete": timings.complete,
            "brief": protocol is BRIEF,
            "min_rounds": protocol.min_rounds,
            "min_seconds": protocol.min_seconds,
            "cap_seconds": protocol.cap_seconds,
            "calls_per_sample": {one.id: calls for one, calls in zip(timed, timings.calls, strict=True)},
            "order": f"random in each round, seed {timings.order_seed}",
            "interval": "95 % percentile bootstrap of the median, 2000 resamples",
            "stream_array_bytes": stream.array_bytes(),
            "openmp": openmp,
            "waited_for_compiles_seconds": round(quiet.waited, 3),
            "disturbed_by_compiles": quiet.disturbed,
            "spin_count": os.environ.get("GOMP_SPINCOUNT") if openmp == "libgomp" else None,
        },
        "inputs": inputs.facts,
        "sandbox": {},
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    finished = concluded(measured)
    return {**finished, "diagnosis": diagnosis_of(plan, tensors, finished)}


def _left(begun: float, share: float) -> float | None:
    """Seconds, for rounds are alike; None before there are enough of them to tell."""
    spent = time.monotonic() - begun
    return round(spent * (1 - share) / share, 1) if share >= 0.05 else None


def bytes_moved(call: BoundCall) -> int:
    """Bytes that any kernel must move: every array of every operand read once, the result written once."""
    made = [call.output, *call.shown.values()]
    return sum(tensor.nbytes for tensor in (*call.operands.values(), *made))


def _packed(operands: Mapping[str, Operand], signature: Signature) -> dict[str, Tensor]:
    return {
        tensor.name: pack(operands[tensor.name], tensor.format, tensor.dtype, tensor.name, tensor.fill)
        for tensor in signature.inputs
    }


def _bound(kernel: Kernel, tensors: Mapping[str, Tensor], watch: Stopwatch) -> BoundCall:
    """The call; what converting operands for it took is preparation."""
    call = kernel.bind(**tensors)
    for done in call.preparation:
        conversion = done.conversion
        watch.add(f"convert {conversion.tensor} to {format_text(conversion.format)}", done.seconds)
    return call


def _heddle(bound: Bound, plan: Plan) -> Contender:
    call = bound.call
    note = "Run by the checked interpreter, not compiled." if plan.target == INTERPRETER.name else None
    if call.device is not None:
        note = f"On {call.device.describe()}; without the time to copy operands there and the result back."
    return Contender("heddle", "Heddle", call.timed, lambda: call.output.to_numpy(), bound.watch.steps, note)


def _launches(call: BoundCall) -> list[RunLaunch]:
    """Those of the last call; none of a kernel for a CPU."""
    return [cast(RunLaunch, asdict(one)) for one in call.device.launched()] if call.device is not None else []


def _unscheduled(
    plan: Plan, tensors: Mapping[str, Tensor], references: Mapping[str, Reference], signature: Signature
) -> Contender | Unavailable:
    """The same plan without its schedule, on the same packed operands; verified as well."""
    label = "Heddle, unscheduled"
    if not plan.schedule:
        return Unavailable("unscheduled", label, "The plan has no schedule, so this is the same kernel.")
    result = lower(replace(plan, schedule=()))
    if not result.ok:
        return Unavailable("unscheduled", label, f"Without the schedule: {result.diagnostics[0].message}")
    watch = Stopwatch()
    call = _bound(watch.step("build", lambda: Kernel(result)), tensors, watch)
    call.run()
    found = verified(call, references, signature)
    if not found["ok"]:
        return Unavailable("unscheduled", label, different(found))
    note = (
        "A GPU needs a schedule: without one, the kernel uses the default that Heddle writes."
        if result.launches
        else None
    )
    return Contender("unscheduled", label, call.timed, lambda: call.output.to_numpy(), watch.steps, note)


def _known(plan: Plan) -> list[str]:
    """The plan's baselines, once each.

    Raises:
        CompileError: ``run/unknown-baseline``.
    """
    for name in plan.run.baselines:
        if name not in BASELINES:
            names = ", ".join(BASELINES)
            raise CompileError(
                Diagnostic(
                    code="run/unknown-baseline",
                    message=f"There is no baseline {name}. The baselines are {names}.",
                    location=Location(Part.PLAN, path="/run/baselines"),
                    expected=names,
                    found=name,
                    candidates=tuple(BASELINES),
                )
            )
    return list(dict.fromkeys(plan.run.baselines))


def _checked(one: Contender | Unavailable, reference: Reference, signature: Signature) -> Contender | Unavailable:
    """A baseline whose result is wrong is not timed either."""
    if isinstance(one, Unavailable):
        return one
    one.call()
    found: NDArray[Any] = one.result()
    check = compare(found, reference, signature.result.dtype)
    if check["ok"]:
        return one
    return Unavailable(one.id, one.label, different(check))


def different(check: Verification) -> str:
    return f"Its result differs from the reference by {check['max_error']:.2g}."


def write_samples(path: Path, result: RunResult) -> None:
    """All samples by contender, for whoever wants more than the medians."""
    import json

    path.write_text(json.dumps({entry["id"]: entry["samples_ns"] for entry in result["entries"]}))
