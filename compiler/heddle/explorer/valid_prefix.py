"""The commands of a refused schedule up to the one at fault, compiled: what the page draws while a person types."""

from __future__ import annotations

from dataclasses import replace

from heddle.diagnostics import Severity
from heddle.pipeline import lower_again
from heddle.result import CompileResult


def valid_prefix(result: CompileResult) -> CompileResult | None:
    """The compile of the commands before the one that is refused, from the graph that they made; None where no command
    is refused, or where these make no plan."""
    blamed = refused_command(result)
    if blamed is None:
        return None
    prefix = lower_again(replace(result.plan, schedule=result.plan.schedule[:blamed]), result)
    return prefix if prefix.ok else None


def refused_command(result: CompileResult) -> int | None:
    """The number of the command that is refused: also one that the graph takes and the loops do not."""
    errors = [diagnostic for diagnostic in result.diagnostics if diagnostic.severity is Severity.ERROR]
    blamed = [error.location.command for error in errors if error.location is not None]
    return next((command for command in blamed if command is not None), None)
