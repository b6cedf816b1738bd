"""Every refusal is a problem document that says what was expected and what was found."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.backend.serving import Server, plan

JSON = {"Content-Type": "application/json"}


def problem(answer: httpx.Response, status: int, title: str) -> str:
    """Checks the form of a problem document and returns its detail."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    document = answer.json()
    assert set(document) - {"diagnostics"} == {"type", "title", "status", "detail", "instance"}
    assert document["status"] == status
    assert document["title"] == title
    assert document["type"].startswith("urn:heddle:problem:")
    return str(document["detail"])


@pytest.mark.parametrize("path", ["/api/v1/nope", "/nope/nope", "/assets/nope.js", "/nope.txt", "/s", "/s/a/b"])
def test_an_unknown_address(server: Server, path: str) -> None:
    assert f"Nothing is served at {path}." in problem(server.client.get(path), 404, "Not Found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/api/v1/compile", "POST"),
        ("DELETE", "/api/v1/commands", "GET"),
        ("PATCH", "/api/v1/links/x", "GET, DELETE"),
        ("OPTIONS", "/api/v1/datasets", "GET, PUT"),
        ("PUT", "/api/v1/runs/x", "GET, DELETE"),
    ],
)
def test_a_method_that_is_not_possible(server: Server, method: str, path: str, allowed: str) -> None:
    detail = problem(server.client.request(method, path), 405, "Method Not Allowed")
    assert detail == f"{method} is not possible here; this address accepts {allowed}."


@pytest.mark.parametrize("kind", ["run", "link"])
@pytest.mark.parametrize(
    "identity", ["nope", "..%2f..%2fetc%2fpasswd", "%00", "%ED%A0%80", "%ff", "a%0d%0aX-Evil:%201", "☃", "' OR 1=1 --"]
)
def test_an_unknown_identity(server: Server, kind: str, identity: str) -> None:
    answer = server.client.get(f"/api/v1/{kind}s/{identity}")
    if "%2f" in identity:  # A slash ends the identity: no such address.
        problem(answer, 404, "Not Found")
    else:
        assert problem(answer, 404, f"No such {kind}").startswith(f"There is no {kind} ")
    assert "x-evil" not in answer.headers


def test_events_and_figures_of_an_unknown_run(server: Server) -> None:
    problem(server.client.get("/api/v1/runs/nope/events"), 404, "No such run")
    problem(server.client.get("/api/v1/runs/nope/figures/speedup"), 404, "No such run")
    problem(server.client.delete("/api/v1/runs/nope"), 404, "No such run")


def test_an_unknown_figure_names_those_there_are(server: Server) -> None:
    run_id = server.run(plan())
    figures = server.wait(run_id)["figures"]
    detail = problem(server.client.get(f"/api/v1/runs/{run_id}/figures/nope"), 404, "No such figure")
    assert all(name in detail for name in figures)


def test_a_body_that_is_not_json(server: Server) -> None:
    answer = server.client.post("/api/v1/compile", content=b"{", headers=JSON)
    assert "JSON decode error" in problem(answer, 422, "The request is not valid")


def test_a_body_that_is_not_text(server: Server) -> None:
    answer = server.client.post("/api/v1/compile", content=b"\xff\xfe\xfd", headers=JSON)
    problem(answer, 400, "Bad Request")


def test_a_missing_body(server: Server) -> None:
    answer = server.client.post("/api/v1/runs", headers=JSON)
    assert "body: Field required" in problem(answer, 422, "The request is not valid")


@pytest.mark.parametrize("path", ["/api/v1/compile", "/api/v1/runs"])
@pytest.mark.parametrize(
    ("document", "text", "pointer"),
    [
        ([], "", ""),
        ({}, "expression", "/expression"),
        ({"expression": 3}, "expression", "/expression"),
        ({**plan(), "version": 99}, "99", "/version"),
        ({**plan(), "colour": "red"}, "colour", "/colour"),
        ({**plan(), "inputs": {"A": {"dataset": "../../etc/passwd"}}}, "dataset", "/inputs/A/dataset"),
        ({**plan(), "inputs": {"A": {"upload": "sha256:../../x"}}}, "upload", "/inputs/A/upload"),
    ],
)
def test_a_document_that_is_no_plan(server: Server, path: str, document: Any, text: str, pointer: str) -> None:
    answer = server.client.post(path, json=document)
    assert text in problem(answer, 400, "This is not a valid plan")
    assert pointer in [diagnostic["location"]["path"] for diagnostic in answer.json()["diagnostics"]]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v1/compile", rb'{"expression": "y\ud800(i) = x(i)"}'),
        ("/api/v1/runs", rb'{"expression": "y(i) = x(i)", "colour\ud800": 1}'),
        ("/api/v1/links", rb'{"plan": {"expression": "y(i) = x(i)", "target": "\udfff"}}'),
    ],
)
def test_half_a_character_is_no_text(server: Server, path: str, body: bytes) -> None:
    answer = server.client.post(path, content=body, headers=JSON)
    assert "half of a surrogate pair" in problem(answer, 400, "This is not a valid plan")


def test_half_a_character_in_an_identity_is_no_text(server: Server) -> None:
    body = rb'{"plan": {"expression": "y(i) = x(i)"}, "run_id": "\ud800"}'
    answer = server.client.post("/api/v1/links", content=body, headers=JSON)
    assert "body.run_id" in problem(answer, 422, "The request is not valid")


def test_a_plan_sent_as_a_form_is_refused(server: Server) -> None:
    # A foreign page can send such a request without asking first.
    answer = server.client.post(
        "/api/v1/compile", content=b'{"expression": "a = b"}', headers={"Content-Type": "text/plain"}
    )
    assert "Content-Type: application/json" in problem(answer, 415, "Unsupported Media Type")


def test_a_body_that_announces_too_much(server: Server) -> None:
    answer = server.client.post("/api/v1/compile", content=b" " * 65_537, headers=JSON)
    assert "at most 65,536 bytes" in problem(answer, 413, "Content Too Large")


def test_a_body_that_turns_out_too_large(server: Server) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(20):
            yield b" " * 4096

    answer = server.client.post("/api/v1/compile", content=chunks(), headers=JSON)
    assert "at most 65,536 bytes" in problem(answer, 413, "Content Too Large")


@pytest.mark.parametrize("name", ["a\u202extm.mtx", "a\u2066.mtx", "a\u200f.mtx", "a\x85.mtx"])
def test_a_name_that_would_look_like_another_is_refused(server: Server, name: str) -> None:
    """U+202E turns the rest of a line around: it would show a.mtx where another name is kept."""
    answer = server.client.put("/api/v1/datasets", params={"name": name}, content=b"x")
    problem(answer, 422, "This is not a valid file name")


def test_header_injection_in_a_name_reaches_nothing(server: Server) -> None:
    answer = server.client.put("/api/v1/datasets", params={"name": "a\r\nX-Evil: 1.mtx"}, content=b"x")
    assert "without control characters" in problem(answer, 422, "This is not a valid file name")
    assert "x-evil" not in answer.headers


def test_a_foreign_host_name_is_refused(server: Server) -> None:
    answer = server.client.get("/api/v1/version", headers={"Host": "evil.example"})
    assert "answers to 127.0.0.1" in problem(answer, 421, "Unknown host name")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:9"])
def test_local_host_names_are_accepted(server: Server, host: str) -> None:
    assert server.client.get("/api/v1/version", headers={"Host": host}).status_code == 200


def test_garbage_on_the_wire_leaves_the_service_up(server: Server) -> None:
    for noise in (
        b"\x00" * 1000,
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/v1/runs HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
            connection.sendall(noise)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(4096)
    assert server.client.get("/healthz").json() == {"status": "ok"}
