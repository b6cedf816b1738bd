"""What is timed for a program of patterns: its kernel on its arguments, verified by the batched evaluator, the program
as it was written, and what else computes the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from heddle.diagnostics import CompileError, Diagnostic, InternalError, Location, Part
from heddle.frontends.table import front_end_of
from heddle.loop_ir.nodes import LoopKind
from heddle.measuring.baselines.choose import different
from heddle.measuring.contender import Contender, Stopwatch, Unavailable
from heddle.measuring.patterns.alike import in_index_notation
from heddle.measuring.patterns.arguments import Arguments, make_arguments
from heddle.measuring.prepared import Report
from heddle.measuring.threads_used import threads_used
from heddle.measuring.verification.reference import Reference
from heddle.measuring.verification.verify import compare
from heddle.patterns.batched.evaluate import MeaninglessError, TooLargeError, UntoldError, evaluate
from heddle.patterns.program import Program
from heddle.patterns.rules.steps import with_last_parameters
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.runtime.patterns.call import PatternCall
from heddle.runtime.patterns.kernel import PatternKernel
from heddle.targets import INTERPRETER, target_named

if TYPE_CHECKING:
    from heddle.measuring.schema import RunInput, Verification


@dataclass(frozen=True, slots=True, eq=False)
class PreparedProgram:
    """``contenders`` begin with the kernel, which has run once; it is alone where ``verification`` failed, because the
    speed of a wrong result means nothing."""

    call: PatternCall
    verification: Verification
    contenders: list[Contender | Unavailable]
    inputs: list[RunInput]


def prepare_program(
    plan: Plan, result: CompileResult, paths: Mapping[str, str], threads: int, report: Report
) -> PreparedProgram:
    """Everything before the timing.

    Parameters
    ----------
    result
        The compile of ``plan``, a program of patterns.
    paths
        The files of the data sets and uploads that the plan names.
    threads
        How many a kernel and a library may run on.

    Raises
    ------
    CompileError
        The arguments are at fault, or there is no reference for them.
    """
    lowered = result.bound
    if lowered is None:
        raise InternalError("A program of patterns without errors has been lowered")
    watch = Stopwatch()
    kernel = watch.step("build", lambda: PatternKernel(result))
    report("inputs", 0.05, "Reading and making the arguments")
    arguments = watch.step("arguments", lambda: make_arguments(plan, lowered, paths))
    call = watch.step("check claims and add up starts", lambda: kernel.prepare(arguments.values))
    report("verify", 0.15, "Verifying the result against a reference")
    reference = reference_of(plan, arguments, call)
    call.run()
    verification = verify(call, reference)
    contenders: list[Contender | Unavailable] = [
        _contender("heddle", "Heddle", call, watch, plan, threads_used(result, threads))
    ]
    if verification["ok"]:
        report("baselines", 0.25, "Preparing the program as it was written, index notation and the libraries")
        contenders.append(_make_unscheduled(plan, arguments, reference, threads))
        contenders += in_index_notation(plan, result, arguments, shape_reference(call, reference), threads)
    return PreparedProgram(call, verification, contenders, arguments.facts)


def reference_of(plan: Plan, arguments: Arguments, call: PatternCall) -> Reference:
    """What the program means before its steps, or behind the last one that changed its parameters, in double precision.
    Errors are judged against the largest element.

    Raises
    ------
    CompileError
        ``run/no-reference``.
    """
    program, _ = _unrewritten(plan)
    try:
        values = evaluate(program.term, arguments.values, call.sizes)
    except (TooLargeError, UntoldError) as error:
        raise CompileError(
            Diagnostic(
                "run/no-reference",
                f"The reference to verify a run against cannot be computed: {error}. Use smaller inputs.",
                Location(Part.PLAN, path="/inputs"),
                expected="smaller inputs",
                actual=str(error),
            )
        ) from None
    except MeaninglessError as error:
        raise InternalError(f"The arguments were accepted, and the reference finds no meaning: {error}") from None
    wide = values.astype(np.float64 if values.dtype.kind == "f" else np.int64)
    largest = np.abs(wide[np.isfinite(wide)]).max(initial=0)
    return Reference(wide, np.full(wide.shape, largest, np.float64), "NumPy, each pattern on all rows at once")


def _unrewritten(plan: Plan) -> tuple[Program, tuple[str, ...]]:
    """The program with the parameters that it has behind all steps, and the steps that it takes to have them."""
    units = (LoopKind.SERIAL, *target_named(plan.target).units)
    program = front_end_of(plan.language).read(plan.expression, plan.sizes)
    return with_last_parameters(program, plan.schedule, units)


def verify(call: PatternCall, reference: Reference) -> Verification:
    """The result of a call that has run against its reference."""
    actual = call.output.to_numpy().reshape(-1)
    expected = reference.values
    if actual.dtype.kind in "iu":  # sums and products of integers wrap as those of the result's type do
        expected = expected.astype(actual.dtype).astype(np.int64)
    return compare(actual, replace(reference, values=expected), actual.dtype.name)


def shape_reference(call: PatternCall, reference: Reference) -> Reference:
    """``reference`` with the dimensions of the result of ``call``."""
    shape = call.output.to_numpy().shape
    return Reference(reference.values.reshape(shape), reference.scale.reshape(shape), reference.method)


def _contender(id: str, label: str, call: PatternCall, watch: Stopwatch, plan: Plan, threads: int) -> Contender:
    device = call.prepared.device
    note = "Run by the checked interpreter, not compiled." if plan.target == INTERPRETER.name else None
    if device is not None:
        note = f"On {device.describe()}; without the time to copy arguments there and the result back."
    timed = call.run if device is None else call.compute
    return Contender(
        "heddle" if id == "heddle" else "unscheduled",
        label,
        timed,
        lambda: call.output.to_numpy(),
        watch.steps,
        note,
        threads,
    )


def _make_unscheduled(plan: Plan, arguments: Arguments, reference: Reference, threads: int) -> Contender | Unavailable:
    """The program without its steps, but for those that its parameters need; verified as well."""
    _, needed = _unrewritten(plan)
    label = f"Heddle, up to {needed[-1]}" if needed else "Heddle, without steps"
    if plan.schedule == needed:
        return Unavailable("unscheduled", label, "The plan has no other steps, so this is the same kernel.")
    bare = replace(plan, schedule=needed)
    result = lower(bare)
    if not result.ok:
        return Unavailable("unscheduled", label, f"Without the steps: {result.diagnostics[0].message}")
    watch = Stopwatch()
    kernel = watch.step("build", lambda: PatternKernel(result))
    call = watch.step("check claims and add up starts", lambda: kernel.prepare(arguments.values))
    call.run()
    check = verify(call, reference)
    if not check["ok"]:
        return Unavailable("unscheduled", label, different(check))
    return _contender("unscheduled", label, call, watch, plan, threads_used(result, threads))


def bytes_of_program(call: PatternCall) -> int:
    """Bytes that any kernel must move: every argument read once, the result written once."""
    return sum(tensor.nbytes for tensor in call.arguments.values())
