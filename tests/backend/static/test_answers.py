"""The answers of a folder: the same as the service's, in the browser's Python as well."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest

from heddle.tuning.facts import program
from heddle_server.exports.registry import EXPORTS
from heddle_server.lessons.course import course
from heddle_server.schema.pictures.composition import CompositionRequest
from heddle_server.schema.pictures.explanation import ExplanationRequest
from heddle_server.schema.pictures.preview import PreviewRequest
from heddle_server.schema.pictures.storage import StorageRequest
from heddle_server.schema.pictures.tiles import TilesRequest
from heddle_server.services.catalogue import read_examples
from heddle_server.static import answers
from heddle_server.static.answers import PICTURE, ROUTES, answer, data_files
from heddle_server.static.stored_answers import FIRST_PLAN, stored_answers
from tests.backend.serving import ROOT, Server
from tests.backend.static.conftest import BrowserPython

pytestmark = pytest.mark.takes_turns(4)

SPMV: dict[str, Any] = {
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "inputs": {"A": {"dataset": "karate"}},
}
TENSOR = {"tensor": "A", "order": 2, "format": "csc"}
KARATE = {"input": {"dataset": "karate"}}
LESSON = "/lessons/what-a-format-stores"
EXAMPLES: dict[str, dict[str, Any]] = {example["id"]: {**example["plan"]} for example in read_examples()}


def requests_of(plan: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """All that the page asks of a plan alone; a suggestion is asked for a machine that is described."""
    for path in ("/compile", "/compile/text?stage=c&line=3", "/legal", "/account", "/bridge", "/fusion"):
        yield "POST", path, plan
    yield "POST", "/trace", {"plan": plan}
    yield "POST", "/what-if", {"plan": plan, "line": 9}
    yield "POST", "/suggest?machine=x86-64", {name: value for name, value in plan.items() if name != "inputs"}
    yield "POST", "/explanations", {"plan": plan}
    yield "POST", "/imports", {"text": "reorder(i, j)", "plan": plan}
    for kind, export in EXPORTS.items():
        if not export.measured:
            yield "POST", "/exports", {"plan": plan, "kind": kind}


def requests_of_data() -> Iterator[tuple[str, str, Any]]:
    yield "POST", "/storage", TENSOR
    yield "POST", "/storage", TENSOR | KARATE
    yield "POST", "/storage", TENSOR | {"input": {"generator": "uniform"}}
    yield "POST", "/composition", TENSOR | {"format": "hyb(1,2)"} | KARATE
    yield "POST", "/composition", TENSOR
    yield "POST", "/tiles", TENSOR | {"cut": "coordinate", "size": 2}
    yield "POST", "/tiles", TENSOR | {"cut": "nonzero-position", "size": 8} | KARATE
    yield "POST", "/previews", {"tensor": "A", "order": 2} | KARATE
    yield "POST", "/explanations", {"plan": SPMV, "data": "input"}
    yield "POST", "/suggest?machine=browser", SPMV
    yield "POST", "/exports", {"plan": SPMV, "kind": "python"}
    yield "GET", "/lessons", None
    yield "GET", f"{LESSON}?seed=3", None


def without_times(view: Any) -> Any:
    """Without what differs from one answer to the next."""
    if isinstance(view, list):
        return [without_times(one) for one in view]
    if isinstance(view, dict):
        return {name: without_times(one) for name, one in view.items() if name not in ("milliseconds", "instance")}
    return view


OF_LIBRARIES = re.compile(r"\b(exp|expm1|log|log1p|sin|cos|tan|tanh|pow|sigmoid)\(")
"""Functions whose last digits are those of the mathematical library: NumPy's vectors here, musl in the browser."""
CLOSE = {"float64": 1e-12, "float32": 5e-7}
"""The relative difference of two values that such functions were computed for: four units in the last place of float32,
of which one was seen to differ by 1.4e-7 (tc-softmax, AVX-512)."""


def closeness(plan: dict[str, Any], path: str) -> float:
    """How much floats of an answer may differ: nothing, but in runs that call functions of a library."""
    if path != "/trace" or OF_LIBRARIES.search(plan["expression"]) is None:
        return 0.0
    narrow = re.search(r"\b(float(32)?|f32)\b", json.dumps(plan))  # `float` is what tensor comprehensions call float32
    return CLOSE["float32" if narrow else "float64"]


def differences(left: Any, right: Any, relative: float, place: str = "") -> list[str]:
    """Where two documents differ; floats that are as close as ``relative`` do not."""
    match left, right:
        case (dict(), dict()) if left.keys() == right.keys():
            return [text for key in left for text in differences(left[key], right[key], relative, f"{place}/{key}")]
        case (list(), list()) if len(left) == len(right):
            pairs = enumerate(zip(left, right, strict=True))
            return [text for at, (a, b) in pairs for text in differences(a, b, relative, f"{place}/{at}")]
        case (float(), float()) if math.isclose(left, right, rel_tol=relative):
            return []
    return [] if type(left) is type(right) and left == right else [f"{place}: {left!r:.200}, expected {right!r:.200}"]


def here(method: str, path: str, body: Any) -> tuple[int, Any]:
    status, text = answer(method, path, None if body is None else json.dumps(body))
    return status, without_times(json.loads(text))


def test_routes_are_part_of_the_described_api() -> None:
    described = json.loads((ROOT / "backend/heddle_server/openapi.json").read_text(encoding="utf-8"))["paths"]
    assert [route for route in ROUTES if route.method.lower() not in described.get(f"/api/v1{route.path}", {})] == []


def test_every_route_is_compared_with_the_service() -> None:
    asked = [path.partition("?")[0] for _, path, _ in [*requests_of(SPMV), *requests_of_data()]]
    unasked = [route.path for route in ROUTES if not any(route.names_in(path) is not None for path in asked)]
    assert unasked == ["/lessons/{lesson}/tasks/{task}/check"]  # which is asked of every task


def test_what_a_request_leaves_out_is_what_the_service_takes() -> None:
    for model in (StorageRequest, CompositionRequest, TilesRequest):
        assert {name: model.model_fields[name].default for name in PICTURE} == PICTURE
    assert CompositionRequest.model_fields["workers"].default == 4
    assert CompositionRequest.model_fields["entries"].default is None
    assert TilesRequest.model_fields["dimension"].default == 0
    assert all(field.is_required() for field in PreviewRequest.model_fields.values())
    defaults = {name: ExplanationRequest.model_fields[name].default for name in ("before", "data", "tiles")}
    assert defaults == {"before": None, "data": "operands", "tiles": "scaled"}


def test_answers_are_those_of_the_service(server: Server) -> None:
    submission = {"plan": SPMV, "answers": {}, "seed": 3}
    (task, *_) = json.loads(answer("GET", "/lessons", None)[1])[0]["tasks"]
    check = ("POST", f"{LESSON}/tasks/{task}/check", submission)
    broken = [("POST", "/compile", {"expression": 3}), ("POST", "/compile", {"expression": "y(i) = "})]
    unknown = [("GET", "/lessons/none", None), ("POST", "/exports", {"plan": {"expression": "y("}, "kind": "c"})]
    for method, path, body in [*requests_of(SPMV), *requests_of_data(), check, *broken, *unknown]:
        reply = server.client.request(method, f"/api/v1{path}", json=body)
        assert here(method, path, body) == (reply.status_code, without_times(reply.json())), path


NO_MACHINE = {
    "collections": [],
    "suggestion_machines": [
        {"name": "x86-64", "title": "x86-64, 8 threads"},
        {"name": "browser", "title": "this browser"},
    ],
    "machine": None,
    "machines": [],
    "no_assembly": "Machine code needs a Heddle server: it is compiled on a machine.",
}
"""What the catalogue of a folder says, where a service names its machines."""


def builtin(datasets: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without what visitors uploaded, such as other tests that ask the same service."""
    return [dataset for dataset in datasets if dataset["origin"] == "builtin"]


def test_stored_answers_are_those_of_the_service(server: Server) -> None:
    """But for what is known of a machine: how long a run takes there, and what was measured on it."""
    seen: set[str] = set()
    for stored in stored_answers():
        kind = re.sub(r"^(/experiments/)[^/]+", r"\1{id}", stored.path)
        if kind in seen:  # figures of other experiments come about alike
            continue
        seen.add(kind)
        reply = server.client.request(stored.method, f"/api/v1{stored.path}", json=stored.body).json()
        known = without_times(json.loads(stored.text))
        if stored.path == "/collections":
            assert known == []
        elif stored.path == "/suggest/machines":
            assert [{"name": "server", "title": "the server's machine"}, *known] == reply
        elif stored.path == "/catalogue":
            assert known == without_times(reply) | NO_MACHINE | {"datasets": builtin(reply["datasets"])}
        elif stored.path == "/datasets":
            assert known == builtin(reply)
        elif stored.path == "/experiments":
            timed = [{name: value for name, value in one.items() if name != "seconds_per_run"} for one in reply]
            assert known == timed
        else:
            assert known == without_times(reply), stored.path


def test_other_requests_say_what_they_need_and_how_to_have_it() -> None:
    for method, path, subject in (
        ("POST", "/runs", "A run that is timed"),
        ("GET", "/machines", "What a machine can do"),
        ("POST", "/links", "A short link"),
        ("POST", "/datasets", "An upload or a download"),
        ("DELETE", "/compile", "DELETE /compile"),
    ):
        status, problem = here(method, path, None)
        assert (status, problem["type"], problem["status"]) == (501, "urn:heddle:problem:needs-server", 501)
        assert problem["detail"].startswith(f"{subject} needs a Heddle server; this page is a folder of files.")
        assert "`heddle serve` starts one on your machine" in problem["detail"]
        assert problem["command"] == "heddle serve"


def test_data_that_is_not_in_the_folder_needs_a_server() -> None:
    upload = {"input": {"upload": f"sha256:{'0' * 64}"}}
    assert here("POST", "/storage", TENSOR | upload)[0] == 501
    assert here("POST", "/suggest", SPMV | {"inputs": {"A": {"dataset": "ssgetmatrix"}}})[0] == 501


def test_a_schedule_is_chosen_for_a_machine_that_is_named() -> None:
    machines = next(json.loads(stored.text) for stored in stored_answers() if stored.path == "/suggest/machines")
    assert [machine["name"] for machine in machines] == ["x86-64", "browser"]
    status, usual = here("POST", "/suggest", SPMV)
    assert (status, usual["reasons"][0]) == (200, "For a machine of the class x86-64-v3.")
    assert here("POST", "/suggest?machine=x86-64", SPMV) == (200, usual)
    skewed = SPMV | {"inputs": {"A": {"generator": "rmat", "shape": [4096, 4096], "nnz": 80_000, "seed": 7}}}
    shared = here("POST", "/suggest?machine=x86-64", skewed)[1]["schedule"]
    assert any("CPUThread" in command for command in shared)
    alone = here("POST", "/suggest?machine=x86-64", skewed | {"run": {"threads": 1}})[1]["schedule"]
    browser = here("POST", "/suggest?machine=browser", skewed)[1]
    for schedule in (alone, browser["schedule"]):
        assert not any("CPUThread" in command for command in schedule)
    assert browser["reasons"][0] == "For a browser: one thread, vectors of 16 bytes, no gathers."
    status, problem = here("POST", "/suggest?machine=server", SPMV)
    assert (status, problem["type"]) == (422, "urn:heddle:problem:invalid-request")
    assert problem["detail"] == (
        "query.machine: expected x86-64 or browser, found 'server'; the server's machine needs a server."
    )


def test_formats_are_chosen_for_the_machine_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "this_machine", Mock(side_effect=AssertionError("this machine was asked")))
    (offer,) = here("POST", "/suggest?machine=x86-64", EXAMPLES["mttkrp"])[1]["formats"]
    assert (offer["tensor"], offer["format"]) == ("B", "csl")
    assert "Not measured" not in offer["reason"]


def test_a_defect_is_said_to_be_one() -> None:
    status, problem = here("POST", "/trace", {})
    assert (status, problem["title"]) == (500, "Internal error")
    assert problem["detail"].startswith("POST /trace failed inside Heddle: KeyError: 'plan' This is a defect in Heddle")


def test_data_that_an_answer_reads_is_fetched_before(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    path_of = answers.path_of

    def watched(identity: str) -> str:
        read.append(identity)
        return path_of(identity)

    monkeypatch.setattr(answers, "path_of", watched)
    reading: set[str] = set()
    for method, path, body in [*requests_of(SPMV), *requests_of_data()]:
        read.clear()
        here(method, path, body)
        if read:
            reading.add(path.partition("?")[0])
            assert data_files(path, json.dumps(body)) == ["karate.mtx"], path
    assert reading == answers.OF_DATA


def test_only_data_that_a_request_names_is_fetched() -> None:
    assert data_files("/suggest", json.dumps(SPMV)) == ["karate.mtx"]
    assert data_files("/suggest?machine=browser", json.dumps(SPMV)) == ["karate.mtx"]
    assert data_files("/compile", json.dumps(SPMV)) == []
    assert data_files("/storage", json.dumps({"dataset": "of no such name"})) == []
    assert data_files("/lessons/x?seed=1", None) == []


@pytest.mark.combinations(40)
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_in_the_browser(example: str, browser_python: BrowserPython) -> None:
    for method, path, body in requests_of(EXAMPLES[example]):
        status, view = browser_python.answer(method, path, body)
        wanted_status, wanted = here(method, path, body)
        assert status == wanted_status, path
        assert differences(without_times(view), wanted, closeness(EXAMPLES[example], path)) == [], path


ROOM = 1 << 30
"""A browser has an index of 32 bits: what needs more bytes than this may be refused there, and counted by a service."""


def footprints_apart(left: dict[str, Any], right: dict[str, Any]) -> list[str]:
    """Where two pictures of storage differ, but for footprints that a browser has no room for."""
    rows = list(zip(left.pop("footprints"), right.pop("footprints"), strict=True))
    counted = [(a, b) for a, b in rows if a["reason"] is None]
    refused = [b for a, b in rows if a["reason"] is not None]
    small = [f"{b['format']} has room" for b in refused if b["reason"] is None and b["bytes"] < ROOM]
    return small + differences([left, [a for a, _ in counted]], [right, [b for _, b in counted]], 0.0)


@pytest.mark.combinations(40)
@pytest.mark.parametrize("example", [name for name, plan in EXAMPLES.items() if plan.get("inputs")])
def test_the_data_of_an_example_in_the_browser(example: str, browser_python: BrowserPython) -> None:
    plan = EXAMPLES[example]
    for machine in ("x86-64", "browser"):
        path = f"/suggest?machine={machine}"
        assert browser_python.answer("POST", path, plan) == here("POST", path, plan)
    for tensor, spec in plan.get("tensors", {}).items():
        source = plan["inputs"].get(tensor)
        access = re.search(rf"\b{tensor}\(([^()]*)\)", plan["expression"])
        if source is not None and access is not None and "format" in spec:
            body = {"tensor": tensor, "order": access[1].count(",") + 1, "format": spec["format"], "input": source}
            status, view = browser_python.answer("POST", "/storage", body)
            wanted_status, wanted = here("POST", "/storage", body)
            assert status == wanted_status
            assert footprints_apart(without_times(view), wanted) == []


def test_a_footprint_that_has_room_is_counted_in_the_browser() -> None:
    def view(*bytes_of: int | None) -> dict[str, Any]:
        rows = [{"format": "f", "bytes": size, "reason": "no room" if size is None else None} for size in bytes_of]
        return {"ok": True, "footprints": rows}

    assert footprints_apart(view(8, None, None), view(8, 5 * ROOM, None)) == []
    assert footprints_apart(view(None), view(8)) == ["f has room"]
    assert footprints_apart(view(9), view(8)) == ["/1/0/bytes: 9, expected 8"]


def test_floats_may_differ_in_last_digits_and_nothing_else_may() -> None:
    assert differences({"a": [1.0, "x", 3]}, {"a": [1.0 + 1e-13, "x", 3]}, 1e-12) == []
    assert differences({"a": [1.0]}, {"a": [1.0 + 1e-11]}, 1e-12) == ["/a/0: 1.0, expected 1.00000000001"]
    assert differences([1.0, 3, "1.0"], [1, 3.0, "1.00"], 1.0) != []
    assert len(differences([1.0, 3, "1.0"], [1, 4, "1.00"], 1.0)) == 3
    assert differences([1], [1, 2], 1.0) == [": [1], expected [1, 2]"]
    calling = {name for name, plan in EXAMPLES.items() if closeness(plan, "/trace") > 0}
    assert "tc-softmax" in calling
    assert closeness(EXAMPLES["tc-softmax"], "/compile") == 0


@pytest.mark.combinations(40)
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("lesson", [lesson.id for lesson in course()])
def test_a_lesson_in_the_browser(lesson: str, seed: int, browser_python: BrowserPython) -> None:
    """Its data, and what its checks say of the plans that its tasks start from."""
    status, view = browser_python.answer("GET", f"/lessons/{lesson}?seed={seed}")
    assert (status, view) == here("GET", f"/lessons/{lesson}?seed={seed}", None)
    for task in (block["task"] for block in view["blocks"] if block["task"] is not None):
        path, body = f"/lessons/{lesson}/tasks/{task['id']}/check", {"plan": task["plan"], "seed": seed}
        status, verdict = browser_python.answer("POST", path, body)
        assert (status, without_times(verdict)) == here("POST", path, body), path


def test_data_in_the_browser(browser_python: BrowserPython) -> None:
    for method, path, body in requests_of_data():
        status, view = browser_python.answer(method, path, body)
        assert (status, without_times(view)) == here(method, path, body), path
    assert browser_python.answer("POST", "/compile", dict(FIRST_PLAN))[1]["ok"]
    assert browser_python.answer("POST", "/suggest", SPMV) == here("POST", "/suggest", SPMV)
    assert browser_python.answer("POST", "/runs", SPMV)[0] == 501
