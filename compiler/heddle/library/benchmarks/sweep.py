"""``hd.sweep``: a plan with placeholders, timed for every combination of their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from heddle.diagnostics import CompileError, Diagnostic, OperandError
from heddle.library.benchmarks.agreement import Expected
from heddle.library.benchmarks.benchmark import verify_subject
from heddle.library.benchmarks.contenders import Subject, bind_subject
from heddle.library.benchmarks.sweep_result import Point, Sweep, TimedPoint, judge_points
from heddle.library.like import complete_plan
from heddle.measuring.contender import Contender
from heddle.measuring.rounds import Protocol
from heddle.measuring.threads_used import threads_used
from heddle.measuring.timed import time_contenders
from heddle.pipeline import lower
from heddle.plan import Plan, parse_plan, plan_from_arguments, to_document
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.native import parallel_region
from heddle.runtime.native.threads import get_num_threads
from heddle.targets import C
from heddle.wrong_arguments import require_mapping, wrong_argument

__all__ = ["sweep"]

MOST_POINTS = 1000


def sweep(
    program: object,
    values: Mapping[str, Sequence[object]],
    operands: Mapping[str, object] | None = None,
    /,
    *,
    formats: Mapping[str, str] | None = None,
    schedule: str | Sequence[str] = "",
    seconds: float = 0.1,
    **named: object,
) -> Sweep:
    """Times a program for every combination of ``values``: ``hd.sweep(plan, {"tile": [16, 64, 256]}, A=A, x=x)``.

    Where the plan has ``{tile}`` in its expression, a format or a command, each point has one of the values there. All
    points compute the same on the same operands and take turns in every round; one that is refused, or computes
    something else, stays in the records with the reason.

    Parameters
    ----------
    program
        an expression, a plan or its JSON document.
    values
        a list for each placeholder, by its name.
    operands
        those that are called like one of the options.
    named
        all other operands, by name.
    formats
        of an expression, as for :func:`compile`; else those of the operands.
    schedule
        of an expression, as for :func:`compile`.
    seconds
        for which each point is timed at least.

    Returns
    -------
    Sweep
        A :class:`Sweep` with ``records``, ``best``, ``to_pandas()``, ``to_csv()``.

    Raises
    ------
    CompileError
        ``sweep/unused`` for a name that is no placeholder, ``sweep/points`` for no points and for too many,
        ``sweep/refused`` where every point is refused, with the reason of the first.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= 600:
        raise wrong_argument("seconds", "a number above 0, and at most 600", seconds)
    document = _document(program, formats, schedule)
    passed = {**require_mapping(operands, "the operands"), **named}
    combinations = _combinations(_lists(values, document))
    known: _Known = _Known(passed)
    points = [known.prepare(_filled(document, combination), combination) for combination in combinations]
    subjects = [point.subject for point in points if point.subject is not None]
    if not subjects:
        raise _all_refused(points)
    return Sweep(tuple(values), _timed(points, subjects, seconds))


@dataclass(slots=True)
class _Known:
    """The operands, and what the first point computed."""

    operands: Mapping[str, object]
    expected: Expected | None = None

    def prepare(self, document: object, values: Mapping[str, object]) -> Point:
        """A point that is ready to be timed, or says why it is refused."""
        plan: Plan | None = None
        try:
            plan = complete_plan(parse_plan(document), self.operands)
            result = lower(plan)
            result.raise_errors()
            subject = bind_subject(Kernel(result), self.operands)
            subject.call.run()
        except CompileError as error:
            return Point(values, plan, None, error.diagnostics[0].message)
        if self.expected is None:
            verification, self.expected = verify_subject(subject, _threads(subject))
        else:
            verification = self.expected.check(subject.call.output)
        if not verification["ok"]:
            largest = verification["max_error"]
            return Point(values, plan, None, f"Its result differs by {largest:.2g} of the size of its terms.")
        return Point(values, plan, subject, None)


def _timed(points: Sequence[Point], subjects: Sequence[Subject], seconds: float) -> tuple[TimedPoint, ...]:
    threads = max(_threads(subject) for subject in subjects)
    contenders = [
        Contender(
            "callable",
            point.label,
            point.subject.call.timed,
            point.subject.call.output.to_numpy,
            threads=threads_used(point.subject.result, threads),
        )
        for point in points
        if point.subject is not None
    ]
    if any(contender.threads > 1 for contender in contenders):
        parallel_region.measure_region(threads)
    protocol = Protocol(min_seconds=seconds, cap_seconds=max(30.0, 8 * seconds * len(contenders)))
    moved = min(subject.bytes_moved for subject in subjects)
    return judge_points(points, time_contenders(contenders, threads, protocol, _ignore, moved))


def _ignore(share: float) -> None:
    """Nobody watches."""


def _threads(subject: Subject) -> int:
    return get_num_threads() if subject.result.plan.target == C.name else 1


def _document(program: object, formats: object, schedule: object) -> Any:
    """The plan as JSON has it, with its placeholders."""
    match program:
        case str():
            return to_document(plan_from_arguments(program, formats, schedule))  # type: ignore[arg-type]
        case Plan():
            return to_document(program)
        case Mapping():
            return dict(program)
        case _:
            raise wrong_argument("the program", "an expression, a plan or its document", program)


def _lists(values: object, document: object) -> dict[str, list[object]]:
    lists: dict[str, list[object]] = {}
    for name, choices in require_mapping(values, "the values").items():
        if isinstance(choices, str | bytes) or not hasattr(choices, "__iter__"):
            raise wrong_argument(f"the values of {name}", "a list", choices)
        lists[name] = list(choices)
        if not _has(document, name):
            raise OperandError(
                Diagnostic(
                    "sweep/unused",
                    f"Nothing in the plan has the placeholder {{{name}}}.",
                    expected=f"{{{name}}} in the expression, a format or a command",
                    actual="a plan without it",
                    hint=f'Write it where the value belongs: schedule="split(i, i0, i1, {{{name}}})".',
                )
            )
    return lists


def _combinations(lists: Mapping[str, Sequence[object]]) -> list[dict[str, object]]:
    count = prod(len(choices) for choices in lists.values())
    if not lists or not 1 <= count <= MOST_POINTS:
        raise OperandError(
            Diagnostic(
                "sweep/points",
                f"The values make {count if lists else 0:,} points.",
                expected=f"from 1 to {MOST_POINTS:,} points",
                actual=str(count if lists else 0),
            )
        )
    return [dict(zip(lists, choices, strict=True)) for choices in product(*lists.values())]


def _has(part: object, name: str) -> bool:
    match part:
        case str():
            return f"{{{name}}}" in part
        case Mapping():
            return any(_has(value, name) for value in part.values())
        case list() | tuple():
            return any(_has(value, name) for value in part)
        case _:
            return False


def _filled(part: Any, values: Mapping[str, object]) -> Any:
    """The document with the values in place of their names."""
    match part:
        case str():
            for name, value in values.items():
                part = part.replace(f"{{{name}}}", str(value))
            return part
        case Mapping():
            return {name: _filled(value, values) for name, value in part.items()}
        case list() | tuple():
            return [_filled(value, values) for value in part]
        case _:
            return part


def _all_refused(points: Sequence[Point]) -> OperandError:
    first = points[0]
    return OperandError(
        Diagnostic(
            "sweep/refused",
            f"All {len(points)} points are refused; {first.label}: {first.reason}",
            expected="a point that compiles for these operands",
            actual="none",
        )
    )
