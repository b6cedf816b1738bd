"""What runs in a compile process: a plan document in, the JSON of it in another language out."""

from __future__ import annotations

import json
from typing import Any

from heddle.diagnostics import CompileError
from heddle.explorer.translation.bridge import bridge_of
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.frontends.table import front_end_of
from heddle.plan import parse_plan, to_document
from heddle_server.schema.bridge import BridgeStepView, BridgeView


def bridge_document(document: dict[str, Any]) -> bytes:
    """The BridgeView as JSON bytes; why there is no bridge is in its diagnostics."""
    return json.dumps(bridge_view(document), separators=(",", ":"), allow_nan=False).encode()


def bridge_view(document: dict[str, Any]) -> BridgeView:
    """The plan of ``document`` in the other language."""
    try:
        bridge = bridge_of(parse_plan(document))
    except CompileError as error:
        diagnostics = [diagnostic_view(diagnostic) for diagnostic in error.diagnostics]
        return BridgeView(ok=False, title="", plan=None, steps=[], notes=[], diagnostics=diagnostics)
    return BridgeView(
        ok=True,
        title=front_end_of(bridge.plan.language).title,
        plan=to_document(bridge.plan),
        steps=[BridgeStepView(title=step.title, text=step.text) for step in bridge.steps],
        notes=list(bridge.notes),
        diagnostics=[],
    )
