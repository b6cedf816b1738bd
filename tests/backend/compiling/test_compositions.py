"""POST /composition: the example and inputs as sums of parts, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from heddle.runtime.tensors.coordinates import Entries
from heddle_server.services.compiling import composition_worker
from tests.backend.serving import Server

A = {"tensor": "A", "order": 2, "format": "hyb(2,1)"}


def ask(server: Server, **request: Any) -> dict[str, Any]:
    answer = server.client.post("/api/v1/composition", json={**A, **request})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_the_example_and_an_input_are_divided(server: Server) -> None:
    view = ask(server)
    assert [part["entries"] for part in view["stored"]["parts"]] == [3, 4]
    view = ask(server, input={"dataset": "karate"}, format="hyb(1,2,whole)", workers=3)
    assert view["source"] == "dataset karate"
    assert sum(part["entries"] for part in view["stored"]["parts"]) == 156
    assert len(view["stored"]["load"]["together"]) == 3


def test_a_format_or_data_that_does_not_fit_is_answered_with_its_reason(server: Server) -> None:
    assert ask(server, format="hyb(2)")["diagnostics"][0]["code"] == "format/hyb"
    assert ask(server, input={"dataset": "small3"})["ok"] is False


def test_a_bad_request_is_a_problem(server: Server) -> None:
    for wrong in ({"workers": 0}, {"workers": 65}, {"order": -1}):
        assert server.client.post("/api/v1/composition", json={**A, **wrong}).status_code == 422


def test_the_quantities_of_tests_are_listed(server: Server) -> None:
    listed = server.client.get("/api/v1/quantities").json()
    assert {
        "name": "tile",
        "spelled": "tile(a,b)",
        "summary": "how many entries its tile of a × b has",
    }.items() <= next(one for one in listed if one["name"] == "tile").items()
    assert {one["name"] for one in listed if not one["matrices"]} >= {"length", "slot", "count"}


def test_data_that_is_asked_for_again_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever drags the edge of a bucket asks for one matrix in format after format."""
    read: list[str] = []
    requested = composition_worker.requested_entries

    def counted(tensor: str, order: int, dtype: str, request: Mapping[str, Any], path: str | None) -> Entries:
        read.append(tensor)
        return requested(tensor, order, dtype, request, path)

    monkeypatch.setattr(composition_worker, "requested_entries", counted)
    given = {"generator": "uniform", "shape": [60, 50], "nnz": 400, "seed": 3}
    request = {**A, "dtype": "float64", "input": given, "entries": None, "workers": 4}
    formats = ["hyb(1,1)", "hyb(1,2)", "hyb(4,2)", "bcsr(2,2) where tile(2,2) >= 3 + csr"]
    alone = []
    for format in formats:
        composition_worker.forget()
        alone.append(composition_worker.composition_document({**request, "format": format}, None))
    composition_worker.forget()
    read.clear()
    together = [composition_worker.composition_document({**request, "format": format}, None) for format in formats]
    assert together == alone
    assert read == ["A"]
    other = {**request, "input": {**given, "seed": 4}}
    assert composition_worker.composition_document(other, None) != together[0]
    assert read == ["A", "A"]


def test_launches_before_and_after_fusion(server: Server) -> None:
    plan = {
        "expression": "C(i,k) = A(i,j) * B(j,k)",
        "tensors": {"A": {"format": "hyb(2,1)"}},
        "target": "opencl",
        "schedule": [],
    }
    view = server.client.post("/api/v1/fusion", json=plan).json()
    assert (len(view["separate"]), len(view["fused"]), view["adds_up"]) == (2, 1, True)
    view = server.client.post("/api/v1/fusion", json={**plan, "target": "c"}).json()
    assert view["diagnostics"][0]["code"] == "fusion/none"
