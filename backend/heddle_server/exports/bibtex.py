"""How to cite a plan."""

from __future__ import annotations

from datetime import UTC, datetime

from heddle.plan import Plan, plan_hash
from heddle_server.version import VERSION


def bibtex(plan: Plan) -> str:
    """A ``@misc`` entry; the plan's hash is its identity, whatever server it was opened on."""
    key = plan_hash(plan)
    title = "".join(f"\\{sign}" if sign in "#$%&_{}" else sign for sign in plan.expression)
    return (
        f"@misc{{heddle-{key[:12]},\n"
        f"  title  = {{{{Heddle}} plan: \\texttt{{{title}}}}},\n"
        "  author = {{The Heddle authors}},\n"
        f"  year   = {{{datetime.now(UTC).year}}},\n"
        f"  note   = {{Heddle {VERSION}, plan {key}}}\n"
        "}\n"
    )
