"""Journey: a search grows, its log draws the same population again, and what it found is known under other names."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from e2e.accessibility import violations
from e2e.legibility import unreadable
from e2e.pages.explorer import Explorer
from e2e.pages.tabs import show_tab
from e2e.pages.window import resize
from e2e.server import Server
from heddle.tuning.session.driver import replay_log
from heddle.tuning.session.log import generations_of, settings_of


@pytest.mark.needs_server("POST /searches")
def test_a_search_can_be_watched_replayed_taken_and_found_again(explorer: Explorer, page: Page, server: Server) -> None:
    pane = page.get_by_role("region", name="Run", exact=True)
    show_tab(pane, "Tuner")
    tuner = pane.get_by_role("region", name="Tuner")
    tuner.get_by_label("Strategy").select_option("random")
    tuner.get_by_label("Seconds").fill("2")
    with page.expect_response("**/api/v1/searches") as asked:
        tuner.get_by_role("button", name="Search for a schedule").click()
    id = asked.value.json()["run"]["id"]
    final = tuner.get_by_role("table").filter(has_text="Relative to the fastest found")
    expect(final).to_be_visible(timeout=180_000)
    expect(tuner.get_by_role("status").first).to_contain_text("The search is done")

    log = httpx.get(f"{server.url}/api/v1/searches/{id}").json()["log"]
    known = generations_of(log)
    drawn = [list(one.genome) for one in sum(replay_log(log[0], known, settings_of(log[0])), ())]
    candidates = [line for line in log if line["event"] == "candidate"]
    assert drawn == [line["genes"] for line in candidates]
    assert len(drawn) == sum(line["event"] == "candidate" for line in log)
    shown = {line["plan"] for line in candidates}
    under_way = [line for line in log if line["event"] == "timed" and line["plan"] not in shown]
    timed = sum(line["seconds"] is not None for line in (*candidates, *under_way))
    expect(tuner.locator(".tuner-point")).to_have_count(timed)
    costs = {line["plan"] for line in (*candidates, *under_way) if line["seconds"] and line["bytes"] is not None}
    expect(tuner.locator(".tuner-cost")).to_have_count(len(costs))
    choices = {tuple(line["genes"]) for line in (*candidates, *under_way) if line["seconds"] is not None}
    expect(tuner.locator(".tuner-line")).to_have_count(len(choices))
    assert violations(page) == []
    for width in (1440, 390, 320):
        resize(page, width)
        assert unreadable(page) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    resize(page, 1440)

    tuner.get_by_role("button", name="into the editor").first.click()
    explorer.expect_compiled()
    show_tab(pane, "Cache")
    cache = pane.get_by_role("region", name="Cache")
    expect(cache.get_by_text("o0(v0) = p0(v0,v1) * p1(v1)").first).to_be_visible()
    expect(cache.get_by_role("table", name="Known")).to_be_visible()
