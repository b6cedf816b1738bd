"""From a choice of values to commands for a program of several statements: which of them share loops, and what becomes
of the loops of each.

What a program does not allow is left out of its commands, so that every choice means a schedule that compiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from heddle.iteration_graph.analysis.affine import affine
from heddle.iteration_graph.graph.fused_components import parts
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph
from heddle.iteration_graph.graph.provenance import assignments, leaves, roots
from heddle.iteration_graph.graph.sequence import in_order
from heddle.loop_ir.nodes import LoopKind
from heddle.notation.nodes import accesses
from heddle.notation.printer import to_text
from heddle.plan import Plan
from heddle.tuning.facts.program import Program
from heddle.tuning.mapping.register_sums import sums_in_registers
from heddle.tuning.mapping.repeated import compute_once
from heddle.tuning.mapping.runs import ends_in, join_runs
from heddle.tuning.mapping.writer import Writer, bands, fuse, in_registers

Value = str | int
NONE = "none"
INLINE, OUTSIDE, TOGETHER, BOTH = "inline", "together outside", "together", "inline and together"
FUSIONS = (NONE, INLINE, OUTSIDE, TOGETHER, BOTH)
APART, OUTERMOST, REGISTERS = "apart", "outermost", "sums in registers"
CONTIGUOUS, RESULTS, SUMS = "contiguous", "results", "sums"
LANES = (NONE, CONTIGUOUS, RESULTS, SUMS)
WIDEST_STEP = 2
"""Elements from what a lane reads to what the next does, at most: every other element comes with its neighbour, in the
same two vectors (a maximum of windows of two by two, float32, AVX-512: 4.3 times as fast)."""
_REDUCED = ("+=", "max=", "min=")
"""What lanes may reduce, each a part."""
GUESS: Mapping[str, Value] = {"fusion": OUTSIDE, "threads": OUTERMOST, "vectors": CONTIGUOUS}
"""Rows shared out to threads, all statements of a row after one another, and lanes along memory."""


def has_statements(program: Program) -> bool:
    """Whether the program has several, which a person wrote: parts of a sum are none."""
    return bool(program.assignment.temporaries) and program.signature.sum is None


def ranges_of(graph: IterationGraph) -> dict[str, tuple[str, ...]]:
    """The loops of the program by what they run over."""
    program = graph.signature.program
    ranges: dict[str, tuple[str, ...]] = {}
    for loop in graph.underived:
        original = graph.copies.get(loop, loop)
        text = original if program is None or loop not in program.extents else to_text(program.extents[loop])
        ranges[text] = (*ranges.get(text, ()), loop)
    return ranges


def writer_of(plan: Plan, graph: IterationGraph, program: Program) -> Writer:
    """What knows the sizes of ``program`` and its machine; ``graph`` is that of ``plan`` without a schedule."""
    sizes: dict[str, int] = {}
    for loops in ranges_of(graph).values():
        known = next((program.sizes[loop] for loop in loops if loop in program.sizes), None)
        sizes |= {loop: known for loop in loops if known is not None}
    return Writer(replace(plan, schedule=()), graph, sizes=sizes, width=program.lanes)


def statements_schedule(writer: Writer, choice: Mapping[str, Value]) -> tuple[str, ...]:
    """The commands of a choice."""
    graph = writer.graph
    fuse_statements(writer, choice)
    _cut(writer, choice, {loop: loops[0] for loops in ranges_of(graph).values() for loop in loops})
    if choice.get("points") == APART:
        _sink(writer)
    if choice.get("threads") == OUTERMOST:
        for statement in in_order(writer.graph.statement):
            if isinstance(statement, Forall) and writer.keeps(statement.variable):
                writer.try_commands(f"parallelize({statement.variable}, CPUThread, NoRaces)")
    vectors = str(choice.get("vectors", NONE))
    if vectors == CONTIGUOUS:
        compute_once(writer)
        join_runs(writer)
    lanes_of(writer, vectors, choice.get("copies") == REGISTERS)
    factor = choice.get("unroll", 1)
    for loops in bands(writer.graph.statement) if isinstance(factor, int) and factor > 1 else ():
        if loops[-1] not in writer.graph.parallel:
            writer.try_commands(f"unroll({loops[-1]}, {factor})")
    writer.settle()
    return tuple(writer.commands)


def inline_elements(writer: Writer) -> None:
    """Inlines the temporaries of which each element is read for one element: nothing is computed again. Plain sums stay
    statements of their own."""
    for name in list(writer.graph.signature.temporaries):
        assigns = assignments(writer.graph.statement)
        dimensions = [
            len(assign.target.indices)
            for _, assign in assigns
            if assign.target.tensor == name and assign.operator == "="
        ]
        around = [path for path, assign in assigns for access in accesses(assign.expression) if access.tensor == name]
        if dimensions and len(around) == 1 and len(around[0]) == dimensions[0]:
            writer.try_commands(f"inline({name})")


def fuse_statements(writer: Writer, choice: Mapping[str, Value]) -> None:
    """What the gene *fusion* says."""
    how = choice.get("fusion", NONE)
    if how in (INLINE, BOTH):
        for name in list(writer.graph.signature.temporaries):
            before = writer.graph
            if writer.try_commands(f"inline({name})") is None and len(writer.graph.remarks) > len(before.remarks):
                writer.graph = before  # its sum would be added up again and again
                writer.commands.pop()
    if how in (OUTSIDE, TOGETHER, BOTH):
        fuse(writer, 1 if how == OUTSIDE else None)


def _cut(writer: Writer, choice: Mapping[str, Value], genes: Mapping[str, str]) -> None:
    for loops in bands(writer.graph.statement):
        outside, inside = [], []
        for loop in loops:
            size = choice.get(f"tile {genes.get(loop, loop)}", 0)
            outer, inner = writer.fresh(f"{loop}0", f"{loop}1")
            cut = isinstance(size, int) and size > 0
            if cut and writer.try_commands(f"split({loop}, {outer}, {inner}, {size})") is None:
                outside.append(outer)
                inside.append(inner)
            else:
                inside.append(loop)
        if outside and len(loops) > 1 and choice.get("tiles") == "outside":
            writer.try_commands(f"reorder({', '.join((*outside, *inside))})")


def _sink(writer: Writer) -> None:
    """Each statement under a shared tile gets a loop of its own over the points of the tile."""
    for loops in bands(writer.graph.statement):
        if writer.graph.above.get(loops[-1]) is not None:
            writer.try_commands(f"apart({loops[-1]})")


def lanes_of(writer: Writer, what: str, registers: bool) -> None:
    """What the gene *vectors* says, for statements of which nothing is in lanes yet."""
    if what == NONE:
        return
    named = {*writer.graph.signature.temporaries, writer.graph.signature.result.name}
    for path, assign in assignments(writer.graph.statement):
        nest = next((loops for loops in bands(writer.graph.statement) if [*path[-1:]] == loops[-1:]), [])
        free = [loop for loop in reversed(path) if loop in nest and loop not in writer.graph.parallel]
        if not free or _in_lanes(writer, path):
            continue
        whole = assign.target.tensor in named or (assign.operator == "=" and bool(assign.target.indices))
        lanes = [loop for loop in free if writer.keeps(loop)] if whole else []
        sums = [loop for loop in free[:1] if _is_reduced(writer, loop, assign)]
        if what == CONTIGUOUS:
            lanes, sums = ([loop for loop in some if _along_memory(writer, loop, assign)] for some in (lanes, sums))
            lanes = [loop for loop in lanes if not _strides_in_sums(writer, loop)]
        if what == SUMS and sums:
            lanes.clear()
        if lanes:
            _results_in_lanes(writer, lanes[0], registers)
        elif sums and what != RESULTS:
            writer.try_commands(f"parallelize({sums[0]}, CPUVector, ParallelReduction)")


def _results_in_lanes(writer: Writer, lane: str, registers: bool) -> None:
    if any(_in_lanes(writer, path) for path, _ in assignments(writer.graph.statement) if lane in path):
        return
    whole = next(loops for loops in bands(writer.graph.statement) if lane in loops)
    if sums_in_registers(writer, whole, lane):
        return
    moved = [*(loop for loop in whole if loop != lane), lane]
    order = [f"reorder({', '.join(moved)})"] if moved != whole else []
    copied = in_registers(writer, lane) if registers else []
    refused = writer.try_commands(*order, *copied, f"parallelize({lane}, CPUVector, NoRaces)")
    if refused is not None and copied:
        writer.try_commands(*order, f"parallelize({lane}, CPUVector, NoRaces)")


def _in_lanes(writer: Writer, path: tuple[str, ...]) -> bool:
    tags = (writer.graph.parallel.get(loop) for loop in path)
    return any(tag is not None and tag.unit is LoopKind.CPU_VECTOR for tag in tags)


def _is_reduced(writer: Writer, loop: str, assign: Assign) -> bool:
    return assign.operator in _REDUCED and not {*roots(writer.graph, loop)} & {*assign.target.indices}


def _strides_in_sums(writer: Writer, loop: str) -> bool:
    """Whether lanes of the loop would be rows apart in a sum inside of it, which had better be in lanes itself."""
    inside = (assign for path, assign in assignments(writer.graph.statement) if loop in path[:-1])
    return any(
        loop in leaves(writer.graph, index)
        for assign in inside
        if assign.operator in _REDUCED
        for access in accesses(assign.expression)
        for index in access.indices[:-1]
    )


def _along_memory(writer: Writer, loop: str, assign: Assign) -> bool:
    """Whether iterations of the loop go from an element to its neighbour, wherever they change the element at all."""
    program, along = writer.graph.signature.program, False
    run = parts(writer.graph, loop)
    for access in (assign.target, *accesses(assign.expression)):
        if len(run) > 1 and ends_in(writer, run, access):
            along = True
            continue
        places = [loop in leaves(writer.graph, index) for index in access.indices]
        if any(places[:-1]):
            return False
        if places and places[-1]:
            tensor = writer.graph.signature.tensors.get(access.tensor)
            if tensor is not None and not (
                tensor.format.is_dense and [*tensor.format.order] == sorted(tensor.format.order)
            ):
                return False
            formula = affine(access.indices[-1], program)
            widest = 1 if access is assign.target else WIDEST_STEP
            if formula is None or any(not 1 <= abs(factor) <= widest for name, factor in formula.items() if name):
                return False
            along = True
    return along
