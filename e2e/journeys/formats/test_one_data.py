"""Journey: one choice of data for all pictures, in which the tiles of the schedule show (docs/sources.toml V4, V7)."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Page, expect

from e2e.folder_host import Api
from e2e.pages.explorer import Explorer
from e2e.pages.space import Space

PLAN: dict[str, Any] = {
    "version": 2,
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "schedule": ["split(i, i0, i1, 32)"],
}


def test_what_is_chosen_once_is_in_every_picture(page: Page, visitor: Explorer) -> None:
    visitor.open(f"/#j1.{quote(json.dumps(PLAN))}")
    space = Space(page)
    space.open()
    expect(space.status).to_contain_text("A has 7 nonzeros")
    space.panel.get_by_role("button", name="Show the tiles").click()
    expect(space.status).to_contain_text("A has 216 nonzeros")
    expect(space.panel.get_by_role("button", name="Show the tiles")).to_have_count(0)

    # Before and after side by side: one playback, both with the points of their own run, up to all of them.
    space.show("Before / after")
    sides = space.panel.get_by_role("figure").filter(has_text=re.compile("^(Before|After):"))
    expect(sides).to_have_count(2)
    left, right = (sides.nth(side).bounding_box() for side in range(2))
    assert left is not None
    assert right is not None
    assert abs(left["y"] - right["y"]) < 2
    assert left["x"] + left["width"] <= right["x"]
    space.to_end()
    for side in ("Before", "After"):
        expect(space.panel.get_by_role("figure", name=side, exact=True)).to_contain_text(f"{side}: 216 of 216 points")
    # Where the run is stays in view, whatever the picture is scrolled to.
    sides.last.locator("svg").evaluate("one => one.scrollIntoView({block: 'end'})")
    expect(space.status).to_be_in_viewport(ratio=0.9)
    bar = space.panel.get_by_role("group", name="Playback")
    expect(bar).to_be_in_viewport(ratio=0.9)
    expect(bar).to_have_count(1)

    tabs = page.get_by_role("region", name="Understand")
    tabs.get_by_role("tab", name="Storage").click()
    expect(page.get_by_role("region", name="Storage", exact=True).get_by_role("status")).to_contain_text("216 entries")
    tabs.get_by_role("tab", name="Filmstrip").click()
    film = page.get_by_role("region", name="Filmstrip")
    expect(film.get_by_role("status")).to_contain_text("216 points computed")
    film.get_by_label("Data", exact=True).select_option("Running example")
    expect(film.get_by_role("status")).to_contain_text("7 points computed")


def test_a_play_stops_at_a_breakpoint(page: Page, visitor: Explorer, api: Api) -> None:
    plan = {**PLAN, "schedule": ["split(i, i0, i1, 3)"]}
    visitor.open(f"/#j1.{quote(json.dumps(plan))}")
    trace = api.post("/trace", {"plan": plan})
    pane = visitor.code.pane
    pane.get_by_role("button", name="Step", exact=True).click()
    line = visitor.code.line("y_vals[i] =")
    stops = [at for at, step in enumerate(trace["steps"]) if step["store"] is not None]
    assert len(stops) == 4
    slider = pane.get_by_role("slider", name="Step of the run")
    expect(slider).to_be_enabled()
    line.locator(".code-number").click()
    expect(line).to_have_attribute("data-breakpoint", "true")
    pane.get_by_label("Speed").select_option("240")
    pane.get_by_role("button", name="Play", exact=True).click()
    expect(slider).to_have_value(str(stops[0]))
    expect(line).to_have_attribute("data-executing", "true")
    expect(pane).to_contain_text("writes y_vals[0] =")
    pane.get_by_role("button", name="Run to the next breakpoint").click()
    expect(slider).to_have_value(str(stops[1]))
    # By the keyboard: b takes it away at the line of the cursor.
    line.hover()
    visitor.code.text.press("b")
    expect(line).not_to_have_attribute("data-breakpoint", "true")
    expect(pane.get_by_role("button", name="Run to the next breakpoint")).to_be_disabled()
