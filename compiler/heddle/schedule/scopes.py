"""What a next command may be about: the loops of the program, or those of parts that have the same ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from heddle.iteration_graph.graph.nodes import IterationGraph, Series, Statement
from heddle.iteration_graph.graph.provenance import loop_variables, operand_accesses, variables
from heddle.schedule.parts.for_parts import name_in_part
from heddle.signature import PartSignature

_NAMES = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Scope:
    """``selector`` stands in front of its commands. ``graph`` has its loops alone; ``shown`` spells a name or an
    expression of it as commands do, and ``loops`` are all loops that a name of a command means."""

    selector: str
    graph: IterationGraph
    shown: Callable[[str], str]
    loops: Callable[[str], tuple[str, ...]]


def scopes(graph: IterationGraph) -> tuple[Scope, ...]:
    """Parts with the same loops together; what is shared by parts, and where there are none, all loops."""
    summed = graph.signature.sum
    whole = Scope("", graph, lambda name: name, lambda name: (name,))
    if summed is None or not isinstance(graph.statement, Series):
        return (whole,)
    groups: dict[tuple[str, ...], list[tuple[PartSignature, Statement]]] = {}
    rest: list[Statement] = []
    for statement in graph.statement.statements:
        read = {access.tensor for access in operand_accesses(graph, statement)}
        read_parts = [part for part in summed.parts if part.operand in read]
        if len(read_parts) != 1:
            rest.append(statement)
            continue
        shown = _show(graph, read_parts[0])
        groups.setdefault(tuple(map(shown, loop_variables(statement))), []).append((read_parts[0], statement))
    part_scopes = [_of_parts(graph, summed.tensor, group, len(summed.parts)) for group in groups.values()]
    if rest:
        part_scopes.append(
            replace(whole, graph=graph.with_statement(rest[0] if len(rest) == 1 else Series(tuple(rest))))
        )
    return tuple(part_scopes)


def _of_parts(graph: IterationGraph, tensor: str, group: list[tuple[PartSignature, Statement]], count: int) -> Scope:
    part, statement = group[0]
    names = "*" if len(group) == count else ", ".join(member.name for member, _ in group)
    read = {access.tensor for access in operand_accesses(graph, statement)}
    tensors = {name: tensor for name, tensor in graph.signature.tensors.items() if name in read or tensor.is_result}
    part_graph = replace(graph, statement=statement, signature=replace(graph.signature, tensors=tensors))
    parts = [member for member, _ in group]
    return Scope(
        f"{tensor}[{names}]: ",
        part_graph,
        _show(graph, part),
        lambda name: tuple(name_in_part(graph, part, name) for part in parts),
    )


def _show(graph: IterationGraph, part: PartSignature) -> Callable[[str], str]:
    summed = graph.signature.sum
    assert summed is not None
    names = {variable: name for name, variable in part.variables.items()} | {part.operand: summed.tensor}
    known = {*variables(graph), *graph.workspaces}

    def show_name(name: str) -> str:
        if name in names:
            return names[name]
        within = next((variable for variable in names if name in known and name.startswith(f"{variable}_")), None)
        if within is not None:
            return names[within] + name[len(within) :]
        return name.removesuffix(f"_{part.name}") if name in known else name

    return lambda text: _NAMES.sub(lambda match: show_name(match.group()), text)


def outermost_names(graph: IterationGraph) -> list[str]:
    """The outermost loops of parts, as ``share`` names them."""
    names = (
        scope.shown(loops[0])
        for scope in scopes(graph)
        if scope.selector and (loops := loop_variables(scope.graph.statement))
    )
    return list(dict.fromkeys(names))
