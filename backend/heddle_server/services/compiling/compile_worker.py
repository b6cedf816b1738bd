"""What runs in a compile process: Plan document in, the JSON of its view out.

What a compile does not need is imported where it is: a browser waits for a first compile with nothing imported yet.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from heddle.diagnostics import CompileError
from heddle.explorer.quick_fixes import explain_result
from heddle.explorer.schedule_sketches import find_reachable
from heddle.explorer.valid_prefix import valid_prefix
from heddle.explorer.views import compile_view
from heddle.explorer.views.code.left_out import MOST_BYTES, share_room, text_view
from heddle.explorer.views.commands_schema import GoalView
from heddle.explorer.views.compile_schema import CompileView
from heddle.explorer.views.legal import legal_view
from heddle.legal_commands import legal_commands
from heddle.pipeline import lower
from heddle.plan import parse_plan
from heddle_server.http.packed_answers import Answer, answer_of
from heddle_server.problem import ProblemError

if TYPE_CHECKING:  # the schema needs pydantic, and the page without a server does without
    from heddle.explorer.views.trace.what_if import Text
    from heddle_server.schema.run import RunResult

WARM_UP = {"expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}}
REFUSED = {**WARM_UP, "schedule": ["parallelize(j, CPUThread, NoRaces)"]}


def compile_answer(document: dict[str, Any]) -> Answer:
    """The CompileView. Errors of the person are in its diagnostics; anything raised is our defect."""
    view = view_of_compile(document)
    head = {"ok": view["ok"], "diagnostics": view["diagnostics"]}
    return answer_of(json_bytes(view), json_bytes(head))


def compile_document(document: dict[str, Any]) -> bytes:
    """The same as JSON bytes, for who packs nothing and reads no head."""
    return json_bytes(view_of_compile(document))


def view_of_compile(document: dict[str, Any]) -> CompileView:
    """With the view of what was valid: nobody needs to ask for that again. Texts share the room that there is."""
    result = lower(parse_plan(document))
    prefix = valid_prefix(result)
    view = compile_view(explain_result(result, prefix), prefix)
    before = view["before"]
    if before is None:
        return share_room(view, MOST_BYTES)
    share_room(before, MOST_BYTES // 2)
    return share_room(view, MOST_BYTES // 2)


def text_document(document: dict[str, Any], stage: str, first: int) -> bytes:
    """The TextView as JSON bytes: what an answer left out of the text of a stage.

    Raises
    ------
    ProblemError
        the plan's compile has no such stage.
    """
    view = compile_view(lower(parse_plan(document)))
    known = [known["id"] for known in view["stages"]]
    if view["code"] is not None:
        known.append(view["code"]["language"])
    if stage not in known:
        names = ", ".join(dict.fromkeys(known)) or "none, for it is refused before the first"
        detail = f"This plan's compile has no stage {stage!r}. Its stages: {names}."
        raise ProblemError(404, "unknown-stage", "Unknown stage", detail)
    return json_bytes(text_view(view, stage, first, MOST_BYTES))


def json_bytes(view: object) -> bytes:
    return json.dumps(view, separators=(",", ":"), allow_nan=False).encode()


def legal_document(document: dict[str, Any], command: str | None = None, start: int = 0) -> bytes:
    """The LegalView as JSON bytes; what is wrong with the plan itself is in its diagnostics. With a ``command`` its
    candidates alone, from number ``start`` on."""
    result = lower(parse_plan(document))
    goals = [
        GoalView(
            name=goal.goal.name,
            title=goal.goal.title,
            why=goal.goal.why,
            commands=list(goal.commands),
            schedule=list(goal.schedule),
        )
        for goal in (find_reachable(result) if command is None else ())
    ]
    listing = legal_commands(result, command)
    return json_bytes(legal_view(result, listing.applied, listing.commands, goals, start))


def trace_document(document: dict[str, Any], operands: dict[str, Any]) -> bytes:
    """The TraceView as JSON bytes; a program or operands that cannot be traced are in its diagnostics."""
    from heddle.explorer.views.trace.trace import refused_trace, trace_view

    result = lower(parse_plan(document))
    try:
        view = trace_view(result, operands)
    except CompileError as error:
        view = refused_trace(result, error)
    return json_bytes(view)


def what_if_document(document: dict[str, Any], line: int, text: Text, operands: dict[str, Any]) -> bytes:
    """The WhatIfView as JSON bytes; what cannot be run without a guard is in its diagnostics."""
    from heddle.explorer.views.trace.what_if import refused_what_if, what_if_view

    result = lower(parse_plan(document))
    try:
        view = what_if_view(result, line, text, operands)
    except CompileError as error:
        view = refused_what_if(result, line, error)
    return json_bytes(view)


def assembly_document(document: dict[str, Any]) -> bytes:
    """The AssemblyView as JSON bytes; why there is no machine code is in its diagnostics."""
    from heddle.explorer.views.code.assembly import assembly_view

    return json_bytes(assembly_view(lower(parse_plan(document))))


def occupancy_document(document: dict[str, Any]) -> bytes:
    """The OccupancyView as JSON bytes; why nothing is known is in its diagnostics."""
    from heddle.explorer.views.code.occupancy import occupancy_view

    view = occupancy_view(lower(parse_plan(document)))
    return json_bytes(view)


def fusion_document(document: dict[str, Any]) -> bytes:
    """The FusionView as JSON bytes; why there is nothing to compare is in its diagnostics."""
    from heddle.explorer.views.trace.fusion import fusion_view

    return json_bytes(fusion_view(lower(parse_plan(document)), lower))


def export_document(
    document: dict[str, Any], kind: str, paths: dict[str, str] | None = None, result: RunResult | None = None
) -> bytes:
    """The plan in another form. Raises CompileError for a plan that does not compile."""
    from heddle_server.exports.registry import export_text

    return export_text(document, kind, paths, result).encode()


def import_document(text: str, document: dict[str, Any]) -> bytes:
    """The ImportView as JSON bytes: the plan in a text from elsewhere, for the plan of ``document`` that is open."""
    from heddle_server.imports.import_plan import import_view

    return json_bytes(import_view(text, parse_plan(document)))


def warm_up() -> None:
    """A compile, one that is refused, and a run, for which all is imported that most requests need."""
    compile_answer(WARM_UP)
    compile_answer(REFUSED)
    trace_document(WARM_UP, {})
