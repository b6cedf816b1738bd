"""Iteration graph and provenance -> JSON (docs/sources.toml V2, V3)."""

from __future__ import annotations

from collections.abc import Iterator

from heddle.explorer.views.graph.graph_schema import (
    GraphNodeView,
    IterationGraphView,
    PathStepView,
    ProvenanceView,
    RelationView,
    TensorPathView,
    VariableView,
)
from heddle.explorer.views.graph.meeting import Meeting, meeting
from heddle.iteration_graph.analysis.iterated import automatic_merges, iterates, loop_at
from heddle.iteration_graph.graph.nodes import (
    Assign,
    Forall,
    IterationGraph,
    ProducerCopies,
    Series,
    Statement,
    Where,
)
from heddle.iteration_graph.graph.printer import graph_text, statement_text
from heddle.iteration_graph.graph.provenance import (
    assignments,
    is_position,
    leaves,
    level_roots,
    level_variables,
    loop_variables,
    operand_accesses,
    position_relation,
    reads,
    relation_above,
    relation_below,
    roots,
    variables,
)
from heddle.notation.nodes import Access
from heddle.notation.printer import to_text


def variable_views(graph: IterationGraph) -> list[VariableView]:
    loops = loop_variables(graph.statement)
    free = {index for _, assign in assignments(graph.statement) for index in assign.target.indices}
    views: list[VariableView] = []
    for name in variables(graph):
        parallel, unroll = graph.parallel.get(name), graph.unroll.get(name)
        views.append(
            VariableView(
                name=name,
                space="position" if is_position(graph, name) else "coordinate",
                underived=name in graph.underived and _producer(graph, name) is None,
                reduction=any(root not in free for root in roots(graph, name)),
                loop=name in loops,
                unit=parallel.unit.value if parallel is not None else None,
                race=parallel.race if parallel is not None else None,
                unroll=unroll.factor if unroll is not None else None,
                bounds=_bounds(graph, name),
                recovery=_recovery(graph, name),
            )
        )
    return views


def _bounds(graph: IterationGraph, name: str) -> str:
    above = relation_above(graph, name)
    if above is not None:
        return above.bounds_text()[above.children.index(name)]
    producer = _producer(graph, name)
    if producer is not None:
        return _copy_bounds(producer)[producer.children.index(name)]
    return f"{name} ∈ [0, {name}_size)"


def _producer(graph: IterationGraph, name: str) -> ProducerCopies | None:
    """What made ``name`` for the producer of a workspace, if something did."""
    return next((producer for producer in graph.producers if name in producer.children), None)


def _copy_bounds(producer: ProducerCopies) -> list[str]:
    """The producer computes the workspace for every value that its consumer may ask for."""
    pairs = zip(producer.parents, producer.children, strict=True)
    return [f"{child} ∈ [{parent}_min, {parent}_max)" for parent, child in pairs]


def _recovery(graph: IterationGraph, name: str) -> str | None:
    positioned = position_relation(graph, name) if name in graph.underived else None
    below = relation_below(graph, name) if positioned is None else relation_above(graph, positioned.position)
    if below is None:
        return None
    return next((text for text in below.recovery_text() if text.startswith(f"{name} =")), None)


def graph_view(graph: IterationGraph) -> IterationGraphView:
    return IterationGraphView(
        nodes=list(_nodes(graph, graph.statement, None, 0)),
        paths=_paths(graph),
        statements=[statement_text(assign) for _, assign in assignments(graph.statement)],
        chains=[list(loops) for loops, _ in assignments(graph.statement)],
        text=graph_text(graph, automatic_merges(graph)),
    )


def _nodes(graph: IterationGraph, statement: Statement, parent: str | None, depth: int) -> Iterator[GraphNodeView]:
    match statement:
        case Forall(variable=variable, body=body):
            yield _node(graph, variable, parent, depth)
            yield from _nodes(graph, body, variable, depth + 1)
        case Where(consumer=consumer, producer=producer):
            yield from _nodes(graph, producer, parent, depth)
            yield from _nodes(graph, consumer, parent, depth)
        case Series(statements=statements):
            for part in statements:
                yield from _nodes(graph, part, parent, depth)
        case Assign():
            return
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _node(graph: IterationGraph, variable: str, parent: str | None, depth: int) -> GraphNodeView:
    behind = dict.fromkeys((*roots(graph, variable), *level_roots(graph, variable)))
    determined = [root for root in behind if _determining(graph, root) == variable]
    iterated: list[str] = []
    located: list[str] = []
    merge: Meeting | None = None
    for root in determined:
        relation = position_relation(graph, root)
        for access in [*operand_accesses(graph, graph.statement), *_workspace_reads(graph)]:
            if root not in access.indices:
                continue
            driven = relation.access == access if relation is not None else iterates(graph, access, root)
            (iterated if driven else located).append(access.tensor)
        merge = merge or meeting(loop_at(graph, root), root)
    return GraphNodeView(
        variable=variable,
        parent=parent,
        depth=depth,
        merge=merge,
        iteration=_iteration(graph, variable, determined, iterated),
        iterated=list(dict.fromkeys(iterated)),
        located=list(dict.fromkeys(located)),
    )


def _determining(graph: IterationGraph, root: str) -> str:
    order = loop_variables(graph.statement)
    loop_leaves = [leaf for leaf in leaves(graph, root) if leaf in order]
    return max(loop_leaves, key=order.index) if loop_leaves else root


def _iteration(graph: IterationGraph, variable: str, determined: list[str], iterated: list[str]) -> str:
    above = relation_above(graph, variable)
    if above is not None and above.in_turn:
        return ", then ".join(above.parents)
    if is_position(graph, variable):
        relations = [position_relation(graph, root) for root in level_roots(graph, variable)]
        names = {relation.access.tensor for relation in relations if relation is not None}
        return f"positions of {', '.join(sorted(names))}"
    if not determined or not iterated:
        return "every coordinate"
    driving = list(dict.fromkeys(iterated))
    return f"coordinates stored in {driving[0]}" if len(driving) == 1 else f"merge of {' and '.join(driving)}"


def _paths(graph: IterationGraph) -> list[TensorPathView]:
    *producers, (_, last) = assignments(graph.statement)
    written = [assign.target for _, assign in producers if assign.target.tensor in graph.workspaces]
    # A scalar is written and read by the same text: two paths all the same.
    temporaries = [*written, *_workspace_reads(graph)]
    accesses = [*operand_accesses(graph, graph.statement), *temporaries, last.target]
    return [_path(graph, access, access is last.target) for access in accesses]


def _workspace_reads(graph: IterationGraph) -> list[Access]:
    return [access for name in graph.workspaces for access in reads(graph.statement, name)]


def _path(graph: IterationGraph, access: Access, result: bool) -> TensorPathView:
    order = loop_variables(graph.statement)
    steps: dict[str, PathStepView] = {}
    temporary = access.tensor in graph.workspaces
    kinds = (
        [graph.workspaces[access.tensor].kind.value] * len(access.indices)
        if temporary
        else [level.kind for level in graph.signature.tensors[access.tensor].format.levels]
    )
    for number, variable in enumerate(level_variables(graph, access), start=1):
        loop_leaves = sorted((leaf for leaf in leaves(graph, variable) if leaf in order), key=order.index)
        for leaf in loop_leaves:
            steps[leaf] = PathStepView(variable=leaf, level=number, kind=kinds[number - 1])
    return TensorPathView(
        tensor=access.tensor,
        access=to_text(access),
        result=result,
        temporary=temporary,
        steps=list(steps.values()),
    )


def provenance_view(graph: IterationGraph) -> ProvenanceView:
    # First, since relations may have been made of copies.
    copies = [
        RelationView(
            kind="precompute",
            command=producer.command,
            parents=list(producer.parents),
            children=list(producer.children),
            bounds=_copy_bounds(producer),
            recover=[],
            workspace=producer.workspace,
        )
        for producer in graph.producers
        if producer.children
    ]
    relations = [
        RelationView(
            kind=relation.kind,
            command=relation.command,
            parents=list(relation.parents),
            children=list(relation.children),
            bounds=relation.bounds_text(),
            recover=relation.recovery_text(),
            workspace=None,
        )
        for relation in graph.relations
    ]
    copy_lines = [
        f"precompute({', '.join(copy['parents'])} -> {', '.join(copy['children'])}, {copy['workspace']})"
        for copy in copies
    ]
    lines = [relation.text() for relation in graph.relations]
    names = variables(graph)
    text = "\n".join([f"variables: {', '.join(names)}", *copy_lines, *lines])
    return ProvenanceView(variables=names, relations=[*copies, *relations], text=text)
