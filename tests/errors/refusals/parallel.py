"""Loops on parallel units that would race, or that the unit or the target cannot run."""

from __future__ import annotations

from tests.errors.refusals.refused import Refused

PARALLEL = (
    Refused(
        "schedule/race",
        "`parallelize(p, CPUThread, NoRaces)`: two iterations of p add into the same C(i, j). Use Atomics.",
        "NoRaces",
        "Write parallelize(p, CPUThread, Atomics)",
        schedule=("pos(i, p, T)", "parallelize(p, CPUThread, NoRaces)"),
        expression="C(i,j) = T(i,j,k) * x(k)",
        formats={"T": "coo"},
    ),
    Refused(
        "schedule/race",
        (
            "`parallelize(j, CPUThread, NoRaces)`: two iterations of j add into the same y(i). Use "
            "ParallelReduction, or parallelize i."
        ),
        "NoRaces",
        "Write parallelize(j, CPUThread, ParallelReduction)",
        schedule=("parallelize(j, CPUThread, NoRaces)",),
    ),
    Refused(
        "schedule/race",
        ("`parallelize(i, CPUThread, NoRaces)`: two iterations of i add into the same s. Use ParallelReduction."),
        "NoRaces",
        "Write parallelize(i, CPUThread, ParallelReduction)",
        schedule=("parallelize(i, CPUThread, NoRaces)",),
        expression="s = a(i) * b(i)",
        formats={},
    ),
    Refused(
        "schedule/race",
        (
            "`parallelize(i, CPUThread, NoRaces)`: two iterations of i add into the same y(j). Use Atomics, or "
            "parallelize j."
        ),
        "NoRaces",
        "Write parallelize(i, CPUThread, Atomics)",
        schedule=("parallelize(i, CPUThread, NoRaces)",),
        expression="y(j) = A(i,j) * x(i)",
    ),
    Refused(
        "schedule/ignored-race",
        (
            "`parallelize(i, CPUThread, IgnoreRaces)`: two iterations of i add into the same y(j), and no other "
            "loop protects it: updates would be lost. Use Atomics, or Temporary for partial results that are added "
            "up after the loop."
        ),
        "IgnoreRaces",
        "Write parallelize(i, CPUThread, Atomics)",
        schedule=("parallelize(i, CPUThread, IgnoreRaces)",),
        expression="y(j) = A(i,j) * x(i)",
    ),
    Refused(
        "schedule/ignored-race",
        "`parallelize(i, CPUVector, IgnoreRaces)`: two iterations of i add into the same y(j), and no other loop "
        "protects it: updates would be lost. Vector lanes cannot protect it: leave i serial, or move the reduction "
        "inside it.",
        "IgnoreRaces",
        "Remove parallelize(i, CPUVector, IgnoreRaces)",
        schedule=("parallelize(i, CPUVector, IgnoreRaces)",),
        expression="y(j) = A(i,j) * x(i)",
    ),
    Refused(
        "schedule/reduction-target",
        "`parallelize(i, CPUVector, Temporary)`: which y(j) an iteration of i adds into is known only inside the loop, "
        "and vector lanes cannot keep a copy of y each. Run i on CPUThread, or leave it serial.",
        "CPUVector",
        "Write parallelize(i, CPUThread, Temporary)",
        schedule=("parallelize(i, CPUVector, Temporary)",),
        expression="y(j) = A(i,j) * x(i)",
    ),
    Refused(
        "schedule/vector-atomics",
        (
            "`parallelize(i, CPUVector, Atomics)`: the lanes of i would need an atomic update of y(j) each, which"
            " vector units do not have. Leave i serial, or move the reduction inside it."
        ),
        "CPUVector",
        "Remove parallelize(i, CPUVector, Atomics)",
        schedule=("parallelize(i, CPUVector, Atomics)",),
        expression="y(j) = A(i,j) * x(i)",
    ),
    Refused(
        "schedule/vector-atomics",
        (
            "`parallelize(j, CPUVector, Atomics)`: the lanes of j would need an atomic update of y(i) each, which"
            " vector units do not have. Use ParallelReduction."
        ),
        "Atomics",
        "Write parallelize(j, CPUVector, ParallelReduction)",
        schedule=("parallelize(j, CPUVector, Atomics)",),
        expression="y(i) = A(i,j) * x(j)",
        formats={"A": "csr"},
    ),
    Refused(
        "schedule/ignored-race",
        (
            "`parallelize(i, CPUThread, IgnoreRaces)`: two iterations of i add into the same u(j), and no other loop "
            "protects it: updates would be lost. Use Atomics, or Temporary for partial results that are added up "
            "after the loop."
        ),
        "IgnoreRaces",
        "Write parallelize(i, CPUThread, Atomics)",
        schedule=(
            "precompute(b(i) * B(i,j), i, c, w)",
            "parallelize(c, CPUThread, Atomics)",
            "parallelize(i, CPUThread, IgnoreRaces)",
        ),
        expression="u(j) = b(i) * B(i,j)",
        formats={"B": "csr"},
    ),
    Refused(
        "schedule/nested-threads",
        (
            "`parallelize(j, CPUThread, NoRaces)`: j lies inside i, which runs on CPU threads already: threads "
            "within threads only add cost. Parallelize one of them, or fuse them first; inner loops can use "
            "CPUVector."
        ),
        "j",
        "Remove parallelize(j, CPUThread, NoRaces)",
        schedule=("parallelize(i, CPUThread, NoRaces)", "parallelize(j, CPUThread, NoRaces)"),
        expression="C(i,j) = a(i) * b(j)",
        formats={},
    ),
    Refused(
        "schedule/inside-vector",
        (
            "`parallelize(j, CPUVector, NoRaces)`: j lies inside i, which runs on vector lanes; nothing inside it "
            "can be parallel as well."
        ),
        "j",
        "Remove parallelize(j, CPUVector, NoRaces)",
        schedule=("parallelize(i, CPUVector, NoRaces)", "parallelize(j, CPUVector, NoRaces)"),
        expression="C(i,j) = a(i) * b(j)",
        formats={},
    ),
    Refused(
        "schedule/unit-of-target",
        "i is parallelized on GPUBlock, which the target c does not have. Use CPUThread or CPUVector.",
        "GPUBlock",
        "Write parallelize(i, CPUThread, NoRaces)",
        schedule=("parallelize(i, GPUBlock, NoRaces)",),
    ),
)
