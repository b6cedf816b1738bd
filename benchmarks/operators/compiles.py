"""From the expression to C, for operands in parts; no C compiler runs."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from benchmarks.codegen import PARTS
from benchmarks.operators.racing import SPMM, Result
from heddle.pipeline import lower
from heddle.plan import plan_from_arguments

LEAST, MOST = 5, 100


def compiles(seconds: float) -> Iterator[Result]:
    """Milliseconds of the processor's time for each format of A; the formats take turns."""
    plans = {format: plan_from_arguments(SPMM, {"A": format}, ()) for format in PARTS}
    samples: dict[str, list[float]] = {format: [] for format in PARTS}
    end, rounds = time.perf_counter() + len(plans) * seconds, 0
    while rounds < LEAST or (rounds < MOST and time.perf_counter() < end):
        for format, plan in plans.items():
            start = time.process_time()
            lower(plan).raise_errors()
            samples[format].append(1e3 * (time.process_time() - start))
        rounds += 1
    for format, found in samples.items():
        middle, late = (float(np.percentile(found, share)) for share in (50, 95))
        yield {"case": f"SpMM, {format}", "rounds": rounds, "median_ms": middle, "p95_ms": late, "least_ms": min(found)}
