"""Operators of sparse networks beside dense BLAS, PyG and separate kernels, one command:

python -m benchmarks.operators [--only weights,relations,launches,choices] [--seconds 4] [--json FILE]

Every contender is verified first; those of one case take turns, call by call, on one thread, and the processor's time
is compared, so that the load of the machine meets all of them alike; of launches it is the least time that passed.
PyTorch and PyG take part where they can be imported.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")

import numpy as np

import compiler as hd
from backend.experiments.choice import input_of
from backend.experiments.families import FAMILIES
from backend.experiments.neural import RELATIONAL
from backend.worker.generators import generate
from backend.worker.machine import machine_facts
from backend.worker.statistics import median, ratio_of
from benchmarks.relations import EXPRESSION as RELATIONAL_EXPRESSION
from benchmarks.relations import Relational, by_pyg, by_relation
from compiler.plan import plan_from_arguments
from compiler.runtime.devices import opencl_devices
from compiler.runtime.tensors.coordinates import Entries, sort_and_sum
from compiler.tuning.search.format_offers import suggest_formats

SPMM, SPMV = "C(i,k) = A(i,j) * B(j,k)", "y(i) = A(i,j) * x(j)"
TOKENS = 512
WEIGHTS = ((768, 768), (3072, 768), (768, 3072))
BLOCKED, SCATTERED = (0.2, 0.125, 0.05), (0.05, 0.02)
GRAPHS = {"AIFB": (7_262, 48_810, 78), "MUTAG": (27_163, 148_100, 46), "BGS": (94_806, 672_884, 96)}
LEAST_ROUNDS, MOST_ROUNDS = 3, 400
PARTS = (1, 2, 4, 8, 12, 14)
"""A format may have 16; of ranges of rows 14 fit its text."""
ROWS = 64
"""Of the matrix in so many parts: short numbers, so that the text of 14 parts is short enough."""

Contender = tuple[Callable[[], object], Callable[[], Any]]
"""A call, and what it computed."""
Result = dict[str, Any]


def race(
    contenders: Mapping[str, Contender], expected: Any, seconds: float, clock: Callable[[], int] = time.process_time_ns
) -> Result:
    """Nanoseconds of every call by name, at least three and for at most so many ``seconds``. AssertionError where one
    computes something else. The processor's time is taken, which other programs hardly change."""
    for name, (call, result) in contenders.items():
        call()
        np.testing.assert_allclose(result(), expected, rtol=2e-3, atol=2e-3, err_msg=name)
    samples: dict[str, list[float]] = {name: [] for name in contenders}
    rng, end, rounds, names = np.random.default_rng(0), time.perf_counter() + seconds, 0, list(contenders)
    while rounds < LEAST_ROUNDS or (rounds < MOST_ROUNDS and time.perf_counter() < end):
        for place in rng.permutation(len(names)):
            start = clock()
            contenders[names[place]][0]()
            samples[names[place]].append(float(clock() - start))
        rounds += 1
    return {"rounds": rounds, "samples": {name: np.array(one) for name, one in samples.items()}}


def summed_up(name: str, raced: Result, ours: str, theirs: tuple[str, ...]) -> Result:
    """``ours`` is a prefix: of several contenders the fastest counts, and so of ``theirs``."""
    samples = raced["samples"]
    middles = {contender: median(one) for contender, one in samples.items()}
    best = min((one for one in samples if one.startswith(ours)), key=lambda one: middles[one].value)
    against = min((one for one in samples if one.startswith(theirs)), key=lambda one: middles[one].value)
    ratio = ratio_of(samples[against], samples[best])
    return {
        "case": name,
        "rounds": raced["rounds"],
        "ours": best,
        "theirs": against,
        "ratio": ratio,
        "contenders": {
            contender: {"median_ns": one.value, "low_ns": one.low, "high_ns": one.high}
            for contender, one in middles.items()
        },
    }


def automatic(expression: str, format: str, packed: Any, others: Mapping[str, Any]) -> Contender:
    """Our kernel with the schedule that the rules choose for these operands."""
    dtypes = dict.fromkeys(("A", *others), packed.dtype)
    kernel: Any = hd.compile(expression, {"A": format}, dtypes=dtypes, options={"schedule": "auto"})
    call = kernel.bind(A=packed, **others)
    return call.run, lambda: call.output.to_numpy()


def made(given: Mapping[str, Any], shape: tuple[int, ...], dtype: str) -> Entries:
    found = generate("A", given, shape, dtype)
    assert isinstance(found, Entries)
    return sort_and_sum(found, tuple(range(len(shape))))


def packed(entries: Entries, format: str) -> Any:
    return hd.pack((entries.columns, entries.values, entries.shape), format, dtype=entries.dtype.name)


def weights(seconds: float) -> Iterator[Result]:
    """Pruned weights times inputs, beside the dense product of NumPy's and PyTorch's BLAS."""
    for rows, columns in WEIGHTS:
        inputs = (1 - np.random.default_rng(2).random((columns, TOKENS))).astype(np.float32)
        cases = [
            *((f"blocks of {size}", {"generator": "pruned-blocks", "size": size}, BLOCKED, size) for size in (16, 32)),
            ("unstructured", {"generator": "pruned"}, SCATTERED, 0),
        ]
        for title, given, densities, size in cases:
            for density in densities:
                entries = made({**given, "density": density, "seed": 1}, (rows, columns), "float32")
                dense = np.zeros((rows, columns), dtype=np.float32)
                dense[entries.columns] = entries.values
                formats = ("csr", "bcsr(4)", "bcsr(4,4)", f"bcsr({size},{size})") if size else ("csr",)
                contenders = {
                    f"heddle {format}": automatic(SPMM, format, packed(entries, format), {"B": inputs})
                    for format in formats
                }
                contenders.update(dense_products(dense, inputs))
                raced = race(contenders, dense.astype(float) @ inputs, seconds)
                yield summed_up(f"{rows} × {columns}, {title}, density {density}", raced, "heddle", ("blas",))


def dense_products(dense: Any, inputs: Any) -> dict[str, Contender]:
    result = np.empty((dense.shape[0], inputs.shape[1]), dtype=np.float32)
    found: dict[str, Contender] = {"blas of numpy": (lambda: np.matmul(dense, inputs, out=result), lambda: result)}
    try:
        import torch  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return found
    torch.set_num_threads(1)
    a, b = torch.from_numpy(dense), torch.from_numpy(inputs)
    c = torch.empty((dense.shape[0], inputs.shape[1]))
    return {**found, "blas of torch": (lambda: torch.mm(a, b, out=c), lambda: c.numpy())}


def relations(seconds: float) -> Iterator[Result]:
    """A relational layer in one kernel, beside PyG's layers, and beside a kernel of ours for each relation."""
    for name, (vertices, edges, count) in GRAPHS.items():
        given = {"generator": "relations", "nnz": edges, "weighted": 0, "seed": 1}
        entries = made(given, (count, vertices, vertices), "float32")
        for features in (16, 32):
            rng = np.random.default_rng(3)
            x = rng.random((vertices, features)).astype(np.float32)
            w = rng.random((count, features, features)).astype(np.float32)
            layer = Relational(entries, x, w)
            contenders: dict[str, Contender] = {
                **{f"heddle, {series}": in_one_kernel(layer, series) for series in RELATIONAL},
                "by relation": by_relation(layer),
                **by_pyg(layer),
            }
            raced = race(contenders, layer.expected(), seconds)
            for theirs in ("pyg", "by relation"):
                if any(one.startswith(theirs) for one in contenders):
                    yield summed_up(f"{name}, {features} features, {theirs}", raced, "heddle", (theirs,))


def in_one_kernel(layer: Relational, series: str) -> Contender:
    format, order, _ = RELATIONAL[series]
    features = layer.features.shape[1]
    kernel: Any = hd.compile(
        RELATIONAL_EXPRESSION,
        {"A": format},
        [
            f"bound(k, kb, {features}, MaxExact)",
            f"bound(l, lb, {features}, MaxExact)",
            order,
            "precompute(A(r,i,j) * X(j,k), kb, kw, w)",
            "parallelize(lb, CPUVector, NoRaces)",
        ],
        dtypes=dict.fromkeys("AXW", "float32"),
    )
    call = kernel.bind(A=packed(layer.edges, format), X=layer.features, W=layer.weights)
    return call.run, lambda: call.output.to_numpy()


def launches(seconds: float) -> Iterator[Result]:
    """Small parts on an OpenCL device: a launch for each, and one for all."""
    devices = opencl_devices.devices()
    if not devices:
        print("launches: no OpenCL device", file=sys.stderr)
        return
    entries = made({"generator": "uniform", "nnz": 4 * ROWS, "seed": 1}, (ROWS, ROWS), "float32")
    x = np.random.default_rng(4).random(ROWS).astype(np.float32)
    dense = np.zeros((ROWS, ROWS))
    dense[entries.columns] = entries.values
    contenders = {
        f"{kind} {count}": on_device(count, kind, entries, x) for count in PARTS for kind in ("separate", "fused")
    }
    raced = race(contenders, dense @ x, len(contenders) * seconds, time.perf_counter_ns)
    middles = {name: float(one.min()) for name, one in raced["samples"].items()}
    slopes = {
        kind: float(np.polyfit(PARTS, [middles[f"{kind} {count}"] for count in PARTS], 1)[0])
        for kind in ("separate", "fused")
    }
    removed = 1 - slopes["fused"] / slopes["separate"]
    device = {"platform": devices[0].platform, "name": devices[0].name}
    yield {"case": "launches", "removed": removed, "slopes_ns": slopes, "least_ns": middles, "device": device}


def in_parts(count: int) -> str:
    """Lists of rows in so many parts, by equal ranges of rows: those of csr would visit the rows of all others."""
    return "+".join([*(f"dcsr where row<{ROWS * (part + 1) // count}" for part in range(count - 1)), "dcsr"])


def on_device(count: int, kind: str, entries: Entries, x: Any) -> Contender:
    each = "A[*]: " if count > 1 else ""
    loops = [f"{each}pos(i, p, A)", f"{each}split(p, b, t, 16)", f"{each}parallelize(t, GPUThread, NoRaces)"]
    if kind == "fused" and count > 1:
        blocks = ["concat(grid, A[*])", "parallelize(grid, GPUBlock, NoRaces)"]
    else:
        blocks = [f"{each}parallelize(b, GPUBlock, NoRaces)"]
    format = in_parts(count)
    kernel: Any = hd.compile(
        SPMV, {"A": format}, [*loops, *blocks], target="opencl", dtypes=dict.fromkeys("Ax", "float32")
    )
    call = kernel.bind(A=packed(entries, format), x=x)
    return call.run, lambda: call.output.to_numpy()


def choices(seconds: float) -> Iterator[Result]:
    """The format that the rules offer beside csr, both with the schedule that the rules choose."""
    side = 4096
    for family in FAMILIES:
        for expression, other, shape in ((SPMV, "x", (side,)), (SPMM, "B", (side, 128))):
            entries = made_family(family, side)
            asked = plan_from_arguments(
                expression, {"A": "csr"}, dtypes=dict.fromkeys(("A", other), "float32"), shapes={other: shape}
            )
            offers = suggest_formats(asked, {"A": entries})
            name = f"{family}, {'SpMV' if expression == SPMV else 'SpMM, 128 columns'}"
            if not offers:
                yield {"case": name, "ours": "csr", "theirs": "csr", "ratio": None, "contenders": {}}
                continue
            others = {other: np.random.default_rng(5).random(shape).astype(np.float32)}
            contenders = {
                f"{'offered' if format != 'csr' else 'plain'} {format}": automatic(
                    expression, format, packed(entries, format), others
                )
                for format in (offers[0].format, "csr")
            }
            dense = np.zeros((side, side))
            dense[entries.columns] = entries.values
            yield summed_up(name, race(contenders, dense @ others[other], seconds), "offered", ("plain",))


def made_family(family: str, side: int) -> Entries:
    found = generate("A", input_of(family), (side, side), "float32")
    if not isinstance(found, Entries):
        columns = np.nonzero(np.ones_like(found))
        found = Entries(found.shape, columns, found[columns])
    return sort_and_sum(found, (0, 1))


SECTIONS = {"weights": weights, "relations": relations, "launches": launches, "choices": choices}


def line(found: Result) -> str:
    if "removed" in found:
        slopes = ", ".join(f"{kind} {slope / 1e3:.1f}" for kind, slope in found["slopes_ns"].items())
        return f"{found['case']:48s} {found['removed']:7.1%} of the slope gone; µs a part: {slopes}"
    if found["ratio"] is None:
        return f"{found['case']:48s}       –  csr stays"
    ratio = found["ratio"]
    return (
        f"{found['case']:48s} {ratio['value']:7.2f}  ({ratio['low']:.2f} to {ratio['high']:.2f})  "
        f"{found['ours']} × {found['theirs']}"
    )


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(SECTIONS), help="sections, separated by commas (default: all)")
    parser.add_argument("--seconds", type=float, default=4.0, help="at most so long a case (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers here")
    chosen = parser.parse_args()
    results: dict[str, list[Result]] = {}
    for name in chosen.only.split(","):
        results[name] = []
        for found in SECTIONS[name](chosen.seconds):
            results[name].append(found)
            print(line(found), flush=True)
    if chosen.json is not None:
        document = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": machine_facts(),
            "threads": 1,
            "dtype": "float32",
            "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
            "results": results,
        }
        chosen.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
