"""Counts what a journey costs a person: presses of the pointer with choices from lists. e2e/journeys.md has a row for
each journey, which the journey must not exceed. How often the page said no stands there too, but is not held: where
compiles are slow, it also says so of what is half typed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

TABLE = Path(__file__).resolve().parents[1] / "journeys.md"
ROW = re.compile(r"^\| (?P<name>[^|]+?) \| (?P<clicks>\d+) \| \d+ \|", re.MULTILINE)

_WATCH = """(() => {
  if (window.tallied) return;
  window.tallied = true;
  addEventListener('pointerdown', () => window.tally(''), true);
  addEventListener('change', event => {
    if (event.target.matches('select, input[type=file]')) window.tally('');
  }, true);
})()"""


class Tally:
    """Counts from its making on, over reloads of the page too, until it is compared with the table: it ends with its
    session, and leaves nothing in the page."""

    def __init__(self, page: Page) -> None:
        self.clicks = 0
        self._session = page.context.new_cdp_session(page)
        self._session.on("Runtime.bindingCalled", self._count)
        self._session.send("Runtime.enable")
        self._session.send("Runtime.addBinding", {"name": "tally"})
        self._session.send("Page.enable")
        self._session.send("Page.addScriptToEvaluateOnNewDocument", {"source": _WATCH})
        page.evaluate(_WATCH)

    def _count(self, called: dict[str, Any]) -> None:
        self.clicks += called["name"] == "tally"

    def expect(self, journey: str) -> None:
        """The goal is reached: with what the table says, or less."""
        self._session.send("Runtime.disable")  # its answer comes after what was counted before
        self._session.detach()
        rows = {row["name"]: int(row["clicks"]) for row in ROW.finditer(TABLE.read_text())}
        assert journey in rows, f"e2e/journeys.md has no row for {journey}"
        assert self.clicks > 0 or rows[journey] == 0, f"{journey}: no press was counted"
        assert self.clicks <= rows[journey], f"{journey}: {self.clicks} presses, e2e/journeys.md has {rows[journey]}"
