"""The order in which a statement's loops run before any command, and the line that says why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from heddle.iteration_graph.build.memory_order import appended_loops, in_memory_order, listed, walks_of
from heddle.iteration_graph.graph.blocks import Blocks, in_loops
from heddle.iteration_graph.graph.nodes import StartOrder
from heddle.iteration_graph.graph.storage_order import default_order, loops_before, required_pairs
from heddle.notation.nodes import Access
from heddle.signature import Signature


@dataclass(frozen=True, slots=True)
class Nest:
    """Loops inside each other, and what is read in them."""

    loops: tuple[str, ...]
    accesses: tuple[Access, ...]


def start_order(
    signature: Signature, target: Access, led: list[Access], nests: Sequence[Nest], wishes: list[str], blocks: Blocks
) -> StartOrder:
    """What the plan's version starts with. ``led``: the accesses that the loops must follow. ``nests``: the first is
    that around the assignment to ``target``. ``wishes``: its variables in storage order, then the sums.

    Raises CompileError ``format/conflicting-orders`` when storage orders contradict each other.
    """
    first = default_order(signature, led, wishes, blocks)
    before = loops_before(signature, led, first, blocks)
    fixed = appended_loops(signature, target, blocks)
    kept: list[str] = []
    moved: list[str] = []
    reasons: list[str] = []
    for number, nest in enumerate(nests):
        own = [loop for loop in first if loop in nest.loops]
        walks = walks_of(signature, [*([target] if number == 0 else []), *nest.accesses], blocks)
        walked, why = in_memory_order(own, walks, before, fixed)
        kept, moved, reasons = [*kept, *own], [*moved, *walked], [*reasons, *why]
    sums = not {*kept} <= {*in_loops(target.indices, blocks)}
    plain = _plain_reason(
        signature, led, kept, before, "result first, sums inside" if sums else "in that of the result"
    )
    if signature.version > 1:
        text = f"default order {', '.join(moved)}: {'; '.join(reasons) or plain}"
        return StartOrder(tuple(moved), tuple(kept), text)
    text = f"default order {', '.join(kept)} of plans of version 1: {plain}"
    if moved != kept:
        text += f"; since version 2 {', '.join(moved)}"
    return StartOrder(tuple(kept), tuple(kept), text)


def _plain_reason(
    signature: Signature, led: Sequence[Access], order: Sequence[str], before: dict[str, set[str]], wish: str
) -> str:
    """Why the order is what it is where no loop was moved for the sake of memory: ``wish``, and storage orders."""
    leading = dict.fromkeys(access.tensor for access in led if required_pairs(signature, access))
    if all(first in before[second] for first, second in pairwise(order)) and leading:
        return f"as {listed(leading)} {'is' if len(leading) == 1 else 'are'} stored"
    return wish + (", as far as storage orders allow" if leading else "")
