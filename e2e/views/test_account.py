"""Journey: why a plan is slow, the repair that was counted, and the same panel on a phone in the dark."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

from e2e.accessibility import violations
from e2e.pages.explorer import Explorer
from e2e.pages.tabs import show_tab
from e2e.pages.window import expect_measured, resize
from heddle_server.services.compiling.explanation_worker import explanation_document

PLAN = {
    "version": 2,
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "schedule": ["divide(i, i0, i1, 8)", "parallelize(i0, CPUThread, NoRaces)"],
    "inputs": {"A": {"generator": "skew", "shape": [40, 40], "nnz": 300, "c": 1.1, "shuffle": 0, "seed": 1}},
}


def address(plan: dict[str, Any]) -> str:
    return f"/#j1.{quote(json.dumps(plan | {'view': {'understand': 'account', 'front': 'understand'}}))}"


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="Why is it fast?")


def expect_account(page: Page, plan: dict[str, Any], earlier: dict[str, Any] | None = None) -> Any:
    """The panel shows what the service counts of ``plan``, and beside it what it is compared with."""
    view = json.loads(explanation_document(plan, earlier, None, {}))
    shown = panel(page)
    compared = shown.get_by_role("region", name="Before and after")
    expect(compared.get_by_role("status")).to_have_text(view["sentence"])
    for side in (view["before"], view["after"]):
        picture = compared.get_by_role("figure", name=side["title"])
        expect(picture.locator(".account-bar")).to_have_count(len(side["shares"]))
    expect(shown.get_by_role("region", name="Work")).to_contain_text(f"counted: {view['account']['work']['counted']}")
    sharing = f"{view['account']['sharing']['imbalance']:.2f} times the mean"
    expect(shown.get_by_role("region", name="Parallelism")).to_contain_text(sharing)
    return view


def test_a_finding_is_repaired_with_the_keyboard_and_counted_again(visitor: Explorer) -> None:
    page = visitor.page
    visitor.open(address(PLAN))
    # The counts are folded below the picture.
    expect(panel(page).get_by_role("region", name="Work")).to_have_count(0)
    panel(page).get_by_text("All counts").click()
    compared = expect_account(page, PLAN)
    assert compared["before"]["title"] == "No schedule"
    view = compared["account"]
    # Each tensor is a column; the table stays open, and is whole in the pane of every window.
    table = panel(page).get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_count(len(view["traffic"]))
    for tensor in view["traffic"]:
        expect(table.get_by_role("row").filter(has_text="Lines of the cache")).to_contain_text(str(tensor["lines"]))
    for width in (1280, 1024, 390, 1440):
        resize(page, width)
        expect_measured(table, "table => table.parentElement.scrollWidth <= table.parentElement.clientWidth")
    expect(panel(page)).to_contain_text("Counted on skew (generator) (A: 40 × 40 with 300 entries")
    picture = panel(page).get_by_role("region", name="Roofline").get_by_role("img")
    expect(picture).to_have_accessible_name("0.14 operations per byte; memory is the limit, the border is 4")
    finding = next(one for one in view["findings"] if one["rule"] == "uneven-workers")
    expect(panel(page)).to_contain_text(finding["gain"])
    repair = panel(page).get_by_role("button", name=finding["fix"]["title"])
    repair.focus()
    page.keyboard.press("Enter")
    visitor.expect_compiled()
    repaired = PLAN | {"schedule": finding["fix"]["schedule"]}
    after = expect_account(page, repaired, PLAN)
    assert after["before"]["title"] == "The plan before"
    assert after["after"]["imbalance"] < 0.85 * after["before"]["imbalance"]
    assert after["sentence"].startswith("Largest share 3.1 × the mean → 1.0 ×;")
    panel(page).get_by_label("Beside").select_option("no schedule")
    expect_account(page, repaired)
    # One choice of data: the panels that count name it, and so do those that draw.
    for tab in ("Space", "Storage", "Lattice", "Why fast?"):
        show_tab(page.get_by_role("region", name="Understand"), tab)
        expect(page.get_by_label("Data", exact=True).first).to_have_value("input")
    page.get_by_role("tab", name="Space", exact=True).click()
    page.get_by_role("button", name="Workers", exact=True).click()
    expect(page.get_by_role("region", name="Iteration space")).to_contain_text("Counted on skew (generator).")
    page.get_by_label("Data", exact=True).first.select_option("example")
    page.get_by_role("tab", name="Why fast?", exact=True).click()
    expect(panel(page)).to_contain_text("Counted on Running example (A: 4 × 6 with 7 entries")
    resize(page, 390, 844)
    page.emulate_media(color_scheme="dark")
    expect(panel(page)).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
