"""Who is timed: the kernel on its packed operands, the same without its schedule, libraries by name, and calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from heddle.diagnostics import CompileError, Diagnostic, OperandError, nearest
from heddle.frontends.table import DEFAULT_LANGUAGE
from heddle.library.benchmarks.agreement import (
    Expected,
    entries_of,
    is_compared_densely,
    refuse_different,
    returned_tensor,
)
from heddle.measuring.baselines.choose import baselines_for, different
from heddle.measuring.baselines.registry import BASELINES
from heddle.measuring.contender import Contender, Problem, Stopwatch, Unavailable
from heddle.measuring.schema import Identity
from heddle.measuring.threads_used import threads_used
from heddle.notation.nodes import Assignment
from heddle.pipeline import lower
from heddle.plan import RunSpec
from heddle.result import CompileResult
from heddle.runtime.kernels.bound_call import BoundCall
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.native import toolchain
from heddle.runtime.tensors.shapes import variable_sizes
from heddle.runtime.tensors.tensor import Tensor
from heddle.targets import C
from heddle.tuning.search.automatic import AutomaticKernel
from heddle.wrong_arguments import wrong_argument

UNSCHEDULED: Identity = "unscheduled"
Call = Callable[[], object]

_LONGEST_REASON = 300
"""Letters of a message of somebody else's program."""


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A kernel with its operands in place. ``result`` is the compile of what runs, which the rules may have chosen for
    these operands; ``watch`` has what was done before the first call."""

    kernel: Kernel[Any]
    operands: Mapping[str, Tensor]
    call: BoundCall[Any]
    result: CompileResult
    watch: Stopwatch

    @property
    def bytes_moved(self) -> int:
        """Bytes that any kernel must move: every array of every operand read once, the result written once."""
        outputs = [self.call.output, *self.call.shown.values()]
        return sum(tensor.nbytes for tensor in (*self.call.operands.values(), *outputs))


def bind_subject(kernel: Kernel[Any], operands: Mapping[str, object]) -> Subject:
    """Packs the operands for the kernel.

    Raises
    ------
    OperandError
        As a call of the kernel.
    """
    watch = Stopwatch()
    packed = watch.step("pack", lambda: kernel.binder.pack(operands))
    call = watch.step("bind", lambda: kernel.binder.bind(packed))
    result = kernel.suggestion.result if isinstance(kernel, AutomaticKernel) else kernel.result
    if not isinstance(result, CompileResult):
        raise wrong_argument("the kernel", "one that hd.compile made in this process", kernel)
    return Subject(kernel, packed, call, result, watch)


def our_contender(subject: Subject, threads: int, label: str = "Heddle", id: Identity = "heddle") -> Contender:
    """The kernel."""
    call = subject.call
    note = None
    if call.device is not None:
        note = f"On {call.device.describe()}; without the time to copy operands there and the result back."
    used = threads_used(subject.result, threads)
    return Contender(id, label, call.timed, lambda: call.output.to_numpy(), subject.watch.steps, note, used)


def other_contenders(
    subject: Subject, baselines: object, expected: Expected, threads: int
) -> list[Contender | Unavailable]:
    """All but the kernel: those that a person names, or without names those that suit it. Each has computed the same
    once.

    Raises
    ------
    OperandError
        ``benchmark/baseline`` for an unknown name, ``benchmark/…`` for a call that computes something else.
    """
    if baselines is None:
        return [*_unscheduled_if_any(subject, expected, threads), *_suitable(subject, expected, threads)]
    return [
        _named(subject, label, expected, threads) if call is None else _called(subject, label, call, expected, threads)
        for label, call in _listed(baselines)
    ]


def _listed(baselines: object) -> list[tuple[str, Call | Kernel[Any] | None]]:
    """Labels with what is called, None for a library by its name."""
    if isinstance(baselines, str) or callable(baselines):
        baselines = [baselines]
    if isinstance(baselines, Mapping):
        for label, call in baselines.items():
            if not isinstance(label, str) or not callable(call):
                raise wrong_argument("each baseline", "a function without arguments by its name", call)
        return list(baselines.items())
    if not isinstance(baselines, Sequence):
        raise wrong_argument("baselines", "names of libraries, or functions by name", baselines)
    listed: list[tuple[str, Call | Kernel[Any] | None]] = []
    for baseline in baselines:
        if isinstance(baseline, str):
            listed.append((_require_known(baseline), None))
        elif callable(baseline):
            listed.append((getattr(baseline, "__name__", type(baseline).__name__), baseline))
        else:
            raise wrong_argument("each baseline", "the name of a library, or a function without arguments", baseline)
    return listed


def _require_known(name: str) -> str:
    names = (*BASELINES, UNSCHEDULED)
    if name in names:
        return name
    raise OperandError(
        Diagnostic(
            "benchmark/baseline",
            f"There is no baseline {name}.",
            expected=", ".join(names),
            actual=name,
            hint=f'Any function can be one: baselines={{"{name}": lambda: …}}.',
            candidates=nearest(name, names),
        )
    )


def _unscheduled_if_any(subject: Subject, expected: Expected, threads: int) -> list[Contender | Unavailable]:
    return [_unscheduled(subject, expected, threads)] if subject.result.plan.schedule else []


def _unscheduled(subject: Subject, expected: Expected, threads: int) -> Contender | Unavailable:
    """The same plan without its schedule, on the same packed operands."""
    label, plan = "Heddle, unscheduled", subject.result.plan
    if not plan.schedule:
        return Unavailable(UNSCHEDULED, label, "The plan has no schedule, so this is the same kernel.")
    result = lower(replace(plan, schedule=()))
    if not result.ok:
        return Unavailable(UNSCHEDULED, label, f"Without the schedule: {result.diagnostics[0].message}")
    other = bind_subject(Kernel(result), subject.operands)
    check = expected.check(other.call.run())
    if not check["ok"]:
        return Unavailable(UNSCHEDULED, label, different(check))
    return our_contender(other, threads, label, UNSCHEDULED)


def _suitable(subject: Subject, expected: Expected, threads: int) -> list[Contender | Unavailable]:
    """The libraries that a run of the plan takes; none for a program that is not in index notation."""
    problem = _problem(subject, threads)
    if isinstance(problem, str) or not _is_small(subject):
        return []
    names = baselines_for(replace(subject.result.plan, run=RunSpec()), problem)
    return [_named(subject, name, expected, threads) for name in names]


def _named(subject: Subject, name: str, expected: Expected, threads: int) -> Contender | Unavailable:
    """A library, with the reason where it does not compute this, or not here."""
    if name == UNSCHEDULED:
        return _unscheduled(subject, expected, threads)
    baseline, problem = BASELINES[name], _problem(subject, threads)
    if isinstance(problem, str):
        return Unavailable(baseline.name, baseline.title, problem)
    if not _is_small(subject):
        reason = f"Its result is too large to be compared. Pass a function that returns a sparse matrix: {name}=…"
        return Unavailable(baseline.name, baseline.title, reason)
    if baseline.missing is not None:
        return Unavailable(baseline.name, baseline.title, f"{baseline.title} is {baseline.missing}.")
    try:
        contender = baseline.prepare(problem)
        if isinstance(contender, Unavailable):
            return contender
        contender.call()
    except Exception as error:
        return Unavailable(baseline.name, baseline.title, _raises(error))
    check = expected.check(contender.result())
    return contender if check["ok"] else Unavailable(contender.id, contender.label, different(check))


def _is_small(subject: Subject) -> bool:
    return is_compared_densely(subject.call.output)


def _problem(subject: Subject, threads: int) -> Problem | str:
    """What libraries are asked to compute, or why they cannot be asked."""
    result = subject.result
    if result.plan.language != DEFAULT_LANGUAGE:
        return "Libraries are compared with kernels in index notation: pass a function that calls it."
    assignment, signature = result.assignment, result.signature
    assert isinstance(assignment, Assignment)
    assert signature is not None
    operands = {
        tensor.name: operand.to_numpy() if operand.format.is_dense else entries_of(operand)
        for tensor in signature.inputs
        if (operand := subject.operands[tensor.name].on_host()) is not None
    }
    sizes = variable_sizes(assignment, {name: operand.shape for name, operand in subject.operands.items()})
    sizes |= dict(zip(assignment.target.indices, subject.call.output.shape, strict=True))
    openmp = toolchain.discover().openmp if result.plan.target == C.name else None
    return Problem(assignment, signature, operands, sizes, threads, openmp)


def problem_of(subject: Subject, threads: int) -> Problem | None:
    """The operands as libraries and the reference take them; None for other languages than index notation."""
    problem = _problem(subject, threads)
    return None if isinstance(problem, str) else problem


def _raises(error: Exception) -> str:
    """Why a baseline takes no part that raises ``error``."""
    text = " ".join(str(error).split())
    return f"It raises {type(error).__name__}{f': {text}' if text else ''}"[:_LONGEST_REASON]


def _called(
    subject: Subject, label: str, call: Call | Kernel[Any], expected: Expected, threads: int
) -> Contender | Unavailable:
    """A function of a person, or another kernel on the same operands; the reason where it raises."""
    if isinstance(call, Kernel):
        try:
            other = _bind_other(call, subject.operands)
        except CompileError as error:
            return Unavailable("callable", label, _raises(error))
        check = expected.check(other.call.run())
        if not check["ok"]:
            raise refuse_different(label, check)
        return our_contender(other, threads, label, "callable")
    last: list[object] = [None]

    def compute() -> None:
        last[0] = call()

    try:
        compute()
    except Exception as error:
        return Unavailable("callable", label, _raises(error))
    result = returned_tensor(last[0], expected, label)
    check = expected.check(result)
    if not check["ok"]:
        raise refuse_different(label, check)
    note = None if result.dtype == expected.dtype else f"Its result is {result.dtype}, the kernel's {expected.dtype}."
    return Contender("callable", label, compute, lambda: result.to_numpy(), note=note)


def _bind_other(kernel: Kernel[Any], operands: Mapping[str, Tensor]) -> Subject:
    """Another kernel on the same operands; in other formats from what they store."""
    try:
        return bind_subject(kernel, dict(operands))
    except CompileError:
        return bind_subject(kernel, _as_coordinates(operands))


def _as_coordinates(operands: Mapping[str, Tensor]) -> dict[str, object]:
    return {
        name: tensor.to_numpy() if tensor.format.is_dense else (*tensor.to_coo(), tensor.shape)
        for name, tensor in operands.items()
    }
