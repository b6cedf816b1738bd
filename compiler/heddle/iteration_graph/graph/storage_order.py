"""Storage order: the default loop order, and what it asks of the loops (docs/sources.toml T5, T22)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heddle.advice import StoreInOrder, WantedOrder
from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from heddle.formats.format import Format
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.printer import format_text
from heddle.iteration_graph.graph.blocks import Blocks, in_loops, level_indices
from heddle.notation.nodes import Access, coordinate_variables
from heddle.signature import Signature


def required_pairs(signature: Signature, access: Access, blocks: Blocks | None = None) -> list[tuple[str, str]]:
    """Pairs of loops (before, after): a level that is iterated needs the coordinates of all levels above it. What is
    blocked is known in the loop inside its blocks."""
    blocks = blocks or {}
    known = signature.tensors[access.tensor]
    layout = known.loops or known.format
    names = [access.indices[d] for d in layout.order] if known.loops else level_indices(access, signature, blocks)
    pairs: list[tuple[str, str]] = []
    program = signature.program
    for number, level in enumerate(layout.levels):
        diagonal = names[number] in names[:number]  # its coordinate is known from a level above
        searched = program is not None and names[number] in program.computed
        if LEVEL_KINDS[level.kind].iterated and not diagonal and not searched:
            last = in_loops(names[number : number + 1], blocks)[-1]
            around = [variable for name in names[:number] for variable in coordinate_variables(name, program)]
            pairs += [(above, last) for above in in_loops(around, blocks)]
    return pairs


def default_order(signature: Signature, read: list[Access], wishes: list[str], blocks: Blocks) -> list[str]:
    """A topological order of all level orders that follows ``wishes`` where it can, with ``blocks`` in the place of the
    variables that they cut. ``read``: the accesses that the loops must follow.

    Raises CompileError ``format/conflicting-orders`` when the level orders contradict each other.
    """
    result = signature.result.format
    appended = not result.is_dense and not result.cuts
    # Rows are appended one after the other: each is complete before the next one of its block.
    loops = (
        [loop for preference in wishes for loop in in_loops([preference], blocks)]
        if appended
        else in_loops(wishes, blocks)
    )
    order, left = _topological(signature, read, loops, blocks)
    if left:
        wanted = _find_wanted_orders(signature, read, loops, blocks)
        raise CompileError(_conflict(signature, read, _blocked_by(left, blocks), wanted))
    return order


def _topological(
    signature: Signature, read: list[Access], loops: list[str], blocks: Blocks
) -> tuple[list[str], list[str]]:
    """As many of ``loops`` as can be put in order, and those that wait for each other."""
    remaining = [*loops]
    before = loops_before(signature, read, loops, blocks)
    order: list[str] = []
    while remaining:
        free = next((v for v in remaining if not before[v] - set(order)), None)
        if free is None:
            break
        order.append(free)
        remaining.remove(free)
    return order, remaining


def loops_before(
    signature: Signature, read: Sequence[Access], loops: Sequence[str], blocks: Blocks
) -> dict[str, set[str]]:
    """For each of ``loops`` those that storage orders put around it."""
    before: dict[str, set[str]] = {loop: set() for loop in loops}
    for cut in blocks.values():
        if cut.inner in before:
            before[cut.inner].add(cut.outer)
    for access in read:
        for first, second in required_pairs(signature, access, blocks):
            if second in before and first in before and first != second:
                before[second].add(first)
    return before


def _find_wanted_orders(
    signature: Signature, read: list[Access], loops: list[str], blocks: Blocks
) -> tuple[StoreInOrder, ...]:
    """The conversions with which one order of the loops is right for all: the result and what is stored in the order of
    ``loops`` stays as it is, what contradicts those is converted. Empty where a blocked format would have to be."""
    result = signature.result.name

    def against(access: Access) -> int:
        places = [loops.index(variable) for variable in stored_variables(signature, access) if variable in loops]
        return 0 if access.tensor == result else 1 + (places != sorted(places))

    accesses: list[Access] = []
    turned: list[Access] = []
    for access in sorted(read, key=against):
        fits = not _topological(signature, [*accesses, access], loops, blocks)[1]
        (accesses if fits else turned).append(access)
    order = _topological(signature, accesses, loops, blocks)[0]
    if any(variable not in order for access in turned for variable in access.indices):
        return ()
    candidates = [wanted_order(signature, access, access, order.index) for access in turned]
    orders = tuple(order for order in candidates if order is not None)
    return (StoreInOrder(orders),) if orders and len(orders) == len(candidates) else ()


def wanted_order(
    signature: Signature, access: Access, original: Access, place: Callable[[str], int]
) -> WantedOrder | None:
    """``access`` with its dimensions stored by the ``place`` of their variables; None where that changes nothing, or
    where its format has blocks."""
    layout = signature.tensors[access.tensor].format
    if layout.cuts:
        return None
    order = tuple(sorted(layout.order, key=lambda dimension: place(access.indices[dimension])))
    return WantedOrder(access.tensor, access.indices, original.indices, order) if order != layout.order else None


def arrow(signature: Signature, access: Access) -> str:
    """``i→j``: the variables of an access in its storage order."""
    return "→".join(stored_variables(signature, access))


def stored_variables(signature: Signature, access: Access) -> list[str]:
    """The index variable of each storage level; accesses to tensors in blocks are by level in an iteration graph."""
    layout = signature.tensors[access.tensor].format
    if len(access.indices) == len(layout.levels) and layout.cuts:
        return list(access.indices)
    return [access.indices[dimension] for dimension in layout.order]


def conversion_fixes(signature: Signature, access: Access, order: list[str]) -> tuple[Fix, ...]:
    """Offer to store a tensor so that its levels follow the loop order."""
    layout = signature.tensors[access.tensor].format
    if layout.cuts or any(index not in order for index in access.indices):
        return ()
    wanted = tuple(sorted(range(len(layout.levels)), key=lambda d: order.index(access.indices[d])))
    if wanted == layout.order:
        return ()
    text = format_text(Format(layout.levels, wanted))
    return (Fix(title=f"Store {access.tensor} as {text}", formats={access.tensor: text}),)


def _blocked_by(loops: list[str], blocks: Blocks) -> list[str]:
    """The variables of the expression that the loops belong to."""
    cut = {part: variable for variable, block in blocks.items() for part in block.parts}
    return list(dict.fromkeys(cut.get(loop, loop) for loop in loops))


def _conflict(
    signature: Signature, operands: list[Access], cycle: list[str], advice: tuple[StoreInOrder, ...]
) -> Diagnostic:
    guilty = [a for a in operands if len([i for i in a.indices if i in cycle]) > 1 and required_pairs(signature, a)]
    stored = " and ".join(f"{a.tensor} is stored {arrow(signature, a)}" for a in guilty)
    fixes: tuple[Fix, ...] = ()
    for keep in guilty[:1]:
        order = list(dict.fromkeys(keep.indices[d] for d in signature.tensors[keep.tensor].format.order))
        for other in guilty[1:]:
            # A tensor that is read in two orders at once cannot be stored in both.
            once = sum(a.tensor == other.tensor for a in guilty) == 1
            if once and set(other.indices) <= set(order):
                fixes += conversion_fixes(signature, other, order)
    return Diagnostic(
        code="format/conflicting-orders",
        message=f"No loop order follows every tensor's storage order: {stored}. "
        f"Convert one of them so that both are stored in the same order.",
        location=Location(Part.FORMAT, tensor=guilty[-1].tensor if guilty else None),
        expected="one order of the loops that visits each tensor in its storage order",
        actual=stored,
        hint=_second_copy(guilty),
        fixes=fixes,
        advice=advice,
    )


def _second_copy(guilty: list[Access]) -> str | None:
    """What helps where one tensor is read in two orders."""
    tensors = [access.tensor for access in guilty]
    twice = next((tensor for tensor in tensors if tensors.count(tensor) > 1), None)
    if twice is None:
        return None
    return f"Give one of the two a name of its own, and pass {twice} a second time for it, stored in the other order."
