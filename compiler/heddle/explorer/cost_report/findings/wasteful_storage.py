"""Formats that store, or make loops visit, much more than what is there."""

from __future__ import annotations

import numpy as np

from heddle.explorer.cost_report.account import Account, entries
from heddle.explorer.cost_report.findings.finding import Finding, try_fix
from heddle.runtime.storage.unpack import positions_by_level
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.tensor import Tensor

SPARSE, PADDED, EMPTY, LEAST = 0.25, 0.4, 0.5, 32
"""Share of entries below which dense storage is mostly zeros; share of padding, and of rows without an entry, above
which it is said; values and rows below which it does not matter."""


def wasteful_storage(account: Account) -> Finding | None:
    for name in sorted(account.operands):
        tensor = account.tensor(name)
        if tensor is None or len(tensor.shape) < 2 or not tensor.stored:
            continue
        filled = entries(tensor)
        finding = _mostly_zeros(account, name, tensor, int(np.count_nonzero(filled))) or _empty_rows(
            account, name, tensor, int(np.count_nonzero(filled.reshape(len(filled), -1).any(axis=1)))
        )
        if finding is not None:
            return finding
    return None


def _mostly_zeros(account: Account, name: str, tensor: Tensor, held: int) -> Finding | None:
    dense = tensor.format.is_dense
    share = held / tensor.stored
    if tensor.stored < LEAST or share >= (SPARSE if dense else 1 - PADDED):
        return None
    what = "stored dense" if dense else "padded"
    text = (
        f"{name} is {what}: {1 - share:.0%} of its {tensor.stored:,} values are zeros, which are loaded and multiplied."
    )
    format = "csr" if len(tensor.shape) == 2 else "csf"
    repair = try_fix(account, f"Store {name} as {format}", formats={name: format})
    if repair is None or (stored := repair.account.tensor(name)) is None:
        return Finding("zeros", text)
    work = repair.account.counts.work
    if work >= account.counts.work:
        return Finding("zeros", text)
    gain = (
        f"{stored.stored:,} values are then stored, and {work:,} operations are done instead of "
        f"{account.counts.work:,}."
    )
    return Finding("zeros", text, repair.fix, gain)


def _empty_rows(account: Account, name: str, tensor: Tensor, filled: int) -> Finding | None:
    kinds = [] if isinstance(tensor, Composite) else [level.kind for level in tensor.format.levels]
    if kinds != ["dense", "compressed"] or tensor.format.order != (0, 1):
        return None
    rows = positions_by_level(tensor)[0]
    if rows < LEAST or rows - filled <= EMPTY * rows:
        return None
    text = f"{rows - filled:,} of {rows:,} rows of {name} are empty, and the loop visits them all."
    repair = try_fix(account, f"Store {name} as dcsr", formats={name: "dcsr"})
    if repair is None or repair.account.counts.iterations >= account.counts.iterations:
        return Finding("empty-rows", text)
    gain = f"{repair.account.counts.iterations:,} of {account.counts.iterations:,} iterations remain."
    return Finding("empty-rows", text, repair.fix, gain)
