"""The ``options`` of ``compile``: what a caller leaves to Heddle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

from heddle.diagnostics import CompileError, Diagnostic, Location, Part, nearest
from heddle.plan.plan import CONVERSIONS
from heddle.wrong_arguments import require_mapping

OPTIONS: Mapping[str, tuple[str | bool, ...]] = {
    "schedule": ("auto",),
    "convert": CONVERSIONS,
    "deterministic": (True, False),
}
"""Every option with its values."""


class AutomaticSchedule(TypedDict):
    """Options with which ``compile`` returns a kernel that has a ``suggestion``."""

    schedule: Literal["auto"]
    convert: NotRequired[Literal["automatic"]]
    deterministic: NotRequired[bool]


def chooses_schedule(options: Mapping[str, object] | None, schedule: str | Sequence[str]) -> bool:
    """Whether ``options`` ask for a schedule by rules.

    Raises
    ------
    CompileError
        ``plan/unknown-option``, ``plan/option-value``, ``plan/two-schedules``.
    """
    problems = [
        _problem(name, value)
        for name, value in require_mapping(options, "options").items()
        if not _is_known(name, value)
    ]
    if problems:
        raise CompileError(*problems)
    if not options or "schedule" not in options:
        return False
    if len(schedule) > 0:
        raise CompileError(
            Diagnostic(
                "plan/two-schedules",
                'A schedule is given, and options={"schedule": "auto"} asks for another. Leave one of them out.',
                Location(Part.PLAN, path="/schedule"),
                expected="either a schedule or the option",
                actual="both",
            )
        )
    return True


def plan_options(options: Mapping[str, object] | None) -> dict[str, object]:
    """The options that are part of the Plan; which schedule was chosen stands there itself."""
    chosen = ("schedule", "deterministic")
    return {name: value for name, value in require_mapping(options, "options").items() if name not in chosen}


def is_deterministic(options: Mapping[str, object] | None) -> bool:
    """Whether ``options`` ask for sums in the same order in each run."""
    return require_mapping(options, "options").get("deterministic") is True


def _is_known(name: str, value: object) -> bool:
    return any(type(value) is type(choice) and value == choice for choice in OPTIONS.get(name, ()))


def _problem(name: str, value: object) -> Diagnostic:
    if name not in OPTIONS:
        names = tuple(OPTIONS)
        return Diagnostic(
            "plan/unknown-option",
            f"There is no option {name}. The options are {', '.join(names)}.",
            expected=", ".join(names),
            actual=name,
            candidates=nearest(name, names),
        )
    values = " or ".join(map(repr, OPTIONS[name]))
    return Diagnostic(
        "plan/option-value",
        f"The option {name} must be {values}, found {value!r}.",
        expected=values,
        actual=repr(value),
    )
