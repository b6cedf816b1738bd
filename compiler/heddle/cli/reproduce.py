"""What a saved ``reproduce.py`` calls: a plan measured again, in a table beside the stored result."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heddle.cli.failures import end_command
from heddle.cli.status import Status
from heddle.library.benchmarks.benchmark_html import time_text
from heddle.measuring.reproduction import Reproduction, Stored, measure_plan, read_file, read_stored, unpack_file
from heddle.measuring.verdicts import RULES, judge, quotient_of_medians, side_of, times_as_long
from heddle.runtime.native import cpu

if TYPE_CHECKING:
    from heddle.measuring.schema import Entry, Measured, RunInput

HEADINGS = ("", "here", "95 % interval", "time / Heddle's", "stored", "time / Heddle's")


def reproduce(
    plan: object, files: Mapping[str, Mapping[str, Any]], stored: Mapping[str, Any] | None, folder: Path
) -> int:
    """Prints the result on stdout and progress on stderr.

    Parameters
    ----------
    plan
        A plan as JSON values.
    files
        The data files that it names: ``name``, ``sha256`` and the content as ``packed``, without which a file lies in
        ``folder``.
    stored
        What was measured when the script was saved; None where nothing was.

    Returns
    -------
    int
        0 for a verified result on the data of ``stored``, else 1. Whether times agree is said, and no status: another
        machine has other times.
    """
    return end_command(lambda: _reproduce(plan, files, stored, folder))


def _reproduce(
    plan: object, files: Mapping[str, Mapping[str, Any]], stored: Mapping[str, Any] | None, folder: Path
) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        paths = {identity: str(unpack_file(read_file(file), folder, Path(scratch))) for identity, file in files.items()}
        earlier = None if stored is None else read_stored(stored)
        reproduction = measure_plan(plan, paths, earlier, lambda text: print(f"{text} …", file=sys.stderr, flush=True))
    print("\n".join(reproduction_lines(reproduction)))
    same = all(_is_same(operand, reproduction.stored) for operand in reproduction.inputs)
    return Status.DONE if reproduction.verification["ok"] and same else Status.REFUSED


def reproduction_lines(reproduction: Reproduction) -> list[str]:
    """The table, what follows from both measurements, and whether that is the same."""
    stored, check = reproduction.stored, reproduction.verification
    earlier = {} if stored is None else {entry["id"]: entry for entry in stored.measured["entries"]}
    entries = reproduction.measured["entries"]
    columns = len(HEADINGS) if stored is not None else 4
    rows = [HEADINGS[:columns], *(_row(entry, earlier.get(entry["id"]))[:columns] for entry in entries)]
    widths = [max(len(row[column]) for row in rows) for column in range(columns)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    verified = "verified" if check["ok"] else "WRONG RESULT"
    cores = f"{reproduction.threads} {'thread' if reproduction.threads == 1 else 'threads'} on {cpu.model()}"
    lines += [
        "",
        f"{reproduction.plan.expression}: {verified} against {check['reference']}, largest error "
        f"{check['max_error']:.3g}, tolerance {check['tolerance']:.3g}",
        *(_data_line(operand, stored) for operand in reproduction.inputs),
        "",
        f"here, {cores}: {_headline(reproduction.measured)}",
    ]
    if stored is None:
        return [*lines, f"Judged by rules {RULES}; no stored result to compare with."]
    lines.append(
        f"stored {stored.date}, {stored.threads} {'thread' if stored.threads == 1 else 'threads'} on {stored.machine}: "
        f"{_headline(stored.measured)}"
    )
    return [*lines, f"Both judged by rules {RULES}.", *_agreement(reproduction.measured, stored.measured)]


def _row(entry: Entry, earlier: Entry | None) -> tuple[str, ...]:
    stored = ("", "") if earlier is None else (_median(earlier), _ratio(earlier))
    if entry["median_ns"] is None or entry["low_ns"] is None or entry["high_ns"] is None:
        return (entry["label"], "-", entry["reason"] or "", "", *stored)
    interval = f"{time_text(entry['low_ns'])} to {time_text(entry['high_ns'])}"
    return (entry["label"], _median(entry), interval, _ratio(entry), *stored)


def _median(entry: Entry) -> str:
    return "-" if entry["median_ns"] is None else time_text(entry["median_ns"])


def _ratio(entry: Entry) -> str:
    ratio = entry["ratio_to_heddle"]
    return "" if ratio is None else f"{ratio['value']:.3g} × ({ratio['low']:.3g} to {ratio['high']:.3g})"


def _headline(measured: Measured) -> str:
    conclusion = measured.get("conclusion")
    return (conclusion["headline"] if conclusion is not None else "") or "Nothing was compared."


def _is_same(operand: RunInput, stored: Stored | None) -> bool:
    """Whether the operand is the one that was measured, as far as that is known."""
    known = {} if stored is None else {each["tensor"]: each["sha256"] for each in stored.inputs}
    return known.get(operand["tensor"], operand["sha256"]) == operand["sha256"]


def _data_line(operand: RunInput, stored: Stored | None) -> str:
    shape = " × ".join(f"{size:,}" for size in operand["shape"]) or "a number"
    facts = f"{operand['tensor']}: {operand['source']}, {shape}, {operand['nnz']:,} nonzeros"
    if stored is None:
        return f"{facts}, SHA-256 {operand['sha256']}"
    return (
        f"{facts}, {'the data that were measured' if _is_same(operand, stored) else 'NOT the data that were measured'}"
    )


def _agreement(here: Measured, stored: Measured) -> list[str]:
    """For each contender, whether the verdict on Heddle is the stored one."""
    lines = []
    earlier = {entry["id"]: entry["ratio_to_heddle"] for entry in stored["entries"]}
    for entry in here["entries"]:
        now, before = entry["ratio_to_heddle"], earlier.get(entry["id"])
        if now is None or before is None:
            continue
        label = "without its schedule" if entry["id"] == "unscheduled" else f"beside {entry['label']}"
        if now["verdict"] == before["verdict"]:
            lines.append(f"{label}: as stored ({now['verdict']})")
        else:
            lines.append(f"{label}: {now['verdict']} here, {before['verdict']} in the stored result")
    return [*lines, *_ours(here, stored)]


def _ours(here: Measured, stored: Measured) -> list[str]:
    """Heddle's own time here beside the stored one: two runs, which had no rounds in common."""
    ours, before = (next((e for e in each["entries"] if e["id"] == "heddle"), None) for each in (here, stored))
    if ours is None or before is None or ours["median_ns"] is None or before["median_ns"] is None:
        return []
    quotient = quotient_of_medians(before, ours)
    then = replace(side_of(before, stored), label="Heddle in the stored run")
    judgement = judge(quotient, then, replace(side_of(ours, here), label="Heddle here"))
    if judgement.verdict == "inconclusive":
        return [judgement.doubt or "Heddle: no difference to the stored time that the two runs can tell"]
    times = times_as_long(quotient, judgement)
    faster = judgement.verdict == "faster"
    return [
        f"Heddle: {f'the stored run took {times} as here' if faster else f'takes {times} here as in the stored run'}"
    ]
