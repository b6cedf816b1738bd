"""The one place that decides what a run allows to say: who is slower and how many times, or that nothing follows.

Table, figures, page, shell and JSON show what stands here; none of them compares times itself.
"""

from __future__ import annotations

from typing import cast

from backend.schema.run import Conclusion, Control, Entry, Quotient, Ratio, RunResult

CONTROL_REACH = 1.1
"""How far from 1 the interval of the A/A control may reach: beyond, the same kernel is not as fast as itself."""

AGREEMENT = 1.15
"""How far the quotient of the medians and the median of the quotients may be apart: they estimate the same."""

REPEAT = "Something else was using the machine. Repeat the run when it is quieter."


def compared(identity: str, label: str, quotient: Quotient) -> Ratio:
    """``quotient`` of a contender's time and ours, with the words for it."""
    return {**quotient, "statement": _statement(identity, label, quotient)}


def concluded(result: RunResult) -> RunResult:
    """``result`` with its conclusion; where the run was noisy, no ratio says who is faster. Results of before get the
    definition of today: their ratios were medians of quotients."""
    if "conclusion" in result:
        return result
    entries = [_of_today(entry, result["entries"]) for entry in result["entries"]]
    reasons = [*_control_reasons(result.get("control")), *(line for entry in entries for line in _disagreement(entry))]
    if reasons:
        entries = [_undecided(entry) for entry in entries]
    return {**result, "entries": entries, "conclusion": _conclusion(entries, reasons)}


def _conclusion(entries: list[Entry], reasons: list[str]) -> Conclusion:
    if reasons:
        return {"noisy": True, "headline": "Noisy: not conclusive.", "reasons": [*reasons, REPEAT]}
    said = [entry["ratio_to_heddle"]["statement"] for entry in entries if entry["ratio_to_heddle"] is not None]
    return {"noisy": False, "headline": " ".join(f"{one}." for one in said), "reasons": []}


def _control_reasons(control: Control | None) -> list[str]:
    if control is None or (control["low"] >= 1 / CONTROL_REACH and control["high"] <= CONTROL_REACH):
        return []
    interval = f"{control['low']:.2f} to {control['high']:.2f}"
    return [f"The same kernel timed as two contenders has a ratio of {control['value']:.2f} ({interval}), not of 1."]


def _disagreement(entry: Entry) -> list[str]:
    ratio = entry["ratio_to_heddle"]
    if ratio is None or 1 / AGREEMENT <= ratio["paired"] / ratio["value"] <= AGREEMENT:
        return []
    medians, rounds = f"{ratio['value']:.2g}", f"{ratio['paired']:.2g}"
    return [
        f"{entry['label']} takes {medians} times as long as Heddle by the medians, but {rounds} times round by round."
    ]


def _undecided(entry: Entry) -> Entry:
    ratio = entry["ratio_to_heddle"]
    if ratio is None:
        return entry
    statement = "Noisy: not conclusive"
    return {**entry, "ratio_to_heddle": {**ratio, "verdict": "inconclusive", "statement": statement}}


def _of_today(entry: Entry, entries: list[Entry]) -> Entry:
    """An entry whose ratio was stored before ratios were quotients of medians: its interval is what the intervals of
    the two medians allow, which is wider than the one of today."""
    ratio, ours = entry["ratio_to_heddle"], next((one for one in entries if one["id"] == "heddle"), None)
    if ratio is None or "paired" in ratio or ours is None:
        return entry
    middle, low, high = (cast(float, entry[key]) for key in ("median_ns", "low_ns", "high_ns"))
    own, own_low, own_high = (cast(float, ours[key]) for key in ("median_ns", "low_ns", "high_ns"))
    quotient: Quotient = {
        "value": middle / own,
        "low": low / own_high,
        "high": high / own_low,
        "paired": ratio["value"],
        "verdict": "faster" if low > own_high else "slower" if high < own_low else "inconclusive",
    }
    return {**entry, "ratio_to_heddle": compared(entry["id"], entry["label"], quotient)}


def _statement(identity: str, label: str, quotient: Quotient) -> str:
    if identity == "unscheduled":
        with_schedule, other = "With its schedule the kernel", "Without its schedule the kernel"
        same = "The schedule makes no difference that this run can tell"
    else:
        with_schedule, other = "Heddle", label
        same = f"Between Heddle and {label} this run can tell no difference"
    match quotient["verdict"]:
        case "faster":
            return (
                f"{other} takes {times_text(quotient['value'])} as {'with' if identity == 'unscheduled' else 'Heddle'}"
            )
        case "slower":
            than = "without" if identity == "unscheduled" else label
            return f"{with_schedule} takes {times_text(1 / quotient['value'])} as {than}"
        case _:
            return same


def times_text(ratio: float) -> str:
    """``4.6 times as long``; near 1 with as many digits as tell the two apart."""
    digits = 0 if ratio >= 20 else 1 if ratio >= 2 else 2
    return f"{ratio:.{digits}f} times as long"
