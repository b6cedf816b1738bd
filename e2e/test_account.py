"""Journey: why a plan is slow, the repair that was counted, and the same panel on a phone in the dark."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

from backend.services.account_worker import account_document
from e2e.accessibility import violations
from e2e.pages.explorer import Explorer

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


def expect_account(page: Page, plan: dict[str, Any]) -> Any:
    """The panel shows what the service counts of ``plan``."""
    view = json.loads(account_document(plan))
    shown = panel(page)
    expect(shown.get_by_role("region", name="Work")).to_contain_text(f"counted: {view['work']['counted']}")
    sharing = f"{view['sharing']['imbalance']:.2f} times the mean"
    expect(shown.get_by_role("region", name="Parallelism")).to_contain_text(sharing)
    return view


def test_a_finding_is_repaired_with_the_keyboard_and_counted_again(explorer: Explorer) -> None:
    page = explorer.page
    explorer.open(address(PLAN))
    view = expect_account(page, PLAN)
    # Each tensor is a column; the table is whole in the pane of every window.
    table = panel(page).get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_count(len(view["traffic"]))
    for tensor in view["traffic"]:
        expect(table.get_by_role("row").filter(has_text="Lines of the cache")).to_contain_text(str(tensor["lines"]))
    for width in (1280, 1024, 390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(
            "table => table.parentElement.scrollWidth <= table.parentElement.clientWidth",
            arg=table.element_handle(),
        )
    expect(panel(page)).to_contain_text("in one checked run on the inputs of this plan (A: 40 × 40 with 300 entries")
    picture = panel(page).get_by_role("region", name="Roofline").get_by_role("img")
    expect(picture).to_have_accessible_name("0.14 operations per byte; memory is the limit, the border is 4")
    finding = next(one for one in view["findings"] if one["rule"] == "uneven-workers")
    expect(panel(page)).to_contain_text(finding["gain"])
    repair = panel(page).get_by_role("button", name=finding["fix"]["title"])
    repair.focus()
    page.keyboard.press("Enter")
    explorer.expect_compiled()
    repaired = PLAN | {"schedule": finding["fix"]["schedule"]}
    assert expect_account(page, repaired)["sharing"]["imbalance"] < 0.85 * view["sharing"]["imbalance"]
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    expect(panel(page)).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
