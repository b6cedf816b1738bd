"""Journey: a first visit that ends with a run that wins. The tour is followed, or left to do everything itself."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from e2e.journeys.tally import Tally
from e2e.pages.explorer import Explorer
from e2e.pages.tour import tour_of


@pytest.mark.every_commit
@pytest.mark.needs_server("POST /runs")
def test_next_alone_leads_to_a_kernel_that_wins_and_no_text_contradicts_the_page(newcomer: Page) -> None:
    page, tour, explorer = newcomer, tour_of(newcomer), Explorer(newcomer)
    status, following = tour.get_by_role("status"), tour.get_by_role("button", name="Next")
    page.goto("/")
    tally = Tally(page)
    expect(status).to_contain_text("Heddle turns an expression such as")
    tour.get_by_role("button", name="Start the tour").click()
    expect(status).to_contain_text("A has 7 nonzeros")
    following.click()
    explorer.graphs.iteration.expect_variables("i", "j")
    following.click()
    expect(status).to_contain_text("the loops are i and j")
    following.click()
    # What was skipped is done for the visitor, and said.
    expect(status).to_contain_text("The page did the last step for you.")
    expect(explorer.schedule.box).to_contain_text("split(i, i0, i1, 2)")
    for written in ("parallelize(i0", "parallelize(j", "pos(f, p, A)"):
        following.click()
        expect(explorer.schedule.box).to_contain_text(written)
    expect(status).to_contain_text("Your own plan")
    following.click()
    expect(status).to_contain_text("The page opened another plan. Undo brings back yours.")
    explorer.run.button.click()
    explorer.run.expect_verified()
    # A busy machine concludes nothing, and the tour says that instead.
    said = r"SciPy takes [\d,.]+ times as long: it computes all 4 million sums|does not show a clear winner"
    expect(status).to_contain_text(re.compile(said))
    tally.expect("first visit to a run that wins")


def test_back_in_the_browser_goes_back_in_the_tour(newcomer: Page) -> None:
    page, tour, explorer = newcomer, tour_of(newcomer), Explorer(newcomer)
    status, following = tour.get_by_role("status"), tour.get_by_role("button", name="Next")
    page.goto("/")
    tour.get_by_role("button", name="Start the tour").click()
    for _ in range(3):
        following.click()
    expect(status).to_contain_text("Rows in parallel")
    expect(explorer.schedule.box).to_contain_text("split(i, i0, i1, 2)")
    page.go_back()
    expect(status).to_contain_text("The first command")
    expect(explorer.schedule.box).not_to_contain_text("split(i, i0, i1, 2)")
    expect(status).to_contain_text("There is none yet: the loops are i and j.")
    page.go_forward()
    expect(status).to_contain_text("Rows in parallel")
    expect(explorer.schedule.box).to_contain_text("split(i, i0, i1, 2)")


def test_terms_explain_themselves_by_pointer_and_by_keyboard(newcomer: Page) -> None:
    page = newcomer
    page.goto("/")
    term = tour_of(page).get_by_role("button", name="kernel", exact=True)
    definition = page.get_by_role("tooltip").filter(has_text="The function that the compiler makes")
    term.hover()
    expect(definition).to_be_visible()
    definition.hover()
    expect(definition).to_be_visible()
    page.keyboard.press("Escape")
    expect(definition).to_have_count(0)
    term.focus()
    expect(definition).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Learn", exact=True).click()
    page.get_by_role("button", name="Look up a term").click()
    glossary = page.get_by_role("dialog", name="Glossary")
    glossary.get_by_role("searchbox").fill("warp")
    expect(glossary).to_contain_text("32 threads of a GPU that run in lockstep.")
    page.keyboard.press("Escape")  # clears the search
    page.keyboard.press("Escape")
    expect(glossary).to_have_count(0)
    page.get_by_role("button", name="Learn", exact=True).click()
    page.get_by_role("button", name=re.compile("^Read the guide .")).click()
    guide = page.get_by_role("dialog", name="Guide")
    guide.get_by_role("button", name="Loops and variables", exact=True).first.click()
    expect(guide.get_by_role("heading", name="Loops and variables", exact=True)).to_be_in_viewport()
