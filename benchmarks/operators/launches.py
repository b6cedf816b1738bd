"""Small parts on an OpenCL device: a launch for each, and one for all."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import heddle as hd
from benchmarks.operators.racing import SPMV, Contender, Result, made, packed, race
from heddle.runtime.devices import opencl_devices
from heddle.runtime.tensors.coordinates import Entries

PARTS = (1, 2, 4, 8, 12, 14)
"""A format may have 16; of ranges of rows 14 fit its text."""
ROWS = 64
"""Of the matrix in so many parts: short numbers, so that the text of 14 parts is short enough."""


def launches(seconds: float) -> Iterator[Result]:
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
