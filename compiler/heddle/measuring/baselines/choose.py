"""The libraries that a plan names, and whether their results are right."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.measuring.baselines.dense.programs import UntranslatedError
from heddle.measuring.baselines.dense.signal_arrays import translate_convolution
from heddle.measuring.baselines.registry import BASELINES
from heddle.measuring.contender import Contender, Problem, Unavailable
from heddle.measuring.verification.reference import Reference
from heddle.measuring.verification.verify import compare
from heddle.plan import Plan, RunSpec
from heddle.runtime.tensors.coordinates import Entries
from heddle.targets import target_named

if TYPE_CHECKING:
    from heddle.measuring.schema import Verification


def known_baselines(plan: Plan) -> list[str]:
    """The plan's baselines, once each.

    Raises
    ------
    CompileError
        ``run/unknown-baseline``.
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
                    actual=name,
                    candidates=tuple(BASELINES),
                )
            )
    return list(dict.fromkeys(plan.run.baselines))


def baselines_for(plan: Plan, problem: Problem) -> list[str]:
    """The plan's baselines; where it leaves the choice as it is, those that suit it.

    A kernel for a GPU is not compared with libraries that run on the processor. Where all operands are dense, NumPy
    takes the place of SciPy, whose dense products are NumPy's but which has convolutions, and PyTorch takes part where
    it is installed.

    Raises
    ------
    CompileError
        ``run/unknown-baseline``.
    """
    names, operands = known_baselines(plan), problem.operands
    if tuple(names) != RunSpec().baselines:
        return names
    target = target_named(plan.target)
    if target.only_gpu:
        return [name for name in BASELINES if BASELINES[name].resource is target.resource]
    sparse = any(isinstance(operand, Entries) for operand in operands.values())
    if sparse or not operands:
        return names
    convolves = ["scipy"] if _convolves(problem) else []
    return ["numpy", *convolves, *(["torch"] if find_spec("torch") is not None else []), "mkl"]


def _convolves(problem: Problem) -> bool:
    if problem.assignment.program is None:
        return False
    try:
        return translate_convolution(problem) is not None
    except UntranslatedError:
        return False


def check_baseline(contender: Contender | Unavailable, reference: Reference, dtype: str) -> Contender | Unavailable:
    """A baseline whose result is wrong is not timed either."""
    if isinstance(contender, Unavailable):
        return contender
    contender.call()
    result: NDArray[Any] = contender.result()
    check = compare(result, reference, dtype)
    if check["ok"]:
        return contender
    return Unavailable(contender.id, contender.label, different(check))


def different(check: Verification) -> str:
    return f"Its result differs from the reference by {check['max_error']:.2g}."
