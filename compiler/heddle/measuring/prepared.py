"""What is timed for a plan: its kernel on its inputs, verified, the same without a schedule, and libraries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from heddle.diagnostics import InternalError
from heddle.formats.printer import format_text
from heddle.measuring.baselines.choose import baselines_for, check_baseline, different
from heddle.measuring.baselines.registry import BASELINES
from heddle.measuring.contender import Contender, Operand, Problem, Stopwatch, Unavailable, operands_by_format
from heddle.measuring.inputs.make_inputs import make_inputs
from heddle.measuring.threads_used import threads_used
from heddle.measuring.verification.reference import Reference
from heddle.measuring.verification.verified import references_of, verify
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.runtime.kernels.bound_call import BoundCall
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.native import toolchain
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.declared_types import suggest_declaration
from heddle.runtime.tensors.tensor import Tensor
from heddle.signature import Signature
from heddle.targets import INTERPRETER

if TYPE_CHECKING:
    from heddle.measuring.schema import RunInput, Verification

Report = Callable[[str, float, str], None]
"""Is told the phase, the share that is done, and a sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """``contenders`` begin with the kernel, which has run once; it is alone where ``verification`` failed, because the
    speed of a wrong result means nothing."""

    call: BoundCall
    tensors: Mapping[str, Tensor]
    verification: Verification
    contenders: list[Contender | Unavailable]
    inputs: list[RunInput]


@dataclass(frozen=True, slots=True, eq=False)
class _Bound:
    """A kernel with its packed operands; ``watch`` holds what was done before the first call."""

    call: BoundCall
    watch: Stopwatch


def prepare_contenders(
    plan: Plan, result: CompileResult, paths: Mapping[str, str], threads: int, report: Report
) -> Prepared:
    """Everything before the timing.

    Parameters
    ----------
    result
        The compile of ``plan``, which has a statement.
    paths
        The files of the data sets and uploads that the plan names.
    threads
        How many a kernel and a library may run on.

    Raises
    ------
    CompileError
        The inputs are at fault.
    """
    assignment, signature = result.assignment, result.signature
    if assignment is None or signature is None:
        raise InternalError("A compile without errors has statements or loops of its own")
    watch = Stopwatch()
    kernel = watch.step("build", lambda: Kernel(result))
    report("inputs", 0.05, "Reading and making the inputs")
    inputs = make_inputs(plan, assignment, signature, paths)
    tensors = watch.step("pack", lambda: _pack(inputs.operands, signature))
    ours = _Bound(_bind(kernel, tensors, watch), watch)
    report("verify", 0.15, "Verifying the result against a reference")
    references = references_of(plan, assignment, signature, inputs.operands, inputs.sizes)
    reference = references[signature.result.name]
    ours.call.run()
    verification = verify(ours.call, references, signature)
    operands = operands_by_format(inputs.operands, signature)
    problem = Problem(assignment, signature, operands, inputs.sizes, threads, toolchain.discover().openmp)
    contenders: list[Contender | Unavailable] = [_make_heddle(ours, plan, threads_used(result, threads))]
    if verification["ok"]:
        report("baselines", 0.25, "Preparing the unscheduled kernel and the libraries")
        contenders.append(_make_unscheduled(plan, tensors, references, signature, threads))
        contenders += [
            check_baseline(BASELINES[name].prepare(problem), reference, signature.result.dtype)
            for name in baselines_for(plan, problem)
        ]
    return Prepared(ours.call, tensors, verification, contenders, inputs.facts)


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


def _bind(kernel: Kernel, tensors: Mapping[str, Tensor], watch: Stopwatch) -> BoundCall:
    """The call; what converting operands for it took is preparation."""
    call = kernel.bind(**tensors)
    for done in call.preparation:
        conversion = done.conversion
        watch.add(f"convert {conversion.tensor} to {format_text(conversion.format)}", done.seconds)
    return call


def _make_heddle(bound: _Bound, plan: Plan, threads: int) -> Contender:
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
    call = _bind(watch.step("build", lambda: Kernel(result)), tensors, watch)
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
