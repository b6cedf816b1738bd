"""Preconditions that several commands share."""

from __future__ import annotations

from collections.abc import Iterable

from heddle.advice import TaggedBefore
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import all_loops, relation_below, variables
from heddle.iteration_graph.graph.relation import Relation
from heddle.notation.reserved import RESERVED
from heddle.schedule.command import Refusal
from heddle.schedule.loop_names import describe_loops, explain_name, nearest_loops

MAX_SIZE = 2**31 - 1


def require_loop(graph: IterationGraph, variable: str, argument: str) -> None:
    """``variable`` must be a loop of the current nest."""
    loops = all_loops(graph)
    if variable in loops:
        return
    known = variables(graph)
    available = describe_loops(graph)
    if variable in known:
        below = _replacing(graph, variable)
        children = " and ".join(below.children)
        how = f"{below.kind} replaced it by {children}"
        replacement = below.children[-1]
        if below.block is not None:
            how, replacement = f"the format of {below.block.tensors[0]} stores it by {children}", below.block.outer
        raise Refusal(
            "schedule/not-a-loop",
            f"{variable} is no longer a loop: {how}. Available: {available}.",
            argument=argument,
            expected="a variable of the current loops",
            actual=variable,
            candidates=loops,
            replacement=replacement if replacement in loops else None,
        )
    close = nearest_loops(graph, variable)
    suggestion = f" Did you mean {close[0]}?" if close else ""
    raise Refusal(
        "schedule/unknown-variable",
        f"{explain_name(graph, variable)}. Available: {available}.{suggestion}",
        argument=argument,
        expected="a variable of the current loops",
        actual=variable,
        candidates=loops,
        replacement=close[0] if close else None,
    )


def _replacing(graph: IterationGraph, variable: str) -> Relation:
    """The relation that replaced a variable; below places of sorted rows, the one that replaced these."""
    below = relation_below(graph, variable)
    assert below is not None
    sorts = below.command is None and below.block is None
    return _replacing(graph, below.children[0]) if sorts else below


def require_new(graph: IterationGraph, argument_names: dict[str, str], also: Iterable[str] = ()) -> None:
    """Every name (argument -> name) must be new, no two the same, and none of those that are ``also`` there."""
    known = {*variables(graph), *graph.signature.tensors, *graph.workspaces, *also}
    for argument, name in argument_names.items():
        if name in known:
            what = "a tensor" if name in graph.signature.tensors else "an index variable"
            free = next(f"{name}{n}" for n in range(2, 1000) if f"{name}{n}" not in known)
            raise Refusal(
                "schedule/name-taken",
                f"{name} is already {what}; a new variable needs a name of its own, for example {free}.",
                argument=argument,
                expected="a new name",
                actual=name,
                replacement=free,
            )
        if name in RESERVED:
            raise Refusal(
                "schedule/reserved-name",
                f"{name} is a reserved word in the generated code; choose another name, for example {name}_.",
                argument=argument,
                expected="a name that C, CUDA and OpenCL leave free",
                actual=name,
                replacement=f"{name}_",
            )
        known.add(name)


def require_untagged(graph: IterationGraph, variable: str, argument: str) -> None:
    """Tags belong to loops that stay: ``parallelize`` and ``unroll`` come last, and a loop has one of them."""
    tag = graph.parallel.get(variable) or graph.unroll.get(variable) or graph.merge.get(variable)
    if tag is not None:
        what = "parallelized" if variable in graph.parallel else "unrolled"
        if variable in graph.merge:
            what = "given a merge strategy"
        raise Refusal(
            "schedule/already-tagged",
            f"{variable} is already {what} by command {tag.command + 1}. A loop can be tagged once, after all other "
            "commands on it: remove one of the two, or change the loop before it is tagged.",
            argument=argument,
            expected="a loop without a tag",
            actual=f"{variable}, {what}",
            advice=(TaggedBefore(tag.command),),
        )


def require_size(value: int, argument: str, what: str) -> None:
    if not 1 <= value <= MAX_SIZE:
        raise Refusal(
            "schedule/bad-size",
            f"{what} must be an integer between 1 and {MAX_SIZE}, not {value}.",
            argument=argument,
            expected=f"an integer between 1 and {MAX_SIZE}",
            actual=str(value),
            replacement="16",
        )
