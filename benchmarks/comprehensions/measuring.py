"""Contenders of a case: verified, then timed in interleaved rounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

import heddle as hd
from benchmarks.comprehensions.case import Arrays, Case, operands_of
from benchmarks.comprehensions.cases import CASES
from heddle.explorer.views.schedule_tree import schedule_tree_view
from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec
from heddle.runtime.packing.pack import pack_operands
from heddle.tuning.facts.machine import this_machine
from heddle.tuning.facts.statistics import statistics_of
from heddle.tuning.genes.of_program import space_of
from heddle.tuning.mapping.commands import map_options
from heddle.tuning.mapping.options import read_options
from heddle.tuning.search.suggest import suggest

ROUNDS, LEAST = 30, 3
SLOW = 2.0
"""Seconds of a call from which a contender is measured in the first rounds alone, which is said."""

PRESETS = ("naive", "mlp")
THREADS = 2

Call = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Contender:
    """``first`` are the seconds of the call that was verified."""

    call: Call
    first: float

    @property
    def slow(self) -> bool:
        return self.first > SLOW


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
        found[preset] = map_options(plan, read_options(f'MappingOptions("{preset}")')).commands
    space = space_of(plan)
    found["guess"] = space.plan(space.starts[0]).schedule
    found |= {"by hand": case.hand} if case.hand else {}
    return {name: schedule for name, schedule in found.items() if name not in case.left_out}


def _of_pruned(case: Case, operands: Arrays) -> tuple[str, ...]:
    """What the rules choose where the zeros are not stored."""
    plan = plan_of(case, operands)
    spec = replace(plan.tensors[case.pruned], format="csr")
    known = {case.pruned: statistics_of(hd.pack(operands[case.pruned], "csr"))}
    return suggest(replace(plan, tensors={**plan.tensors, case.pruned: spec}), known, this_machine(None)).schedule


def measure(case: Case, seconds: float, shrunk: int = 1) -> dict[str, Any]:
    """The medians of all contenders and what they say; ``seconds`` bound the rounds, of which there are at least
    ``LEAST``. Raises AssertionError for a wrong result."""
    begun = time.monotonic()
    operands = operands_of(case, shrunk)
    wide = operands if case.rows else {name: value.astype("float64") for name, value in operands.items()}
    expected = _results(case.numpy(wide))
    contenders: dict[str, Contender] = {}
    for name, schedule in schedules_of(case, operands).items():
        contenders[f"heddle, {name}"] = _verified(case, operands, "; ".join(schedule), {}, expected)
    if case.pruned:
        chosen = "; ".join(_of_pruned(case, operands))
        contenders["heddle, csr"] = _verified(case, operands, chosen, {case.pruned: "csr"}, expected)
    contenders["numpy"] = _called(lambda: case.numpy(operands))[0]
    contenders |= _torch(case, operands, expected)
    samples = interleaved(contenders, seconds)
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
        "samples": {name: len(own) for name, own in samples.items()},
        "slow": [name for name, one in contenders.items() if one.slow],
        "left_out": dict(case.left_out),
        "best": best,
        **facts,
        "wanted": case.target,
        "paper": case.paper,
        "took": round(time.monotonic() - begun, 1),
    }


def _torch(case: Case, operands: Arrays, expected: list[NDArray[Any]]) -> dict[str, Contender]:
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

    contender, made = _called(call)
    for own, right in zip(_results(made), expected, strict=True):
        _close(own.numpy(), right)
    return {"torch": contender}


def _called(call: Call) -> tuple[Contender, Any]:
    """The contender with its first call, and what that gave."""
    start = time.perf_counter()
    made = call()
    return Contender(call, time.perf_counter() - start), made


def _results(made: Any) -> list[Any]:
    return list(made) if isinstance(made, tuple) else [made]


def _close(own: NDArray[Any], right: NDArray[Any]) -> None:
    np.testing.assert_allclose(own, right, rtol=1e-2, atol=1e-3 * float(np.abs(right).max()))


def _verified(
    case: Case, operands: Arrays, schedule: str, formats: dict[str, str], expected: list[NDArray[Any]]
) -> Contender:
    kernel = hd.compile(case.text, language="comprehension", schedule=schedule, formats=formats)
    bound = kernel.bind(**pack_operands(operands, kernel.signature))
    contender, _ = _called(bound.run)
    for own, right in zip((*bound.shown.values(), bound.output), expected, strict=True):
        _close(own.to_numpy(), right)
    return contender


def interleaved(contenders: Mapping[str, Contender], seconds: float) -> dict[str, list[float]]:
    """Seconds of each call, all contenders in a new order in every round. What is slow is in the first rounds alone; of
    all others a round before them is not counted."""
    samples: dict[str, list[float]] = {name: [] for name in contenders}
    random = np.random.default_rng(1)
    end = time.monotonic() + seconds
    for number in range(ROUNDS + 1):
        if number > LEAST and time.monotonic() > end:
            break
        order = [name for name, one in contenders.items() if not one.slow or 0 < number <= LEAST]
        random.shuffle(order)
        for name in order:
            start = time.perf_counter()
            contenders[name].call()
            if number:
                samples[name].append(time.perf_counter() - start)
    return samples


def compile_times(cases: tuple[Case, ...] = CASES) -> dict[str, dict[str, float]]:
    """Milliseconds from text to C, and with dependences and the schedule tree: medians of five, of every case."""
    found: dict[str, dict[str, float]] = {}
    for case in cases:
        code, tree = list[float](), list[float]()
        for _ in range(5):
            start = time.perf_counter()
            result = lower(Plan(case.text, language="comprehension"))
            result.raise_errors()
            code.append(1e3 * (time.perf_counter() - start))
            schedule_tree_view(result, result.graphs[-1])
            tree.append(1e3 * (time.perf_counter() - start))
        found[case.name] = {"c": median(code), "with_tree": median(tree)}
    return found
