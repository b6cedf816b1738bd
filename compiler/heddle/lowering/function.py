"""Iteration graph -> loop IR: the whole kernel."""

from __future__ import annotations

from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import all_paths, leaves, walked_positions
from heddle.loop_ir.nodes import Block, Function, Require
from heddle.lowering.environment.kernel_context import KernelContext
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.loop_sums import Unsegmented
from heddle.lowering.environment.parameters import parameters
from heddle.lowering.kernel_symbols import allocate_kernel_symbols
from heddle.lowering.sections import lower_sections, pattern_of
from heddle.lowering.statement import lower_statement
from heddle.lowering.workspaces.workspace import memory_of_kept
from heddle.origin import Origin, Role


def lower(kernel: KernelContext, name: str = "kernel") -> Function:
    """The loops of a new ``kernel``.

    Raises
    ------
    Refusal
        ``runtime/stationary``, for a result whose coordinates cannot be found again in the order of the loops.
    """
    body = lower_sections(kernel, lower_statement)
    at_entry = LoopEnvironment(kernel)
    kernel.requirements += _claims(at_entry)
    allocations = memory_of_kept(LoopEnvironment(kernel))
    whole = Block(
        (
            *at_entry.builder.block().statements,
            *kernel.requirements,
            *kernel.allocations,
            *kernel.preparation,
            *allocations,
            *body,
        )
    )
    return Function(name, parameters(kernel, whole), whole, (*kernel.requirements, *kernel.checked), pattern_of(kernel))


def find_unsegmented(graph: IterationGraph) -> dict[str, Unsegmented]:
    """By the loop that completes positions, why the rows of these are not summed in registers where they are not."""
    kernel = allocate_kernel_symbols(graph)
    lower(kernel)
    walked = [leaves(graph, positions.position) for positions in walked_positions(graph)]
    ways = [[loop for loop in path if loop in below] for path in all_paths(graph) for below in walked]
    innermost = {way[-1] for way in ways if way}
    return {loop: reason for loop, reason in kernel.unsegmented.items() if loop in innermost}


def _claims(at_entry: LoopEnvironment) -> list[Require]:
    """What the schedule claims of the operands, once for each command, to be checked in front of everything. What a
    claim needs to be computed first, such as where a concatenated loop ends, is emitted ``at_entry``."""
    kernel, claims = at_entry.kernel, list[Require]()
    for relation in kernel.graph.relations:
        claim = relation.claim(at_entry)
        if claim is not None and relation.command not in {c.origin.command for c in claims}:
            origin = Origin(Role.BOUNDS, relation.parents[0], command=relation.command)
            claims.append(Require(claim.condition, len(kernel.requirements) + len(claims) + 1, claim.text, origin))
    return claims
