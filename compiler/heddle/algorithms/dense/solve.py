"""The systems A G = V where Cholesky does not suffice, by LAPACK on one thread.

Factors are C arrays of one row for each index, which Fortran sees as their transposes: nothing is copied.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
WORST_CONDITION = 1e12
"""Of the Cholesky factor, squared: beyond it the solution of a definite system has few digits left."""

RCOND = 1e-8
"""Singular values below this share of the largest count as zero where the minimum norm is taken, as in GenTen."""


def solve(system: Array, factor: Array, solver: str) -> tuple[float, str | None]:
    """Replaces the rows V of ``factor`` by those of V G⁻¹; the estimated condition, and what had to be done instead of
    a Cholesky factorisation where that failed.

    The chain is that of GenTen: Cholesky; where the system is nearly singular, an indefinite factorisation; where that
    is singular, the solution of minimum norm. A system that is not definite goes there at once: as a product of Gram
    matrices it is semidefinite, so that it is singular but for rounding, and what solves it is large and arbitrary.
    """
    from scipy.linalg import lapack

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
        definite = condition < float("inf")
        reason = f"has a condition of about {condition:.0e}" if definite else "is not positive definite"
        if definite:
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
    from scipy.linalg import lapack

    size, info = lapack.dgelsy_lwork(system.shape[0], system.shape[1], right.shape[1], RCOND)
    return max(int(size), 1) if info == 0 else 4 * system.shape[0] + right.shape[1] + 1
