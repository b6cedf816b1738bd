"""One run from Plan to result: compile, inputs, verify, then time alongside the baselines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from heddle.diagnostics import InternalError
from heddle.formats.printer import format_text
from heddle.measuring.baselines.choose import baselines_for, check_baseline, different
from heddle.measuring.baselines.registry import BASELINES
from heddle.measuring.contender import Contender, Operand, Problem, Stopwatch, Unavailable, operands_by_format
from heddle.measuring.rounds import Protocol
from heddle.measuring.threads_used import threads_used
from heddle.measuring.verdicts import conclude
from heddle.measuring.verification.reference import Reference
from heddle.measuring.verification.verified import references_of, verify
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.runtime.kernels.bound_call import BoundCall
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.native import toolchain
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.declared_types import suggest_declaration
from heddle.runtime.tensors.tensor import Tensor
from heddle.signature import Signature
from heddle.targets import INTERPRETER
from heddle_server.engine.quiet_time import QuietTime
from heddle_server.schema.run import RunResult
from heddle_server.worker.inputs import make_inputs
from heddle_server.worker.measuring.diagnosis import diagnosis_of
from heddle_server.worker.measuring.timing import Place, Ran, Report, gpu_of, launches_of, timed_run
from heddle_server.worker.patterns.run import run_patterns


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A kernel with its packed operands; ``watch`` holds what was done before the first call."""

    call: BoundCall
    watch: Stopwatch


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
    assignment, signature = result.assignment, result.signature
    if assignment is None or signature is None:
        raise InternalError("A compile without errors has statements or loops of its own")
    watch = Stopwatch()
    kernel = watch.step("build", lambda: Kernel(result))
    report("inputs", 0.05, "Reading and making the inputs")
    inputs = make_inputs(plan, assignment, signature, paths)
    tensors = watch.step("pack", lambda: _pack(inputs.operands, signature))
    ours = Bound(_bound(kernel, tensors, watch), watch)
    report("verify", 0.15, "Verifying the result against a reference")
    references = references_of(plan, assignment, signature, inputs.operands, inputs.sizes)
    reference = references[signature.result.name]
    ours.call.run()
    verification = verify(ours.call, references, signature)
    openmp = toolchain.discover().openmp
    operands = operands_by_format(inputs.operands, signature)
    problem = Problem(assignment, signature, operands, inputs.sizes, threads, openmp)
    contenders: list[Contender | Unavailable] = [_heddle(ours, plan, threads_used(result, threads))]
    if verification["ok"]:
        report("baselines", 0.25, "Preparing the unscheduled kernel and the libraries")
        contenders.append(_make_unscheduled(plan, tensors, references, signature, threads))
        contenders += [
            check_baseline(BASELINES[name].prepare(problem), reference, signature.result.dtype)
            for name in baselines_for(plan, problem)
        ]
    call = ours.call
    measured = timed_run(
        contenders,
        verification,
        Ran(bytes_moved(call), inputs.facts, lambda: launches_of(call.device), gpu_of(call.device, plan.target)),
        Place(threads, protocol, quiet),
        report,
    )
    finished = conclude(measured)
    return {**finished, "diagnosis": diagnosis_of(plan, tensors, finished)}


def bytes_moved(call: BoundCall) -> int:
    """Bytes that any kernel must move: every array of every operand read once, the result written once."""
    outputs = [call.output, *call.shown.values()]
    return sum(tensor.nbytes for tensor in (*call.operands.values(), *outputs))


def _pack(operands: Mapping[str, Operand], signature: Signature) -> dict[str, Tensor]:
    packed: dict[str, Tensor] = {}
    for tensor in signature.inputs:
        with suggest_declaration(tensor, signature.program is not None):
            packed[tensor.name] = pack(operands[tensor.name], tensor.format, tensor.dtype, tensor.name, tensor.fill)
    return packed


def _bound(kernel: Kernel, tensors: Mapping[str, Tensor], watch: Stopwatch) -> BoundCall:
    """The call; what converting operands for it took is preparation."""
    call = kernel.bind(**tensors)
    for done in call.preparation:
        conversion = done.conversion
        watch.add(f"convert {conversion.tensor} to {format_text(conversion.format)}", done.seconds)
    return call


def _heddle(bound: Bound, plan: Plan, threads: int) -> Contender:
    call = bound.call
    note = "Run by the checked interpreter, not compiled." if plan.target == INTERPRETER.name else None
    if call.device is not None:
        note = f"On {call.device.describe()}; without the time to copy operands there and the result back."
    return Contender("heddle", "Heddle", call.timed, lambda: call.output.to_numpy(), bound.watch.steps, note, threads)


def _make_unscheduled(
    plan: Plan,
    tensors: Mapping[str, Tensor],
    references: Mapping[str, Reference],
    signature: Signature,
    threads: int,
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
    check = verify(call, references, signature)
    if not check["ok"]:
        return Unavailable("unscheduled", label, different(check))
    note = (
        "A GPU needs a schedule: without one, the kernel uses the default that Heddle writes."
        if result.launches
        else None
    )
    used = threads_used(result, threads)
    return Contender("unscheduled", label, call.timed, lambda: call.output.to_numpy(), watch.steps, note, used)


def write_samples(path: Path, result: RunResult) -> None:
    """All samples by contender, for whoever wants more than the medians."""
    import json

    path.write_text(json.dumps({entry["id"]: entry["samples_ns"] for entry in result["entries"]}), encoding="utf-8")
