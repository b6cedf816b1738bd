"""The passes over the loops, in the order in which they run."""

from __future__ import annotations

from docs.site.reference.tables import table
from heddle.lowering.passes import PASSES

HEAD = """# Passes

A *pass* rewrites the loops of a kernel and never what they compute. These run in this order; *Stages* in the explorer
shows the loops after each that changed something, and `heddle compile --passes` prints what each cost and changed.
"""


def passes() -> str:
    rows = ((f"`{row.name}`", row.title, row.summary) for row in PASSES)
    return "\n".join((HEAD, *table(("pass", "title", "what it does"), rows)))
