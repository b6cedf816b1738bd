"""Contenders of a case: verified, then timed in interleaved rounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from importlib import import_module
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

import compiler as hd
from benchmarks.comprehensions.cases import CASES, Arrays, Case, operands_of
from compiler.pipeline import lower
from compiler.plan import Plan, TensorSpec
from compiler.tuning.facts.machine import this_machine
from compiler.tuning.genes.of_program import space_of
from compiler.tuning.mapping.commands import mapped
from compiler.tuning.mapping.options import read_options
from compiler.tuning.search.suggest import suggest

ROUNDS, LEAST = 30, 5
PRESETS = ("naive", "mlp")
THREADS = 2

Call = Callable[[], Any]


def plan_of(case: Case, operands: Arrays) -> Plan:
    tensors = {name: TensorSpec(shape=value.shape) for name, value in operands.items()}
    return Plan(case.text, tensors, language="comprehension")


def schedules_of(case: Case, operands: Arrays) -> dict[str, tuple[str, ...]]:
    """A kernel takes part as its loops come, with the rules' schedule, with presets of mapping options, with what a
    search would begin with and with what a person wrote."""
    plan = plan_of(case, operands)
    found: dict[str, tuple[str, ...]] = {"loops": ()}
    found["rules"] = suggest(plan, {}, this_machine(None)).schedule
    for preset in PRESETS:
        found[preset] = mapped(plan, read_options(f'MappingOptions("{preset}")')).commands
    space = space_of(plan)
    found["guess"] = space.plan(space.given[0]).schedule
    return found | ({"by hand": case.hand} if case.hand else {})


def measure(case: Case, seconds: float, shrunk: int = 1) -> dict[str, Any]:
    """The medians of all contenders and what they say. Raises AssertionError for a wrong result."""
    operands = operands_of(case, shrunk)
    wide = operands if case.rows else {name: value.astype("float64") for name, value in operands.items()}
    expected = _results(case.numpy(wide))
    calls: dict[str, Call] = {}
    for name, schedule in schedules_of(case, operands).items():
        calls[f"heddle, {name}"] = _verified(case, operands, "; ".join(schedule), {}, expected)
    if case.pruned:
        calls["heddle, csr"] = _verified(case, operands, "", {case.pruned: "csr"}, expected)
    calls["numpy"] = lambda: case.numpy(operands)
    calls |= _torch(case, operands, expected)
    samples = _interleaved(calls, seconds)
    medians = {name: median(own) for name, own in samples.items()}
    ours = {name: value for name, value in medians.items() if name.startswith("heddle")}
    others = {name: value for name, value in medians.items() if name not in ours}
    best = min(ours, key=lambda name: ours[name])
    dense = {name: value for name, value in ours.items() if name != "heddle, csr"}
    facts = {"rules_over_best": medians["heddle, rules"] / min(dense.values())}
    facts |= {f"over_{name}": value / ours[best] for name, value in others.items()}
    facts["over_fastest_library"] = min(others.values()) / ours[best]
    if case.pruned:
        facts["sparse_over_dense"] = min(dense.values()) / ours["heddle, csr"]
    return {
        "name": case.name,
        "seconds": medians,
        "samples": min(len(own) for own in samples.values()),
        "best": best,
        **facts,
        "wanted": case.target,
        "paper": case.paper,
    }


def _torch(case: Case, operands: Arrays, expected: list[NDArray[Any]]) -> dict[str, Call]:
    """PyTorch as people call it, where it is installed."""
    try:
        torch: Any = import_module("torch")
    except ImportError:
        return {}
    torch.set_num_threads(THREADS)
    given = {name: torch.from_numpy(value) for name, value in operands.items()}

    def call() -> Any:
        with torch.inference_mode():
            return case.torch(torch, given)

    for own, right in zip(_results(call()), expected, strict=True):
        _close(own.numpy(), right)
    return {"torch": call}


def _results(made: Any) -> list[Any]:
    return list(made) if isinstance(made, tuple) else [made]


def _close(own: NDArray[Any], right: NDArray[Any]) -> None:
    np.testing.assert_allclose(own, right, rtol=1e-2, atol=1e-3 * float(np.abs(right).max()))


def _verified(
    case: Case, operands: Arrays, schedule: str, formats: dict[str, str], expected: list[NDArray[Any]]
) -> Call:
    kernel = hd.compile(case.text, language="comprehension", schedule=schedule, formats=formats)
    made = kernel(**operands)
    found = list(made.values()) if len(expected) > 1 else [made]
    for own, right in zip(found, expected, strict=True):
        _close(own.to_numpy(), right)
    return kernel.bind(**operands).run


def _interleaved(calls: Mapping[str, Call], seconds: float) -> dict[str, list[float]]:
    """Seconds of each call, all of them in a new order in every round; the first round is not counted."""
    samples: dict[str, list[float]] = {name: [] for name in calls}
    order, random = list(calls), np.random.default_rng(1)
    end = time.monotonic() + seconds
    for number in range(ROUNDS + 1):
        if number > LEAST and time.monotonic() > end:
            break
        random.shuffle(order)
        for name in order:
            start = time.perf_counter()
            calls[name]()
            if number:
                samples[name].append(time.perf_counter() - start)
    return samples


def compile_times(cases: tuple[Case, ...] = CASES) -> dict[str, float]:
    """Milliseconds from text to C, the median of five, of every case."""
    found: dict[str, float] = {}
    for case in cases:
        own = []
        for _ in range(5):
            start = time.perf_counter()
            lower(Plan(case.text, language="comprehension")).raise_errors()
            own.append(1e3 * (time.perf_counter() - start))
        found[case.name] = median(own)
    return found
