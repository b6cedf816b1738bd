"""Dependences between statements: what one computes and another reads, and how many iterations lie between the two.

Every version of a tensor is a tensor of its own, so that each element is computed by one iteration of its statement and
all dependences are of this one kind (docs/sources.toml C9)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from heddle.iteration_graph.analysis.affine import Affine, affine, affine_text, plus, times
from heddle.iteration_graph.graph.nodes import Assign, IterationGraph, Statement
from heddle.iteration_graph.graph.provenance import assignments
from heddle.notation.nodes import Access, Literal, accesses, with_computed


@dataclass(frozen=True, slots=True)
class Flow:
    """``writer`` computes ``write.tensor`` inside the loops ``written_in``, ``reader`` reads it by ``read`` inside the
    loops ``read_in``."""

    writer: Assign
    written_in: tuple[str, ...]
    write: Access
    reader: Assign
    read_in: tuple[str, ...]
    read: Access

    @property
    def shared(self) -> tuple[str, ...]:
        """The loops around both."""
        both = zip(self.written_in, self.read_in, strict=False)
        return tuple(loop for loop, other in both if loop == other)


@dataclass(frozen=True, slots=True)
class Distance:
    """The iteration that reads less the one that computes: between ``lower`` and ``upper``, of which None is not known.
    ``sum`` is the distance itself, where it is a sum of variables and sizes; None where no such sum gives it."""

    lower: int | None
    upper: int | None
    sum: Affine | None

    @property
    def is_none(self) -> bool:
        """Whether what is read is always computed in the same iteration."""
        return (self.lower, self.upper) == (0, 0)

    @property
    def text(self) -> str:
        if self.lower is not None and self.lower == self.upper:
            return f"{self.lower:+d}" if self.lower else "0"
        return "not known" if self.sum is None else affine_text(self.sum)


NONE = Distance(0, 0, {})
UNKNOWN = Distance(None, None, None)


def flows(graph: IterationGraph, statement: Statement | None = None) -> list[Flow]:
    """All dependences among the statements, in the order of what is computed and then of the readers; those through
    the coordinates of what is read, too."""
    flows: list[Flow] = []
    all_of_them = assignments(graph.statement if statement is None else statement)
    for path, writer in all_of_them:
        if writer.target.tensor not in graph.workspaces:
            continue
        for around, reader in all_of_them:
            reads = with_computed(accesses(reader.expression), graph.signature.program)
            flows += [
                Flow(writer, path, writer.target, reader, around, read)
                for read in dict.fromkeys(reads)
                if read.tensor == writer.target.tensor
            ]
    return flows


def distance(graph: IterationGraph, write: Access, read: Access, loop: str, reading: str) -> Distance | None:
    """How many iterations after ``loop`` computes what ``read`` takes the loop ``reading`` takes it, if both ran over
    the same range at once; None where no index of ``write`` is ``loop``: the tensor is complete only behind it."""
    if loop not in write.indices:
        return None
    program = graph.signature.program
    read_index = affine(read.indices[write.indices.index(loop)], program)
    apart = plus({reading: 1}, times(read_index, -1))
    if apart is None:
        return UNKNOWN
    if reading in apart:
        return Distance(None, None, apart)
    lower: int | None = apart.get("", 0)
    upper: int | None = lower
    for name, factor in apart.items():
        if not name:
            continue
        last = None if name.startswith(".") else _last(graph, name)
        low, high = (None, None) if name.startswith(".") else (0, None if last is None else factor * last)
        if factor < 0:
            low, high = high, low
        lower = None if lower is None or low is None else lower + low
        upper = None if upper is None or high is None else upper + high
    return Distance(lower, upper, apart)


@dataclass(frozen=True, slots=True)
class Forbidding:
    """A dependence for which two loops may not be one: ``distance`` is what it would be in the loop around both, None
    where the element is complete only behind that loop."""

    flow: Flow
    distance: Distance | None

    @property
    def text(self) -> str:
        return "below 0" if self.distance is None else self.distance.text


def forbidding(
    graph: IterationGraph, first: str, second: str, computed: Collection[str] | None = None
) -> list[Forbidding]:
    """What keeps the loops ``first`` and ``second``, of which the first runs first, from being one: each element must
    be read in the iteration that computes it. ``computed``: only of these tensors."""
    conflicts: list[Forbidding] = []
    for flow in flows(graph):
        inside = computed is None or flow.write.tensor in computed
        if inside and first in flow.written_in and second in flow.read_in:
            apart = distance(graph, flow.write, flow.read, first, second)
            if apart is None or not apart.is_none:
                conflicts.append(Forbidding(flow, apart))
    return conflicts


def _last(graph: IterationGraph, variable: str) -> int | None:
    """The last value of an index variable, where its range is a number."""
    program = graph.signature.program
    extent = None if program is None else program.extents.get(variable)
    return extent.value - 1 if isinstance(extent, Literal) and isinstance(extent.value, int) else None
