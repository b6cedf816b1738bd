"""``hd.benchmark``: a kernel timed beside other programs, in rounds, with the verdicts that the page gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heddle.diagnostics import CompileError, Diagnostic, OperandError
from heddle.library.benchmarks.agreement import Expected, expect_result, is_compared_densely
from heddle.library.benchmarks.contenders import (
    Subject,
    bind_subject,
    other_contenders,
    our_contender,
    problem_of,
)
from heddle.library.benchmarks.records import Benchmark
from heddle.library.compile_plan import compile_plan
from heddle.library.costs.steps import estimate_steps
from heddle.library.operand_kinds import kind_of
from heddle.measuring.contender import Contender, Unavailable
from heddle.measuring.entries import unavailable_entry
from heddle.measuring.rounds import Protocol
from heddle.measuring.schema import Measured, Verification
from heddle.measuring.timed import time_contenders
from heddle.measuring.verdicts import conclude
from heddle.measuring.verification.reference import Reference
from heddle.measuring.verification.verified import references_of, verify
from heddle.plan import Plan, parse_plan, plan_from_arguments
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.native import parallel_region
from heddle.runtime.native.threads import get_num_threads
from heddle.targets import C
from heddle.wrong_arguments import require_mapping, wrong_argument

__all__ = ["benchmark"]

_MOST_STEPS = 5e7
"""Loop steps up to which the result is also computed by the reference, which takes about 0.1 µs for each."""


def benchmark(
    program: object,
    operands: Mapping[str, object] | None = None,
    /,
    *,
    baselines: Any = None,
    seconds: float = 0.5,
    **named: object,
) -> Benchmark:
    """Times a kernel beside other programs: ``hd.benchmark(kernel, A=A, x=x, baselines=["scipy"])``.

    Contenders take turns in random order in every round, so that all see the same machine. Results are compared before
    anything is timed. What follows from the times is judged as on the page: who is slower and how many times, or that
    the machine was too busy to tell.

    Parameters
    ----------
    program
        a kernel; or a plan, its JSON document or an expression, which is compiled for the operands as :func:`compile`
        does with ``like``, an expression with ``schedule="auto"``.
    operands
        those that are called like one of the options.
    named
        all other operands, by name.
    baselines
        a list of libraries (``"scipy"``, ``"mkl"``, ``"numpy"``, ``"torch"``, …, or ``"unscheduled"`` for the kernel
        without its schedule) and functions without arguments; or functions by name, ``{"mine": lambda: A @ x}``. A
        kernel among them is called with the same operands. Without it, the kernel without its schedule and the
        libraries that a run on the page takes. One that raises stays in the records with the reason.
    seconds
        for which each contender is timed at least.

    Returns
    -------
    Benchmark
        A :class:`Benchmark` with ``records``, ``headline``, ``to_pandas()``, ``to_csv()``.

    Raises
    ------
    CompileError
        as :func:`compile` and as a call of the kernel; ``benchmark/baseline`` for an unknown name;
        ``benchmark/no-result``, ``benchmark/result`` or ``benchmark/different-result`` for a function that returns
        nothing, another shape, or other values.

    References
    ----------
    Intervals are found by the bootstrap (Efron 1979, in docs/references.bib).
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= 600:
        raise wrong_argument("seconds", "a number above 0, and at most 600", seconds)
    passed = {**require_mapping(operands, "the operands"), **named}
    subject = bind_subject(_kernel_of(program, passed), passed)
    threads = get_num_threads() if subject.result.plan.target == C.name else 1
    subject.call.run()
    verification, expected = verify_subject(subject, threads)
    contenders: list[Contender | Unavailable] = [our_contender(subject, threads)]
    if verification["ok"]:
        contenders += other_contenders(subject, baselines, expected, threads)
    return _timed(subject, contenders, verification, seconds, threads)


def _timed(
    subject: Subject,
    contenders: list[Contender | Unavailable],
    verification: Verification,
    seconds: float,
    threads: int,
) -> Benchmark:
    timed = [each for each in contenders if isinstance(each, Contender)] if verification["ok"] else []
    if any(each.threads > 1 for each in timed):
        parallel_region.measure_region(threads)
    protocol = Protocol(min_seconds=seconds, cap_seconds=max(30.0, 8 * seconds * len(timed)))
    measured = time_contenders(timed, threads, protocol, _ignore, subject.bytes_moved)
    entries = iter(measured.entries)
    together: Measured = {
        "entries": [
            unavailable_entry(each) if isinstance(each, Unavailable) else next(entries)
            for each in contenders
            if isinstance(each, Unavailable) or verification["ok"]
        ],
        "control": measured.entries[0].get("control") if measured.entries else None,
        "load": measured.load,
    }
    return Benchmark(subject.result.plan, conclude(together), verification, threads, measured.timings.rounds)


def _ignore(share: float) -> None:
    """Nobody watches."""


def _kernel_of(program: object, operands: Mapping[str, object]) -> Kernel[Any]:
    match program:
        case Kernel():
            return program
        case str():
            kernel = compile_plan(plan_from_arguments(program), operands, automatic=True)
        case Plan():
            kernel = compile_plan(program, operands)
        case Mapping():
            kernel = compile_plan(parse_plan(program), operands)
        case _:
            raise wrong_argument("the program", "a kernel, a plan or an expression", program)
    if isinstance(kernel, Kernel):
        return kernel
    raise OperandError(
        Diagnostic(
            "benchmark/program",
            "A program in patterns is not timed as the subject of a benchmark.",
            expected="a program in index notation or a comprehension",
            actual="patterns",
            hint='Pass its calls as a baseline of a kernel that computes the same: baselines={"patterns": call.run}.',
        )
    )


def verify_subject(subject: Subject, threads: int) -> tuple[Verification, Expected]:
    """Whether the kernel's result is that of the reference, and what others have to return. Where no reference can be
    computed in reasonable time, the contenders are compared with the kernel alone."""
    references = _references(subject, threads)
    if references is None:
        expected = expect_result(subject.call.output, None)
        return expected.check(subject.call.output), expected
    signature = subject.result.signature
    assert signature is not None
    verification = verify(subject.call, references, signature)
    return verification, expect_result(subject.call.output, references[signature.result.name])


def _references(subject: Subject, threads: int) -> dict[str, Reference] | None:
    result, problem = subject.result, problem_of(subject, threads)
    if problem is None or not is_compared_densely(subject.call.output):
        return None
    kinds = {name: kind_of(tensor, name) for name, tensor in subject.operands.items()}
    if estimate_steps(result.graphs[0], kinds) > _MOST_STEPS:
        return None
    try:
        return references_of(result.plan, problem.assignment, problem.signature, problem.operands, problem.sizes)
    except CompileError:  # too many iterations on dense arrays
        return None
