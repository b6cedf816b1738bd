"""The eight plans whose order a quiet machine knows: on a thread and on two, far apart, near each other, and alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

STIFFNESS = {"A": {"dataset": "bcsstk13"}}
SPMV = {"expression": "y(i) = A(i,j) * x(j)", "inputs": STIFFNESS, "tensors": {"A": {"format": "csr"}}}
ALONE = {"baselines": ["scipy"], "threads": 1}
TOGETHER = {"baselines": ["scipy", "mkl"], "threads": 2}

VERDICT_PLANS: Mapping[str, Mapping[str, Any]] = {
    # Beside libraries, on one thread: some times apart.
    "product with columns": {
        "expression": "C(i,k) = A(i,j) * B(j,k)",
        "tensors": {"A": {"format": "csr"}, "B": {"shape": [2003, 32]}},
        "inputs": STIFFNESS,
        "run": ALONE,
    },
    # SciPy computes all sums and keeps few: a hundred times apart.
    "sampled product": {
        "expression": "C(i,j) = B(i,j) * D(i,k) * E(j,k)",
        "tensors": {
            "B": {"format": "csr"},
            "C": {"format": "csr"},
            "D": {"shape": [2003, 32]},
            "E": {"shape": [2003, 32]},
        },
        "schedule": ["parallelize(k, CPUVector, ParallelReduction)"],
        "inputs": {"B": {"dataset": "bcsstk13"}},
        "run": ALONE,
    },
    "sampled product of few columns": {
        "expression": "C(i,j) = B(i,j) * D(i,k) * E(j,k)",
        "tensors": {
            "B": {"format": "csr"},
            "C": {"format": "csr"},
            "D": {"shape": [2003, 8]},
            "E": {"shape": [2003, 8]},
        },
        "inputs": {"B": {"dataset": "bcsstk13"}},
        "run": ALONE,
    },
    # The same loops, cut: alike.
    "cut rows": {**SPMV, "schedule": ["split(i, i0, i1, 512)"], "run": ALONE},
    # A row of few entries after another, each with a loop of its own.
    "cut entries": {
        **SPMV,
        "schedule": ["fuse(i, j, f)", "pos(f, p, A)", "split(p, p0, p1, 2)"],
        "run": ALONE,
    },
    # Two threads beside one, and beside two of MKL.
    "rows shared out": {
        **SPMV,
        "schedule": ["split(i, i0, i1, 256)", "parallelize(i0, CPUThread, NoRaces)"],
        "run": TOGETHER,
    },
    "columns shared out": {
        "expression": "C(i,k) = A(i,j) * B(j,k)",
        "tensors": {"A": {"format": "csr"}, "B": {"shape": [2003, 64]}},
        "schedule": [
            "split(i, i0, i1, 128)",
            "parallelize(i0, CPUThread, NoRaces)",
            "parallelize(k, CPUVector, NoRaces)",
        ],
        "inputs": STIFFNESS,
        "run": TOGETHER,
    },
    # One thread beside two of MKL: what starves MKL is no merit of ours.
    "one thread beside two": {**SPMV, "run": {"baselines": ["scipy", "mkl"], "threads": 2}},
}
