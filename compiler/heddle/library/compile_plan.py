"""A plan as a kernel that is called with operands, and warns about its calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heddle import pipeline
from heddle.library.cost_inspector import attach_inspector
from heddle.library.like import complete_plan
from heddle.logs import LOGGER
from heddle.plan import Plan
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.patterns.kernel import PatternKernel
from heddle.tuning.search.automatic import AutomaticKernel, AutomaticPatternKernel, automatic_kernel
from heddle.tuning.search.fixed_order import lower_in_fixed_order
from heddle.wrong_arguments import require_mapping

AnyKernel = Kernel[Any] | PatternKernel | AutomaticKernel[Any] | AutomaticPatternKernel


def compile_plan(
    plan: Plan, like: Mapping[str, object] | None = None, *, automatic: bool = False, fixed_order: bool = False
) -> AnyKernel:
    """The kernel of ``plan``; ``automatic``: with a schedule that rules choose at its calls; ``fixed_order``: with sums
    in the same order in each run.

    Parameters
    ----------
    plan
        whose open formats and dtypes follow ``like``.
    like
        operands by name; they are not kept.

    Raises
    ------
    CompileError
        as :func:`heddle.compile`.
    """
    if like is not None:
        plan = complete_plan(plan, require_mapping(like, "like"))
    if automatic:
        chosen = attach_inspector(automatic_kernel(plan, fixed_order=fixed_order))
        LOGGER.info("compiled %r for %s by the rule %s", plan.expression, plan.target, chosen.suggestion.rule)
        return chosen
    result = lower_in_fixed_order(plan) if fixed_order else pipeline.lower(plan)
    result.raise_errors()
    LOGGER.info("compiled %r for %s", result.plan.expression, result.plan.target)
    return attach_inspector(Kernel(result)) if result.bound is None else PatternKernel(result)
