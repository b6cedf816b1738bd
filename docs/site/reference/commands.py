"""The commands of a schedule, from their registry."""

from __future__ import annotations

from docs.site.reference.tables import table
from heddle.schedule.command import CommandSpec
from heddle.schedule.parts.arithmetic import CONSTANTS
from heddle.schedule.registry import COMMANDS

HEAD = """# Schedule commands

One command per line. A command rewrites the loops of the expression, never its result; where it cannot be applied, it
is refused with the reason and nothing changes. The loops of *before* and *after* are written as the explorer prints
them.

## Parts

Where an operand is a sum of parts, such as `hyb(1,3)`, the parts that a command is for stand in front of it:
`A[*]: unroll(j, 4)`, `A[ell4, csr]: …` by name, `A[0..2]: …` by number. It is applied to all of them or to none, and
its arguments are named as in the program without parts. Its integers may be computed for each part, with `+ - * /`
(rounding down), `min`, `max` and:

{CONSTANTS_TABLE}

## The automatic workspace

The *automatic workspace* collects a sparse result whose coordinates the loops do not give in order, as in
`C(i,k) = A(i,j) * B(j,k)` with all three in csr. It is a transformation of its own: without a schedule it is there, and
the first command finds it there, too, as `precompute` of the whole expression would make it, here
`precompute(A(i,j) * B(j,k), k, kw, w)`. `parallelize(i, CPUThread, NoRaces)` and `split(kw, k0, k1, 64)` apply as they
are.

A schedule may make it needless, mostly by a `precompute` of its own. So commands are applied to the loops without the
workspace as well, and as soon as the result can be appended there, these loops take the place of the others. A plan of
any version that names its workspace itself therefore means what it always meant. With the option `convert: automatic`,
operands are stored in another order first where that makes the workspace needless.
"""


def commands() -> str:
    index = "\n".join(f"- [`{spec.signature}`](#{spec.name}): {spec.summary}" for spec in COMMANDS.values())
    known = "\n".join(f"- `{name}`: {meaning}" for name, meaning in CONSTANTS.items())
    return "\n".join(
        (HEAD.replace("{CONSTANTS_TABLE}", known), "## Commands\n", index, "", *map(section, COMMANDS.values()))
    )


def section(spec: CommandSpec) -> str:
    rows = (
        (f"`{parameter.name}`", parameter.kind, f"{parameter.doc}{choices(parameter.choices)}")
        for parameter in spec.parameters
    )
    preconditions = [f"- {text}" for text in spec.preconditions]
    return "\n".join(
        (
            f"## {spec.name}",
            "",
            f"`{spec.signature}`",
            "",
            spec.summary,
            "",
            *table(("argument", "kind", "meaning"), rows),
            "Before:",
            "",
            "```",
            spec.before,
            "```",
            "",
            "After:",
            "",
            "```",
            spec.after,
            "```",
            "",
            "Preconditions:",
            "",
            *preconditions,
            "",
        )
    )


def choices(names: tuple[str, ...]) -> str:
    return f": {', '.join(f'`{name}`' for name in names)}" if names else ""
