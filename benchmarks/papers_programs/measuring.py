"""One program: its schedule chosen, run and verified as the page does, beside the libraries that take part."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from benchmarks.papers_programs.program import Program
from heddle.diagnostics import CompileError
from heddle.plan import parse_plan
from heddle_server.command_line.run_plan import execute
from heddle_server.services.compiling.suggestion_worker import suggestion_document
from heddle_server.settings import Settings

WORST, MIDDLE = 2.5, 1.0
"""How many times as long as the best opponent the chosen schedule may take: any program, and the median of all."""
OURS = ("heddle", "unscheduled")


@dataclass(frozen=True, slots=True)
class Row:
    """``distance`` is how many times as long as the ``best`` opponent the chosen schedule takes, with its interval
    ``low`` to ``high`` over interleaved rounds; None without an opponent. ``problem`` is why there is no verified
    result, or empty. ``refusals`` are what the others say that take no part."""

    name: str
    paper: str
    where: str
    mended: str
    presses: int
    rule: str
    problem: str
    verified: bool
    nanoseconds: Mapping[str, float]
    notes: Mapping[str, str]
    refusals: Mapping[str, str]
    best: str
    distance: float | None
    low: float | None
    high: float | None
    noisy: bool

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def measure(program: Program, paper: str, threads: int, *, brief: bool) -> Row:
    """Chooses a schedule, and runs the plan."""
    document = program.plan(threads)
    chosen = json.loads(suggestion_document(document, {}))
    document["schedule"] = chosen.get("schedule", [])
    try:
        outcome = execute(parse_plan(document), Settings(), brief=brief)
    except CompileError as error:
        return _row(program, paper, chosen["rule"], {}, str(error))
    return _row(program, paper, chosen["rule"], outcome.result or {}, "" if outcome.result else outcome.detail)


def _row(program: Program, paper: str, rule: str, result: Mapping[str, Any], problem: str) -> Row:
    timed = {entry["id"]: entry for entry in result.get("entries", []) if entry["median_ns"]}
    ratios = {name: entry["ratio_to_heddle"] for name, entry in timed.items() if name not in OURS}
    best = min(ratios, key=lambda name: ratios[name]["value"], default="")
    ratio = ratios.get(best)
    verified = bool(result) and bool(result["verification"]["ok"])
    return Row(
        program.name,
        paper,
        program.where,
        program.mended,
        program.presses,
        rule,
        problem or ("" if verified else "The result differs from the reference."),
        verified,
        {name: entry["median_ns"] for name, entry in timed.items()},
        {name: entry["note"] for name, entry in timed.items() if entry.get("note")},
        {entry["id"]: entry["reason"] for entry in result.get("entries", []) if entry.get("reason")},
        best,
        1 / ratio["value"] if ratio else None,
        1 / ratio["high"] if ratio else None,
        1 / ratio["low"] if ratio else None,
        bool(result.get("conclusion", {}).get("noisy", False)) if result else False,
    )


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    """How many run verified within three presses, how many have an opponent, and how far they are from the best."""
    distances = {row.name: row.distance for row in rows if row.distance is not None}
    return {
        "programs": len(rows),
        "verified_within_three_presses": sum(row.verified and row.presses <= 3 for row in rows),
        "with_an_opponent": len(distances),
        "median_distance": median(distances.values()) if distances else None,
        "worst_distance": max(distances.values(), default=None),
        "beyond": sorted(name for name, distance in distances.items() if distance > WORST),
    }


def table(rows: Sequence[Row]) -> str:
    """A line for each program, and the summary."""
    lines = [f"{'program':20} {'paper':9} {'presses':>7} {'chosen':>11} {'best opponent':>24} {'distance':>8}"]
    for row in rows:
        if row.problem:
            lines.append(f"{row.name:20} {row.where:9} {row.presses:7} {row.problem}")
            continue
        ours = f"{row.nanoseconds['heddle'] / 1e3:,.0f} µs"
        rival = f"{row.best} {row.nanoseconds[row.best] / 1e3:,.0f} µs" if row.best else "none"
        far = "" if row.distance is None else f"{row.distance:.2f} ({row.low:.2f} to {row.high:.2f})"
        far += " noisy" if row.noisy else ""
        lines.append(f"{row.name:20} {row.where:9} {row.presses:7} {ours:>11} {rival:>24} {far}")
    facts = summary(rows)
    middle, worst = facts["median_distance"], facts["worst_distance"]
    if middle is not None and worst is not None:
        lines.append(
            f"{facts['verified_within_three_presses']} of {len(rows)} verified within three presses, "
            f"{facts['with_an_opponent']} beside an opponent; distance: median {middle:.2f} (wanted {MIDDLE}), "
            f"worst {worst:.2f} (wanted {WORST})"
        )
    return "\n".join(lines)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
