"""An edit costs one run of the pipeline, whether it is refused or not: counts of calls, never a clock."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import pytest

import heddle as hd
from heddle.frontends.front_end import FrontEnd
from heddle.iteration_graph.build.concretize import build
from heddle.lowering.optimized import lower_optimized
from heddle.plan import Options, Plan, TensorSpec, to_document
from heddle_server.services.compiling.compile_worker import compile_document, legal_document

READS, BUILDS, LOWERINGS = FrontEnd.read.__code__, build.__code__, lower_optimized.__code__
SPMV, CSR = "y(i) = A(i,j) * x(j)", {"A": "csr"}
PRODUCT = "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"

REFUSED = {
    "a race": (SPMV, CSR, ("split(i, i0, i1, 32)", "parallelize(j, CPUThread, NoRaces)")),
    "a name": (SPMV, CSR, ("split(q, i0, i1, 32)",)),
    "a storage order": (SPMV, CSR, ("reorder(j, i)",)),
    "two commands": (SPMV, CSR, ("split(i, i0, i1, 32)", "unroll(z, 2)", "unroll(i1, 4)")),
    "three levels": (PRODUCT, {"B": "csf"}, ("reorder(l, k)",)),
}


def calls(work: Callable[[], object]) -> Counter[CodeType]:
    """How often each Python function is called while ``work`` runs."""
    counted: Counter[CodeType] = Counter()

    def count(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            counted[frame.f_code] += 1

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


def plan_of(case: tuple[str, dict[str, str], tuple[str, ...]], options: Options | None = None) -> Plan:
    expression, formats, schedule = case
    tensors = {name: TensorSpec(text) for name, text in formats.items()}
    return Plan(expression, tensors, schedule, options=options or Options())


def answer(plan: Plan) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(compile_document(to_document(plan)))
    return read


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_a_refused_edit_is_read_once_and_says_what_was_valid(case: tuple[str, dict[str, str], tuple[str, ...]]) -> None:
    plan = plan_of(case)
    counted = calls(lambda: compile_document(to_document(plan)))
    assert counted[READS] == 1
    # What is drawn, and at most the same loops in turn, which show what would go wrong.
    assert 1 <= counted[LOWERINGS] <= 2
    view = answer(plan)
    assert not view["ok"]
    refused = next(row["index"] for row in view["commands"] if row["status"] == "failed")
    valid = answer(plan_of((case[0], case[1], case[2][:refused])))
    assert valid["ok"]
    assert without_times(view["before"]) == without_times(valid)


@pytest.mark.parametrize("case", [(SPMV, CSR, ()), (SPMV, CSR, ("split(i, i0, i1, 32)",)), (PRODUCT, {"B": "csf"}, ())])
def test_a_valid_edit_is_read_built_and_lowered_once(case: tuple[str, dict[str, str], tuple[str, ...]]) -> None:
    counted = calls(lambda: compile_document(to_document(plan_of(case))))
    assert (counted[READS], counted[BUILDS], counted[LOWERINGS]) == (1, 1, 1)
    assert answer(plan_of(case))["before"] is None


@pytest.mark.parametrize("formats", [{"A": "csr"}, {"A": "csc"}])
def test_orders_of_operands_are_known_before_anything_is_lowered(formats: dict[str, str]) -> None:
    plan = plan_of((SPMV, formats, ("reorder(j, i)", "split(i, i0, i1, 8)")), Options("automatic"))
    counted = calls(lambda: compile_document(to_document(plan)))
    assert (counted[READS], counted[LOWERINGS]) == (1, 1)
    assert answer(plan)["ok"]


def test_what_may_come_next_starts_from_the_loops_at_hand() -> None:
    plan = plan_of((SPMV, CSR, ("split(i, i0, i1, 32)",)))
    counted = calls(lambda: legal_document(to_document(plan)))
    assert (counted[READS], counted[BUILDS], counted[LOWERINGS]) == (1, 1, 1)


def test_a_refusal_that_is_no_commands_has_nothing_before_it() -> None:
    view = answer(plan_of(("y(i) = A(i,j) * ", CSR, ("split(i, i0, i1, 32)",))))
    assert not view["ok"]
    assert view["before"] is None


def test_repairs_that_are_offered_compile() -> None:
    for case in REFUSED.values():
        plan = plan_of(case)
        for diagnostic in answer(plan)["diagnostics"]:
            for fix in diagnostic["fixes"]:
                formats = {**case[1], **(fix["formats"] or {})}
                schedule = plan.schedule if fix["schedule"] is None else fix["schedule"]
                assert hd.lower(fix["expression"] or case[0], formats, schedule, options=fix["options"]).ok, fix


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(part) for key, part in value.items() if key != "milliseconds"}
    return [without_times(part) for part in value] if isinstance(value, list) else value
