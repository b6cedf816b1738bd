"""Journey: typing: while text is wrong for a moment and messages come and go, nothing on the page moves."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer

# Everything that one reads or presses while one types: where it is, by what it is called.
_PLACES = """() => Object.fromEntries(
  [...document.querySelectorAll('h2, header button, header a, [role=tab], .define-body button, .define-body select')]
    .filter(element => element.checkVisibility() && !element.closest('.dock, .cm-tooltip'))
    .map(element => {
      const {x, y} = element.getBoundingClientRect();
      const name = element.getAttribute('aria-label') ?? element.textContent;
      return [`${element.tagName} ${name}`, [Math.round(x), Math.round(y)]];
    })
)"""

Places = dict[str, list[int]]


def places(page: Page) -> Places:
    found: Places = page.evaluate(_PLACES)
    return found


def moved(before: Places, now: Places) -> dict[str, str]:
    return {name: f"{at} → {now[name]}" for name, at in before.items() if name in now and now[name] != at}


def test_nothing_moves_while_a_schedule_and_an_expression_are_typed(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("")
    explorer.expect_compiled()
    explorer.schedule.box.click()
    before = places(page)
    for letter in "split(i, i0":
        page.keyboard.press(letter)
        explorer.wait_until_settled()
        assert moved(before, places(page)) == {}, letter
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    page.keyboard.type(", i1, 0)")
    explorer.expect_errors()
    expect(explorer.schedule.problems).to_be_visible()
    assert moved(before, places(page)) == {}

    explorer.schedule.write("")
    explorer.expect_compiled()
    explorer.expression.box.click()
    page.keyboard.press("End")
    before = places(page)
    for letter in " * )":
        page.keyboard.press(letter)
        explorer.wait_until_settled()
        assert moved(before, places(page)) == {}, json.dumps(letter)
    expect(explorer.expression.problems).to_be_visible()
