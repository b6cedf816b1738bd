"""Whether there is memory for the factors of a decomposition."""

from __future__ import annotations

from heddle.diagnostics import CompileError, Diagnostic, Location, OperandError, Part
from heddle.runtime.memory.allocation_limit import require_memory


def require_room(shape: tuple[int, ...], rank: int) -> None:
    """Factors, and as much again for the products.

    Raises
    ------
    CompileError
        ``algorithm/too-large``.
    """
    need = 2 * 8 * rank * sum(shape)
    try:
        require_memory(need, "the factors")
    except CompileError:
        largest = _largest_rank(shape)
        raise OperandError(
            Diagnostic(
                "algorithm/too-large",
                f"The factors of rank {rank} and their products take {need:,} bytes, more than this machine has."
                + (f" Rank {largest} fits." if largest else ""),
                Location(Part.PLAN, path="/parameters/rank"),
                expected=f"a rank of at most {largest}" if largest else "a smaller tensor",
                actual=str(rank),
            )
        ) from None


def _largest_rank(shape: tuple[int, ...]) -> int:
    """The largest rank whose factors fit; 0 where none does."""
    low, high = 0, 4096
    while low < high:
        middle = (low + high + 1) // 2
        try:
            require_memory(2 * 8 * middle * sum(shape), "the factors")
            low = middle
        except CompileError:
            high = middle - 1
    return low
