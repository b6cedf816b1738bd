"""Draws the pictures of the concept pages: ``python -m docs.figures [--check]``.

With ``--check`` nothing is written, and the exit code is 1 where a committed picture is another one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from docs.figures.assembly import draw_assembly
from docs.figures.canvas import Canvas
from docs.figures.cuts import draw_cuts
from docs.figures.graphs import draw_iteration_graphs
from docs.figures.lanes import draw_lanes
from docs.figures.lattice import draw_lattice
from docs.figures.parts import draw_parts
from docs.figures.provenance import draw_provenance
from docs.figures.races import draw_races
from docs.figures.ragged import draw_ragged
from docs.figures.ranges import draw_ranges
from docs.figures.rounds import draw_rounds
from docs.figures.storage import draw_storage
from docs.figures.sweep import draw_sweep
from docs.figures.workspace import draw_workspace

FOLDER = Path(__file__).resolve().parent.parent / "images" / "understand"
FIGURES: dict[str, Callable[[], Canvas]] = {
    "storage": draw_storage,
    "iteration-graphs": draw_iteration_graphs,
    "lattice": draw_lattice,
    "provenance": draw_provenance,
    "cuts": draw_cuts,
    "assembly": draw_assembly,
    "workspace": draw_workspace,
    "races": draw_races,
    "lanes": draw_lanes,
    "parts": draw_parts,
    "ragged": draw_ragged,
    "ranges": draw_ranges,
    "sweep": draw_sweep,
    "rounds": draw_rounds,
}


def main(arguments: list[str]) -> int:
    stale = []
    for name, draw in FIGURES.items():
        file, text = FOLDER / f"{name}.svg", str(draw())
        if arguments == ["--check"]:
            if not file.exists() or file.read_text(encoding="utf-8") != text:
                stale.append(name)
        else:
            file.write_text(text, encoding="utf-8")
    if stale:
        print(f"pictures are out of date: {', '.join(stale)}: python -m docs.figures", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
