"""Two runs beside each other: which of their kernels takes longer, as far as runs that took no turns can tell."""

from __future__ import annotations

from heddle.measuring.schema import Entry, RunInput
from heddle.measuring.verdicts import RULES, judge, quotient_of_medians, side_of, times_as_long
from heddle_server.schema.run import RunResult, RunsVerdict

APART = 0.05
"""The least difference that counts between runs: what changed on the machine in between is in no interval."""


def verdict_of(first: RunResult, second: RunResult) -> RunsVerdict:
    """Of the kernels of two plans; ``slower`` is the place of the one that takes longer."""
    ours, other = (_kernel(result) for result in (first, second))
    if ours is None or other is None:
        return _open("One of the runs has no times, because its result was wrong.")
    if [_data(operand) for operand in first["inputs"]] != [_data(operand) for operand in second["inputs"]]:
        return _open("The two runs had different data, so their times cannot be compared.")
    quotient = quotient_of_medians(other, ours)
    judgement = judge(quotient, side_of(other, second), side_of(ours, first), APART)
    match judgement.verdict:
        case "faster":
            return {"slower": 1, "times": times_as_long(quotient, judgement), "statement": "", "judged_by": RULES}
        case "slower":
            return {"slower": 0, "times": times_as_long(quotient, judgement), "statement": "", "judged_by": RULES}
        case "inconclusive" if judgement.doubt:
            return _open(f"{judgement.doubt}. {' '.join(judgement.reasons)} Run both plans again, one by one.")
        case "inconclusive":
            return _open("Inconclusive: the two runs can tell no difference.")
        case verdict:
            raise AssertionError(verdict)


def _open(statement: str) -> RunsVerdict:
    return {"slower": None, "times": "", "statement": statement, "judged_by": RULES}


def _kernel(result: RunResult) -> Entry | None:
    return next(
        (entry for entry in result["entries"] if entry["id"] == "heddle" and entry["median_ns"] is not None), None
    )


def _data(operand: RunInput) -> tuple[str, str, list[int], int, str]:
    return operand["tensor"], operand["source"], operand["shape"], operand["nnz"], operand["sha256"]
