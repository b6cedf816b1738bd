"""Answers have a bounded size: what is not looked at is asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from heddle.explorer.views import legal
from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec, parse_plan, to_document
from heddle_server.services.compiling.compile_worker import (
    compile_document,
    legal_document,
    text_document,
    trace_document,
)
from heddle_server.static.answers import answer
from tests.backend.serving import Server

EXAMPLES = sorted((Path(__file__).resolve().parents[3] / "backend/heddle_server/examples").glob("*.json"))
LARGEST_LEGAL, LARGEST = 200_000, 500_000


def summed(count: int, term: str, whole: str, format: str, result: str | None = None) -> dict[str, Any]:
    names = [f"B{number}" for number in range(count)]
    tensors = {name: TensorSpec(format) for name in names}
    if result is not None:
        tensors["A"] = TensorSpec(result)
    return to_document(Plan(whole.format(" + ".join(term.format(name) for name in names)), tensors))


MERGES = {
    "16 csr": summed(16, "{}(i,j)", "A(i,j) = {}", "csr", "csr"),
    "4 csf": summed(4, "{}(i,j,k)", "A(i,j,k) = {}", "csf", "csf"),
}
TERMS = summed(8, "{}(i,j) * x(j)", "y(i) = {}", "csr")
"""A program with far more candidates than an answer has room for."""


@pytest.mark.parametrize("plan", MERGES.values(), ids=MERGES)
def test_answers_of_large_merges_are_bounded(plan: dict[str, Any]) -> None:
    assert len(compile_document(plan)) <= LARGEST
    assert len(legal_document(plan)) <= LARGEST_LEGAL


@pytest.mark.combinations(12)
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_answers_of_examples_are_bounded(file: Path) -> None:
    plan = to_document(parse_plan(json.loads(file.read_text())["plan"]))
    assert len(compile_document(plan)) <= LARGEST
    assert len(legal_document(plan)) <= LARGEST_LEGAL


def test_a_program_with_far_more_candidates_than_there_is_room_for() -> None:
    listed = legal_document(TERMS)
    assert LARGEST_LEGAL / 2 < len(listed) <= LARGEST_LEGAL
    groups = json.loads(listed)["commands"]
    assert any(group["left_out"] for group in groups)
    assert all(group["candidates"] for group in groups if group["left_out"])


def test_what_has_no_room_is_listed_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = summed(2, "{}(i,j) * x(j)", "y(i) = {}", "csr")
    whole = {group["name"]: group["candidates"] for group in json.loads(legal_document(plan))["commands"]}
    monkeypatch.setattr(legal, "MOST_BYTES", 4_000)
    groups = {group["name"]: group for group in json.loads(legal_document(plan))["commands"]}
    listed = groups["balance"]["candidates"]
    assert 0 < len(listed) < len(whole["balance"]) == len(listed) + groups["balance"]["left_out"]
    while len(listed) < len(whole["balance"]):
        (group,) = json.loads(legal_document(plan, "balance", len(listed)))["commands"]
        assert group["candidates"]
        listed += group["candidates"]
        assert group["left_out"] == len(whole["balance"]) - len(listed)
    assert listed == whole["balance"]


def test_service_and_folder_list_one_command(server: Server) -> None:
    plan = {"expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}}
    asked = "/legal?command=split&start=1"
    view = server.client.post(f"/api/v1{asked}", json=plan).json()
    assert [group["name"] for group in view["commands"]] == ["split"]
    assert view["goals"] == []
    whole = server.client.post("/api/v1/legal", json=plan).json()
    (split,) = (group for group in whole["commands"] if group["name"] == "split")
    assert view["commands"][0]["candidates"] == split["candidates"][1:]
    status, text = answer("POST", asked, json.dumps(plan))
    assert (status, json.loads(text)["commands"]) == (200, view["commands"])
    assert server.client.post("/api/v1/legal?start=-1", json=plan).status_code == 422
    assert answer("POST", "/legal?start=few", json.dumps(plan))[0] == 422


CASE_BY_CASE = {
    **summed(4, "{}(i,j,k)", "A(i,j,k) = {}", "csf", "csf"),
    "schedule": ["mergeby(k, TwoFinger)"],
}
"""A merge whose loops are copied for every set of operands: 0.7 MB of loops and of C."""


def test_long_texts_end_where_the_room_ends_and_go_on_when_asked() -> None:
    plan = CASE_BY_CASE
    text = compile_document(plan)
    assert LARGEST / 2 < len(text) <= LARGEST
    view = json.loads(text)
    source = lower(parse_plan(plan)).source
    assert source is not None
    lines, left = view["code"]["text"].split("\n"), view["code"]["left_out"]
    assert len(lines) + left == len(source.text.split("\n"))
    assert all(span["line"] <= len(lines) for span in view["code"]["spans"])
    more = text_document(plan, "c", len(lines))
    assert len(more) <= LARGEST
    part = json.loads(more)
    assert source.text.startswith("\n".join([*lines, part["text"]]))
    assert {span["line"] for span in part["code"]["spans"]} <= set(range(len(lines) + 1, len(source.text)))
    assert part["left_out"] < left


def test_texts_that_have_room_are_whole() -> None:
    view = json.loads(compile_document(TERMS))
    texts = [view["code"], *view["stages"], *(stage["code"] for stage in view["stages"] if stage.get("code"))]
    assert not any("left_out" in text for text in texts)


@pytest.mark.parametrize("plan", MERGES.values(), ids=MERGES)
def test_traces_of_large_merges_are_bounded(plan: dict[str, Any]) -> None:
    """Made operands shrink until a run has room; given ones are what somebody wants to see."""
    answered = trace_document(plan, {})
    assert len(answered) <= LARGEST
    assert json.loads(answered)["steps"]


def test_service_and_folder_show_more_of_a_text(server: Server) -> None:
    plan = {"expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}}
    asked = "/compile/text?stage=flat&line=2"
    view = server.client.post(f"/api/v1{asked}", json=plan).json()
    flat = next(stage for stage in json.loads(compile_document(plan))["stages"] if stage["id"] == "flat")
    assert view["text"] == "\n".join(flat["text"].split("\n")[2:])
    assert view["left_out"] == 0
    status, text = answer("POST", asked, json.dumps(plan))
    assert (status, json.loads(text)) == (200, view)
    notation = server.client.post("/api/v1/compile/text?stage=notation", json=plan).json()
    assert (notation["code"], notation["text"][:2]) == (None, "y(")
    assert server.client.post("/api/v1/compile/text", json=plan).status_code == 422
    assert answer("POST", "/compile/text?stage=flat&line=few", json.dumps(plan))[0] == 422
    unknown = server.client.post("/api/v1/compile/text?stage=nowhere", json=plan)
    assert (unknown.status_code, unknown.json()["type"]) == (404, "urn:heddle:problem:unknown-stage")
    assert unknown.json()["detail"].startswith("This plan's compile has no stage 'nowhere'. Its stages: notation, ")
    assert answer("POST", "/compile/text?stage=nowhere", json.dumps(plan))[0] == 404


@pytest.mark.parametrize("stage", ["c", "flat", "notation"])
def test_nothing_is_left_out_behind_the_last_line(stage: str) -> None:
    plan = {"expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}}
    view = json.loads(text_document(plan, stage, 10_000))
    assert (view["text"], view["left_out"]) == ("", 0)
