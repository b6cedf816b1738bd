"""axe-core inside a page: what of WCAG 2.2 A and AA a machine can check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parent.parent / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

_CHECK = """async rules => {
  const check = (root, only) => axe.run(root, {runOnly: only, resultTypes: ['violations']});
  const found = await check(document, {type: 'tag', values: rules});
  // What scrolling has put half below a header is a small target only until it is scrolled back.
  const stays = async node => {
    const element = document.querySelector(node.target[0]);
    const top = document.scrollingElement.scrollTop;
    element.scrollIntoView({block: 'center', behavior: 'instant'});
    const again = await check(element, {type: 'rule', values: ['target-size']});
    document.scrollingElement.scrollTop = top;
    return again.violations.length > 0;
  };
  const listed = [];
  for (const {id, help, nodes} of found.violations) {
    const kept = [];
    for (const node of nodes) {
      if (id !== 'target-size' || await stays(node)) kept.push([node.html, node.failureSummary]);
    }
    listed.push({id, help, nodes: kept});
  }
  return listed;
}"""


def violations(page: Page) -> list[str]:
    """One text for each element that breaks a rule; empty for a page that keeps them all."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate(_CHECK, RULES)
    return [f"{one['id']}: {one['help']}\n{html}\n{why}" for one in found for html, why in one["nodes"]]
