"""One slice of a search: goes on where its log ends, for some seconds, and says what came of it.

A search is cut into slices so that other runs come between: each is an order of its own in the queue.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from heddle.diagnostics import CompileError
from heddle.pipeline import lower
from heddle.plan import Plan, plan_hash, to_document
from heddle.runtime.native import cpu, toolchain
from heddle.tuning.facts.statistics import statistics_of
from heddle.tuning.genes.of_program import RULES, space_of
from heddle.tuning.genes.space import Space
from heddle.tuning.known.canonical import canonical_of
from heddle.tuning.known.entry import Tuned
from heddle.tuning.known.key import key_of
from heddle.tuning.known.offers import known_of
from heddle.tuning.session.driver import search, timed_in
from heddle.tuning.session.log import Line, Settings, generations_of, header, resumable
from heddle.tuning.session.same import options_of, require_same
from heddle_server.engine.quiet_time import QuietTime
from heddle_server.tuning.bench import Bench, bench_of
from heddle_server.tuning.final import Given, compare_contenders
from heddle_server.version import VERSION

FINAL_SECONDS = 12.0
"""What a final comparison may take: a slice with less left for it leaves it to the next."""


def run_slice(
    plan: Plan,
    paths: Mapping[str, str],
    settings: Settings,
    log: Sequence[Line],
    seconds: float,
    quiet: QuietTime,
    threads: int,
    record: Callable[[Line], None],
    report: Callable[[str], None],
) -> bool:
    """Goes on with a search for about ``seconds``; ``record`` gets the lines that belong behind ``resumable(log)``.
    True when the search has come to its end.

    Raises
    ------
    CompileError
        the plan is at fault, its space has nothing that compiles, or ``log`` is of another search.
    InternalError
        a result is wrong.
    """
    begun = time.monotonic()
    lines = resumable(log)
    if lines:
        require_same(lines[0], plan, options_of(asdict(settings)))
    used = sum(line["seconds"] for line in lines if line["event"] == "slice")
    budget = settings.budget.seconds

    def measure_spent() -> float:
        return time.monotonic() - begun

    def measure_left() -> float:
        mine = seconds - measure_spent()
        return mine if budget is None else min(mine, budget - used - measure_spent())

    def keep(line: Line) -> None:
        lines.append(line)
        record(line)

    origin = f"strategy {settings.strategy}, seed {settings.seed}"
    bench = bench_of(plan, paths, quiet, measure_left, report, origin, threads)
    space = space_of(plan, bench.subject.sparse)
    if not lines:
        keep(header_of(plan, space, settings))
    if not any(line["event"] == "searched" for line in lines):
        finished = _is_searched(bench, space, settings, list(lines), keep)
        if not finished and (budget is None or used + measure_spent() < budget):
            keep({"event": "slice", "seconds": round(measure_spent(), 3)})
            return False
        keep({"event": "searched", "seconds": round(used + measure_spent(), 3)})
    if measure_spent() > 1.0 and seconds - measure_spent() < FINAL_SECONDS and log:
        keep({"event": "slice", "seconds": round(measure_spent(), 3)})
        return False
    report("Comparing the fastest in turns")
    finish(bench, space, lines, threads, keep)
    return True


def finish(bench: Bench, space: Space, lines: Sequence[Line], threads: int, write_line: Callable[[Line], None]) -> None:
    """The ``final`` line, and a ``known`` one with what is to be remembered of it."""
    rows = [line for line in lines if line["event"] == "timed"]
    plans = {line["plan"]: space.plan(line["genes"]) for line in rows}
    timed = [(plans[line["plan"]], line["seconds"]) for line in rows if line["seconds"] is not None]
    starts = list_baselines(space)
    final = compare_contenders(bench, sorted(timed, key=lambda pair: pair[1]), starts, threads)
    write_line(final)
    try:
        known = remember(bench, final, plans | {plan_hash(start.plan): start.plan for start in starts}, lines)
    except CompileError:
        return  # a program without a canonical form: its search has its result, and nothing is kept for others
    write_line({"event": "known", "known": known})


def list_baselines(space: Space) -> list[Given]:
    """The rules' schedules and the loops as they come, as far as they compile."""
    plans = {str(space.choice(genome).get("start", RULES[0])): space.plan(genome) for genome in space.starts}
    named = (
        (RULES[1], "rules", "The rules' schedule"),
        (RULES[0], "loops", "Loops as they come"),
        (RULES[2], "other-rules", "The rules' other schedule"),
    )
    starts = [(plans[start], role, label) for start, role, label in named if start in plans]
    return [Given(label, role, plan) for plan, role, label in starts if lower(plan).ok]


def remember(bench: Bench, final: Line, plans: Mapping[str, Plan], lines: Sequence[Line]) -> dict[str, Any]:
    """The file of tuned schedules that the final comparison comes to."""
    canonical = canonical_of(bench.plan)
    statistics = {name: statistics_of(operand) for name, operand in bench.subject.sparse.items()}
    key = key_of(bench.plan, canonical, statistics, bench.subject.shapes)
    schedules = [
        (
            plans[entry["plan"]],
            Tuned(
                schedule=(),
                median=entry["median"],
                low=entry["low"],
                high=entry["high"],
                quartiles=entry["quartiles"][1] - entry["quartiles"][0],
                samples=entry["samples"],
                gain=entry["gain"],
                date=final["date"],
                machine=final["machine"]["cpu"],
                strategy=lines[0]["strategy"],
                seed=lines[0]["seed"],
            ),
        )
        for entry in final["entries"]
        if entry["plan"] in plans
    ]
    return known_of(bench.plan, key, canonical, tuple(schedules)).document()


def header_of(plan: Plan, space: Space, settings: Settings) -> Line:
    genes = [{"name": gene.name, "values": list(gene.values), "meaning": gene.meaning} for gene in space.genes]
    facts = {"points": space.points, "plan_hash": plan_hash(plan), "heddle": VERSION, "cpu": cpu.model(),
             "cores": cpu.available_cores(), "compiler": toolchain.discover().describe()}  # fmt: skip
    return header(settings, to_document(plan), genes, space.starts, **facts)


def _is_searched(
    bench: Bench, space: Space, settings: Settings, lines: Sequence[Line], write_line: Callable[[Line], None]
) -> bool:
    """True when the search came to its end, False when the time was up."""
    timed = timed_in(lines)
    bench.best = min((timing.seconds for timing in timed.values() if timing.seconds is not None), default=bench.best)
    progress = search(space, settings, bench.evaluate, write_line, generations_of(lines), timed)
    return not progress.stopped
