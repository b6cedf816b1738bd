"""The small dense work of a sweep, by LAPACK and BLAS on one thread: Gram matrices and the systems A G = V.

Factors are C arrays of one row for each index, which Fortran sees as their transposes: nothing is copied.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

Array = NDArray[Any]
WORST_CONDITION = 1e12
"""Of the Cholesky factor, squared: beyond it the solution of a definite system has few digits left."""

RCOND = 1e-8
"""Singular values below this share of the largest count as zero where the minimum norm is taken, as in GenTen."""


def gram(factor: Array, out: Array) -> None:
    """``AᵀA``, both triangles of it."""
    lower = blas.dsyrk(1.0, factor.T, trans=0, lower=1)  # zeros above the diagonal
    np.add(lower, lower.T, out=out)
    out.reshape(-1)[:: out.shape[0] + 1] *= 0.5


def solve(system: Array, factor: Array, solver: str) -> tuple[float, str | None]:
    """Replaces the rows V of ``factor`` by those of V G⁻¹; the estimated condition, and what had to be done instead of
    a Cholesky factorisation where that failed.

    The chain is that of GenTen: Cholesky; where the system is not definite, or nearly singular, an indefinite
    factorisation; where that is singular, the solution of minimum norm.
    """
    right = factor.T
    reason = "asked for"
    condition = float("inf")
    if solver == "cholesky":
        lower, info = lapack.dpotrf(system, lower=1, clean=0)
        if info == 0:
            diagonal = np.diagonal(lower)
            condition = float((diagonal.max() / diagonal.min()) ** 2)
        if info == 0 and condition <= WORST_CONDITION:
            _, info = lapack.dpotrs(lower, right, lower=1, overwrite_b=1)
            return condition, None
        reason = (
            "is not positive definite" if condition == float("inf") else f"has a condition of about {condition:.0e}"
        )
        _, _, solution, info = lapack.dsysv(system, right, lower=1)
        if info == 0 and np.isfinite(solution).all() and _solves(system, solution, right):
            factor[...] = solution.T
            return condition, f"The matrix of the system {reason}: solved by an indefinite factorisation."
    _, solution, _, rank, _ = lapack.dgelsy(
        system, right, np.zeros((system.shape[0], 1), np.int32), RCOND, _work(system, right)
    )[:5]
    factor[...] = solution[: system.shape[0]].T
    text = f"The matrix of the system {reason}: solved for the minimum norm, with rank {rank} of {system.shape[0]}."
    return condition, text if solver == "cholesky" else None


def _solves(system: Array, solution: Array, right: Array) -> bool:
    """Whether a nearly singular system was solved: its rest is small beside what rounding leaves."""
    rest = np.abs(system @ solution - right).max(initial=0.0)
    return bool(rest <= RCOND * max(np.abs(right).max(initial=0.0), np.finfo(np.float64).tiny))


def _work(system: Array, right: Array) -> int:
    size, info = lapack.dgelsy_lwork(system.shape[0], system.shape[1], right.shape[1], RCOND)
    return max(int(size), 1) if info == 0 else 4 * system.shape[0] + right.shape[1] + 1
