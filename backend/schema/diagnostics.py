"""Compiler diagnostics as JSON."""

from __future__ import annotations

from collections.abc import Iterable

from compiler.diagnostics import Diagnostic, Fix, Location
from compiler.views.schema import DiagnosticView, FixView, LocationView


def diagnostic_views(diagnostics: Iterable[Diagnostic]) -> list[DiagnosticView]:
    return [diagnostic_view(diagnostic) for diagnostic in diagnostics]


def diagnostic_view(diagnostic: Diagnostic) -> DiagnosticView:
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "location": location_view(diagnostic.location) if diagnostic.location else None,
        "expected": diagnostic.expected,
        "found": diagnostic.found,
        "candidates": list(diagnostic.candidates),
        "hint": diagnostic.hint,
        "fixes": [fix_view(fix) for fix in diagnostic.fixes],
    }


def location_view(location: Location) -> LocationView:
    return {
        "part": location.part.value,
        "start": location.start,
        "end": location.end,
        "command": location.command,
        "tensor": location.tensor,
        "path": location.path,
    }


def fix_view(fix: Fix) -> FixView:
    schedule = list(fix.schedule) if fix.schedule is not None else None
    return {"title": fix.title, "expression": fix.expression, "schedule": schedule, "formats": fix.formats}
