"""``heddle import``: the plan in a text from elsewhere, as JSON; what was taken and what was not goes to stderr."""

from __future__ import annotations

import json
import sys

from heddle.cli.source import SourceError, read_text
from heddle.diagnostics import CompileError
from heddle.plan import Plan
from heddle_server.imports.import_plan import import_view
from heddle_server.schema.imports import MAX_TEXT

OPEN = Plan("y(i) = A(i,j) * x(j)")
"""For a schedule without an expression; the summary says so."""


def import_text(source: str) -> int:
    """0: a plan was printed; 1: there is none in the text, or it does not compile; 2: the file cannot be read."""
    try:
        text = read_text(source, MAX_TEXT, "a text with a plan")
    except SourceError as error:
        print(f"heddle: {error}", file=sys.stderr)
        return 2
    try:
        view = import_view(text, OPEN)
    except CompileError as error:
        print(f"heddle: {source}: {error}", file=sys.stderr)
        return 1
    said = [f"Taken: {piece}." for piece in view["taken"]]
    said += [f"Left out: {omission['text']}. {omission['why']}" for omission in view["left"]]
    said += view["notes"]
    said += [f"{diagnostic['severity']}: {diagnostic['message']}" for diagnostic in view["diagnostics"]]
    print("\n".join(said), file=sys.stderr)
    if view["plan"] is None:
        return 1
    print(json.dumps(view["plan"], indent=2, ensure_ascii=False))
    return 1 if any(diagnostic["severity"] == "error" for diagnostic in view["diagnostics"]) else 0
