"""Journey: links that were given out, with every macro of a format, open in the page and compile."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer
from e2e.pages.window import resize
from e2e.server import ROOT

LINKS: list[dict[str, Any]] = json.loads((ROOT / "tests" / "data" / "links" / "formats.json").read_text("utf-8"))
FILL = "Where A stores nothing, it is inf."

# One walk inside the page: asked from outside, each link waits for several answers that come too early.
_OPENED = """async ([links, patience]) => {
  const shown = [];
  for (const {fragment, format} of links) {
    location.hash = fragment;
    const end = performance.now() + patience;
    let now;
    do {
      await new Promise(resolve => setTimeout(resolve, 10));
      const status = document.querySelector('.compile-words');
      now = {
        field: document.querySelector('[aria-label="Levels of A"]')?.value ?? '',
        phase: status?.dataset.phase ?? '',
        said: status?.textContent ?? '',
      };
    } while ((now.field !== format || now.phase !== 'done') && performance.now() < end);
    shown.push({...now, text: document.body.innerText});
  }
  return shown;
}"""


def test_links_with_every_macro_open_and_compile(explorer: Explorer, page: Page) -> None:
    """All of them on a telephone, which draws one pane at a time, and some where the graphs and the code are drawn."""
    asked = [{"fragment": link["fragment"], "format": link["plan"]["tensors"]["A"]["format"]} for link in LINKS]
    explorer.formats.open("A")
    resize(page, 390, 844)
    shown = page.evaluate(_OPENED, [asked, 60_000])
    resize(page, 1440)
    shown += page.evaluate(_OPENED, [asked[::8], 60_000])
    expect(explorer.code.text).to_be_visible()
    assert [one["field"] for one in shown] == [link["format"] for link in asked + asked[::8]]
    assert [one["said"] for one in shown if "Compiled" not in one["said"] or one["phase"] != "done"] == []
    filled = [FILL in one["text"] for one in shown[: len(asked)]]
    assert filled == ["fill" in link["plan"]["tensors"]["A"] for link in LINKS]
    assert any(filled)
