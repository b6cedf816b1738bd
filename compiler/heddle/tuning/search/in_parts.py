"""A schedule for a program whose operand is a sum of parts: each part's statement by the rule that would be asked if it
were alone, and one loop on threads for all parts where no two of its iterations meet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from heddle.decomposition.decomposed import Decomposed
from heddle.decomposition.rewrite import decompose
from heddle.iteration_graph.graph.nodes import IterationGraph, Series
from heddle.iteration_graph.graph.provenance import loop_variables, roots, variables
from heddle.loop_ir.nodes import LoopKind
from heddle.names import Names
from heddle.notation.nodes import Assignment, operand_accesses
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.schedule.scopes import outermost_names
from heddle.targets import target_named
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.table import CPU_RULES
from heddle.tuning.rules.threads import ONE_THREAD, least_work
from heddle.tuning.search.for_all_parts import PartCommands, for_all_parts

ROWS = 512
"""Of a range that a thread takes in all parts: a search in each part finds its first row."""
_NAME = re.compile(r"[A-Za-z_]\w*")


def by_parts(plan: Plan, program: Program, graph: IterationGraph) -> tuple[Proposal, CompileResult] | None:
    """The commands for all parts, and what they compile to; None where no operand is a sum of parts, or on a GPU.
    ``graph`` is the program without a schedule."""
    divided = decompose(program.assignment, program.signature)
    if divided is None or target_named(plan.target).only_gpu:
        return None
    if all(access.tensor != divided.tensor for access in program.sparse):  # declared, and not read
        return None
    apart = _each(plan, program, divided, graph)
    if apart is None or not _threads_pay(program, divided, apart[1]):
        return apart
    alone = replace(program, machine=replace(program.machine, threads=1))
    serial = _each(plan, alone, divided, graph)
    return (serial and _together_on_threads(plan, divided.tensor, serial)) or apart


def _threads_pay(program: Program, divided: Decomposed, result: CompileResult) -> bool:
    """Whether there is enough to do for several threads: in one part, or in all parts together."""
    if program.machine.threads < 2:
        return False
    if any(tag.unit is LoopKind.CPU_THREAD for tag in result.graphs[-1].parallel.values()):
        return True
    whole = next(access for access in program.sparse if access.tensor == divided.tensor)
    work = program.work(whole)
    return work is not None and work >= least_work(program.machine)


def _together_on_threads(
    plan: Plan, tensor: str, serial: tuple[Proposal, CompileResult]
) -> tuple[Proposal, CompileResult] | None:
    """The serial schedule of each part, and one loop on threads for all parts, where no two of its iterations meet."""
    proposal, alone = serial
    graph = alone.graphs[-1]
    known = {*variables(graph), *graph.signature.tensors, *graph.workspaces}
    rows = outermost_names(graph)
    loop, whole = (rows[0] if len(rows) == 1 else None), Names(known).fresh("t")
    tried: list[tuple[tuple[str, ...], str, str]] = []
    if loop is not None:
        reason = (
            f"Threads share {loop}: the same rows in every part are one thread's, which adds up the parts in order."
        )
        tried.append(((f"share({loop}, {tensor}[*])",), loop, reason))
    reason = "Threads share the rows of all parts in one loop: the tests put each row into one part."
    tried.append(((f"concat({whole}, {tensor}[*])",), whole, reason))
    if loop is not None:
        tile, inner = f"{loop}0", f"{loop}1"
        cut = (f"{tensor}[*]: split({loop}, {tile}, {inner}, {ROWS})", f"share({tile}, {tensor}[*])")
        reason = f"Threads share ranges of {ROWS} rows: what all parts have of them is one thread's, without atomics."
        tried.append((cut, tile, reason))
    for commands, variable, why in tried:
        schedule = (*proposal.schedule, *commands, f"parallelize({variable}, CPUThread, NoRaces)")
        result = lower(replace(plan, schedule=schedule))
        if result.ok:
            reasons = tuple(reason for reason in proposal.reasons if not reason.endswith(ONE_THREAD))
            return Proposal(schedule, (*reasons, why)), result
    return None


def _each(
    plan: Plan, program: Program, divided: Decomposed, graph: IterationGraph
) -> tuple[Proposal, CompileResult] | None:
    """Each statement by its own rule."""
    schedule: tuple[str, ...] = ()
    apart: list[PartCommands] = []
    said: list[tuple[str, tuple[str, ...]]] = []
    result: CompileResult | None = None
    for statement in _statements(program, divided, graph):
        reserved = frozenset(_NAME.findall(" ".join(schedule)))
        choice = _first(plan, replace(statement, taken=statement.taken | reserved), schedule)
        if choice is not None:
            proposal, result = choice
            schedule += proposal.schedule
            part = next((part for part in divided.parts if _reads(statement.assignment, part.name)), None)
            if part is not None:
                suffix = part.name.removeprefix(divided.tensor)
                apart.append(PartCommands(suffix.removeprefix("_"), suffix, proposal.schedule))
            said.append(
                _without_part(part.name.removeprefix(divided.tensor), part.part.name, proposal)
                if part is not None
                else ("What no part is in", proposal.reasons)
            )
    if len(apart) == len(said):
        known = {*variables(graph), *graph.signature.tensors, *graph.workspaces}
        whole = for_all_parts(divided.tensor, apart, known)
        together = lower(replace(plan, schedule=whole)) if whole else None
        if whole and together is not None and together.ok:
            schedule, result = whole, together
    result = result or lower(replace(plan, schedule=()))
    return (Proposal(schedule, tuple(_group_reasons(said))), result) if result.ok else None


def _first(plan: Plan, program: Program, before: tuple[str, ...]) -> tuple[Proposal, CompileResult] | None:
    """The first rule's proposal that compiles behind the commands ``before``; without threads where two of them would
    meet in a row."""
    for rule in CPU_RULES:
        for threads in dict.fromkeys((program.machine.threads, 1)):
            proposal = rule.propose(replace(program, machine=replace(program.machine, threads=threads)))
            if proposal is None:
                break
            result = lower(replace(plan, schedule=before + proposal.schedule))
            if result.ok:
                return proposal, result
    return None


def _statements(program: Program, divided: Decomposed, graph: IterationGraph) -> Iterator[Program]:
    """Each statement as a program of its own."""
    whole, known = graph.statement, program.statistics.get(divided.tensor)
    loops = whole.statements if isinstance(whole, Series) else (whole,)
    shapes = {
        access.tensor: tuple(map(program.sizes.get, access.indices))
        for access in (program.target, *operand_accesses(program.assignment))
    }
    shapes.update({part.name: shapes[divided.tensor] for part in divided.parts})
    statistics = {name: statistic for name, statistic in program.statistics.items() if name != divided.tensor}
    if known is not None and known.parts:
        statistics.update(zip((part.name for part in divided.parts), known.parts, strict=True))
    every = frozenset(loop_variables(whole))
    for statement, nest in zip(divided.statements, loops, strict=True):
        order = tuple(loop_variables(nest))
        target_indices = {*statement.target.indices}
        summed = frozenset(loop for loop in order if not {*roots(graph, loop)} <= target_indices)
        yield replace(
            program,
            assignment=statement,
            signature=divided.signature,
            statistics=statistics,
            sizes=_sizes(statement, shapes),
            order=order,
            summed=summed,
            taken=every,
        )


def _sizes(statement: Assignment, shapes: Mapping[str, tuple[int | None, ...]]) -> dict[str, int]:
    return {
        variable: size
        for access in (statement.target, *operand_accesses(statement))
        for variable, size in zip(access.indices, shapes[access.tensor], strict=True)
        if size is not None
    }


def _reads(statement: Assignment, name: str) -> bool:
    return any(access.tensor == name for access in operand_accesses(statement))


def _without_part(suffix: str, part: str, proposal: Proposal) -> tuple[str, tuple[str, ...]]:
    """The reasons with variables as in the program of one part, so that parts that are alike say the same."""
    return part, tuple(re.sub(rf"{re.escape(suffix)}(?=\d?\b)", "", reason) for reason in proposal.reasons)


def _group_reasons(said: list[tuple[str, tuple[str, ...]]]) -> Iterator[str]:
    """Each reason once, with the parts that it is about in front."""
    about: dict[str, list[str]] = {}
    for part, reasons in said:
        for reason in reasons:
            about.setdefault(reason, []).append(part)
    for reason, parts in about.items():
        yield f"{', '.join(parts)}: {reason}"
