"""A computation on operands of certain kinds: its kernels, made once, in the order in which they are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from heddle.diagnostics import CompileError, Diagnostic
from heddle.formats.parser import parse_format
from heddle.frontends.table import DEFAULT_LANGUAGE, assignment_of
from heddle.library.costs.call_costs import OTHER_LINES, call_costs
from heddle.library.costs.contraction_order import Contraction
from heddle.library.costs.products import contraction_steps, with_cheap_products
from heddle.library.costs.quotients import quotient_steps
from heddle.library.costs.steps import estimate_steps
from heddle.library.operand_kinds import OperandKind, declared_dtypes, kind_of, sparse_format
from heddle.library.result_format import FormattedPlan, with_result_format
from heddle.logs import LOGGER
from heddle.pipeline import lower
from heddle.plan import Plan, plan_from_arguments
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.packing.convert import stored_as
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.tensor import Tensor
from heddle.tuning.facts.machine import this_machine
from heddle.tuning.facts.statistics import statistics_of
from heddle.tuning.search.suggest import suggest

AUTO = "auto"
_WORTH_CONVERTING = 8.0
"""Loop steps for each stored entry above which operands are looked at in other formats."""
_CONVERSION_STEPS = 4.0
"""What storing an entry otherwise takes, in loop steps."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the caller says beside the expression: the ``format`` and ``dtype`` of the result, and the ``schedule``."""

    format: str | None = None
    dtype: str | None = None
    schedule: tuple[str, ...] | str = AUTO


@dataclass(frozen=True, slots=True)
class Step:
    """A kernel, the operands that it reads by name, those that are stored in another ``format`` for it, and the name of
    what it computes."""

    kernel: Kernel[Any]
    operands: tuple[str, ...]
    conversions: tuple[tuple[str, str], ...]
    result: str

    def run(self, tensors: Mapping[str, object], out: object = None) -> Any:
        """What the kernel computes; ``out`` with it where one is passed."""
        operands = {name: tensors[name] for name in self.operands}
        for name, format in self.conversions:
            operand = operands[name]
            if isinstance(operand, Tensor):
                operands[name] = stored_as(operand, parse_format(format, operand.order, name), name)
        return self.kernel(**operands) if out is None else self.kernel.with_options(out=out)(**operands)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """``steps`` in their order; ``warnings`` are about work that the formats of the operands cause."""

    steps: tuple[Step, ...]
    warnings: tuple[Diagnostic, ...] = ()

    def run(self, operands: Mapping[str, object], out: object = None) -> Any:
        """The result of the last step, in ``out`` where one is passed."""
        if len(self.steps) == 1:
            return self.steps[0].run(operands, out)
        tensors = dict(operands)
        for step in self.steps[:-1]:
            tensors[step.result] = step.run(tensors)
        return self.steps[-1].run(tensors, out)


def make_evaluation(
    expression: str, operands: Mapping[str, object], kinds: Mapping[str, OperandKind], wishes: Wishes
) -> Evaluation:
    """Compiles what ``expression`` computes for operands of these kinds.

    Raises
    ------
    CompileError
        As :func:`heddle.compile`.
    """
    assignment = assignment_of(DEFAULT_LANGUAGE, expression)
    dtypes = _computed_dtypes(declared_dtypes(kinds), wishes)
    contractions: tuple[Contraction, ...] = ()
    if wishes.schedule == AUTO:
        contractions = contraction_steps(assignment, kinds, dtypes) or quotient_steps(assignment, kinds, dtypes)
    if not contractions:
        cheaper = with_cheap_products(assignment, kinds, dtypes) if wishes.schedule == AUTO else None
        if cheaper is not None:
            LOGGER.info("%s is computed as %s", expression, cheaper)
            expression = cheaper
        step, warned = _make_step(expression, operands, kinds, dtypes, wishes)
        return Evaluation((step,), warned)
    LOGGER.info("%s is computed as %s", expression, "; ".join(step.expression for step in contractions))
    tensors, known, types, steps = dict(operands), dict(kinds), dict(dtypes), []
    warnings: tuple[Diagnostic, ...] = ()
    for contraction in contractions:
        last = contraction is contractions[-1]
        names = [factor.name for factor in contraction.operands]
        operand_kinds = {name: known[name] for name in names}
        operand_types = {name: types[name] for name in names}
        step, warned = _make_step(
            contraction.expression, tensors, operand_kinds, operand_types, wishes if last else Wishes()
        )
        warnings += warned
        steps.append(step)
        if not last:
            computed = tensors[step.result] = step.run(tensors)
            known[step.result] = kind_of(computed, step.result)
            types[step.result] = computed.dtype
    return Evaluation(tuple(steps), warnings)


def _computed_dtypes(dtypes: Mapping[str, str], wishes: Wishes) -> Mapping[str, str]:
    """The dtypes in which operands are read: as in NumPy, a wider dtype of the result is that of the products, too."""
    if wishes.dtype is None:
        return dtypes
    return {name: wishes.dtype if np.can_cast(dtype, wishes.dtype) else dtype for name, dtype in dtypes.items()}


def _make_step(
    expression: str,
    operands: Mapping[str, object],
    kinds: Mapping[str, OperandKind],
    dtypes: Mapping[str, str],
    wishes: Wishes,
) -> tuple[Step, tuple[Diagnostic, ...]]:
    """One kernel, its result's format and its schedule chosen for these operands where nobody says them, and what is
    said about its costs."""
    formats = {name: kind.format for name, kind in kinds.items()}
    automatic = wishes.schedule == AUTO
    formatted, plan, stored = _formatted(expression, kinds, dtypes, wishes)
    if automatic:
        formatted = _in_cheaper_formats(formatted, plan, stored, dtypes)
    chosen = {name: formatted.plan.tensors[name].format or formats[name] for name in formats}
    conversions = tuple((name, format) for name, format in chosen.items() if format != formats[name])
    result = lower(formatted.plan)
    if automatic:
        packed = {
            name: pack(operands[name], chosen[name], dtypes[name], name, kind.fill, copy=False)
            for name, kind in kinds.items()
        }
        statistics = {name: statistics_of(tensor) for name, tensor in packed.items() if not tensor.format.is_dense}
        shapes = {name: tensor.shape for name, tensor in packed.items()}
        suggestion = suggest(formatted.plan, statistics, this_machine(measure=True), shapes)
        LOGGER.info("the rule %s chose: %s", suggestion.rule, "; ".join(suggestion.schedule) or "no commands")
        result = suggestion.result
    result.raise_errors()
    asked = {name: replace(kind, format=chosen[name]) for name, kind in kinds.items() if name != formatted.result_name}
    warnings = call_costs(result, asked).diagnostics
    return Step(Kernel(result), tuple(kinds), conversions, formatted.result_name), warnings


def _formatted(
    expression: str, kinds: Mapping[str, OperandKind], dtypes: Mapping[str, str], wishes: Wishes
) -> tuple[FormattedPlan, Plan, Mapping[str, OperandKind]]:
    """The plan with and without a format of its result, for operands as they are stored; where no kernel reads them so,
    for those of other formats by rows."""
    formats = {name: kind.format for name, kind in kinds.items()}
    plan = _plan(expression, kinds, formats, dtypes, wishes)
    try:
        return with_result_format(plan, kinds, dtypes), plan, kinds
    except CompileError:
        rows = {
            name: replace(kind, format=sparse_format(len(kind.shape)))
            for name, kind in kinds.items()
            if kind.sparse and kind.format not in ("csr", "csc", sparse_format(len(kind.shape)))
        }
        if wishes.schedule != AUTO or not rows:
            raise
        stored = {**kinds, **rows}
        plain = _plan(expression, stored, {name: kind.format for name, kind in stored.items()}, dtypes, wishes)
        LOGGER.info(
            "%s: no kernel reads %s as stored, so that each call stores it by rows", expression, ", ".join(rows)
        )
        return with_result_format(plain, stored, dtypes), plain, stored


def _plan(
    expression: str,
    kinds: Mapping[str, OperandKind],
    formats: Mapping[str, str],
    dtypes: Mapping[str, str],
    wishes: Wishes,
) -> Plan:
    result = assignment_of(DEFAULT_LANGUAGE, expression).target.tensor
    return plan_from_arguments(
        expression,
        dict(formats) | ({result: wishes.format} if wishes.format is not None else {}),
        () if wishes.schedule == AUTO else wishes.schedule,
        dtypes=dict(dtypes) | ({result: wishes.dtype} if wishes.dtype is not None else {}),
        fills={name: kind.fill for name, kind in kinds.items() if kind.fill != 0},
    )


def _in_cheaper_formats(
    formatted: FormattedPlan, plan: Plan, kinds: Mapping[str, OperandKind], dtypes: Mapping[str, str]
) -> FormattedPlan:
    """The plan with matrices by rows or by columns, whichever takes the fewest loop steps, where that pays for storing
    them otherwise: rows times columns would look at every pair of them."""
    sparse = {name: kind for name, kind in kinds.items() if kind.sparse}
    matrices = [name for name, kind in sparse.items() if kind.format in OTHER_LINES]
    entries = sum(kind.stored or 0 for kind in sparse.values())
    best, least = formatted, estimate_steps(formatted.result.graphs[0], kinds)
    if len(sparse) < 2 or least <= _WORTH_CONVERTING * entries:
        return formatted
    for turned in product((False, True), repeat=len(matrices)):
        others = {name: OTHER_LINES[kinds[name].format] for name, turn in zip(matrices, turned, strict=True) if turn}
        if not others:
            continue
        specs = {name: replace(plan.tensors[name], format=format) for name, format in others.items()}
        asked = {name: replace(kinds[name], format=format) for name, format in others.items()}
        candidate = with_result_format(replace(plan, tensors=plan.tensors | specs), dict(kinds) | asked, dtypes)
        steps = estimate_steps(candidate.result.graphs[0], kinds)
        steps += _CONVERSION_STEPS * sum(kinds[name].stored or 0 for name in others)
        if steps < least / 2:
            best, least = candidate, steps
    return best
