"""POST /tiles: cuts of the example and of inputs, and what is refused."""

from __future__ import annotations

from typing import Any

from tests.backend.serving import Server

A = {"tensor": "A", "order": 2, "format": "csr", "cut": "coordinate", "size": 2}


def ask(server: Server, **request: Any) -> dict[str, Any]:
    answer = server.client.post("/api/v1/tiles", json={**A, **request})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_the_example_and_an_input_are_cut(server: Server) -> None:
    assert ask(server)["tiling"]["loads"] == [2, 5]
    view = ask(server, input={"dataset": "karate"}, size=4)
    assert (view["source"], view["shape"], view["nonzeros"]) == ("dataset karate", [34, 34], 156)
    assert sum(view["tiling"]["loads"]) == 156


def test_data_of_another_order_is_refused_with_a_reason(server: Server) -> None:
    view = ask(server, input={"dataset": "small3"})
    assert view["diagnostics"][0]["code"] == "tiles/order"


def test_a_bad_request_is_a_problem(server: Server) -> None:
    for wrong in ({"size": 0}, {"cut": "diagonal"}, {"order": 0}):
        assert server.client.post("/api/v1/tiles", json={**A, **wrong}).status_code == 422
    unknown = server.client.post("/api/v1/tiles", json={**A, "input": {"dataset": "nowhere"}})
    assert unknown.status_code == 400
