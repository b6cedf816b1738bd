"""Answers of the API that need no server, as functions of a request: what runs in the Python of a browser.

The same functions answer in the service's compile processes. Nothing here may import what a browser does not have
(``tests/compiler/test_without_libraries.py``). What a first compile does not need is imported by the answers that do,
or when nothing else is asked (``LATER``).
"""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qs, unquote, urlsplit

from heddle.diagnostics import CompileError
from heddle.plan import Plan, parse_plan, to_document
from heddle.plan.inputs import read_input
from heddle.plan.reader import Reader
from heddle_server.datasets.catalogue import builtin_datasets
from heddle_server.garbage import nothing_collected
from heddle_server.problem import ProblemError, bad_plan, missing_error
from heddle_server.services.compiling.compile_worker import (
    compile_document,
    export_document,
    fusion_document,
    import_document,
    json_bytes,
    legal_document,
    text_document,
    trace_document,
    what_if_document,
)
from heddle_server.static.needs_server import needs_server

if TYPE_CHECKING:
    from heddle_server.lessons.lesson import Lesson
    from heddle_server.schema.suggestion import MachineName

COMPILING = "heddle_server.services.compiling"
LATER = [
    "heddle.tuning.search.schedule_fixes",
    "heddle.explorer.views.trace.what_if",
    f"{COMPILING}.account_worker",
    f"{COMPILING}.explanation_worker",
    f"{COMPILING}.storage_worker",
    f"{COMPILING}.composition_worker",
    f"{COMPILING}.suggestion_worker",
    f"{COMPILING}.preview_worker",
    f"{COMPILING}.tiles_worker",
    f"{COMPILING}.bridge_worker",
    "heddle_server.exports.registry",
    "heddle_server.imports.import_plan",
    "heddle_server.lessons.views",
    f"{COMPILING}.lesson_worker",
]
"""Modules that answers need, in the order in which people come to them; what was imported is taken away."""

PICTURE = {"dtype": "float64", "input": None}
"""What a request for a picture leaves out; the models of the service have the same defaults."""


@dataclass(frozen=True, slots=True)
class Request:
    """``names`` are the parts of the path that a route leaves open."""

    names: Mapping[str, str]
    query: Mapping[str, str]
    body: Any


@dataclass(frozen=True, slots=True)
class Route:
    """``path`` is spelled as in the API's description, without ``/api/v1``."""

    method: str
    path: str
    answer: Callable[[Request], bytes]

    def names_in(self, path: str) -> Mapping[str, str] | None:
        """What ``path`` has in the open parts; None where it is another path."""
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.path)
        match = re.fullmatch(pattern, path)
        return None if match is None else {name: unquote(part) for name, part in match.groupdict().items()}


def answer(method: str, address: str, body: str | None) -> tuple[int, str]:
    """Status and text of the answer to one request; ``address`` is the path with its query, as the page asks."""
    parts = urlsplit(address)
    try:
        for route in ROUTES:
            names = route.names_in(parts.path) if route.method == method else None
            if names is not None:
                query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
                request = Request(names, query, None if body is None else json.loads(body))
                return 200, route.answer(request).decode()
        raise needs_server(method, parts.path)
    except ProblemError as error:
        problem = error
    except CompileError as error:
        problem = bad_plan(error)
    except Exception as error:
        traceback.print_exc()
        problem = defect(method, parts.path, error)
    return problem.status, json.dumps(problem.document(parts.path))


def defect(method: str, path: str, error: Exception) -> ProblemError:
    detail = (
        f"{method} {path} failed inside Heddle: {type(error).__name__}: {error} This is a defect in Heddle; please "
        "report it with what you did."
    )
    return ProblemError(500, "internal-error", "Internal error", detail)


OF_DATA = frozenset({"/storage", "/composition", "/tiles", "/previews", "/suggest", "/explanations", "/exports"})
"""Requests that are answered from the data of their inputs, not from their names and sizes."""


def data_files(path: str, body: str | None) -> list[str]:
    """The files of the built-in data that are read for an answer: they are fetched before it is computed."""
    if urlsplit(path).path not in OF_DATA:
        return []
    files = {entry.id: entry.path.name for entry in builtin_datasets()}
    wanted = set(re.findall(r'"dataset":\s*"([^"]*)"', body or ""))
    return [file for identity, file in files.items() if identity in wanted]


def import_next() -> bool:
    """Imports the first of ``LATER``, for when nobody waits; whether there are more."""
    if LATER:
        with nothing_collected():
            import_module(LATER.pop(0))
    return bool(LATER)


def plan_of(document: object) -> Plan:
    """A plan from JSON values. Raises CompileError."""
    return parse_plan(document)


def canonical(document: object) -> dict[str, Any]:
    return to_document(plan_of(document))


def path_of(identity: str) -> str:
    """The file of a built-in data set. Raises ProblemError for another one: uploads and collections need a server."""
    for entry in builtin_datasets():
        if entry.id == identity:
            return str(entry.path)
    raise needs_server("GET", "/datasets")


def paths_of(plan: Plan) -> dict[str, str]:
    named = [data.get("dataset", data.get("upload")) for data in plan.inputs.values()]
    return {identity: path_of(identity) for identity in named if isinstance(identity, str)}


def picture(document: Callable[[dict[str, Any], str | None], bytes], request: Request, **defaults: object) -> bytes:
    """The answer for a picture of data: its input is checked, and its file found."""
    asked: dict[str, Any] = {**defaults, **request.body}
    path = None
    if asked["input"] is not None:
        asked["input"] = checked_input(asked["input"])
        identity = asked["input"].get("dataset", asked["input"].get("upload"))
        path = path_of(identity) if isinstance(identity, str) else None
    return document(asked, path)


def storage(request: Request) -> bytes:
    from heddle_server.services.compiling.storage_worker import storage_document

    return picture(storage_document, request, **PICTURE, entries=None)


def composition(request: Request) -> bytes:
    from heddle_server.services.compiling.composition_worker import composition_document

    return picture(composition_document, request, **PICTURE, entries=None, workers=4)


def tiles(request: Request) -> bytes:
    from heddle_server.services.compiling.tiles_worker import tiles_document

    return picture(tiles_document, request, **PICTURE, dimension=0)


def preview(request: Request) -> bytes:
    from heddle_server.services.compiling.preview_worker import preview_document

    return picture(preview_document, request)


def account(request: Request) -> bytes:
    from heddle_server.services.compiling.account_worker import account_document

    return account_document(canonical(request.body))


def bridge(request: Request) -> bytes:
    from heddle_server.services.compiling.bridge_worker import bridge_document

    return bridge_document(canonical(request.body))


def checked_input(document: dict[str, Any]) -> dict[str, object]:
    """The input as a plan's reader understands it."""
    reader = Reader()
    checked = read_input(reader, document, "/input")
    try:
        reader.finish()
    except CompileError as error:
        raise bad_plan(error, "This is not a valid input") from None
    return checked


def of_plan(document: Callable[[dict[str, Any]], bytes]) -> Callable[[Request], bytes]:
    """Answers where the body is a plan."""
    return lambda request: document(canonical(request.body))


def trace(request: Request) -> bytes:
    return trace_document(canonical(request.body["plan"]), request.body.get("operands", {}))


def what_if(request: Request) -> bytes:
    body = request.body
    return what_if_document(canonical(body["plan"]), body["line"], body.get("text", "c"), body.get("operands", {}))


def explain(request: Request) -> bytes:
    from heddle_server.services.compiling.explanation_worker import explanation_document

    body, plan = request.body, plan_of(request.body["plan"])
    before = None if body.get("before") is None else canonical(body["before"])
    tiles = body.get("tiles", "scaled")
    if body.get("data", "operands") == "operands":
        return explanation_document(to_document(plan), before, body.get("operands", {}), {}, tiles)
    return explanation_document(to_document(plan), before, None, paths_of(plan), tiles)


def legal(request: Request) -> bytes:
    start = request.query.get("start", "0")
    if not start.isdecimal():
        detail = f"query.start: expected the number of a candidate, found {start[:60]!r}."
        raise ProblemError(422, "invalid-request", "The request is not valid", detail)
    return legal_document(canonical(request.body), request.query.get("command"), int(start))


def text_of_stage(request: Request) -> bytes:
    line, stage = request.query.get("line", "0"), request.query.get("stage")
    if stage is None or not line.isdecimal():
        detail = f"query: expected a stage and the number of a line, found {stage!r} and {line[:60]!r}."
        raise ProblemError(422, "invalid-request", "The request is not valid", detail)
    return text_document(canonical(request.body), stage, int(line))


def suggest(request: Request) -> bytes:
    from heddle.tuning.facts.described_machines import DESCRIBED, described_machine
    from heddle_server.services.compiling.suggestion_worker import suggestion_document

    plan = plan_of(request.body)
    machine = request.query.get("machine", DESCRIBED[0].name)
    if described_machine(machine) is None:
        names = " or ".join(known.name for known in DESCRIBED)
        detail = f"query.machine: expected {names}, found {machine[:60]!r}; the server's machine needs a server."
        raise ProblemError(422, "invalid-request", "The request is not valid", detail)
    unscheduled = to_document(replace(plan, schedule=()))
    return suggestion_document(unscheduled, paths_of(plan), cast("MachineName", machine))


def read_text(request: Request) -> bytes:
    return import_document(request.body["text"], canonical(request.body["plan"]))


def export(request: Request) -> bytes:
    from heddle_server.exports.registry import EXPORTS

    kind, document = request.body["kind"], canonical(request.body["plan"])
    paths = paths_of(parse_plan(document)) if EXPORTS[kind].measured else {}
    text = export_document(document, kind, paths).decode()
    return json_bytes({"name": EXPORTS[kind].file_name, "media_type": EXPORTS[kind].media_type, "text": text})


def lessons(request: Request) -> bytes:
    from heddle_server.lessons.course import course
    from heddle_server.lessons.views import summary_view

    return json_bytes([summary_view(lesson) for lesson in course()])


def lesson_of(identity: str) -> Lesson:
    from heddle_server.lessons.course import lesson_named

    lesson = lesson_named(identity)
    if lesson is None:
        raise ProblemError(404, "unknown-lesson", "Unknown lesson", f"There is no lesson {identity[:60]!r}.")
    return lesson


def show_lesson(request: Request) -> bytes:
    from heddle_server.lessons.views import lesson_view

    return json_bytes(lesson_view(lesson_of(request.names["lesson"]), int(request.query.get("seed", "0"))))


def check_task(request: Request) -> bytes:
    from heddle_server.services.compiling.lesson_worker import check_document

    lesson, body = lesson_of(request.names["lesson"]), request.body
    task = lesson.task(request.names["task"])
    if task is None:
        raise missing_error(
            "task", request.names["task"], f"The lesson has {', '.join(known.id for known in lesson.tasks)}."
        )
    plan = canonical(body["plan"])
    return check_document(lesson.id, task.id, plan, body.get("answers", {}), body.get("seed", 0), None)


ROUTES = (
    Route("POST", "/compile", of_plan(compile_document)),
    Route("POST", "/compile/text", text_of_stage),
    Route("POST", "/legal", legal),
    Route("POST", "/trace", trace),
    Route("POST", "/what-if", what_if),
    Route("POST", "/storage", storage),
    Route("POST", "/composition", composition),
    Route("POST", "/tiles", tiles),
    Route("POST", "/previews", preview),
    Route("POST", "/account", account),
    Route("POST", "/explanations", explain),
    Route("POST", "/suggest", suggest),
    Route("POST", "/bridge", bridge),
    Route("POST", "/fusion", of_plan(fusion_document)),
    Route("POST", "/imports", read_text),
    Route("POST", "/exports", export),
    Route("GET", "/lessons", lessons),
    Route("GET", "/lessons/{lesson}", show_lesson),
    Route("POST", "/lessons/{lesson}/tasks/{task}/check", check_task),
)
