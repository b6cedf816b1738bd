"""The last check of a schedule: can its sparse result be assembled? If not, which ``precompute`` makes it so?"""

from __future__ import annotations

from dataclasses import replace

from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from heddle.iteration_graph.analysis.append_order import check_append
from heddle.iteration_graph.analysis.assembly import Appended, assembly_of, sections_of
from heddle.iteration_graph.analysis.scattering import scatters
from heddle.iteration_graph.graph.blocks import as_written
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.sections import SectionKind, replace_section, split_sections
from heddle.iteration_graph.transform.implicit import with_implicit_positions
from heddle.iteration_graph.transform.multi_pass_sums import in_passes
from heddle.iteration_graph.transform.workspaces import needed_workspace, with_workspace
from heddle.notation.printer import to_text
from heddle.schedule.apply import apply
from heddle.schedule.automatic_workspace import find_obstacle
from heddle.schedule.syntax.parser import parse_command


def assemble_graph(graphs: list[IterationGraph], schedule: tuple[str, ...]) -> IterationGraph:
    """The graph to lower, from the graphs before and after each command. The automatic workspace is there where the
    first command needed it. Without a command a transposed copy scatters its entries, and the workspace is inserted
    here for others, or a sum of many sums made in passes; where loops lack it, a ``precompute`` is proposed.

    Raises CompileError ``schedule/append-…``."""
    graph = _assembled_temporaries(graphs[-1])
    try:
        if not schedule:
            return _counted_rows(graph) or in_passes(with_workspace(graph))
        check_append(with_implicit_positions(graph))  # which decide whether it shares the pattern of an operand
        return graph
    except Refusal as refusal:
        raise CompileError(_diagnostic(refusal, graphs, schedule)) from None


def _assembled_temporaries(graph: IterationGraph) -> IterationGraph:
    """The graph in which each temporary that is stored can be assembled: values that come out of order are collected in
    a workspace first.

    Raises
    ------
    CompileError
        ``format/temporary-assembly``, where no workspace helps.
    """
    for number, section in enumerate(split_sections(graph)):
        if section.kind is not SectionKind.STORED:
            continue
        section_graph = sections_of(graph)[number].graph
        try:
            changed = _counted_rows(section_graph) or with_workspace(with_implicit_positions(section_graph))
        except Refusal as refusal:
            raise CompileError(_stored_diagnostic(refusal, section.tensor)) from None
        if changed is not section_graph:
            graph = replace_section(graph, number, changed)
    return graph


def _stored_diagnostic(refusal: Refusal, name: str) -> Diagnostic:
    return Diagnostic(
        "format/temporary-assembly",
        f"the temporary {name} cannot be assembled: {refusal.message}",
        Location(Part.FORMAT, tensor=name),
        expected=refusal.expected,
        actual=refusal.actual,
        hint=refusal.hint,
        fixes=(Fix(f"Store {name} dense", formats={name: "dense"}),),
    )


def _counted_rows(graph: IterationGraph) -> IterationGraph | None:
    """The graph whose result, which in a section is a temporary, is scattered; None where the order of the loops lets
    it be appended, or does not let it be scattered."""
    *_, section = sections_of(graph)
    if find_obstacle(graph) is None or not isinstance(assembly_of(graph), Appended) or not scatters(section.graph):
        return None
    return replace(graph, scattered=graph.scattered | {graph.signature.result.name})


def _diagnostic(refusal: Refusal, graphs: list[IterationGraph], schedule: tuple[str, ...]) -> Diagnostic:
    graph = graphs[-1]
    result = graph.signature.result.name
    tag = graph.parallel.get(refusal.actual or "")
    location = Location(Part.FORMAT, tensor=result)
    if tag is not None:
        location = Location(Part.SCHEDULE, 0, len(schedule[tag.command]), command=tag.command)
    dense = Fix(f"Store {result} dense", formats={result: "dense"})
    return Diagnostic(
        refusal.code,
        refusal.message,
        location,
        expected=refusal.expected,
        actual=refusal.actual,
        hint=refusal.hint,
        advice=refusal.advice,
        fixes=_proposals(graphs, schedule) or (dense,),
    )


def _proposals(graphs: list[IterationGraph], schedule: tuple[str, ...]) -> tuple[Fix, ...]:
    """The schedule with a ``precompute`` at the latest place where all of it applies and the result can be appended."""
    for place in range(len(schedule), -1, -1):
        command = workspace_command(graphs[place].bare or graphs[place], graphs[0])
        if command is None:
            continue
        proposed = (*schedule[:place], command, *schedule[place:])
        if _works(graphs[0], proposed):
            return (Fix(f"Insert {command}", schedule=proposed),)
    return ()


def workspace_command(graph: IterationGraph, unscheduled: IterationGraph) -> str | None:
    """The ``precompute`` that lets the result of ``graph``, made from ``unscheduled``, be appended; None where nothing
    is needed, or nothing helps."""
    wanted = needed_workspace(graph)
    if wanted is None:
        return None
    over, copies = ", ".join(wanted.over), ", ".join(wanted.copies)
    if len(wanted.over) > 1:
        over, copies = "{" + over + "}", "{" + copies + "}"
    part = as_written(wanted.part, unscheduled)
    return f"precompute({to_text(part)}, {over}, {copies}, {wanted.name})"


def _works(graph: IterationGraph, schedule: tuple[str, ...]) -> bool:
    try:
        for number, text in enumerate(schedule):
            graph = apply(graph, parse_command(text, number, schedule), schedule)
        check_append(graph)
    except (CompileError, Refusal):
        return False
    return True
