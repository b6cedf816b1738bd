"""``heddle replay``: measure a shared plan on this machine, and print both measurements side by side; make a shared
decomposition again, and say whether its factors are the same to the bit."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx

from heddle.algorithms.document.reader import parse_algorithm
from heddle.cli.source import SourceError, parse_json, read_text
from heddle.diagnostics import CompileError
from heddle.plan import parse_plan
from heddle_server.command_line.result_table import result_table
from heddle_server.command_line.run_algorithm import replay_algorithm
from heddle_server.command_line.run_plan import dataset_paths, execute, say_ending
from heddle_server.duration import duration
from heddle_server.imports.short_link import fetch_link
from heddle_server.machine_name import machine_name
from heddle_server.services.runs.documents import is_algorithm
from heddle_server.settings import Settings

LARGEST = 64 << 20


def replay(source: str, *, as_json: bool) -> int:
    """``source`` is the address of a link (``https://host/s/ID``), or a file with a link's JSON or a plan. Returns 0
    for a verified result, else 1. Raises SourceError and CompileError for what cannot be read."""
    try:
        document, stored = read_source(source)
    except (SourceError, CompileError):
        raise
    except (OSError, ValueError, httpx.HTTPError) as error:
        reason = re.sub(r"^\[Errno -?[0-9]+\] ", "", str(error))  # of the network, as httpx passes it on
        raise SourceError(f"{source}: {reason}") from error
    if is_algorithm(document):
        algorithm = parse_algorithm(document)
        return replay_algorithm(algorithm, stored, dataset_paths(algorithm.inputs, Settings()), as_json=as_json)
    outcome = execute(parse_plan(document), Settings())
    if outcome.result is None:
        return say_ending(outcome, source)
    if as_json:
        print(json.dumps({"stored": stored, "here": outcome.result}, indent=2))
    else:
        print(result_table(outcome.result))
        print("\n" + comparison(stored, outcome.result))
    return 0 if outcome.result["verification"]["ok"] else 1


def read_source(source: str) -> tuple[object, dict[str, Any] | None]:
    """(plan, stored result). Raises ValueError or httpx.HTTPError, whose texts a person can read."""
    if source.startswith(("http://", "https://")):
        text = fetch_link(source)
        if len(text) > LARGEST:
            raise ValueError(f"a link has at most {LARGEST:,} characters")
    else:
        text = read_text(source, LARGEST, "a link")
    document = parse_json(text, source)
    if isinstance(document, dict) and "plan" in document:
        run = document.get("run") or {}
        return document["plan"], run.get("result")
    return document, None


def comparison(stored: dict[str, Any] | None, here: dict[str, Any]) -> str:
    """Each contender's median there and here."""
    if stored is None:
        return "No result is stored with this plan, so there is nothing to compare with."
    theirs = {entry["id"]: entry["median_ns"] for entry in stored["entries"] if entry["available"]}
    rows = [("", "there", "here", "there / here")]
    for entry in here["entries"]:
        there, ours = theirs.get(entry["id"]), entry["median_ns"]
        if there and ours:
            rows.append((entry["label"], duration(there), duration(ours), f"{there / ours:.2f} ×"))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    machines = [f"{name}: {machine_name(result['machine'])}, {result['threads']} threads, {result['date'][:10]}"
                for name, result in (("there", stored), ("here", here))]  # fmt: skip
    return "\n".join([*lines, *machines])
