"""How threads wait for the next parallel region: awake, which begins it at once and holds a core that others wait for,
or asleep. Kernels and libraries wait alike, and a result says how."""

from __future__ import annotations

import os
from collections.abc import Mapping

from heddle.runtime.native import toolchain

SOON = "1000"
"""Rounds that threads of libgomp, which MKL runs on, spin for: some 10 to 50 µs, as those of kernels do. As fast as
spinning on a quiet machine, and they do not hold the cores that the next contender's threads wait for."""

INTEL = ("KMP_BLOCKTIME", "KMP_LIBRARY", "OMP_WAIT_POLICY")
"""By these variables people say themselves how threads of Intel's OpenMP wait."""


def let_libraries_wait_alike() -> None:
    """Call it before they are loaded. Where a person has set ``OMP_WAIT_POLICY``, kernels and libraries follow that."""
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", SOON)


def waiting_of(openmp: str | None, mkl: bool, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """How threads of kernels wait, and those of MKL where it was timed."""
    if openmp is None:
        return {}
    policy = environment.get("OMP_WAIT_POLICY", "").lower()
    match openmp:
        case toolchain.POOL:
            ours = {"passive": "asleep", "active": "awake"}.get(policy, "awake for 5 to 50 µs, then asleep")
            count = environment.get("GOMP_SPINCOUNT")
            theirs = f"awake for {count} rounds of GNU OpenMP, then asleep" if count is not None else ours
        case "libiomp5":
            chosen = [f"{name}={environment[name]}" for name in INTEL if name in environment]
            ours = theirs = f"as set: {', '.join(chosen)}" if chosen else "awake for 50 µs, then asleep"
        case _:
            ours = theirs = f"as {openmp} does{f' with OMP_WAIT_POLICY={policy}' if policy else ''}"
    return {"heddle": ours, "mkl": theirs} if mkl else {"heddle": ours}
