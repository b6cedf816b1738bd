"""``heddle import``: the plan in a text from elsewhere, as JSON; what was taken and what was not goes to stderr."""

from __future__ import annotations

import json
import sys

from heddle.cli.output import say_progress
from heddle.cli.source import name_of, read_text
from heddle.plan import Plan
from heddle_server.imports.import_plan import import_view
from heddle_server.schema.imports import MAX_TEXT

OPEN = Plan("y(i) = A(i,j) * x(j)")
"""For a schedule without an expression; the summary says so."""


def import_text(source: str) -> int:
    """0: a plan was printed; 1: there is none in the text, or it does not compile.

    Raises
    ------
    SourceError
        the file cannot be read. CompileError: it is a plan that is wrong.
    """
    view = import_view(read_text(source, MAX_TEXT, "a text with a plan"), OPEN)
    said = [f"Taken: {piece}." for piece in view["taken"]]
    said += [f"Left out: {omission['text']}. {omission['why']}" for omission in view["left"]]
    said += view["notes"]
    messages = [f"{diagnostic['severity']}: {diagnostic['message']}" for diagnostic in view["diagnostics"]]
    if view["plan"] is None:
        print(f"heddle: {name_of(source)}: " + "\n".join([*said, *messages]), file=sys.stderr)
        return 1
    say_progress("\n".join(said))
    for message in messages:
        print(f"heddle: {name_of(source)}: {message}", file=sys.stderr)
    print(json.dumps(view["plan"], indent=2, ensure_ascii=False))
    return 1 if any(diagnostic["severity"] == "error" for diagnostic in view["diagnostics"]) else 0
