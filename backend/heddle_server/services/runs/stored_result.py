"""Results as they are read again: what was stored stays as it was, with the rules that judged it; what the rules of
today say of the same times stands beside it, under their name."""

from __future__ import annotations

from typing import Any, cast

from heddle.measuring.schema import Conclusion, Entry, Quotient
from heddle.measuring.verdicts import NOISY, REPEAT, RULES, conclude, judge_ratio, say_who_is_slower
from heddle_server.schema.run import Rejudgement, RunResult

FIRST_RULES = "0"
"""Each ratio was judged by its own interval alone, and nothing was concluded of them together."""

UNNAMED_RULES = "1"
"""There were conclusions, and no names of the rules yet."""


def read_stored(result: RunResult) -> RunResult:
    """What is shown of a stored result. Rules of another day than today's get a ``rejudgement`` by those of today."""
    stored = as_judged_then(result)
    return stored if stored["judged_by"] == RULES else {**stored, "rejudgement": rejudge(result)}


def as_judged_then(result: RunResult) -> RunResult:
    """The ratios and verdicts that are stored, with the rules that they are of."""
    if "conclusion" in result:
        return result if "judged_by" in result else {**result, "judged_by": UNNAMED_RULES}
    entries = [_in_words(entry) for entry in result["entries"]]
    return {**result, "entries": entries, "conclusion": _first_conclusion(result, entries), "judged_by": FIRST_RULES}


def rejudge(result: RunResult) -> Rejudgement:
    """What the rules of today say of the times of ``result``."""
    today = conclude(result)
    ratios = {entry["id"]: entry["ratio_to_heddle"] for entry in today["entries"]}
    return {
        "judged_by": RULES,
        "conclusion": today["conclusion"],
        "ratios": {identity: ratio for identity, ratio in ratios.items() if ratio is not None},
    }


def is_noisy(result: RunResult) -> bool:
    """Whether nothing follows from one of its comparisons, by the rules of its day where these concluded anything."""
    return (result if "conclusion" in result else conclude(result))["conclusion"]["noisy"]


def _in_words(entry: Entry) -> Entry:
    """Its ratio as it is stored, which is the median of the quotients by rounds, with the words for its verdict."""
    ratio: Any = entry["ratio_to_heddle"]
    if ratio is None or "statement" in ratio:
        return entry
    words = judge_ratio(entry["id"], entry["label"], cast(Quotient, {"paired": ratio["value"], **ratio}))
    return {**entry, "ratio_to_heddle": words}


def _first_conclusion(result: RunResult, entries: list[Entry]) -> Conclusion:
    """What the page said by the first rules: nothing where the A/A control was not quiet."""
    control = cast(dict[str, Any], result.get("control") or {})
    if control.get("quiet", True):
        return {"noisy": False, "headline": say_who_is_slower(entries), "reasons": []}
    unlike = f"The same kernel timed as two contenders has a ratio of {control['value']:.2f}, not of 1."
    return {"noisy": True, "headline": f"{NOISY}.", "reasons": [unlike, REPEAT]}
