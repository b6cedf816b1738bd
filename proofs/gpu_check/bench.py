"""Kernels of the benchmark beside cuSPARSE, by the rules' schedules and by some of the sweep's."""

import json
import os
import sys
import time
import traceback

import scratch
from scratch import SCRATCH, SMALL, end_of_step

until = end_of_step(150, 6)
report = {"rows": [], "errors": [], "complete": False}


def save():
    scratch.save("bench", report)


save()
try:
    import numpy as np
    import scipy.sparse as sp
    from bench_kernels import few, kernels

    import heddle as hd
    from benchmarks.device import device_clock
    from benchmarks.device.gpu_measuring import agree
    from heddle.measuring.baselines import cusparse_library
    from heddle.measuring.baselines.cusparse_library import Refused
    from heddle.runtime.devices import cuda

    cupy = cuda.gpu()
except BaseException as error:
    report["errors"].append(f"start: {type(error).__name__}: {str(error)[:600]}")
    save()
    print(report["errors"][-1])
    sys.exit(2)
USUAL = "rmat uniform" if SMALL else "rmat uniform stencil-3d stencil-2d dense-row short-wide"
NAMES = os.environ.get("MATRICES", USUAL).split()
WARM, ROUNDS, WALLS = (0, 1, 1) if SMALL else (3, 12, 5)
ahead = (lambda: None) if SMALL else device_clock.busy("cuda")


def samples(call):
    for _ in range(WARM):
        call()
    timing = sorted(call() * 1e3 for _ in range(ROUNDS))
    return {"ms": float(np.median(timing)), "min": timing[0], "max": timing[-1]}


def copy_gbps():
    n = 1 << (10 if SMALL else 27)
    a, b = cupy.ones(n, "float64"), cupy.empty(n, "float64")
    return 2 * 8 * n / samples(device_clock.between_events(cupy, lambda: cupy.copyto(b, a), ahead))["ms"] / 1e6


try:
    report["copy_gbps"] = copy_gbps()
except BaseException as error:
    report["errors"].append(f"copy: {type(error).__name__}: {str(error)[:300]}")


def matrix(name):
    path = SCRATCH / "data" / f"{name}.npz"
    while not path.exists() and time.time() < until:
        time.sleep(0.1)
    z = np.load(path)
    return sp.csr_array((z["data"], z["indices"], z["indptr"]), shape=tuple(int(n) for n in z["shape"]))


def expected_of(name, kind):
    path = SCRATCH / "data" / f"{name}.{kind}.npy"
    while not path.exists() and time.time() < until:
        time.sleep(0.1)
    return np.load(path)


def ours(kernel, made, there, expected):
    began = time.perf_counter()
    call = made.bind(**there)
    call.output.vals.fill(np.nan)
    call.run()
    first = time.perf_counter() - began
    if not agree(cupy, call.output.vals, expected):
        return None
    timing = samples(device_clock.of_call(call, ahead))
    timing["first_call_ms"] = first * 1e3
    of_graph = device_clock.of_graph(cupy, call, ahead)
    timing["graph_ms"] = None if of_graph is None else samples(of_graph)["ms"]
    walls = []
    for _ in range(WALLS):
        t = time.perf_counter()
        call.run()
        walls.append(time.perf_counter() - t)
    timing["wall_ms"] = float(np.median(walls)) * 1e3
    launches = call.device.launched()
    timing["launches"] = [
        [launch.kernel, launch.blocks, launch.threads, launch.registers, launch.occupancy, launch.index_bits]
        for launch in launches
    ]
    return timing


def theirs(row, kernel, there, expected):
    problem = cusparse_library.missing()
    if kernel.opponents is None or problem is not None:
        row["refused"]["cuSPARSE"] = problem or "it has no such kernel"
        return
    for opponent in kernel.opponents(cupy, there):
        if isinstance(opponent, Refused):
            row["refused"][f"cuSPARSE {opponent.algorithm}"] = opponent.reason
            continue
        opponent.result().fill(np.nan)
        opponent.run()
        if not agree(cupy, opponent.result(), expected):
            row["wrong"].append(f"cuSPARSE {opponent.algorithm}")
            continue
        timed = samples(device_clock.between_events(cupy, opponent.run, ahead))
        row["cusparse"][opponent.algorithm] = {**timed, "preparation_ms": opponent.preparation_ms}


def one(name, kind):
    a = matrix(name)
    (kernel,) = kernels(kind, a)
    kernel = few(kind, kernel)
    expected = cupy.asarray(expected_of(name, kind))
    there = {n: t.on_gpu() for n, t in kernel.operands().items()}
    nbytes = sum(t.nbytes for t in there.values()) + expected.nbytes
    row = {
        "matrix": name,
        "kernel": kernel.name,
        "rows": a.shape[0],
        "columns": a.shape[1],
        "nonzeros": int(a.nnz),
        "bytes": int(nbytes),
        "ours": {},
        "cusparse": {},
        "refused": {},
        "wrong": [],
    }
    tried = {
        "RULES": lambda: hd.compile(kernel.expression, dict(kernel.formats), "", "cuda"),
        "AUTO": lambda: hd.compile(kernel.expression, dict(kernel.formats), "", "cuda", options={"schedule": "auto"}),
    }
    tried |= {
        n: (lambda s=s: hd.compile(kernel.expression, dict(kernel.formats), s, "cuda"))
        for n, s in kernel.schedules.items()
    }
    for n, make in tried.items():
        if time.time() > until:
            row["refused"][n] = "no time left"
            continue
        try:
            t = time.perf_counter()
            made = make()
            compiled = time.perf_counter() - t
            timing = ours(kernel, made, there, expected)
            if timing is None:
                row["wrong"].append(n)
            else:
                row["ours"][n] = {**timing, "compile_ms": compiled * 1e3}
                if n == "AUTO":
                    row["ours"][n]["rule"] = getattr(getattr(made, "suggestion", None), "rule", None)
        except BaseException as error:
            row["refused"][n] = f"{type(error).__name__}: {str(error)[:300]}"
    try:
        theirs(row, kernel, there, expected)
    except BaseException as error:
        row["refused"]["cuSPARSE"] = f"{type(error).__name__}: {str(error)[:300]}"
    if row["ours"]:
        best = min(row["ours"], key=lambda n: row["ours"][n]["ms"])
        row["best"], row["best_ms"] = best, row["ours"][best]["ms"]
        row["gbps"] = nbytes / row["best_ms"] / 1e6
        if row["cusparse"]:
            other = min(row["cusparse"], key=lambda n: row["cusparse"][n]["ms"])
            row["opponent"], row["opponent_ms"] = other, row["cusparse"][other]["ms"]
            row["ratio_best"] = row["opponent_ms"] / row["best_ms"]
            for n in ("RULES", "AUTO"):
                if n in row["ours"]:
                    row[f"ratio_{n.lower()}"] = row["opponent_ms"] / row["ours"][n]["ms"]
    return row


def text(row):
    own = f"{row['best_ms']:8.3f} ms {row['gbps']:6.0f} GB/s ({row['best']})" if "best" in row else "nothing of ours"
    rules = "".join(f"  {n} {row['ours'][n]['ms']:.3f}" for n in ("RULES", "AUTO") if n in row["ours"])
    other = (
        f"  cuSPARSE {row['opponent_ms']:.3f} ms ({row['opponent']}), ratio {row['ratio_best']:.2f}"
        if "opponent" in row
        else ""
    )
    wrong = f"  WRONG: {', '.join(row['wrong'])}" if row["wrong"] else ""
    return f"{row['matrix']:11} {row['kernel']:14} {own}{rules}{other}{wrong}"


for kind in os.environ.get("KERNELS", "spmv spmm32 spgemm sddmm mttkrp-coo spmm128 mttkrp-csf").split():
    for name in NAMES:
        if time.time() > until:
            report["errors"].append(f"{kind} {name}: no time left")
            continue
        try:
            row = one(name, kind)
            report["rows"].append(row)
            print(text(row), flush=True)
        except BaseException as error:
            report["errors"].append(f"{kind} {name}: {type(error).__name__}: {str(error)[:300]}")
            print(report["errors"][-1], flush=True)
            traceback.print_exc(limit=-3)
            if "IllegalAddress" in str(error) or "illegal" in str(error):
                save()
                sys.exit(3)
        cupy.get_default_memory_pool().free_all_blocks()
        save()
means = {}
for kernel in dict.fromkeys(r["kernel"] for r in report["rows"]):
    for which in ("ratio_best", "ratio_rules", "ratio_auto"):
        timing = [r[which] for r in report["rows"] if r["kernel"] == kernel and which in r]
        if timing:
            means.setdefault(kernel, {})[which] = float(np.exp(np.mean(np.log(timing))))
            means[kernel]["matrices"] = len(timing)
report["means"], report["complete"] = means, True
save()
print("geometric means, cuSPARSE's best over ours:", json.dumps(means))
sys.exit(1 if any(r["wrong"] for r in report["rows"]) else 0)
