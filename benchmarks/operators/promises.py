"""What is wanted of the operators, and what was found: each with the case that comes off worst."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from benchmarks.operators.racing import Result

Kind = Literal["ratio", "removed", "median_ms"]
"""The factor by which ours is faster, the share of a slope that is gone, or milliseconds."""


@dataclass(frozen=True, slots=True)
class Promise:
    """``value`` of every case of a section whose name has ``cases`` in it: at least so much, milliseconds at most."""

    title: str
    section: str
    cases: str
    value: Kind
    wanted: float


@dataclass(frozen=True, slots=True)
class Kept:
    """``found`` is None where nothing was measured; ``case`` is the worst one."""

    promise: Promise
    found: float | None
    case: str

    @property
    def met(self) -> bool | None:
        if self.found is None:
            return None
        spare = self.found - self.promise.wanted
        return spare <= 0 if self.promise.value == "median_ms" else spare >= 0


PROMISES = (
    Promise("weights in blocks, density 0.2 and below, × dense BLAS", "weights", "blocks", "ratio", 1.0),
    Promise("unstructured weights, density 0.05 and below, × dense BLAS", "weights", "unstructured", "ratio", 1.0),
    Promise("relational layer × PyG", "relations", ", pyg", "ratio", 3.0),
    Promise("relational layer × a kernel for each relation", "relations", ", by relation", "ratio", 1.5),
    Promise("one launch for all parts: share of the slope that is gone", "launches", "launches", "removed", 0.8),
    Promise("the format that the rules offer × csr", "choices", "", "ratio", 0.95),
    Promise("expression to C for hyb(8,5,64), median in ms", "compiles", "hyb(8,5,64)", "median_ms", 40.0),
)


def kept(results: Mapping[str, Sequence[Result]]) -> list[Kept]:
    """Of the sections that ran. Cases in which csr stays have no ratio."""
    return [_kept(promise, results[promise.section]) for promise in PROMISES if promise.section in results]


def _kept(promise: Promise, results: Sequence[Result]) -> Kept:
    values = {one["case"]: _value(promise, one) for one in results if promise.cases in one["case"]}
    known = {case: value for case, value in values.items() if value is not None}
    if not known:
        return Kept(promise, None, "")
    worst = (max if promise.value == "median_ms" else min)(known, key=known.__getitem__)
    return Kept(promise, known[worst], worst)


def _value(promise: Promise, result: Result) -> float | None:
    found = result.get(promise.value)
    value = found["value"] if isinstance(found, Mapping) else found
    return None if value is None else float(value)


def line(one: Kept) -> str:
    promise, sign = one.promise, "at most" if one.promise.value == "median_ms" else "at least"
    if one.found is None:
        return f"{promise.title}: {sign} {promise.wanted:g} is wanted, nothing was measured"
    verdict = "met" if one.met else "MISSED"
    return f"{promise.title}: {sign} {promise.wanted:g} is wanted, {one.found:.3g} at worst ({one.case}): {verdict}"
