"""The one place that decides what times allow to say: who is slower and how many times, or that nothing follows.

Table, figures, page, tour, tuner, shell, lessons and JSON show what stands here; none of them compares times itself.

A ratio is judged by its interval. That is widened by how unlike itself each of the two was in the same rounds (A/A):
what then lies beyond ``BEYOND_DOUBT`` as a whole is a verdict on a busy machine too, and what lies nearer to 1 is one
only where the machine was quiet for both. Nothing is said of a contender that did not have its cores. What speaks
against one contender is held against its own comparisons alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, floor, hypot, log, log10
from typing import TYPE_CHECKING, Literal, TypeVar, cast

if TYPE_CHECKING:
    from heddle.measuring.schema import Conclusion, Control, Entry, Load, Measured, Quotient, Ratio

MeasuredResult = TypeVar("MeasuredResult", bound="Measured")

RULES = "2"
"""The version of these rules. Stored results say by which they were judged (``stored_result.py``)."""

BEYOND_DOUBT = 3.0
"""How many times as long the whole interval must say for a verdict on a busy machine: none that was seen makes the
median of a contender that has its cores three times that of a quiet one."""

MOST_FLAGGED = 0.2
"""In how large a share of the rounds a contender may lack its cores: a median does not follow so few."""

CONTROL_REACH = 1.1
"""How far from 1 the interval of an A/A control may reach: beyond, the contender is not as fast as itself."""

AGREEMENT = 1.15
"""How far the quotient of the medians and the median of the quotients may be apart: they estimate the same."""

MOST_PRESSURE, MOST_STEAL = 0.2, 0.05
"""In how large a share of the time somebody may wait for a processor, and another virtual machine have it."""

NOISY = "Noisy: not conclusive"
REPEAT = "Something else was using the machine. Repeat the run when it is quieter."

Verdict = Literal["faster", "slower", "inconclusive"]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two that are compared, with what is known of its rounds."""

    label: str
    control: Control | None = None
    flagged_share: float = 0.0
    load: Load | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """``verdict`` is that of ours. ``least`` is how many times as long the slower of the two takes at least. Where the
    machine does not allow a verdict, ``doubt`` says so in a few words, and ``reasons`` with the numbers; the
    ``starved`` did not have their cores."""

    verdict: Verdict
    least: float = 1.0
    doubt: str = ""
    reasons: tuple[str, ...] = ()
    starved: tuple[str, ...] = ()


def judge(quotient: Quotient, other: Side, ours: Side, resolution: float = 0.0) -> Judgement:
    """What ``quotient``, the time of ``other`` over ours, allows to say. ``resolution`` is the least difference that
    counts; a control may make it larger."""
    sides = (ours, other)
    if starved := tuple(line for side in sides for line in _find_starved(side)):
        names = tuple(side.label for side in sides if _find_starved(side))
        return Judgement("inconclusive", doubt=_without_cores(names), reasons=starved, starved=names)
    unlike = exp(hypot(*(log(_unlike(side.control)) for side in sides)))
    low = min(quotient["low"], quotient["paired"]) / unlike
    high = max(quotient["high"], quotient["paired"]) * unlike
    least = max(low, 1 / high)
    if least > BEYOND_DOUBT:
        busy = any(_busy(side.load) for side in sides)
        # A longer call is put off its core more often: who is slower stays, how many times does not.
        return Judgement(told_apart(low, high, 0.0), least / BEYOND_DOUBT if busy else least)
    if doubts := (*_disagreement(quotient, other, ours), *(line for side in sides for line in _noise(side))):
        return Judgement("inconclusive", doubt=NOISY, reasons=tuple(dict.fromkeys(doubts)))
    controls = [side.control["resolution"] for side in sides if side.control is not None]
    verdict = told_apart(low, high, max(resolution, *controls, 0.0))
    return Judgement(verdict, 1.0 if verdict == "inconclusive" else least)


def told_apart(low: float, high: float, resolution: float) -> Verdict:
    """Of an interval of another's time over ours: ours is faster or slower only where the whole interval lies on one
    side of 1, further away from it than the resolution."""
    if low > 1 + resolution:
        return "faster"
    return "slower" if high < 1 - resolution else "inconclusive"


def beside_fastest(quotient: Quotient, judgement: Judgement) -> str:
    """What is judged of a contender beside the fastest of several."""
    if judgement.doubt:
        return judgement.doubt
    match judgement.verdict:
        case "faster":
            return f"takes {times_as_long(quotient, judgement)} as the fastest found"
        case "slower":
            return f"the fastest found takes {times_as_long(quotient, judgement)}"
        case "inconclusive":
            return "tied with the fastest found"
        case other:
            raise AssertionError(other)


def judge_ratio(identity: str, label: str, quotient: Quotient, judgement: Judgement | None = None) -> Ratio:
    """``quotient`` of a contender's time and ours, with the words for what was judged of it; without a judgement, for
    the verdict that it comes with."""
    judgement = judgement or Judgement(quotient["verdict"], max(quotient["value"], 1 / quotient["value"]))
    return {
        **quotient,
        "verdict": judgement.verdict,
        "statement": judgement.doubt or _statement(identity, label, quotient, judgement),
        "doubt": " ".join(judgement.reasons) or None,
    }


def conclude(result: MeasuredResult) -> MeasuredResult:
    """``result`` with its conclusion by the rules of today, whatever it was concluded before."""
    entries = [_of_today(entry, result["entries"]) for entry in result["entries"]]
    ours = next((entry for entry in entries if entry["id"] == "heddle"), None)
    mine = Side("Heddle") if ours is None else side_of(ours, result)
    judged: list[Entry] = []
    judgements: list[tuple[str, Judgement]] = []
    for entry in entries:
        ratio = entry["ratio_to_heddle"]
        if ratio is not None:
            judgement = judge(ratio, side_of(entry, result), mine)
            judgements.append((entry["label"], judgement))
            entry = {**entry, "ratio_to_heddle": judge_ratio(entry["id"], entry["label"], ratio, judgement)}
        judged.append(entry)
    alone = () if judgements else (*_find_starved(mine), *_noise(mine))
    conclusion = _conclusion(judged, judgements, alone)
    return cast(MeasuredResult, {**result, "entries": judged, "conclusion": conclusion, "judged_by": RULES})


def side_of(entry: Entry, result: Measured) -> Side:
    """A contender of a run. One without a control of its own is held to that of our kernel, as in results of before."""
    control = entry.get("control") or result.get("control")
    label = "Heddle" if entry["id"] == "heddle" else entry["label"]
    return Side(label, control, entry.get("flagged_share", 0.0), result.get("load"))


def is_as_itself(control: Control) -> bool:
    """Whether a contender that was timed as two was as fast as itself."""
    return _unlike(control) == 1.0


def was_quiet(entry: Entry, result: Measured) -> bool:
    """Whether nothing speaks against the times of ``entry``."""
    side = side_of(entry, result)
    return not (_find_starved(side) or _noise(side))


def _conclusion(
    entries: Sequence[Entry], judgements: Sequence[tuple[str, Judgement]], alone: tuple[str, ...]
) -> Conclusion:
    """Of the ratios; of our kernel ``alone`` where it was compared with nobody."""
    reasons = list(dict.fromkeys(line for _, judgement in judgements for line in judgement.reasons)) or list(alone)
    if not reasons:
        return {"noisy": False, "headline": say_who_is_slower(entries), "reasons": []}
    noisy = [label for label, judgement in judgements if judgement.doubt == NOISY]
    names = tuple(dict.fromkeys(name for _, judgement in judgements for name in judgement.starved))
    starved = [_without_cores(names)] if names else []
    in_part = f"Beside {' and '.join(noisy)} noisy: not conclusive"
    about = [in_part if _statements(entries) or starved else NOISY] if noisy or not judgements else []
    headline = " ".join(f"{line}." for line in (*_statements(entries), *starved, *about))
    return {"noisy": True, "headline": headline, "reasons": [*reasons, REPEAT]}


def say_who_is_slower(entries: Sequence[Entry]) -> str:
    """The sentences of all ratios from which something follows."""
    return " ".join(f"{line}." for line in _statements(entries))


def _statements(entries: Sequence[Entry]) -> list[str]:
    """What is said of the ratios from which something follows."""
    ratios = (entry["ratio_to_heddle"] for entry in entries)
    return [ratio["statement"] for ratio in ratios if ratio is not None and not ratio.get("doubt")]


def _unlike(control: Control | None) -> float:
    """How many times as long as itself a contender took at most; 1 where that is within what a quiet machine shows,
    which intervals have in them."""
    reach = 1.0 if control is None else max(control["high"], 1 / control["low"])
    return reach if reach > CONTROL_REACH else 1.0


def _without_cores(names: Sequence[str]) -> str:
    return f"Not conclusive: {' and '.join(names)} did not have {'its' if len(names) == 1 else 'their'} cores"


def _find_starved(side: Side) -> list[str]:
    if side.flagged_share <= MOST_FLAGGED:
        return []
    return [f"{side.label} did not have its cores in {side.flagged_share:.0%} of the rounds."]


def _noise(side: Side) -> list[str]:
    """What says that the machine was not quiet for ``side``."""
    control = side.control
    if control is None or is_as_itself(control):
        return _busy(side.load)
    who = "The same kernel" if side.label == "Heddle" else side.label
    interval = f"{control['low']:.2f} to {control['high']:.2f}"
    unlike = f"{who} timed as two contenders has a ratio of {control['value']:.2f} ({interval}), not of 1."
    return [unlike, *_busy(side.load)]


def _busy(load: Load | None) -> list[str]:
    """What the system says of others that used the machine."""
    if load is None:
        return []
    lines, pressure, steal = [], load["pressure"] or 0.0, load["steal"] or 0.0
    if pressure > MOST_PRESSURE:
        lines.append(f"In {pressure:.0%} of the time somebody waited for a processor.")
    if steal > MOST_STEAL:
        lines.append(f"In {steal:.0%} of the time another virtual machine had the processor.")
    return lines


def _disagreement(quotient: Quotient, other: Side, ours: Side) -> list[str]:
    if 1 / AGREEMENT <= quotient["paired"] / quotient["value"] <= AGREEMENT:
        return []
    medians, rounds = (_two_digits(quotient[key]) for key in ("value", "paired"))
    beside = f"{other.label} takes {medians} times as long as {ours.label} by the medians"
    return [f"{beside}, but {rounds} times round by round."]


def _two_digits(ratio: float) -> str:
    """``310``, ``1.0``, ``0.085``: two digits that mean something, and never an exponent."""
    return f"{ratio:.{max(0, 1 - floor(log10(ratio)))}f}"


def _of_today(entry: Entry, entries: list[Entry]) -> Entry:
    """An entry whose ratio was stored before ratios were quotients of medians: its interval is what the intervals of
    the two medians allow, which is wider than the one of today."""
    ratio, ours = entry["ratio_to_heddle"], next((entry for entry in entries if entry["id"] == "heddle"), None)
    if ratio is None or "paired" in ratio or ours is None:
        return entry
    quotient = quotient_of_medians(entry, ours)
    return {
        **entry,
        "ratio_to_heddle": judge_ratio(entry["id"], entry["label"], {**quotient, "paired": ratio["value"]}),
    }


def quotient_of_medians(other: Entry, ours: Entry) -> Quotient:
    """Of two contenders that had no rounds in common: its interval is what those of the medians allow."""
    middle, low, high = (cast(float, other[key]) for key in ("median_ns", "low_ns", "high_ns"))
    mine, my_low, my_high = (cast(float, ours[key]) for key in ("median_ns", "low_ns", "high_ns"))
    value, low, high = middle / mine, low / my_high, high / my_low
    return {"value": value, "low": low, "high": high, "paired": value, "verdict": told_apart(low, high, 0.0)}


def _statement(identity: str, label: str, quotient: Quotient, judgement: Judgement) -> str:
    schedule = identity == "unscheduled"
    times = times_as_long(quotient, judgement)
    match judgement.verdict:
        case "faster" if schedule:
            return f"Without its schedule the kernel takes {times} as with"
        case "faster":
            return f"{label} takes {times} as Heddle"
        case "slower" if schedule:
            return f"With its schedule the kernel takes {times} as without"
        case "slower":
            return f"Heddle takes {times} as {label}"
        case "inconclusive" if schedule:
            return "The schedule makes no difference that this run can tell"
        case "inconclusive":
            return f"Between Heddle and {label} this run can tell no difference"
        case other:
            raise AssertionError(other)


def times_as_long(quotient: Quotient, judgement: Judgement) -> str:
    """What the slower of the two takes; only what at least, where the interval reaches much nearer to 1."""
    times = max(quotient["value"], 1 / quotient["value"])
    if judgement.least * AGREEMENT >= times:
        return times_text(times)
    digits = _digits(judgement.least)
    return f"at least {times_text(floor(judgement.least * 10**digits) / 10**digits)}"


def times_text(ratio: float) -> str:
    """``4.6 times as long``; near 1 with as many digits as tell the two apart."""
    return f"{ratio:.{_digits(ratio)}f} times as long"


def _digits(ratio: float) -> int:
    return 0 if ratio >= 20 else 1 if ratio >= 2 else 2
