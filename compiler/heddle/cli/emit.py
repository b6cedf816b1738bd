"""One compile's view to the text that a person asked for."""

from __future__ import annotations

import json

from heddle.cli.passes import passes_table
from heddle.explorer.views.compile_schema import CompileView
from heddle.targets import PRINTED

TARGET_EMITS = tuple(target.name for target in PRINTED)
STAGE_EMITS = {"loops": "flat", "structured": "structured"}
EMITS = (*TARGET_EMITS, *STAGE_EMITS, "graph", "tree", "passes", "json")


def emit(view: CompileView, wanted: str | None) -> str | None:
    """The text, or None when the compile did not come that far; ``wanted`` None is the code of the plan's target."""
    match wanted:
        case "json":
            return json.dumps(view, indent=2, ensure_ascii=False, allow_nan=False)
        case "graph":
            parts = [part["text"] for part in (view["graph"], view["provenance"]) if part is not None]
            return "\n\n".join(part.rstrip("\n") for part in parts) or None
        case "passes":
            return passes_table(view)
        case "loops" | "structured":
            return next((stage["text"] for stage in view["stages"] if stage["id"] == STAGE_EMITS[wanted]), None)
        case _ if view["code"] is not None:
            return view["code"]["text"]
        case _:
            # Programs without an iteration graph have no lines to tell the origins of, but a text.
            return next((stage["text"] for stage in view["stages"] if stage["id"] in TARGET_EMITS), None)
