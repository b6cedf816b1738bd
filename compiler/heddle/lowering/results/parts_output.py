"""A result that is a sum of parts: one value for each position of the operand with the same parts, part after part in
one array (sampled products with a composed mask). What no loop writes, such as padding, keeps its first value."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.algebra.constants import background
from heddle.loop_ir import build
from heddle.loop_ir.nodes import INDEX, Declare, Expr, Fill, Stmt, Var
from heddle.lowering.environment.kernel_context import KernelContext, Place
from heddle.lowering.environment.loop_context import LoopContext
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.environment.positions import positions
from heddle.lowering.environment.values.compute import typed_constant
from heddle.lowering.results.dense_output import DenseOutput
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role


@dataclass(frozen=True, slots=True, kw_only=True)
class PartsOutput(DenseOutput):
    """``owners``: for each target of the statements the access to the operand whose stored positions its values have,
    in the order of the parts."""

    owners: dict[Access, Access]

    def lower(self, kernel: KernelContext, lower: LowerStatement) -> list[Stmt]:
        origin = Origin(Role.INIT, tensor=kernel.result)
        end: Expr = build.index(0)
        for target, owner in self.owners.items():
            if end != build.index(0):
                name = kernel.names.fresh(f"{owner.tensor}_first")
                kernel.preparation.append(Declare(name, INDEX, end, origin))
                end = Var(name)
            levels = len(kernel.graph.signature.tensors[owner.tensor].format.levels)
            kernel.places[target] = Place(owner, levels, end)
            storages = [kernel.storages[owner.tensor, number] for number in range(1, levels + 1)]
            end = build.add(end, positions(storages))
        environment = LoopEnvironment(kernel, LoopContext(writes_every_element_once=False))
        lower(environment, kernel.graph.statement)
        result = kernel.graph.signature.result
        start = typed_constant(background(next(iter(self.owners))).value, result.dtype)
        return [Fill(kernel.values[result.name], end, start, origin), *environment.builder.block().statements]
