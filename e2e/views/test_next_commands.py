"""Journey: what may come next, with the reason for what may not and the nearest legal alternative
(docs/sources.toml V22)."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer


def test_a_refused_command_says_why_and_its_alternative_is_one_press(explorer: Explorer) -> None:
    explorer.schedule.write("")
    explorer.expect_compiled()
    explorer.next.open()
    refused = explorer.next.refusal("Iterations would add into the same element")
    race = refused.filter(has_text="two iterations of j add into the same y(i)")
    race.get_by_role("button", name="Use parallelize(j, CPUThread").first.click()
    explorer.expect_compiled()
    explorer.next.expect_settled()
    explorer.rows.open()
    expect(explorer.rows.row(1)).to_have_attribute("data-status", "applied")
    expect(explorer.rows.row(1)).to_contain_text("parallelize")


def test_a_change_of_format_is_offered_for_an_order_that_storage_forbids(explorer: Explorer) -> None:
    explorer.schedule.write("")
    explorer.expect_compiled()
    explorer.next.open()
    refused = explorer.next.refusal("The storage order forbids it").first
    expect(refused).to_contain_text("A is stored i→j, so j cannot be visited before i is known")
    refused.get_by_role("button", name="Store A as csc").click()
    explorer.expect_compiled()
    explorer.graphs.iteration.expect_variables("j", "i")


def test_candidates_point_at_their_loops_and_are_reached_by_keyboard(explorer: Explorer, page: Page) -> None:
    explorer.next.toggle.focus()
    page.keyboard.press("Enter")
    explorer.next.expect_settled()
    # What was opened has the focus and stands where it is read.
    expect(explorer.next.area).to_be_focused()
    expect(explorer.next.goal("Vector lanes")).to_be_in_viewport(ratio=1)
    explorer.next.summary("reorder").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(explorer.next.legal("reorder").first).to_be_focused()
    for variable in ("i0", "i1", "j"):
        expect(explorer.graphs.iteration.node(variable)).to_have_attribute("data-linked", "")
    page.keyboard.press("Enter")
    explorer.expect_compiled()
    expect(explorer.graphs.iteration.node("i1")).to_have_attribute("aria-label", re.compile("^Loop 1: i1,"))


def test_the_place_is_behind_what_applies(explorer: Explorer) -> None:
    explorer.schedule.write("split(i, i0, i1, 4)\nsplit(q, q0, q1, 4)")
    explorer.expect_errors()
    explorer.next.open()
    expect(explorer.next.area).to_contain_text("After the 1 that apply")
    explorer.next.summary("fuse").click()
    explorer.next.legal("fuse").first.click()
    explorer.expect_errors()
    explorer.schedule.expect_text("split(i, i0, i1, 4)\nfuse(i0, i1, f)\nsplit(q, q0, q1, 4)")


def test_an_open_list_is_part_of_the_address(explorer: Explorer, page: Page) -> None:
    explorer.next.open()
    page.reload()
    explorer.next.expect_settled()
    expect(explorer.next.summary("split")).to_be_visible()
