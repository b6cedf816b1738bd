"""The order of loops that walks memory in order: what plans from version 2 on start with.

The order of version 1, results first and sums inside, is kept where storage orders leave no choice or nothing is won. A
loop over all coordinates becomes the innermost one when fewer tensors have a stride along it than along the loop that
stands there: ``C(i,k) = A(i,j) * B(j,k)`` with rows of A stored becomes ``i, j, k``, for a step of k goes to the next
element of B and C, and one of j to another row of B. In the same way further loops come inside of one over what is
stored, but not of one over all coordinates: sums that moved out of all loops of a result would go through it each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.graph.blocks import Blocks, in_loops, level_indices
from heddle.notation.nodes import Access, coordinate_variables
from heddle.signature import Signature


@dataclass(frozen=True, slots=True)
class Walk:
    """How a tensor lies in memory: the loop of each level, outermost first. It does not store every coordinate along
    those that are ``stored``."""

    tensor: str
    loops: tuple[str, ...]
    stored: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Steps:
    """What one step of a loop means for the tensors that it moves along."""

    contiguous: tuple[str, ...]
    strided: tuple[str, ...]
    gathered: tuple[str, ...]
    """They have the coordinates that another tensor stores next: near, but not next to each other."""

    @property
    def cost(self) -> tuple[int, int]:
        return len(self.strided), len(self.gathered)

    def text(self) -> str:
        words = (("contiguous", self.contiguous), ("strided", self.strided), ("gathered", self.gathered))
        return ", ".join(f"{list_names(dict.fromkeys(names))} {word}" for word, names in words if names)


def walks_of(signature: Signature, accesses: Iterable[Access], blocks: Blocks) -> list[Walk]:
    """The walks of all tensors that are accessed."""
    known = {**signature.tensors, **signature.temporaries}
    walks: list[Walk] = []
    for access in dict.fromkeys(Access(access.tensor, access.indices) for access in accesses):
        tensor = known[access.tensor]
        layout = tensor.loops or tensor.format
        by_levels = access.tensor in signature.tensors and not tensor.loops
        names = level_indices(access, signature, blocks) if by_levels else [access.indices[d] for d in layout.order]
        levels = zip(names, layout.levels, strict=True)
        computed = signature.program.computed if signature.program is not None else {}
        stored = {
            in_loops([name], blocks)[-1]
            for name, level in levels
            if not LEVEL_KINDS[level.kind].full and name not in computed
        }
        # Of h + kh the first is contiguous where the result is: it stands last.
        spelled = [v for name in names for v in reversed(coordinate_variables(name, signature.program))]
        loops = tuple(loop for name in spelled for loop in in_loops([name], blocks))
        walks.append(Walk(access.tensor, loops, frozenset(stored)))
    return walks


def appended_loops(signature: Signature, target: Access, blocks: Blocks) -> set[str]:
    """The loops whose order a sparse result needs, for it is appended in it: those of its levels down to the last that
    is not dense. A sum inside of them needs no workspace."""
    if target.tensor not in signature.tensors:
        return set()
    layout = signature.tensors[target.tensor].format
    last = max((n for n, level in enumerate(layout.levels, start=1) if not LEVEL_KINDS[level.kind].full), default=0)
    return {*in_loops(level_indices(target, signature, blocks)[:last], blocks)}


def in_memory_order(
    loops: Sequence[str], walks: Sequence[Walk], before: Mapping[str, set[str]], fixed: set[str]
) -> tuple[list[str], list[str]]:
    """``loops`` (a nest, outermost first) in the order in which memory is walked, and a reason for each that moved.
    ``before`` has the loops that must be around each loop; ``fixed`` ones do not move inwards."""
    waiting, inner = list(loops), list[str]()
    reasons: list[str] = []
    stored = frozenset[str]().union(*(walk.stored for walk in walks))
    while len(waiting) > 1:
        *_, last = waiting
        free = [v for v in waiting if v not in stored | fixed and not any(v in before[w] for w in waiting if w != v)]
        steps = {v: _steps(v, walks, v in stored) for v in {*free, last}}
        # The last of the best: what stands there stays unless another loop is better.
        best = min([last, *reversed(free)], key=lambda v: steps[v].cost)
        if best != last:
            place = "innermost" if not inner else f"around {inner[0]}"
            reasons.append(f"{best} {place} ({steps[best].text()}), not {last} ({steps[last].text()})")
        waiting.remove(best)
        inner.insert(0, best)
        if best in stored or waiting[-1] not in stored:
            break
        # What is stored is not walked again for each step of a loop that can be inside.
        walks = [replace(walk, loops=tuple(loop for loop in walk.loops if loop != best)) for walk in walks]
    return [*waiting, *inner], reasons


def _steps(loop: str, walks: Iterable[Walk], stored: bool) -> Steps:
    """``stored``: some tensor decides which coordinates the loop visits."""
    contiguous: list[str] = []
    strided: list[str] = []
    gathered: list[str] = []
    for walk in walks:
        if loop not in walk.loops:
            continue
        beside = walk.loops.index(loop) == len(walk.loops) - 1
        kind = strided if not beside else gathered if stored and loop not in walk.stored else contiguous
        kind.append(walk.tensor)
    return Steps(tuple(contiguous), tuple(strided), tuple(gathered))


def list_names(names: Iterable[str]) -> str:
    """``A``, ``A and B``, ``A, B and C``."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
