"""Diagnostics -> JSON."""

from __future__ import annotations

from heddle.diagnostics import Diagnostic, Fix, Location
from heddle.explorer.views.diagnostics_schema import DiagnosticView, FixView, LocationView


def diagnostic_view(diagnostic: Diagnostic) -> DiagnosticView:
    location = diagnostic.location
    return DiagnosticView(
        code=diagnostic.code,
        severity=diagnostic.severity.value,
        message=diagnostic.message,
        location=_location(location) if location is not None else None,
        expected=diagnostic.expected,
        found=diagnostic.actual,
        candidates=list(diagnostic.candidates),
        hint=diagnostic.hint,
        evidence=list(diagnostic.evidence),
        fixes=[fix_view(fix) for fix in diagnostic.fixes],
    )


def _location(location: Location) -> LocationView:
    return LocationView(
        part=location.part.value,
        start=location.start,
        end=location.end,
        command=location.command,
        tensor=location.tensor,
        path=location.path,
    )


def fix_view(fix: Fix) -> FixView:
    return FixView(
        title=fix.title,
        expression=fix.expression,
        schedule=list(fix.schedule) if fix.schedule is not None else None,
        formats=dict(fix.formats) if fix.formats is not None else None,
        options=dict(fix.options) if fix.options is not None else None,
    )
