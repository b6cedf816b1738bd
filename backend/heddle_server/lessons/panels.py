"""The tabs of the page that a lesson may show, as ``pane/tab`` (frontend/src/panes/tabs.ts)."""

from __future__ import annotations

PANELS = {
    **{
        f"understand/{tab}": title
        for tab, title in {
            "graphs": "Graphs",
            "iteration": "Iteration",
            "provenance": "Provenance",
            "space": "Space",
            "lattice": "Lattice",
            "storage": "Storage",
            "composition": "Composition",
            "axes": "Axes",
            "ranges": "Ranges",
            "patterns": "Pattern tree",
            "memory": "Types as memory",
            "account": "Why is it fast?",
            "filmstrip": "Filmstrip",
        }.items()
    },
    **{
        f"space/{view}": f"Space: {title}"
        for view, title in {
            "order": "Order",
            "cuts": "Cuts",
            "workers": "Workers",
            "writes": "Writes",
        }.items()
    },
    **{
        f"code/{tab}": title
        for tab, title in {
            "target": "Code",
            "structured": "Loops, structured",
            "flat": "Loops, flat",
            "stages": "Stages",
            "three-stages": "Three stages",
        }.items()
    },
    "run/result": "Run",
    "define/schedule": "Schedule",
}
"""And what the button says that shows it."""
