"""Counts what a journey costs a person: presses of the pointer with choices from lists. docs/journeys.md has a row for
each journey, which the journey must not exceed. How often the page said no stands there too, but is not held: where
compiles are slow, it also says so of what is half typed."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page

TABLE = Path(__file__).resolve().parents[2] / "docs" / "journeys.md"
ROW = re.compile(r"^\| (?P<name>[^|]+?) \| (?P<clicks>\d+) \| \d+ \|", re.MULTILINE)

_WATCH = """() => {
  if (window.tallied) return;
  window.tallied = true;
  addEventListener('pointerdown', () => window.tally(), true);
  addEventListener('change', event => {
    if (event.target.matches('select, input[type=file]')) window.tally();
  }, true);
}"""


class Tally:
    """Counts from its making on, over reloads of the page too."""

    def __init__(self, page: Page) -> None:
        self.clicks = 0
        page.expose_binding("tally", lambda source: self._count())
        page.add_init_script(f"({_WATCH})()")
        page.evaluate(f"({_WATCH})()")

    def _count(self) -> None:
        self.clicks += 1

    def expect(self, journey: str) -> None:
        """The goal is reached: with what the table says, or less."""
        rows = {row["name"]: int(row["clicks"]) for row in ROW.finditer(TABLE.read_text())}
        assert journey in rows, f"docs/journeys.md has no row for {journey}"
        assert self.clicks <= rows[journey], f"{journey}: {self.clicks} presses, docs/journeys.md has {rows[journey]}"
