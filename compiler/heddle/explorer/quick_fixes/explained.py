"""A compile with its errors explained, for whoever shows them to a person. It takes compiles of its own, so that
programs that only want to know whether a plan compiles do without."""

from __future__ import annotations

from dataclasses import replace

from heddle.diagnostics import Diagnostic, Severity
from heddle.explorer.quick_fixes.evidence import evidence
from heddle.explorer.quick_fixes.fixes import find_fixes
from heddle.result import CompileResult

MOST_EXPLAINED = 3
"""Errors of one plan; a plan with more of them has mostly one cause."""


def explain_result(result: CompileResult, prefix: CompileResult | None = None) -> CompileResult:
    """``result``, its first errors with all the repairs that help, and with what happens on the running example.
    ``prefix`` is the compile of the commands before the one that is refused."""
    if result.ok:
        return result
    from heddle.tuning.search.schedule_fixes import with_chosen_schedule  # a plan that compiles needs no rules

    result = with_chosen_schedule(result)
    errors = [diagnostic for diagnostic in result.diagnostics if diagnostic.severity is Severity.ERROR][:MOST_EXPLAINED]
    return replace(
        result, diagnostics=tuple(_explain(diagnostic, result, errors, prefix) for diagnostic in result.diagnostics)
    )


def _explain(
    diagnostic: Diagnostic, result: CompileResult, errors: list[Diagnostic], prefix: CompileResult | None
) -> Diagnostic:
    if diagnostic not in errors:
        return diagnostic
    return replace(diagnostic, fixes=find_fixes(diagnostic, result), evidence=evidence(diagnostic, result, prefix))
