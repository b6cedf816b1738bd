"""Schedules for a GPU that are refused."""

from __future__ import annotations

from tests.errors.refusals.refused import Refused

BLOCKS = ("split(i, b, t, 64)", "parallelize(b, GPUBlock, NoRaces)")
POSITIONS = ("fuse(i, j, f)", "pos(f, p, A)", "split(p, b, t, 64)")
RUNS = (
    "parallelize(b, GPUBlock, IgnoreRaces)",
    "parallelize(w, GPUWarp, Atomics)",
    "parallelize(t, GPUThread, ParallelReduction)",
)
GPU = (
    Refused(
        "schedule/mixed-units",
        (
            "`parallelize(t, CPUThread, NoRaces)`: t on CPUThread lies inside b on GPUBlock: one nest runs either on a "
            "CPU or on a GPU."
        ),
        "CPUThread",
        "Remove parallelize(t, CPUThread, NoRaces)",
        schedule=(*BLOCKS, "parallelize(t, CPUThread, NoRaces)"),
        target="interpreter",
    ),
    Refused(
        "schedule/unit-order",
        (
            "`parallelize(t, GPUWarp, NoRaces)`: t on GPUWarp lies inside w on GPUThread. A GPUBlock holds GPUWarps, a "
            "GPUWarp holds GPUThreads, and each of them appears once in a nest. Reorder the loops, or fuse the two."
        ),
        "GPUWarp",
        "Remove parallelize(t, GPUWarp, NoRaces)",
        schedule=(
            "split(i, b, r, 64)",
            "split(r, w, t, 8)",
            "parallelize(b, GPUBlock, NoRaces)",
            "parallelize(w, GPUThread, NoRaces)",
            "parallelize(t, GPUWarp, NoRaces)",
        ),
        target="interpreter",
    ),
    Refused(
        "schedule/unit-order",
        (
            "`parallelize(t, GPUThread, NoRaces)`: t on GPUThread lies inside w on GPUThread. A GPUBlock holds "
            "GPUWarps, a GPUWarp holds GPUThreads, and each of them appears once in a nest. Reorder the loops, or fuse "
            "the two."
        ),
        "GPUThread",
        "Remove parallelize(t, GPUThread, NoRaces)",
        schedule=(
            "split(i, b, r, 64)",
            "split(r, w, t, 8)",
            "parallelize(b, GPUBlock, NoRaces)",
            "parallelize(w, GPUThread, NoRaces)",
            "parallelize(t, GPUThread, NoRaces)",
        ),
        target="interpreter",
    ),
    Refused(
        "schedule/block-inside",
        (
            "`parallelize(t, GPUBlock, NoRaces)`: t on GPUBlock lies inside b, but the loop over blocks is what the "
            "host launches. Reorder t outside, or run b on GPUBlock."
        ),
        "t",
        "Remove parallelize(t, GPUBlock, NoRaces)",
        schedule=("split(i, b, t, 64)", "parallelize(t, GPUBlock, NoRaces)"),
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-unmapped",
        (
            "the loops b → t → j do not run in any block of the GPU. Put the outermost of them, or a part of it, on "
            "GPUBlock, "
            "and one inside it on GPUThread."
        ),
        "/schedule",
        None,
        schedule=("split(i, b, t, 64)", "parallelize(t, GPUThread, NoRaces)"),
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-assembly",
        (
            "the threads of k collect w together, in a hash table for each row, but it lies inside b → r. Needed is "
            "only the loop over rows around it, on GPUBlock. Or leave k without a unit, so that one thread collects a "
            "row."
        ),
        "/schedule",
        None,
        schedule=(
            "precompute(A(i,k) * B(k,j), j, jw, w)",
            "split(i, b, r, 4)",
            "parallelize(b, GPUBlock, NoRaces)",
            "parallelize(k, GPUWarp, Atomics)",
        ),
        expression="C(i,j) = A(i,k) * B(k,j)",
        formats=dict.fromkeys("ABC", "csr"),
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-assembly",
        (
            "the threads of jw collect w together, in a hash table for each row, but more is done with w than to store "
            "it. Needed is precompute of the whole of what C stores. Or leave jw without a unit, so that one thread "
            "collects a row."
        ),
        "/schedule",
        None,
        schedule=(
            "precompute(A(i,k) * B(k,j), j, jw, w)",
            "parallelize(i, GPUBlock, NoRaces)",
            "parallelize(jw, GPUThread, Atomics)",
        ),
        expression="C(i,j) = 2 * (A(i,k) * B(k,j))",
        formats=dict.fromkeys("ABC", "csr"),
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-assembly",
        (
            "the threads of k collect w together, in a hash table for each row, but none of its loops is on GPUThread. "
            "Needed is GPUThread on one of them, whose threads insert. Or leave k without a unit, so that one thread "
            "collects a row."
        ),
        "/schedule",
        None,
        schedule=(
            "precompute(A(i,k) * B(k,j), j, jw, w)",
            "parallelize(i, GPUBlock, NoRaces)",
            "parallelize(k, GPUWarp, Atomics)",
        ),
        expression="C(i,j) = A(i,k) * B(k,j)",
        formats=dict.fromkeys("ABC", "csr"),
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-reduction",
        (
            "`parallelize(jw, GPUThread, ParallelReduction)`: the threads of jw collect w in a hash table, into which "
            "each of them adds by itself. Use Atomics."
        ),
        "ParallelReduction",
        "Write parallelize(jw, GPUThread, Atomics)",
        schedule=(
            "precompute(A(i,k) * B(k,j), j, jw, w)",
            "parallelize(i, GPUBlock, NoRaces)",
            "parallelize(jw, GPUThread, ParallelReduction)",
        ),
        expression="C(i,j) = A(i,k) * B(k,j)",
        formats=dict.fromkeys("ABC", "csr"),
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-assembly",
        (
            "the entries of C are found while it is computed. On a GPU each thread counts and fills rows of its own, "
            "but here its outermost level stores what is found. Store C dense, or like an operand whose entries it has."
        ),
        "/schedule",
        None,
        schedule=("parallelize(i, GPUBlock, NoRaces)",),
        expression="C(i,j) = 2 * A(i,j)",
        formats={"A": "csr", "C": "dcsr"},
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-assembly",
        (
            "the entries of C are found while it is computed. On a GPU each thread counts and fills rows of its own, "
            "but here its outermost level stores what is found. Store C dense, or like an operand whose entries it has."
        ),
        "/schedule",
        None,
        expression="C(i,j) = 2 * A(i,j)",
        formats={"A": "csr", "C": "dcsr"},
        target="opencl",
    ),
    Refused(
        "schedule/gpu-assembly",
        (
            "the entries of C are found while it is computed. On a GPU each thread counts and fills rows of its own, "
            "but here assemble(…, Append) needs the rows in their order. Store C dense, or like an operand whose "
            "entries it has."
        ),
        "/schedule",
        None,
        schedule=("assemble(C, Append)", "parallelize(i, GPUBlock, NoRaces)"),
        expression="C(i,j) = A(i,j) + B(i,j)",
        formats={"A": "csr", "B": "csr", "C": "csr"},
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-assembly",
        (
            "the entries of C are found while it is computed. On a GPU each thread counts and fills rows of its own, "
            "but here its rows are collected in the hash map w. Store C dense, or like an operand whose entries it has."
        ),
        "/schedule",
        None,
        expression="C(i,j) = A(k,i) * B(k,j)",
        formats={"A": "csr", "B": "csr", "C": "csr"},
        target="opencl",
    ),
    Refused(
        "schedule/gpu-race",
        (
            "`parallelize(t, GPUThread, IgnoreRaces)`: two iterations of t add into the same y(i), and no unit of the "
            "schedule protects it: updates would be lost. Use Atomics."
        ),
        "IgnoreRaces",
        "Write parallelize(t, GPUThread, Atomics)",
        schedule=(
            *POSITIONS,
            "parallelize(b, GPUBlock, IgnoreRaces)",
            "parallelize(t, GPUThread, IgnoreRaces)",
        ),
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-reduction",
        (
            "`parallelize(t, GPUThread, Temporary)`: which y(i) an iteration of t adds into is known only inside the "
            "loop, so the sums of its GPUThreads cannot be combined after it. Use Atomics."
        ),
        "Temporary",
        "Write parallelize(t, GPUThread, Atomics)",
        schedule=(*POSITIONS, "parallelize(b, GPUBlock, IgnoreRaces)", "parallelize(t, GPUThread, Temporary)"),
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-reduction",
        (
            "`parallelize(t, GPUThread, ParallelReduction)`: which y(i) an iteration of t adds into is known only "
            "inside the loop. Such sums are combined over the 32 lanes of one warp, but t has no GPUWarp around it. "
            "Split t by 32, with the outer part on GPUWarp, or use Atomics."
        ),
        "ParallelReduction",
        "Write split(t, warp, lane, 32), parallelize(warp, GPUWarp, Atomics), "
        "parallelize(lane, GPUThread, ParallelReduction)",
        schedule=("fuse(i, j, f)", "pos(f, p, A)", "split(p, b, t, 256)", "parallelize(b, GPUBlock, Atomics)", RUNS[2]),
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-reduction",
        (
            "`parallelize(t, GPUThread, ParallelReduction)`: which y(i) an iteration of t adds into is known only "
            "inside the loop. Such sums are combined over the 32 lanes of one warp, but t has 64 iterations. "
            "Split t by 32, with the outer part on GPUWarp, or use Atomics."
        ),
        "ParallelReduction",
        "Write parallelize(t, GPUThread, Atomics)",
        schedule=(*POSITIONS, "split(b, b0, w, 4)", "reorder(b0, w, t)", RUNS[0].replace("(b,", "(b0,"), *RUNS[1:]),
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-reduction",
        (
            "`parallelize(t, GPUThread, ParallelReduction)`: which y(i) an iteration of t adds into is known only "
            "inside the loop. Such sums are combined over the 32 lanes of one warp, but t has a number of iterations "
            "that is known only at run time. Split t by 32, with the outer part on GPUWarp, or use Atomics."
        ),
        "ParallelReduction",
        "Write parallelize(t, GPUThread, Atomics)",
        schedule=("fuse(i, j, f)", "pos(f, p, A)", "divide(p, b, r, 2)", "divide(r, w, t, 2)", *RUNS),
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-reduction",
        (
            "`parallelize(t, GPUThread, ParallelReduction)`: each iteration of t adds into several elements of C, "
            "one in every iteration of k, but the lanes of a warp can combine one element each. Reorder k outside t, "
            "or use Atomics."
        ),
        "ParallelReduction",
        "Write parallelize(t, GPUThread, Atomics)",
        schedule=(
            "reorder(i, j, k)",
            "fuse(i, j, f)",
            "pos(f, p, A)",
            "split(p, b, r, 64)",
            "split(r, w, t, 8)",
            "reorder(b, w, t, k)",
            *RUNS,
        ),
        expression="C(i,k) = A(i,j) * B(j,k)",
        formats={"A": "csr"},
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-workspace",
        (
            "the workspace w belongs to a block or warp of the GPU and needs a constant size, but its size is known "
            "only at run time. Split its loop by a constant before precompute, or bound the loop."
        ),
        "/schedule",
        None,
        schedule=(
            "precompute(2 * x(j), j, jw, w)",
            "parallelize(i, GPUBlock, NoRaces)",
            "parallelize(j, GPUThread, ParallelReduction)",
            "parallelize(jw, GPUThread, NoRaces)",
        ),
        expression="y(i) = A(i,j) * (2 * x(j))",
        formats={},
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-workspace",
        (
            "the workspace w belongs to a thread of the GPU, and only the thread knows its size, which differs from "
            "one iteration to the next. Split its loop by a constant before precompute."
        ),
        "/schedule",
        None,
        schedule=(
            "split(i, b, t, 4)",
            "pos(j, p, A)",
            "divide(p, p0, p1, 2)",
            "precompute(A(i,j) * x(j), p1, pw, w)",
            "parallelize(b, GPUBlock, NoRaces)",
            "parallelize(t, GPUThread, NoRaces)",
        ),
        target="interpreter",
    ),
    Refused(
        "schedule/gpu-workspace",
        (
            "the workspace w of a thread of the GPU is searched, which its memory does not allow. Visit it from end "
            "to end, or use the target c."
        ),
        "/schedule",
        None,
        schedule=(
            "precompute(A(i,k) * B(k,j), j, jw, w)",
            "split(j, j0, j1, 4)",
            "split(i, b, t, 4)",
            "parallelize(b, GPUBlock, NoRaces)",
            "parallelize(t, GPUThread, NoRaces)",
        ),
        expression="C(i,j) = A(i,k) * B(k,j)",
        formats={"A": "csr", "B": "csr", "C": "csr"},
        target="interpreter",
    ),
)
