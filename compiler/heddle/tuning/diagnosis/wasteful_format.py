"""Formats that store, or walk over, much more than what is there."""

from __future__ import annotations

from heddle.notation.nodes import Access, operand_accesses
from heddle.tuning.diagnosis.finished import Diagnosis, Finished

SPARSE = 0.1
"""Share of nonzeros below which a dense format stores mostly zeros."""

WORTHWHILE = 10_000
"""Values below which it does not matter."""

PADDED = 3.0
"""Stored values for each nonzero."""

EMPTY = 0.9
"""Share of rows without an entry."""


def wasteful_format(run: Finished) -> Diagnosis | None:
    for access in operand_accesses(run.program.assignment):
        diagnosis = _mostly_zeros(run, access) or _diagnose_padding(run, access) or _empty_rows(run, access)
        if diagnosis is not None:
            return diagnosis
    return None


def _mostly_zeros(run: Finished, access: Access) -> Diagnosis | None:
    tensor, order = run.tensors[access.tensor], len(access.indices)
    cells, nonzeros = tensor.vals.size, run.nonzeros.get(access.tensor, 0)
    if not run.program.is_dense(access) or order < 2 or cells < WORTHWHILE or nonzeros >= SPARSE * cells:
        return None
    fix = run.with_format(access.tensor, "csr" if order == 2 else "csf")
    if fix is None:
        return None
    text = f"{access.tensor} is stored dense: {1 - nonzeros / cells:.1%} of its {cells:,} values are zeros."
    return Diagnosis("mostly-zeros", text, fix)


def _diagnose_padding(run: Finished, access: Access) -> Diagnosis | None:
    stored, nonzeros = run.tensors[access.tensor].vals.size, run.nonzeros.get(access.tensor, 0)
    if run.program.is_dense(access) or len(access.indices) != 2 or stored < WORTHWHILE or nonzeros < 1:
        return None
    if stored < PADDED * nonzeros:
        return None
    fix = run.with_format(access.tensor, "csr")
    if fix is None:
        return None
    text = (
        f"The format of {access.tensor} stores {stored:,} values for {nonzeros:,} nonzeros: "
        f"{stored / nonzeros:.1f} for each, the rest is padding."
    )
    return Diagnosis("padding", text, fix)


def _empty_rows(run: Finished, access: Access) -> Diagnosis | None:
    known = run.program.statistics.get(access.tensor)
    if run.program.is_dense(access) or run.program.kinds(access) != ("dense", "compressed") or known is None:
        return None
    if known.rows < WORTHWHILE or known.empty < EMPTY * known.rows:
        return None
    fix = run.with_format(access.tensor, "dcsr")
    if fix is None:
        return None
    text = (
        f"{known.empty:,} of {known.rows:,} rows of {access.tensor} are empty, and the loop visits them all: dcsr "
        f"stores only the {known.rows - known.empty:,} that hold something."
    )
    return Diagnosis("empty-rows", text, fix)
