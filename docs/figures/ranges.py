"""The rounds of range inference, as the compiler lists them, over a line of numbers."""

from __future__ import annotations

from docs.figures.canvas import Canvas
from docs.figures.example import TONES
from heddle.explorer.views.ranges import ranges_view

PROGRAM = "def conv(float(N) I, float(KX) K) -> (O) { O(i) +=! K(x) * I(i+x) }"
STEP = 48
LEFT = 330


def draw_ranges() -> Canvas:
    view = ranges_view(PROGRAM, {})
    assert view is not None
    (statement,) = view["statements"]
    rounds = [entry for entry in statement["rounds"] if entry["start"] is not None]
    canvas = Canvas(760, 60 + 76 * len(rounds), "The two rounds in which the ranges of a convolution are inferred")
    canvas.text(24, 34, statement["text"], "code strong")
    sizes = " and ".join(f"{size['name']} = {size['value']}" for size in view["sizes"])
    canvas.text(LEFT, 34, f"drawn for {sizes}", "soft")
    for number, entry in enumerate(rounds):
        y = 76 + 76 * number
        start, end = entry["start"], entry["end"]
        assert start is not None
        assert end is not None
        canvas.text(24, y + 5, f"round {entry['number']}: {entry['access']}", "code")
        canvas.text(24, y + 28, f"{entry['variable']} in {entry['interval']}", "code strong")
        canvas.line(((LEFT, y), (LEFT + STEP * 8, y)), "line rule")
        canvas.line(((LEFT + STEP * start, y), (LEFT + STEP * (end - 1), y)), f"line {TONES[number]}")
        for coordinate in range(8):
            inside = start <= coordinate < end
            canvas.circle(LEFT + STEP * coordinate, y, 7, f"shape {TONES[number]}" if inside else "hollow rule")
            canvas.text(LEFT + STEP * coordinate, y + 28, str(coordinate), "code" if inside else "code soft", "middle")
    return canvas
