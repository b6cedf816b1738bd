"""Work for all threads, done by one."""

from __future__ import annotations

from heddle.diagnostics import CompileError
from heddle.iteration_graph.graph.provenance import loop_variables
from heddle.pipeline import lower
from heddle.schedule.primitives.parallelize import Parallelize
from heddle.targets import C
from heddle.tuning.diagnosis.finished import Diagnosis, Finished, duration, waking
from heddle.tuning.rules.threads import least_work

PLENTY = 4.0
"""How many times the least work that threads are woken for there must be."""


def idle_threads(run: Finished) -> Diagnosis | None:
    machine = run.program.machine
    shared = [
        command for _, command in run.commands if isinstance(command, Parallelize) and command.unit == "CPUThread"
    ]
    works = [work for access in run.program.sparse if (work := run.program.work(access)) is not None]
    if machine.threads < 2 or shared or not works or run.plan.target != C.name:
        return None
    if max(works) < PLENTY * least_work(machine):
        return None
    graphs = lower(run.plan).graphs
    loops = loop_variables(graphs[-1].statement) if graphs else ()
    if not loops:
        return None
    try:
        added = f"parallelize({loops[0]}, CPUThread, NoRaces)"
        fix = run.with_schedule(f"Share {loops[0]} out to the threads", *run.plan.schedule, added)
    except CompileError:
        return None
    if fix is None:
        return None
    text = (
        f"About {max(works):,.0f} operations in {duration(run.seconds)}, all on one of {machine.threads} threads: the "
        f"schedule shares nothing out, and waking the threads takes {waking(machine)}."
    )
    return Diagnosis("idle-threads", text, fix)
