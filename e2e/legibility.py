"""Whether the texts of pictures can be read as they stand: how large each is on the screen, and whether all of it is
inside its picture."""

from __future__ import annotations

from playwright.sync_api import Page

SMALLEST_PX = 11

# Diagrams pan, so only what others leave outside cannot be seen. Plotly measures its texts in a picture out of sight.
# 0.02 and 1.5 px are rounding.
_FIND = """smallest => {
  const found = [];
  for (const picture of document.querySelectorAll('svg')) {
    if (!picture.checkVisibility() || picture.closest('.visually-hidden, #js-plotly-tester')) continue;
    const frame = picture.getBoundingClientRect();
    const cuts = getComputedStyle(picture).overflow !== 'visible' && !picture.closest('.diagram-frame');
    for (const text of picture.querySelectorAll('text')) {
      if (text.textContent.trim() === '' || !text.checkVisibility()) continue;
      const {a, b} = text.getScreenCTM();
      const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
      const box = text.getBoundingClientRect();
      const outside = box.left < frame.left - 1.5 || box.right > frame.right + 1.5
        || box.top < frame.top - 1.5 || box.bottom > frame.bottom + 1.5;
      const place = `${picture.getAttribute('aria-label') ?? picture.getAttribute('class')}: ${text.textContent}`;
      if (size < smallest - 0.02) found.push(`${place} has ${size.toFixed(1)} px`);
      if (cuts && outside) found.push(`${place} is cut`);
    }
  }
  return found;
}"""


def unreadable(page: Page) -> list[str]:
    """One text for each that is too small or cut off; empty for a page whose pictures can be read."""
    found: list[str] = page.evaluate(_FIND, SMALLEST_PX)
    return found
