"""What a composition is shown of: the entries in order, and whatever is the same in all formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from heddle.counts import bincount
from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.explorer.views.composition.composition_schema import InOnePartView
from heddle.explorer.views.composition.places import key_of
from heddle.explorer.views.storage.storage import MAX_ENTRIES, MAX_STORED
from heddle.formats.parser import parse_format
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum
from heddle.runtime.tensors.tensor import Tensor

_BESIDE = {1: ("dense", "coo"), 2: ("csr", "ell", "bcsr(4,4)")}
"""What a sum of parts is compared with, by the order of the tensor; of others the first is ``coo``."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """``entries`` are sorted, each once, and ``keys`` number their coordinates (None: too large for 64 bits). ``rows``:
    a matrix in csr, from which the ways to buckets, blocks and slots are compiled; None for other orders. ``beside``:
    the same entries in formats without parts."""

    name: str
    entries: Entries
    keys: NDArray[Any] | None
    rows: Tensor | None
    beside: tuple[InOnePartView, ...]

    @property
    def operand(self) -> Tensor | Entries:
        """What is packed quickest."""
        return self.entries if self.rows is None else self.rows


def show(tensor: str, order: int, entries: Entries) -> Shown:
    """``entries`` of ``tensor``, which has ``order`` dimensions in its expression.

    Raises
    ------
    CompileError
        ``composition/order``, ``storage/too-large``.
    """
    if len(entries.shape) != order or order == 0:
        raise CompileError(_order(tensor, order, len(entries.shape)))
    limit(tensor, int(entries.values.size), MAX_ENTRIES, "entries")
    entries = sort_and_sum(entries, tuple(range(order)))
    rows = None
    if order == 2:
        rows = pack(entries, parse_format("csr", 2, tensor), dtype=entries.dtype.name, name=tensor)
        assert isinstance(rows, Tensor)
    operand = entries if rows is None else rows
    beside = tuple(_view_undivided(tensor, text, entries, operand) for text in _BESIDE.get(order, ("coo", "csf")))
    return Shown(tensor, entries, key_of(entries), rows, beside)


def limit(tensor: str, count: int, most: int, what: str) -> None:
    """Raises ``storage/too-large`` where there are more than ``most``."""
    if count <= most:
        return
    raise CompileError(
        Diagnostic(
            "storage/too-large",
            f"{tensor} has {count:,} {what}, too many to show how they are stored.",
            Location(Part.INPUT, tensor=tensor),
            expected=f"at most {most:,} {what}",
            actual=f"{count:,}",
            hint="Show the format on the running example, or on a smaller input.",
        )
    )


def _view_undivided(tensor: str, text: str, entries: Entries, operand: Tensor | Entries) -> InOnePartView:
    view = InOnePartView(format=text, places=None, bytes=None, reason=None)
    try:
        format = parse_format(text, len(entries.shape), tensor)
        if text == "ell":
            longest = int(bincount(entries.columns[0], minlength=1).max()) if entries.values.size else 0
            view["places"] = entries.shape[0] * longest
            limit(tensor, entries.shape[0] * longest, MAX_STORED, "stored values")
        packed = pack(operand, format, dtype=entries.dtype.name, name=tensor)
    except CompileError as error:
        view["reason"] = error.diagnostics[0].message
        return view
    view["places"], view["bytes"] = packed.stored, packed.nbytes
    return view


def _order(tensor: str, order: int, actual: int) -> Diagnostic:
    if order == 0:
        message, expected = f"{tensor} is a scalar, which has no parts.", "a tensor with dimensions"
    else:
        message = f"{tensor} has {order} dimensions in the expression, and {actual} in its input."
        expected = f"an input of order {order}"
    return Diagnostic(
        "composition/order",
        message,
        Location(Part.INPUT, tensor=tensor),
        expected=expected,
        actual=f"order {actual}",
        hint=f"Choose another input for {tensor}.",
    )
