"""Measures a point of a study: every schedule verified against SciPy, then timed in rounds of random order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter_ns
from typing import Any

import numpy as np
import scipy.sparse

import heddle as hd
from benchmarks.device import device_clock
from heddle.diagnostics import CompileError, InternalError
from heddle.measuring.inputs.synthetic.generators import generate
from heddle.measuring.statistics import median
from heddle.plan import parse_plan
from heddle.runtime.kernels.bound_call import BoundCall
from heddle_server.studies.study import Point, Schedules

WARM_UP = 3
TOLERANCE = 1e-9
"""Relative, for sums of float64 in any order."""


def measured(point: Point, schedules: Schedules, target: str, rounds: int) -> dict[str, Any]:
    """The point's facts, and for each schedule its Plan, its times, and the blocks that it launches."""
    matrix, x = operands(point, target)
    expected = matrix @ x
    calls: dict[str, BoundCall] = {}
    refused: dict[str, str] = {}
    packed = hd.pack(matrix, "csr")
    for name, schedule in schedules.items():
        try:
            calls[name] = hd.compile(parse_plan(point.plan(target, schedule))).bind(A=packed, x=x)
        except CompileError as error:
            refused[name] = str(error)
            continue
        calls[name].run()
        if not np.allclose(calls[name].output.to_numpy(), expected, rtol=TOLERANCE, atol=TOLERANCE):
            raise InternalError(f"{name} gives a wrong result for {point.value:g}")
    ahead = device_clock.busy(target)
    samples = timed({name: clock(call, ahead) for name, call in calls.items()}, rounds)
    lengths = np.diff(matrix.indptr)
    return {
        "value": point.value,
        "rows": matrix.shape[0],
        "columns": matrix.shape[1],
        "nonzeros": int(matrix.nnz),
        "longest_row": int(lengths.max(initial=0)),
        "schedules": {
            name: {**summary(samples[name]), "blocks": blocks(call), "plan": point.plan(target, schedules[name])}
            for name, call in calls.items()
        },
        "refused": refused,
    }


def operands(point: Point, target: str) -> tuple[Any, np.ndarray]:
    """The matrix as SciPy's CSR, and the vector."""
    plan = point.plan(target, ())
    entries: Any = generate("A", plan["inputs"]["A"], point.shape, "float64")
    rows, columns = entries.columns
    matrix = scipy.sparse.csr_array((entries.values, (rows, columns)), shape=point.shape)
    x = generate("x", plan["inputs"]["x"], point.shape[1:], "float64")
    assert isinstance(x, np.ndarray)
    return matrix, x


def clock(call: BoundCall, ahead: Callable[[], None]) -> Callable[[], float]:
    """Runs the call; returns nanoseconds: those that the device itself spent, by its events, where there is one."""
    if call.device is not None:
        seconds = device_clock.of_call(call, ahead)
        return lambda: seconds() * 1e9

    def on_host() -> float:
        start = perf_counter_ns()
        call.compute()
        return float(perf_counter_ns() - start)

    return on_host


def timed(clocks: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, np.ndarray]:
    """Nanoseconds of each call in each round, in which all are called once in random order."""
    names, rng = list(clocks), np.random.default_rng(0)
    for name in names:
        for _ in range(WARM_UP):
            clocks[name]()
    samples: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(rounds):
        for place in rng.permutation(len(names)):
            samples[names[place]].append(clocks[names[place]]())
    return {name: np.array(found) for name, found in samples.items()}


def summary(samples: np.ndarray) -> dict[str, Any]:
    """The median with its 95 % interval, and the samples themselves, in nanoseconds."""
    middle = median(samples)
    rounded = [round(float(sample)) for sample in samples]
    return {"median_ns": middle.value, "low_ns": middle.low, "high_ns": middle.high, "samples_ns": rounded}


def blocks(call: BoundCall) -> list[int]:
    """The groups of each launch; none on a CPU's threads."""
    return [] if call.device is None else [one.groups for one in call.device.started]
