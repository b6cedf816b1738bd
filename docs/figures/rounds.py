"""The rounds of a measurement: every contender once in each, in a new random order, and ours a second time."""

from __future__ import annotations

from random import Random

from docs.figures.canvas import Canvas

CONTENDERS = {"kernel": "blue", "kernel, again": "blue", "unscheduled": "gray", "SciPy": "orange", "MKL": "green"}
ROUNDS = 4


def draw_rounds() -> Canvas:
    canvas = Canvas(760, 230, "Four rounds of a measurement: in each, every contender once, in another order")
    random = Random(4)
    for number in range(ROUNDS):
        y = 24 + 44 * number
        canvas.text(24, y + 20, f"round {number + 1}", "soft")
        order = list(CONTENDERS)
        random.shuffle(order)
        for place, name in enumerate(order):
            style = f"hollow dashed {CONTENDERS[name]}" if "again" in name else f"shape {CONTENDERS[name]}"
            canvas.labelled_box(104 + 128 * place, y, 120, 30, name, style, "")
    canvas.text(24, 216, "Dashed: the same kernel once more, the control.", "soft")
    return canvas
