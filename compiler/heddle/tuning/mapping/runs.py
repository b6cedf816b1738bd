"""Loops over elements that lie one after the other, made one: lanes of a short row would be few, and each row would be
added up by itself."""

from __future__ import annotations

from heddle.iteration_graph.graph.nodes import Assign
from heddle.iteration_graph.graph.provenance import assignments, leaves
from heddle.notation.nodes import Access, Literal, SizeValue, accesses
from heddle.notation.printer import to_text
from heddle.tuning.mapping.writer import Writer, bands

_DIGITS = "0123456789"
_REASON = "Rows that lie one after the other are one loop: there are more lanes, and a sum is added up once."
LONG = 128
"""Elements of a row from which it stays: rows of 28 are half as fast as one run, between that and this none was
measured."""


def join_runs(writer: Writer) -> None:
    """Fuses the innermost loops of each statement as far as all that it reads and writes lies along them; rows that are
    known to be long stay."""
    for loops in bands(writer.graph.statement):
        under = [(path, assign) for path, assign in assignments(writer.graph.statement) if loops[-1] in path]
        if len(under) != 1 or under[0][0][-1] != loops[-1] or writer.sizes.get(loops[-1], 0) >= LONG:
            continue
        run = loops[-1:]
        for loop in reversed(loops[:-1]):
            if not _lie_together(writer, (loop, *run), under[0][1]):
                break
            run.insert(0, loop)
        joined = run[0]
        for loop in run[1:]:
            (name,) = writer.fresh(f"{joined.rstrip(_DIGITS)}{loop.rstrip(_DIGITS)}")
            if writer.try_commands(f"fuse({joined}, {loop}, {name})") is not None:
                break
            joined = name
            writer.reasons[_REASON] = None


def _lie_together(writer: Writer, run: tuple[str, ...], assign: Assign) -> bool:
    """Whether each tensor has all of the loops or none, as its last dimensions and as long as they run."""
    graph = writer.graph
    if any(loop in graph.parallel or loop in graph.unroll or leaves(graph, loop) != (loop,) for loop in run):
        return False
    if any(_has_computed_extent(writer, loop) for loop in run[1:]):
        return False
    read = [assign.target, *accesses(assign.expression)]
    return all(not {*run} & _find_element_loops(writer, access) or ends_in(writer, run, access) for access in read)


def _has_computed_extent(writer: Writer, loop: str) -> bool:
    """Whether a loop runs over a formula of sizes, as ``H - KH + 1``: no size of a result is known to be the same, so
    that each element of the run would be divided for its coordinates."""
    program = writer.graph.signature.program
    extent = None if program is None else program.extents.get(loop)
    return extent is not None and not isinstance(extent, SizeValue | Literal)


def _find_element_loops(writer: Writer, access: Access) -> set[str]:
    """The loops that say which element is meant."""
    program, graph = writer.graph.signature.program, writer.graph
    loops: set[str] = set()
    for index in access.indices:
        if program is not None and index in program.computed:
            return {*graph.underived}  # a formula, of which no more is asked
        loops |= {*leaves(graph, index)}
    return loops


def ends_in(writer: Writer, run: tuple[str, ...], access: Access) -> bool:
    """Whether the elements over which the loops ``run`` go lie one after the other, without a gap."""
    if access.indices[-len(run) :] != run or {*access.indices[: -len(run)]} & {*run}:
        return False
    signature = writer.graph.signature
    tensor = signature.tensors.get(access.tensor)
    if tensor is None or tensor.name == signature.result.name:
        return tensor is None or _natural(tensor.format.is_dense, tensor.format.order)
    if not _natural(tensor.format.is_dense, tensor.format.order):
        return False
    program = signature.program
    if program is None:
        return True
    declared = program.operands.get(tensor.name, ())[-len(run) :]
    return len(declared) == len(run) and all(
        loop in program.extents and to_text(program.extents[loop]) == str(size)
        for loop, size in zip(run[1:], declared[1:], strict=True)
    )


def _natural(dense: bool, order: tuple[int, ...]) -> bool:
    return dense and [*order] == sorted(order)
