"""Two workers that add into the same element, and what each strategy makes of it."""

from __future__ import annotations

from docs.figures.canvas import Canvas

STRATEGIES = (
    ("NoRaces", "refused here"),
    ("Atomics", "one at a time"),
    ("Temporary", "a copy each, added up later"),
)


def draw_races() -> Canvas:
    canvas = Canvas(760, 250, "Two workers add into one element: refused, one at a time, or into copies")
    for number, (strategy, remark) in enumerate(STRATEGIES):
        x = 140 + 240 * number
        canvas.text(x, 34, strategy, "code strong", "middle")
        canvas.text(x, 56, remark, "soft", "middle")
        copies = (x - 50, x + 50) if strategy == "Temporary" else (x, x)
        for worker, (side, copy) in enumerate(zip((x - 50, x + 50), copies, strict=True)):
            tone = ("blue", "orange")[worker]
            canvas.labelled_box(side - 40, 74, 80, 30, f"worker {worker}", f"shape {tone}", "")
            refused = strategy == "NoRaces"
            if refused:
                canvas.line(((side, 106), (copy + (side - copy) * 0.3, 148)), f"line dashed {tone}")
            else:
                lean = 8 if copy == x else 0
                canvas.arrow((side, 106), (copy + (lean if side > copy else -lean), 150), tone)
        if strategy == "Temporary":
            for copy in copies:
                canvas.labelled_box(copy - 26, 152, 52, 28, "copy", "hollow gray", "code")
                canvas.arrow((copy, 182), (x + (copy - x) * 0.3, 208), "gray")
            canvas.labelled_box(x - 28, 210, 56, 28, "y(2)", "shape green", "code")
        else:
            canvas.labelled_box(x - 28, 152, 56, 28, "y(2)", "shape green", "code")
            canvas.text(x, 204, "+=" if strategy == "Atomics" else "which one is last?", "soft", "middle")
    return canvas
