"""The final comparison: the fastest of a search, the rules' schedules and the libraries, in turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import CompileError
from heddle.measuring.entries import Shares, control_of, flagged_rounds
from heddle.measuring.rounds import Beside, Protocol, Timings, measure
from heddle.measuring.schema import Load, Quotient
from heddle.measuring.statistics import RESOLUTION, median, ratio_of
from heddle.measuring.system_load import SystemLoad
from heddle.measuring.threads_used import threads_used
from heddle.measuring.verdicts import RULES, Judgement, Side, beside_fastest, is_as_itself, judge
from heddle.pipeline import lower
from heddle.plan import Plan, plan_hash
from heddle.runtime.native import parallel_region
from heddle.tuning.session.log import Line
from heddle_server.engine.machine import machine_facts
from heddle_server.tuning.bench import Bench

FASTEST = 5
PROTOCOL = Protocol(min_rounds=30, min_seconds=0.05, cap_seconds=10.0, warm_up_seconds=0.02)
"""What is known of the contenders is their rank: many rounds of short samples tell them apart."""

Samples = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Finalist:
    """``plan`` is None for a library; ``role`` is found, rules (their first schedule), other-rules, loops or
    library."""

    label: str
    role: str
    plan: Plan | None
    call: Callable[[], object]
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Given:
    """What a search began with; the first of several that are the same plan gives it its role."""

    label: str
    role: str
    plan: Plan


def compare_contenders(
    bench: Bench, ranking: Sequence[tuple[Plan, float]], starts: Sequence[Given], threads: int
) -> Line:
    """The ``final`` line of a log: every contender with its median and interval, whether it is tied with the fastest,
    and how many times as long it takes."""
    finalists = finalists_of(bench, ranking, starts, threads)
    several = any(finalist.threads > 1 for finalist in finalists)
    with bench.quiet, SystemLoad() as system:
        region = parallel_region.empty_region(threads) if several else None
        before = system.read_machine()
        timings = measure(
            [finalist.call for finalist in finalists],
            PROTOCOL,
            lambda share: None,
            beside=Beside(True, region, system),
            pause=bench.quiet.pause,
        )
        shares = system.read_machine().shares_since(before)
    return final_line(finalists, timings.samples, sides_of(finalists, timings, shares), {
        "rounds": timings.rounds,
        "complete": timings.complete,
        "disturbed": bench.quiet.disturbed,
        "threads": threads,
        "machine": machine_facts(None),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    })  # fmt: skip


def finalists_of(
    bench: Bench, ranking: Sequence[tuple[Plan, float]], starts: Sequence[Given], threads: int
) -> list[Finalist]:
    """The fastest found, then what was given that is not among them, then the libraries of the plan."""
    finalists: dict[str, Finalist] = {}
    begun = {plan_hash(start.plan): (start.role, start.label) for start in reversed(starts)}
    for plan in (*(plan for plan, _ in ranking[:FASTEST]), *(start.plan for start in starts)):
        name = plan_hash(plan)
        if name in finalists:
            continue
        role, label = begun.get(name, ("found", f"Found, no. {len(finalists) + 1}"))
        try:
            finalists[name] = Finalist(label, role, plan, bench.ready(plan).timed, threads_used(lower(plan), threads))
        except CompileError:
            continue  # a rule's schedule for formats that these operands do not fit
    libraries = (
        Finalist(library.label, "library", None, library.call, library.threads)
        for library in bench.subject.libraries(threads)
    )
    return [*finalists.values(), *libraries]


def sides_of(finalists: Sequence[Finalist], timings: Timings, shares: Shares) -> list[Side]:
    """What is known of the rounds of each."""
    wake = parallel_region.spreads()
    pressure, steal = shares
    load: Load = {
        "involuntary": None, "pressure": pressure, "steal": steal, "region_ns": None, "rounds": timings.rounds,
        "flagged": 0,
    }  # fmt: skip
    sides = []
    for place, finalist in enumerate(finalists):
        fact = wake.get(finalist.threads)
        flagged = flagged_rounds(timings, place, finalist.threads, None if fact is None else fact.median)
        sides.append(Side(finalist.label, control_of(timings, place), len(flagged) / timings.samples[place].size, load))
    return sides


def final_line(finalists: Sequence[Finalist], samples: Sequence[Samples], sides: Sequence[Side], facts: Line) -> Line:
    """Everything is judged against the schedule with the lowest median. Those that cannot be told from it are tied,
    unless the machine was too noisy to say even that; the gain is over the rules' schedule."""
    medians = [float(np.median(sample)) for sample in samples]
    schedule_places = [place for place, finalist in enumerate(finalists) if finalist.plan is not None]
    best = min(schedule_places, key=lambda place: medians[place])
    rules = next((place for place, finalist in enumerate(finalists) if finalist.role == "rules"), None)
    control = sides[0].control

    def judge_quotient(other: int, ours: int) -> tuple[Quotient, Judgement]:
        quotient = ratio_of(samples[other], samples[ours])
        return quotient, judge(quotient, sides[other], sides[ours], RESOLUTION)

    def gain_of(place: int) -> float | None:
        """How many times as long the rules' schedule takes as this one; None where this comparison does not tell."""
        if rules is None or place == rules:
            return None if rules is None else 1.0
        quotient, judgement = judge_quotient(rules, place)
        return None if judgement.verdict == "inconclusive" else round(quotient["value"], 4)

    entries = []
    for place, finalist in enumerate(finalists):
        known, (ratio, judgement) = median(samples[place]), judge_quotient(place, best)
        entries.append({
            "label": finalist.label,
            "role": finalist.role,
            "plan": None if finalist.plan is None else plan_hash(finalist.plan),
            "schedule": [] if finalist.plan is None else list(finalist.plan.schedule),
            "formats": {} if finalist.plan is None else formats_of(finalist.plan),
            "median": known.value,
            "low": known.low,
            "high": known.high,
            "quartiles": list(known.quartiles),
            "samples": int(samples[place].size),
            "ratio": {**ratio, "verdict": "tie" if judgement.verdict == "inconclusive" else judgement.verdict},
            "tie": place == best or (judgement.verdict == "inconclusive" and not judgement.doubt),
            "statement": "the fastest found" if place == best else beside_fastest(ratio, judgement),
            "gain": None if finalist.plan is None else gain_of(place),
        })  # fmt: skip
    return {
        "event": "final",
        "entries": entries,
        "best": best,
        "gain": None if rules is None else _gain(*judge_quotient(rules, best)),
        "control": None if control is None else {**control, "quiet": is_as_itself(control)},
        "judged_by": RULES,
        **facts,
    }


def _gain(quotient: Quotient, judgement: Judgement) -> Line:
    return {**quotient, "verdict": judgement.verdict, "statement": beside_fastest(quotient, judgement)}


def formats_of(plan: Plan) -> dict[str, str]:
    return {name: spec.format for name, spec in plan.tensors.items() if spec.format is not None}
