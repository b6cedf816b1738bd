"""``python -m backend.experiments skew roofline``: measures every point in rounds and stores the curves that come with
Heddle. Each point keeps its fastest round by the median: what else a machine does only ever adds time."""

from __future__ import annotations

import argparse
import os
import sys
from typing import cast

from backend.experiments.experiment import Experiment, is_decomposition, ours
from backend.experiments.registry import experiments
from backend.experiments.stored import store
from backend.run_plan import execute
from backend.schema.run import RunResult
from backend.settings import Settings
from compiler.plan import parse_plan


def main() -> int:
    every = experiments(gpu=False)
    known = {name: one for name, one in every.items() if not any(map(is_decomposition, one.view["points"]))}
    parser = argparse.ArgumentParser(prog="python -m backend.experiments", description=__doc__)
    parser.add_argument("experiment", nargs="+", choices=list(known))
    parser.add_argument("--rounds", type=int, default=3, help="over all points (default: %(default)s)")
    parser.add_argument("--busy", action="store_true", help="measures even where other programs keep the cores busy")
    chosen = parser.parse_args()
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > cores / 2 and not chosen.busy:
        print(
            f"The load is {load:.1f} on {cores} cores: wait until the machine is quiet, or say --busy.", file=sys.stderr
        )
        return 1
    for name in chosen.experiment:
        results = _measured(known[name], chosen.rounds)
        if results is None:
            return 1
        print(f"{store(known[name], results)}: {len(results)} points, load {os.getloadavg()[0]:.1f}")
    return 0


def _measured(experiment: Experiment, rounds: int) -> list[RunResult] | None:
    best: dict[int, RunResult] = {}
    for _ in range(rounds):
        for number, point in enumerate(experiment.view["points"]):
            outcome = execute(parse_plan(point["plan"]), Settings())
            if outcome.result is None:
                print(f"{point['series']}, {point['label']}: {outcome.detail}", file=sys.stderr)
                return None
            result = cast(RunResult, outcome.result)
            if number not in best or _median(result) < _median(best[number]):
                best[number] = result
    return [best[number] for number in sorted(best)]


def _median(result: RunResult) -> float:
    return ours(result)["median_ns"] or float("inf")


if __name__ == "__main__":
    raise SystemExit(main())
