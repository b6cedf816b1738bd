"""The loops of a program in words: which of them each statement has, and which one a mistyped name may have meant.

Each statement has loops of its own. What a later one calls ``h`` is ``h2``, and the check that stands in front of a
gather has loops as well, so that the numbers are not those that a person would count.
"""

from __future__ import annotations

import re

from heddle.diagnostics import nearest
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import all_assignments, all_loops, remember


def loops_of_statements(graph: IterationGraph) -> dict[str, tuple[str, ...]]:
    """The loops of the statement that computes each tensor, in the order in which they run. A loop around several
    statements is one of each."""
    loops: dict[str, tuple[str, ...]] = {}
    for around, assign in all_assignments(graph):
        known = loops.get(assign.target.tensor, ())
        loops[assign.target.tensor] = (*known, *(loop for loop in around if loop not in known))
    return loops


def checked_access(graph: IterationGraph, tensor: str) -> str | None:
    """``X(I(m),h)`` where ``tensor`` counts the indices of a gather that lie outside; None where it does not."""
    program = graph.signature.program
    text = None if program is None else program.checks.get(tensor)
    return None if text is None else text.partition(" reads outside of ")[0]


@remember
def describe_loops(graph: IterationGraph) -> str:
    """``i, j``; of several statements ``m, h of T; m2, k of Y``, those of checks last."""
    if not graph.signature.temporaries:
        return ", ".join(all_loops(graph)) or "none"
    loops_by_result = loops_of_statements(graph)
    ordinary = [
        f"{', '.join(loops)} of {name}" for name, loops in loops_by_result.items() if _is_named(graph, name, loops)
    ]
    checks = [
        f"{', '.join(loops)} of the check of {access}"
        for name, loops in loops_by_result.items()
        if loops and (access := checked_access(graph, name)) is not None
    ]
    return "; ".join([*ordinary, *checks]) or "none"


def _is_named(graph: IterationGraph, tensor: str, loops: tuple[str, ...]) -> bool:
    written = tensor in graph.signature.tensors or tensor in graph.signature.temporaries
    return bool(loops) and written and checked_access(graph, tensor) is None


def nearest_loops(graph: IterationGraph, name: str) -> tuple[str, ...]:
    """The loops that ``name`` may have meant, the likeliest first: of the same letters, one of a later statement is
    likelier than one of an earlier statement."""
    loops = all_loops(graph)
    shared = _sharing_loop(graph, name)
    if shared is not None and shared[0] in loops:
        return (shared[0],)
    parts = re.fullmatch(r"([A-Za-z]+)(\d+)", name)
    if parts is None:
        return nearest(name, loops)
    checks = {
        loop
        for tensor, around in loops_of_statements(graph).items()
        for loop in around
        if checked_access(graph, tensor) is not None
    }
    alike = [loop for loop in loops if re.fullmatch(rf"{parts[1]}\d*", loop) and loop not in checks]
    wanted = int(parts[2])

    def distance(loop: str) -> tuple[bool, int]:
        number = int(loop.removeprefix(parts[1]) or 1)
        return number < wanted, abs(number - wanted)

    return tuple(sorted(alike, key=distance)) or nearest(name, loops)


def explain_name(graph: IterationGraph, name: str) -> str:
    """What ``name`` is where it is no loop."""
    program = graph.signature.program
    if name in graph.signature.tensors or name in graph.signature.temporaries:
        return f"{name} is a tensor, and no loop"
    if program is not None and name in program.sizes:
        return f"{name} is a size, and no loop"
    if program is not None and name in program.computed:
        return f"{name} is computed from loops, and is none"
    shared = _sharing_loop(graph, name)
    if shared is not None:
        loop, number = shared
        return f"command {number} put {name} under the loop {loop}"
    return f"there is no index variable {name}"


def _sharing_loop(graph: IterationGraph, name: str) -> tuple[str, int] | None:
    """The loop that took the place of ``name``, and the number of the command that put the two together."""
    for number, command in enumerate(graph.commands, 1):
        names = re.fullmatch(r"together\(\s*(\w+)\s*,\s*(\w+)\s*\)", command.strip())
        if names is not None and names[2] == name:
            return names[1], number
    return None
