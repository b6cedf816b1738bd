"""CompileResult -> CompileView: everything that the page shows of one compile."""

from __future__ import annotations

from heddle.codegen.languages import printer_of
from heddle.explorer.views.code.code import code_view
from heddle.explorer.views.code.code_schema import CodeView
from heddle.explorer.views.code.coordinates import coordinates_view
from heddle.explorer.views.code.regions import region_views
from heddle.explorer.views.compile_schema import (
    CommandView,
    CompileView,
    ConversionView,
    LevelView,
    StageView,
    TensorView,
)
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.explorer.views.graph.graph import graph_view, provenance_view, variable_views
from heddle.explorer.views.graph.lattice import lattice_views
from heddle.explorer.views.patterns import patterns_view, source_tensors
from heddle.explorer.views.ranges import ranges_view
from heddle.explorer.views.schedule_tree import schedule_tree_view
from heddle.explorer.views.temporaries import temporary_views
from heddle.explorer.views.trace.gpu_work import launch_views
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.printer import format_text
from heddle.frontends.comprehension import COMPREHENSION
from heddle.iteration_graph.graph.blocks import known_blocks, level_indices
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.notation.nodes import Access
from heddle.plan import plan_hash, to_document
from heddle.result import CompileResult
from heddle.signature import Signature, TensorSignature
from heddle.targets import target_named


def compile_view(result: CompileResult, before: CompileResult | None = None) -> CompileView:
    """``before`` is the compile of the commands in front of the one that is refused."""
    graph = result.graph
    view = CompileView(
        plan=to_document(result.plan),
        hash=plan_hash(result.plan),
        ok=result.ok,
        milliseconds=sum(item.milliseconds for item in result.passes),
        diagnostics=[diagnostic_view(diagnostic) for diagnostic in result.diagnostics],
        tensors=_tensors(result.signature, graph) if result.signature is not None else source_tensors(result),
        conversions=[
            ConversionView(tensor=conversion.tensor, name=conversion.name, format=format_text(conversion.format))
            for conversion in result.conversions
        ],
        temporaries=temporary_views(result),
        variables=variable_views(graph) if graph is not None else [],
        commands=_commands(result),
        graph=graph_view(graph) if graph is not None else None,
        provenance=provenance_view(graph) if graph is not None else None,
        lattices=lattice_views(graph) if graph is not None else [],
        stages=_stages(result),
        coordinates=coordinates_view(result.lowered_graph) if result.lowered_graph is not None else None,
        regions=region_views(result.function) if result.function is not None else [],
        code=_text(result),
        launches=launch_views(result.launches),
        ranges=ranges_view(result.plan.expression, result.plan.sizes)
        if result.plan.language == COMPREHENSION.name
        else None,
        patterns=patterns_view(result),
        before=compile_view(before) if before is not None else None,
    )
    if graph is not None and result.plan.language == COMPREHENSION.name:
        view["tree"] = schedule_tree_view(result, graph)
    return view


def _tensors(signature: Signature, graph: IterationGraph | None) -> list[TensorView]:
    return [
        TensorView(
            name=tensor.name,
            result=tensor.is_result,
            order=tensor.order,
            dtype=tensor.dtype,
            format=format_text(tensor.format),
            dimensions=list(tensor.indices),
            levels=_levels(tensor, graph),
        )
        for tensor in signature.tensors.values()
    ]


def _levels(tensor: TensorSignature, graph: IterationGraph | None) -> list[LevelView]:
    stored = [tensor.indices[dimension] for dimension in tensor.format.order]
    if graph is not None and tensor.format.cuts:
        stored = level_indices(Access(tensor.name, tensor.indices), graph.signature, known_blocks(graph.relations))
    views = []
    for number, level in enumerate(tensor.format.levels, start=1):
        kind = LEVEL_KINDS.get(level.kind)
        dimension = tensor.format.order[number - 1]
        views.append(
            LevelView(
                kind=level.kind,
                ordered=level.ordered,
                unique=level.unique,
                dimension=dimension,
                variable=stored[number - 1],
                arrays=[f"{tensor.name}{number}_{role}" for role in kind.arrays_of(level)] if kind is not None else [],
            )
        )
    return views


def _commands(result: CompileResult) -> list[CommandView]:
    """Every row of the schedule: applied, the one that failed, and those that were not reached."""
    views = []
    for index, text in enumerate(result.plan.schedule):
        if index < len(result.commands):
            parsed = result.commands[index]
            arguments = [argument.text for argument in parsed.arguments]
            views.append(
                CommandView(index=index, text=text, name=parsed.spec.name, arguments=arguments, status="applied")
            )
            continue
        failed = any(d.location is not None and d.location.command == index for d in result.diagnostics)
        name = text.partition("(")[0].rpartition(":")[2].strip()  # without the parts that it is for
        views.append(
            CommandView(index=index, text=text, name=name, arguments=[], status="failed" if failed else "skipped")
        )
    return views


def _stages(result: CompileResult) -> list[StageView]:
    views: list[StageView] = []
    loops = ""
    for item in result.passes:
        text = item.text
        # A block within a block, for example, is printed like the statements in it.
        changed = item.changed and (item.summary is None or text != loops)
        loops = text if changed else loops
        views.append(
            StageView(
                id=item.name,
                title=item.title,
                summary=item.summary,
                text=text if changed else "",
                changed=changed,
                command=item.command,
                milliseconds=item.milliseconds,
                code=_loops(result, item.name),
            )
        )
    return views


def _loops(result: CompileResult, stage: str) -> CodeView | None:
    """The stages that the Code pane shows on their own, with the origins of their text."""
    text = {"structured": result.structured, "flat": result.flat}.get(stage)
    if text is None or result.function is None:
        return None
    return code_view(text, result.function, result.lowered_graph, "loops")


def _text(result: CompileResult) -> CodeView | None:
    if result.source is None or result.function is None:
        return None
    return code_view(
        result.source,
        result.function,
        result.lowered_graph,
        printer_of(result.function, target_named(result.plan.target)).language.name,
    )
