"""The merge lattice is played: the active points are the branches that the kernel took (docs/sources.toml V6)."""

from __future__ import annotations

import json
from urllib.parse import quote

from playwright.sync_api import Page, expect

from e2e.folder_host import Api
from e2e.pages.explorer import Explorer

PLAN = {
    "expression": "a(i) = b(i) * c(i) + d(i)",
    "tensors": {name: {"format": "sparse"} for name in "bcd"},
    "view": {"understand": "lattice"},
}
DATA = {"b": [1, 0, 3, 0, 0, 6], "c": [0, 0, 3, 4, 0, 6], "d": [0, 2, 3, 0, 5, 0]}


def test_the_active_points_are_the_branches_that_ran(page: Page, visitor: Explorer, api: Api) -> None:
    visitor.open(f"/#j1.{quote(json.dumps(PLAN))}")
    plan = {key: value for key, value in PLAN.items() if key != "view"} | {"version": 1}
    trace = api.post("/trace", {"plan": plan, "operands": DATA})
    taken = [" | ".join(sorted(merge["active"] or [])) for merge in trace["merges"]]
    assert taken == ["", "d(i)", "b(i) | c(i) | d(i)", "", "d(i)", "b(i) | c(i)"]

    panel = page.get_by_role("region", name="Merge lattice", exact=True)
    panel.get_by_label("Data", exact=True).select_option("Vectors with every case")
    # The run on the data that stood there before has other steps: what is pressed while it goes is about them.
    run = panel.get_by_role("slider", name="Step of the run")
    expect(run).to_have_attribute("max", str(len(trace["steps"]) - 1))
    status = panel.get_by_role("group", name="Iterations of the merge at i").get_by_role("status")
    forward = panel.get_by_role("button", name="Next iteration")
    for number, active in enumerate(taken, start=1):
        forward.click()
        expect(status).to_have_attribute("data-iteration", str(number))
        expect(status).to_have_attribute("data-active", active)
        lit = panel.locator(".hasse-node[data-active]")
        expect(lit).to_have_count(1 if active else 0)
        if active:
            expect(lit).to_have_attribute("data-point", active)
    expect(forward).to_be_disabled()


def test_a_set_without_a_point_says_why(page: Page, visitor: Explorer) -> None:
    visitor.open(f"/#j1.{quote(json.dumps(PLAN))}")
    panel = page.get_by_role("region", name="Merge lattice", exact=True)
    panel.locator('[data-point="b(i) | d(i)"]').hover()
    expect(panel.get_by_text("{b, d} has no point (annihilator). Without c(i) only d(i) remains")).to_be_visible()


def test_the_mark_of_a_meeting_opens_its_lattice(page: Page, visitor: Explorer) -> None:
    plan = PLAN | {"view": {"understand": "iteration"}}
    visitor.open(f"/#j1.{quote(json.dumps(plan))}")
    visitor.graphs.iteration.area.get_by_role("button", name="Open the merge lattice").click()
    expect(page.get_by_role("region", name="Merge lattice", exact=True)).to_be_visible()
