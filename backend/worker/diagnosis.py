"""After a run: what held the kernel back, as far as its numbers are certain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from backend.schema.run import Diagnosis, Entry, RunResult
from compiler.plan import Plan
from compiler.runtime.tensors.tensor import Tensor
from compiler.targets import C
from compiler.tuning.diagnosis.finished import Finished
from compiler.tuning.diagnosis.table import diagnose
from compiler.tuning.facts.machine import this_machine
from compiler.tuning.facts.program import program_of
from compiler.tuning.facts.statistics import has_rows_to_look_at, statistics_of
from compiler.views.diagnostics import fix_view

MAX_LOOKED_AT = 4_000_000
"""Values of an operand that is looked at entry by entry; of rows the positions tell enough, whatever their number."""


BEYOND_DOUBT = 3.0
"""How many times as long as another the kernel must take, by every estimate, for a noisy run to say so: no noise that
was seen makes a kernel three times as slow as itself in the median of a run."""


def diagnosis_of(plan: Plan, tensors: Mapping[str, Tensor], result: RunResult) -> Diagnosis | None:
    """None for GPUs, for wrong results and for runs from which nothing follows; of a noisy run only what is beyond
    doubt."""
    noisy = "conclusion" in result and result["conclusion"]["noisy"]
    ours = next((entry for entry in result["entries"] if entry["id"] == "heddle" and entry["median_ns"]), None)
    if plan.target != C.name or ours is None or ours["median_ns"] is None:
        return None
    if noisy and not any(_beyond_doubt(entry, result) for entry in result["entries"]):
        return None
    looked_at = {
        name: statistics_of(tensor)
        for name, tensor in tensors.items()
        if not tensor.format.is_dense and (has_rows_to_look_at(tensor) or tensor.vals.size <= MAX_LOOKED_AT)
    }
    shapes = {name: tensor.shape for name, tensor in tensors.items()}
    run = Finished(
        plan,
        program_of(plan, looked_at, this_machine(result["threads"]), shapes),
        tensors,
        {given["tensor"]: given["nnz"] for given in result["inputs"]},
        ours["median_ns"] / 1e9,
        _unscheduled(result, noisy),
        None if noisy else ours["bandwidth_share"],
    )
    found = diagnose(run)
    if found is None:
        return None
    text = f"The run was noisy, but this is beyond doubt. {found.text}" if noisy else found.text
    return {"rule": found.rule, "text": text, "fix": fix_view(found.fix) if found.fix is not None else None}


def _unscheduled(result: RunResult, noisy: bool) -> float | None:
    """Seconds of the kernel without its schedule, where the run can tell the two apart."""
    for entry in result["entries"]:
        ratio = entry["ratio_to_heddle"]
        told_apart = _beyond_doubt(entry, result) if noisy else ratio is not None and ratio["verdict"] != "inconclusive"
        if entry["id"] == "unscheduled" and told_apart:
            return cast(float, entry["median_ns"]) / 1e9
    return None


def _beyond_doubt(entry: Entry, result: RunResult) -> bool:
    """Whether our kernel is slower than ``entry`` by more than noise explains: by the medians, round by round, at the
    near end of the interval, and even if the kernel ran as unlike itself as the control did."""
    ratio, control = entry["ratio_to_heddle"], result.get("control")
    if ratio is None:
        return False
    unlike = 1.0 if control is None else max(control["high"], 1 / control["low"])
    return max(ratio["value"], ratio["paired"], ratio["high"]) * BEYOND_DOUBT * unlike <= 1
