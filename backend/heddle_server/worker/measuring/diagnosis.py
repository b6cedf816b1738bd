"""After a run: what held the kernel back, as far as its numbers are certain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from heddle.explorer.views.diagnostics import fix_view
from heddle.measuring.schema import Entry
from heddle.measuring.verdicts import Verdict, was_quiet
from heddle.plan import Plan
from heddle.runtime.tensors.tensor import Tensor
from heddle.targets import C
from heddle.tuning.diagnosis.finished import Finished
from heddle.tuning.diagnosis.table import diagnose
from heddle.tuning.facts.machine import this_machine
from heddle.tuning.facts.program import program_of
from heddle.tuning.facts.statistics import has_rows_to_look_at, statistics_of
from heddle_server.schema.run import Diagnosis, RunResult

MAX_LOOKED_AT = 4_000_000
"""Values of an operand that is looked at entry by entry; of rows the positions tell enough, whatever their number."""


def diagnosis_of(plan: Plan, tensors: Mapping[str, Tensor], result: RunResult) -> Diagnosis | None:
    """``result`` has its conclusion. None for GPUs and for wrong results; where the machine was not quiet for our
    kernel, only if it takes longer than another all the same."""
    ours = next((entry for entry in result["entries"] if entry["id"] == "heddle" and entry["median_ns"]), None)
    if plan.target != C.name or ours is None or ours["median_ns"] is None:
        return None
    noisy = not was_quiet(ours, result)
    if noisy and not any(_verdict(entry) == "slower" for entry in result["entries"]):
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
        {operand["tensor"]: operand["nnz"] for operand in result["inputs"]},
        ours["median_ns"] / 1e9,
        _unscheduled_seconds(result),
        None if noisy else ours["bandwidth_share"],
    )
    diagnosis = diagnose(run)
    if diagnosis is None:
        return None
    text = f"The run was noisy, but this is beyond doubt. {diagnosis.text}" if noisy else diagnosis.text
    return {"rule": diagnosis.rule, "text": text, "fix": fix_view(diagnosis.fix) if diagnosis.fix is not None else None}


def _unscheduled_seconds(result: RunResult) -> float | None:
    """Seconds of the kernel without its schedule, where the run can tell the two apart."""
    for entry in result["entries"]:
        if entry["id"] == "unscheduled" and _verdict(entry) != "inconclusive":
            return cast(float, entry["median_ns"]) / 1e9
    return None


def _verdict(entry: Entry) -> Verdict:
    """What the run says of our kernel beside ``entry``."""
    ratio = entry["ratio_to_heddle"]
    return "inconclusive" if ratio is None else ratio["verdict"]
