"""Journey: a student does a lesson beside the explorer: wrong plan, hint, solution; and reads one on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from e2e.accessibility import violations
from e2e.pages.explorer import Explorer
from e2e.pages.window import resize
from heddle_server.lessons.receipts import read_receipt

MOST_LOADED = 370_000
"""Bytes on the wire of scripts and styles until a lesson is open; they are compressed."""
LOADED = """performance.getEntriesByType('resource')
  .filter(({name}) => /[.](js|css)$/.test(name)).reduce((all, {encodedBodySize}) => all + encodedBodySize, 0)"""


def open_lesson(page: Page, title: str) -> Locator:
    page.get_by_role("button", name="Learn", exact=True).click()
    page.get_by_role("button", name=re.compile("^Do the lessons")).click()
    page.get_by_role("dialog", name="Lessons").get_by_role("button", name=title).click()
    return page.get_by_role("region", name="Lesson", exact=True)


def test_a_wrong_plan_gets_a_hint_and_the_solution_is_done(explorer: Explorer) -> None:
    page = explorer.page
    lesson = open_lesson(page, "What a format stores")
    lesson.get_by_role("button", name="64", exact=True).click()
    expect(lesson.get_by_text("It is: 65.")).to_be_visible()
    asked = lesson.get_by_role("region", name="Task 1")
    asked.get_by_role("button", name="Open its plan").click()
    lesson.get_by_role("button", name="Show Storage").click()
    storage = page.get_by_role("region", name="Storage")
    expect(storage.get_by_label("Data")).to_have_value("task")
    expect(storage.get_by_text("64 × 64 · 12 entries")).to_be_visible()
    task = lesson.get_by_role("region", name="Task 2")
    task.get_by_role("button", name="Open its plan").click()
    explorer.expect_compiled()
    task.get_by_role("button", name="Check").click()
    expect(task.get_by_text("storage.positions(A, 1) is 64 positions")).to_be_visible()
    task.get_by_role("button", name="Give me a hint").click()
    expect(task.get_by_text("Which level stores rows that hold nothing?")).to_be_visible()
    assert violations(page) == []
    explorer.formats.choose("A", "dcsr")
    explorer.expect_compiled()
    task.get_by_role("button", name="Check").click()
    expect(task.get_by_text("Done, with gold.")).to_be_visible()
    expect(task).to_have_attribute("data-done", "")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    task.get_by_role("button", name="Copy a receipt").click()
    expect(task.get_by_text("Copied. Hand it in where your teacher says.")).to_be_visible()
    receipt = read_receipt(page.evaluate("navigator.clipboard.readText()"))
    assert (receipt.task, receipt.plan.tensors["A"].format) == ("no-empty-rows", "dcsr")
    assert violations(page) == []
    lesson.get_by_role("button", name="Show Storage").click()
    expect(page.get_by_role("tab", name="Storage")).to_have_attribute("aria-selected", "true")
    page.reload()
    again = open_lesson(page, "What a format stores").get_by_role("region", name="Task 2")
    again.get_by_role("button", name="Copy a receipt").click()
    expect(again.get_by_text("Copied. Hand it in where your teacher says.")).to_be_visible()
    assert read_receipt(page.evaluate("navigator.clipboard.readText()")) == receipt


@pytest.mark.needs_server("GET /assets")  # which a service packs
def test_a_lesson_loads_few_bytes(explorer: Explorer) -> None:
    lesson = open_lesson(explorer.page, "What a format stores")
    expect(lesson.get_by_role("region", name="Task 1")).to_be_visible()
    assert 200_000 < explorer.page.evaluate(LOADED) <= MOST_LOADED


def test_a_lesson_is_read_on_a_phone(explorer: Explorer) -> None:
    resize(explorer.page, 390, 844)
    lesson = open_lesson(explorer.page, "Meeting and joining")
    task = lesson.get_by_role("region", name="Task 1")
    task.get_by_label("Coordinates that the sum visits").fill("30")
    task.get_by_role("button", name="Open its plan").click()
    task.get_by_role("button", name="Check").click()
    expect(task.get_by_text("Failed:").first).to_be_attached()
    assert violations(explorer.page) == []
    assert explorer.page.evaluate("document.documentElement.scrollWidth") <= 390
