"""POST /legal: what may come next."""

from __future__ import annotations

from heddle.frontends.table import front_end_of
from tests.backend.serving import SPMV, Server


def test_what_may_come_next(server: Server) -> None:
    answer = server.client.post("/api/v1/legal", json={**SPMV, "schedule": ["pos(j, p, A)"]})
    assert answer.status_code == 200, answer.text
    view = answer.json()
    assert (view["ok"], view["applied"], view["diagnostics"]) == (True, 1, [])
    commands = {command["name"]: command["candidates"] for command in view["commands"]}
    assert commands["coord"][0] == {"text": "coord(p, pcrd)", "variables": ["p"], "why_not": None, "instead": None}
    refused = commands["coord"][1]
    assert refused["why_not"]["code"] == "schedule/not-positions"
    assert refused["instead"] == "coord(p, pcrd)"
    units = {candidate["text"].split(", ")[1] for candidate in commands["parallelize"]}
    assert units == {"CPUThread", "CPUVector"}


def test_after_a_mistake_the_commands_before_it_count(server: Server) -> None:
    schedule = ["split(i, i0, i1, 4)", "split(q, q0, q1, 4)", "unroll(j, 4)"]
    view = server.client.post("/api/v1/legal", json={**SPMV, "schedule": schedule}).json()
    assert (view["ok"], view["applied"]) == (False, 1)
    assert view["diagnostics"][0]["code"] == "schedule/unknown-variable"
    commands = {command["name"]: command["candidates"] for command in view["commands"]}
    assert commands["fuse"][0]["text"] == "fuse(i0, i1, f)"


def test_an_expression_with_a_mistake_has_no_next_command(server: Server) -> None:
    view = server.client.post("/api/v1/legal", json={"expression": "y(i) = "}).json()
    assert (view["ok"], view["applied"], view["commands"]) == (False, 0, [])


def test_no_plan_is_a_problem(server: Server) -> None:
    assert server.client.post("/api/v1/legal", json={"expresion": "y = 1"}).status_code == 400


def test_a_program_of_patterns_has_steps_of_its_own(server: Server) -> None:
    plan = {"version": 2, "language": "patterns", "expression": front_end_of("patterns").example}
    view = server.client.post("/api/v1/legal", json=plan).json()
    assert (view["ok"], view["applied"], view["diagnostics"]) == (True, 0, [])
    steps = {command["name"]: command["candidates"] for command in view["commands"]}
    taken = [one["text"] for one in steps["splitUpJoin"] if one["why_not"] is None]
    assert taken
    assert {one["text"]: one["variables"] for one in steps["splitUpJoin"]}[taken[0]] == ["map1"]
    refused = [one["why_not"] for one in steps["splitJoin"]]
    assert [one["code"] for one in refused if one] == ["patterns/condition", "patterns/condition"]
    for text in taken:
        assert server.client.post("/api/v1/compile", json={**plan, "schedule": [text]}).json()["ok"]


def test_behind_a_refused_step_of_patterns_those_before_it_count(server: Server) -> None:
    plan = {"version": 2, "language": "patterns", "expression": front_end_of("patterns").example}
    view = server.client.post("/api/v1/legal", json={**plan, "schedule": ["splitUpJoin(map1, 4)", "nonsense"]}).json()
    assert (view["ok"], view["applied"]) == (False, 1)
    assert any(one["variables"] == ["map3"] for command in view["commands"] for one in command["candidates"])
    assert server.client.post("/api/v1/legal", json={**plan, "expression": "fun("}).json()["commands"] == []
