"""Schedules of products of two dense operands, in tiles of rows and of four columns, of which the last is not full."""

from __future__ import annotations


def last_tile(left: str, rows: int, copied: str = "B(k,j)") -> tuple[str, ...]:
    """Of ``C(i,j) = left * copied``: tiles of ``rows`` rows stay in registers, the columns are copied side by side."""
    return (
        "split(j, j0, j1, 4)",
        "reorder(j0, k, j1, i)",
        f"precompute({copied}, {{k, j1}}, {{kp, j1p}}, P)",
        f"split(i, i0, i1, {rows})",
        "reorder(i0, k, i1, j1)",
        f"precompute({left} * P(k,j1), {{i1, j1}}, {{i1w, j1w}}, w)",
        f"unroll(i1w, {rows})",
        f"unroll(i1, {rows})",
        "parallelize(j1w, CPUVector, NoRaces)",
        "parallelize(j1, CPUVector, NoRaces)",
    )
