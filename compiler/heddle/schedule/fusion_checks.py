"""Preconditions of the commands for several statements: ``inline``, ``together`` and ``apart``."""

from __future__ import annotations

from collections.abc import Iterable

from heddle.diagnostics import Fix
from heddle.formats.printer import format_text
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import relation_above, relation_below
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.notation.nodes import Access
from heddle.notation.printer import to_text


def require_statements(graph: IterationGraph) -> None:
    """There must be several statements, and no operand in parts."""
    summed = graph.signature.sum
    if summed is not None:
        raise Refusal(
            "schedule/one-statement",
            f"{summed.tensor} is stored as a sum of parts, and the statements of parts are not those of a program. "
            "Parts share a loop by share, or run in turn by concat.",
            expected="a program of several statements",
            actual=f"the parts of {summed.tensor}",
        )
    if not graph.signature.temporaries:
        raise Refusal(
            "schedule/one-statement",
            "the program is one statement; this command is about several, of which one reads what another computes.",
            expected="a program of several statements",
            actual=f"one, which computes {graph.signature.result.name}",
        )


def require_whole(graph: IterationGraph, variable: str, argument: str, command: str) -> None:
    """The loop over ``variable`` must still be the one of the program."""
    relation = relation_above(graph, variable) or relation_below(graph, variable)
    if relation is None:
        return
    by = "the format" if relation.command is None else f"command {relation.command + 1}"
    raise Refusal(
        "schedule/cut-before",
        f"{variable} comes from {relation.kind} by {by}, so that its range is no longer that of a whole loop. Put "
        f"{command} in front of the commands that cut its loops.",
        argument=argument,
        expected="a loop that no command cut",
        actual=variable,
    )


def require_dense(graph: IterationGraph, tensors: Iterable[str], argument: str, reason: str) -> None:
    """A temporary that is stored as a result is, is whole before another statement reads it. ``reason`` says what the
    command would do with it instead."""
    stored = next((name for name in tensors if name in graph.signature.stored_temporaries), None)
    if stored is None:
        return
    layout = format_text(graph.signature.temporaries[stored].format)
    raise Refusal(
        "schedule/stored-temporary",
        f"{stored} is stored as {layout}, whole before another statement reads it, but {reason}. Store {stored} dense.",
        argument=argument,
        expected=f"{stored} stored dense",
        actual=layout,
        fixes=(Fix(f"Store {stored} dense", formats={stored: "dense"}),),
    )


def require_uncut(graph: IterationGraph, variable: str, argument: str) -> None:
    """The format of no tensor may store ``variable`` by blocks, whose loops are no loops over whole coordinates."""
    below = relation_below(graph, variable)
    if below is None or below.block is None:
        return
    tensor = below.block.tensors[0]
    raise Refusal(
        "schedule/cut-before",
        f"the format of {tensor} cuts {variable} into {below.block.outer} and {below.block.inner}, and statements "
        f"share loops over whole coordinates alone. Store {tensor} without blocks, or leave the loops apart.",
        argument=argument,
        expected="a loop that no format cuts",
        actual=variable,
    )


def spell(graph: IterationGraph, access: Access) -> str:
    """``t(i + kw)``: an access with the formulas of its coordinates."""
    program = graph.signature.program
    if program is None or not access.indices:
        return to_text(access)
    parts = [to_text(program.computed[index]) if index in program.computed else index for index in access.indices]
    return f"{access.tensor}({','.join(parts)})"
