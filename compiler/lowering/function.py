"""Iteration graph -> loop IR: the whole kernel."""

from __future__ import annotations

from compiler.iteration_graph.algebra.constants import background
from compiler.iteration_graph.analysis.assembly import Appended, Shared
from compiler.iteration_graph.graph.provenance import assignments
from compiler.loop_ir.nodes import Block, Const, Fill, Function, Require, SharedPattern, Stmt
from compiler.lowering.environment.block import block
from compiler.lowering.environment.compute import typed_constant
from compiler.lowering.environment.kernel import Kernel
from compiler.lowering.environment.loop_environment import LoopEnvironment
from compiler.lowering.environment.parameters import parameters
from compiler.lowering.environment.positions import positions
from compiler.lowering.results.assembly import lower_assembled, lower_values
from compiler.lowering.statement import lower_statement
from compiler.origin import Origin, Role


def lower(kernel: Kernel, name: str = "kernel") -> Function:
    """The loops of a new ``kernel``.

    Raises:
        Refusal: ``runtime/stationary``, for a result whose coordinates cannot be found again in the order of the loops.
    """
    if isinstance(kernel.assembly, Appended):
        assemble = lower_values if kernel.given else lower_assembled
        body = assemble(kernel, kernel.assembly, lower_statement)
    else:
        body = _lower_once(kernel)
    kernel.requirements += _claims(kernel)
    whole = Block((*kernel.requirements, *body))
    pattern = None
    if isinstance(kernel.assembly, Shared):
        pattern = SharedPattern(kernel.assembly.access.tensor, kernel.assembly.levels)
    return Function(name, parameters(kernel, whole), whole, tuple(kernel.requirements), pattern)


def _lower_once(kernel: Kernel) -> list[Stmt]:
    """One pass over the loops: all positions of the result are known."""
    # What accumulates adds to every value that is there: no store is the first to its place.
    accumulates = kernel.graph.signature.accumulates
    scope = LoopEnvironment(kernel, covers=not accumulates)
    lower_statement(scope, kernel.graph.statement)
    body = list(block(scope.items).statements)
    if kernel.needs_zero and not accumulates:
        body.insert(0, _zero(kernel))
    return [*kernel.allocations, *kernel.preparation, *body]


def _claims(kernel: Kernel) -> list[Require]:
    """What the schedule claims of the operands, once for each command, to be checked in front of everything."""
    claims: list[Require] = []
    for relation in kernel.graph.relations:
        claim = relation.claim(LoopEnvironment(kernel))
        if claim is not None and relation.command not in {c.origin.command for c in claims}:
            origin = Origin(Role.BOUNDS, relation.parents[0], command=relation.command)
            claims.append(Require(claim.condition, len(kernel.requirements) + len(claims) + 1, claim.text, origin))
    return claims


def _zero(kernel: Kernel) -> Fill:
    result, shared = kernel.graph.signature.result, kernel.assembly
    levels = []
    for level in range(1, len(result.format.levels) + 1):
        owner = shared.access.tensor if isinstance(shared, Shared) and level <= shared.levels else result.name
        levels.append(kernel.storages[owner, level])
    return Fill(
        kernel.values[result.name], positions(levels), _start_value(kernel), Origin(Role.INIT, tensor=result.name)
    )


def _start_value(kernel: Kernel) -> Const:
    """What the result holds where nothing is computed."""
    result = kernel.graph.signature.result
    written = next(a for _, a in assignments(kernel.graph.statement) if a.target.tensor == result.name)
    return typed_constant(background(written.target).value, result.dtype)
