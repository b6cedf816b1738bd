"""What a newcomer is shown at once: the controls in sight, and how much of the window graphs fill."""

from __future__ import annotations

from playwright.sync_api import Page

MOST_CONTROLS = 70
LEAST_DRAWN = 0.2
"""Of a window of 1440 by 900 px."""

# A drawing and a listing are one control each: one stop of the Tab key, with arrows from part to part.
_CONTROLS = """() => {
  const kinds = 'a[href], button, input, select, textarea, summary, [contenteditable=true], [role=listbox],'
    + '[role=button], [role=tab], [role=slider], [role=separator], .diagram-svg';
  return [...document.querySelectorAll(kinds)].filter(control => {
    if (control.parentElement.closest('.diagram-svg, [role=listbox]')) return false;
    if (!control.checkVisibility({opacityProperty: true, visibilityProperty: true})) return false;
    const {left, right, top, bottom} = control.getBoundingClientRect();
    const inside = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight && right - left > 1;
    return inside && getComputedStyle(control).clipPath === 'none';
  }).map(control => control.getAttribute('aria-label') ?? (control.textContent || control.id));
}"""

_DRAWN = """() => {
  const areas = [...document.querySelectorAll('.diagram-svg')].filter(svg => svg.checkVisibility()).map(svg => {
    const frame = svg.getBoundingClientRect(), drawn = svg.firstElementChild.getBoundingClientRect();
    const width = Math.min(drawn.right, frame.right) - Math.max(drawn.left, frame.left);
    const height = Math.min(drawn.bottom, frame.bottom) - Math.max(drawn.top, frame.top);
    return Math.max(0, width) * Math.max(0, height);
  });
  return areas.reduce((sum, area) => sum + area, 0) / (innerWidth * innerHeight);
}"""


def controls_in_sight(page: Page) -> list[str]:
    """Names of what can be pressed, chosen or written in without scrolling."""
    names: list[str] = page.evaluate(_CONTROLS)
    return names


def drawn_share(page: Page) -> float:
    """Of the window, what the boxes around the drawn graphs take."""
    share: float = page.evaluate(_DRAWN)
    return share
