"""An SVG picture whose parts are shapes and texts in named colours, readable on a light and on a dark page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

STYLE = """
  svg { --paper: #ffffff; --ink: #1f2430; --soft: #5b6472; --rule: #c3c9d4; --blue: #0067a3; --orange: #b34700;
    --green: #00704f; --purple: #8a3f73; }
  @media (prefers-color-scheme: dark) { svg { --paper: #1b1e24; --ink: #e8eaf0; --soft: #a8b0be; --rule: #4b5362;
    --blue: #62b8ec; --orange: #f0a050; --green: #48cf9f; --purple: #dd9dc8; } }
  .paper { fill: var(--paper); stroke: var(--rule); }
  text { fill: var(--ink); font: 14px system-ui, sans-serif; }
  .code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; }
  .soft { fill: var(--soft); }
  .strong { font-weight: 600; }
  .shape { stroke: var(--tone); fill: var(--tone); fill-opacity: 0.16; stroke-width: 1.4; }
  .hollow { stroke: var(--tone); fill: none; stroke-width: 1.4; }
  .dashed { stroke-dasharray: 5 4; }
  .line { stroke: var(--tone); fill: none; stroke-width: 1.6; }
  .tip { fill: var(--tone); }
  .toned { fill: var(--tone); }
  .ink { --tone: var(--ink); } .rule { --tone: var(--rule); } .gray { --tone: var(--soft); }
  .blue { --tone: var(--blue); } .orange { --tone: var(--orange); } .green { --tone: var(--green); }
  .purple { --tone: var(--purple); }
"""
TIP = 7
"""Length of the head of an arrow, in pixels."""


@dataclass(slots=True)
class Canvas:
    """A picture of ``width`` by ``height`` pixels; ``title`` is what a screen reader says of it."""

    width: int
    height: int
    title: str
    elements: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, text: str, style: str = "", anchor: str = "start") -> None:
        """A line of text; ``y`` is its base line and ``anchor`` says what ``x`` is: start, middle or end."""
        self._add("text", f'x="{_number(x)}" y="{_number(y)}"', style, f' text-anchor="{anchor}"', escape(text))

    def box(self, x: float, y: float, width: float, height: float, style: str = "shape ink", radius: int = 4) -> None:
        size = f'width="{_number(width)}" height="{_number(height)}" rx="{radius}"'
        self._add("rect", f'x="{_number(x)}" y="{_number(y)}" {size}', style)

    def labelled_box(self, x: float, y: float, width: float, height: float, text: str, style: str, font: str) -> None:
        self.box(x, y, width, height, style)
        self.text(x + width / 2, y + height / 2 + 5, text, font, "middle")

    def circle(self, x: float, y: float, radius: float, style: str = "shape ink") -> None:
        self._add("circle", f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"', style)

    def node(self, x: float, y: float, text: str, style: str = "shape ink") -> None:
        """A circle with a short name in it."""
        self.circle(x, y, 18, style)
        self.text(x, y + 5, text, "code", "middle")

    def line(self, points: Sequence[tuple[float, float]], style: str = "line ink") -> None:
        path = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        self._add("polyline", f'points="{path}"', style)

    def arrow(self, start: tuple[float, float], end: tuple[float, float], tone: str = "ink") -> None:
        """A straight arrow from ``start`` to ``end``."""
        (x0, y0), (x1, y1) = start, end
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        along, across = (x1 - x0) / length, (y1 - y0) / length
        base_x, base_y = x1 - TIP * along, y1 - TIP * across
        half = TIP / 2
        corners = (
            (x1, y1),
            (base_x - half * across, base_y + half * along),
            (base_x + half * across, base_y - half * along),
        )
        self.line((start, (base_x, base_y)), f"line {tone}")
        path = " ".join(f"{_number(x)},{_number(y)}" for x, y in corners)
        self._add("polygon", f'points="{path}"', f"tip {tone}")

    def cells(self, x: float, y: float, texts: Sequence[object], tones: Sequence[str] = (), width: int = 34) -> None:
        """An array as a row of cells with its elements; a tone for each element, or ink."""
        for number, text in enumerate(texts):
            tone = tones[number] if tones else "ink"
            style = f"shape {tone}" if tones else "hollow rule"
            self.labelled_box(x + number * width, y, width, 28, str(text), style, "code")

    def __str__(self) -> str:
        """The file's text: the same bytes for the same calls."""
        paper = f'<rect class="paper" x="0.5" y="0.5" width="{self.width - 1}" height="{self.height - 1}" rx="8"/>'
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(self.title)}">'
        title = f"<title>{escape(self.title)}</title>"
        return "\n".join((head, title, f"<style>{STYLE}</style>", paper, *self.elements, "</svg>", ""))

    def _add(self, tag: str, attributes: str, style: str, more: str = "", content: str = "") -> None:
        name = f' class="{style}"' if style else ""
        self.elements.append(f"<{tag}{name} {attributes}{more}>{content}</{tag}>")


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
