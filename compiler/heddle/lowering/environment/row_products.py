"""How many products the rows of two operands make, as a prefix sum in front of all loops."""

from __future__ import annotations

from heddle.index_width import WIDE
from heddle.iteration_graph.graph.provenance import level_variables
from heddle.loop_ir import build
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    Array,
    ArrayRole,
    Assign,
    Block,
    Declare,
    Expr,
    For,
    LoopKind,
    Scan,
    Store,
    Var,
)
from heddle.lowering.environment.kernel_context import KernelContext
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role


def row_products(kernel: KernelContext, access: Access, weights: Access) -> Array:
    """Of row ``i``: how many entries ``weights`` has in the rows that the entries of ``access`` in front of row ``i``
    select."""
    if (access, weights) in kernel.products:
        return kernel.products[access, weights]
    names, (row, met) = kernel.names, level_variables(kernel.graph, access)[:2]
    products = Array(names.fresh(f"{access.tensor}_products"), WIDE, ArrayRole.POS)
    kernel.products[access, weights] = products
    rows, entries = kernel.storages[access.tensor, 1].size, kernel.storages[access.tensor, 2]
    other = kernel.storages[weights.tensor, 2].pos
    assert entries.pos is not None
    assert entries.crd is not None
    assert other is not None
    origin, unit = Origin(Role.SEARCH, row, access.tensor, 2), build.index(1)
    with names.scope():
        i, p, k = (Var(names.fresh(name_hint)) for name_hint in (row, f"{met}{access.tensor}", met))
        sum_ = Var(names.fresh(f"{row}_products"))
        length = build.sub(build.load(other, build.add(k, unit)), build.load(other, k))
        count: tuple[Expr, Expr] = (build.load(entries.pos, i), build.load(entries.pos, build.add(i, unit)))
        each = (
            Declare(k.name, INDEX, build.load(entries.crd, p, (p.name,)), origin),
            Assign(sum_.name, length, origin, "+"),
        )
        of_row = (
            Declare(sum_.name, INDEX, build.index(0), origin, mutable=True),
            For(p.name, *count, Block(each), origin),
            Store(products, build.add(i, unit), sum_, origin),
        )
        threads = any(tag.unit is LoopKind.CPU_THREAD for tag in kernel.graph.parallel.values())
        kind = LoopKind.CPU_THREAD if threads else LoopKind.SERIAL
        every = For(i.name, build.index(0), rows, Block(of_row), origin, kind)
    size = build.add(rows, unit)
    kernel.preparation += [Allocate(products, size, origin, zero=True), every, Scan(products, size, origin)]
    return products
