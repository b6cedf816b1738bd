"""Schedule texts that name no command, or not in its form."""

from __future__ import annotations

from heddle.schedule.registry import COMMANDS
from tests.errors.refusals.refused import Refused

REGISTERED = ", ".join(COMMANDS)
TEXT = (
    Refused(
        "schedule/syntax",
        "expected a command such as split(i, i0, i1, 32), found `123`.",
        "123",
        "Remove 123",
        schedule=("123",),
    ),
    Refused(
        "schedule/unknown-command",
        f"there is no command splitt. Did you mean split? Commands: {REGISTERED}.",
        "splitt",
        "Write split(i, i0, i1, 4)",
        schedule=("splitt(i, i0, i1, 4)",),
    ),
    Refused(
        "schedule/unknown-command",
        f"there is no command tile. Commands: {REGISTERED}.",
        "tile",
        "Remove tile(i, i0, i1, 4)",
        schedule=("tile(i, i0, i1, 4)",),
    ),
    Refused(
        "schedule/syntax",
        "expected ( after split: split(variable, outer, inner, size).",
        " i, i0, i1, 4",
        "Write split(i, i0, i1, 4)",
        schedule=("split i, i0, i1, 4",),
    ),
    Refused(
        "schedule/syntax",
        "the parenthesis of split is not closed: split(variable, outer, inner, size).",
        "(i, i0, i1, 4",
        "Write split(i, i0, i1, 4)",
        schedule=("split(i, i0, i1, 4",),
    ),
    Refused(
        "schedule/syntax",
        "unexpected text after the command: `twice`. One command per line.",
        " twice",
        "Remove split(i, i0, i1, 4) twice",
        schedule=("split(i, i0, i1, 4) twice",),
    ),
    Refused(
        "schedule/wrong-arguments",
        "split takes 4 arguments, found 3: split(variable, outer, inner, size).",
        "split(i, i0, 4)",
        "Remove split(i, i0, 4)",
        schedule=("split(i, i0, 4)",),
    ),
    Refused(
        "schedule/wrong-arguments",
        "reorder takes at least 1 argument, found 0: reorder(variables, …).",
        "reorder()",
        "Remove reorder()",
        schedule=("reorder()",),
    ),
    Refused(
        "schedule/bad-argument",
        "split: size (iterations per tile) must be an integer, found `four`.",
        "four",
        "Remove split(i, i0, i1, four)",
        schedule=("split(i, i0, i1, four)",),
    ),
    Refused(
        "schedule/bad-argument",
        "split: size (iterations per tile) must be an integer, found `4.5`.",
        "4.5",
        "Remove split(i, i0, i1, 4.5)",
        schedule=("split(i, i0, i1, 4.5)",),
    ),
    Refused(
        "schedule/bad-argument",
        "split: outer (the loop over tiles) must be a name, found `0`.",
        "0",
        "Remove split(i, 0, i1, 4)",
        schedule=("split(i, 0, i1, 4)",),
    ),
    Refused(
        "schedule/bad-argument",
        "split: outer (the loop over tiles) must be a name, found nothing.",
        ",",
        "Remove split(i, , i1, 4)",
        schedule=("split(i, , i1, 4)",),
    ),
    Refused(
        "schedule/unknown-value",
        (
            "parallelize: unit must be one of NotParallel, CPUThread, CPUVector, GPUBlock, GPUWarp, GPUThread, "
            "found `CPUThreads`."
        ),
        "CPUThreads",
        "Write parallelize(i, CPUThread, NoRaces)",
        schedule=("parallelize(i, CPUThreads, NoRaces)",),
    ),
    Refused(
        "schedule/unknown-value",
        (
            "parallelize: race must be one of NoRaces, IgnoreRaces, Atomics, Temporary, ParallelReduction, found "
            "`Locks`."
        ),
        "Locks",
        "Write parallelize(i, CPUThread, NoRaces)",
        schedule=("parallelize(i, CPUThread, Locks)",),
    ),
    Refused(
        "schedule/unknown-value",
        (
            "parallelize: unit must be one of NotParallel, CPUThread, CPUVector, GPUBlock, GPUWarp, GPUThread, "
            "found `cputhread`."
        ),
        "cputhread",
        "Write parallelize(i, CPUThread, NoRaces)",
        schedule=("parallelize(i, cputhread, NoRaces)",),
    ),
    Refused(
        "schedule/bad-argument",
        ("split: size (iterations per tile) must be an integer, found `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…`."),
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "Remove split(i, i0, i1, xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx)",
        schedule=("split(i, i0, i1, xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx)",),
    ),
)
