"""``hd.suggest``: the schedule and the formats that the rules choose for operands as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from heddle.frontends.front_end import Statements
from heddle.frontends.table import DEFAULT_LANGUAGE, front_end_of
from heddle.library.arrays.entries import sparse_entries
from heddle.library.like import complete_plan
from heddle.pipeline import lower
from heddle.plan import Plan, parse_plan, plan_from_arguments
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.packing.pack import pack
from heddle.tuning.facts.machine import this_machine
from heddle.tuning.facts.statistics import statistics_of
from heddle.tuning.search.suggest import Suggestion
from heddle.tuning.search.suggest import suggest as suggest_schedule
from heddle.tuning.search.suggest_with_formats import suggest_with_formats
from heddle.wrong_arguments import require_mapping, wrong_argument

__all__ = ["suggest"]


def suggest(program: object, operands: Mapping[str, object] | None = None, /, **named: object) -> Suggestion:
    """The schedule that the rules choose, with reasons: ``hd.suggest("y(i) = A(i,j) * x(j)", A=A)``.

    Parameters
    ----------
    program
        an expression, a plan, its JSON document, or a kernel; its own schedule is left out.
    operands
        those that are called ``program`` or ``operands``.
    named
        all other operands, by name. What is passed is looked at, and its format is taken where the program says none;
        what is not passed is unknown, and treated with care.

    Returns
    -------
    Suggestion
        A :class:`Suggestion`: ``schedule``, ``reasons``, and ``formats`` that would be faster; ``result.plan`` is the
        plan with the schedule, for :func:`compile`, :func:`benchmark` or :func:`share`.

    Raises
    ------
    CompileError
        the program is wrong, or no schedule compiles; as :func:`pack` for an operand.
    """
    passed = {**require_mapping(operands, "the operands"), **named}
    plan = _plan_of(program)
    has_statements = isinstance(front_end_of(plan.language).entry, Statements)
    if passed:
        plan = complete_plan(plan, passed)
    machine = this_machine(plan.run.threads, measure=True)
    if not has_statements:
        return suggest_schedule(plan, None, machine)
    signature = lower(plan).signature
    if signature is None:
        return suggest_schedule(plan, None, machine)
    packed = {
        tensor.name: pack(passed[tensor.name], tensor.format, tensor.dtype, tensor.name, tensor.fill)
        for tensor in signature.inputs
        if tensor.name in passed
    }
    statistics = {name: statistics_of(tensor) for name, tensor in packed.items() if not tensor.format.is_dense}
    shapes = {name: tensor.shape for name, tensor in packed.items()}
    entries = {name: sparse_entries(packed[name], name)[0] for name in statistics}
    return suggest_with_formats(plan, statistics, entries, machine, shapes)


def _plan_of(program: object) -> Plan:
    match program:
        case str():
            return plan_from_arguments(program, language=DEFAULT_LANGUAGE)
        case Plan():
            plan = program
        case Kernel():
            plan = program.result.plan
        case Mapping():
            plan = parse_plan(program)
        case _:
            raise wrong_argument("the program", "an expression, a plan, its document or a kernel", program)
    return replace(plan, schedule=())
