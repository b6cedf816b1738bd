"""Draws the pictures of docs/architecture.md: ``python -m docs.site.pictures [--check]``.

One shows the layers as tests/test_layering.py holds them, the other what the pipeline makes of SpMV, in the texts
that the compiler itself prints. Both are SVG that a page shows as a picture, so they bring their own background.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path

import heddle
from heddle.iteration_graph.graph.printer import graph_text
from tests.test_layering import COMPILER_LAYERS, FOLDERS

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"

WIDTH = 800
LINE = 17
PADDING = 12
STYLE = """<style>
  text { font: 12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #1b1f24; white-space: pre; }
  text.title { font: 600 13px system-ui, sans-serif; }
  text.note { font: 12px system-ui, sans-serif; fill: #57606a; }
  rect.box { fill: #f6f8fa; stroke: #d0d7de; }
  rect.row { fill: #ffffff; stroke: #d0d7de; }
  path { stroke: #57606a; fill: none; marker-end: url(#tip); }
</style>
<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="6" refY="4" orient="auto">
<path d="M1 1 L6 4 L1 7" style="marker-end: none"/></marker></defs>"""

COMPILER = "What is above imports what is below, never the other way round"
ABOUT = {
    "cli": "the shell",
    "explorer": "what shows a plan to a person: views, cost report, quick fixes",
    "algorithms": "decompositions: several kernels in a cycle",
    "library": "calls without declarations",
    "tuning": "rules and searches that choose schedules",
    "measuring": "rounds beside other programs, and verdicts",
    "stages": "a compile under way: what it has, up to the scheduled loops",
    "runtime": "packing, kernels, devices, data files",
    "semantics": "types and formats of a program, what can be lowered",
    "codegen": "C, CUDA, OpenCL",
    "lowering": "loops from graphs; passes",
    "schedule": "commands",
    "decomposition": "sums of sub-formats into statements",
    "iteration_graph": "loops as variables, with provenance",
    "plan": "the document",
    "frontends": "a record for each language",
    "formats": "level kinds",
    "patterns": "ragged arrays",
    "loop_ir": "loops, loads, stores; the checked interpreter",
    "comprehensions": "ranges from shapes",
    "notation": "index notation",
    "fills": "what is not stored",
    "symbolic": "exact integers",
}
"""What each package of the compiler is about."""

AROUND = (
    ("Page", "frontend/: TypeScript, React, SVG", "HTTP, JSON, server-sent events"),
    ("Service", "backend/: FastAPI, SQLite, Dask", "a plan in, a view of its compile out"),
)


def picture(height: int, parts: Sequence[str], label: str) -> str:
    """A whole SVG document."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-label="{escape(label)}">'
    )
    ground = f'<rect width="{WIDTH}" height="{height}" rx="6" fill="#ffffff"/>'
    return "\n".join((head, STYLE, ground, *parts, "</svg>", ""))


def text(x: float, y: float, words: str, kind: str = "") -> str:
    shown = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{shown} xml:space="preserve">{escape(words)}</text>'


def box(y: float, height: float, kind: str = "box", x: float = 20, width: float = WIDTH - 40) -> str:
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4"/>'


def arrow(y: float, says: str) -> list[str]:
    return [f'<path d="M{WIDTH / 2:g} {y:g} V{y + 24:g}"/>', text(WIDTH / 2 + 12, y + 17, says, "note")]


def layers() -> str:
    """Page, service and compiler, whose packages stand in their rows."""
    parts, y = [], 20
    for title, what, passes in AROUND:
        parts += [box(y, 40), text(34, y + 25, title, "title"), text(130, y + 25, what, "note"), *arrow(y + 40, passes)]
        y += 68
    folder = ROOT / FOLDERS["heddle"]
    rows = [[name for name in row if (folder / name).is_dir()] for row in reversed(COMPILER_LAYERS)]
    rows = [row for row in rows if row]
    height = 40 + 28 * len(rows)
    parts += [box(y, height), text(34, y + 24, "Compiler", "title"), text(130, y + 24, COMPILER, "note")]
    for number, row in enumerate(rows):
        top = y + 36 + 28 * number
        parts.append(box(top, 24, "row", 34, WIDTH - 68))
        for place, name in enumerate(row):
            left = 46 + place * (WIDTH - 68) / len(row)
            parts += [text(left, top + 16, name), text(left + 130, top + 16, ABOUT[name], "note")]
    y += height
    parts += [*arrow(y, "C text"), box(y + 28, 40), text(34, y + 53, "gcc, clang or zig", "title")]
    parts.append(text(190, y + 53, "a shared library in the kernel cache, called through ctypes", "note"))
    return picture(y + 88, parts, "The page asks the service, the service the compiler, the compiler a C compiler")


def pipeline() -> str:
    """SpMV through the compiler, each stage as the compiler prints it."""
    expression, schedule = "y(i) = A(i,j) * x(j)", ["split(i, i0, i1, 64)", "parallelize(i0, CPUThread, NoRaces)"]
    result = heddle.lower(expression, formats={"A": "csr"}, schedule=schedule)
    assert result.source is not None
    assert result.structured is not None
    stages = (
        ("Plan", "heddle.plan", f"{expression}\nA: csr\n" + "\n".join(schedule)),
        ("Iteration graph", "heddle.iteration_graph", graph_text(result.graphs[0])),
        ("Iteration graph, scheduled", "heddle.schedule", graph_text(result.graph)),
        ("Loop IR", "heddle.lowering", result.structured.text),
        ("C", "heddle.codegen", result.source.text.partition("\n\n")[2]),
    )
    passes = ("parse and build", "apply the schedule", "lower", "print")
    parts, y = [], 20
    for number, (title, package, shown) in enumerate(stages):
        lines = shown.rstrip().splitlines()
        height = 30 + LINE * len(lines) + PADDING
        parts += [box(y, height), text(34, y + 21, title, "title"), text(620, y + 21, package, "note")]
        parts += [text(34, y + 44 + LINE * row, line) for row, line in enumerate(lines)]
        y += height
        if number < len(passes):
            parts += arrow(y, passes[number])
            y += 28
    return picture(
        y + 20, parts, "SpMV as a plan, as an iteration graph before and after its schedule, as loops and as C"
    )


PICTURES: Mapping[str, Callable[[], str]] = {"layers.svg": layers, "pipeline-spmv.svg": pipeline}


def main(arguments: list[str]) -> int:
    stale = [name for name, draw in PICTURES.items() if not is_drawn(IMAGES / name, draw())]
    if "--check" in arguments:
        for name in stale:
            print(f"docs/images/{name} shows an older compiler. Run: python -m docs.site.pictures", file=sys.stderr)
        return 1 if stale else 0
    for name in stale:
        (IMAGES / name).write_text(PICTURES[name](), encoding="utf-8")
    return 0


def is_drawn(file: Path, content: str) -> bool:
    return file.is_file() and file.read_text(encoding="utf-8") == content


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
