"""One sweep of a CP decomposition: the same three steps for each mode, then the fit."""

from __future__ import annotations

from docs.figures.canvas import Canvas
from docs.figures.example import TONES

STEPS = ("MTTKRP", "solve", "scale")


def draw_sweep() -> Canvas:
    canvas = Canvas(760, 250, "One sweep: MTTKRP, solve and scale for each of three modes, then the fit")
    for mode in range(3):
        y = 30 + 66 * mode
        canvas.text(24, y + 24, f"mode {mode}", "strong")
        for number, step in enumerate(STEPS):
            style = f"shape {TONES[mode]}" if number == 0 else f"hollow {TONES[mode]}"
            canvas.labelled_box(110 + 150 * number, y, 110, 36, step, style, "")
            canvas.arrow((220 + 150 * number, y + 18), (258 + 150 * number, y + 18), "gray")
        canvas.labelled_box(560, y, 120, 36, f"factor {mode}", f"shape {TONES[mode]}", "strong")
        if mode < 2:
            canvas.line(((620, y + 36), (620, y + 51), (165, y + 51)), "line gray")
            canvas.arrow((165, y + 51), (165, y + 65), "gray")
    canvas.text(24, 232, "Filled: sparse work, a kernel. The rest is small and dense. The fit comes last.", "soft")
    return canvas
