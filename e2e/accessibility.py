"""axe-core inside a page: what of WCAG 2.2 A and AA a machine can check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parent.parent / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

_CHECK = """async rules => {
  const found = await axe.run(document, {runOnly: {type: 'tag', values: rules}, resultTypes: ['violations']});
  return found.violations.map(({id, help, nodes}) => ({
    id, help, nodes: nodes.map(({html, failureSummary}) => [html, failureSummary]),
  }));
}"""


def violations(page: Page) -> list[str]:
    """One text for each element that breaks a rule; empty for a page that keeps them all."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate(_CHECK, RULES)
    return [f"{one['id']}: {one['help']}\n{html}\n{why}" for one in found for html, why in one["nodes"]]
