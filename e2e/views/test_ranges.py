"""Ranges of comprehensions: the table of rounds and the answers are what inference finds, and a missing range is
mended from the panel (docs/sources.toml V21)."""

from __future__ import annotations

import json
from typing import Literal
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from e2e.accessibility import violations
from e2e.pages.explorer import Explorer
from e2e.pages.window import resize
from heddle.comprehensions.language.parser import parse
from heddle.comprehensions.program import check

CONV = "def conv(float(H,W) I, float(KH,KW) K) -> (O) { O(h,w) +=! I(2*h+kh,w+kw) * K(kh,kw) }"
POOL = "def pool(float(B,H) in) -> (O) { O(b,i) max=! in(b,2*i+k) }"


def address(text: str) -> str:
    plan = {"expression": text, "language": "comprehension", "view": {"understand": "ranges"}}
    return f"/#j1.{quote(json.dumps(plan))}"


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="Ranges", exact=True)


def rounds(page: Page) -> list[list[str]]:
    rows = panel(page).get_by_role("row").filter(has=page.get_by_role("cell"))
    return [row.get_by_role("cell").all_inner_texts() for row in rows.all()]


def expected(text: str) -> list[list[str]]:
    """Round, access, constraint, what was eliminated and the interval, as inference has them."""
    found = check(parse(text)).inferred
    return [
        [str(one.number), one.access, one.constraint, ", ".join(one.eliminated), f"{one.variable} in {one.range.shown}"]
        for one in found.rounds
    ]


def test_the_rounds_are_those_of_the_inference_while_one_types(page: Page, visitor: Explorer) -> None:
    visitor.open(address(CONV))
    expect(panel(page).get_by_text("h in 0:(H - KH) / 2 + 1").first).to_be_visible()
    assert [row[:5] for row in rounds(page)] == expected(CONV)
    inlays = page.locator(".cm-range")
    expect(inlays).to_have_text([" ∈ 0:(H - KH) / 2 + 1", " ∈ 0:W - KW + 1", " Σ 0:KH", " Σ 0:KW"])
    expect(panel(page).get_by_role("img")).to_have_accessible_name(
        "I(2*h+kh,w+kw) leaves 0 … 2 for h; h runs over 0 … 2; I(2*h+kh,w+kw) leaves 0 … 5 for w; w runs over 0 … 5; "
        "K(kh,kw) leaves 0 … 2 for kh; kh runs over 0 … 2; K(kh,kw) leaves 0 … 2 for kw; kw runs over 0 … 2."
    )

    changed = CONV.replace("w+kw", "w+kw+1")
    editor = page.get_by_role("textbox", name="Expression")
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(changed)
    visitor.wait_until_settled()
    expect(panel(page).get_by_text("w in 0:W - KW").first).to_be_visible()
    assert [row[:5] for row in rounds(page)] == expected(changed)
    expect(inlays.nth(1)).to_have_text(" ∈ 0:W - KW")


def test_a_missing_range_is_written_from_the_panel_with_the_keyboard(page: Page, visitor: Explorer) -> None:
    page.goto(address(POOL))
    visitor.expect_errors()
    missing = panel(page).get_by_role("region", name="What is missing")
    expect(missing).to_contain_text("the range of i and k does not follow from what is read")
    expect(panel(page).get_by_role("listitem").filter(has_text="no range follows")).to_have_count(2)
    button = missing.get_by_role("button", name="Write where k in 0:2")
    button.focus()
    page.keyboard.press("Enter")
    visitor.expect_compiled()
    expect(missing).to_have_count(0)
    fixed = f"{POOL[:-2]} where k in 0:2 }}"
    expect(panel(page).get_by_text("i in 0:H / 2").first).to_be_visible()
    assert [row[4] for row in rounds(page)] == [row[4] for row in expected(fixed)]
    checks = panel(page).get_by_role("region", name="Checked at each call")
    expect(checks).to_contain_text("Nothing: every read is proved to stay inside its tensor for all sizes.")


def test_index_notation_has_no_such_tab(page: Page, explorer: Explorer) -> None:
    expect(page.get_by_role("tab", name="Space", exact=True)).to_be_visible()
    expect(page.get_by_role("tab", name="Ranges")).to_have_count(0)


@pytest.mark.combinations(4)
@pytest.mark.parametrize(("theme", "width"), [("dark", 1280), ("light", 320)])
@pytest.mark.parametrize("text", [CONV, POOL], ids=["complete", "missing"])
def test_the_panel_is_accessible(page: Page, theme: Literal["light", "dark"], width: int, text: str) -> None:
    page.emulate_media(color_scheme=theme)
    resize(page, width)
    page.goto(address(text))
    Explorer(page).wait_until_settled()
    if width == 320:
        page.get_by_role("tab", name="Understand", exact=True).click()
    expect(panel(page).get_by_role("heading", name="Statement 1")).to_be_visible()
    assert violations(page) == []
