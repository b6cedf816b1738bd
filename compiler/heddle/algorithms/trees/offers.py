"""Which trees there are for a tensor, what each is predicted to take, and the best of them."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.algorithms.roles import Role, roles_of
from heddle.algorithms.tensor_input import Input
from heddle.algorithms.tree import NONE, Node, contiguous, flat
from heddle.algorithms.trees.distinct import counts
from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.runtime.memory.allocation_limit import require_memory

__all__ = ["Offer", "offers"]

OFFERED = 3
MOST_MODES = 7
"""Trees over more modes are too many to be compared."""

PER_VALUE = 0.06e-9
"""Seconds for each value of a factor's row that an entry reads, of rows that a cache holds; and ..."""

PER_ENTRY = 1.0e-9
"""... beside these for each entry; and ..."""

PER_STORED = 0.8e-9
"""... for each value of a partial product, which is written, and read from memory, by some modes in another order. On
one thread of an AVX-512 Xeon, the last so that it tells apart trees of order 5 on a Zen 3: they decide between trees,
and are no promise."""


@dataclass(frozen=True, slots=True)
class Offer:
    """``reuse`` is the text of a tree, or none. ``work`` are the multiplications and additions of a sweep's products,
    ``rows`` those of all partial products, which take ``bytes``; ``seconds`` what a sweep's products are predicted to
    take on one thread."""

    reuse: str
    work: int
    rows: int
    bytes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one call: ``work`` are multiplications and additions, ``seconds`` what it is predicted to take on one
    thread."""

    work: int
    seconds: float


def cost_of(role: Role, entries: int, rank: int, stored_rows: int) -> Cost:
    """Of a product that goes through so many ``entries``, and whose result has ``stored_rows`` rows of a partial
    product."""
    read = len(role.operands) + (role.source is not None)
    seconds = entries * (PER_ENTRY + rank * read * PER_VALUE) + 2 * rank * stored_rows * PER_STORED
    return Cost(entries * rank * (read + 1), seconds)


def offers(tensor: Input, modes: tuple[int, ...], rank: int, memory: int | None = None) -> list[Offer]:
    """The best three trees over ``modes``, and none, the fastest first.

    Parameters
    ----------
    memory
        the most bytes of partial products; None where what this machine has is the limit.
    """
    known = counts(tensor, modes) if 2 < len(modes) <= MOST_MODES else {}
    # Parts of any number: a product that few entries share is made from the tensor, whatever its neighbours share.
    trees = [tree for tree in contiguous(modes, len(modes)) if tree != flat(modes)] if known else []
    none = offer_of(flat(modes), tensor, rank, known)
    candidates = [offer_of(tree, tensor, rank, known) for tree in trees]
    fitting = sorted(
        (candidate for candidate in candidates if fits(candidate.bytes, memory)), key=lambda offer: offer.seconds
    )
    return sorted([none, *fitting[:OFFERED]], key=lambda offer: offer.seconds)


def offer_of(tree: Node, tensor: Input, rank: int, known: dict[tuple[int, ...], int]) -> Offer:
    """What a tree is predicted to take; ``known`` has the distinct coordinates of its nodes."""
    work, rows, seconds = 0, 0, 0.0
    for role in roles_of(len(tensor.shape), tree.modes, tree).values():
        if role.row is None:
            continue
        entries = known[role.source] if role.source is not None else tensor.stored
        stored_rows = known[role.node] if role.node is not None else 0
        cost = cost_of(role, entries, rank, stored_rows)
        work, rows, seconds = work + cost.work, rows + stored_rows, seconds + cost.seconds
    return Offer(str(tree) if rows else NONE, work, rows, 8 * rank * rows, seconds)


def require_tree(tree: Node, tensor: Input, rank: int, memory: int | None) -> None:
    """That the partial products of a tree fit.

    Raises
    ------
    CompileError
        ``algorithm/tree-memory``.
    """
    known = counts(tensor, tree.modes)
    for node in _nodes(tree):
        if node.modes not in known:
            continue
        size = 8 * rank * known[node.modes]
        if fits(size, memory):
            continue
        best = next(offer for offer in offers(tensor, tree.modes, rank, memory))
        raise CompileError(
            Diagnostic(
                "algorithm/tree-memory",
                f"{node.name} holds {known[node.modes]:,} rows of rank {rank}, which take {size:,} bytes, more than "
                + ("this machine has" if memory is None else f"the {memory:,} that are allowed")
                + f". The best that fits is {best.reuse}.",
                Location(Part.PLAN, path="/parameters/reuse"),
                expected=f"for example {best.reuse}",
                actual=str(tree),
            )
        )


def fits(size: int, memory: int | None) -> bool:
    """Whether so many bytes may be taken."""
    if memory is not None:
        return size <= memory
    try:
        require_memory(size, "partial products")
    except CompileError:
        return False
    return True


def _nodes(tree: Node) -> list[Node]:
    """Those below the root that hold something."""
    return [node for child in tree.children if child.children for node in (child, *_nodes(child))]
