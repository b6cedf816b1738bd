"""Counts what a journey costs a person: presses of the pointer with choices from lists, and how often the page said no.
docs/journeys.md has a row for each journey, which the journey must not exceed."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page

TABLE = Path(__file__).resolve().parents[2] / "docs" / "journeys.md"
ROW = re.compile(r"^\| (?P<name>[^|]+?) \| (?P<clicks>\d+) \| (?P<refusals>\d+) \|", re.MULTILINE)

_WATCH = """() => {
  if (window.tallied) return;
  window.tallied = true;
  addEventListener('pointerdown', () => window.tally('click'), true);
  addEventListener('change', event => {
    if (event.target.matches('select, input[type=file]')) window.tally('click');
  }, true);
  let wrong = false;
  setInterval(() => {
    const status = document.querySelector('[role=status][data-phase=done]');
    if (status === null) return;
    const now = /\\d+ errors?/.test(status.textContent);
    if (now && !wrong) window.tally('refusal');
    wrong = now;
  }, 50);
}"""


class Tally:
    """Counts from its making on, over reloads of the page too."""

    def __init__(self, page: Page) -> None:
        self.clicks = 0
        self.refusals = 0
        page.expose_binding("tally", lambda source, what: self._count(what))
        page.add_init_script(f"({_WATCH})()")
        page.evaluate(f"({_WATCH})()")

    def _count(self, what: str) -> None:
        if what == "click":
            self.clicks += 1
        else:
            self.refusals += 1

    def expect(self, journey: str) -> None:
        """The goal is reached: with what the table says, or less."""
        rows = {row["name"]: (int(row["clicks"]), int(row["refusals"])) for row in ROW.finditer(TABLE.read_text())}
        assert journey in rows, f"docs/journeys.md has no row for {journey}"
        clicks, refusals = rows[journey]
        assert (self.clicks <= clicks, self.refusals <= refusals) == (True, True), (
            f"{journey}: {self.clicks} presses and {self.refusals} refusals, docs/journeys.md has {rows[journey]}"
        )
