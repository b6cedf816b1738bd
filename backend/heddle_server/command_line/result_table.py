"""A run's result as text for a terminal."""

from __future__ import annotations

from typing import Any

from heddle_server.duration import duration
from heddle_server.machine_name import machine_name

HEADINGS = ("", "median", "95 % interval", "time / Heddle's", "GB/s", "of STREAM")


def result_table(result: dict[str, Any]) -> str:
    """Contenders with their medians and intervals, then what was measured, on what."""
    rows = [HEADINGS, *(entry_row(entry) for entry in result["entries"])]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*lines, "", *conclusion(result), *notes(result)])


def conclusion(result: dict[str, Any]) -> list[str]:
    """Why nothing can be concluded, where that is so; else the table has said it."""
    conclusion = result.get("conclusion")
    return [conclusion["headline"], *conclusion["reasons"], ""] if conclusion and conclusion["noisy"] else []


def entry_row(entry: dict[str, Any]) -> tuple[str, ...]:
    if not entry["available"]:
        return (entry["label"], "-", entry["reason"] or "", "", "", "")
    rate, share, ratio = entry["gigabytes_per_second"], entry["bandwidth_share"], entry["ratio_to_heddle"]
    return (
        entry["label"],
        duration(entry["median_ns"]),
        f"{duration(entry['low_ns'])} to {duration(entry['high_ns'])}",
        comparison(ratio) if ratio else "",
        f"{rate:.2f}" if rate is not None else "",
        f"{share:.0%}" if share is not None else "",
    )


def comparison(ratio: dict[str, Any]) -> str:
    """Time of the contender over Heddle's, and in words which of the two is slower."""
    return f"{ratio['value']:.2f} × ({ratio['low']:.2f} to {ratio['high']:.2f}): {ratio['statement']}"


def notes(result: dict[str, Any]) -> list[str]:
    check, machine = result["verification"], result["machine"]
    verdict = "verified" if check["ok"] else "WRONG RESULT"
    lines = [
        f"{verdict} against {check['reference']}: largest error {check['max_error']:.3g}, "
        f"tolerance {check['tolerance']:.3g}",
        f"{result['threads']} threads on {machine_name(machine)}, {machine['cores']} cores, {machine['compiler']}",
    ]
    control = result.get("control")
    if control:
        lines.append(
            f"the same kernel timed twice has the ratio {control['value']:.3f} ({control['low']:.3f} to "
            f"{control['high']:.3f}); differences below {control['resolution']:.0%} are inconclusive"
        )
    if "judged_by" in result:
        lines.append(f"judged by rules {result['judged_by']}")
    if "rejudgement" in result:
        today = result["rejudgement"]
        lines.append(f"by rules {today['judged_by']}, which are newer: {today['conclusion']['headline']}")
    for operand in result["inputs"]:
        shape = " × ".join(f"{size:,}" for size in operand["shape"])
        lines.append(f"{operand['tensor']}: {operand['source']}, {shape}, {operand['nnz']:,} nonzeros")
    lines += [
        f"{entry['label']}: " + ", ".join(f"{step['name']} {duration(step['ns'])}" for step in entry["preparation"])
        for entry in result["entries"]
        if entry["available"] and entry["preparation"]
    ]
    return lines
