"""``heddle bench --plan plan.json``: a run with its times as records, for tables and scripts."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from typing import Any

from heddle.plan import RunSpec, parse_plan
from heddle_server.command_line.own_inputs import with_inputs
from heddle_server.command_line.result_table import result_table
from heddle_server.command_line.run_plan import execute, read_document, say_ending
from heddle_server.settings import Settings

COLUMNS = ("id", "label", "median_ns", "low_ns", "high_ns", "ratio", "ratio_low", "ratio_high", "verdict", "statement",
           "rounds", "threads", "reason")  # fmt: skip


def bench_plan(options: argparse.Namespace) -> int:
    """Prints a table, CSV or JSON. Raises as :func:`heddle_server.command_line.run_plan.run_plan`."""
    from dataclasses import replace

    plan, paths = with_inputs(parse_plan(read_document(options.plan)), options.input)
    run = RunSpec(
        tuple(options.baselines.split(",")) if options.baselines is not None else plan.run.baselines, plan.run.threads
    )
    if options.threads is not None:
        run = replace(run, threads=options.threads)
    outcome = execute(replace(plan, run=run), Settings(), paths=paths)
    if outcome.result is None:
        return say_ending(outcome, options.plan)
    if options.json:
        print(json.dumps(outcome.result, indent=2))
    elif options.csv:
        write_records(outcome.result)
    else:
        print(result_table(outcome.result))
    return 0 if outcome.result["verification"]["ok"] else 1


def write_records(result: dict[str, Any]) -> None:
    """A line for each contender."""
    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for entry in result["entries"]:
        ratio = entry["ratio_to_heddle"] or {}
        writer.writerow(
            {
                **{
                    name: entry.get(name)
                    for name in ("id", "label", "median_ns", "low_ns", "high_ns", "reason", "threads")
                },
                "ratio": ratio.get("value"),
                "ratio_low": ratio.get("low"),
                "ratio_high": ratio.get("high"),
                "verdict": ratio.get("verdict"),
                "statement": ratio.get("statement"),
                "rounds": len(entry["samples_ns"]),
            }
        )
