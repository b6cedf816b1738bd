"""``python -m heddle_server.experiments skew roofline``: measures every point in rounds and stores the curves that come
with Heddle. Each point keeps its fastest round by the median: what else a machine does only ever adds time."""

from __future__ import annotations

import argparse
import os
import sys
from typing import cast

from heddle_server.command_line.run_plan import execute
from heddle_server.experiments.decompositions.documents import seconds_of
from heddle_server.experiments.experiment import Experiment, Result, is_decomposition, ours
from heddle_server.experiments.registry import experiments
from heddle_server.experiments.stored import store
from heddle_server.schema.decomposition import DecompositionResult
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.run import RunResult
from heddle_server.services.runs.documents import parse_document
from heddle_server.settings import Settings


def main() -> int:
    known = experiments(gpu=False)
    parser = argparse.ArgumentParser(prog="python -m heddle_server.experiments", description=__doc__)
    parser.add_argument("experiment", nargs="+", choices=list(known))
    parser.add_argument("--rounds", type=int, default=3, help="over all points (default: %(default)s)")
    parser.add_argument("--busy", action="store_true", help="measures even where other programs keep the cores busy")
    parser.add_argument("--brief", action="store_true", help="times each run for less long, as where others wait")
    chosen = parser.parse_args()
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > cores / 2 and not chosen.busy:
        print(
            f"The load is {load:.1f} on {cores} cores: wait until the machine is quiet, or say --busy.", file=sys.stderr
        )
        return 1
    for name in chosen.experiment:
        before = round(os.getloadavg()[0], 2)
        results = _measure(known[name], chosen.rounds, chosen.brief)
        if results is None:
            return 1
        loads = {"before": before, "after": round(os.getloadavg()[0], 2), "cores": cores}
        command = (
            f"python -m heddle_server.experiments {name} --rounds {chosen.rounds}{' --brief' if chosen.brief else ''}"
        )
        path = store(known[name], results, command=command, rounds=chosen.rounds, load=loads)
        print(f"{path}: {len(results)} points, load {loads['before']} to {loads['after']}", flush=True)
    return 0


def _measure(experiment: Experiment, rounds: int, brief: bool) -> list[Result] | None:
    best: dict[int, Result] = {}
    for _ in range(rounds):
        for number, point in enumerate(experiment.view["points"]):
            result = _run(point, brief)
            if result is None:
                return None
            if number not in best or _median(point, result) < _median(point, best[number]):
                best[number] = result
    return [best[number] for number in sorted(best)]


def _run(point: ExperimentPoint, brief: bool) -> Result | None:
    """One run of a plan or a decomposition in a child process, as the service has it; None where it has no result."""
    outcome = execute(parse_document(point["plan"]), Settings(), brief=brief)
    if outcome.result is None:
        print(f"{point['series']}, {point['label']}: {outcome.detail}", file=sys.stderr)
        return None
    return cast("Result", outcome.result)


def _median(point: ExperimentPoint, result: Result) -> float:
    """Seconds of a sweep, or nanoseconds of a call."""
    if is_decomposition(point):
        return seconds_of(cast(DecompositionResult, result))
    return ours(cast(RunResult, result))["median_ns"] or float("inf")


if __name__ == "__main__":
    raise SystemExit(main())
