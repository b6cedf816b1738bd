"""Whether a search may go on with a log: only with the plan and the settings that the log was made with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heddle.diagnostics import CompileError, Diagnostic
from heddle.plan import Plan, parse_plan, plan_hash
from heddle.tuning.session.log import Line

HINT = "Times of another search would be taken for those of this one. Give this search a log of its own."


def options_of(header: Line) -> dict[str, Any]:
    """What a person chose of a search, by the names of the options."""
    return {
        "strategy": header["strategy"],
        "seed": header["seed"],
        "population": header["parameters"]["population"],
        **{name: header["budget"][name] for name in ("evaluations", "generations", "seconds")},
    }


def require_same(header: Line, plan: Plan, options: Mapping[str, Any]) -> None:
    """``options`` are the options that were named; all others are those of the log.

    Raises
    ------
    CompileError
        ``tune/other-plan``, ``tune/other-options``.
    """
    if plan_hash(parse_plan(header["plan"])) != plan_hash(plan):
        whose = str(header["plan"].get("expression", "?"))
        message = f"This log belongs to a search with another plan, {whose}, or with other data, formats or commands."
        raise CompileError(Diagnostic("tune/other-plan", message, expected=whose, actual=plan.expression, hint=HINT))
    logged_options = options_of(header)
    for name, value in options.items():
        if value != logged_options[name]:
            message = f"The search of this log has {name} {logged_options[name]}, and {name} {value} was asked for."
            hint = f"Leave {name} out to go on as the log began, or give this search a log of its own."
            raise CompileError(
                Diagnostic(
                    "tune/other-options",
                    message,
                    expected=f"{name} {logged_options[name]}",
                    actual=f"{name} {value}",
                    hint=hint,
                )
            )
