"""The genes of a program of several statements: which of them share loops, and what becomes of the loops of each."""

from __future__ import annotations

from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.tuning.facts.program import Program
from heddle.tuning.genes.sizes import tile_sizes
from heddle.tuning.genes.space import Gene
from heddle.tuning.mapping.statements import APART, FUSIONS, LANES, NONE, OUTERMOST, REGISTERS, ranges_of


def genes_of(graph: IterationGraph, program: Program, unroll: tuple[int, ...]) -> list[Gene]:
    """The genes of a program of several statements. Loops over one range have one tile."""
    genes = [Gene("fusion", FUSIONS, "statements inlined, or under shared loops: the outermost, or all that are legal")]
    for loops in ranges_of(graph).values():
        size = next((program.sizes[loop] for loop in loops if loop in program.sizes), None)
        genes.append(Gene(f"tile {loops[0]}", tile_sizes(size), f"iterations of {', '.join(loops)} in a tile"))
    threads = (NONE, OUTERMOST) if program.machine.threads > 1 else (NONE,)
    return [
        *genes,
        Gene("tiles", ("in place", "outside"), "where loops over tiles go"),
        Gene("points", ("shared", APART), "whether statements share the loop inside of a tile"),
        Gene("threads", threads, "the outermost loop of each nest on threads"),
        Gene("vectors", LANES, "what each statement computes in vector lanes"),
        Gene("copies", (NONE, REGISTERS), "what is computed in registers first"),
        Gene("unroll", unroll, "iterations of innermost loops written one after the other"),
    ]
