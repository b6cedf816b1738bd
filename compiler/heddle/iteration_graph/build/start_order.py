"""The order in which a statement's loops run before any command, and the line that says why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from heddle.iteration_graph.build.memory_order import appended_loops, in_memory_order, list_names, walks_of
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
    original_order: list[str] = []
    moved: list[str] = []
    reasons: list[str] = []
    for number, nest in enumerate(nests):
        nest_loops = [loop for loop in first if loop in nest.loops]
        walks = walks_of(signature, [*([target] if number == 0 else []), *nest.accesses], blocks)
        walked, why = in_memory_order(nest_loops, walks, before, fixed)
        original_order, moved, reasons = [*original_order, *nest_loops], [*moved, *walked], [*reasons, *why]
    sums = not {*original_order} <= {*in_loops(target.indices, blocks)}
    plain = _plain_reason(
        signature, led, original_order, before, "result first, sums inside" if sums else "in that of the result"
    )
    if signature.version > 1:
        text = f"default order {', '.join(moved)}: {'; '.join(reasons) or plain}"
        return StartOrder(tuple(moved), tuple(original_order), text)
    text = f"default order {', '.join(original_order)} of plans of version 1: {plain}"
    if moved != original_order:
        text += f"; since version 2 {', '.join(moved)}"
    return StartOrder(tuple(original_order), tuple(original_order), text)


def _plain_reason(
    signature: Signature, led: Sequence[Access], order: Sequence[str], before: dict[str, set[str]], reason: str
) -> str:
    """Why the order is what it is where no loop was moved for the sake of memory: ``reason``, and storage orders."""
    leading = dict.fromkeys(access.tensor for access in led if required_pairs(signature, access))
    if all(first in before[second] for first, second in pairwise(order)) and leading:
        return f"as {list_names(leading)} {'is' if len(leading) == 1 else 'are'} stored"
    return reason + (", as far as storage orders allow" if leading else "")
