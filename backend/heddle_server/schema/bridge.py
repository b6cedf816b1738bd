"""A plan in another language, and how it came about."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from heddle.explorer.views.diagnostics_schema import DiagnosticView


class BridgeStepView(TypedDict):
    """``text`` is the program behind the step ``title``."""

    title: str
    text: str


class BridgeView(TypedDict):
    """``plan`` computes the same in the language ``title``; null where ``diagnostics`` say why there is none. ``notes``
    are what it does not carry over."""

    ok: bool
    title: str
    plan: dict[str, Any] | None
    steps: list[BridgeStepView]
    notes: list[str]
    diagnostics: list[DiagnosticView]
