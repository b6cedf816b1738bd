"""Journey: the pictures get the space; results fold away, and nothing is cut off at the edge of a pane or a phone."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from e2e.pages.explorer import Explorer
from e2e.pages.window import expect_measured, resize
from e2e.scenes import example

BALANCED = {
    "version": 2,
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "schedule": ["fuse(i, j, f)", "pos(f, fpos, A)", "split(fpos, p0, p1, 3)", "parallelize(p0, CPUThread, Atomics)"],
}

SPGEMM = example("15")


def address(**view: str) -> str:
    return "/#j1." + quote(json.dumps(BALANCED | {"view": view}))


def box(part: Locator) -> dict[str, float]:
    found = part.bounding_box()
    assert found is not None
    return {**found}


@pytest.mark.needs_server("POST /runs")
def test_a_result_folds_away_and_comes_back(explorer: Explorer, page: Page) -> None:
    explorer.run.compare_with("SciPy")
    strip = explorer.run.height()
    explorer.run.start()
    explorer.run.expect_verified()
    assert explorer.run.height() > 2 * strip
    resize(page, 1280, 720)
    for label in ("Heddle", "Heddle, unscheduled", "SciPy"):
        expect(explorer.run.row(label)).to_be_in_viewport(ratio=1)
    for graph in (explorer.graphs.iteration, explorer.graphs.provenance):
        expect(graph.area).to_be_in_viewport(ratio=1)
    resize(page, 1440)
    page.get_by_role("button", name="Fold the results").click()
    assert explorer.run.height() < 2 * strip
    expect(explorer.run.timings).to_have_count(0)
    page.get_by_role("button", name="Show the results").click()
    expect(explorer.run.timings).to_be_visible()
    # A new run is what one wants to see.
    page.get_by_role("button", name="Fold the results").click()
    explorer.run.start()
    expect(page.get_by_role("button", name="Fold the results")).to_be_visible()
    explorer.run.cancel.click()


def test_before_and_after_stand_side_by_side(visitor: Explorer, page: Page) -> None:
    visitor.open(address(understand="space", space="compare"))
    before = box(page.get_by_role("figure", name="Before"))
    after = box(page.get_by_role("figure", name="After"))
    assert before["y"] == after["y"]
    assert before["x"] + before["width"] <= after["x"]


def test_the_code_of_a_stage_has_most_of_the_width(visitor: Explorer, page: Page) -> None:
    page.goto(address(code="stages"))
    visitor.expect_compiled()
    text = box(visitor.code.stages_panel.get_by_role("listbox"))
    assert text["width"] > 0.65 * box(visitor.code.stages_panel)["width"]


def test_the_names_of_inputs_are_whole(explorer: Explorer) -> None:
    chosen = explorer.run.input_of("A")
    expect(chosen).to_have_value("dataset bcsstk13")
    fits = chosen.evaluate(
        "select => { const canvas = document.createElement('canvas').getContext('2d');"
        " canvas.font = getComputedStyle(select).font;"
        " return canvas.measureText(select.selectedOptions[0].text).width + 24 <= select.clientWidth; }"
    )
    assert fits


def test_terms_are_explained_where_they_stand(visitor: Explorer, page: Page) -> None:
    visitor.open(address(understand="space", space="workers"))
    term = page.get_by_role("region", name="Iteration space").get_by_role("button", name="Idle share")
    definition = page.get_by_role("tooltip").filter(has_text="mean / max of the work of all workers")
    term.focus()
    expect(definition).to_be_visible()
    page.keyboard.press("Escape")
    expect(definition).to_have_count(0)
    term.hover()
    expect(definition).to_be_visible()


def test_what_opens_on_a_phone_stays_on_its_screen(explorer: Explorer, page: Page) -> None:
    resize(page, 390, 844)
    explorer.share.make_link()
    shared = box(page.locator(".share .popover"))
    assert shared["x"] >= 0
    assert shared["x"] + shared["width"] <= 390
    page.keyboard.press("Escape")
    names = [page.get_by_role("button", name=name, exact=True) for name in ("Share", "Learn", "Commands")]
    assert len({round(one["y"] + one["height"] / 2) for one in map(box, names)}) == 1


def test_what_parts_cost_is_read_without_scrolling_sideways(visitor: Explorer, page: Page) -> None:
    plan = BALANCED | {"tensors": {"A": {"format": "hyb(2,1)"}}, "schedule": []}
    view = {"understand": "composition", "front": "understand", "storage": "A"}
    visitor.open("/#j1." + quote(json.dumps(plan | {"view": view})))
    table = page.get_by_role("region", name="Parts", exact=True).get_by_role("table")
    for width in (1440, 1280, 1024, 390):
        resize(page, width)
        expect(table.get_by_role("columnheader", name="Share")).to_have_count(1)
        expect_measured(
            table,
            "table => { const pane = table.parentElement;"
            " return pane.scrollWidth <= pane.clientWidth && table.getBoundingClientRect().right <= innerWidth; }",
        )


def test_controls_of_the_space_and_the_roles_of_code_take_one_row_each(visitor: Explorer, page: Page) -> None:
    """In the windows of most laptops: no name is cut, and nothing has to be scrolled into sight."""
    for width in (1280, 1440):
        resize(page, width)
        visitor.open(address(understand="space"))
        space = page.get_by_role("region", name="Iteration space")
        expect(space).to_have_attribute("data-phase", "ready")
        views = box(space.get_by_role("group", name="What to show"))
        for choice in map(box, page.locator(".space-controls select").all()):
            assert abs(choice["y"] + choice["height"] / 2 - views["y"] - views["height"] / 2) < 4, width
        for plan, role in ((BALANCED, "guard"), (SPGEMM, "assembly")):
            visitor.open("/#j1." + quote(json.dumps(plan)))
            roles = page.get_by_role("group", name="Roles of the code")
            expect(roles).to_contain_text(role)
            assert roles.evaluate("row => row.scrollWidth <= row.clientWidth"), width
