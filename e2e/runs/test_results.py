"""Journey: all results in one table, and experiments over what the service measures."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from e2e.pages.explorer import Explorer
from e2e.pages.palette import Palette
from e2e.pages.run import RUN_MILLISECONDS


@pytest.mark.needs_server("POST /runs")
def test_results_are_sorted_filtered_pinned_and_opened_again(explorer: Explorer, page: Page) -> None:
    explorer.run.choose_dataset("A", "karate")
    explorer.run.compare_with()
    for schedule in ("split(i, i0, i1, 8)", ""):
        explorer.schedule.write(schedule)
        explorer.expect_compiled()
        explorer.run.start()
        explorer.run.expect_verified()
    explorer.run.pane.get_by_role("tab", name="All results").click()
    panel = page.get_by_role("region", name="All results")
    rows = panel.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.last).to_contain_text("split(i, i0, i1, 8)")
    panel.get_by_role("button", name="When").click()
    expect(rows.first).to_contain_text("split(i, i0, i1, 8)")
    panel.get_by_role("button", name="When").click()
    rows.last.get_by_role("button", name=re.compile("^Pin")).click()
    expect(rows.first).to_contain_text("split(i, i0, i1, 8)")
    page.reload()
    expect(rows.first.get_by_role("button", name=re.compile("^Pin"))).to_have_attribute("aria-pressed", "true")
    panel.get_by_role("searchbox").fill("karate split")
    expect(rows).to_have_count(1)
    rows.first.get_by_role("button", name=re.compile("^Open")).click()
    explorer.run.expect_verified()
    explorer.schedule.expect_text("split(i, i0, i1, 8)")


@pytest.mark.needs_server("GET /experiments/{id}/figure")
def test_an_experiment_is_measured_point_by_point_and_drawn_by_the_service(explorer: Explorer, page: Page) -> None:
    """With the first two points alone: all of them take minutes."""

    def shorten(route: Route) -> None:
        listed = route.fetch().json()
        for one in listed:
            one["points"] = one["points"][:2]
        route.fulfill(body=json.dumps(listed), content_type="application/json")

    Palette(page).choose("Show the experiments")
    panel = page.get_by_role("region", name="Experiments")
    choice = panel.get_by_role("combobox", name="Experiment")
    choice.select_option(label="X3′: Skew, rows or nonzeros")
    # Before anything is measured: how the rows and their nonzeros fall to the threads as the skew grows.
    skew = panel.get_by_role("slider", name="skew c")
    even = panel.get_by_role("img", name="thread 1: 950,000 nonzeros")
    expect(even).to_have_count(3)
    skew.press("End")
    expect(panel.get_by_role("img", name="thread 2: 0 nonzeros")).to_have_count(1)
    expect(panel).to_contain_text("Half of the rows hold 2.00 × the mean")

    page.route("**/api/v1/experiments", shorten)
    page.reload()
    explorer.wait_until_settled()
    Palette(page).choose("Show the experiments")
    choice.select_option("skew")
    expect(panel).to_contain_text("Half of the rows for each of two threads")
    panel.get_by_role("button", name="Measure here").click()
    expect(panel.get_by_role("status")).to_have_text("2 of 2 runs", timeout=RUN_MILLISECONDS)
    expect(panel.locator(".plot .main-svg").first).to_be_visible()
    expect(panel.locator(".plot")).to_contain_text("rows shared out")
    expect(panel.get_by_role("table")).to_contain_text(re.compile(r"\d (µs|ms)"))
    panel.get_by_role("button", name="Open nonzeros shared out, skew c 1").click()
    explorer.expect_compiled()
    expect(explorer.schedule.box).to_contain_text("pos(f, p, A)")
    choice.select_option(label="X52: Roofline, the distance from STREAM")
    expect(panel).to_contain_text("MTTKRP")

    page.reload()
    explorer.wait_until_settled()
    Palette(page).choose("Show the experiments")
    choice.select_option("skew")
    expect(panel.get_by_role("status")).to_have_text("2 of 2 runs")  # kept by the service
    for kind, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("CSV", b"series,x,y")):
        with page.expect_download() as saved:
            panel.get_by_role("group", name="Download the figure").get_by_role("button", name=kind).click()
        assert saved.value.suggested_filename == f"heddle-x3-skew-rows-or-nonzeros.{kind.lower()}"
        content = saved.value.path().read_bytes()
        assert content.startswith(start)
        assert len(content) > 100
    assert b"rows shared out,1," in content
