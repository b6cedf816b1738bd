"""POST /storage: pictures of the example, of inputs and of given entries, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from heddle_server.services.compiling.storage_worker import expected_entries
from tests.backend.http.test_problems import problem
from tests.backend.serving import Server

A = {"tensor": "A", "order": 2, "format": "csr"}


def ask(server: Server, **request: Any) -> dict[str, Any]:
    answer = server.client.post("/api/v1/storage", json={**A, **request})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_the_running_example_is_shown_when_no_data_is_named(server: Server) -> None:
    view = ask(server)
    assert (view["ok"], view["source"]) == (True, "running example, 4 × 6")
    assert view["stored"]["arrays"][0]["values"] == [0, 2, 2, 5, 7]
    assert view == ask(server)


def test_an_input_of_the_plan_is_read(server: Server) -> None:
    view = ask(server, input={"dataset": "karate"}, format="csc")
    assert view["source"] == "dataset karate"
    assert (view["stored"]["shape"], view["stored"]["entries"]) == ([34, 34], 156)
    assert view["stored"]["density"]["row_step"] == 2
    generated = ask(server, input={"generator": "uniform", "shape": [5, 7], "nnz": 9, "seed": 1})
    assert (generated["source"], generated["stored"]["entries"]) == ("generator uniform", 9)
    dense = ask(server, input={"generator": "dense", "shape": [2, 3]}, format="dense")
    assert all(leaf["entry"] for leaf in dense["stored"]["leaves"])


def test_given_entries_are_added_up_and_typed(server: Server) -> None:
    entries = {"shape": [2, 3], "coordinates": [[1, 2], [0, 0], [1, 2]], "values": [1, 4, 2]}
    view = ask(server, entries=entries, dtype="int32")
    assert [array["values"] for array in view["stored"]["arrays"]] == [[0, 1, 2], [0, 2], [4, 3]]
    assert view["stored"]["arrays"][2]["bytes"] == 8
    halves = {"shape": [1, 1], "coordinates": [[0, 0]], "values": [0.5]}
    assert ask(server, entries=halves, dtype="int32")["diagnostics"][0]["code"] == "input/not-whole"


@pytest.mark.parametrize(
    ("request_", "code", "message"),
    [
        ({"format": "csx"}, "format/unknown", "there is no format `csx`"),
        ({"input": {"dataset": "small3"}}, "runtime/order-mismatch", "A has 3 dimensions, but its format stores 2"),
        (
            {"input": {"generator": "uniform"}},
            "storage/unknown-size",
            "The generator of A does not say how large A is.",
        ),
        (
            {"input": {"generator": "dense", "shape": [9999, 9999]}},
            "storage/too-large",
            "The input of A has 99,980,001 entries, too many to show how they are stored.",
        ),
        (
            {"input": {"generator": "none", "shape": [2, 2]}},
            "input/unknown-generator",
            "The input of A is the generator none, which does not exist",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and "/" in value else "",
)
def test_what_cannot_be_shown_is_answered_with_diagnostics(
    server: Server, request_: dict[str, Any], code: str, message: str
) -> None:
    view = ask(server, **request_)
    assert (view["ok"], view["stored"]) == (False, None)
    assert view["diagnostics"][0]["code"] == code
    assert message in view["diagnostics"][0]["message"]


@pytest.mark.parametrize(
    ("request_", "status", "title", "detail"),
    [
        ({"tensor": "A;"}, 422, "The request is not valid", "body.tensor"),
        ({"order": 10}, 422, "The request is not valid", "body.order"),
        (
            {"entries": {"shape": [2, 2], "coordinates": [[0, 2]], "values": [1]}},
            422,
            "The request is not valid",
            "entry 0 has coordinates [0, 2] outside the shape [2, 2]",
        ),
        (
            {"input": {}, "entries": {"shape": [], "coordinates": [], "values": []}},
            422,
            "The request is not valid",
            "the data is either an input or entries, found both",
        ),
        ({"input": {}}, 400, "This is not a valid input", "an input needs exactly one of"),
        ({"input": {"dataset": "nowhere"}}, 400, "Unknown dataset", "'nowhere', which is not here"),
    ],
)
def test_bad_requests_are_problems(
    server: Server, request_: dict[str, Any], status: int, title: str, detail: str
) -> None:
    answer = server.client.post("/api/v1/storage", json={**A, **request_})
    assert detail in problem(answer, status, title)


@pytest.mark.parametrize(
    ("given", "shape", "count"),
    [
        ({"generator": "banded", "bandwidth": 2}, (100, 100), 500),
        ({"generator": "uniform"}, (30, 40), 1200),
        ({"generator": "uniform", "nnz": 7}, (30, 40), 7),
        ({"generator": "rmat"}, (1000, 1000), 65536),
        ({"generator": "dense", "seed": 3}, (), 1),
    ],
)
def test_generated_entries_are_counted_before_they_are_made(
    given: dict[str, Any], shape: tuple[int, ...], count: int
) -> None:
    assert expected_entries(given, shape) == count
