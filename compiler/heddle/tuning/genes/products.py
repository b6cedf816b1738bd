"""The genes of dense products, which are what their rule chooses (``rules/dense_product.py``): the tile that stays in
registers, how much of the sum is added up at a time, and whether columns are copied side by side first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.plan import Plan
from heddle.tuning.facts.program import Program
from heddle.tuning.genes.schedules import NONE
from heddle.tuning.genes.space import Gene, Value
from heddle.tuning.mapping.products import tile_products
from heddle.tuning.mapping.statements import inline_elements, writer_of
from heddle.tuning.rules.product_tiles import ProductTiles, cheapest_tiles
from heddle.tuning.search.by_statements import products_in_tiles

ROWS, COLUMNS, DEPTH, PACKING = "product rows", "product columns", "product depth", "product packing"
COPIED, IN_PLACE = "columns copied", "in place"
TILE_ROWS = (0, 2, 3, 4, 5, 6, 7, 8, 10, 12)
TILE_VECTORS = (2, 1, 3, 4)
DEPTHS = (0, 64, 128, 256, 512)
LARGE = 1 << 20
"""Rows and columns of a product whose last tiles cost nothing beside the others."""


def product_genes(plan: Plan, graph: IterationGraph, program: Program) -> list[Gene]:
    """None where no statement is a product of dense operands whose sizes are known."""
    writer = writer_of(plan, graph, program)
    inline_elements(writer)
    if not tile_products(writer, program.machine, ProductTiles(2, program.lanes)):
        return []
    longest = max(program.sizes.values())
    return [
        Gene(ROWS, TILE_ROWS, "rows of a product's tile, whose sums stay in registers; 0 for no tiles"),
        Gene(COLUMNS, tuple(vectors * program.lanes for vectors in TILE_VECTORS), "columns of a product's tile"),
        Gene(DEPTH, tuple(depth for depth in DEPTHS if depth < longest), "steps of a product's sum at a time; 0 for as "
             "many as a copy of the columns has room for in the first cache"),
        Gene(PACKING, (COPIED, IN_PLACE), "whether the columns of a product's tile are copied side by side first"),
    ]  # fmt: skip


def tile_of_large_products(program: Program) -> dict[str, Value]:
    """The choice that the rule makes for a product that is large."""
    tiles = cheapest_tiles(LARGE, LARGE, program.lanes, program.machine)
    return {} if tiles is None else {ROWS: tiles.rows, COLUMNS: tiles.columns}


def tiled_schedule(
    plan: Plan, graph: IterationGraph, program: Program, choice: Mapping[str, Value]
) -> tuple[str, ...] | None:
    """The commands of a choice that has tiles, with threads where it has any; None where there are no tiles in it."""
    rows, columns, depth = choice.get(ROWS, 0), choice.get(COLUMNS, 0), choice.get(DEPTH, 0)
    if not (isinstance(rows, int) and isinstance(columns, int) and isinstance(depth, int) and rows):
        return None
    tiles = ProductTiles(rows, columns, depth or None, choice.get(PACKING) != IN_PLACE)
    threads = 1 if choice.get("threads", NONE) == NONE else program.machine.threads
    # The choice says whether threads pay.
    machine = replace(program.machine, threads=threads, region_seconds=0.0, loaded_seconds=0.0)
    tiled = products_in_tiles(plan, replace(program, machine=machine), graph, tiles)
    return None if tiled is None else tiled[1].plan.schedule
