"""``heddle prove verdicts``: on a busy machine no verdict is wrong, and most of those far from 1 are reached.

The order of the contenders of each plan is measured first, in turns, while the machine is quiet. Then the plans are run
in a random order beside processes that never rest.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast

import numpy as np

from heddle.measuring.verdicts import BEYOND_DOUBT, MOST_PRESSURE, RULES, judge, side_of
from heddle.plan import parse_plan
from heddle_server.command_line.run_plan import execute
from heddle_server.schema.run import RunResult
from heddle_server.settings import Settings
from proofs.report import machine
from proofs.verdict_plans import VERDICT_PLANS

LEAST_TOLD = 0.8
"""Of the verdicts whose true ratio is beyond 3, the share that a busy machine must still reach."""

QUIET_RUNS = 3
FIRST_TENTH = 0.1
"""The quantile of the samples that is compared on the quiet machine: what others took of it is in the later ones."""

APART = 1.1
"""How far from 1 every quiet run must be for the order to be known."""

Run = Callable[[Mapping[str, Any]], RunResult]


@dataclass(frozen=True, slots=True)
class Truth:
    """What the quiet machine says of a contender beside our kernel: the ratio of its runs, and how far they reach.
    ``order`` is None where they do not agree, or lie too near to 1."""

    value: float
    low: float
    high: float

    @property
    def order(self) -> Literal["faster", "slower"] | None:
        return "faster" if self.low > APART else "slower" if self.high < 1 / APART else None

    @property
    def is_beyond(self) -> bool:
        return max(self.low, 1 / self.high) > BEYOND_DOUBT


@dataclass(frozen=True, slots=True)
class Said:
    """What a run on the busy machine said of a contender: its verdict, how many times as long it claims at least, and
    the words."""

    plan: str
    contender: str
    verdict: str
    least: float
    statement: str
    value: float


def prove_verdicts(
    count: int = 200,
    plans: Sequence[str] = tuple(VERDICT_PLANS),
    seed: int = 0,
    busy: int = 2,
    niceness: int = 10,
    run: Run | None = None,
) -> tuple[dict[str, Any], list[str]]:
    """The truths, what ``count`` runs beside ``busy`` processes said, and what of it is wrong."""
    run = run or once
    quiet: dict[str, list[RunResult]] = {name: [] for name in plans}
    for _ in range(QUIET_RUNS):
        for name in plans:
            say(f"quiet: {name}")
            quiet[name].append(run(VERDICT_PLANS[name]))
    truths = {name: truths_of(results) for name, results in quiet.items()}
    order = [plans[at % len(plans)] for at in range(count)]
    random.Random(seed).shuffle(order)
    said: list[Said] = []
    with busy_processes(busy, niceness):
        for at, name in enumerate(order):
            latest = said_in(name, run(VERDICT_PLANS[name]))
            said += latest
            say(f"{at + 1}/{count} {name}: {'; '.join(one.statement for one in latest)}")
    summary, broken = judgement_of(truths, said)
    loads = [result.get("load") for results in quiet.values() for result in results]
    known = [load["pressure"] for load in loads if load is not None and load["pressure"] is not None]
    document = {
        "count": count,
        "seed": seed,
        "busy": busy,
        "niceness": niceness,
        "rules": RULES,
        "quiet_pressure": round(float(np.median(known)), 3) if known else None,
        "was_quiet": all(share <= MOST_PRESSURE for share in known),
        **summary,
        "truths": {name: {other: asdict(one) for other, one in pairs.items()} for name, pairs in truths.items()},
        "said": [asdict(one) for one in said],
        "machine": machine(),
    }
    return document, broken


def once(plan: Mapping[str, Any]) -> RunResult:
    outcome = execute(parse_plan({"version": 2, **plan}), Settings())
    if outcome.result is None:
        raise RuntimeError(f"{outcome.title}: {outcome.detail}")
    return cast(RunResult, outcome.result)


def truths_of(results: Sequence[RunResult]) -> dict[str, Truth]:
    """By contender, from runs of one plan on a quiet machine."""
    ratios: dict[str, list[float]] = {}
    for result in results:
        times = {
            entry["id"]: float(np.quantile(entry["samples_ns"], FIRST_TENTH))
            for entry in result["entries"]
            if entry["available"] and entry["samples_ns"]
        }
        for name, time in times.items():
            if name != "heddle":
                ratios.setdefault(name, []).append(time / times["heddle"])
    return {name: Truth(float(np.median(found)), min(found), max(found)) for name, found in ratios.items()}


def said_in(plan: str, result: RunResult) -> list[Said]:
    ours = next(entry for entry in result["entries"] if entry["id"] == "heddle")
    said = []
    for entry in result["entries"]:
        ratio = entry["ratio_to_heddle"]
        if ratio is not None:
            least = judge(ratio, side_of(entry, result), side_of(ours, result)).least
            said.append(Said(plan, entry["id"], ratio["verdict"], least, ratio["statement"], ratio["value"]))
    return said


def judgement_of(truths: Mapping[str, Mapping[str, Truth]], said: Sequence[Said]) -> tuple[dict[str, Any], list[str]]:
    """How many verdicts were reached, by kind, and each that is wrong."""
    known = [(one, truths[one.plan][one.contender]) for one in said if one.contender in truths[one.plan]]
    wrong = [line for one, truth in known if (line := fault_of(one, truth)) is not None]
    beyond = [one for one, truth in known if truth.is_beyond]
    told = sum(one.verdict != "inconclusive" for one in beyond)
    near = [one for one, truth in known if truth.order is not None and not truth.is_beyond]
    summary = {
        "comparisons": len(known),
        "order_known": sum(truth.order is not None for _, truth in known),
        "conclusive": sum(one.verdict != "inconclusive" for one, _ in known),
        "wrong": len(wrong),
        "beyond": len(beyond),
        "beyond_told": told,
        "share_told": round(told / len(beyond), 3) if beyond else None,
        "near": len(near),
        "near_told": sum(one.verdict != "inconclusive" for one in near),
    }
    broken = list(wrong)
    if not beyond:
        broken.append("no comparison has a true ratio beyond 3, so nothing is shown of those")
    elif told < LEAST_TOLD * len(beyond):
        broken.append(f"{told} of {len(beyond)} verdicts beyond 3 were told, at least {LEAST_TOLD:.0%} are wanted")
    return summary, broken


def fault_of(said: Said, truth: Truth) -> str | None:
    """A verdict against the known order, or one that claims more than any quiet run shows."""
    if said.verdict == "inconclusive":
        return None
    reach = truth.high if said.verdict == "faster" else 1 / truth.low
    beside = f"{said.plan}, {said.contender}: {said.statement}; quiet: {truth.value:.3g} ({truth.low:.3g} to"
    if truth.order is not None and said.verdict != truth.order:
        return f"{beside} {truth.high:.3g}): the other way round"
    if said.least > reach * APART:
        return f"{beside} {truth.high:.3g}): at least {said.least:.3g} times is claimed"
    return None


@contextmanager
def busy_processes(count: int, niceness: int) -> Iterator[None]:
    """So many processes that compute without a pause while the context lasts."""
    program = f"import os; os.nice({niceness})\nwhile os.getppid() == {os.getpid()}:\n    sum(range(100000))"
    processes = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
