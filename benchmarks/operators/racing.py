"""Contenders that take turns, call by call, and what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import heddle as hd
from heddle.measuring.inputs.synthetic.generators import generate
from heddle.measuring.statistics import median, ratio_of
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum

SPMM, SPMV = "C(i,k) = A(i,j) * B(j,k)", "y(i) = A(i,j) * x(j)"
LEAST_ROUNDS, MOST_ROUNDS = 3, 400

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
