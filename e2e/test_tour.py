"""Journey: a first visit. The tour offers itself once, works by keyboard, and ends with one's own schedule running."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer
from e2e.pages.palette import Palette
from e2e.pages.tour import tour_of


def press(page: Page, name: str) -> None:
    """By keyboard: the button is reached with the Tab key from the start of the tour."""
    tour = tour_of(page)
    tour.focus()
    button = tour.get_by_role("button", name=name, exact=True)
    for _ in range(16):  # the terms of the text come first
        page.keyboard.press("Tab")
        if button.evaluate("button => button === document.activeElement"):
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"the Tab key does not reach {name}")


def expect_done(page: Page) -> None:
    expect(tour_of(page).get_by_role("status")).to_contain_text("✓ Done")


@pytest.mark.needs_server("POST /runs")
def test_the_tour_is_done_by_keyboard_and_ends_with_the_visitors_own_schedule_running(newcomer: Page) -> None:
    page, explorer, tour = newcomer, Explorer(newcomer), tour_of(newcomer)
    page.goto("/")
    press(page, "Start the tour")
    expect(page.get_by_role("region", name="Understand").get_by_role("tab", name="Storage")).to_have_attribute(
        "aria-selected", "true"
    )
    expect(page.get_by_role("img", name="A(2,3) = 7, position 3").first).to_be_visible()
    press(page, "Next")
    explorer.graphs.iteration.expect_variables("i", "j")
    press(page, "Next")
    press(page, "Go there")
    expect(explorer.schedule.box).to_be_focused()
    page.keyboard.type("split(i, i0, i1, 2)")
    expect_done(page)
    press(page, "Next")
    press(page, "Write it for me")
    expect_done(page)
    expect(page.get_by_role("region", name="Iteration space")).to_have_attribute("data-view", "workers")
    press(page, "Next")
    press(page, "Write it for me")
    expect_done(page)
    expect(explorer.schedule.problems).to_contain_text("y(i)")
    press(page, "Next")
    press(page, "Write it for me")
    expect_done(page)
    press(page, "Next")
    expect(tour.get_by_role("status")).to_contain_text("Try it: Make the plan your own")
    explorer.formats.choose("A", "dcsr")
    expect_done(page)
    press(page, "Next")
    press(page, "Go there")
    expect(explorer.run.button).to_be_focused()
    page.keyboard.press("Enter")
    explorer.run.expect_verified()
    expect(explorer.run.outcome).to_contain_text("bcsstk13")
    expect_done(page)
    press(page, "Finish")
    expect(tour).to_have_count(0)


def test_the_tour_offers_itself_once_and_is_found_again_in_the_palette(newcomer: Page) -> None:
    page = newcomer
    page.goto("/")
    tour_of(page).get_by_role("button", name="Not now").click()
    expect(tour_of(page)).to_have_count(0)
    Explorer(page).open("/")
    expect(tour_of(page)).to_have_count(0)
    Palette(page).choose("Take the tour")
    expect(tour_of(page).get_by_role("heading")).to_contain_text("Welcome to Heddle")
    tour_of(page).get_by_role("button", name="Start the tour").click()
    page.get_by_role("button", name="Undo").click()
    expect(Explorer(page).run.input_of("A")).to_have_value("dataset bcsstk13")


def test_whoever_follows_a_link_is_not_stopped(newcomer: Page) -> None:
    Explorer(newcomer).open("/#j1.%7B%22expression%22%3A%22y(i)%20%3D%20A(i%2Cj)%20*%20x(j)%22%7D")
    expect(tour_of(newcomer)).to_have_count(0)
