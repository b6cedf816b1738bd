"""Ranges of index variables -> JSON: rounds, answers, what is checked at the call (docs/sources.toml V21)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, cast

from heddle.comprehensions.checks.problems import Problems
from heddle.comprehensions.checks.resolve import resolve
from heddle.comprehensions.checks.resolved import Resolved, Step
from heddle.comprehensions.language.nodes import Name, walk
from heddle.comprehensions.language.parser import parse
from heddle.comprehensions.ranges.inference import explore
from heddle.comprehensions.ranges.nodes import Found, Range, Round
from heddle.comprehensions.ranges.search import Known
from heddle.comprehensions.ranges.text import text
from heddle.diagnostics import CompileError
from heddle.explorer.views.ranges_schema import (
    RangeCheckView,
    RangesView,
    ResultShapeView,
    RoundView,
    SizeView,
    StatementRangesView,
    VariableRangeView,
)
from heddle.symbolic.evaluate import number_of
from heddle.symbolic.nodes import of_atom
from heddle.symbolic.prove import nonnegative
from heddle.symbolic.walk import free_names

_EXAMPLE, _SMALLER, _INTEGER = 8, 3, 2
"""Numbers for sizes that the plan does not fix: those that are taken off others are smaller, as kernels of
convolutions are."""


def ranges_view(program: str, sizes: Mapping[str, int]) -> RangesView | None:
    """How the ranges of ``program`` follow where ``sizes`` are fixed; None for one whose names have no meaning yet."""
    problems = Problems(program)
    try:
        names = resolve(parse(program))
    except CompileError:
        return None
    known, inference = explore(names, sizes, problems)
    numbers = _numbers(names, known, sizes)
    return RangesView(
        complete=inference is not None,
        sizes=[
            SizeView(name=name, value=numbers[name], example=name not in sizes)
            for name in (*names.sizes, *names.integers)
            if name in numbers
        ],
        statements=[_statement(step, known, numbers) for step in names.steps],
        results=[
            ResultShapeView(name=name, dimensions=[dimension.shown for dimension in inference.dimensions[version]])
            for name, version in names.results.items()
        ]
        if inference is not None
        else [],
        checks=_checks(names, known, inference) if inference is not None else [],
    )


def _statement(step: Step, known: Known, numbers: Mapping[str, int]) -> StatementRangesView:
    ranges = known.ranges.get(step.number, {})
    places = _places(step, known.problems.text)
    variables = []
    for name in step.variables:
        range = None if (step.number, name) in known.unresolved else ranges.get(name)
        start, end = _ends(range, numbers) if range is not None else (None, None)
        variables.append(
            VariableRangeView(
                name=name,
                reduced=name not in step.indices,
                interval=range.shown if range is not None else None,
                start=start,
                end=end,
                at=places.get(name),
            )
        )
    span = step.source.span
    return StatementRangesView(
        number=step.number,
        text=known.problems.text[span.start : span.end],
        first=span.start,
        last=span.end,
        variables=variables,
        rounds=[_round(entry, numbers) for entry in known.rounds if entry.step == step.number],
    )


def _places(step: Step, program: str) -> dict[str, int]:
    """Where the name of each variable ends, the first time that the statement has it."""
    written: Iterable[Name] = (
        *step.source.indices,
        *(part for part in walk(step.source.expression) if isinstance(part, Name)),
    )
    ends: dict[str, int] = {}
    for name in written:
        if program[name.span.start : name.span.end] == name.name:
            ends.setdefault(name.name, name.span.end)
    return ends


def _round(entry: Round, numbers: Mapping[str, int]) -> RoundView:
    start, end = _ends(entry.range, numbers)
    return RoundView(
        number=entry.number,
        variable=entry.variable,
        how=cast("Literal['access', 'where', 'earlier', 'later', 'passed', 'declared']", entry.how),
        access=entry.access,
        constraint=entry.constraint,
        eliminated=list(entry.eliminated),
        interval=entry.range.shown,
        start=start,
        end=end,
    )


def _ends(range: Range, numbers: Mapping[str, int]) -> tuple[int, int] | tuple[None, None]:
    try:
        return number_of(range.lower, numbers), number_of(range.upper, numbers)
    except (KeyError, ZeroDivisionError):
        return None, None


def _numbers(names: Resolved, known: Known, fixed: Mapping[str, int]) -> dict[str, int]:
    """The sizes as numbers: what the plan fixes, and examples for the others."""
    smaller: set[str] = set()
    for ranges in known.ranges.values():
        for bounds in ranges.values():
            for monomial, coefficient in bounds.upper.terms:
                if coefficient < 0:
                    smaller |= {name for atom, _ in monomial for name in free_names(of_atom(atom))}
    free = [name for name in names.sizes if name not in fixed]
    for version, base in names.initial.items():
        free += [f"{base}.{dimension}" for dimension in range(names.orders[version])]
    examples = {name: _SMALLER if name in smaller else _EXAMPLE for name in free}
    examples |= {name: _INTEGER for name in names.integers if name not in fixed}
    return examples | dict(fixed)


def _checks(names: Resolved, known: Known, inference: Found) -> list[RangeCheckView]:
    checks: list[RangeCheckView] = []
    for step, ranges in zip(names.steps, inference.ranges, strict=True):
        for variable, range in ranges.items():
            if not nonnegative(range.extent, known.facts):
                what = f"{text(range.lower)} <= {text(range.upper)}"
                checks.append(
                    _check(step.number, what, f"{variable} runs over a range that does not end before it begins")
                )
    for condition in inference.conditions:
        constraint = condition.constraint
        where = "wherever its condition holds" if constraint.guards else "for all index variables"
        why = f"{constraint.access} stays inside of {constraint.tensor} {where}"
        checks.append(_check(constraint.step, constraint.shown, why))
    for gather in inference.gathers:
        why = f"{gather.access} reads inside of {gather.tensor}, whatever the elements are that say where"
        checks.append(
            _check(gather.step, f"{text(gather.lower)} <= {known.spell(gather.node)} < {text(gather.upper)}", why)
        )
    for formula in inference.computed:
        checks.append(
            _check(formula.step, formula.shown, "it stays within 64 bits, and divides by positive numbers alone")
        )
    checks += [
        _check(None, f"{text(same.left)} = {text(same.right)}", same.text)
        for same in inference.same
        if same.left != same.right
    ]
    return checks


def _check(statement: int | None, what: str, why: str) -> RangeCheckView:
    return RangeCheckView(statement=statement, what=what, why=why)
